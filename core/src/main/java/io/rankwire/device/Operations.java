package io.rankwire.device;

import io.rankwire.wire.Id;
import java.util.Arrays;
import java.util.function.Consumer;

/** All operations of a device by index; ended ones are used again, the last one first. */
final class Operations {
    private Operation[] all = new Operation[64];
    private int made;
    /** The ones that are free; places from {@link #freeCount} up are stale. */
    private Operation[] free = new Operation[64];
    private int freeCount;

    Operation take() {
        if (freeCount > 0) {
            Operation operation = free[--freeCount];
            operation.begin();
            return operation;
        }
        return make();
    }

    Operation at(int index) {
        return all[index];
    }

    /** The operation that a frame names; null if there is none of this name, or not any more. */
    Operation named(int id) {
        int place = Id.place(id);
        return place < made && all[place].id() == id && all[place].active() ? all[place] : null;
    }

    void give(Operation operation) {
        operation.release();
        int place = freeCount;
        if (place == free.length) {
            free = Arrays.copyOf(free, 2 * place);
        }
        free[place] = operation;
        freeCount = place + 1;
    }

    int inUse() {
        return made - freeCount;
    }

    void forEachInUse(Consumer<Operation> action) {
        for (int i = 0; i < made; i++) {
            if (all[i].active() || all[i].isDone()) {
                action.accept(all[i]);
            }
        }
    }

    private Operation make() {
        if (made == all.length) {
            all = Arrays.copyOf(all, 2 * made);
        }
        Operation operation = new Operation(made);
        all[made++] = operation;
        operation.begin();
        return operation;
    }

    /** A posted receive has got another entry, because its queue was moved. */
    void moved(int handle, int entry) {
        at(handle).entry = entry;
    }
}
