package io.rankwire.sim.fault;

import io.rankwire.memory.Words;
import io.rankwire.wire.FlowFrame;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * Watches one rank's flow layer from below: a frame that a peer is known to have is not sent to it again. Only the
 * first that is not acknowledged may be: it is how a lost answer is asked for.
 */
final class Acknowledgements {
    /** What a peer has acknowledged of the stream to it. */
    private static final class Acknowledged {
        int stream;
        int wanted;
        final BitSet arrived = new BitSet();
    }

    private final int rank;
    private final int incarnation;
    private final Acknowledged[] acknowledged;

    Acknowledgements(int rank, int ranks, int incarnation) {
        this.rank = rank;
        this.incarnation = incarnation;
        acknowledged = new Acknowledged[ranks];
        for (int peer = 0; peer < ranks; peer++) {
            acknowledged[peer] = new Acknowledged();
        }
    }

    void comes(int peer, int kind, long header, MemorySegment memory, long at, int bytes) {
        boolean acknowledges = kind == FlowFrame.DATA || kind == FlowFrame.ACK;
        if (!acknowledges || !FlowFrame.isWhole(kind, bytes) || Frame.high(header)
                != FlowFrame.sum(peer, rank, kind, Frame.low(header), memory, at, bytes)) {
            return;
        }
        long acked = Words.loadUnaligned(memory, at + FlowFrame.ACKED);
        Acknowledged of = acknowledged[peer];
        if (Frame.high(acked) != incarnation || Frame.low(acked) != of.stream) {
            return;
        }
        int wanted = FlowFrame.wanted(Words.loadUnaligned(memory, at + FlowFrame.ANSWER));
        of.wanted = Math.max(of.wanted, wanted);
        for (int i = 0; i < FlowFrame.reportWords(kind, bytes); i++) {
            long word = Words.loadUnaligned(memory, at + FlowFrame.SACK + 8L * i);
            for (long bits = word; bits != 0; bits &= bits - 1) {
                of.arrived.set(wanted + 1 + Long.SIZE * i + Long.numberOfTrailingZeros(bits));
            }
        }
    }

    void goes(int peer, int kind, long header, MemorySegment memory, long at, int bytes) {
        if (kind != FlowFrame.DATA) {
            return;
        }
        Acknowledged of = acknowledged[peer];
        int stream = Frame.low(Words.loadUnaligned(memory, at + FlowFrame.STREAM));
        if (stream != of.stream) {
            of.stream = stream;
            of.wanted = 0;
            of.arrived.clear();
        }
        int number = Frame.low(header);
        if (number > of.wanted && of.arrived.get(number)) {
            throw new Violation("rank " + rank + " sends frame " + number + " to rank " + peer
                    + " again, which has said that it has it, and " + of.wanted + " is the first it wants");
        }
    }
}
