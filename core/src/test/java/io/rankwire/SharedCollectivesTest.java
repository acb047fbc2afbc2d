package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.collective.Cost;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Operator;
import io.rankwire.runtime.collective.Algorithm;
import io.rankwire.runtime.collective.Collective;
import io.rankwire.runtime.collective.Runner;
import io.rankwire.runtime.collective.Shape.Kind;
import io.rankwire.runtime.collective.Shape;
import io.rankwire.type.ElementType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Collectives through shared memory: any order of calls, sizes and roots, with messages between them. */
@Timeout(300)
class SharedCollectivesTest {
    private static final String SHARED = "shared memory";
    private static final int CALLS = 400;
    /** Products of 2 × 2 matrices of ints: not commutative. */
    private static final Op MATRICES = Op.of("matrices", false, 4, (left, l, right, r, target, t, count) -> {
        int[] a = (int[]) left;
        int[] b = (int[]) right;
        for (int i = 0; i < count; i += 4) {
            int[] product = product(Arrays.copyOfRange(a, l + i, l + i + 4), Arrays.copyOfRange(b, r + i, r + i + 4));
            System.arraycopy(product, 0, (int[]) target, t + i, 4);
        }
    });

    private static int[] product(int[] a, int[] b) {
        return new int[] {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
            a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
    }

    private static int[] given(int rank, int call, int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = (rank + 1) * 31 + call * 7 + i;
        }
        return values;
    }

    /** The contributions of the first ranks, combined in their order. */
    private static int[] combined(Op op, int ranks, int call, int count) {
        int[] result = given(0, call, count);
        for (int rank = 1; rank < ranks; rank++) {
            int[] next = given(rank, call, count);
            for (int i = 0; i < count; i += 4) {
                if (op == MATRICES) {
                    int[] both = product(Arrays.copyOfRange(result, i, i + 4), Arrays.copyOfRange(next, i, i + 4));
                    System.arraycopy(both, 0, result, i, 4);
                } else {
                    for (int k = i; k < i + 4; k++) {
                        result[k] += next[k];
                    }
                }
            }
        }
        return result;
    }

    @Test
    void shouldGiveWhatASerialProgramGivesWhateverTheOrderOfCalls() {
        for (int ranks : new int[] {2, 3, 4, 5, 8, 9}) {
            long seed = 1000 + ranks;
            Worlds.run(ranks, world -> {
                Random random = new Random(seed);
                Random pauses = new Random(seed * 31 + world.communicator().rank());
                Communicator part = world.communicator().duplicate();
                for (int i = 0; i < CALLS; i++) {
                    Communicator on = random.nextInt(4) == 0 ? part : world.communicator();
                    if (i % 100 == 99) {
                        part.free();
                        part = world.communicator().duplicate();
                        on = part;
                    }
                    if (pauses.nextInt(50) == 0) {
                        Thread.sleep(1);
                    }
                    call(on, random, i, "seed " + seed + ", call " + i + " on " + on.name());
                }
            });
        }
    }

    private static void call(Communicator all, Random random, int call, String about) {
        int rank = all.rank();
        int size = all.size();
        int[] counts = {4, 12, 16, 256, 2048, 16384, 20000};
        int count = counts[random.nextInt(random.nextInt(4) == 0 ? counts.length : 4)];
        int root = random.nextInt(size);
        Op op = random.nextBoolean() ? Op.SUM : MATRICES;
        boolean inPlace = random.nextInt(4) == 0;
        boolean later = random.nextInt(8) == 0;
        int[] in = given(rank, call, count);
        int[] out = inPlace ? in.clone() : new int[count];
        Object from = inPlace ? Communicator.IN_PLACE : in;
        switch (random.nextInt(9)) {
            case 0 -> all.barrier();
            case 1 -> {
                int[] buffer = rank == root ? in : new int[count];
                if (later) {
                    all.ibroadcast(buffer, root).await();
                } else {
                    all.broadcast(buffer, root);
                }
                assertArrayEquals(given(root, call, count), buffer, about);
            }
            case 2 -> {
                if (later) {
                    all.iallreduce(from, out, op).await();
                } else {
                    all.allreduce(from, out, op);
                }
                assertArrayEquals(combined(op, size, call, count), out, about);
            }
            case 3 -> {
                all.reduce(rank == root ? from : in, rank == root ? out : null, op, root);
                if (rank == root) {
                    assertArrayEquals(combined(op, size, call, count), out, about);
                }
            }
            case 4 -> {
                all.scan(from, out, op);
                assertArrayEquals(combined(op, rank + 1, call, count), out, about);
            }
            case 5 -> {
                int[] blocks = new int[count * size];
                all.allgather(in, blocks);
                assertArrayEquals(gathered(size, call, count), blocks, about);
            }
            case 6 -> {
                int[] blocks = new int[count * size];
                all.gather(in, rank == root ? blocks : null, root);
                assertArrayEquals(rank == root ? gathered(size, call, count) : new int[count * size], blocks, about);
            }
            case 7 -> {
                int[] block = new int[count];
                all.scatter(rank == root ? gathered(size, call, count) : null, block, root);
                assertArrayEquals(in, block, about);
            }
            default -> {
                int[] blocks = new int[count * size];
                int[] mine = new int[count * size];
                for (int to = 0; to < size; to++) {
                    System.arraycopy(given(rank + to, call, count), 0, mine, to * count, count);
                }
                all.alltoall(mine, blocks);
                for (int r = 0; r < size; r++) {
                    assertArrayEquals(given(r + rank, call, count),
                            Arrays.copyOfRange(blocks, r * count, (r + 1) * count), about);
                }
            }
        }
    }

    private static int[] gathered(int size, int call, int count) {
        int[] blocks = new int[count * size];
        for (int rank = 0; rank < size; rank++) {
            System.arraycopy(given(rank, call, count), 0, blocks, rank * count, count);
        }
        return blocks;
    }

    @Test
    void shouldNotLetARootRunAheadOfASlowRank() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            for (int i = 0; i < 60; i++) {
                if (all.rank() == 2 && i % 10 == 3) {
                    Thread.sleep(5);
                }
                int[] small = {all.rank() == 0 ? i : -1};
                all.broadcast(small, 0);
                assertEquals(i, small[0]);
                byte[] wide = new byte[10_000];
                Arrays.fill(wide, (byte) (all.rank() == 0 ? i : -1));
                all.broadcast(wide, 0);
                assertEquals(i, wide[0]);
                assertEquals(i, wide[wide.length - 1]);
            }
        });
    }

    @Test
    void shouldTakeMessagesInWhileItWaits() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            byte[] large = new byte[1 << 20];
            if (all.rank() == 0) {
                all.send(large, 1, 5);
                all.barrier();
            } else {
                Request received = all.irecv(large, 0, 5);
                all.barrier();
                received.await();
            }
        });
    }

    @Test
    void shouldMakeSmallCallsThatWaitWithoutMessages() {
        Worlds.assumeOneHost();
        Worlds.run(3, world -> {
            Endpoint on = world.communicator().endpoint();
            Runner runner = on.collectives();
            double[] in = new double[12];
            double[] out = new double[12];
            for (Kind kind : EnumSet.range(Kind.BARRIER, Kind.EXSCAN)) {
                if (kind.name().endsWith("V") || kind == Kind.REDUCE_SCATTER) {
                    continue;
                }
                Collective call = runner.bind(kind, in, 0, out, 0, 4, Op.operator(Op.SUM), 0, false);
                runner.run(call);
                assertFalse(call.hasProgram(), call.call);
                assertSame(call, runner.bind(kind, in, 0, out, 0, 4, Op.operator(Op.SUM), 0, false));
                new Request(on, call, runner.start(call)).await();
                assertTrue(call.hasProgram(), call.call);
            }
        });
    }

    @Test
    void shouldServeCallsOfEverySizeWhereMessagesAreNotFaster() {
        for (Cost cost : new Cost[] {Cost.NEAR, Cost.CROWDED}) {
            for (int size : new int[] {2, 8}) {
                assertEquals(SHARED, best(Kind.ALLREDUCE, 8, size, cost));
            }
            assertEquals(SHARED, best(Kind.ALLREDUCE, 1 << 20, 2, cost));
            assertEquals(SHARED, best(Kind.ALLREDUCE, 1 << 20, 3, cost));
            assertEquals("recursive doubling", best(Kind.ALLREDUCE, 8, 1, cost));
        }
        assertEquals("recursive doubling", best(Kind.ALLREDUCE, 8, 64, Cost.NEAR),
                "a tree is faster when every rank has a core");
    }

    private static String best(Kind kind, long bytes, int size, Cost cost) {
        Operator op = kind == Kind.ALLREDUCE ? Op.operator(Op.SUM) : null;
        Shape.Team team = new Shape.Team(0, size, 0, true, true, null, null);
        Shape shape = new Shape(kind, 0, bytes, ElementType.DOUBLE, op, false, team, null);
        return Algorithm.Choice.of(shape, cost, Algorithm.LIST).best().name();
    }
}
