package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Classes are composed: none is more than three deep, and public classes have public superclasses. */
class InheritanceTest {
    private static final int DEEPEST = 3;

    @Test
    void shouldFindNoClassMoreThanThreeDeep() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (Class<?> type : classes()) {
            if (!Throwable.class.isAssignableFrom(type) && depth(type) > DEEPEST) {
                wrong.add(type.getName() + " is " + depth(type) + " deep");
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void shouldFindEveryPublicMemberInAPublicClass() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (Class<?> type : classes()) {
            if (Modifier.isPublic(type.getModifiers()) && type.getSuperclass() != null
                    && !Modifier.isPublic(type.getSuperclass().getModifiers())) {
                wrong.add(type.getName() + " extends " + type.getSuperclass().getName() + ", which is not public");
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static List<Class<?>> classes() throws IOException, ClassNotFoundException {
        List<Class<?>> classes = new ArrayList<>();
        try (var files = Files.list(Path.of("target/classes/mpi"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
                String name = file.getFileName().toString().replace(".class", "");
                classes.add(Class.forName("mpi." + name, false, InheritanceTest.class.getClassLoader()));
            }
        }
        assertTrue(classes.contains(Cartcomm.class) && classes.size() > 60, "only " + classes);
        return classes;
    }

    /** Counts the class itself, but not Object. */
    private static int depth(Class<?> type) {
        Class<?> above = type.getSuperclass();
        return above == null || above == Object.class ? 1 : 1 + depth(above);
    }

    @Test
    void shouldCountWhatAClassExtends() {
        assertEquals(1, depth(Comm.class));
        assertEquals(3, depth(Cartcomm.class));
        assertEquals(2, depth(Prequest.class));
        assertEquals(4, depth(IllegalArgumentException.class));
    }
}
