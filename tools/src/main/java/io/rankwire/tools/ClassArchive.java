package io.rankwire.tools;

import io.rankwire.tools.hosts.AgentStart;
import io.rankwire.tools.options.UsageException;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.zip.CRC32;

/**
 * The archive of loaded and linked classes (the JVM's cache of work done ahead of time) beside the core jar, which
 * saves each rank more than half the processor time of its start. Its name has a checksum of the jar's contents and of
 * its path. The JVM alone takes an archive for any jar, and the classes would then be those of the jar, and name the
 * path, that the archive was made with. Without an archive all works, but starts later. Profiles of methods are not
 * kept: those of a short rehearsal say little about a program, and would have the optimising compiler run at the start.
 * Beside it lies an archive of classes that are not linked, for ranks whose options do not allow the other one.
 */
final class ClassArchive {
    /** Without these the JVM would report an archive that does not fit on standard output. */
    private static final List<String> QUIET = List.of("-Xlog:cds*=off", "-Xlog:aot*=off");

    private ClassArchive() {}

    /**
     * Adds the options that use the archive, when there is one and the user's own options leave room for it.
     *
     * @param library the jar of the {@code mpi} package, if the program has it in its class path; else null
     */
    static void use(List<String> command, List<String> userOptions, String library) {
        boolean linked = true;
        for (String option : userOptions) {
            if (option.startsWith("-Xshare") || option.contains("Archive") || option.contains("AOT")) {
                return;
            }
            linked &= !needsOwnLinks(option);
        }
        File archive = file(library, linked);
        if (archive != null && !archive.isFile()) {
            archive = file(null, linked);
        }
        if (archive != null && archive.isFile()) {
            command.add((linked ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=").concat(archive.getPath()));
            command.addAll(QUIET);
        }
    }

    /** Whether the JVM does not take classes that are linked: with other modules, or another form of references. */
    private static boolean needsOwnLinks(String option) {
        return option.startsWith("--") || option.startsWith("-javaagent") || option.equals("-XX:+UseZGC")
                || option.contains("CompressedOops") || option.matches("-Xmx(3[2-9]|[4-9]\\d|\\d{3,})[gG]|-Xmx.*[tT]");
    }

    /** The class path that an archive was made with must be the begin of the one it is used with: there are two. */
    private static File file(String library, boolean linked) {
        String name = "-".concat(place(Launch.core()));
        if (library != null) {
            name = String.join("-", name, "mpi", contents(new File(library)), place(library));
        }
        return beside(name.concat(linked ? ".aot" : ".jsa"));
    }

    /**
     * A file of ours for the very contents of the core jar that is used, where the script says, or beside the jar; null
     * when core is no jar.
     */
    static File beside(String suffix) {
        File jar = new File(Launch.core());
        if (!jar.isFile()) {
            return null;
        }
        String cache = System.getProperty("rankwire.cache", jar.getParent());
        return new File(cache, "rankwire-".concat(contents(jar)).concat(suffix));
    }

    private static String place(String path) {
        CRC32 sum = new CRC32();
        sum.update(path.getBytes(StandardCharsets.UTF_8));
        return Long.toString(sum.getValue(), 36);
    }

    /** A checksum, fit for a name. */
    static String contents(File jar) {
        CRC32 sum = new CRC32();
        if (jar.isFile()) {
            try (FileInputStream in = new FileInputStream(jar)) {
                sum.update(in.readAllBytes());
            } catch (IOException e) {
                throw new UsageException("cannot read " + jar + ": " + e.getMessage(), 1);
            }
        }
        return Long.toString(sum.getValue(), 36);
    }

    /** The archive of an agent; null if Rankwire does not come in jars. */
    static File ofAgent() {
        File tools = new File(Launch.locationOf(Main.class));
        return tools.isFile() ? beside(String.join("-", "", place(Launch.core()), "agent", contents(tools),
                place(tools.getPath())).concat(".aot")) : null;
    }

    /** Makes the archives by rehearsals; run by the script after a build. */
    static int make() {
        int status = make("io.rankwire.launch.Rehearsal", null);
        String library = System.getProperty("rankwire.mpi");
        status = status != 0 || library == null ? status : make("mpi.Rehearsal", library);
        if (status == 0 && ofAgent() != null) {
            // Agents have that of the launcher otherwise.
            makeOfAgent(ofAgent());
        }
        return status;
    }

    private static int make(String program, String library) {
        File archive = file(library, true);
        if (archive == null) {
            return 1;
        }
        // The second rank makes one without links, by class data sharing.
        File plain = file(library, false);
        File draft = new File(plain.getPath() + "." + ProcessHandle.current().pid());
        RunOptions options = RunOptions.parse(library == null
                ? new String[] {"-n", "3", "--on-failure=continue", "--timeout", "60", "-cp", "", program}
                : new String[] {"-n", "2", "--timeout", "60", "-cp", "", program});
        options.library = library;
        options.hosts = null;
        options.rehearses = true;
        options.secondRankJvm.add("-XX:ArchiveClassesAtExit=".concat(draft.getPath()));
        options.secondRankJvm.addAll(QUIET);
        int status = make(archive, Launch.flags(options),
                library == null ? Launch.core() : Launch.core() + File.pathSeparator + library, loaded -> {
            options.firstRankJvm.addAll(AgentStart.record(loaded.getPath()));
            options.firstRankJvm.addAll(QUIET);
            return new RunCommand(options).run();
        });
        return status == 0 && !draft.renameTo(plain) ? 1 : status;
    }

    private static void makeOfAgent(File archive) {
        RunOptions options = RunOptions.parse(new String[] {"-n", "1", "--timeout", "60", "--hosts", "localhost:1",
            "-cp", "", "io.rankwire.launch.Rehearsal"});
        String classPath = Launch.locationOf(Main.class) + File.pathSeparator + Launch.core();
        make(archive, List.of(AgentStart.FLAGS.split(" ")), classPath, loaded -> {
            options.firstRankJvm.add(loaded.getPath());
            return new HostsCommand(options).run();
        });
    }

    /** Runs a rehearsal in which one process records the classes that it loads, and makes an archive of them. */
    private static int make(File archive, List<String> flags, String classPath, ToIntFunction<File> rehearsal) {
        // Under another name until it is whole: a rank of another job may be looking for it.
        File draft = new File(archive.getPath() + "." + ProcessHandle.current().pid());
        File loaded = new File(draft.getPath() + AgentStart.RECORDED);
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java"));
        command.addAll(flags);
        command.addAll(QUIET);
        command.addAll(List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + loaded, "-XX:AOTCache=" + draft, "-cp",
                classPath));
        try {
            int status = rehearsal.applyAsInt(loaded);
            return status != 0 ? status : new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0
                    && draft.renameTo(archive) ? 0 : 1;
        } catch (IOException e) {
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        } finally {
            loaded.delete();
            draft.delete();
        }
    }
}
