package io.rankwire.device.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class HeaderStoreTest {
    @Test
    void shouldDoubleUpToItsLimitAndThenRefuse() {
        HeaderStore store = new HeaderStore(2, 7);
        Set<Integer> given = new HashSet<>();
        int[] capacities = {2, 2, 4, 4, 7, 7, 7};
        for (int capacity : capacities) {
            assertTrue(given.add(store.allocate()));
            assertEquals(capacity, store.capacity());
        }
        assertEquals(-1, store.allocate());
        assertEquals(7, store.inUse());
        store.checkInvariants();
    }

    @Test
    void shouldGiveFreedHeadersAgain() {
        HeaderStore store = new HeaderStore(1, 2);
        int first = store.allocate();
        store.allocate();
        store.free(first);
        assertEquals(1, store.inUse());
        assertEquals(first, store.allocate());
        assertEquals(-1, store.allocate());
        store.checkInvariants();
    }

    @Test
    void shouldGrowFurtherWhenTheLimitIsRaised() {
        HeaderStore store = new HeaderStore(1, 1);
        store.allocate();
        assertEquals(-1, store.allocate());
        store.limit(3);
        assertEquals(3, store.limit());
        assertTrue(store.allocate() >= 0);
        assertTrue(store.allocate() >= 0);
        assertEquals(-1, store.allocate());
        assertThrows(IllegalArgumentException.class, () -> store.limit(2));
        store.checkInvariants();
    }

    @Test
    void shouldKeepWhatHeadersHoldWhenItGrows() {
        HeaderStore store = new HeaderStore(1, 64);
        MatchQueue queue = new MatchQueue(store);
        int first = queue.append(5, 11, 12);
        for (int i = 0; i < 63; i++) {
            queue.append(6 + i, i, i);
        }
        assertEquals(64, store.capacity());
        assertEquals(5, store.word(first));
        assertEquals(11, store.description(first));
        assertEquals(12, store.payload(first));
    }

    @Test
    void shouldNoticeAHeaderFreedTwice() {
        HeaderStore store = new HeaderStore(2, 2);
        store.allocate();
        int entry = store.allocate();
        store.free(entry);
        assertThrows(AssertionError.class, () -> store.free(entry));
    }
}
