package io.rankwire.tools;

import io.rankwire.tools.options.UsageException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** What the ranks run: a main class, where its classes are, and JVM options the program asks for itself. */
record Program(String mainClass, String classPath, List<String> jvmOptions) {
    /** Finds or makes the program; a source file is compiled into {@code classes}, which is made when needed. */
    static Program of(RunOptions options, Path classes) throws IOException {
        String name = options.program;
        String given = options.classPath == null || options.classPath.isEmpty()
                ? options.classPath
                : absolute(options.classPath);
        if (name.endsWith(".java")) {
            Path source = existing(name, "source file");
            String outside = given != null ? given : System.getenv("CLASSPATH");
            String mainClass = SourceProgram.compile(
                    source, classes, options.library == null ? outside : join(options.library, outside), options.jvm);
            return new Program(mainClass, join(classes.toString(), outside), List.of());
        }
        if (name.endsWith(".jar")) {
            return ofJar(existing(name, "jar"), given);
        }
        if (Files.isRegularFile(Path.of(name)) && given == null) {
            throw new UsageException(name + " is a file, but neither a .java source nor a .jar");
        }
        String classPath = given != null ? given : absolute(RunOptions.inheritedClassPath());
        // A path to a class file's class, as people who type with completion give it.
        return new Program(name.replace('/', '.'), classPath, List.of());
    }

    private static Path existing(String name, String kind) {
        Path path = Path.of(name).toAbsolutePath().normalize();
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw new UsageException("there is no " + kind + " " + name);
        }
        return path;
    }

    private static Program ofJar(Path jar, String classPath) throws IOException {
        Attributes main;
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            main = manifest == null ? new Attributes() : manifest.getMainAttributes();
        }
        String mainClass = main.getValue(Attributes.Name.MAIN_CLASS);
        if (mainClass == null) {
            throw new UsageException(jar + " names no Main-Class in its manifest; give the class and -cp " + jar);
        }
        // What `java -jar` would grant, so that a program runs the same here.
        List<String> grants = new ArrayList<>();
        if (main.getValue("Enable-Native-Access") != null) {
            grants.add("--enable-native-access=ALL-UNNAMED");
        }
        addEach(grants, "--add-opens=", main.getValue("Add-Opens"));
        addEach(grants, "--add-exports=", main.getValue("Add-Exports"));
        return new Program(mainClass.strip(), join(jar.toString(), classPath), grants);
    }

    private static void addEach(List<String> options, String option, String packages) {
        if (packages != null) {
            for (String each : packages.strip().split(" +")) {
                options.add(option + each + "=ALL-UNNAMED");
            }
        }
    }

    private static String join(String first, String rest) {
        return rest == null || rest.isEmpty() ? first : first + File.pathSeparator + rest;
    }

    /** Relative entries mean the directory the command was given in, wherever the ranks run. */
    private static String absolute(String classPath) {
        StringBuilder out = new StringBuilder();
        int from = 0;
        while (from <= classPath.length()) {
            int to = classPath.indexOf(File.pathSeparatorChar, from);
            to = to < 0 ? classPath.length() : to;
            String entry = classPath.substring(from, to);
            out.append(out.isEmpty() ? "" : File.pathSeparator).append(new File(entry).getAbsolutePath());
            from = to + 1;
        }
        return out.toString();
    }
}
