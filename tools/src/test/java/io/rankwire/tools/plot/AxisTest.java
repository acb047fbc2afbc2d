package io.rankwire.tools.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class AxisTest {
    @Test
    void shouldMarkLogAxesRoundTheValues() {
        Axis few = Axis.values(3000, 4000, 100, 0);
        assertEquals(List.of("2,000", "5,000"), labels(few));
        assertEquals(100, few.at(2000), 1e-9);
        assertEquals(0, few.at(5000), 1e-9);
        Axis ends = Axis.values(0.3, 400, 0, 1);
        assertEquals(List.of("0.2", "1", "10", "100", "500"), labels(ends));
        Axis many = Axis.values(0.17, 600, 0, 1);
        assertEquals(0.1, many.least(), 1e-12);
        assertEquals(1000, many.most(), 1e-9);
        assertEquals(List.of("0.1", "1", "10", "100", "1,000"), labels(many));
        Axis sizes = Axis.sizes(8, 2 << 20, 0, 18);
        assertEquals("8 B", sizes.marks().get(0).label());
        assertEquals("2 MiB", sizes.marks().getLast().label());
        assertEquals(9, sizes.at(4096), 1e-9);
        assertEquals("262,144", Axis.counts(1 << 10, 1 << 18, 0, 1).marks().getLast().label());
        Axis one = Axis.sizes(4096, 4096, 0, 1);
        assertEquals(0, one.at(4096), 1e-9);
        assertEquals(List.of(5.0, 10.0), Axis.values(5, 5, 0, 1).marks().stream().map(Axis.Mark::value).toList());
    }

    private static List<String> labels(Axis axis) {
        return axis.marks().stream().map(Axis.Mark::label).filter(label -> label != null).toList();
    }
}
