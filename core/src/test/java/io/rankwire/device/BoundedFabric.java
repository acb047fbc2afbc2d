package io.rankwire.device;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.OutOfReach;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortTraits;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.fabric.local.LocalFabric;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;

/** A fabric whose frames lie in memory of exactly their length: an access outside of a payload throws. */
final class BoundedFabric {
    static final int MOST_PAYLOAD = 1024;
    private static final int MOST_FRAMES = 64;

    record Sent(int meta, long header, MemorySegment payload) {
        int bytes() {
            return (int) payload.byteSize();
        }
    }

    private final int ranks;
    private final LocalFabric memory;
    private final List<Queue<Sent>> ways = new ArrayList<>();

    BoundedFabric(int ranks) {
        this.ranks = ranks;
        this.memory = new LocalFabric(ranks, 64);
        for (int i = 0; i < ranks * ranks; i++) {
            ways.add(new ArrayDeque<>());
        }
    }

    /** What one rank has sent to another, and the other has not got. */
    Queue<Sent> way(int from, int to) {
        return ways.get(from * ranks + to);
    }

    /** Memory for a payload of this length, with its bytes at the start of words. */
    static MemorySegment payload(int bytes) {
        return MemorySegment.ofArray(new long[(bytes + 7) / 8]).asSlice(0, bytes);
    }

    Port open(int rank) {
        return new BoundedPort(rank, memory.open(rank).memory());
    }

    void close() {
        memory.close();
    }

    private final class BoundedPort implements Port {
        private final int self;
        private final SharedMemory shared;
        private final BitSet dismissed = new BitSet();

        BoundedPort(int self, SharedMemory shared) {
            this.self = self;
            this.shared = shared;
        }

        @Override
        public int self() {
            return self;
        }

        @Override
        public int peers() {
            return ranks;
        }

        @Override
        public PortTraits traits() {
            return new PortTraits(MOST_PAYLOAD, true, true);
        }

        @Override
        public Outlet outlet(int peer) {
            Queue<Sent> way = way(self, peer);
            return new Outlet() {
                private MemorySegment claimed;

                @Override
                public MemorySegment memory() {
                    return claimed;
                }

                @Override
                public long claim(int payloadBytes) {
                    claimed = payload(payloadBytes);
                    return way.size() < MOST_FRAMES ? 0 : FULL;
                }

                @Override
                public void commit(long at, int payloadBytes, int meta, long header) {
                    way.add(new Sent(meta, header, claimed.asSlice(at, payloadBytes)));
                }
            };
        }

        @Override
        public int poll(FrameSink sink, int limit) {
            int work = 0;
            for (int peer = 0; peer < ranks; peer++) {
                Queue<Sent> way = way(peer, self);
                for (int taken = 0; taken < limit && !way.isEmpty(); taken++) {
                    Sent sent = way.remove();
                    work++;
                    if (!dismissed.get(peer)) {
                        sink.frame(peer, sent.meta, sent.header, sent.payload, 0, sent.bytes());
                    }
                }
            }
            return work;
        }

        @Override
        public int pollAll(FrameSink sink, int limit) {
            return poll(sink, limit);
        }

        @Override
        public SharedMemory memory() {
            return shared;
        }

        @Override
        public PeerMemory peerMemory() {
            return new OutOfReach("ranks are objects");
        }

        @Override
        public boolean mayHaveFrames() {
            return true;
        }

        @Override
        public void rest() {}

        @Override
        public void dismiss(int peer) {
            dismissed.set(peer);
        }

        @Override
        public void close() {}
    }
}
