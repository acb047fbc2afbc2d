package io.rankwire.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records of random shapes, written as a compact source file and compiled, like a single-file program. Random values of
 * them are sent between two class loaders, as between two ranks in one JVM.
 */
class RecordFormatModelTest {
    private static final long SEED = 42;
    private static final int RECORDS = 30;
    private static final int VALUES = 2_000;
    private static final List<Class<?>> PRIMITIVES = List.of(
            boolean.class, byte.class, short.class, char.class, int.class, long.class, float.class, double.class);

    private final Rand rand = new Rand(SEED);

    @Test
    void shouldCarryRandomRecordsBetweenClassLoaders(@TempDir Path folder) throws Exception {
        String source = randomProgram();
        compile(folder, "Random.java", source);
        try (URLClassLoader here = loader(folder);
                URLClassLoader there = loader(folder)) {
            for (int i = 0; i < VALUES; i++) {
                String name = "Random$R" + rand.below(RECORDS);
                Class<?> type = here.loadClass(name);
                Object value = randomRecord(type, 4);
                byte[] bytes = RecordFormat.encode(value);
                Object back = RecordFormat.decode(bytes, 0, bytes.length, there.loadClass(name));
                assertNotSame(value.getClass(), back.getClass());
                int number = i;
                assertTrue(DeepEquality.equal(value, back), () -> "seed " + SEED + ", value " + number + ": " + value
                        + " came back as " + back + "\n" + source);
                byte[] again = RecordFormat.encode(back);
                assertTrue(Arrays.equals(bytes, again), () -> "seed " + SEED + ", value " + number);
            }
        }
    }

    @Test
    void shouldTellTwoVersionsOfARecordApart(@TempDir Path folder) throws Exception {
        Path old = Files.createDirectory(folder.resolve("old"));
        Path young = Files.createDirectory(folder.resolve("young"));
        compile(old, "Program.java", "record P(int x, int y) {}\nvoid main() {}\n");
        compile(young, "Program.java", "record P(int x, float y) {}\nvoid main() {}\n");
        try (URLClassLoader here = loader(old);
                URLClassLoader there = loader(young)) {
            Class<?> type = here.loadClass("Program$P");
            byte[] bytes = RecordFormat.encode(construct(type, 1, 2));
            Class<?> other = there.loadClass("Program$P");
            FormatException told = assertThrows(
                    FormatException.class, () -> RecordFormat.decode(bytes, 0, bytes.length, other));
            assertTrue(told.getMessage().contains("Program$P(int x, float y)"), told.getMessage());
            assertTrue(told.getMessage().contains("another shape"), told.getMessage());
            assertEquals(type, RecordFormat.decode(bytes, 0, bytes.length, type).getClass());
        }
    }

    private static URLClassLoader loader(Path folder) throws MalformedURLException {
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, null);
    }

    private static void compile(Path folder, String name, String source) throws IOException {
        Path file = Files.writeString(folder.resolve(name), source);
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", folder.toString(), "-proc:none", file.toString());
        assertEquals(0, status, source);
    }

    private String randomProgram() {
        StringBuilder source = new StringBuilder("enum E { A, B, C { public String toString() { return \"c\"; } } }\n");
        StringBuilder permitted = new StringBuilder("sealed interface S permits R0");
        for (int i = 0; i < RECORDS; i++) {
            source.append("record R").append(i).append("(");
            for (int k = rand.below(9); k > 0; k--) {
                source.append(randomType(3, i)).append(" c").append(k).append(k > 1 ? ", " : "");
            }
            source.append(") ");
            if (i % 3 == 0) {
                source.append("implements S ");
                permitted.append(i > 0 ? ", R" + i : "");
            }
            source.append("{}\n");
        }
        return source.append(permitted).append(" {}\nvoid main() {}\n").toString();
    }

    /** A record refers only to earlier ones, except for S, whose random values end with null. */
    private String randomType(int depth, int records) {
        int kind = rand.below(depth == 0 ? 3 : 10);
        return switch (kind) {
            case 0 -> PRIMITIVES.get(rand.below(8)).getName();
            case 1 -> "String";
            case 2 -> rand.chance(1, 2) ? "E" : "S";
            case 3, 4 -> randomType(depth - 1, records) + "[]";
            case 5 -> "List<" + randomReference(depth - 1, records) + ">";
            case 6 -> "Map<String, " + randomReference(depth - 1, records) + ">";
            case 7 -> "Set<Long>";
            case 8 -> "Optional<" + randomReference(depth - 1, records) + ">";
            default -> records == 0 ? "Integer" : "R" + rand.below(records);
        };
    }

    private String randomReference(int depth, int records) {
        String type = randomType(depth, records);
        return PRIMITIVES.stream().anyMatch(p -> p.getName().equals(type)) ? "Double" : type;
    }

    private Object randomRecord(Class<?> type, int depth) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            arguments[i] = randomValue(components[i].getGenericType(), depth - 1);
        }
        return construct(type, arguments);
    }

    private static Object construct(Class<?> type, Object... arguments) throws ReflectiveOperationException {
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return constructor.newInstance(arguments);
    }

    private Object randomValue(Type type, int depth) throws ReflectiveOperationException {
        boolean primitive = type instanceof Class<?> raw && raw.isPrimitive();
        if (!primitive && (depth <= 0 || rand.chance(1, 10))) {
            return null;
        }
        if (type instanceof GenericArrayType array) {
            ParameterizedType element = (ParameterizedType) array.getGenericComponentType();
            return randomArray((Class<?>) element.getRawType(), element, depth);
        }
        if (type instanceof ParameterizedType given) {
            return randomCollection(given, depth);
        }
        Class<?> raw = (Class<?>) type;
        if (raw.isArray()) {
            return randomArray(raw.componentType(), raw.componentType(), depth);
        }
        if (raw.isRecord()) {
            return randomRecord(raw, depth);
        }
        if (raw.isEnum()) {
            return raw.getEnumConstants()[rand.below(3)];
        }
        if (raw.isSealed()) {
            Class<?>[] permitted = raw.getPermittedSubclasses();
            return randomRecord(permitted[rand.below(permitted.length)], depth - 1);
        }
        return randomScalar(raw);
    }

    private Object randomScalar(Class<?> raw) {
        long bits = rand.nextLong();
        return switch (raw.getSimpleName()) {
            case "boolean" -> (bits & 1) == 0;
            case "byte" -> (byte) bits;
            case "short" -> (short) bits;
            case "char" -> (char) bits;
            case "int", "Integer" -> (int) bits;
            case "long", "Long" -> bits;
            case "float" -> (float) (int) bits;
            case "double", "Double" -> (double) bits;
            case "String" -> randomString();
            default -> throw new AssertionError(raw);
        };
    }

    private String randomString() {
        StringBuilder text = new StringBuilder();
        int top = rand.chance(1, 2) ? 0x100 : 0x10000;
        for (int i = rand.below(20); i > 0; i--) {
            text.append((char) rand.below(top));
        }
        return text.toString();
    }

    private Object randomArray(Class<?> raw, Type element, int depth) throws ReflectiveOperationException {
        Object array = Array.newInstance(raw, rand.below(6));
        for (int i = 0; i < Array.getLength(array); i++) {
            Array.set(array, i, randomValue(element, depth - 1));
        }
        return array;
    }

    private Object randomCollection(ParameterizedType type, int depth) throws ReflectiveOperationException {
        Type[] arguments = type.getActualTypeArguments();
        Type last = arguments[arguments.length - 1];
        if (type.getRawType() == Optional.class) {
            return Optional.ofNullable(randomValue(last, depth - 1));
        }
        List<Object> values = new ArrayList<>();
        for (int i = rand.below(6); i > 0; i--) {
            values.add(randomValue(last, depth - 1));
        }
        if (type.getRawType() == Set.class) {
            return new LinkedHashSet<>(values);
        }
        if (type.getRawType() == Map.class) {
            Map<Object, Object> map = new LinkedHashMap<>();
            values.forEach(value -> map.put("k" + map.size(), value));
            return map;
        }
        return values;
    }
}
