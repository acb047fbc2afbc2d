package io.rankwire.runtime;

import io.rankwire.type.ElementType;

/**
 * What a collective call is, apart from its buffers' addresses: all that its schedule depends on.
 *
 * @param bytes of the vector, or of one rank's block; what all ranks must agree on
 * @param type of the messages
 * @param op null where nothing is combined
 */
public record Shape(CollectiveKind kind, int root, long bytes, ElementType type, Operator op, boolean inPlace) {
    private static final long MIX = 0x9E3779B97F4A7C15L;

    public boolean is(CollectiveKind otherKind, int otherRoot, long otherBytes, ElementType otherType, Operator otherOp,
            boolean otherInPlace) {
        return kind == otherKind && root == otherRoot && bytes == otherBytes && type == otherType && op == otherOp
                && inPlace == otherInPlace;
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

    public String describe(String prefix) {
        return describe(prefix, "root " + root);
    }

    public String describe(String prefix, String whoIsRoot) {
        StringBuilder text = new StringBuilder(prefix).append(kind.call);
        if (bytes > 0) {
            text.append(" of ").append(bytes / type.bytes()).append(" × ").append(type);
        }
        if (op != null) {
            text.append(", ").append(op);
        }
        if (kind.hasRoot()) {
            text.append(", ").append(whoIsRoot);
        }
        return text.append(inPlace ? ", in place" : "").toString();
    }
}
