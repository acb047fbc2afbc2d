package io.rankwire.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Code;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the numbers and names in the tables of docs/WIRE.md with those in the code. */
class WireDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "WIRE.md");
    private static final Pattern ROW = Pattern.compile("\\| ([−-]?\\d+) \\| ([A-Z_]+) \\|.*");
    /** Constants of {@link Frame} that are no kinds. */
    private static final Set<String> NO_KINDS = Set.of("FIRST_ONE_SIDED", "DATA_LEAD", "NO_TYPE");

    /** The numbered names of all tables whose first column has this title. */
    private static Map<Integer, String> documented(String title) throws IOException {
        Map<Integer, String> found = new TreeMap<>();
        boolean inside = false;
        for (String line : Files.readAllLines(DOCUMENT)) {
            inside = line.startsWith("| " + title + " | name |") || inside && line.startsWith("|");
            Matcher row = ROW.matcher(line);
            if (inside && row.matches()) {
                int number = Integer.parseInt(row.group(1).replace('−', '-'));
                assertTrue(found.put(number, row.group(2)) == null, () -> title + " " + number + " stands there twice");
            }
        }
        return found;
    }

    private static Map<Integer, String> constants(Class<?> type, Predicate<Field> counts)
            throws IllegalAccessException {
        Map<Integer, String> found = new TreeMap<>();
        for (Field field : type.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class && counts.test(field)) {
                String before = found.put(field.getInt(null), field.getName());
                assertTrue(before == null, () -> before + " and " + field.getName() + " have one number");
            }
        }
        return found;
    }

    private static int value(Field constant) {
        try {
            return constant.getInt(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldListEveryKindOfFrame() throws Exception {
        Map<Integer, String> kinds = constants(Frame.class,
                field -> !field.getName().startsWith("FLAG_") && !NO_KINDS.contains(field.getName()));
        kinds.putAll(constants(FlowFrame.class, field -> value(field) >= FlowFrame.DATA));
        assertTrue(kinds.size() > 40, () -> "only " + kinds);
        assertEquals(kinds, documented("kind"));
    }

    @Test
    void shouldListEveryElementType() throws Exception {
        Map<Integer, String> types = new TreeMap<>();
        for (ElementType type : ElementType.values()) {
            types.put(type.code(), type.name());
        }
        assertEquals(types, documented("type"));
    }

    @Test
    void shouldListEveryOperation() throws Exception {
        Map<Integer, String> operations = new TreeMap<>();
        for (Reduction operation : Reduction.values()) {
            operations.put(operation.code(), operation.name());
        }
        assertEquals(operations, documented("operation"));
    }

    @Test
    void shouldListEveryStatus() throws Exception {
        assertEquals(constants(Code.class, field -> true), documented("status"));
    }
}
