package io.rankwire.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class MeetingLinesTest {
    @Test
    void shouldCompareStepsAlsoWhereTheyGoRound() {
        long call = (1L << 36) - 1;
        for (int step : new int[] {0, 1, 77, (1 << 28) - 1, 1 << 28, (1 << 28) + 1, Integer.MAX_VALUE,
            Integer.MIN_VALUE, -1}) {
            for (int ahead = -5; ahead <= 5; ahead++) {
                long word = MeetingLines.word(step + ahead, call);
                assertEquals(ahead, MeetingLines.ahead(word, step), "step " + step);
                assertEquals(call, MeetingLines.call(word));
            }
        }
    }

    @Test
    void shouldShowTheOthersWhatEachHasGiven() {
        int ranks = 3;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(MeetingLines.bytes(ranks), 128);
            MeetingLines[] all = new MeetingLines[ranks];
            for (int rank = 0; rank < ranks; rank++) {
                all[rank] = new MeetingLines(memory, rank);
            }
            for (int step = 1; step <= 3 * MeetingLines.DEPTH; step++) {
                for (int rank = 0; rank < ranks; rank++) {
                    Words.store(all[rank].memory(), all[rank].given(rank, step), 100L * step + rank);
                    Words.store(all[rank].memory(), all[rank].given(rank, step) + MeetingLines.ROOM - 8, -step - rank);
                    all[rank].arrive(step, MeetingLines.word(step, rank), 7 * step);
                }
                for (int rank = 0; rank < ranks; rank++) {
                    MeetingLines other = all[(rank + 1) % ranks];
                    assertEquals(MeetingLines.word(step, rank), other.look(rank, step));
                    assertEquals(7L * step, other.signature(rank, step));
                    assertEquals(100L * step + rank, Words.load(other.memory(), other.given(rank, step)));
                    assertEquals(-step - rank,
                            Words.load(other.memory(), other.given(rank, step) + MeetingLines.ROOM - 8));
                }
            }
        }
    }
}
