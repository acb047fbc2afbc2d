package io.rankwire.device.match;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.match.QueueHints.By;
import io.rankwire.wire.MatchWord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where a spread queue keeps receives and messages; {@link MatchQueueModelTest} compares what it matches. */
final class SpreadQueueTest {
    private static final int TAG = 3;

    private final HeaderStore store = new HeaderStore(1, 100_000);

    private static long word(By by, int number) {
        return by == By.SOURCE ? MatchWord.exact(number, TAG) : MatchWord.exact(TAG, number);
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepWhatDiffersInTheSpreadFieldApart(By by) {
        SpreadQueue queue = new SpreadQueue(store, store.common(), store.common(), new QueueHints(0, 0, by, 4),
                (handle, entry) -> { });
        for (int number = 0; number < 10; number++) {
            queue.post(word(by, number), number);
        }
        assertArrayEquals(new int[] {3, 3, 2, 2}, queue.postedByPart());
        for (int number = 9; number >= 0; number--) {
            assertEquals(number, queue.arrive(word(by, number)));
        }
        for (int number = 0; number < 6; number++) {
            queue.append(word(by, number), 0, 0);
        }
        assertArrayEquals(new int[] {2, 2, 1, 1}, queue.unexpectedByPart());
        queue.checkInvariants();
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeOneQueueFromAWildcardOnUntilItIsEmpty(By by) {
        SpreadQueue queue = new SpreadQueue(store, store.common(), store.common(), new QueueHints(0, 0, by, 4),
                (handle, entry) -> { });
        queue.post(word(by, 1), 0);
        queue.post(by == By.SOURCE ? MatchWord.of(MatchWord.ANY, TAG) : MatchWord.of(TAG, MatchWord.ANY), 1);
        assertEquals(1, queue.merges());
        assertArrayEquals(new int[4], queue.postedByPart());
        assertEquals(0, queue.arrive(word(by, 1)));
        assertEquals(1, queue.arrive(word(by, 1)));
        assertTrue(queue.post(word(by, 2), 2) < 0);
        assertArrayEquals(new int[] {0, 0, 1, 0}, queue.postedByPart());
        queue.checkInvariants();
    }
}
