package io.rankwire.tools;

import io.rankwire.Checkpoint;
import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.Window;
import io.rankwire.World;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/** Programs of some seconds whose ranks are killed at any moment, and whose answers are known. */
final class KilledPrograms {
    private static final int STEPS = 45;
    private static final long PAUSE_NS = 8_000_000;
    /** What fewer ranks divide anew. */
    private static final int ITEMS = 24;

    private KilledPrograms() {}

    static String name(String program) {
        return KilledPrograms.class.getName() + "$" + program;
    }

    private static long mix(long a, long b) {
        long x = (a ^ Long.rotateLeft(b, 31)) * 0x9E3779B97F4A7C15L;
        return x ^ x >>> 29;
    }

    private static void rethrowUnlessDeath(RankwireException e) {
        if (e.errorClass() != ErrorClass.PEER && e.errorClass() != ErrorClass.REVOKED) {
            throw e;
        }
    }

    /** Each rank has a number of its own; steps are calls of several kinds; dead ranks are replaced. */
    static final class Replacing {
        /** The numbers of all ranks at the end. */
        static long[] answer(int size, long seed) {
            long[] numbers = new long[size];
            Arrays.setAll(numbers, rank -> mix(seed, rank));
            for (int step = 0; step < STEPS; step++) {
                long[] next = new long[size];
                for (int rank = 0; rank < size; rank++) {
                    long other = switch (kind(seed, step)) {
                        case 0, 4 -> Arrays.stream(numbers).sum();
                        case 1, 3 -> numbers[(rank + 1) % size];
                        case 2 -> mix(numbers[(rank + 2) % size], rank);
                        default -> numbers[step % size];
                    };
                    next[rank] = mix(numbers[rank], other);
                }
                numbers = next;
            }
            return numbers;
        }

        private static int kind(long seed, int step) {
            return (int) Long.remainderUnsigned(mix(seed, step) >>> 5, 6);
        }

        /** Arguments: the seed, how many partners, and a directory or nothing. */
        public static void main(String[] args) {
            long seed = Long.parseLong(args[0]);
            World world = World.join();
            Communicator all = world.communicator();
            Checkpoint safe = safe(all, args);
            long[] number = {mix(seed, all.rank())};
            int[] step = new int[1];
            boolean restores = world.isReplacement();
            while (true) {
                try {
                    if (restores && !restored(safe, number, step)) {
                        number[0] = mix(seed, all.rank());
                        step[0] = 0;
                        safe = safe(all, args);
                    }
                    run(all, safe, seed, number, step);
                    if (all.agree(1) == 1) {
                        break;
                    }
                } catch (RankwireException e) {
                    rethrowUnlessDeath(e);
                }
                all.revoke();
                all = all.replace();
                safe = safe.moveTo(all);
                restores = true;
            }
            System.out.println("rank " + all.rank() + " has " + number[0]);
            world.close();
        }

        private static Checkpoint safe(Communicator all, String... args) {
            Checkpoint safe = Checkpoint.on(all).partners(Integer.parseInt(args[1]));
            return args.length > 2 ? safe.directory(Path.of(args[2])) : safe;
        }

        /** False, at all members, if there is nothing to restore. */
        private static boolean restored(Checkpoint safe, Object... state) {
            try {
                return safe.restore("state", state) > 0;
            } catch (RankwireException e) {
                if (e.errorClass() != ErrorClass.RESOURCE || !e.getMessage().contains("is lost")) {
                    throw e;
                }
                return false;
            }
        }

        private static void run(Communicator all, Checkpoint safe, long seed, long[] number, int... step) {
            while (step[0] < STEPS) {
                LockSupport.parkNanos(PAUSE_NS);
                number[0] = mix(number[0], other(all, kind(seed, step[0]), step[0], number[0]));
                step[0]++;
                if (step[0] % 3 == 0) {
                    safe.save("state", number, step);
                }
            }
        }

        private static long other(Communicator all, int kind, int step, long number) {
            int size = all.size();
            int rank = all.rank();
            long[] give = {number};
            long[] got = new long[1];
            switch (kind) {
                case 0 -> all.allreduce(give, got, Op.SUM);
                case 1 -> all.sendReceive(give, (rank + size - 1) % size, step, got, (rank + 1) % size, step);
                case 2 -> {
                    long[] table = new long[size];
                    long[] came = new long[size];
                    Arrays.setAll(table, to -> mix(number, to));
                    all.alltoall(table, came);
                    got[0] = came[(rank + 2) % size];
                }
                case 3 -> {
                    Window window = all.allocateWindow(8, 8);
                    window.fence();
                    window.put(give, (rank + size - 1) % size, 0);
                    window.fence();
                    got[0] = window.memory().get(ValueLayout.JAVA_LONG, 0);
                    window.free();
                }
                case 4 -> {
                    Communicator twin = all.duplicate();
                    Request request = twin.iallreduce(give, got, Op.SUM);
                    request.await();
                    twin.free();
                }
                default -> {
                    got[0] = number;
                    all.broadcast(got, step % size);
                }
            }
            return got[0];
        }
    }

    /** All ranks have the same number, to which each adds a part in each step; the others go on without the dead. */
    static final class Shrinking {
        static long answer(long seed) {
            long number = seed;
            for (int step = 0; step < STEPS; step++) {
                long sum = 0;
                for (int item = 0; item < ITEMS; item++) {
                    sum += mix(number, item);
                }
                number = mix(number, sum);
            }
            return number;
        }

        public static void main(String[] args) {
            World world = World.join();
            Communicator all = world.communicator();
            long[] numbers = new long[STEPS + 1];
            numbers[0] = Long.parseLong(args[0]);
            int[] step = new int[1];
            while (true) {
                try {
                    run(all, numbers, step);
                    if (all.agree(1) == 1) {
                        break;
                    }
                } catch (RankwireException e) {
                    rethrowUnlessDeath(e);
                }
                all.revoke();
                all = all.shrink();
            }
            System.out.println("rank " + all.rank() + " has " + numbers[STEPS]);
            world.close();
        }

        private static void run(Communicator all, long[] numbers, int... step) {
            // Some may have ended a step in which others had an error.
            int[] least = new int[1];
            all.allreduce(step, least, Op.MIN);
            step[0] = least[0];
            while (step[0] < STEPS) {
                LockSupport.parkNanos(PAUSE_NS);
                long number = numbers[step[0]];
                long[] mine = new long[1];
                long[] sum = new long[1];
                for (int item = all.rank(); item < ITEMS; item += all.size()) {
                    mine[0] += mix(number, item);
                }
                all.allreduce(mine, sum, Op.SUM);
                numbers[++step[0]] = mix(number, sum[0]);
            }
        }
    }
}
