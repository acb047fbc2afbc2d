package io.rankwire.tools.bench;

import io.rankwire.World;
import io.rankwire.tools.Main;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One of those compared: ours, or a C library.
 *
 * @param loops the command that runs two ranks of its program of loops; the kind of work and the cells are added, and
 *     the number of ranks is changed where a kind has more
 * @param empty the command that runs an empty job of two ranks
 */
record Side(String name, String version, List<String> loops, List<String> empty) {
    static final int RANKS = 2;
    /** Lets ranks of Open MPI share cores; they then yield while they wait. */
    static final String SHARING = "--oversubscribe";
    static final String COUNT = "-n";
    private static final String RUN = "run";

    boolean isOurs() {
        return name.equals(Results.OURS);
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
        if (isOurs()) {
            command.addAll(command.indexOf(RUN) + 1, work.settings(kind));
        }
        command.add(kind);
        for (Cell cell : cells) {
            command.add(cell.toString());
        }
        return command;
    }

    /** Ours, as a user starts it. */
    static Side ours() {
        String version = Main.class.getPackage().getImplementationVersion();
        return new Side(Results.OURS, version == null ? "not from a jar" : version, rankwireRun(BenchRank.class),
                rankwireRun(EmptyRank.class));
    }

    /** {@code rankwire run -n 2} of a class in this jar, by the JVM and with the options that run this command. */
    static List<String> rankwireRun(Class<?> program) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (option.startsWith("-X")) {
                command.add(option);
            }
        }
        String tools = locationOf(Main.class);
        command.addAll(List.of("-cp", tools + File.pathSeparator + locationOf(World.class), Main.class.getName()));
        command.addAll(List.of(RUN, COUNT, Integer.toString(RANKS), program.getName(), "-cp", tools));
        return command;
    }

    private static String locationOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
