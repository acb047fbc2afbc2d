package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rankwire.runtime.CallName;
import io.rankwire.runtime.collective.Shape.Kind;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** User-defined operations that throw: their call fails with the cause, and later calls work. */
@Timeout(300)
final class ThrowingOperationTest {
    private static final IllegalStateException THROWN = new IllegalStateException("cannot add these");
    /** Sizes for shared lines, shared memory, pieces, and messages of several frames. */
    private static final int[] COUNTS = {2, 300, 4_000, 50_000};

    private static Op sum(boolean throwing, boolean commutes, int group) {
        return Op.of("my sum", commutes, group, (left, l, right, r, target, t, count) -> {
            if (throwing) {
                throw THROWN;
            }
            for (int i = 0; i < count; i++) {
                ((int[]) target)[t + i] = ((int[]) left)[l + i] + ((int[]) right)[r + i];
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void shouldFailTheCallAndNotTheNext(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            for (int count : COUNTS) {
                for (Kind kind : new Kind[] {Kind.ALLREDUCE, Kind.REDUCE,
                    Kind.SCAN, Kind.REDUCE_SCATTER_BLOCK}) {
                    for (CallName.Form form : CallName.Form.values()) {
                        for (int who = -1; who < ranks; who++) {
                            check(all, kind, form, count, who);
                        }
                    }
                }
            }
        });
    }

    /** The operation throws on one rank, or with -1 on all. */
    private static void check(Communicator all, Kind kind, CallName.Form form, int count, int who) {
        boolean throwing = who < 0 || who == all.rank();
        boolean commutes = count % 3 != 0;
        Op op = sum(throwing, commutes, count == 300 ? 2 : 1);
        String about = kind + " " + form + " of " + count + " at " + who;
        RankwireException failure = make(all, kind, form, count, op, about);
        if (failure != null) {
            Worlds.assertHolds(failure.getMessage(), "rank " + all.rank() + ": ", kind.call, " of " + count, "my sum",
                    "ThrowingOperationTest.java:");
            assertEquals(ErrorClass.COLLECTIVE, failure.errorClass());
            assertSame(throwing && failure.getCause() != null ? THROWN : null, failure.getCause(), about);
        }
        int[] failed = new int[all.size()];
        all.allgather(new int[] {failure != null ? 1 : 0}, failed);
        if (who < 0) {
            assertEquals(1, Arrays.stream(failed).max().orElse(0), about);
        }
        for (CallName.Form again : CallName.Form.values()) {
            RankwireException none = make(all, kind, again, count, sum(false, commutes, 1), about);
            if (none != null) {
                throw none;
            }
        }
    }

    private static RankwireException make(Communicator all, Kind kind, CallName.Form form, int count, Op op,
            String about) {
        boolean blocks = kind == Kind.REDUCE_SCATTER_BLOCK;
        int[] in = new int[blocks ? count * all.size() : count];
        Arrays.fill(in, 1);
        int[] out = new int[count];
        try {
            Request request = switch (form) {
                case BLOCKING -> {
                    switch (kind) {
                        case ALLREDUCE -> all.allreduce(in, out, op);
                        case REDUCE -> all.reduce(in, out, op, 0);
                        case SCAN -> all.scan(in, out, op);
                        default -> all.reduceScatterBlock(in, out, op);
                    }
                    yield null;
                }
                case NONBLOCKING -> switch (kind) {
                    case ALLREDUCE -> all.iallreduce(in, out, op);
                    case REDUCE -> all.ireduce(in, out, op, 0);
                    case SCAN -> all.iscan(in, out, op);
                    default -> all.ireduceScatterBlock(in, out, op);
                };
                case PERSISTENT -> switch (kind) {
                    case ALLREDUCE -> all.allreduceInit(in, 0, out, 0, count, op);
                    case REDUCE -> all.reduceInit(in, 0, out, 0, count, op, 0);
                    case SCAN -> all.scanInit(in, 0, out, 0, count, op);
                    default -> all.reduceScatterBlockInit(in, 0, out, 0, count, op);
                };
            };
            if (form == CallName.Form.PERSISTENT) {
                request.start();
            }
            if (request != null) {
                request.await();
            }
        } catch (RankwireException e) {
            assertNotNull(e.getMessage());
            return e;
        }
        int expected = switch (kind) {
            case REDUCE -> all.rank() == 0 ? all.size() : 0;
            case SCAN -> all.rank() + 1;
            default -> all.size();
        };
        int[] right = new int[count];
        Arrays.fill(right, expected);
        assertArrayEquals(right, out, about);
        return null;
    }

    @Test
    void shouldReachThoseWhoAwaitAWorkProgram() {
        Worlds.run(1, world -> {
            Work work = world.communicator().work();
            work.queue().combine(Op.ofLongs("mine", true, (a, b) -> {
                throw THROWN;
            }), work.buffer(new long[1]), work.buffer(new long[1]));
            Request request = work.start(1);
            assertSame(THROWN, assertThrows(RankwireException.class, request::await).getCause());
            assertSame(THROWN, assertThrows(RankwireException.class, work.start(1)::await).getCause());
        });
    }

    /** Other ranks cannot complete either and name the rank of the operation; so does the job if no rank catches it. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldNameTheRankWhoseOperationThrew(int ranks) {
        for (int count : COUNTS) {
            RankwireException failure = assertThrows(RankwireException.class,
                    () -> World.run(ranks, world -> {
                        Communicator all = world.communicator();
                        all.iallreduce(new int[count], new int[count], sum(all.rank() == 1, true, 1)).await();
                        all.barrier();
                    }));
            Worlds.assertHolds(failure.getMessage(), "rank ", "iallreduce of " + count + " × int, my sum, on world at",
                    "the operation my sum ");
        }
    }
}
