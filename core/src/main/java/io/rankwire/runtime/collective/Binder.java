package io.rankwire.runtime.collective;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.collective.Blocks;
import io.rankwire.collective.Cost;
import io.rankwire.collective.Hosts;
import io.rankwire.collective.Schedule;
import io.rankwire.collective.Step.Part;
import io.rankwire.device.CombiningNetwork;
import io.rankwire.launch.Fabrics;
import io.rankwire.launch.NetworkCost;
import io.rankwire.runtime.Buffers;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Neighbourhood;
import io.rankwire.runtime.Operator;
import io.rankwire.runtime.collective.Shape.Amount;
import io.rankwire.runtime.collective.Shape.Kind;
import io.rankwire.runtime.collective.Shape.Team;
import io.rankwire.runtime.collective.Shape.Uneven;
import io.rankwire.runtime.collective.Side.Block;
import io.rankwire.type.ElementType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks the arguments of collective calls, of one group, of two, or of neighbours, and binds their buffers to a call
 * that has its algorithm. Every call that errs throws before anything is sent. A fresh one is the caller's own; others
 * are kept, and used again by the next call of the same shape.
 */
final class Binder {
    private static final int KEPT = 64;
    private static final byte[] NOTHING = {};
    private static final Block NO_BLOCK = new Block(null, 0, 0, ElementType.RAW, null, 0);
    /** Set by the launcher when the algorithms are to be shown. */
    private static final String EXPLAIN = "RANKWIRE_EXPLAIN";

    private final Endpoint on;
    private final Team team;
    private final Cost cost;
    /** Runs before the first call with neighbours; null when it is not needed, or not any more. */
    private Runnable checkNeighbours;
    private final Collective[] kept = new Collective[KEPT];
    /** The last call of a kind and root, and behind all of these the one before, for loops that swap two buffers. */
    private final Repeated[] repeated = new Repeated[2 * KEPT];
    private final Set<String> explained;

    Binder(Endpoint on, Neighbourhood around, Runnable checkNeighbours) {
        this.on = on;
        boolean between = on.isBetweenGroups();
        boolean first = !between || on.everyone().worldRank(0) == on.group().worldRank(0);
        Hosts hosts = on.isOnOneHost() ? null : hosts(on);
        CombiningNetwork tree = on.session().tree();
        boolean helps = hosts != null && !between && hosts.most() > 1;
        this.team = new Team(on.rank(), on.size(), between ? on.peers().size() : 0, first, on.sharesMemory(),
                helps ? hosts : null, around, tree == null || between ? null : tree.group(worldRanks(on)));
        this.cost = hosts != null ? hosts.between().shared(hosts.most())
                : on.hasSharedMemory() && !on.session().isSimulated() ? cost(on.session().ranksOnHost())
                : network(on.session().networkCost());
        this.checkNeighbours = checkNeighbours;
        this.explained = on.rank() == 0 && System.getenv(EXPLAIN) != null ? new HashSet<>() : null;
        if (explained != null && on == on.session().all() && (hosts != null || !on.hasSharedMemory())) {
            explainNetwork(hosts, on.session().networkCost());
        }
    }

    private static int[] worldRanks(Endpoint on) {
        int[] ranks = new int[on.group().size()];
        Arrays.setAll(ranks, on.group()::worldRank);
        return ranks;
    }

    private static void explainNetwork(Hosts hosts, NetworkCost measured) {
        boolean isKnown = measured != null && measured.roundNs() > 0;
        System.err.println("rankwire: costs of the network, " + (isKnown ? "measured" : "estimated") + ": "
                + network(measured).describe());
        if (hosts != null) {
            System.err.println("rankwire: costs inside a host: " + hosts.inside().describe());
        }
    }

    private static Cost network(NetworkCost measured) {
        if (measured == null || measured.roundNs() == 0) {
            return Cost.NETWORK;
        }
        double message = measured.messageNs() > 0 ? measured.messageNs() : Cost.NETWORK.messageNs();
        double each = measured.byteNs() > 0 ? measured.byteNs() : Cost.NETWORK.byteNs();
        return new Cost(measured.roundNs(), message, each, Cost.NETWORK.combineNs(), Cost.NETWORK.copyNs(),
                measured.roundNs()).plausible();
    }

    /** Costs that all ranks have agreed on, whatever was measured on one host: all ranks must choose alike. */
    private static Hosts hosts(Endpoint on) {
        int[] nodes = new int[on.everyone().size()];
        Arrays.setAll(nodes, member -> on.session().node(on.everyone().worldRank(member)));
        NetworkCost measured = on.session().networkCost();
        Cost inside = measured == null || measured.inside().isEmpty() ? null : Cost.parse(measured.inside());
        return Hosts.of(nodes, inside == null ? Cost.NEAR : inside, network(measured));
    }

    /** Costs on this host, which has this number of ranks. */
    private static Cost cost(int ranks) {
        String set = System.getenv(Fabrics.COST);
        if (set == null) {
            return ranks > Runtime.getRuntime().availableProcessors() ? Cost.CROWDED : Cost.NEAR;
        }
        Cost cost = Cost.parse(set);
        if (cost == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "variable " + Fabrics.COST + ": \"" + set
                    + "\" is not six plausible costs in picoseconds");
        }
        return cost;
    }

    /**
     * A call with its arguments. These need no check when the next call has the same, as in a loop: a check takes as
     * long as a line needs from core to core.
     */
    private record Repeated(Collective call, Object in, long inOffset, Object out, long outOffset, long count,
            Operator op, int root, Object input, long inputAt, Object output, long outputAt) {
        boolean is(Kind kind, Object in, long inOffset, Object out, long outOffset, long count, Operator op,
                int root) {
            return this.in == in && this.out == out && this.count == count && this.op == op && this.root == root
                    && this.inOffset == inOffset && this.outOffset == outOffset && call.shape.kind() == kind
                    && !call.isActive();
        }
    }

    /** Blocks or vectors of one length, in elements of their buffers. */
    Collective bind(Kind kind, Object in, long inOffset, Object out, long outOffset, long count, Operator op, int root,
            boolean fresh) {
        int place = kind.ordinal() * 7 + root & KEPT - 1;
        for (int i = place; !fresh && i < repeated.length; i += KEPT) {
            Repeated known = repeated[i];
            if (known != null && known.is(kind, in, inOffset, out, outOffset, count, op, root)) {
                // Others of the same shape may have had it meanwhile.
                known.call.bind(known.input, known.inputAt, known.output, known.outputAt);
                return known.call;
            }
        }
        Collective call = bind(kind, Side.of(in, inOffset, count), Side.of(out, outOffset, count), op, root, fresh);
        // A byte buffer has a position and may be another part of memory the next time.
        if (!fresh && !(in instanceof ByteBuffer) && !(out instanceof ByteBuffer)) {
            repeated[place + KEPT] = repeated[place];
            repeated[place] = new Repeated(call, in, inOffset, out, outOffset, count, op, root, call.input,
                    call.inputAt, call.output, call.outputAt);
        }
        return call;
    }

    /**
     * Any call.
     *
     * @param in what this rank gives; not looked at where it gives nothing
     * @param out where it takes; of a broadcast, the only buffer
     */
    Collective bind(Kind kind, Side in, Side out, Operator op, int root, boolean fresh) {
        if (kind.isOfNeighbours()) {
            checkNeighbours();
        }
        checkRoot(kind, root);
        int place = kind.hasRoot() ? team.placeOf(root) : 0;
        if (kind == Kind.BARRIER || kind.hasRoot() && place == Team.ANOTHER_NEAR) {
            Collective call = find(kind, place, 0, ElementType.BYTE, null, false, fresh);
            call.bind(NOTHING, 0, NOTHING, 0);
            return call;
        }
        boolean between = team.isBetweenGroups();
        boolean isRoot = kind.hasRoot() && place == team.place();
        boolean reads = kind.reads(isRoot, between);
        boolean writes = kind.writes(isRoot, between);
        boolean inPlace = !between && !kind.isOfNeighbours() && kind != Kind.BROADCAST
                && (kind.keepsOwnBlock() ? out : in).isInPlace();
        if (inPlace && !(reads && writes)) {
            throw on.error(ErrorClass.ARGUMENT, "IN_PLACE is for the root alone");
        }
        Side from = reads && !(inPlace && !kind.keepsOwnBlock()) && !isWithout(kind, true) ? in : null;
        Side to = writes && !(inPlace && kind.keepsOwnBlock()) && !isWithout(kind, false) ? out : null;
        if (kind == Kind.REDUCE_SCATTER) {
            return reduceScatter(from, to, in.counts(), op);
        }
        if (kind.isUneven() || between && (kind == Kind.ALLGATHER || kind == Kind.ALLTOALL)) {
            return uneven(kind, from, to, place, inPlace);
        }
        boolean holdsAll = inPlace && kind == Kind.REDUCE_SCATTER_BLOCK;
        int number = holdsAll ? team.size() : team.blocks(kind, false);
        Block given = from == null ? NO_BLOCK : from.block(on, team.blocks(kind, true), false);
        Block taken = to == null ? NO_BLOCK : to.block(on, number, kind != Kind.BROADCAST || !isRoot);
        return even(kind, from, given, to, taken, op, place, inPlace, fresh);
    }

    /** Whether this rank has no neighbours to give to, or to take from: then that side is not looked at. */
    private boolean isWithout(Kind kind, boolean read) {
        return kind.isOfNeighbours() && team.each(kind, read) == 0;
    }

    private Collective even(Kind kind, Side from, Block given, Side to, Block taken, Operator op, int root,
            boolean inPlace, boolean fresh) {
        Side either = from != null ? from : to;
        long bytes = either == null ? 0 : either.bytes(either.count());
        ElementType type = either == null ? ElementType.BYTE : together(from, given, to, taken);
        if (from != null && to != null) {
            checkSame(from, from.count(), given, to, to.count(), taken);
        }
        Operator used = kind.combines() ? operator(op, either) : null;
        if (used != null) {
            type = combined(used, type, either.isTyped());
            checkGroups(used, type, bytes);
        }
        boolean whole = team.isBetweenGroups() && kind == Kind.REDUCE_SCATTER_BLOCK;
        Collective call = find(kind, root, whole ? bytes * team.size() : bytes, type, used, inPlace, fresh);
        call.bind(given.base(), given.at(), taken.base(), taken.at());
        return call;
    }

    /** In place, the counts are of the datatype that the output has. */
    private Collective reduceScatter(Side from, Side to, int[] counts, Operator op) {
        Side.checkLength(on, "counts", team.size(), counts == null ? -1 : counts.length);
        long total = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] < 0) {
                throw on.error(ErrorClass.COUNT, "counts[" + i + "] is " + counts[i]);
            }
            total += counts[i];
        }
        Side counted = from == null ? to : from;
        long own = to.isTyped() ? to.count() : counts[team.rank()];
        Block given = from == null ? NO_BLOCK : from.with(total).block(on, 1, false);
        Block taken = to.with(from == null ? total : own).block(on, 1, true);
        ElementType type = together(from, given, to, taken);
        if (from != null) {
            checkSame(from, counts[team.rank()], given, to, own, taken);
        }
        Operator used = operator(op, counted);
        type = combined(used, type, to.isTyped());
        long[] units = new long[counts.length];
        for (int i = 0; i < counts.length; i++) {
            long bytes = counted.bytes(counts[i]);
            checkGroups(used, type, bytes);
            units[i] = bytes / ((long) type.bytes() * used.group());
        }
        Collective call = make(new Shape(Kind.REDUCE_SCATTER, 0, counted.bytes(total), type, used, from == null, team,
                new Uneven(Blocks.row(units), null, null, new ElementType[0])));
        call.bind(given.base(), given.at(), taken.base(), taken.at());
        return call;
    }

    /** Blocks of different lengths; those that do not lie in a row of bytes become buffers of their own. */
    private Collective uneven(Kind kind, Side from, Side to, int root, boolean inPlace) {
        Block[] given = blocks(kind, from, true);
        Block[] taken = blocks(kind, to, false);
        ElementType type = given.length + taken.length == 0 ? ElementType.BYTE
                : together(from, first(given), to, first(taken));
        for (Block each : taken) {
            // What is set aside in place has one type for all.
            type = inPlace && each.element() != type ? ElementType.RAW : type;
        }
        checkOwn(kind, from, given, to, taken);
        List<Block> aside = new ArrayList<>();
        Part[] gives = parts(kind, from, given, Schedule.INPUT, type, aside);
        Part[] takes = parts(kind, to, taken, Schedule.OUTPUT, type, aside);
        ElementType[] types = new ElementType[aside.size()];
        Arrays.setAll(types, i -> aside.get(i).element());
        Uneven own = new Uneven(null, gives, takes, types);
        Collective call = make(new Shape(kind, root, 0, type, null, inPlace, team, own));
        for (int i = 0; i < types.length; i++) {
            call.bindGiven(i, aside.get(i).base(), aside.get(i).at());
        }
        call.bind(base(from, given), at(from, given), base(to, taken), at(to, taken));
        return call;
    }

    /** One by one, or all as one where they are of one length. */
    private Block[] blocks(Kind kind, Side side, boolean read) {
        if (side == null) {
            return new Block[0];
        }
        int number = team.blocks(kind, read);
        return side.isUneven() ? side.each(on, number, !read) : new Block[] {side.block(on, number, !read)};
    }

    private Part[] parts(Kind kind, Side side, Block[] blocks, int buffer, ElementType type, List<Block> aside) {
        if (side == null) {
            return null;
        }
        boolean read = buffer == Schedule.INPUT;
        if (!side.isUneven()) {
            boolean oneForAll = (read ? kind.gives : kind.takes) == Amount.ONE;
            Part[] parts = new Part[kind.hasRoot() && oneForAll ? 1 : team.each(kind, read)];
            long bytes = side.bytes(side.count());
            Arrays.setAll(parts, i -> new Part(buffer, oneForAll ? 0 : i * bytes, bytes));
            return parts;
        }
        Object memory = Buffers.base(side.buffer());
        Part[] parts = new Part[blocks.length];
        for (int i = 0; i < parts.length; i++) {
            Block block = blocks[i];
            boolean inRow = !side.isTyped() || block.base() == memory && block.element() == type;
            if (!inRow) {
                aside.add(block);
            }
            parts[i] = inRow ? new Part(buffer, block.at(), block.bytes())
                    : new Part(Schedule.GIVEN - (aside.size() - 1), 0, block.bytes());
        }
        return parts;
    }

    /** What the device must be able to reach; blocks with their own places are parts of it. */
    private static Object base(Side side, Block[] blocks) {
        return side == null ? null : side.isUneven() ? Buffers.base(side.buffer()) : blocks[0].base();
    }

    private static long at(Side side, Block[] blocks) {
        return side == null || side.isUneven() ? 0 : blocks[0].at();
    }

    private static Block first(Block[] blocks) {
        return blocks.length == 0 ? NO_BLOCK : blocks[0];
    }

    /** What this rank gives itself must be what it takes. */
    private void checkOwn(Kind kind, Side from, Block[] given, Side to, Block[] taken) {
        if (from == null || to == null || team.isBetweenGroups()) {
            return;
        }
        if (!kind.isOfNeighbours()) {
            checkOwn(given[given.length == 1 ? 0 : team.rank()], taken[taken.length == 1 ? 0 : team.rank()]);
            return;
        }
        Neighbourhood around = team.around();
        int next = -1;
        for (int i : around.arrivals()) {
            if (around.sources()[i] == team.rank()) {
                do {
                    next++;
                } while (around.destinations()[next] != team.rank());
                checkOwn(given[given.length == 1 ? 0 : next], taken[i]);
            }
        }
    }

    private void checkOwn(Block given, Block taken) {
        if (!given.matches(taken)) {
            throw on.error(ErrorClass.COUNT, on.name() + ": this rank takes " + taken.describe()
                    + " from itself and gives itself " + given.describe());
        }
    }

    /** A call of this shape that is not under way. */
    private Collective find(
            Kind kind, int root, long bytes, ElementType type, Operator op, boolean inPlace, boolean fresh) {
        int mixed = (int) (bytes ^ bytes >>> 32) * 31 + kind.ordinal() * 7 + root;
        mixed = (mixed * 0x9E3779B9 >>> 20) + type.code();
        int place = mixed & KEPT - 1;
        Collective found = kept[place];
        if (found != null && !fresh && found.shape.is(kind, root, bytes, type, op, inPlace) && !found.isActive()) {
            return found;
        }
        Collective made = make(new Shape(kind, root, bytes, type, op, inPlace, team, null));
        if (!fresh && (found == null || !found.isActive())) {
            kept[place] = made;
        }
        return made;
    }

    private Collective make(Shape shape) {
        Algorithm.Choice choice = Algorithm.Choice.of(shape, cost, Algorithm.LIST);
        Collective made = new Collective(on, shape, choice);
        if (explained != null && explained.add(made.call)) {
            System.err.println("rankwire: " + made.call + ", on " + on.name() + " of " + team.size() + ": "
                    + choice.describe(made.algorithm()));
        }
        return made;
    }

    private void checkNeighbours() {
        if (checkNeighbours == null) {
            return;
        }
        checkNeighbours.run();
        long toSelf = Arrays.stream(team.around().destinations()).filter(each -> each == team.rank()).count();
        long fromSelf = Arrays.stream(team.around().sources()).filter(each -> each == team.rank()).count();
        if (toSelf != fromSelf) {
            throw on.error(ErrorClass.TOPOLOGY, "neighbours: rank " + on.rank() + " has " + toSelf
                    + " edges to itself, but " + fromSelf + " from itself");
        }
        checkNeighbours = null;
    }

    int neighbourElements(Kind kind, Object in, Object out) {
        checkNeighbours();
        boolean gives = !isWithout(kind, true);
        if (!gives && isWithout(kind, false)) {
            return 0;
        }
        return Math.toIntExact(on.share(gives ? in : out, team.blocks(kind, gives)));
    }

    private void checkRoot(Kind kind, int root) {
        boolean known = root >= 0 && root < (team.isBetweenGroups() ? team.far() : team.size());
        if (!kind.hasRoot() || known || team.isBetweenGroups() && (root == Endpoint.ROOT || root == Endpoint.NONE)) {
            return;
        }
        throw on.error(ErrorClass.RANK, "argument root: " + root + (team.isBetweenGroups()
                ? " is neither ROOT nor NONE nor a rank of the other side of " + on.name() + ", which has " + team.far()
                : " is not a rank of " + on.name() + ", which has " + team.size()));
    }

    /** The type of the messages of a call with one or two sides here. */
    private ElementType together(Side from, Block given, Side to, Block taken) {
        ElementType in = given.element();
        ElementType out = taken.element();
        if (from == null || to == null || in == out || from.isTyped()) {
            return from == null ? out : in;
        }
        if (!ElementType.compatible(in.code(), out.code())) {
            throw differing(in, out);
        }
        return ElementType.RAW;
    }

    /** Whether one block on one side is as much, and the same, as one on the other. */
    private void checkSame(Side from, long fromCount, Block given, Side to, long toCount, Block taken) {
        if (!from.isTyped()) {
            if (given.element().bytes() != taken.element().bytes()) {
                throw differing(given.element(), taken.element());
            }
            return;
        }
        var in = from.type().elementTypes().repeated(fromCount);
        var out = to.type().elementTypes().repeated(toCount);
        if (!in.matches(out)) {
            throw on.error(ErrorClass.TYPE, fromCount + " × " + from.type() + " is " + in + ", but " + toCount + " × "
                    + to.type() + " is " + out);
        }
    }

    private RankwireException differing(ElementType in, ElementType out) {
        return on.error(ErrorClass.TYPE, "the buffers are of " + in + " and of " + out);
    }

    /** What an operation is for the elements of a side. */
    private Operator operator(Operator op, Side side) {
        if (op == null) {
            throw on.error(ErrorClass.ARGUMENT, "op is null");
        }
        return side.isTyped() ? op.forElements(side.type()) : op;
    }

    /** What an operation combines in messages of a type; of a datatype without elements, whatever it can. */
    private ElementType combined(Operator op, ElementType message, boolean typed) {
        if (typed && message == ElementType.RAW) {
            return ElementType.BYTE;
        }
        ElementType type = typed ? message : op.elementOf(message);
        if (!op.supports(type)) {
            String hint = type == ElementType.RAW ? "; say what raw memory holds: Op.as(double.class)" : "";
            throw on.error(ErrorClass.TYPE, "argument op: " + op + " does not combine " + type + hint);
        }
        return type;
    }

    private void checkGroups(Operator op, ElementType type, long bytes) {
        long unit = (long) type.bytes() * op.group();
        if (bytes % unit != 0) {
            throw on.error(ErrorClass.COUNT, "argument count: " + bytes + " bytes are no whole number of "
                    + op.group() + " × " + type + ", which " + op + " combines");
        }
    }
}
