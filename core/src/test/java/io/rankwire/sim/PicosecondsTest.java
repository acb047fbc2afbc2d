package io.rankwire.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PicosecondsTest {
    @Test
    void shouldTakeTheLargestUnitAndLoseNothing() {
        assertEquals("0 ps", Picoseconds.text(0));
        assertEquals("999 ps", Picoseconds.text(999));
        assertEquals("1 ns", Picoseconds.text(1_000));
        assertEquals("102.4 ns", Picoseconds.text(102_400));
        assertEquals("999.999 ns", Picoseconds.text(999_999));
        assertEquals("2.5 µs", Picoseconds.text(2_500_000));
        assertEquals("100 ms", Picoseconds.text(100_000_000_000L));
        assertEquals("1200 s", Picoseconds.text(1_200_000_000_000_000L));
        assertEquals("9223372.036854775807 s", Picoseconds.text(Long.MAX_VALUE));
    }
}
