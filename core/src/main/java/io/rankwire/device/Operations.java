package io.rankwire.device;

import java.util.Arrays;
import java.util.function.Consumer;

/** All operations of a device by index; ended ones are used again, the last one first. */
final class Operations {
    private Operation[] all = new Operation[64];
    private int made;
    private int[] free = new int[64];
    private int freeCount;

    Operation take() {
        if (freeCount > 0) {
            Operation operation = all[free[--freeCount]];
            operation.begin();
            return operation;
        }
        return make();
    }

    Operation at(int index) {
        return all[index];
    }

    void give(Operation operation) {
        operation.release();
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, 2 * freeCount);
        }
        free[freeCount++] = operation.index();
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
}
