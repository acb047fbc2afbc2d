package io.rankwire.tools.bench;

import io.rankwire.World;
import io.rankwire.launch.Fabrics;
import io.rankwire.tools.Main;
import io.rankwire.tools.OfiLibrary;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One of those compared: ours, or a C library.
 *
 * @param loops the command that runs two ranks of its program of loops; the kind of work and the cells are added, and
 *     the number of ranks is changed where a kind has more
 * @param empty the command that runs an empty job of two ranks
 * @param isForOfi whether it can use libfabric
 */
record Side(String name, String version, List<String> loops, List<String> empty, boolean isForOfi) {
    static final int RANKS = 2;
    /** Lets ranks of Open MPI share cores; they then yield while they wait. */
    static final String SHARING = "--oversubscribe";
    static final String COUNT = "-n";
    private static final String RUN = "run";

    boolean isOurs() {
        return name.equals(Results.OURS);
    }

    /** Ours, or another build of it. */
    boolean isRankwire() {
        return isOurs() || name.equals(Results.BEFORE);
    }

    private boolean isOpenMpi() {
        return name.equals("openmpi");
    }

    List<String> command(Work work, String kind, List<Cell> cells) {
        List<String> command = new ArrayList<>(loops);
        int ranks = work.ranks(kind);
        if (ranks != RANKS) {
            command.set(command.indexOf(COUNT) + 1, Integer.toString(ranks));
        }
        if (isOpenMpi() && ranks > Runtime.getRuntime().availableProcessors() && !command.contains(SHARING)) {
            command.add(command.indexOf(COUNT), SHARING);
        }
        if (isRankwire()) {
            command.addAll(command.indexOf(RUN) + 1, work.settings(kind));
        }
        command.add(kind);
        for (Cell cell : cells) {
            command.add(cell.toString());
        }
        return command;
    }

    /**
     * The same side over a network in place of shared memory: ours over the one that is given, others over libfabric
     * with the same provider if that is meant and they are built for it, and else over TCP.
     */
    Side over(String fabric) {
        boolean usesOfi = Fabrics.isOfi(fabric) && isForOfi;
        String network = isRankwire() || usesOfi ? fabric
                : Fabrics.isOfi(fabric) ? "tcp since it is not built for libfabric" : Fabrics.TCP;
        return new Side(name, version + ", " + network, over(fabric, usesOfi, loops), over(fabric, usesOfi, empty),
                isForOfi);
    }

    private List<String> over(String fabric, boolean usesOfi, List<String> command) {
        String provider = Fabrics.provider(fabric);
        List<String> options = new ArrayList<>();
        if (isRankwire()) {
            options.addAll(List.of("--fabric", fabric));
        } else if (isOpenMpi()) {
            options.addAll(usesOfi ? List.of("--mca", "pml", "cm", "--mca", "mtl", "ofi")
                    : List.of("--mca", "pml", "ob1", "--mca", "btl", "self,tcp"));
            if (usesOfi && provider != null) {
                options.addAll(List.of("--mca", "mtl_ofi_provider_include", provider));
            }
        } else {
            options.addAll(List.of("-genv", "MPIR_CVAR_NOLOCAL", "1", "-genv", "UCX_TLS", "self,tcp"));
            if (!usesOfi || provider != null) {
                options.addAll(List.of("-genv", "FI_PROVIDER", usesOfi ? provider : Fabrics.TCP));
            }
        }
        return with(command, options.toArray(String[]::new));
    }

    /** The same side under another name. */
    Side named(String other) {
        return new Side(other, version, loops, empty, isForOfi);
    }

    /** The same side with options for its ranks, if it is ours or another build of it. */
    Side with(String... options) {
        return isRankwire() ? new Side(name, version, with(loops, options), with(empty, options), isForOfi)
                : this;
    }

    private static List<String> with(List<String> command, String... options) {
        List<String> changed = new ArrayList<>(command);
        changed.addAll(changed.indexOf(COUNT), List.of(options));
        return changed;
    }

    /** Ours, as a user starts it. */
    static Side ours() {
        String version = Main.class.getPackage().getImplementationVersion();
        return new Side(Results.OURS, version == null ? "not from a jar" : version, rankwireRun(BenchRank.class),
                rankwireRun(EmptyRank.class), true);
    }

    /**
     * Another build, with its launcher; the loops are those of this one, so that only the library differs.
     *
     * @param directory a built checkout, or a directory of its jars
     */
    static Side before(Path directory) throws IOException {
        String core = part(directory, "core");
        String tools = part(directory, "tools");
        List<String> loops = rankwireRun(tools, core, BenchRank.class);
        return new Side(Results.BEFORE, "in " + directory, loops, rankwireRun(tools, core, EmptyRank.class),
                false);
    }

    /** The jar of a module, or the directory of its classes. */
    private static String part(Path directory, String module) throws IOException {
        Path target = directory.resolve(module).resolve("target");
        for (Path place : List.of(directory, target)) {
            if (!Files.isDirectory(place)) {
                continue;
            }
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(place, "rankwire-" + module + "-*.jar")) {
                for (Path jar : jars) {
                    String name = jar.getFileName().toString();
                    if (!name.endsWith("-javadoc.jar") && !name.endsWith("-sources.jar")) {
                        return jar.toString();
                    }
                }
            }
        }
        Path classes = target.resolve("classes");
        if (Files.isDirectory(classes)) {
            return classes.toString();
        }
        throw new IOException("option --baseline: " + directory + " has no rankwire-" + module + "-*.jar, also not in "
                + module + "/target: build it first");
    }

    /** {@code rankwire run -n 2} of a class in this jar, by the JVM and with the options that run this command. */
    static List<String> rankwireRun(Class<?> program) {
        return rankwireRun(locationOf(Main.class), locationOf(World.class), program);
    }

    /** The same by the launcher and library in other places. */
    private static List<String> rankwireRun(String tools, String core, Class<?> program) {
        boolean here = tools.equals(locationOf(Main.class));
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        // As the script does, which is not the one that has started a test.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (option.startsWith("-X") && (here || !option.contains("Archive"))) {
                command.add(option);
            }
        }
        String ofi = System.getProperty(OfiLibrary.PROPERTY);
        if (here && ofi != null) {
            command.add("-D" + OfiLibrary.PROPERTY + "=" + ofi);
        }
        command.addAll(List.of("-cp", tools + File.pathSeparator + core, Main.class.getName()));
        command.addAll(List.of(RUN, COUNT, Integer.toString(RANKS), program.getName(), "-cp",
                locationOf(Main.class)));
        return command;
    }

    static String locationOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
