package io.rankwire.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class EventsTest {
    private static final int ACTORS = 50;

    private record Event(long at, int target, int source, int number, int kind, long first, long second) {
        static final Comparator<Event> ORDER = Comparator.comparingLong(Event::at)
                .thenComparingInt(Event::target)
                .thenComparingInt(Event::source)
                .thenComparingInt(Event::number);
    }

    /** Delays of all shapes: none, constants, wide ones, and some so long that they leave the calendar. */
    private static long delay(Rand rand, int shape) {
        return switch (shape) {
            case 0 -> 0;
            case 1 -> 1_000L * rand.below(4);
            case 2 -> rand.below(1_000_000);
            case 3 -> 500_000;
            case 4 -> (long) rand.below(1 << 30) << rand.below(12);
            default -> rand.below(10);
        };
    }

    @Test
    void shouldHappenInTheOrderOfANaiveQueue() {
        for (int seed = 0; seed < 300; seed++) {
            Rand rand = new Rand(seed);
            Events events = new Events(ACTORS);
            PriorityQueue<Event> model = new PriorityQueue<>(Event.ORDER);
            int[] numbers = new int[ACTORS];
            int shapes = 1 + rand.below(6);
            int crowd = 1 + rand.below(1 + rand.below(3_000));
            for (int step = 0; step < 6_000; step++) {
                boolean add = model.size() < crowd ? rand.chance(3, 4) : rand.chance(1, 3);
                if (add) {
                    long at = events.now() + delay(rand, rand.below(shapes));
                    int source = rand.below(ACTORS);
                    Event event = new Event(at, rand.below(ACTORS), source, numbers[source]++, rand.below(256),
                            rand.nextLong(), rand.nextLong());
                    model.add(event);
                    events.add(at, event.target, source, event.kind, event.first, event.second);
                } else {
                    if (rand.chance(1, 100)) {
                        checkForeseen(events, model, 1 + rand.below(40));
                    }
                    check(events, model.poll(), seed);
                }
                assertEquals(model.size(), events.pending());
            }
            while (!model.isEmpty()) {
                check(events, model.poll(), seed);
            }
            check(events, null, seed);
            assertTrue(events.isEmpty());
        }
    }

    /** What is foreseen is going to happen, in that order. */
    private static void checkForeseen(Events events, PriorityQueue<Event> model, int most) {
        List<Event> inOrder = new ArrayList<>(model);
        inOrder.sort(Event.ORDER);
        int at = 0;
        int foreseen = events.foresee(most);
        assertTrue(foreseen <= most);
        for (int i = 0; i < foreseen; i++) {
            events.about(i);
            while (inOrder.get(at).target != events.target() || inOrder.get(at).first != events.first()) {
                at++;
            }
            at++;
        }
    }

    /** Ranks in step: thousands at one time, in runs, in swapped runs, or shuffled. */
    @Test
    void shouldSortManyEventsOfOneTime() {
        for (int seed = 0; seed < 40; seed++) {
            Rand rand = new Rand(seed);
            int actors = 2_000 + rand.below(10_000);
            Events events = new Events(actors);
            PriorityQueue<Event> model = new PriorityQueue<>(Event.ORDER);
            int[] numbers = new int[actors];
            int mask = 1 << rand.below(11);
            boolean shuffled = rand.chance(1, 4);
            for (int i = 0; i < actors; i++) {
                int target = shuffled ? rand.below(actors) : (i ^ mask) % actors;
                long at = 5_000_000 + (rand.chance(1, 50) ? rand.below(900) : 0);
                model.add(new Event(at, target, i, numbers[i]++, 1, i, 0));
                events.add(at, target, i, 1, i, 0);
            }
            while (!model.isEmpty()) {
                check(events, model.poll(), seed);
            }
            check(events, null, seed);
        }
    }

    private static void check(Events events, Event expected, int seed) {
        assertEquals(expected == null ? -1 : expected.at, events.nextTime(), () -> "seed " + seed);
        assertEquals(expected != null, events.next(), () -> "seed " + seed);
        if (expected != null) {
            Event seen = new Event(events.now(), events.target(), events.source(), expected.number, events.kind(),
                    events.first(), events.second());
            assertEquals(expected, seen, () -> "seed " + seed);
        }
    }

    @Test
    void shouldGiveTheSameHashWhateverTheOrderOfAdding() {
        List<int[]> starts = new ArrayList<>();
        for (int source = 0; source < ACTORS; source++) {
            starts.add(new int[] {source, source * 7 % ACTORS, source % 5});
        }
        long first = hash(starts, 1);
        Collections.reverse(starts);
        assertEquals(first, hash(starts, 1));
        assertNotEquals(first, hash(starts, 2));
    }

    private static long hash(List<int[]> starts, int scale) {
        Events events = new Events(ACTORS, 4);
        for (int[] start : starts) {
            events.add((long) start[2] * scale, start[1], start[0], 0, 0, 0);
        }
        while (events.next()) {
            int target = events.target();
            if (events.now() < 1_000 && events.pending() < 2_000) {
                events.add(events.now() + target, (target * 3 + 1) % ACTORS, target, 1, 0, 0);
                if (target % 11 == 0) {
                    events.add(events.now() + 17, 3, target, 2, 0, 0);
                }
            }
        }
        assertTrue(events.count() > 100);
        return events.hash();
    }

    @Test
    void shouldTellWhatIsNoted() {
        Events one = new Events(2);
        Events other = new Events(2);
        assertEquals(one.hash(), other.hash());
        one.note(1, 5);
        assertNotEquals(one.hash(), other.hash());
        assertFalse(one.next());
    }
}
