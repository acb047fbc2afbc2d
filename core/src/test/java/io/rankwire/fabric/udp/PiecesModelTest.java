package io.rankwire.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.memory.Rand;
import io.rankwire.memory.Words;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pieces in any order, lost and doubled, against a set of those that have come of the newest datagram. */
final class PiecesModelTest {
    private static final int MOST = UdpFabric.LOCAL;

    @Test
    void shouldPutTogetherWhatIsWhole() {
        for (int seed = 0; seed < 200; seed++) {
            Rand rand = new Rand(seed);
            Pieces pieces = new Pieces(MOST);
            Area piece = Area.of(Pieces.SAFE);
            for (int number = 1; number <= 10; number++) {
                int total = rand.between(1, MOST);
                int count = (total + Pieces.PART - 1) / Pieces.PART;
                Set<Integer> come = new HashSet<>();
                for (int i = 0; i < 3 * count; i++) {
                    int place = rand.below(count);
                    int part = Math.min(Pieces.PART, total - place * Pieces.PART);
                    Words.storeUnaligned(piece.memory(), 0, Pieces.word(number, total, place));
                    for (int at = 0; at < part; at++) {
                        piece.memory().set(ValueLayout.JAVA_BYTE, Pieces.LEAD + at,
                                content(number, place * Pieces.PART + at));
                    }
                    boolean last = come.add(place) && come.size() == count;
                    int got = pieces.add(piece.memory(), 0, Pieces.LEAD + part);
                    assertEquals(last ? total : 0, got, "seed " + seed + ", datagram " + number);
                    for (int at = 0; at < got; at++) {
                        assertEquals(content(number, at), pieces.whole.get(ValueLayout.JAVA_BYTE, at));
                    }
                }
            }
        }
    }

    private static byte content(int number, int at) {
        return (byte) (number * 31 + at * 7 + at / 256);
    }
}
