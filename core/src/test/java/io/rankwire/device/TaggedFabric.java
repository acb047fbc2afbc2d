package io.rankwire.device;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortLayer;
import io.rankwire.fabric.TagMatcher;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports of one process whose network matches tags as libfabric describes it: frames of a sender keep their order among
 * themselves, and nothing else is ordered. Frames, completions and answers to cancels take a random time.
 */
final class TaggedFabric {
    private static final int MOST_BYTES = 1 << 15;
    private static final byte GARBAGE = (byte) 0xEE;

    /** A frame on its way, or in the network. */
    private record Tagged(int from, long tag, int meta, long header, byte[] payload) {}

    private final LocalFabric below;
    private final Rand rand;
    private final int places;
    private final int window;
    private final List<Matcher> matchers = new ArrayList<>();
    /** While true, frames without tags do not arrive. */
    boolean holdsFrames;

    TaggedFabric(int ranks, int ringLines, int places, int window, Rand rand) {
        this.below = new LocalFabric(ranks, ringLines);
        this.rand = rand;
        this.places = places;
        this.window = window;
        for (int rank = 0; rank < ranks; rank++) {
            matchers.add(new Matcher(rank, ranks));
        }
    }

    Port open(int rank) {
        return new TaggedPort(below.open(rank), matchers.get(rank));
    }

    /** Messages that have gone by tags. */
    long tagged() {
        return matchers.stream().mapToLong(matcher -> matcher.committed).sum();
    }

    /** Receives that were asked back when they had met a message. */
    long races() {
        return matchers.stream().mapToLong(matcher -> matcher.races).sum();
    }

    /** Whether nothing is in the network, nor posted to it. */
    boolean isEmpty() {
        return matchers.stream().allMatch(Matcher::isEmpty);
    }

    private final class TaggedPort extends PortLayer {
        private final Matcher matcher;

        TaggedPort(Port below, Matcher matcher) {
            super(below);
            this.matcher = matcher;
        }

        @Override
        public TagMatcher tagMatcher() {
            return matcher;
        }

        @Override
        public int poll(FrameSink sink, int limit) {
            int tagged = rand.chance(1, 4) ? matcher.poll(false) : 0;
            int framed = !holdsFrames && rand.chance(3, 4) ? super.poll(sink, limit) : 0;
            return tagged + framed + matcher.poll(false);
        }

        @Override
        public int pollAll(FrameSink sink, int limit) {
            int tagged = rand.chance(1, 2) ? matcher.poll(true) : 0;
            int framed = holdsFrames ? 0 : super.pollAll(sink, limit);
            return tagged + framed + matcher.poll(true);
        }
    }

    private static final class Place {
        boolean isPosted;
        boolean isCancelled;
        Tagged met;
        long tag;
        long ignored;
        long order;
        final MemorySegment memory = Arena.ofAuto().allocate(MOST_BYTES, 8);
    }

    private final class Matcher implements TagMatcher {
        private final int self;
        private final Place[] receives = new Place[places];
        private final List<ArrayDeque<Tagged>> wires = new ArrayList<>();
        private final List<Tagged> unexpected = new ArrayList<>();
        private final MemorySegment claimed = Arena.ofAuto().allocate(MOST_BYTES, 8);
        private Sink sink;
        private long orders;
        private long committed;
        private long races;

        Matcher(int self, int ranks) {
            this.self = self;
            for (int i = 0; i < places; i++) {
                receives[i] = new Place();
            }
            for (int from = 0; from < ranks; from++) {
                wires.add(new ArrayDeque<>());
            }
        }

        boolean isEmpty() {
            boolean none = unexpected.isEmpty() && wires.stream().allMatch(ArrayDeque::isEmpty);
            for (Place place : receives) {
                none &= !place.isPosted;
            }
            return none;
        }

        @Override
        public int places() {
            return places;
        }

        @Override
        public int window() {
            return window;
        }

        @Override
        public boolean reaches(int rank) {
            return rank != self;
        }

        @Override
        public void open(Sink to) {
            sink = to;
        }

        @Override
        public boolean post(int at, long tag, long ignored) {
            Place place = receives[at];
            if (place.isPosted) {
                throw new AssertionError("place " + at + " is posted");
            }
            if (rand.chance(1, 12)) {
                return false;
            }
            place.memory.fill(GARBAGE);
            place.isPosted = true;
            place.isCancelled = false;
            place.met = null;
            place.tag = tag;
            place.ignored = ignored;
            place.order = orders++;
            for (Tagged frame : unexpected) {
                if (fits(place, frame)) {
                    unexpected.remove(frame);
                    meet(place, frame);
                    break;
                }
            }
            return true;
        }

        private static boolean fits(Place place, Tagged frame) {
            return ((place.tag ^ frame.tag) & ~place.ignored) == 0;
        }

        private void meet(Place place, Tagged frame) {
            place.met = frame;
            MemorySegment.copy(frame.payload, 0, place.memory, ValueLayout.JAVA_BYTE, 0, frame.payload.length);
        }

        @Override
        public void cancel(int at) {
            if (!receives[at].isPosted || receives[at].isCancelled) {
                throw new AssertionError("place " + at + " is not posted, or was asked back before");
            }
            receives[at].isCancelled = true;
            races += receives[at].met != null ? 1 : 0;
        }

        @Override
        public long claim(int rank, int payloadBytes) {
            return rand.chance(1, 20) ? FULL : 0;
        }

        @Override
        public MemorySegment memory() {
            return claimed;
        }

        @Override
        public void commit(int rank, long at, int bytes, int meta, long header, long tag) {
            byte[] payload = new byte[bytes];
            MemorySegment.copy(claimed, ValueLayout.JAVA_BYTE, at, payload, 0, bytes);
            Matcher to = matchers.get(rank);
            to.wires.get(self).add(new Tagged(self, tag, meta, header, payload));
            long waiting = to.wires.get(self).size() + to.unexpected.stream().filter(f -> f.from == self).count();
            if (waiting > window) {
                throw new AssertionError(waiting + " messages wait in the network, where " + window + " may");
            }
            committed++;
        }

        int poll(boolean all) {
            int work = 0;
            for (ArrayDeque<Tagged> wire : wires) {
                while (!wire.isEmpty() && (all || rand.chance(1, 2))) {
                    arrive(wire.poll());
                    work++;
                }
            }
            if (sink == null) {
                return work;
            }
            for (int i = 0, at = rand.below(places); i < places; i++, at = (at + 1) % places) {
                if (receives[at].isPosted && (all || rand.chance(1, 2))) {
                    work += report(at);
                }
            }
            return work;
        }

        private void arrive(Tagged frame) {
            Place first = null;
            for (Place place : receives) {
                boolean fits = place.isPosted && place.met == null && fits(place, frame);
                if (fits && (first == null || place.order < first.order)) {
                    first = place;
                }
            }
            if (first == null) {
                unexpected.add(frame);
            } else {
                meet(first, frame);
            }
        }

        private int report(int at) {
            Place place = receives[at];
            if (place.met != null) {
                Tagged met = place.met;
                place.isPosted = false;
                sink.matched(at, met.from, met.meta, met.header, place.memory, 0, met.payload.length);
                return 1;
            }
            if (place.isCancelled) {
                place.isPosted = false;
                sink.cancelled(at);
                return 1;
            }
            return 0;
        }
    }
}
