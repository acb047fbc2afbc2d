package layout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.annotation.processing.SupportedOptions;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;

/**
 * Lays out a jar for several releases of Java. A JVM or a compiler of this release takes the classes from
 * {@code META-INF/versions}; older ones take the stubs of {@link StubClass} in their place, and can compile with them.
 * The build has the compiler run this when all classes are made: that is the one tool of the build that runs on the JDK
 * which the project is for.
 */
@SupportedAnnotationTypes("*")
@SupportedOptions({"classes", "jar"})
public final class JarLayout extends AbstractProcessor {
    private static final String PACKAGE = "mpi/";
    private static final String SUFFIX = ".class";

    private final Map<String, ClassModel> classes = new TreeMap<>();
    private boolean done;

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latest();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        if (!done) {
            done = true;
            try {
                write(Path.of(processingEnv.getOptions().get("classes")),
                        Path.of(processingEnv.getOptions().get("jar")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return false;
    }

    private void write(Path from, Path to) throws IOException {
        clear(to);
        Path versioned = to.resolve("META-INF/versions/" + Runtime.version().feature());
        try (var files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = from.relativize(file).toString().replace('\\', '/');
                if (name.startsWith("META-INF/")) {
                    put(to.resolve(name), Files.readAllBytes(file));
                } else if (name.startsWith(PACKAGE) && name.endsWith(SUFFIX)) {
                    put(versioned.resolve(name), Files.readAllBytes(file));
                    classes.put(name.substring(0, name.length() - SUFFIX.length()), ClassFile.of().parse(file));
                }
            }
        }
        for (String name : needed()) {
            put(to.resolve(name + SUFFIX), StubClass.of(classes.get(name)));
        }
    }

    /** Classes that programs can name, and those that they have members from. */
    private Set<String> needed() {
        Set<String> needed = new HashSet<>();
        for (ClassModel each : classes.values()) {
            if (StubClass.isOpen(each)) {
                add(each.thisClass().asInternalName(), needed);
            }
        }
        return needed;
    }

    private void add(String name, Set<String> needed) {
        ClassModel model = classes.get(name);
        if (model != null && needed.add(name)) {
            model.superclass().ifPresent(parent -> add(parent.asInternalName(), needed));
            model.interfaces().forEach(parent -> add(parent.asInternalName(), needed));
        }
    }

    private static void put(Path file, byte[] bytes) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private static void clear(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (var files = Files.walk(directory)) {
                for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
