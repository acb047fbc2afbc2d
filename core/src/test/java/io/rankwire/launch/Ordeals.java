package io.rankwire.launch;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.Request;
import io.rankwire.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A right program of four ranks that does what programs rarely do: it calls from many threads and from threads that are
 * interrupted, collects garbage all the time, starts other processes, joins late, computes longer than a host may be
 * silent, and ends early. Its argument is that time in milliseconds.
 */
final class Ordeals {
    private static final int THREADS = 40;
    private static final int ROUNDS = 20;

    private final Communicator all;
    private final int right;
    private final int left;

    private Ordeals(Communicator all) {
        this.all = all;
        right = (all.rank() + 1) % all.size();
        left = (all.rank() + all.size() - 1) % all.size();
    }

    public static void main(String[] args) throws Exception {
        long ms = Long.parseLong(args[0]);
        int rank;
        Thread.currentThread().interrupt();
        try (World world = World.join()) {
            rank = world.communicator().rank();
            Ordeals ordeals = new Ordeals(world.communicator());
            ordeals.interrupted();
            ordeals.virtualThreads();
            ordeals.threadsWithCommunicators();
            ordeals.garbage();
            otherProcess();
            ordeals.splitAndFree();
            ordeals.sendAndClose();
        }
        if (rank == 1) {
            compute(ms);
        }
        try (World late = World.join()) {
            new Ordeals(late.communicator()).ring(1, 100);
            Thread.currentThread().interrupt();
        }
        check(Thread.interrupted(), "the status of the thread");
        try (World last = World.join()) {
            new Ordeals(last.communicator()).endEarly(ms);
        }
        System.out.println("rank " + rank + " is through");
    }

    private void ring(int tag, int size) {
        int[] out = new int[size];
        Arrays.fill(out, all.rank() * 1_000 + tag);
        int[] in = new int[size];
        all.sendReceive(out, right, tag, in, left, tag);
        check(in[0] == left * 1_000 + tag && in[size - 1] == in[0], "tag " + tag + " of rank " + left);
    }

    /** Another thread interrupts this one and its group, as early as in the first message to each rank. */
    private void interrupted() {
        check(Thread.interrupted(), "the status of the thread");
        Thread self = Thread.currentThread();
        ThreadGroup program = self.getThreadGroup();
        AtomicBoolean over = new AtomicBoolean();
        Thread other = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                self.interrupt();
                program.interrupt();
                LockSupport.parkNanos(200_000);
            }
        });
        for (int round = 0; round < ROUNDS; round++) {
            ring(round, 1 + round * 5_000);
        }
        over.set(true);
        while (other.isAlive()) {
            Thread.onSpinWait();
        }
        check(Thread.interrupted(), "the status of the thread");
    }

    private void virtualThreads() throws Exception {
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            inThreads(pool, THREADS, tag -> ring(tag, tag % 4 == 0 ? 30_000 : 10));
        }
    }

    /** Each thread makes collective calls on a communicator of its own. */
    private void threadsWithCommunicators() throws Exception {
        int count = 6;
        List<Communicator> own = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            own.add(all.duplicate());
        }
        try (ExecutorService pool = Executors.newFixedThreadPool(count)) {
            inThreads(pool, count, thread -> {
                for (int round = 0; round < ROUNDS; round++) {
                    long[] sum = new long[1];
                    own.get(thread).allreduce(new long[] {thread + round}, sum, Op.SUM);
                    check(sum[0] == (long) all.size() * (thread + round), "a sum of thread " + thread);
                }
            });
        }
        own.forEach(Communicator::free);
    }

    private interface Part {
        void run(int number) throws Exception;
    }

    private static void inThreads(ExecutorService pool, int count, Part part) throws Exception {
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            tasks.add(() -> {
                part.run(number);
                return null;
            });
        }
        for (Future<Void> each : pool.invokeAll(tasks)) {
            each.get();
        }
    }

    private void garbage() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread collector = Thread.ofPlatform().start(() -> {
            byte[][] kept = new byte[64][];
            for (int i = 0; !over.get(); i++) {
                kept[i % kept.length] = new byte[100_000];
                if (i % 200 == 0) {
                    System.gc();
                }
            }
        });
        for (int round = 0; round < ROUNDS; round++) {
            ring(round, 1 + round * 5_000);
        }
        over.set(true);
        collector.join();
    }

    /** It outlives this rank, with the same standard output. */
    private static void otherProcess() throws Exception {
        new ProcessBuilder("sleep", "8").inheritIO().start();
    }

    private void splitAndFree() {
        for (int round = 0; round < ROUNDS; round++) {
            Communicator part = all.split((all.rank() + round / 2) % 2, -all.rank()).orElseThrow();
            Communicator copy = part.duplicate();
            part.free();
            int[] sum = new int[1];
            copy.allreduce(new int[] {1}, sum, Op.SUM);
            check(sum[0] == all.size() / 2, "the size of a part");
            copy.free();
        }
        Communicator host = all.splitShared(all.rank());
        host.barrier();
        host.free();
    }

    /** Rank 0 closes its world while its messages are on their way to ranks that do not look for them yet. */
    private void sendAndClose() throws Exception {
        int count = 100;
        if (all.rank() == 0) {
            List<Request> sent = new ArrayList<>();
            for (int to = 1; to < all.size(); to++) {
                for (int i = 0; i < count; i++) {
                    int[] out = new int[1 + i * 20];
                    out[i] = i;
                    sent.add(all.ibsend(out, to, 8));
                }
            }
            sent.forEach(Request::await);
            return;
        }
        Thread.sleep(100);
        for (int i = 0; i < count; i++) {
            int[] in = new int[1 + i * 20];
            all.receive(in, 0, 8);
            check(in[i] == i, "message " + i + " of a rank that has closed its world");
        }
    }

    /** The last rank ends, and one rank computes while the others wait for it. */
    private void endEarly(long ms) {
        int last = all.size() - 1;
        byte[] large = new byte[3 << 20];
        if (all.rank() == last) {
            all.send(new int[] {7}, 0, 1);
            return;
        }
        if (all.rank() == 1) {
            compute(ms);
            all.receive(large, 0, 2);
            check(large[77] == 7, "a byte of a large message");
            for (int to = 0; to < last; to += 2) {
                all.send(new int[] {9}, to, 3);
            }
            return;
        }
        int[] in = new int[1];
        if (all.rank() == 0) {
            all.receive(in, last, 1);
            check(in[0] == 7, "the message of a rank that has ended");
            large[77] = 7;
            all.send(large, 1, 2);
        }
        all.receive(in, 1, 3);
        check(in[0] == 9, "the message of a rank that has computed");
    }

    private static void compute(long ms) {
        long until = System.nanoTime() + ms * 1_000_000;
        double sum = 0;
        while (System.nanoTime() - until < 0) {
            sum += Math.sqrt(sum + 1);
        }
        check(sum > 0, "a sum");
    }

    private static void check(boolean good, String what) {
        if (!good) {
            throw new AssertionError(what + " is wrong");
        }
    }
}
