package io.rankwire.runtime;

import io.rankwire.device.Operation;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Exchanges copies of memory over the hidden messages of a communicator, for checkpoints. */
public final class Copies {
    private Copies() {}

    /**
     * Memory that is sent or received.
     *
     * @param rank the other rank
     */
    public record Copy(int rank, MemorySegment memory) {}

    /**
     * Sends and receives; several copies between two ranks arrive in the order of the lists.
     *
     * @param call the program's call, for reports
     */
    public static void exchange(Endpoint on, List<Copy> in, List<Copy> out, String call) {
        Messenger messages = on.hidden();
        List<Operation> open = new ArrayList<>();
        try {
            for (Copy each : in) {
                open.add(messages.irecv(each.memory, 0, each.memory.byteSize(), ElementType.RAW,
                        on.group().worldRank(each.rank), Contexts.COPY, true));
            }
            for (Copy each : out) {
                Operation send = messages.isend(Operation.Mode.STANDARD, each.memory, 0, each.memory.byteSize(),
                        ElementType.RAW, on.group().worldRank(each.rank), Contexts.COPY);
                if (send != null) {
                    open.add(send);
                }
            }
            while (!open.isEmpty()) {
                messages.await(open.removeFirst(), call);
            }
        } catch (RuntimeException e) {
            open.forEach(each -> messages.giveUp(each, e));
            throw e;
        }
    }
}
