package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values attached to communicators and windows, and the order in which the callbacks of their keys run. */
@Timeout(300)
final class AttributeTest {
    private static AttributeKey<Integer> telling(String name, List<String> told) {
        return AttributeKey.of(name, (from, value) -> {
            told.add("copy " + name + "=" + value + " of " + from.name());
            return value < 0 ? Optional.empty() : Optional.of(value + 1);
        }, (from, value) -> told.add("delete " + name + "=" + value + " of " + from.name()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldCallKeysInOrder(int ranks) {
        Worlds.run(ranks, world -> {
            List<String> told = new ArrayList<>();
            AttributeKey<Integer> a = telling("a", told);
            AttributeKey<Integer> b = telling("b", told);
            AttributeKey<Integer> c = telling("c", told);
            Communicator one = world.communicator().duplicate();
            one.name("one");
            assertEquals(Optional.empty(), one.attribute(b));
            one.attribute(b, 10);
            one.attribute(a, 20);
            one.attribute(c, -1);
            assertEquals(List.of(), told);
            one.attribute(b, 30);
            assertEquals(List.of("delete b=10 of one"), told, "replaced, and now the last one set");
            told.clear();

            Communicator two = one.duplicate();
            two.name("two");
            assertEquals(List.of("copy a=20 of one", "copy c=-1 of one", "copy b=30 of one"), told);
            assertEquals(Optional.of(21), two.attribute(a));
            assertEquals(Optional.of(31), two.attribute(b));
            assertEquals(Optional.empty(), two.attribute(c));
            told.clear();

            Communicator bare = one.duplicateWithoutAttributes();
            assertEquals(Optional.empty(), bare.attribute(a));
            bare.free();
            assertEquals(List.of(), told);

            assertTrue(one.removeAttribute(a));
            assertFalse(one.removeAttribute(a));
            one.free();
            assertEquals(List.of("delete a=20 of one", "delete b=30 of one", "delete c=-1 of one"), told, "last first");
            told.clear();
            two.free();
            assertEquals(List.of("delete b=31 of two", "delete a=21 of two"), told);
            assertFails(ErrorClass.COMMUNICATOR, () -> two.attribute(a), "two", "was freed");
        });
    }

    @Test
    void shouldShareOrKeepWithoutCallbacks() {
        Worlds.run(2, world -> {
            AttributeKey<StringBuilder> shared = AttributeKey.shared("shared");
            AttributeKey<String> kept = AttributeKey.of("kept");
            AttributeKey<String> other = AttributeKey.of("kept");
            Communicator all = world.communicator();
            StringBuilder value = new StringBuilder();
            all.attribute(shared, value);
            all.attribute(kept, "here");
            assertEquals(Optional.empty(), all.attribute(other), "names do not make keys the same");
            Communicator copy = all.duplicate();
            assertTrue(copy.attribute(shared).orElseThrow() == value);
            assertEquals(Optional.empty(), copy.attribute(kept));
            CartesianCommunicator grid =
                    copy.cartesian(new int[] {2}, new boolean[1]).orElseThrow();
            assertEquals(Optional.empty(), grid.attribute(shared), "only duplicates copy");
            grid.attribute(shared, value);
            assertTrue(grid.duplicate().attribute(shared).isPresent());
        });
    }

    @Test
    void shouldEndWithTheirWindowAndWorld() {
        List<String> told = new ArrayList<>();
        Worlds.run(1, world -> {
            AttributeKey<Integer> key = telling("key", told);
            Window window = world.communicator().window(new int[1], 4);
            window.attribute(key, 5);
            assertEquals(Optional.of(5), window.attribute(key));
            window.free();
            assertEquals(List.of("delete key=5 of world.window"), told);
            assertFails(ErrorClass.WINDOW, () -> window.attribute(key), "freed");
            told.clear();
            world.communicator().attribute(key, 6);
        });
        assertEquals(List.of("delete key=6 of world"), told);
    }

    @Test
    void shouldEndWithTheWorldWhateverWasNeverFreed() {
        List<String> told = new ArrayList<>();
        Worlds.run(1, world -> {
            AttributeKey<Integer> key = telling("key", told);
            Communicator all = world.communicator();
            all.attribute(key, 1);
            Communicator copy = all.duplicate();
            Window window = copy.allocateWindow(8, 1);
            window.attribute(key, 3);
            CartesianCommunicator grid = all.cartesian(new int[] {1}, new boolean[1]).orElseThrow();
            grid.attribute(key, 4);
            grid.free();
            told.clear();
        });
        assertEquals(List.of("delete key=3 of world.duplicate.window", "delete key=2 of world.duplicate",
                "delete key=1 of world"), told);
    }

    @Test
    void shouldNameWhatIsMissing() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            AttributeKey<String> key = AttributeKey.of("solver");
            assertFails(ErrorClass.ARGUMENT, () -> all.attribute(key, null), "world", "solver", "value is null");
            assertFails(ErrorClass.ARGUMENT, () -> all.attribute((AttributeKey<String>) null), "key is null");
            assertFails(ErrorClass.ARGUMENT, () -> AttributeKey.of(null), "name is null");
            assertFails(ErrorClass.ARGUMENT, () -> AttributeKey.of("a", null, (from, value) -> {}), "copier is null");
            AttributeKey<String> bad = AttributeKey.of("bad", (from, value) -> null, (from, value) -> {});
            all.attribute(bad, "x");
            assertFails(ErrorClass.ARGUMENT, all::duplicate, "copier of attribute bad returned null");
        });
    }

    @Test
    void shouldBeUsableByManyThreads() throws Exception {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            List<Thread> threads = new ArrayList<>();
            List<Throwable> failures = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                Thread thread = new Thread(() -> {
                    AttributeKey<Integer> key = AttributeKey.of("mine");
                    for (int i = 0; i < 2_000; i++) {
                        all.attribute(key, i);
                        assertEquals(Optional.of(i), all.attribute(key));
                        assertTrue(all.removeAttribute(key));
                    }
                });
                thread.setUncaughtExceptionHandler((failed, e) -> failures.add(e));
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(List.of(), failures);
        });
    }
}
