package io.rankwire.device.match;

import static io.rankwire.device.match.Matching.FULL;
import static io.rankwire.device.match.Matching.NONE;
import static io.rankwire.wire.MatchWord.ANY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.wire.MatchWord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class MatchQueueTest {
    private final HeaderStore store = new HeaderStore(1, 100_000);
    private final MatchQueue queue = new MatchQueue(store);

    @AfterEach
    void check() {
        queue.checkInvariants();
        store.checkInvariants();
    }

    @Test
    void shouldMeetReceivesOfOneKeyInPostOrder() {
        for (int handle = 0; handle < 5; handle++) {
            assertTrue(queue.post(MatchWord.exact(3, 9), handle) < 0);
        }
        assertEquals(NONE, queue.arrive(MatchWord.exact(3, 8)));
        for (int handle = 0; handle < 5; handle++) {
            assertEquals(handle, queue.arrive(MatchWord.exact(3, 9)));
        }
        assertEquals(NONE, queue.arrive(MatchWord.exact(3, 9)));
        assertEquals(0, store.inUse());
    }

    @Test
    void shouldMeetTheEarliestReceiveWhateverItsShape() {
        long[] words = {
            MatchWord.of(1, 2), MatchWord.of(1, ANY), MatchWord.of(ANY, 2), MatchWord.of(ANY, ANY),
        };
        for (int rotation = 0; rotation < 4; rotation++) {
            for (int i = 0; i < 4; i++) {
                queue.post(words[(rotation + i) % 4], i);
            }
            for (int i = 0; i < 4; i++) {
                assertEquals(i, queue.arrive(MatchWord.exact(1, 2)));
            }
        }
        assertEquals(0, queue.posted());
    }

    @Test
    void shouldGiveEachShapeItsEarliestMessage() {
        int[] sources = {4, 1, 4, 1};
        int[] tags = {7, 7, 8, 8};
        for (int i = 0; i < 4; i++) {
            assertEquals(NONE, queue.arrive(MatchWord.exact(sources[i], tags[i])));
            queue.append(MatchWord.exact(sources[i], tags[i]), i, 10 + i);
        }
        assertEquals(3, store.description(queue.search(MatchWord.of(1, 8))));
        assertEquals(1, store.description(queue.search(MatchWord.of(1, ANY))));
        assertEquals(2, store.description(queue.search(MatchWord.of(ANY, 8))));
        assertEquals(0, store.description(queue.search(MatchWord.of(ANY, ANY))));
        assertEquals(NONE, queue.search(MatchWord.of(2, ANY)));
        int entry = queue.post(MatchWord.of(ANY, 8), 0);
        assertEquals(2, store.description(entry));
        assertEquals(12, store.payload(entry));
        store.free(entry);
        assertEquals(3, store.description(queue.search(MatchWord.of(ANY, 8))));
        assertEquals(3, queue.unexpected());
        assertEquals(3, store.inUse());
    }

    @Test
    void shouldIndexMessagesThatCameBeforeAndAfterTheFirstWildSearch() {
        queue.append(MatchWord.exact(1, 1), 0, 0);
        assertEquals(0, queue.search(MatchWord.of(ANY, 1)));
        queue.append(MatchWord.exact(2, 5), 1, 0);
        assertEquals(1, store.description(queue.search(MatchWord.of(ANY, 5))));
        assertEquals(1, store.description(queue.search(MatchWord.of(2, ANY))));
        queue.checkInvariants();
        while (queue.unexpected() > 0) {
            int entry = queue.firstUnexpected();
            queue.take(entry);
            queue.release(entry);
        }
        queue.append(MatchWord.exact(2, 6), 2, 0);
        assertEquals(2, store.description(queue.search(MatchWord.of(2, ANY))));
    }

    @Test
    void shouldCancelOnceAndOnlyItsOwn() {
        MatchQueue other = new MatchQueue(store);
        queue.post(MatchWord.exact(5, 5), 16);
        int entry = ~queue.post(MatchWord.exact(0, 0), 17);
        assertFalse(other.removePosted(entry, 17));
        assertFalse(queue.removePosted(entry, 18));
        assertTrue(queue.removePosted(entry, 17));
        assertFalse(queue.removePosted(entry, 17));
        assertEquals(NONE, queue.arrive(MatchWord.exact(0, 0)));
        int message = queue.append(MatchWord.exact(0, 0), 0, 0);
        assertEquals(entry, message);
        assertFalse(queue.removePosted(message, 0));
        other.checkInvariants();
    }

    @Test
    void shouldCancelAtEitherEndAndInTheMiddle() {
        int[] entries = new int[5];
        for (int i = 0; i < 5; i++) {
            entries[i] = ~queue.post(MatchWord.of(ANY, 3), i);
        }
        assertTrue(queue.removePosted(entries[2], 2));
        assertTrue(queue.removePosted(entries[0], 0));
        assertTrue(queue.removePosted(entries[4], 4));
        assertEquals(1, queue.arrive(MatchWord.exact(9, 3)));
        assertEquals(3, queue.arrive(MatchWord.exact(8, 3)));
        assertEquals(0, queue.posted());
    }

    @Test
    void shouldKeepReceivesOfOneWordOutOfTheTableUntilAnotherWordComes() {
        int[] entries = new int[100];
        for (int i = 0; i < 100; i++) {
            entries[i] = ~queue.post(MatchWord.exact(1, 1), i);
        }
        assertEquals(0, queue.inTable());
        assertEquals(100, store.inUse());
        assertTrue(queue.removePosted(entries[50], 50));
        queue.post(MatchWord.of(ANY, 1), 100);
        assertEquals(100, queue.inTable());
        assertEquals(100, store.inUse());
        assertFalse(queue.removePosted(entries[50], 50));
        assertTrue(queue.removePosted(entries[0], 0));
        assertTrue(queue.removePosted(entries[99], 99));
        queue.checkInvariants();
        for (int i = 1; i < 99; i++) {
            if (i != 50) {
                assertEquals(i, queue.arrive(MatchWord.exact(1, 1)));
            }
        }
        assertFalse(queue.removePosted(entries[1], 1));
        assertEquals(100, queue.arrive(MatchWord.exact(1, 1)));
        assertTrue(Run.isPlace(~queue.post(MatchWord.exact(2, 2), 7)), "an empty queue starts a new run");
    }

    @Test
    void shouldNotGrowForGapsBetweenReceivesThatStay() {
        long word = MatchWord.exact(1, 1);
        queue.post(word, 0);
        int last = ~queue.post(word, 1);
        for (int i = 2; i < 10_000; i++) {
            int entry = ~queue.post(word, i);
            assertTrue(queue.removePosted(last, i - 1));
            last = entry;
        }
        queue.checkInvariants();
        assertEquals(2, queue.inTable());
        assertEquals(List.of(0, 9_999), handles(queue));
    }

    @Test
    void shouldNameReceivesThatAreReadyUpToAGap() {
        long word = MatchWord.exact(3, 4);
        int[] entries = new int[20];
        for (int i = 0; i < 20; i++) {
            entries[i] = ~queue.post(MatchWord.of(3, ANY), i);
        }
        queue.removePosted(entries[2], 2);
        assertEquals(0, queue.ready(MatchWord.exact(4, 4)));
        assertEquals(20, queue.ready(word));
        assertEquals(0, queue.ready(0));
        assertEquals(1, queue.ready(1));
        assertEquals(NONE, queue.ready(2));
        queue.meetReady(2);
        assertEquals(17, queue.posted());
        assertEquals(17, store.inUse());
        assertEquals(3, queue.arrive(word));
        assertEquals(16, queue.ready(word));
    }

    @Test
    void shouldCountReceivesInARunAgainstTheLimit() {
        HeaderStore small = new HeaderStore(1, 3);
        MatchQueue tight = new MatchQueue(small);
        MatchQueue other = new MatchQueue(small);
        tight.post(MatchWord.exact(1, 1), 0);
        tight.post(MatchWord.exact(1, 1), 1);
        other.append(MatchWord.exact(1, 1), 0, 0);
        assertEquals(FULL, tight.post(MatchWord.exact(1, 1), 2));
        assertEquals(FULL, tight.post(MatchWord.exact(2, 1), 2));
        assertEquals(FULL, other.append(MatchWord.exact(1, 1), 0, 0));
        assertEquals(2, tight.posted());
        small.limit(4);
        assertTrue(tight.post(MatchWord.exact(2, 1), 2) < 0);
        assertEquals(3, tight.inTable());
        assertEquals(List.of(0, 1, 2), handles(tight));
        tight.checkInvariants();
        small.checkInvariants();
    }

    @Test
    void shouldChangeNothingWhenTheStoreIsFull() {
        HeaderStore small = new HeaderStore(1, 2);
        MatchQueue tight = new MatchQueue(small);
        tight.append(MatchWord.exact(1, 1), 0, 0);
        tight.post(MatchWord.exact(2, 2), 5);
        assertEquals(FULL, tight.append(MatchWord.exact(1, 1), 1, 0));
        assertEquals(FULL, tight.post(MatchWord.exact(3, 3), 6));
        assertEquals(1, tight.posted());
        assertEquals(1, tight.unexpected());
        assertTrue(tight.post(MatchWord.exact(1, 1), 7) >= 0, "a match needs no header");
        assertEquals(5, tight.arrive(MatchWord.exact(2, 2)));
        assertTrue(tight.post(MatchWord.exact(3, 3), 6) < 0);
        tight.checkInvariants();
        small.checkInvariants();
    }

    @Test
    void shouldGrowItsTableAndShiftBackAsItEmpties() {
        int keys = 20_000;
        for (int i = 0; i < keys; i++) {
            queue.post(MatchWord.exact(i % 100, i / 100), i);
        }
        queue.checkInvariants();
        for (int i = keys - 1; i >= 0; i -= 2) {
            assertEquals(i, queue.arrive(MatchWord.exact(i % 100, i / 100)));
        }
        queue.checkInvariants();
        for (int i = 0; i < keys; i += 2) {
            assertEquals(i, queue.arrive(MatchWord.exact(i % 100, i / 100)));
        }
        assertEquals(0, store.inUse());
    }

    @Test
    void shouldAcceptTheLargestSourceAndTag() {
        long word = MatchWord.exact(MatchWord.MAX_SOURCE, MatchWord.MAX_TAG);
        queue.post(MatchWord.of(MatchWord.MAX_SOURCE, ANY), Integer.MAX_VALUE);
        queue.post(word, 0);
        assertEquals(Integer.MAX_VALUE, queue.arrive(word));
        assertEquals(0, queue.arrive(word));
    }

    @Test
    void shouldMoveToAListAndBackInOrder() {
        for (int i = 0; i < 100; i++) {
            queue.post(i % 3 == 0 ? MatchWord.of(ANY, i % 7) : MatchWord.of(i % 5, ANY), i);
            queue.append(MatchWord.exact(50 + i % 4, 1_000 + i), i, i);
        }
        List<Integer> before = handles(queue);
        ListMatcher list = new ListMatcher();
        int[] entries = new int[100];
        queue.dumpTo(list, (handle, entry) -> entries[handle] = entry);
        assertEquals(0, store.inUse());
        assertEquals(before, handles(list));
        assertTrue(list.removePosted(entries[40], 40));
        assertTrue(list.handBack(queue, (handle, entry) -> entries[handle] = entry));
        before.remove(Integer.valueOf(40));
        assertEquals(before, handles(queue));
        assertTrue(queue.removePosted(entries[41], 41));
        int expected = 0;
        for (int e = queue.firstUnexpected(); e >= 0; e = queue.nextUnexpected(e)) {
            assertEquals(expected++, store.description(e));
        }
        assertEquals(100, expected);
    }

    @Test
    void shouldRefuseToHandBackMoreThanTheStoreHolds() {
        MatchQueue tight = new MatchQueue(new HeaderStore(1, 2));
        ListMatcher list = new ListMatcher();
        for (int i = 0; i < 3; i++) {
            list.post(MatchWord.exact(0, i), i);
        }
        assertFalse(list.handBack(tight, (handle, entry) -> {}));
        assertEquals(3, list.posted());
        assertEquals(0, tight.posted());
        tight.headers().limit(3);
        assertTrue(list.handBack(tight, (handle, entry) -> {}));
        assertEquals(List.of(0, 1, 2), handles(tight));
    }

    private static List<Integer> handles(Matching matching) {
        List<Integer> handles = new ArrayList<>();
        matching.forEachPosted(handles::add);
        return handles;
    }
}
