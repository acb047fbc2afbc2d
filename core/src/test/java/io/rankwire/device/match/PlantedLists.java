package io.rankwire.device.match;

import io.rankwire.fabric.TagMatcher;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.BiFunction;

/** Lists with one bug each, which a test has to find. */
public final class PlantedLists {
    private PlantedLists() {}

    /** All of them. */
    public static List<BiFunction<TagMatcher, NetworkList.Side, NetworkList>> all() {
        return List.of(RaceLost::new, Reordered::new, DrainedEarly::new, NotBalanced::new);
    }

    /** A message that came to a place which was asked back is dropped. */
    private static final class RaceLost extends NetworkList {
        RaceLost(TagMatcher matcher, Side side) {
            super(matcher, side);
        }

        @Override
        public void matched(int place, int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
            if (states[place] == CANCELLING) {
                cancelled(place);
            } else {
                super.matched(place, from, meta, header, memory, payload, bytes);
            }
        }
    }

    /** Messages are handed over as the network reports them. */
    private static final class Reordered extends NetworkList {
        Reordered(TagMatcher matcher, Side side) {
            super(matcher, side);
        }

        @Override
        int ready(Key key) {
            int place = key.first;
            while (place >= 0 && states[place] != CAME) {
                place = next[place];
            }
            return place;
        }
    }

    /** Messages are taken out of the network while receives are there. */
    private static final class DrainedEarly extends NetworkList {
        DrainedEarly(TagMatcher matcher, Side side) {
            super(matcher, side);
        }

        @Override
        public int receivesOf(int channel) {
            return 0;
        }
    }

    /** Places of cancelled receives are not asked back. */
    private static final class NotBalanced extends NetworkList {
        NotBalanced(TagMatcher matcher, Side side) {
            super(matcher, side);
        }

        @Override
        void balance(Key key) {}
    }
}
