package io.rankwire.device.match;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.wire.MatchWord;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class KeyTableTest {
    private static final int LINK = HeaderStore.LINK;

    /** Ranks and tags come in rows, grids and strides; none of them may pile up in the table. */
    @Test
    void shouldSpreadTheKeysProgramsUse() {
        for (int stride = 1; stride <= 1 << 14; stride *= 4) {
            int step = stride;
            shouldSpread("tags " + stride, i -> MatchWord.exact(5, i * step));
            shouldSpread("sources " + stride, i -> MatchWord.exact(i * step, 7));
            shouldSpread("both " + stride, i -> MatchWord.exact(i * step, i * step));
            shouldSpread("grid " + stride, i -> MatchWord.exact(i % 256 * step, i / 256));
            shouldSpread("any source " + stride, i -> MatchWord.of(MatchWord.ANY, i * step));
            shouldSpread("any tag " + stride, i -> MatchWord.of(i * step, MatchWord.ANY));
        }
    }

    private static void shouldSpread(String pattern, IntToLongFunction keys) {
        for (int count : new int[] {60, 1_000, 8_000, 60_000}) {
            KeyTable table = new KeyTable();
            long[] cells = new long[HeaderStore.at(1)];
            for (int i = 0; i < count; i++) {
                table.append(cells, keys.applyAsLong(i), 0, LINK);
            }
            assertEquals(count, table.keys());
            double strayed = (double) table.strayed() / count;
            assertTrue(strayed < 1.5, pattern + ", " + count + " keys: " + strayed + " slots from home");
        }
    }

    @Test
    void shouldKeepOneFifoForEachKey() {
        KeyTable table = new KeyTable();
        long[] cells = new long[HeaderStore.at(8)];
        for (int entry = 0; entry < 8; entry++) {
            table.append(cells, 1 + entry % 2, entry, LINK);
        }
        assertEquals(2, table.keys());
        assertEquals(0, table.head(1));
        int[] headers = new int[8];
        assertEquals(8, table.collect(cells, LINK, headers));
        assertArrayEquals(new int[] {0, 2, 4, 6}, IntStream.of(headers).filter(entry -> entry % 2 == 0).toArray());
        table.remove(cells, 2, 7, LINK);
        table.remove(cells, 2, 3, LINK);
        table.remove(cells, 2, 1, LINK);
        assertEquals(5, table.head(2));
        table.remove(cells, 2, 5, LINK);
        assertEquals(-1, table.head(2));
        assertEquals(4, table.length(cells, 0, LINK, 8));
        table.checkInvariants();
    }
}
