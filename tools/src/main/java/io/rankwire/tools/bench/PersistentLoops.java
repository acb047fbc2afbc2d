package io.rankwire.tools.bench;

import com.sun.management.ThreadMXBean;
import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.Request;
import io.rankwire.World;
import java.lang.management.ManagementFactory;

/** What both ranks' calling threads allocate for a start of a persistent allreduce. */
final class PersistentLoops extends CallLoops {
    PersistentLoops(World world, String kind) {
        super(world, kind);
    }

    @Override
    void run(Cell cell) {
        double[] in = new double[cell.bytes() / Double.BYTES];
        double[] out = new double[in.length];
        Request sum = all.allreduceInit(in, 0, out, 0, in.length, Op.SUM);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        threads.getCurrentThreadAllocatedBytes();
        starts(sum, in, out, cell.warmup());
        long before = threads.getCurrentThreadAllocatedBytes();
        starts(sum, in, out, cell.iterations());
        long[] bytes = {threads.getCurrentThreadAllocatedBytes() - before};
        all.allreduce(Communicator.IN_PLACE, bytes, Op.SUM);
        report(cell, (double) bytes[0] / cell.iterations() / size);
    }

    private void starts(Request sum, double[] in, double[] out, int turns) {
        for (int i = 0; i < turns; i++) {
            in[0] = i + rank;
            sum.start();
            sum.await();
            if (out[0] != (double) i * size + size * (size - 1) / 2) {
                throw wrong("sum", i);
            }
        }
    }
}
