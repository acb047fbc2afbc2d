package io.rankwire.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The least that a backend must do: here frames wait in a queue for each pair of ranks, in the memory of one process. A
 * backend for a network would put them on the wire in {@link Outlet#commit} and take them off it in {@link Port#poll};
 * everything else would look much like this. {@link ExampleFabricTest} holds it to the contract of all fabrics, and
 * moves messages of real devices over it.
 */
final class ExampleFabric {
    /** A frame is 16 bits of meta, a header word and a payload. No fabric looks inside. */
    private record Frame(int meta, long header, MemorySegment payload) {}

    /** The frames from one rank to another. Two threads use it, one at either end, so it must be safe for that. */
    private static final class Pair {
        final Queue<Frame> frames = new ConcurrentLinkedQueue<>();
        /** What waits here, in bytes; it bounds the queue. */
        final AtomicInteger bytes = new AtomicInteger();
    }

    private static final int ROOM = 64 << 10;
    /**
     * What a frame counts beyond its payload, so that frames without one cannot pile up either. Not more than {@link
     * PortTraits#LINE}: a device that has claimed room for a whole message relies on that when it writes pieces.
     */
    private static final int FRAME = 16;

    private final Pair[][] pairs;

    ExampleFabric(int ranks) {
        pairs = new Pair[ranks][ranks];
        for (Pair[] row : pairs) {
            Arrays.setAll(row, to -> new Pair());
        }
    }

    Port open(int rank) {
        return new ExamplePort(rank);
    }

    /** One rank's end of the fabric. One thread at a time calls it, and no call may block. */
    private final class ExamplePort implements Port {
        private final int self;
        /** Peers cannot map this rank's memory. So the device sends frames where shared memory would be faster. */
        private final PrivateMemory memory;

        ExamplePort(int self) {
            this.self = self;
            this.memory = new PrivateMemory(self);
        }

        @Override
        public int self() {
            return self;
        }

        @Override
        public int peers() {
            return pairs.length;
        }

        /**
         * The promises. A fabric that cannot keep the order, or loses frames, says so here, and the device gets a flow
         * layer in between that repairs it. Nothing else is needed for that.
         */
        @Override
        public PortTraits traits() {
            return new PortTraits(ROOM / 8, true, true);
        }

        @Override
        public Outlet outlet(int peer) {
            return new ExampleOutlet(pairs[self][peer]);
        }

        /** Hands over what has come. The sink may send frames of its own meanwhile. */
        @Override
        public int poll(FrameSink sink, int limit) {
            int total = 0;
            for (int peer = 0; peer < peers(); peer++) {
                Pair pair = pairs[peer][self];
                Frame frame;
                for (int count = 0; count < limit && (frame = pair.frames.poll()) != null; count++) {
                    int bytes = (int) frame.payload.byteSize();
                    sink.frame(peer, frame.meta, frame.header, frame.payload, 0, bytes);
                    pair.bytes.addAndGet(-bytes - FRAME);
                    total++;
                }
            }
            return total;
        }

        /** A fabric that looks at every peer in each poll has nothing more to look at. */
        @Override
        public int pollAll(FrameSink sink, int limit) {
            return poll(sink, limit);
        }

        /** The only call that any thread may make at any time. */
        @Override
        public boolean mayHaveFrames() {
            for (Pair[] row : pairs) {
                if (!row[self].frames.isEmpty()) {
                    return true;
                }
            }
            return false;
        }

        /** A fabric that gives room back lazily does so here. This one gives it back at once. */
        @Override
        public void rest() {}

        @Override
        public SharedMemory memory() {
            return memory;
        }

        @Override
        public PeerMemory peerMemory() {
            return new OutOfReach("the example has no way to a peer's memory");
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    private static final class ExampleOutlet implements Outlet {
        private final Pair pair;
        private MemorySegment claimed;

        ExampleOutlet(Pair pair) {
            this.pair = pair;
        }

        @Override
        public MemorySegment memory() {
            return claimed;
        }

        /**
         * Finds room, or says that there is none: the device tries again later. A claim need not be committed; another
         * one may follow instead. Real fabrics give out memory that they keep, and allocate nothing.
         */
        @Override
        public long claim(int payloadBytes) {
            if (pair.bytes.get() + payloadBytes + FRAME > ROOM) {
                return FULL;
            }
            claimed = Arena.ofAuto().allocate(Math.max(1, payloadBytes), Long.BYTES);
            return 0;
        }

        /** Sends. The payload may be shorter than the claim, and lies at the offset that the claim gave. */
        @Override
        public void commit(long at, int payloadBytes, int meta, long header) {
            pair.bytes.addAndGet(payloadBytes + FRAME);
            pair.frames.add(new Frame(meta, header, claimed.asSlice(at, payloadBytes)));
        }
    }
}
