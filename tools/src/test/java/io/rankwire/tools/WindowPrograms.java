package io.rankwire.tools;

import static io.rankwire.tools.Programs.check;

import io.rankwire.Communicator;
import io.rankwire.Group;
import io.rankwire.Op;
import io.rankwire.Window;
import io.rankwire.World;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Programs with windows that tests run as ranks. Each checks its own results. */
final class WindowPrograms {
    private WindowPrograms() {}

    static String name(String program) {
        return WindowPrograms.class.getName() + "$" + program;
    }

    /** Every way to synchronise and most ways to access, over memory and over arrays. */
    static final class Everything {
        private static final int CELLS = 10_000;

        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                for (int round = 0; round < 3; round++) {
                    exercise(all, all.allocateWindow(8L * CELLS, 8));
                    exercise(all, all.window(new long[CELLS], 8));
                    MemorySegment memory = world.allocate(16L * CELLS);
                    exercise(all, all.window(memory.asSlice(8L * CELLS), 8));
                    world.free(memory);
                }
                if (all.rank() == 0) {
                    System.out.println("all is well");
                }
            }
        }

        private static void exercise(Communicator all, Window window) {
            int size = all.size();
            int right = (all.rank() + 1) % size;
            int left = (all.rank() + size - 1) % size;
            long[] data = new long[CELLS];
            Arrays.setAll(data, i -> i + 7L * all.rank());
            long[] got = new long[CELLS];
            window.fence();
            window.put(data, right, 0);
            window.fence();
            window.get(got, all.rank(), 0);
            window.fence();
            check(got[5] == 5 + 7L * left && got[CELLS - 1] == CELLS - 1 + 7L * left, "put with fences");

            window.put(new long[CELLS], all.rank(), 0);
            window.fence();
            window.lockAll();
            for (int i = 0; i < 200; i++) {
                window.accumulate(new long[] {1, 2}, i % size, i % CELLS, Op.SUM);
                window.fetchAndOp(1L, 0, CELLS - 1, Op.SUM);
            }
            window.unlockAll();
            window.fence();
            long[] last = new long[1];
            window.get(last, 0, CELLS - 1);
            window.fence();
            check(last[0] == 200L * size, "fetchAndOp has " + last[0]);

            for (int i = 0; i < 50; i++) {
                window.lock(Window.Lock.EXCLUSIVE, 0);
                window.get(last, 0, CELLS - 1);
                window.flush(0);
                last[0]--;
                window.put(last, 0, CELLS - 1);
                window.unlock(0);
            }
            Group to = all.group().include(right);
            Group from = all.group().include(left);
            window.post(from);
            window.start(to);
            window.put(new long[] {all.rank()}, right, CELLS - 2);
            window.complete();
            window.await();
            window.fence();
            window.get(last, all.rank(), CELLS - 2);
            window.get(got, 0, 1, 0, CELLS - 1);
            window.fence();
            check(last[0] == left, "post and start");
            check(got[0] == 150L * size, "exclusive locks: " + got[0]);
            window.free();
        }
    }

    /** Rank 1 locks rank 0 and sleeps, or dies; rank 0 waits for the lock. With "array" as frames must reach it. */
    static final class HoldsLock {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                boolean array = args[1].equals("array");
                Window window = array ? all.window(new long[8], 8) : all.sharedWindow(64, 8);
                if (all.rank() == 1) {
                    window.lock(Window.Lock.EXCLUSIVE, 0);
                    all.send(new byte[1], 0, 1);
                    Programs.ready(args[0]);
                    Programs.sleepLong();
                }
                all.receive(new byte[1], 1, 1);
                Programs.ready(args[0]);
                window.lock(Window.Lock.EXCLUSIVE, 0);
                System.out.println("a lock that someone holds");
            }
        }
    }

    /** All ranks change the same few cells at random, by a seed; the sums must come out right. */
    static final class Hammer {
        private static final int CELLS = 5;

        public static void main(String[] args) {
            long seed = Long.parseLong(args[0]);
            try (World world = World.join()) {
                Communicator all = world.communicator();
                hammer(all, all.allocateWindow(8 * CELLS, 8), new SplittableRandom(10 * seed + all.rank()));
                hammer(all, all.window(new long[CELLS], 8), new SplittableRandom(-10 * seed - all.rank()));
                if (all.rank() == 0) {
                    System.out.println("all is well");
                }
            }
        }

        private static void hammer(Communicator all, Window window, SplittableRandom random) {
            int owner = all.size() - 1;
            long[] sums = new long[CELLS];
            window.lockAll();
            for (int step = 0; step < 3000; step++) {
                long value = random.nextInt(1000);
                switch (random.nextInt(4)) {
                    case 0 -> {
                        window.accumulate(new long[] {value, 2 * value}, owner, 0, Op.SUM);
                        sums[0] += value;
                        sums[1] += 2 * value;
                    }
                    case 1 -> {
                        window.fetchAndOp(value, owner, 2, Op.SUM);
                        sums[2] += value;
                    }
                    case 2 -> {
                        long now = window.fetchAndOp(0L, owner, 3, Op.NO_OP);
                        sums[3] += window.compareAndSwap(now, now + value, owner, 3) == now ? value : 0;
                    }
                    default -> {
                        long[] before = new long[1];
                        window.getAccumulate(new long[] {value}, before, owner, 4, Op.SUM);
                        sums[4] += value;
                    }
                }
            }
            window.unlockAll();
            Window totals = all.allocateWindow(8 * CELLS, 8);
            totals.fence();
            totals.accumulate(sums, 0, 0, Op.SUM);
            totals.fence();
            long[] expected = new long[CELLS];
            long[] seen = new long[CELLS];
            window.fence();
            totals.get(expected, 0, 0);
            window.get(seen, owner, 0);
            totals.fence();
            window.fence();
            check(Arrays.equals(expected, seen), Arrays.toString(seen) + " is not " + Arrays.toString(expected));
            totals.free();
            window.free();
        }
    }

    /**
     * Without an end: all ranks put, get and accumulate at the others, much at a time so that a network does it itself,
     * and after a few rounds say who they are. The second argument is {@code fence}, {@code lock} or {@code lockAll}.
     */
    static final class Endless {
        private static final int CELLS = 40_000;

        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                // A part has a place for each rank, and a counter for each.
                Window window = all.allocateWindow(8L * (CELLS + 1) * all.size(), 8);
                MemorySegment out = world.allocate(8L * CELLS);
                MemorySegment in = world.allocate(8L * CELLS);
                SplittableRandom random = new SplittableRandom(all.rank());
                if (args[1].equals("lockAll")) {
                    window.lockAll();
                }
                for (int i = 0; ; i++) {
                    out.fill((byte) i);
                    int to = (all.rank() + 1 + random.nextInt(all.size() - 1)) % all.size();
                    switch (args[1]) {
                        case "fence" -> fence(window, out, in, all.rank(), to);
                        case "lock" -> lock(window, out, in, all, to);
                        default -> access(window, out, in, all, to);
                    }
                    check(in.mismatch(out) < 0, "another value than was put");
                    if (i == 10) {
                        Programs.ready(args[0]);
                    }
                }
            }
        }

        private static void fence(Window window, MemorySegment out, MemorySegment in, int rank, int to) {
            window.fence();
            window.put(out, to, (long) rank * CELLS);
            window.fence();
            window.get(in, to, (long) rank * CELLS);
            window.fence();
        }

        private static void lock(Window window, MemorySegment out, MemorySegment in, Communicator all, int to) {
            window.lock(all.rank() % 2 == 0 ? Window.Lock.EXCLUSIVE : Window.Lock.SHARED, to);
            access(window, out, in, all, to);
            window.unlock(to);
        }

        private static void access(Window window, MemorySegment out, MemorySegment in, Communicator all, int to) {
            window.put(out, to, (long) all.rank() * CELLS);
            window.accumulate(new long[] {1}, to, (long) all.size() * CELLS + all.rank(), Op.SUM);
            window.flush(to);
            window.get(in, to, (long) all.rank() * CELLS);
            window.flush(to);
        }
    }

    /** Reaches the end of a part of three gibibytes, of which hardly a page exists. */
    static final class Large {
        private static final long CELLS = (3L << 30) / 8 + 1;

        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                Window window = all.allocateWindow(8 * CELLS, 8);
                int right = (all.rank() + 1) % all.size();
                long[] value = {all.rank() + 1};
                window.fence();
                window.put(value, right, CELLS - 1);
                window.accumulate(value, right, CELLS - 2, Op.SUM);
                window.fence();
                window.get(value, right, CELLS - 1);
                window.fence();
                check(value[0] == all.rank() + 1, "put far away");
                check(window.memory().get(ValueLayout.JAVA_LONG, 8 * CELLS - 16)
                        == (all.rank() + all.size() - 1) % all.size() + 1, "accumulate far away");
                window.free();
            }
        }
    }

    /** Allocates more and more until there is no room. */
    static final class Greedy {
        public static void main(String[] args) {
            try (World world = World.join()) {
                for (int i = 0; i < 1000; i++) {
                    world.allocate(1 << 20).set(ValueLayout.JAVA_LONG, 0, i);
                }
            }
        }
    }
}
