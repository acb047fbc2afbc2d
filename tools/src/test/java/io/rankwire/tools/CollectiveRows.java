package io.rankwire.tools;

import static io.rankwire.tools.MatrixRow.expect;

import io.rankwire.Communicator;
import io.rankwire.Datatype;
import io.rankwire.Intercommunicator;
import io.rankwire.Op;
import io.rankwire.Request;
import io.rankwire.TopologyCommunicator;
import io.rankwire.tools.MatrixRow.Call;
import io.rankwire.tools.MatrixRow.Promise;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Collective calls of all kinds: blocking, non-blocking and persistent, plain and with datatypes, in one group, between
 * two groups and with neighbours. The three forms of a call have the same arguments, so one description makes its rows.
 */
final class CollectiveRows {
    /** Two numbers with a gap between them. */
    private static final Datatype PAIR = Datatype.vector(2, 1, 2, Datatype.INT);
    private static final int PAIR_INTS = 3;
    private static final int LONG = 20_000;

    private CollectiveRows() {}

    /** The arguments of a call, what to write before it and what to check afterwards. */
    private record Args(IntConsumer fill, IntConsumer check, Object... list) {}

    /** Describes a call for a rank, with blocks of that number of elements or pairs. */
    private interface Kind {
        Args of(MatrixCast cast, boolean typed, int count);
    }

    /** Numbers in blocks, of elements or of pairs. */
    private static final class Blocks {
        final int[] counts;
        final int[] offsets;
        final int[] memory;
        private final boolean typed;

        Blocks(boolean typed, int... counts) {
            this.typed = typed;
            this.counts = counts;
            this.offsets = new int[counts.length];
            for (int i = 1; i < counts.length; i++) {
                offsets[i] = offsets[i - 1] + counts[i - 1];
            }
            this.memory = new int[IntStream.of(counts).sum() * (typed ? PAIR_INTS : 1)];
        }

        static Blocks alike(boolean typed, int blocks, int count) {
            int[] counts = new int[blocks];
            Arrays.fill(counts, count);
            return new Blocks(typed, counts);
        }

        void clear() {
            Arrays.fill(memory, -1);
        }

        void put(int block, int value) {
            for (int i = offsets[block]; i < offsets[block] + counts[block]; i++) {
                if (typed) {
                    memory[PAIR_INTS * i] = value;
                    memory[PAIR_INTS * i + 2] = value;
                } else {
                    memory[i] = value;
                }
            }
        }

        void check(int block, int value) {
            for (int i = offsets[block]; i < offsets[block] + counts[block]; i++) {
                expect("block " + block, value, memory[typed ? PAIR_INTS * i : i]);
                expect("block " + block, value, memory[typed ? PAIR_INTS * i + 2 : i]);
            }
        }

        /** Offsets in bytes. */
        long[] bytes() {
            return IntStream.of(offsets).mapToLong(each -> 4L * each * (typed ? PAIR_INTS : 1)).toArray();
        }

        Datatype[] types() {
            Datatype[] all = new Datatype[counts.length];
            Arrays.fill(all, typed ? PAIR : Datatype.INT);
            return all;
        }
    }

    static void addTo(List<MatrixRow> rows) {
        Function<MatrixStage, MatrixCast> group = MatrixCast::group;
        Function<MatrixStage, MatrixCast> groups = MatrixCast::twoGroups;
        barrier(rows, Communicator.class, "", group);
        barrier(rows, Intercommunicator.class, " between groups", groups);
        for (String name : List.of("broadcast", "gather", "scatter", "allgather", "alltoall", "reduce", "allreduce",
                "reduceScatterBlock", "reduceScatter", "gatherv", "scatterv", "allgatherv", "alltoallv")) {
            Kind kind = kind(name);
            all(rows, name, kind, Communicator.class, "", group);
            all(rows, name, kind, Intercommunicator.class, " between groups", groups);
            forms(rows, name, kind, Communicator.class, " of long blocks", group, false, LONG);
        }
        all(rows, "scan", kind("scan"), Communicator.class, "", group);
        all(rows, "exscan", kind("exscan"), Communicator.class, "", group);
        forms(rows, "alltoallw", kind("alltoallw"), Communicator.class, " typed", group, true, 1);
        forms(rows, "alltoallw", kind("alltoallw"), Intercommunicator.class, " typed between groups", groups, true, 1);
        for (String name : List.of("allgather", "alltoall", "allgatherv", "alltoallv")) {
            String neighbour = "neighbour" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
            all(rows, neighbour, kind(name), TopologyCommunicator.class, "", MatrixCast::neighbours);
        }
        forms(rows, "neighbourAlltoallw", kind("alltoallw"), TopologyCommunicator.class, " typed",
                MatrixCast::neighbours, true, 1);
    }

    private static void barrier(List<MatrixRow> rows, Class<?> type, String where,
            Function<MatrixStage, MatrixCast> casting) {
        forms(rows, "barrier", (cast, typed, count) -> new Args(round -> { }, round -> { }), type, where, casting,
                false, 0);
    }

    private static void all(List<MatrixRow> rows, String name, Kind kind, Class<?> type, String where,
            Function<MatrixStage, MatrixCast> casting) {
        forms(rows, name, kind, type, where, casting, false, 3);
        forms(rows, name, kind, type, " typed" + where, casting, true, 1);
    }

    /** The three forms of a call. */
    private static void forms(List<MatrixRow> rows, String name, Kind kind, Class<?> type, String where,
            Function<MatrixStage, MatrixCast> casting, boolean typed, int count) {
        Object[] example = kind.of(new MatrixCast(type, 0, 0, 2,
                new int[] {0, 1}, new int[] {0, 1}, 0, true, true), typed, 1).list;
        Method blocking = method(type, name, example);
        Method started = method(type, "i" + name, example);
        Method persistent = method(type, name + "Init", example);
        rows.add(new MatrixRow(name + where, Promise.PEER, stage -> {
            MatrixCast cast = casting.apply(stage);
            Args args = kind.of(cast, typed, count);
            return round(args, () -> invoke(blocking, cast.on(), args.list));
        }, List.of(blocking)));
        rows.add(new MatrixRow("i" + name + where, Promise.PEER, stage -> {
            MatrixCast cast = casting.apply(stage);
            Args args = kind.of(cast, typed, count);
            return round(args, () -> ((Request) invoke(started, cast.on(), args.list)).await());
        }, List.of(started)));
        rows.add(new MatrixRow(name + "Init" + where, Promise.PEER, stage -> {
            MatrixCast cast = casting.apply(stage);
            Args args = kind.of(cast, typed, count);
            Request request = (Request) invoke(persistent, cast.on(), args.list);
            return round(args, () -> {
                request.start();
                request.await();
            });
        }, List.of(persistent)));
    }

    private interface Part {
        void run() throws Exception;
    }

    private static Call round(Args args, Part call) {
        return round -> {
            args.fill.accept(round);
            call.run();
            args.check.accept(round);
        };
    }

    private static Object invoke(Method method, Object on, Object... args) throws Exception {
        try {
            return method.invoke(on, args);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** The method that takes these arguments. */
    private static Method method(Class<?> type, String name, Object... args) {
        List<Method> found = Arrays.stream(type.getMethods())
                .filter(each -> each.getName().equals(name) && !each.isBridge()
                        && takes(each.getParameterTypes(), args)).toList();
        if (found.size() != 1) {
            throw new IllegalStateException(type + "." + name + ": " + found);
        }
        return found.getFirst();
    }

    private static boolean takes(Class<?>[] parameters, Object... args) {
        boolean same = parameters.length == args.length;
        for (int i = 0; same && i < args.length; i++) {
            Class<?> given = args[i].getClass();
            same = parameters[i] == Object.class ? given == int[].class
                    : parameters[i] == int.class ? given == Integer.class
                    : parameters[i] == long.class ? given == Long.class : parameters[i].isAssignableFrom(given);
        }
        return same;
    }

    private static Kind kind(String name) {
        return switch (name) {
            case "broadcast" -> CollectiveRows::broadcast;
            case "gather" -> (cast, typed, count) -> gather(cast, typed, count, false);
            case "gatherv" -> (cast, typed, count) -> gather(cast, typed, count, true);
            case "scatter" -> (cast, typed, count) -> scatter(cast, typed, count, false);
            case "scatterv" -> (cast, typed, count) -> scatter(cast, typed, count, true);
            case "allgather" -> (cast, typed, count) -> allgather(cast, typed, count, false);
            case "allgatherv" -> (cast, typed, count) -> allgather(cast, typed, count, true);
            case "alltoall" -> CollectiveRows::alltoall;
            case "alltoallv" -> CollectiveRows::alltoallv;
            case "alltoallw" -> CollectiveRows::alltoallw;
            case "reduce" -> CollectiveRows::reduce;
            case "allreduce" -> (cast, typed, count) -> reduced(cast, typed, count, Integer.MAX_VALUE);
            case "scan" -> (cast, typed, count) -> reduced(cast, typed, count, cast.me());
            case "exscan" -> (cast, typed, count) -> reduced(cast, typed, count, cast.me() - 1);
            case "reduceScatterBlock" -> CollectiveRows::reduceScatterBlock;
            case "reduceScatter" -> CollectiveRows::reduceScatter;
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Args broadcast(MatrixCast cast, boolean typed, int count) {
        Blocks buffer = Blocks.alike(typed, 1, count);
        IntConsumer fill = round -> buffer.put(0, cast.isRoot() ? cast.given(round) : -1);
        int root = cast.isBetweenGroups() ? 1 : cast.root();
        IntConsumer check = round -> {
            if (cast.takesPart() && !cast.isRoot()) {
                buffer.check(0, cast.givenBy(round, root));
            }
        };
        return typed ? new Args(fill, check, buffer.memory, 0L, (long) count, PAIR, cast.root())
                : new Args(fill, check, buffer.memory, 0, count, cast.root());
    }

    /** How many elements a rank gives, or gets, where that differs. */
    private static int[] counts(int[] ranks, int count, boolean differs) {
        return IntStream.of(ranks).map(each -> count + (differs ? each % 3 : 0)).toArray();
    }

    private static Args gather(MatrixCast cast, boolean typed, int count, boolean differs) {
        int mine = counts(new int[] {cast.me()}, count, differs)[0];
        Blocks in = Blocks.alike(typed, 1, mine);
        Blocks out = new Blocks(typed, counts(cast.sources(), count, differs));
        IntConsumer fill = round -> {
            in.put(0, cast.given(round));
            out.clear();
        };
        IntConsumer check = round -> {
            for (int i = 0; cast.isRoot() && i < cast.sources().length; i++) {
                out.check(i, cast.givenBy(round, cast.sources()[i]));
            }
        };
        if (differs) {
            return typed ? new Args(fill, check, in.memory, 0L, (long) mine, PAIR, out.memory, 0L, out.counts,
                    out.offsets, PAIR, cast.root())
                    : new Args(fill, check, in.memory, 0, mine, out.memory, out.counts, out.offsets, cast.root());
        }
        return typed ? new Args(fill, check, in.memory, 0L, (long) mine, PAIR, out.memory, 0L, (long) mine, PAIR,
                cast.root()) : new Args(fill, check, in.memory, 0, out.memory, 0, mine, cast.root());
    }

    private static Args scatter(MatrixCast cast, boolean typed, int count, boolean differs) {
        int mine = counts(new int[] {cast.me()}, count, differs)[0];
        Blocks in = new Blocks(typed, counts(cast.dests(), count, differs));
        Blocks out = Blocks.alike(typed, 1, mine);
        int root = cast.isBetweenGroups() ? 1 : cast.root();
        IntConsumer fill = round -> {
            for (int i = 0; i < cast.dests().length; i++) {
                in.put(i, 7 * cast.given(round) + cast.dests()[i]);
            }
            out.clear();
        };
        IntConsumer check = round -> {
            if (cast.takesPart() && !(cast.isBetweenGroups() && cast.isRoot())) {
                out.check(0, 7 * cast.givenBy(round, root) + cast.me());
            }
        };
        if (differs) {
            return typed ? new Args(fill, check, in.memory, 0L, in.counts, in.offsets, PAIR, out.memory, 0L,
                    (long) mine, PAIR, cast.root())
                    : new Args(fill, check, in.memory, in.counts, in.offsets, out.memory, 0, mine, cast.root());
        }
        return typed ? new Args(fill, check, in.memory, 0L, (long) mine, PAIR, out.memory, 0L, (long) mine, PAIR,
                cast.root()) : new Args(fill, check, in.memory, 0, out.memory, 0, mine, cast.root());
    }

    private static Args allgather(MatrixCast cast, boolean typed, int count, boolean differs) {
        int mine = counts(new int[] {cast.me()}, count, differs)[0];
        Blocks in = Blocks.alike(typed, 1, mine);
        Blocks out = new Blocks(typed, counts(cast.sources(), count, differs));
        IntConsumer fill = round -> {
            in.put(0, cast.given(round));
            out.clear();
        };
        IntConsumer check = round -> {
            for (int i = 0; i < cast.sources().length; i++) {
                out.check(i, cast.givenBy(round, cast.sources()[i]));
            }
        };
        if (differs) {
            return typed ? new Args(fill, check, in.memory, 0L, (long) mine, PAIR, out.memory, 0L, out.counts,
                    out.offsets, PAIR)
                    : new Args(fill, check, in.memory, 0, mine, out.memory, out.counts, out.offsets);
        }
        return typed ? new Args(fill, check, in.memory, 0L, (long) mine, PAIR, out.memory, 0L, (long) mine, PAIR)
                : cast.isBetweenGroups() ? new Args(fill, check, in.memory, 0, mine, out.memory, 0, mine)
                : new Args(fill, check, in.memory, 0, out.memory, 0, mine);
    }

    private record Swap(Blocks in, Blocks out, IntConsumer fill, IntConsumer check) {
        static Swap of(MatrixCast cast, boolean typed, int count, boolean differs) {
            Blocks in = new Blocks(typed, IntStream.of(cast.dests())
                    .map(each -> count + (differs ? (cast.me() + each) % 3 : 0)).toArray());
            Blocks out = new Blocks(typed, IntStream.of(cast.sources())
                    .map(each -> count + (differs ? (cast.me() + each) % 3 : 0)).toArray());
            return new Swap(in, out, round -> {
                for (int i = 0; i < cast.dests().length; i++) {
                    in.put(i, 7 * cast.given(round) + cast.dests()[i]);
                }
                out.clear();
            }, round -> {
                for (int i = 0; i < cast.sources().length; i++) {
                    out.check(i, 7 * cast.givenBy(round, cast.sources()[i]) + cast.me());
                }
            });
        }
    }

    private static Args alltoall(MatrixCast cast, boolean typed, int count) {
        Swap swap = Swap.of(cast, typed, count, false);
        if (typed) {
            return new Args(swap.fill, swap.check, swap.in.memory, 0L, (long) count, PAIR, swap.out.memory, 0L,
                    (long) count, PAIR);
        }
        return cast.isBetweenGroups()
                ? new Args(swap.fill, swap.check, swap.in.memory, 0, count, swap.out.memory, 0, count)
                : new Args(swap.fill, swap.check, swap.in.memory, 0, swap.out.memory, 0, count);
    }

    private static Args alltoallv(MatrixCast cast, boolean typed, int count) {
        Swap swap = Swap.of(cast, typed, count, true);
        Blocks in = swap.in;
        Blocks out = swap.out;
        return typed ? new Args(swap.fill, swap.check, in.memory, 0L, in.counts, in.offsets, PAIR, out.memory, 0L,
                out.counts, out.offsets, PAIR)
                : new Args(swap.fill, swap.check, in.memory, in.counts, in.offsets, out.memory, out.counts,
                        out.offsets);
    }

    private static Args alltoallw(MatrixCast cast, boolean typed, int count) {
        Swap swap = Swap.of(cast, typed, count, true);
        Blocks in = swap.in;
        Blocks out = swap.out;
        return new Args(swap.fill, swap.check, in.memory, in.counts, in.bytes(), in.types(), out.memory, out.counts,
                out.bytes(), out.types());
    }

    private static Args reduce(MatrixCast cast, boolean typed, int count) {
        Blocks in = Blocks.alike(typed, 1, count);
        Blocks out = Blocks.alike(typed, 1, count);
        IntConsumer fill = round -> {
            in.put(0, cast.given(round));
            out.clear();
        };
        IntConsumer check = round -> {
            if (cast.isRoot()) {
                out.check(0, cast.sum(round));
            }
        };
        return typed ? new Args(fill, check, in.memory, 0L, (long) count, PAIR, out.memory, 0L, (long) count, PAIR,
                Op.SUM, cast.root()) : new Args(fill, check, in.memory, 0, out.memory, 0, count, Op.SUM, cast.root());
    }

    /** The sum of what the ranks up to one have given. */
    private static Args reduced(MatrixCast cast, boolean typed, int count, int most) {
        Blocks in = Blocks.alike(typed, 1, count);
        Blocks out = Blocks.alike(typed, 1, count);
        IntConsumer fill = round -> {
            in.put(0, cast.given(round));
            out.clear();
        };
        IntConsumer check = round -> {
            if (most >= 0) {
                out.check(0, cast.sum(round, most));
            }
        };
        return typed ? new Args(fill, check, in.memory, 0L, (long) count, PAIR, out.memory, 0L, (long) count, PAIR,
                Op.SUM) : new Args(fill, check, in.memory, 0, out.memory, 0, count, Op.SUM);
    }

    /** Both groups of an intercommunicator give as many blocks in all. */
    private record Scattered(Blocks in, Blocks out, IntConsumer fill, IntConsumer check) {
        static Scattered of(MatrixCast cast, boolean typed, int count) {
            int each = cast.isBetweenGroups() ? count * cast.sources().length : count;
            Blocks in = Blocks.alike(typed, cast.local(), each);
            Blocks out = Blocks.alike(typed, 1, each);
            return new Scattered(in, out, round -> {
                for (int i = 0; i < cast.local(); i++) {
                    in.put(i, cast.given(round));
                }
                out.clear();
            }, round -> out.check(0, cast.sum(round)));
        }
    }

    private static Args reduceScatterBlock(MatrixCast cast, boolean typed, int count) {
        Scattered both = Scattered.of(cast, typed, count);
        int each = both.out.counts[0];
        return typed ? new Args(both.fill, both.check, both.in.memory, 0L, (long) each, PAIR, both.out.memory, 0L,
                (long) each, PAIR, Op.SUM)
                : new Args(both.fill, both.check, both.in.memory, 0, both.out.memory, 0, each, Op.SUM);
    }

    private static Args reduceScatter(MatrixCast cast, boolean typed, int count) {
        Scattered both = Scattered.of(cast, typed, count);
        return typed ? new Args(both.fill, both.check, both.in.memory, 0L, both.in.counts, PAIR, both.out.memory, 0L,
                (long) both.out.counts[0], PAIR, Op.SUM)
                : new Args(both.fill, both.check, both.in.memory, both.out.memory, both.in.counts, Op.SUM);
    }
}
