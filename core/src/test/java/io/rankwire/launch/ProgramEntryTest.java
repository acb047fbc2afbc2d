package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ProgramEntryTest {
    private static String ran = "";

    static class StaticWithArguments {
        public static void main(String[] args) {
            ran = "static " + args.length;
        }
    }

    static class StaticWithout {
        static void main() {
            ran = "static without";
        }
    }

    static class Instance {
        void main() {
            ran = "instance";
        }
    }

    static class InstanceWithArguments {
        protected void main(String[] args) {
            ran = "instance " + args[0];
        }
    }

    static class Both {
        void main(String[] args) {
            ran = "with";
        }

        static void main() {
            ran = "without";
        }
    }

    static class Inherits extends Instance {}

    interface HasMain {
        default void main() {
            ran = "default";
        }
    }

    static class FromInterface implements HasMain {}

    static class WrongKinds {
        private static void main(String[] args) {
            ran = "private" + args.length;
        }

        int main() {
            return 0;
        }

        static void use() {
            main(new String[0]);
        }
    }

    static class NoConstructor {
        NoConstructor(int x) {
            ran = "constructor" + x;
        }

        void main() {}
    }

    static class Throws {
        static void main() throws Exception {
            throw new java.io.IOException("as it is");
        }
    }

    private static String run(Class<?> type, String... args) throws Throwable {
        ran = "";
        ProgramEntry.of(type).run(args);
        return ran;
    }

    @Test
    void shouldFindEveryKindTheJavaLauncherFinds() throws Throwable {
        assertEquals("static 2", run(StaticWithArguments.class, "a", "b"));
        assertEquals("static without", run(StaticWithout.class, "a"));
        assertEquals("instance", run(Instance.class));
        assertEquals("instance a", run(InstanceWithArguments.class, "a"));
        assertEquals("with", run(Both.class));
        assertEquals("instance", run(Inherits.class));
        assertEquals("default", run(FromInterface.class));
    }

    @Test
    void shouldSayWhatIsMissing() {
        WrongKinds.use();
        String none = assertThrows(NoProgram.class, () -> run(WrongKinds.class)).getMessage();
        assertTrue(none.contains("WrongKinds has no main method"), none);
        String constructor =
                assertThrows(NoProgram.class, () -> run(NoConstructor.class)).getMessage();
        assertTrue(constructor.contains("constructor without parameters"), constructor);
        String missing = assertThrows(
                        NoProgram.class, () -> ProgramEntry.of("no.such.Program", getClass().getClassLoader()))
                .getMessage();
        assertTrue(missing.startsWith("no class no.such.Program on the class path"), missing);
    }

    @Test
    void shouldLetTheProgramsExceptionOutAsItIs() {
        Throwable thrown = assertThrows(java.io.IOException.class, () -> run(Throws.class));
        assertEquals("as it is", thrown.getMessage());
        String story = Failure.story(thrown);
        assertTrue(story.startsWith("java.io.IOException: as it is"), story);
    }
}
