package io.rankwire;

import io.rankwire.type.ElementType;

/**
 * What a collective call is, apart from its buffers' addresses: all that its schedule depends on.
 *
 * @param bytes of the vector, or of one rank's block; what all ranks must agree on
 * @param type of the messages
 * @param op null where nothing is combined
 */
record Shape(CollectiveKind kind, int root, long bytes, ElementType type, Op op, boolean inPlace) {
    boolean is(CollectiveKind otherKind, int otherRoot, long otherBytes, ElementType otherType, Op otherOp,
            boolean otherInPlace) {
        return kind == otherKind && root == otherRoot && bytes == otherBytes && type == otherType && op == otherOp
                && inPlace == otherInPlace;
    }

    /** Twelve bits that are the same on all ranks if they made the same call. */
    int agreement() {
        return (int) (signature() >>> 52);
    }

    long signature() {
        long mixed = root * 31L + (op == null ? 0 : op.code());
        mixed = mixed * 0x9E3779B97F4A7C15L + bytes;
        return mixed * 0x9E3779B97F4A7C15L;
    }

    String describe(String prefix) {
        StringBuilder text = new StringBuilder(prefix).append(kind.call);
        if (bytes > 0) {
            text.append(" of ").append(bytes / type.bytes()).append(" × ").append(type);
        }
        if (op != null) {
            text.append(", ").append(op);
        }
        if (kind.hasRoot()) {
            text.append(", root ").append(root);
        }
        return text.append(inPlace ? ", in place" : "").toString();
    }
}
