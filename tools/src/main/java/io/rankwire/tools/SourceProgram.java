package io.rankwire.tools;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import io.rankwire.launch.JobDirectory;
import io.rankwire.tools.options.UsageException;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles a program given as a source file, once for all ranks, by the rules of the Java source launcher. */
final class SourceProgram {
    private SourceProgram() {}

    /** Returns the name of the main class: the first that the file declares, or the one its name implies. */
    static String compile(Path source, Path classes, String classPath, List<String> jvmOptions) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new UsageException("this Java runtime has no compiler: use a JDK, or give a compiled class or a jar");
        }
        JobDirectory.makeDirectory(classes);
        PrintWriter messages = new PrintWriter(System.err, true);
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = options(source, classes, classPath, jvmOptions);
            JavacTask task = (JavacTask) compiler.getTask(
                    messages, files, null, options, null, files.getJavaFileObjects(source));
            CompilationUnitTree unit = null;
            for (CompilationUnitTree each : task.parse()) {
                unit = each;
            }
            String mainClass = unit == null ? null : firstClass(unit);
            task.generate();
            messages.flush();
            if (mainClass == null) {
                throw new UsageException(source.getFileName() + " declares no class and no main method", 1);
            }
            if (!Files.exists(classes.resolve(mainClass.replace('.', '/') + ".class"))) {
                throw new UsageException(source.getFileName() + " does not compile, so no rank was started", 1);
            }
            return mainClass;
        }
    }

    private static List<String> options(Path source, Path classes, String classPath, List<String> jvmOptions)
            throws IOException {
        List<String> options = new ArrayList<>();
        String core = Launch.core();
        options.add("-d");
        options.add(classes.toString());
        options.add("-cp");
        options.add(classPath == null || classPath.isEmpty() ? core : core + File.pathSeparator + classPath);
        options.add("-sourcepath");
        options.add(sourceRoot(source).toString());
        options.add("-proc:none");
        options.add("-g");
        for (int i = 0; i < jvmOptions.size(); i++) {
            String option = jvmOptions.get(i);
            if (option.equals("--enable-preview")) {
                options.add(option);
                options.add("--release");
                options.add(String.valueOf(Runtime.version().feature()));
            } else if (option.startsWith("--add-modules=") || option.startsWith("--add-exports=")) {
                options.add(option);
            } else if (option.equals("--add-modules") || option.equals("--add-exports")) {
                options.add(option);
                options.add(i + 1 < jvmOptions.size() ? jvmOptions.get(++i) : "");
            }
        }
        return options;
    }

    /** The directory that holds the file's package: classes beside it are then found under their full names. */
    private static Path sourceRoot(Path source) throws IOException {
        String name = packageName(Files.readString(source));
        Path root = source.getParent();
        if (name.isEmpty()) {
            return root;
        }
        String[] parts = name.split("\\.");
        for (int i = parts.length - 1; i >= 0 && root != null; i--) {
            Path last = root.getFileName();
            if (last == null || !last.toString().equals(parts[i])) {
                return source.getParent();
            }
            root = root.getParent();
        }
        return root == null ? source.getParent() : root;
    }

    private static String packageName(String text) {
        int from = 0;
        while (from < text.length()) {
            int end = text.indexOf('\n', from);
            end = end < 0 ? text.length() : end;
            String line = text.substring(from, end).strip();
            if (line.startsWith("package ") && line.indexOf(';') > 0) {
                return line.substring("package ".length(), line.indexOf(';')).strip();
            }
            from = end + 1;
        }
        return "";
    }

    private static String firstClass(CompilationUnitTree unit) {
        String prefix = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
        for (Tree declared : unit.getTypeDecls()) {
            if (declared instanceof ClassTree type) {
                return prefix + type.getSimpleName();
            }
        }
        return null;
    }
}
