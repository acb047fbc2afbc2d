package io.rankwire.type;

import java.util.ArrayList;
import java.util.Arrays;

/** Puts programs one after another. Rows that follow on each other grow together; regular ones become a pattern. */
public final class ProgramBuilder {
    /** A list of rows up to this length is taken apart, so that its ends can grow together with others. */
    private static final int SHORT = 64;

    private final ArrayList<CopyProgram> parts = new ArrayList<>();
    private long[] places = new long[8];
    private long[] packed = new long[9];
    private int rows;

    public void add(long displacement, CopyProgram program) {
        if (program.size == 0) {
            return;
        }
        switch (program) {
            case Strided s when s.count == 1 -> row(displacement + s.start, s.block);
            case Strided s when s.count <= 2 -> s.visit(displacement, this::row);
            case Runs r when r.runs <= SHORT -> r.visit(displacement, this::row);
            default -> {
                flush();
                parts.add(program.shifted(displacement));
            }
        }
    }

    private void row(long place, long bytes) {
        if (rows > 0 && places[rows - 1] + packed[rows] - packed[rows - 1] == place) {
            packed[rows] += bytes;
            return;
        }
        if (rows == places.length) {
            places = Arrays.copyOf(places, 2 * rows);
            packed = Arrays.copyOf(packed, 2 * rows + 1);
        }
        places[rows] = place;
        packed[rows + 1] = packed[rows] + bytes;
        rows++;
    }

    private void flush() {
        if (rows > 0) {
            parts.add(isRegular()
                    ? new Strided(places[0], packed[1], rows == 1 ? 0 : places[1] - places[0], rows)
                    : Runs.of(Arrays.copyOf(places, rows), Arrays.copyOf(packed, rows + 1)));
            rows = 0;
        }
    }

    private boolean isRegular() {
        for (int i = 1; i < rows; i++) {
            if (packed[i + 1] - packed[i] != packed[1] || places[i] - places[i - 1] != places[1] - places[0]) {
                return false;
            }
        }
        return true;
    }

    public CopyProgram build() {
        flush();
        return switch (parts.size()) {
            case 0 -> CopyProgram.EMPTY;
            case 1 -> parts.get(0);
            default -> Sequence.of(parts.toArray(CopyProgram[]::new));
        };
    }
}
