package io.rankwire.tools.bench;

import com.sun.management.ThreadMXBean;
import io.rankwire.Communicator;
import io.rankwire.Request;
import io.rankwire.World;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;

/**
 * The loops of {@code rankwire bench}, run by two ranks; the resource {@code peer.c} has the same ones, step for step.
 * Arguments are the work and its cells. Rank 0 prints a line for each cell. Every message carries a new value, and
 * every receiver checks it.
 */
public final class BenchRank {
    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder()).withInvokeExactBehavior();
    private static final int WINDOW = 64;
    /** Unexpected messages are sent in bursts: Open MPI takes minutes for 100,000 at once. */
    private static final int BURST = 1000;
    private static final int TAG_BALL = 1;
    private static final int TAG_STREAM = 2;
    private static final int TAG_ACK = 3;
    private static final int TAG_COUNT = 4;
    private static final int TAG_MARK = 5;
    private static final int TAG_AGREE = 6;
    private static final int TAG_OTHERS = 1000;
    /** A loop runs in pieces, and ends early when it has taken too long, as on a busy machine. */
    private static final int PIECES = 10;
    private static final int MAX_PIECE = 500;
    private static final long LIMIT_NS = 2_000_000_000;

    /** A loop of messages that does so many turns, and allocates nothing itself. */
    @FunctionalInterface
    private interface Loop {
        void run(int turns);
    }

    private final Communicator all;
    private final int rank;
    private final int other;
    private final byte[] answer = new byte[1];

    private BenchRank(Communicator all) {
        this.all = all;
        this.rank = all.rank();
        this.other = 1 - rank;
    }

    public static void main(String[] args) {
        try (World world = World.join()) {
            BenchRank self = new BenchRank(world.communicator());
            if (self.all.size() != 2) {
                throw new IllegalStateException("needs 2 ranks, not " + self.all.size());
            }
            for (int i = 1; i < args.length; i++) {
                self.run(args[0], Cell.parse(args[i]));
            }
        }
    }

    private void run(String work, Cell cell) {
        switch (work) {
            case "lat" -> halfRoundTrip(work, cell);
            case "rate" -> rate(cell);
            case "prq" -> posted(cell);
            case "ueq" -> unexpected(cell);
            case "alloc" -> allocation(cell);
            default -> throw new IllegalArgumentException("unknown work " + work);
        }
    }

    private void halfRoundTrip(String work, Cell cell) {
        byte[] out = new byte[cell.bytes()];
        byte[] in = new byte[cell.bytes()];
        Loop loop = turns -> ball(out, in, turns);
        turnNs(loop, cell.warmup());
        if (cell.iterations() > 0) {
            report(work, cell, turnNs(loop, cell.iterations()) / 2 / 1e3);
        }
    }

    /** Mean time of a turn. */
    private double turnNs(Loop loop, int turns) {
        int piece = Math.clamp(turns / PIECES, 1, MAX_PIECE);
        int done = 0;
        long taken = 0;
        do {
            long start = System.nanoTime();
            loop.run(piece);
            taken += System.nanoTime() - start;
            done += piece;
        } while (agree(done < turns && taken < LIMIT_NS));
        return (double) taken / done;
    }

    /** Whether rank 0 wants to go on; both know when it returns. */
    private boolean agree(boolean goOn) {
        answer[0] = (byte) (goOn ? 1 : 0);
        if (rank == 0) {
            all.send(answer, other, TAG_AGREE);
            all.receive(answer, other, TAG_AGREE);
        } else {
            all.receive(answer, other, TAG_AGREE);
            all.send(answer, other, TAG_AGREE);
        }
        return answer[0] != 0;
    }

    /** There and back again; the way back carries the complement of the value. */
    private void ball(byte[] out, byte[] in, int iterations) {
        int count = words(in.length);
        int step = stride(in.length);
        for (int i = 0; i < iterations; i++) {
            long value = (long) i << 4;
            if (rank == 0) {
                stamp(out, count, step, value);
                all.send(out, other, TAG_BALL);
                all.receive(in, other, TAG_BALL);
                check(in, count, step, ~value);
            } else {
                all.receive(in, other, TAG_BALL);
                check(in, count, step, value);
                stamp(out, count, step, ~value);
                all.send(out, other, TAG_BALL);
            }
        }
    }

    private void rate(Cell cell) {
        byte[] buffer = new byte[cell.bytes() * WINDOW];
        Request[] requests = new Request[WINDOW];
        Loop loop = turns -> window(buffer, cell.bytes(), requests, turns);
        turnNs(loop, cell.warmup());
        if (cell.iterations() > 0) {
            report("rate", cell, WINDOW / turnNs(loop, cell.iterations()) * 1e3);
        }
    }

    private void window(byte[] buffer, int bytes, Request[] requests, int iterations) {
        byte[] ack = new byte[1];
        for (int i = 0; i < iterations; i++) {
            for (int w = 0; w < WINDOW; w++) {
                if (rank == 0) {
                    WORD.set(buffer, w * bytes, (long) i * WINDOW + w);
                    requests[w] = all.isend(buffer, w * bytes, bytes, other, TAG_STREAM);
                } else {
                    requests[w] = all.irecv(buffer, w * bytes, bytes, other, TAG_STREAM);
                }
            }
            Request.awaitAll(requests);
            if (rank == 0) {
                all.receive(ack, other, TAG_ACK);
                if (ack[0] != (byte) i) {
                    throw wrong("acknowledgement", i);
                }
            } else {
                for (int w = 0; w < WINDOW; w++) {
                    if ((long) WORD.get(buffer, w * bytes) != (long) i * WINDOW + w) {
                        throw wrong("message", (long) i * WINDOW + w);
                    }
                }
                ack[0] = (byte) i;
                all.send(ack, other, TAG_ACK);
            }
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
        halfRoundTrip("prq", cell);
        for (int i = 0; i < requests.length; i++) {
            requests[i].cancel();
            if (!requests[i].await().cancelled()) {
                throw wrong("a receive met a message: tag", TAG_OTHERS + i);
            }
        }
    }

    /** With messages here that nobody has asked for yet; they are received at the end. */
    private void unexpected(Cell cell) {
        int bytes = cell.bytes();
        Request[] requests = new Request[cell.depth()];
        byte[] buffer = new byte[cell.depth() * bytes];
        byte[] in = new byte[bytes];
        byte[] out = new byte[bytes];
        for (int i = 0; i < requests.length; i++) {
            WORD.set(buffer, i * bytes, (long) i);
            requests[i] = all.isend(buffer, i * bytes, bytes, other, TAG_OTHERS + i);
            if ((i + 1) % BURST == 0 || i + 1 == requests.length) {
                // Messages of a pair keep their order: when the mark is here, so are the others.
                all.sendReceive(out, other, TAG_MARK, in, other, TAG_MARK);
            }
        }
        halfRoundTrip("ueq", cell);
        for (int i = 0; i < requests.length; i++) {
            all.receive(in, other, TAG_OTHERS + i);
            if ((long) WORD.get(in, 0) != i) {
                throw wrong("unexpected message", i);
            }
        }
        Request.awaitAll(requests);
    }

    /** What both ranks' calling threads allocate for a message; the peers' program has no such loop. */
    private void allocation(Cell cell) {
        byte[] out = new byte[cell.bytes()];
        byte[] in = new byte[cell.bytes()];
        allocation("alloc.blocking", cell, turns -> ball(out, in, turns));
        Request sent = all.sendInit(out, 0, out.length, other, TAG_BALL);
        Request received = all.receiveInit(in, 0, in.length, other, TAG_BALL);
        allocation("alloc.persistent", cell, turns -> persistentBall(out, in, sent, received, turns));
    }

    private void allocation(String kind, Cell cell, Loop loop) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        threads.getCurrentThreadAllocatedBytes();
        turnNs(loop, cell.warmup());
        long before = threads.getCurrentThreadAllocatedBytes();
        loop.run(cell.iterations());
        long[] bytes = {threads.getCurrentThreadAllocatedBytes() - before};
        if (rank == 0) {
            long mine = bytes[0];
            all.receive(bytes, other, TAG_COUNT);
            report(kind, cell, (double) (mine + bytes[0]) / cell.iterations() / 2);
        } else {
            all.send(bytes, other, TAG_COUNT);
        }
    }

    private void persistentBall(byte[] out, byte[] in, Request sent, Request received, int iterations) {
        for (int i = 0; i < iterations; i++) {
            received.start();
            if (rank == 0) {
                WORD.set(out, 0, (long) i);
                sent.start();
                sent.await();
                received.await();
            } else {
                received.await();
                WORD.set(out, 0, (long) i);
                sent.start();
                sent.await();
            }
            if ((long) WORD.get(in, 0) != i) {
                throw wrong("message", i);
            }
        }
    }

    /** How many words of a message change: one of a small message, eight spread over a large one. */
    static int words(int bytes) {
        return bytes < 8 ? 0 : bytes < 64 ? 1 : bytes < 2048 ? 2 : 8;
    }

    static int stride(int bytes) {
        int count = words(bytes);
        return count < 2 ? 0 : (bytes - 8) / (count - 1) / 8 * 8;
    }

    private static void stamp(byte[] buffer, int count, int step, long value) {
        for (int i = 0; i < count; i++) {
            WORD.set(buffer, i * step, value + i);
        }
    }

    private void check(byte[] buffer, int count, int step, long value) {
        for (int i = 0; i < count; i++) {
            if ((long) WORD.get(buffer, i * step) != value + i) {
                throw wrong("message", value);
            }
        }
    }

    private IllegalStateException wrong(String what, long at) {
        return new IllegalStateException("rank " + rank + ": wrong data: " + what + " " + at);
    }

    private void report(String kind, Cell cell, double value) {
        if (rank == 0) {
            System.out.println(new Point(kind, cell.bytes(), cell.depth()).line(value));
        }
    }
}
