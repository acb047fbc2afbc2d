package io.rankwire.device.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rankwire.device.Violation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Parts of one message that overtake each other, against a set of blocks. */
class ReceiveTransferTest {
    private static final int BLOCKS = 40;
    private static final int GRAIN = Span.GRAIN;

    private record Part(int block, int blocks) {}

    /** The late end, cut into parts from the back on, in an order of chance; some are damaged or come twice. */
    @Test
    void shouldTakeEachByteOnce() {
        ReceiveTransfer transfer = new ReceiveTransfer();
        for (long seed = 1; seed <= 2_000; seed++) {
            Random random = new Random(seed);
            int early = random.nextInt(BLOCKS);
            List<Part> parts = new ArrayList<>();
            for (int at = BLOCKS; at > early; ) {
                int blocks = 1 + random.nextInt(Math.min(6, at - early));
                at -= blocks;
                parts.add(new Part(at, blocks));
            }
            Collections.shuffle(parts, random);
            transfer.begin(1, (long) BLOCKS * GRAIN);
            transfer.answer(false);
            BitSet here = new BitSet();
            int front = 0;
            for (Part part : parts) {
                while (front < early && random.nextBoolean()) {
                    assertEquals(GRAIN, transfer.moveFront((long) front * GRAIN, GRAIN));
                    here.set(front++);
                }
                if (random.nextInt(4) == 0) {
                    refuse(transfer, here, random);
                }
                transfer.moveBack((long) part.block * GRAIN, part.blocks * GRAIN);
                here.set(part.block, part.block + part.blocks);
                assertEquals(here.cardinality() == BLOCKS, transfer.isComplete(), "seed " + seed);
            }
            for (; front < early; front++) {
                assertEquals(GRAIN, transfer.moveFront((long) front * GRAIN, GRAIN));
            }
            assertEquals(true, transfer.isComplete(), "seed " + seed);
        }
    }

    /** Whatever touches a byte that is here, or lies outside, is refused and changes nothing. */
    private static void refuse(ReceiveTransfer transfer, BitSet here, Random random) {
        int block = random.nextInt(BLOCKS + 4) - 2;
        int blocks = random.nextInt(4);
        boolean isWrong = blocks == 0 || block < 0 || block + blocks > BLOCKS
                || here.get(block, block + blocks).cardinality() > 0;
        if (isWrong) {
            assertThrows(Violation.class, () -> transfer.moveBack((long) block * GRAIN, blocks * GRAIN));
        }
        assertThrows(Violation.class, () -> transfer.moveBack(1, GRAIN));
    }
}
