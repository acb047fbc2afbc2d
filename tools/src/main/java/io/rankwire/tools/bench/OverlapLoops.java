package io.rankwire.tools.bench;

import io.rankwire.Request;
import io.rankwire.World;

/**
 * How much of a transfer is hidden behind compute: of the time a transfer takes by itself, the share that it does not
 * add to a computation of the same length between its start and its await. The same turns with a message of one byte
 * stand for no transfer, so that what they have in common cancels. Sender, receiver, or both compute; one that does
 * not, waits in the library.
 */
final class OverlapLoops extends Loops {
    private final Computing computing = new Computing();

    OverlapLoops(World world, String kind) {
        super(world, kind);
    }

    @Override
    void run(Cell cell) {
        int bytes = cell.bytes();
        Block block = block(bytes);
        double stepNs = computing.stepNs();
        turnNs(turns -> transfers(block, bytes, 0, turns), cell.warmup());
        int turns = cell.iterations() > 0 ? cell.iterations() : cell.warmup();
        hidden("send", cell, block, rank == 0 ? stepNs : 0, turns);
        hidden("receive", cell, block, rank == 1 ? stepNs : 0, turns);
        hidden("both", cell, block, stepNs, turns);
    }

    /** A step that takes no time is one of a rank that does not compute. */
    private void hidden(String who, Cell cell, Block block, double stepNs, int turns) {
        int bytes = cell.bytes();
        double pure = turnNs(count -> transfers(block, bytes, 0, count), turns);
        double none = turnNs(count -> transfers(block, 1, 0, count), turns);
        int steps = stepNs == 0 ? 0 : (int) (pure / stepNs);
        double compute = turnNs(count -> transfers(block, 1, steps, count), turns);
        double total = turnNs(count -> transfers(block, bytes, steps, count), turns);
        if (cell.iterations() > 0) {
            report(who, cell, 100 * Math.clamp(1 - (total - compute) / (pure - none), 0, 1));
        }
    }

    /** The receive is there before the message starts; the acknowledgement says that the next one is too. */
    private void transfers(Block block, int bytes, int steps, int iterations) {
        int count = Block.words(bytes);
        int step = Block.stride(bytes);
        Object buffer = block.buffer();
        byte[] ack = new byte[1];
        Request received = null;
        if (rank == 0) {
            all.receive(ack, other, TAG_ACK);
        } else {
            received = all.irecv(buffer, 0, bytes, other, TAG_STREAM);
            all.send(ack, other, TAG_ACK);
        }
        for (int i = 0; i < iterations; i++) {
            long value = (long) i << 4;
            if (rank == 0) {
                block.stamp(0, count, step, value);
                Request sent = all.isend(buffer, 0, bytes, other, TAG_STREAM);
                computing.steps(steps);
                sent.await();
                all.receive(ack, other, TAG_ACK);
            } else {
                computing.steps(steps);
                received.await();
                check(block, 0, count, step, value);
                if (i + 1 < iterations) {
                    received = all.irecv(buffer, 0, bytes, other, TAG_STREAM);
                }
                all.send(ack, other, TAG_ACK);
            }
        }
    }
}
