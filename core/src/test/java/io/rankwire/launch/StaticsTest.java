package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StaticsTest {
    static final class Changing {
        static int count;
    }

    static final class Holding {
        static final List<String> NAMES = new ArrayList<>();
    }

    static final class Asking {
        static final long START = System.nanoTime();
    }

    static final class Constants {
        static final int SIZE = 4;
        static final String NAME = "name";
        private int own;

        int switched(Kind kind) {
            assert kind != null;
            return switch (kind) {
                case ONE -> ++own;
                case TWO -> SIZE;
            };
        }
    }

    enum Kind {
        ONE,
        TWO
    }

    enum Counter {
        ONLY;

        int count;
    }

    record Point(int x, int y) {}

    @Test
    void shouldShareOnlyWhatNobodyCanChange() throws Exception {
        assertConstant(false, Changing.class);
        assertConstant(false, Holding.class);
        assertConstant(false, Asking.class);
        assertConstant(true, Constants.class);
        assertConstant(true, Kind.class);
        assertConstant(false, Counter.class);
        assertConstant(true, Point.class);
    }

    private static void assertConstant(boolean expected, Class<?> type) throws IOException {
        assertEquals(expected, Statics.areConstant(bytes(type)), type.getName());
    }

    static byte[] bytes(Class<?> type) throws IOException {
        String name = type.getName();
        try (InputStream in = type.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            return in.readAllBytes();
        }
    }
}
