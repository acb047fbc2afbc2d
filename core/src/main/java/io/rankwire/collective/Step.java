package io.rankwire.collective;

/**
 * One step of a rank. Parts are ranges of numbered buffers, in units that the caller chose.
 *
 * @param id of a send or receive, for a wait to name; of a wait, the one it waits for; of a pipe; else -1
 * @param peer the other rank of a send or receive; where a pipe comes from, or -1 if that is the target part
 * @param to where a pipe goes on to, or -1 if it ends here; else -1
 * @param target where a send reads, a receive writes, a copy or combination ends
 * @param operand what a copy or combination takes beside; also the local part of a combining receive; the first chunk
 *     of a pipe
 * @param operandFirst whether the operand (of a combining receive: the message) stands left of the target's part
 */
public record Step(Kind kind, int id, int peer, int to, Part target, Part operand, boolean operandFirst) {
    /** What is done. */
    public enum Kind {
        /** Starts to send the target part. */
        SEND,
        /** Starts to receive into the target part. */
        RECEIVE,
        /** Starts to receive; what comes is combined with the operand part into the target part. */
        RECEIVE_COMBINE,
        /** Holds until a send or receive is over. */
        WAIT,
        /** Combines the operand part into the target part. */
        COMBINE,
        /** Copies the operand part over the target part. */
        COPY,
        /** Receives the target part in chunks and sends each on; holds until that is over. */
        PIPE,
        /**
         * Gives the operand part to the combining tree and waits for the result in the target part. Which ranks give
         * and take is known from the call.
         */
        TREE
    }

    /** A range of a buffer. */
    public record Part(int buffer, long offset, long units) {
        Part piece(long at, long length) {
            return new Part(buffer, offset + at, length);
        }

        boolean overlaps(Part other) {
            return buffer == other.buffer && units > 0 && other.units > 0
                    && offset < other.offset + other.units && other.offset < offset + units;
        }
    }

    boolean isTransfer() {
        return kind == Kind.SEND || isReceive();
    }

    boolean isReceive() {
        return kind == Kind.RECEIVE || kind == Kind.RECEIVE_COMBINE;
    }

    /** Whether it touches a part in a way that a receive into that part must not pass. */
    boolean touches(Part part) {
        return target != null && target.overlaps(part) || operand != null && operand.overlaps(part);
    }
}
