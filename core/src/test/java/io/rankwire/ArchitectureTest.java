package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Keeps the import table of ARCHITECTURE.md true, the API free of machinery, inheritance shallow, and the device free
 * of clocks, threads, random numbers and I/O.
 */
@Execution(ExecutionMode.CONCURRENT)
class ArchitectureTest {
    private static final String ROOT = "io.rankwire";

    /**
     * Rooms and the rooms each may import, beside itself. The API's room is "". A room covers the packages under it;
     * only the fabrics are rooms of their own, so that none can import another.
     */
    private static final Map<String, Set<String>> MAY_IMPORT = Map.ofEntries(
            Map.entry("", Set.of("runtime", "device", "launch", "wire", "type")),
            Map.entry("runtime",
                    Set.of("collective", "device", "wire", "fabric", "type", "launch", "trace", "memory")),
            Map.entry("collective", Set.of("type", "memory")),
            Map.entry("device", Set.of("fabric", "wire", "type", "trace", "memory")),
            Map.entry("wire", Set.of("memory")),
            Map.entry("fabric", Set.of("memory")),
            Map.entry("fabric.*", Set.of("fabric", "memory")),
            Map.entry("type", Set.of("memory")),
            Map.entry("launch", Set.of("device", "fabric", "fabric.*", "memory")),
            Map.entry("trace", Set.of("memory")),
            Map.entry("memory", Set.of()));

    /** Imports everything and is imported by tools and tests only, so it is not in the table. */
    private static final String SIM = "sim";

    private static final Set<String> WITHOUT_IO = Set.of("collective", "device", "wire", "type");

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    @Test
    void shouldHaveReadTheClassesOfCore() {
        assertTrue(CORE.size() > 20, "only " + CORE.size() + " classes read");
        assertTrue(CORE.contain(Codec.class) && !CORE.contain(ArchitectureTest.class));
        Set<String> seen = new TreeSet<>();
        CORE.forEach(type -> seen.add(room(type.getPackageName())));
        Set<String> early = Set.of("", "device", "fabric", "fabric.*", "memory", "type", "wire");
        assertTrue(seen.containsAll(early), () -> "read only " + seen);
    }

    @Test
    void shouldImportAsTheTableSays() {
        List<String> wrong = new ArrayList<>();
        for (JavaClass type : CORE) {
            wrong.addAll(wrongImports(type));
        }
        assertEquals(List.of(), wrong);
    }

    /**
     * The simulated fabric is no backend: code that opens a simulated port makes the whole simulated machine. Ports of
     * {@code fabric.tcp} on simulated hosts are opened by one package.
     */
    @Test
    void shouldNameTheBackendsInOneClassOnly() {
        Set<String> naming = new TreeSet<>();
        for (JavaClass type : CORE) {
            if (type.getPackageName().equals(ROOT + ".sim.tcp")) {
                continue;
            }
            type.getDirectDependenciesFromSelf().stream().filter(ArchitectureTest::leavesForABackend)
                    .forEach(dependency -> naming.add(dependency.getOriginClass().getName().replaceAll("\\$.*", "")));
        }
        assertEquals(Set.of(ROOT + ".launch.Fabrics"), naming);
    }

    private static boolean leavesForABackend(Dependency dependency) {
        String target = dependency.getTargetClass().getBaseComponentType().getPackageName();
        return isOurs(target) && room(target).equals("fabric.*")
                && !dependency.getOriginClass().getPackageName().equals(target);
    }

    @Test
    void shouldDependOnTheJdkAlone() {
        List<String> wrong = new ArrayList<>();
        for (JavaClass type : CORE) {
            wrong.addAll(foreign(type));
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void shouldKeepTheDeviceFreeOfTheWorld() {
        List<String> wrong = new ArrayList<>();
        for (JavaClass type : CORE) {
            if (WITHOUT_IO.contains(room(type.getPackageName()))) {
                wrong.addAll(worldly(type));
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static List<String> wrongImports(JavaClass type) {
        List<String> wrong = new ArrayList<>();
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            String target = dependency.getTargetClass().getBaseComponentType().getPackageName();
            boolean thrown = room(type.getPackageName()).equals("runtime")
                    && THROWN.contains(dependency.getTargetClass().getBaseComponentType().getName());
            if (isOurs(target) && !thrown && !allowed(type.getPackageName(), target)) {
                wrong.add(dependency.getDescription());
            }
        }
        return wrong;
    }

    private static boolean isOurs(String name) {
        return name.equals(ROOT) || name.startsWith(ROOT + ".");
    }

    private static boolean allowed(String from, String to) {
        String importer = room(from);
        if (importer.equals(SIM) || from.equals(to)) {
            return true;
        }
        String imported = room(to);
        boolean family = importer.equals(imported) && !importer.equals("fabric.*");
        return family || MAY_IMPORT.get(importer).contains(imported);
    }

    /** What the runtime knows of the API: what its errors are made of. */
    private static final Set<String> THROWN = Set.of(ROOT + ".RankwireException", ROOT + ".ErrorClass");

    /** Classes of ours in a row, the class itself included. */
    private static final int DEEPEST = 3;

    @Test
    void shouldHoldPublicTypesAloneInTheApi() {
        List<String> wrong = new ArrayList<>();
        for (JavaClass type : CORE) {
            boolean topLevel = type.getEnclosingClass().isEmpty();
            if (type.getPackageName().equals(ROOT) && topLevel && !type.getModifiers().contains(JavaModifier.PUBLIC)
                    && !type.getSimpleName().equals("package-info")) {
                wrong.add(type.getName());
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void shouldNameNoMachineryInTheApi() {
        List<String> wrong = new ArrayList<>();
        for (JavaClass type : CORE) {
            if (type.getPackageName().equals(ROOT)) {
                wrong.addAll(machineryShownBy(type));
            }
        }
        assertEquals(List.of(), wrong);
    }

    /** Types of ours from other packages that the public members of a type name. */
    private static List<String> machineryShownBy(JavaClass type) {
        List<String> shown = new ArrayList<>();
        if (!isVisible(type.getModifiers())) {
            return shown;
        }
        Set<JavaClass> named = new HashSet<>(type.getRawInterfaces());
        type.getRawSuperclass().ifPresent(named::add);
        for (JavaMember member : type.getMembers()) {
            if (isVisible(member.getModifiers())) {
                named.addAll(member.getAllInvolvedRawTypes());
            }
        }
        for (JavaClass each : named) {
            String inPackage = each.getBaseComponentType().getPackageName();
            if (isOurs(inPackage) && !inPackage.equals(ROOT)) {
                shown.add(type.getName() + " shows " + each.getName());
            }
        }
        return shown;
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
                && !modifiers.contains(JavaModifier.SYNTHETIC);
    }

    @Test
    void shouldInheritFromFew() {
        List<String> wrong = new ArrayList<>();
        for (JavaClass type : CORE) {
            long depth = 1 + type.getAllRawSuperclasses().stream()
                    .filter(each -> isOurs(each.getPackageName()))
                    .count();
            if (depth > DEEPEST && !type.isAssignableTo(Throwable.class)) {
                wrong.add(type.getName() + " is " + depth + " classes deep");
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void shouldImportTheApiAloneInTheExamples() throws IOException {
        List<String> wrong = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("..", "examples"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java")).sorted().toList()) {
                Files.readAllLines(file).stream()
                        .filter(line -> line.matches("import (static )?io\\.rankwire\\.[a-z].*"))
                        .forEach(line -> wrong.add(file.getFileName() + ": " + line));
            }
        }
        assertEquals(List.of(), wrong);
    }

    /** A package that is in no room fails the test until the table has a place for it. */
    private static String room(String name) {
        String path = name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
        String first = path.split("\\.")[0];
        String room = path.startsWith("fabric.") ? "fabric.*" : first;
        if (!room.equals(SIM) && !MAY_IMPORT.containsKey(room)) {
            throw new AssertionError("package " + name + " is not in the import table");
        }
        return room;
    }

    /** Of the JDK, only what {@code java.base} and {@code jdk.jfr} hold. */
    private static List<String> foreign(JavaClass type) {
        List<String> wrong = new ArrayList<>();
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            JavaClass target = dependency.getTargetClass().getBaseComponentType();
            String name = target.getPackageName();
            if (!target.isPrimitive() && !isOurs(name) && !isBase(name)) {
                wrong.add(dependency.getDescription());
            }
        }
        return wrong;
    }

    private static boolean isBase(String name) {
        return List.of(Object.class, jdk.jfr.Event.class).stream()
                .anyMatch(member -> member.getModule().getDescriptor().exports().stream()
                        .anyMatch(exported -> !exported.isQualified() && exported.source().equals(name)));
    }

    /** Uses of clocks, threads, chance, sockets, files and the terminal. */
    private static List<String> worldly(JavaClass type) {
        List<String> wrong = new ArrayList<>();
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            if (isWorldly(dependency.getTargetClass().getBaseComponentType())) {
                wrong.add(dependency.getDescription());
            }
        }
        for (JavaAccess<?> access : type.getAccessesFromSelf()) {
            String owner = access.getTargetOwner().getName();
            String member = access.getTarget().getName();
            boolean system = owner.equals("java.lang.System")
                    && Set.of("nanoTime", "currentTimeMillis", "out", "err", "in", "exit").contains(member);
            if (system || owner.equals("java.lang.Math") && member.equals("random")) {
                wrong.add(access.getDescription());
            }
        }
        return wrong;
    }

    private static boolean isWorldly(JavaClass target) {
        String name = target.getName();
        String inPackage = target.getPackageName();
        return Set.of("java.util.concurrent", "java.util.concurrent.locks", "java.time", "java.net", "java.nio.file",
                                "java.nio.channels")
                        .contains(inPackage)
                || name.startsWith("java.lang.Thread") && !name.startsWith("java.lang.ThreadLocal")
                || name.startsWith("java.lang.Process")
                || name.startsWith("java.io.File")
                || Set.of("java.lang.IO", "java.io.Console", "java.io.PrintStream", "java.io.RandomAccessFile",
                                "java.util.Random", "java.util.SplittableRandom", "java.util.Timer", "java.util.UUID")
                        .contains(name);
    }

    // The rules themselves, on what they must refuse: a check that cannot fail checks nothing.

    @Test
    void shouldRefuseWhatTheTableDoesNotAllow() {
        assertTrue(allowed(ROOT, ROOT + ".runtime"));
        assertFalse(allowed(ROOT + ".runtime", ROOT));
        assertFalse(allowed(ROOT + ".device", ROOT + ".runtime"));
        assertTrue(allowed(ROOT + ".device.match", ROOT + ".device"));
        assertTrue(allowed(ROOT + ".fabric.shm", ROOT + ".fabric"));
        assertTrue(allowed(ROOT + ".sim", ROOT));
        assertFalse(allowed(ROOT, ROOT + ".sim"));
        assertFalse(allowed(ROOT + ".device", ROOT));
        assertFalse(allowed(ROOT + ".fabric.shm", ROOT + ".fabric.local"));
        assertTrue(allowed(ROOT + ".launch", ROOT + ".fabric.shm"));
        assertFalse(allowed(ROOT + ".device", ROOT + ".fabric.shm"));
        assertFalse(allowed(ROOT + ".fabric", ROOT + ".fabric.local"));
        assertFalse(allowed(ROOT + ".memory", ROOT + ".wire"));
        assertThrows(AssertionError.class, () -> room(ROOT + ".helpers"));
    }

    @Test
    void shouldSeeWhatATestClassDoesWrong() {
        JavaClasses bad = new ClassFileImporter().importClasses(Worldly.class, ArchitectureTest.class);
        List<String> seen = worldly(bad.get(Worldly.class));
        for (String culprit : List.of("nanoTime", "System.out", "Thread", "Random", "Files", "Socket", "locks")) {
            assertTrue(seen.stream().anyMatch(line -> line.contains(culprit)), () -> culprit + " not in " + seen);
        }
        assertTrue(foreign(bad.get(ArchitectureTest.class)).stream().anyMatch(line -> line.contains("archunit")));
        assertEquals(List.of(), foreign(bad.get(Worldly.class)));
    }

    @Test
    void shouldSeeMachineryInASignature() {
        JavaClasses bad = new ClassFileImporter().importClasses(Showing.class);
        assertEquals(1, machineryShownBy(bad.get(Showing.class)).size());
    }

    /** Shows machinery in one signature, and hides it in another. */
    public static final class Showing {
        public io.rankwire.runtime.Host shown() {
            return null;
        }

        io.rankwire.runtime.Host hidden() {
            return null;
        }
    }

    private static final class Worldly {
        private final Object lock = new java.util.concurrent.locks.ReentrantLock();

        long everything(java.net.Socket socket) throws Exception {
            System.out.println(lock);
            Thread.sleep(new java.util.Random().nextInt());
            return System.nanoTime() + java.nio.file.Files.size(java.nio.file.Path.of("" + socket));
        }
    }
}
