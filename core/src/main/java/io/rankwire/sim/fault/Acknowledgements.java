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
    /** What a peer has told of the stream to it. */
    private static final class Told {
        int stream;
        int wanted;
        final BitSet here = new BitSet();
    }

    private final int rank;
    private final int incarnation;
    private final Told[] told;

    Acknowledgements(int rank, int ranks, int incarnation) {
        this.rank = rank;
        this.incarnation = incarnation;
        told = new Told[ranks];
        for (int peer = 0; peer < ranks; peer++) {
            told[peer] = new Told();
        }
    }

    void comes(int peer, int kind, long header, MemorySegment memory, long at, int bytes) {
        boolean tells = kind == FlowFrame.DATA || kind == FlowFrame.ACK;
        if (!tells || !FlowFrame.isWhole(kind, bytes) || Frame.high(header)
                != FlowFrame.sum(peer, rank, kind, Frame.low(header), memory, at, bytes)) {
            return;
        }
        long acked = Words.loadUnaligned(memory, at + FlowFrame.ACKED);
        Told of = told[peer];
        if (Frame.high(acked) != incarnation || Frame.low(acked) != of.stream) {
            return;
        }
        int wanted = FlowFrame.wanted(Words.loadUnaligned(memory, at + FlowFrame.ANSWER));
        long sack = Words.loadUnaligned(memory, at + FlowFrame.SACK);
        of.wanted = Math.max(of.wanted, wanted);
        for (long bits = sack; bits != 0; bits &= bits - 1) {
            of.here.set(wanted + 1 + Long.numberOfTrailingZeros(bits));
        }
    }

    void goes(int peer, int kind, long header, MemorySegment memory, long at, int bytes) {
        if (kind != FlowFrame.DATA) {
            return;
        }
        Told of = told[peer];
        int stream = Frame.low(Words.loadUnaligned(memory, at + FlowFrame.STREAM));
        if (stream != of.stream) {
            of.stream = stream;
            of.wanted = 0;
            of.here.clear();
        }
        int number = Frame.low(header);
        if (number > of.wanted && of.here.get(number)) {
            throw new Violation("rank " + rank + " sends frame " + number + " to rank " + peer
                    + " again, which has said that it has it, and " + of.wanted + " is the first it wants");
        }
    }
}
