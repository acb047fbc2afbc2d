package io.rankwire.tools.bench;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds C libraries of MPI on this machine and builds our program of loops with their compilers. */
final class Peers {
    private static final double BUILD_SECONDS = 60;
    private static final double TRIAL_SECONDS = 20;
    private static final List<String> SOURCES = List.of("peer.h", "peer.c", "line.c", "coll.c");
    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+(\\.\\d+)?[\\w.]*");

    /** What may be installed under these names; its launcher's {@code --version} has one of the marks in lower case. */
    private record Kind(String name, String compiler, String launcher, List<String> plain, List<String> marks) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("openmpi", "mpicc.openmpi", "mpirun.openmpi", List.of("mpirun"), List.of("open mpi", "openrte")),
            new Kind("mpich", "mpicc.mpich", "mpiexec.mpich", List.of("mpiexec", "mpirun"), List.of("hydra", "mpich")));

    /** A peer that can be measured, or why it cannot. */
    record Found(Side side, String absent) {}

    private final Workbench bench;
    private final String path;

    /** Looks in the directories of a search path, which may be null. */
    Peers(Workbench bench, String path) {
        this.bench = bench;
        this.path = path;
    }

    Found find(String name) throws IOException {
        for (Kind kind : KINDS) {
            if (kind.name.equals(name)) {
                return find(kind);
            }
        }
        throw new IllegalArgumentException(name);
    }

    private Found find(Kind kind) throws IOException {
        Path compiler = onPath(kind.compiler);
        Path launcher = onPath(kind.launcher);
        String version = launcher == null ? null : versionOf(launcher, kind);
        if (compiler == null || version == null) {
            compiler = onPath("mpicc");
            for (String plain : kind.plain) {
                launcher = version == null ? onPath(plain) : launcher;
                version = version == null && launcher != null ? versionOf(launcher, kind) : version;
            }
        }
        if (compiler == null || version == null) {
            return new Found(null, "absent: found neither " + kind.compiler + " and " + kind.launcher
                    + " nor a plain mpicc and " + kind.plain.get(0) + " of it on the PATH");
        }
        Path program = bench.directory().resolve(kind.name);
        String failure = build(compiler, program, SOURCES);
        return failure != null
                ? new Found(null, "left out: " + compiler.getFileName() + " cannot build our program: " + failure)
                : launch(kind, launcher, version, program);
    }

    /** Tries the launcher with its defaults first, and with ranks sharing cores only if it must. */
    private Found launch(Kind kind, Path launcher, String version, Path program) throws IOException {
        boolean open = kind.name.equals("openmpi");
        boolean crowded = Side.RANKS > Runtime.getRuntime().availableProcessors();
        List<List<String>> ways = !open
                ? List.of(List.of())
                : crowded
                        ? List.of(List.of(Side.SHARING))
                        : List.of(List.of(), List.of("--use-hwthread-cpus"), List.of(Side.SHARING));
        String failure = null;
        for (List<String> way : ways) {
            List<String> command = new ArrayList<>(List.of(launcher.toString()));
            if (open && isRoot()) {
                command.add("--allow-run-as-root");
            }
            command.addAll(way);
            command.addAll(List.of(Side.COUNT, Integer.toString(Side.RANKS), program.toString()));
            List<String> empty = new ArrayList<>(command);
            empty.add("empty");
            Workbench.Outcome outcome = bench.run(empty, TRIAL_SECONDS);
            if (outcome.ok()) {
                String options = way.isEmpty() ? "" : " with " + String.join(" ", way);
                return new Found(new Side(kind.name, version + options, command, empty, open || isForOfi(launcher)),
                        null);
            }
            failure = failure == null ? outcome.failure() : failure;
        }
        return new Found(null, "left out: an empty job " + failure);
    }

    /** Builds a program from sources of ours; returns why that failed, or null. */
    String build(Path compiler, Path program, List<String> sources) throws IOException {
        List<String> command = new ArrayList<>(List.of(compiler.toString(), "-O2", "-o", program.toString()));
        for (String name : sources) {
            Path source = bench.directory().resolve(name);
            try (InputStream text = Peers.class.getResourceAsStream(name)) {
                Files.copy(text, source, StandardCopyOption.REPLACE_EXISTING);
            }
            if (name.endsWith(".c")) {
                command.add(source.toString());
            }
        }
        return bench.run(command, BUILD_SECONDS).failure();
    }

    /** The version a launcher prints, or null when it is another library's. */
    private String versionOf(Path launcher, Kind kind) throws IOException {
        Workbench.Outcome outcome = bench.run(List.of(launcher.toString(), "--version"), TRIAL_SECONDS);
        return outcome.ok() ? version(String.join("\n", outcome.lines()), kind.marks) : null;
    }

    /** Whether MPICH is built for libfabric, as the configuration says that its launcher prints. */
    private boolean isForOfi(Path launcher) throws IOException {
        Workbench.Outcome outcome = bench.run(List.of(launcher.toString(), "--version"), TRIAL_SECONDS);
        return String.join("\n", outcome.lines()).contains("ch4:ofi");
    }

    static String version(String text, List<String> marks) {
        String lower = text.toLowerCase(Locale.ROOT);
        boolean its = marks.stream().anyMatch(lower::contains);
        Matcher version = VERSION.matcher(text);
        return !its ? null : version.find() ? version.group() : "of unknown version";
    }

    /** A program on the search path, or null. */
    Path onPath(String program) {
        for (String folder : path == null ? new String[0] : path.split(File.pathSeparator)) {
            Path file = Path.of(folder.isEmpty() ? "." : folder).resolve(program);
            if (Files.isExecutable(file) && !Files.isDirectory(file)) {
                return file.toAbsolutePath();
            }
        }
        return null;
    }

    private static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return "root".equals(System.getProperty("user.name"));
        }
    }
}
