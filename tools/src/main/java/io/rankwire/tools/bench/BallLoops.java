package io.rankwire.tools.bench;

import com.sun.management.ThreadMXBean;
import io.rankwire.Request;
import io.rankwire.World;
import java.lang.management.ManagementFactory;

/** One message there and back again: alone, beside queues, and what it allocates. */
final class BallLoops extends Loops {
    /** Unexpected messages are sent in bursts: Open MPI takes minutes for 100,000 at once. */
    private static final int BURST = 1000;
    /** From this size on a message is rewritten whole in every turn; writing a smaller one costs next to nothing. */
    private static final int REWRITTEN = 8192;

    /** What is around the ball. */
    enum Scene { NOTHING, POSTED, UNEXPECTED, HEAP_COUNTED, WARMING, FIRST }

    private final Scene scene;

    BallLoops(World world, String kind, Scene scene) {
        super(world, kind);
        this.scene = scene;
    }

    @Override
    void run(Cell cell) {
        switch (scene) {
            case NOTHING -> halfRoundTrip(cell);
            case POSTED -> posted(cell);
            case UNEXPECTED -> unexpected(cell);
            case HEAP_COUNTED -> allocation(cell);
            case WARMING -> warming(cell, loop(cell.bytes()), cell.bytes() < REWRITTEN ? 100 : 20, 2);
            case FIRST -> {
                Loop loop = loop(cell.bytes());
                warmUp(loop, cell);
                report(cell, turnNs(loop, cell.iterations()) / 1e3);
            }
        }
    }

    private Loop loop(int bytes) {
        Block out = block(bytes);
        Block in = block(bytes);
        return bytes < REWRITTEN
                ? turns -> ball(out, in, bytes, turns) : turns -> rewrittenBall(out, in, bytes, turns);
    }

    private void halfRoundTrip(Cell cell) {
        Loop loop = loop(cell.bytes());
        warmUp(loop, cell);
        if (cell.iterations() > 0) {
            report(cell, turnNs(loop, cell.iterations()) / 2 / 1e3);
        }
    }

    /** There and back again; the way back carries the complement of the value. */
    private void ball(Block out, Block in, int bytes, int iterations) {
        int count = Block.words(bytes);
        int step = Block.stride(bytes);
        Object outBuffer = out.buffer();
        Object inBuffer = in.buffer();
        for (int i = 0; i < iterations; i++) {
            long value = (long) i << 4;
            if (rank == 0) {
                out.stamp(0, count, step, value);
                all.send(outBuffer, other, TAG_BALL);
                all.receive(inBuffer, other, TAG_BALL);
                check(in, 0, count, step, ~value);
            } else {
                all.receive(inBuffer, other, TAG_BALL);
                check(in, 0, count, step, value);
                out.stamp(0, count, step, ~value);
                all.send(outBuffer, other, TAG_BALL);
            }
        }
    }

    /**
     * As {@link #ball}; every byte is written anew before it is sent, as a program would, so that its lines are in the
     * sender's cache. Both ranks do that at the same time, and it is not counted.
     */
    private void rewrittenBall(Block out, Block in, int bytes, int iterations) {
        int count = Block.words(bytes);
        int step = Block.stride(bytes);
        for (int i = 0; i < iterations; i++) {
            long value = (long) i << 4;
            long start = System.nanoTime();
            out.fill((byte) i);
            out.stamp(0, count, step, rank == 0 ? value : ~value);
            asideNs += System.nanoTime() - start;
            if (rank == 0) {
                all.send(out.buffer(), other, TAG_BALL);
                all.receive(in.buffer(), other, TAG_BALL);
            } else {
                all.receive(in.buffer(), other, TAG_BALL);
                all.send(out.buffer(), other, TAG_BALL);
            }
            start = System.nanoTime();
            check(in, 0, count, step, rank == 0 ? ~value : value);
            asideNs += System.nanoTime() - start;
        }
    }

    /** With other receives posted, which no message meets; they are cancelled at the end. */
    private void posted(Cell cell) {
        int bytes = cell.bytes();
        Request[] requests = new Request[cell.depth()];
        byte[] buffer = new byte[cell.depth() * bytes];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = all.irecv(buffer, i * bytes, bytes, other, TAG_OTHERS + i);
        }
        halfRoundTrip(cell);
        for (int i = 0; i < requests.length; i++) {
            requests[i].cancel();
            if (!requests[i].await().cancelled()) {
                throw wrong("a receive met a message: tag", TAG_OTHERS + i);
            }
        }
    }

    /** With messages here that have no receive yet; they are received at the end. */
    private void unexpected(Cell cell) {
        int bytes = cell.bytes();
        Request[] requests = new Request[cell.depth()];
        Block ahead = block(cell.depth() * bytes);
        Block in = block(bytes);
        Block out = block(bytes);
        for (int i = 0; i < requests.length; i++) {
            ahead.word(i * bytes, i);
            requests[i] = all.isend(ahead.buffer(), i * bytes, bytes, other, TAG_OTHERS + i);
            if ((i + 1) % BURST == 0 || i + 1 == requests.length) {
                // Messages of a pair keep their order: when the mark is here, so are the others.
                all.sendReceive(out.buffer(), other, TAG_MARK, in.buffer(), other, TAG_MARK);
            }
        }
        halfRoundTrip(cell);
        for (int i = 0; i < requests.length; i++) {
            all.receive(in.buffer(), other, TAG_OTHERS + i);
            if (in.word(0) != i) {
                throw wrong("unexpected message", i);
            }
        }
        Request.awaitAll(requests);
    }

    /** What both ranks' calling threads allocate for a message; the peers' program has no such loop. */
    private void allocation(Cell cell) {
        int bytes = cell.bytes();
        Block out = block(bytes);
        Block in = block(bytes);
        allocation("blocking", cell, turns -> ball(out, in, bytes, turns));
        Request sent = all.sendInit(out.buffer(), 0, bytes, other, TAG_BALL);
        Request received = all.receiveInit(in.buffer(), 0, bytes, other, TAG_BALL);
        allocation("persistent", cell, turns -> persistentBall(out, in, sent, received, turns));
    }

    private void allocation(String part, Cell cell, Loop loop) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        threads.getCurrentThreadAllocatedBytes();
        warmUp(loop, cell);
        long before = threads.getCurrentThreadAllocatedBytes();
        loop.run(cell.iterations());
        long[] bytes = {threads.getCurrentThreadAllocatedBytes() - before};
        long mine = bytes[0];
        if (rank == 0) {
            all.receive(bytes, other, TAG_COUNT);
        } else {
            all.send(bytes, other, TAG_COUNT);
        }
        report(part, cell, (double) (mine + bytes[0]) / cell.iterations() / 2);
    }

    private void persistentBall(Block out, Block in, Request sent, Request received, int iterations) {
        for (int i = 0; i < iterations; i++) {
            received.start();
            if (rank == 0) {
                out.word(0, i);
                sent.start();
                sent.await();
                received.await();
            } else {
                received.await();
                out.word(0, i);
                sent.start();
                sent.await();
            }
            if (in.word(0) != i) {
                throw wrong("message", i);
            }
        }
    }
}
