package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class InheritedOptionsTest {
    @Test
    void shouldKeepWhatOpensModules() {
        assertEquals(List.of("--add-opens=java.base/java.util=ALL-UNNAMED", "--enable-preview",
                        "--add-modules=jdk.incubator.vector"),
                InheritedOptions.ofModules(List.of("java", "-Xmx1g", "-cp", "--add-opens",
                        "--add-opens=java.base/java.util=ALL-UNNAMED", "--enable-preview", "-agentlib:jdwp=address=1",
                        "--add-modules", "jdk.incubator.vector", "Main", "--enable-preview")));
        assertEquals(List.of(), InheritedOptions.ofModules(List.of("java", "-jar", "x.jar", "--enable-preview")));
        assertEquals(List.of(), InheritedOptions.ofModules(List.of("java")));
    }

    @Test
    void shouldKeepPropertiesOfRankwireAndAssertions() {
        System.setProperty("rankwire.inherited", "yes");
        try {
            List<String> options = InheritedOptions.of(InheritedOptionsTest.class);
            assertTrue(options.contains("-Drankwire.inherited=yes"), options::toString);
            assertEquals(InheritedOptionsTest.class.desiredAssertionStatus(), options.contains("-ea"));
        } finally {
            System.clearProperty("rankwire.inherited");
        }
    }
}
