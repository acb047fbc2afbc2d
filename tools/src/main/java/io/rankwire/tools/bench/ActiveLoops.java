package io.rankwire.tools.bench;

import com.sun.management.ThreadMXBean;
import io.rankwire.ActiveMessages;
import io.rankwire.World;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * A message there and back again, sent and received by calls of both ranks (plain), and as an active message whose
 * handler on rank 1 posts the answer, which a handler on rank 0 takes (handled).
 */
final class ActiveLoops extends Loops {
    private static final int ASK = 0;
    private static final int ANSWER = 1;

    private final ActiveMessages active;
    private Block out;
    private Block in;
    /** The value of the last answer on rank 0, and how many messages rank 1 is to answer. */
    private long seen;
    private long wanted;
    private final BooleanSupplier isAnswered = () -> seen == wanted;
    private final BooleanSupplier hasAnswered = () -> wanted == 0;

    ActiveLoops(World world, String kind) {
        super(world, kind);
        active = ActiveMessages.open(all);
        active.handle(ASK, this::answer);
        active.handle(ANSWER, (source, payload) -> seen = payload.getLong());
    }

    @Override
    void run(Cell cell) {
        out = block(cell.bytes());
        in = block(cell.bytes());
        Loop plain = this::plain;
        Loop handled = this::handled;
        warmUp(plain, cell);
        warmUp(handled, cell);
        if (cell.iterations() > 0) {
            report("plain", cell, turnNs(plain, cell.iterations()) / 2 / 1e3);
            report("handled", cell, turnNs(handled, cell.iterations()) / 2 / 1e3);
            report("heap", cell, bytesPerMessage(cell.iterations()));
        }
    }

    private void plain(int turns) {
        for (int i = 1; i <= turns; i++) {
            if (rank == 0) {
                out.word(0, i);
                all.send(out.buffer(), other, TAG_BALL);
                all.receive(in.buffer(), other, TAG_BALL);
                if (in.word(0) != ~i) {
                    throw wrong("message", i);
                }
            } else {
                all.receive(in.buffer(), other, TAG_BALL);
                out.word(0, ~in.word(0));
                all.send(out.buffer(), other, TAG_BALL);
            }
        }
    }

    private void handled(int turns) {
        if (rank == 1) {
            wanted += turns;
            active.await(hasAnswered);
            return;
        }
        for (int i = 1; i <= turns; i++) {
            out.word(0, i);
            wanted = ~i;
            active.post(ASK, other, out.buffer());
            active.await(isAnswered);
        }
    }

    /** Runs on rank 1, for a message of rank 0. */
    private void answer(int source, ByteBuffer payload) {
        out.word(0, ~payload.getLong());
        wanted--;
        active.post(ANSWER, source, out.buffer());
    }

    /** What both ranks' calling threads allocate for an active message. */
    private double bytesPerMessage(int turns) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        threads.getCurrentThreadAllocatedBytes();
        long before = threads.getCurrentThreadAllocatedBytes();
        handled(turns);
        long[] bytes = {threads.getCurrentThreadAllocatedBytes() - before};
        long mine = bytes[0];
        if (rank == 0) {
            all.receive(bytes, other, TAG_COUNT);
        } else {
            all.send(bytes, other, TAG_COUNT);
        }
        return (double) (mine + bytes[0]) / turns / 2;
    }
}
