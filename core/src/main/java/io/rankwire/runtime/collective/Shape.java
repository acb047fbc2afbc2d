package io.rankwire.runtime.collective;

import io.rankwire.collective.Blocks;
import io.rankwire.collective.Hosts;
import io.rankwire.collective.Schedule;
import io.rankwire.collective.Step.Part;
import io.rankwire.device.CombiningNetwork;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Neighbourhood;
import io.rankwire.runtime.Operator;
import io.rankwire.type.ElementType;
import java.util.Arrays;

/**
 * What a collective call is, apart from its buffers' addresses: all that its schedule depends on.
 *
 * @param root its place among all ranks that take part; {@link Team#ANOTHER_NEAR} if another rank of this side is the
 *     root of a call between two groups, and there is nothing to do here
 * @param bytes of the vector, or of one rank's block; what all ranks must agree on
 * @param type of the messages
 * @param op null where nothing is combined
 * @param uneven null where all blocks are of one length
 */
public record Shape(Kind kind, int root, long bytes, ElementType type, Operator op, boolean inPlace, Team team,
        Uneven uneven) {
    private static final long MIX = 0x9E3779B97F4A7C15L;
    /** Byte offsets into arrays stay whole elements of every type when they are multiples of this. */
    static final int WIDEST_ELEMENT = 8;
    private static final long LARGEST_ON_TREE = 1 << 30;

    /** How many blocks a rank gives or takes that has part in it: none, one, or one for each other rank. */
    enum Amount { NOTHING, ONE, EACH }

    /** The root's part: it alone gives, or takes. */
    private enum Root { NONE, GIVES, TAKES }

    /** The collective calls; the place of each is its number in tags, see {@link CallLog}. */
    public enum Kind {
        BARRIER("barrier", Amount.NOTHING, Amount.NOTHING, Root.NONE),
        /** Its only buffer is the one to write, at the root too. */
        BROADCAST("broadcast", Amount.NOTHING, Amount.ONE, Root.GIVES),
        GATHER("gather", Amount.ONE, Amount.EACH, Root.TAKES),
        GATHERV("gatherv", Amount.ONE, Amount.EACH, Root.TAKES),
        SCATTER("scatter", Amount.EACH, Amount.ONE, Root.GIVES),
        SCATTERV("scatterv", Amount.EACH, Amount.ONE, Root.GIVES),
        ALLGATHER("allgather", Amount.ONE, Amount.EACH, Root.NONE),
        ALLGATHERV("allgatherv", Amount.ONE, Amount.EACH, Root.NONE),
        ALLTOALL("alltoall", Amount.EACH, Amount.EACH, Root.NONE),
        ALLTOALLV("alltoallv", Amount.EACH, Amount.EACH, Root.NONE),
        REDUCE("reduce", Amount.ONE, Amount.ONE, Root.TAKES),
        ALLREDUCE("allreduce", Amount.ONE, Amount.ONE, Root.NONE),
        REDUCE_SCATTER_BLOCK("reduceScatterBlock", Amount.EACH, Amount.ONE, Root.NONE),
        REDUCE_SCATTER("reduceScatter", Amount.EACH, Amount.ONE, Root.NONE),
        SCAN("scan", Amount.ONE, Amount.ONE, Root.NONE),
        EXSCAN("exscan", Amount.ONE, Amount.ONE, Root.NONE),
        ALLTOALLW("alltoallw", Amount.EACH, Amount.EACH, Root.NONE),
        NEIGHBOUR_ALLGATHER("neighbourAllgather", Amount.ONE, Amount.EACH, Root.NONE),
        NEIGHBOUR_ALLGATHERV("neighbourAllgatherv", Amount.ONE, Amount.EACH, Root.NONE),
        NEIGHBOUR_ALLTOALL("neighbourAlltoall", Amount.EACH, Amount.EACH, Root.NONE),
        NEIGHBOUR_ALLTOALLV("neighbourAlltoallv", Amount.EACH, Amount.EACH, Root.NONE),
        NEIGHBOUR_ALLTOALLW("neighbourAlltoallw", Amount.EACH, Amount.EACH, Root.NONE);

        public final String call;
        final Amount gives;
        final Amount takes;
        private final Root root;

        Kind(String call, Amount gives, Amount takes, Root root) {
            this.call = call;
            this.gives = gives;
            this.takes = takes;
            this.root = root;
        }

        public boolean hasRoot() {
            return root != Root.NONE;
        }

        /** Whether a rank, the root or another one, reads a buffer; between two groups no rank both gives and takes. */
        boolean reads(boolean isRoot, boolean between) {
            return gives != Amount.NOTHING && (root == Root.NONE || root == Root.GIVES && isRoot
                    || root == Root.TAKES && !(between && isRoot));
        }

        boolean writes(boolean isRoot, boolean between) {
            return this == BROADCAST || root == Root.NONE || root == Root.TAKES && isRoot
                    || root == Root.GIVES && !(between && isRoot);
        }

        /** Whether {@code IN_PLACE} stands for the buffer to write, not for the one to read. */
        boolean keepsOwnBlock() {
            return root == Root.GIVES;
        }

        boolean isOfNeighbours() {
            return ordinal() >= NEIGHBOUR_ALLGATHER.ordinal();
        }

        boolean combines() {
            return ordinal() >= REDUCE.ordinal() && ordinal() <= EXSCAN.ordinal();
        }

        /** Whether each block has its own length. */
        boolean isUneven() {
            return switch (this) {
                case GATHERV, SCATTERV, ALLGATHERV, ALLTOALLV, ALLTOALLW, REDUCE_SCATTER -> true;
                case NEIGHBOUR_ALLGATHERV, NEIGHBOUR_ALLTOALLV, NEIGHBOUR_ALLTOALLW -> true;
                default -> false;
            };
        }

        /** Whether long blocks that a rank has got go on to others: pieces of them then do not wait for the rest. */
        boolean passesOn() {
            return this == BROADCAST || this == ALLGATHER || this == ALLGATHERV;
        }

        /** Whether all ranks give the same root, length and operation; else they need not, or do not know. */
        boolean isAlike() {
            return this != BARRIER && !isOfNeighbours() && (!isUneven() || this == REDUCE_SCATTER);
        }
    }

    /**
     * The ranks of a call. Schedules number the ranks of this rank's group first, then those of the other one, if there
     * is one; places are in the order that is the same for all.
     *
     * @param far ranks of the other group
     * @param first whether this group comes first among all
     * @param sharesMemory whether these ranks have common memory
     * @param hosts the ranks by host; null if they are all on one, each on another, or of two groups
     * @param around null where ranks have no neighbours
     * @param tree the combining tree between these ranks; null where there is none, or of two groups
     */
    public record Team(int rank, int size, int far, boolean first, boolean sharesMemory, Hosts hosts,
            Neighbourhood around, CombiningNetwork.Group tree) {
        /** Ranks without a combining tree. */
        public Team(int rank, int size, int far, boolean first, boolean sharesMemory, Hosts hosts,
                Neighbourhood around) {
            this(rank, size, far, first, sharesMemory, hosts, around, null);
        }

        public static final int ANOTHER_NEAR = -1;

        public boolean isBetweenGroups() {
            return far > 0;
        }

        public int ranks() {
            return size + far;
        }

        /** The place of this rank. */
        int place() {
            return first ? rank : far + rank;
        }

        /** The place of the root, by what the call was given for it. */
        int placeOf(int root) {
            return !isBetweenGroups() ? root : root == Endpoint.ROOT ? place()
                    : root < 0 ? ANOTHER_NEAR : first ? size + root : root;
        }

        int numberOf(int place) {
            return first ? place : place < far ? size + place : place - far;
        }

        /** The numbers of all, in the order of their places. */
        int[] numbers() {
            int[] numbers = new int[ranks()];
            Arrays.setAll(numbers, this::numberOf);
            return numbers;
        }

        /** Blocks of a buffer that holds one for each rank that they go to, or come from. */
        int each(Kind kind, boolean read) {
            if (kind.isOfNeighbours()) {
                return (read ? around.destinations() : around.sources()).length;
            }
            return isBetweenGroups() && !kind.combines() ? far : size;
        }

        /** Blocks that a rank reads or writes which has part in it. */
        int blocks(Kind kind, boolean read) {
            return switch (read ? kind.gives : kind.takes) {
                case NOTHING -> 0;
                case ONE -> 1;
                case EACH -> each(kind, read);
            };
        }
    }

    /**
     * Blocks of different lengths.
     *
     * @param blocks of a vector that is combined; else null
     * @param given what this rank gives, and taken where it takes: for each rank, or one part; null for none
     * @param types of the messages from and to {@link Schedule#GIVEN} buffers
     */
    public record Uneven(Blocks blocks, Part[] given, Part[] taken, ElementType[] types) {}

    boolean is(Kind otherKind, int otherRoot, long otherBytes, ElementType otherType, Operator otherOp,
            boolean otherInPlace) {
        return kind == otherKind && root == otherRoot && bytes == otherBytes && type == otherType && op == otherOp
                && inPlace == otherInPlace;
    }

    public int rank() {
        return team.rank;
    }

    public int size() {
        return team.size;
    }

    public int far() {
        return team.far;
    }

    /** Bytes of a unit of schedules. */
    public long unit() {
        if (op != null) {
            return (long) type.bytes() * op.group();
        }
        return kind == Kind.BROADCAST && bytes > 0 ? Math.min(WIDEST_ELEMENT, Long.lowestOneBit(bytes)) : 1;
    }

    public long units() {
        return bytes / unit();
    }

    /** Blocks of this rank's group: each rank's own, or its part of a vector that is combined. */
    public Blocks blocks() {
        return uneven != null ? uneven.blocks
                : Blocks.even(size(), team.isBetweenGroups() ? units() / size() : units());
    }

    /** Bytes of all blocks. */
    public long total() {
        return blocks().total() * unit();
    }

    /** What this rank gives: one part for each rank, or one for all; null if it is in its place already. */
    public Part[] given() {
        if (uneven != null || inPlace && !kind.keepsOwnBlock()) {
            return uneven == null ? null : uneven.given;
        }
        boolean straight = kind.isOfNeighbours() || team.isBetweenGroups() && !kind.hasRoot();
        Part[] parts = new Part[straight ? team.each(kind, true) : team.blocks(kind, true)];
        Arrays.setAll(parts, i -> new Part(Schedule.INPUT, kind.gives == Amount.ONE ? 0 : i * bytes, bytes));
        return parts;
    }

    /** Where this rank takes blocks. */
    public Part[] taken() {
        return uneven != null ? uneven.taken : inPlace && kind.keepsOwnBlock() ? null
                : Blocks.even(team.blocks(kind, false), bytes).parts(Schedule.OUTPUT);
    }

    /** The only part, or the first of many that are the same. */
    static Part one(Part[] parts) {
        return parts == null || parts.length == 0 ? null : parts[0];
    }

    /** Whether the combining tree can make it: its ALUs know the predefined operations, in any order. */
    public boolean suitsTree() {
        return team.tree != null && bytes <= LARGEST_ON_TREE
                && (op == null || op.reduction() != null && op.commutes() && op.group() == 1);
    }

    /** The buffer that this rank gives to the tree, or takes if it gives nothing. */
    public int treeInput() {
        return kind == Kind.BROADCAST || inPlace ? Schedule.OUTPUT : Schedule.INPUT;
    }

    /** The buffer for what comes from the tree, or the one it gives if it takes nothing. */
    public int treeOutput() {
        return kind == Kind.BARRIER || kind == Kind.REDUCE && !isRoot() ? Schedule.INPUT : Schedule.OUTPUT;
    }

    /** Whether another rank of this side is the root, and this rank has no part in the call. */
    public boolean isIdle() {
        return kind.hasRoot() && root == Team.ANOTHER_NEAR;
    }

    public boolean isRoot() {
        return root == team.place();
    }

    // A root, and the ranks of the group that it is not in: its seat is 0, theirs follow.

    public int seat() {
        return isRoot() ? 0 : rank() + 1;
    }

    public int seats() {
        return (isRoot() ? far() : size()) + 1;
    }

    /** The numbers of those in the seats. */
    public int[] seated() {
        int[] numbers = new int[seats()];
        numbers[0] = team.numberOf(root);
        for (int i = 1; i < numbers.length; i++) {
            numbers[i] = isRoot() ? size() + i - 1 : i - 1;
        }
        return numbers;
    }

    /** Parts for those behind the root, by their seats. */
    public static Part[] behindRoot(Part[] parts) {
        Part[] seated = new Part[parts.length + 1];
        System.arraycopy(parts, 0, seated, 1, parts.length);
        return seated;
    }

    /** The rank of a root in the other group. */
    public int farRoot() {
        return team.numberOf(root) - size();
    }

    /**
     * Twelve bits that are the same on all ranks if they made the same call, and never so if only its root (below 256)
     * or predefined operation differs.
     */
    public int agreement() {
        long mixed = (bytes + own()) * MIX;
        int apart = root * 16 + (op == null ? 15 : op.number());
        return (int) (mixed >>> 52) + apart & 0xFFF;
    }

    /** All that ranks must agree on, element types aside. */
    public long signature() {
        long mixed = root * 31L + (op == null ? 15 : op.number()) + own();
        return (mixed * MIX + bytes) * MIX;
    }

    private long own() {
        return op == null ? 0 : op.nameHash() * MIX;
    }

    /** The call for people: what it is, with which arguments. */
    public String describe() {
        StringBuilder text = new StringBuilder(kind.call);
        if (bytes > 0) {
            text.append(" of ").append(bytes / type.bytes()).append(" × ").append(type);
        }
        if (op != null) {
            text.append(", ").append(op);
        }
        if (kind.hasRoot()) {
            text.append(", ").append(!team.isBetweenGroups() ? "root " + root
                    : isIdle() ? "root is another rank of this side"
                    : isRoot() ? "root is this rank" : "root " + farRoot() + " of the other side");
        }
        return text.append(inPlace ? ", in place" : "").toString();
    }
}
