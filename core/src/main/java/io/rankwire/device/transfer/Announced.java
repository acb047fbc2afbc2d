package io.rankwire.device.transfer;

import io.rankwire.device.Operation;
import io.rankwire.device.Violation;
import java.util.Arrays;

/**
 * What a receiver keeps of an announced message beside its header: where the message lies, if it can be reached there,
 * and the parts that came ahead of the answer. Until there is a receive the parts wait in the unexpected buffer. They
 * come in order and without gaps, so their lengths say where each belongs.
 */
final class Announced {
    /** The receive that the message has met, or null. */
    Operation operation;

    /** How the message can be reached where it lies: a flag of its announcement, or 0. */
    int way;
    long place;
    long offset;
    long claims;
    /** Bytes at the front that come early, or may; for a message that the network can read. */
    long earlyBytes;

    /** Bytes of the message, and those that have come ahead of the answer; none may, unless it was announced. */
    long bytes;
    long arrived;
    boolean isEarly;

    int count;
    int[] references = new int[4];
    int[] lengths = new int[4];

    /** Whether a part is the next one from the front. */
    boolean isNext(long at, int length) {
        return isEarly && length > 0 && at == arrived && length <= bytes - arrived;
    }

    void arrive(long at, int length) {
        if (!isNext(at, length)) {
            throw new Violation(length + " bytes at " + at + " ahead of the answer, where those from " + arrived
                    + " of " + (isEarly ? bytes : 0) + " are next");
        }
        arrived += length;
    }

    void add(int reference, int length) {
        if (count == references.length) {
            references = Arrays.copyOf(references, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        references[count] = reference;
        lengths[count++] = length;
    }
}
