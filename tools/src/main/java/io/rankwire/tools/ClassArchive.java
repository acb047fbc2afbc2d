package io.rankwire.tools;

import io.rankwire.tools.options.UsageException;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The archive of loaded and linked classes (the JVM's cache of work done ahead of time) beside the core jar, which
 * saves each rank more than half the processor time of its start. Its name has a checksum of the jar's contents and of
 * its path. The JVM alone would take an archive for any jar of the same name, time and size, wherever it is, and the
 * classes would then be those of the jar, and name the path, that the archive was made with. Without an archive all
 * works, but starts later. Profiles of methods are not kept: those of a short rehearsal say little about a program, and
 * would have the optimising compiler run at the start.
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
        File archive = file(library);
        if (archive != null && !archive.isFile()) {
            archive = file(null);
        }
        if (archive == null || !archive.isFile()) {
            return;
        }
        for (String option : userOptions) {
            if (option.startsWith("-Xshare") || option.contains("Archive") || option.contains("AOT")) {
                return;
            }
        }
        command.add("-XX:AOTCache=".concat(archive.getPath()));
        command.addAll(QUIET);
    }

    /** The class path that an archive was made with must be the begin of the one it is used with: there are two. */
    private static File file(String library) {
        String name = "-".concat(place(Launch.core()));
        if (library != null) {
            name = String.join("-", name, "mpi", contents(new File(library)), place(library));
        }
        return beside(name.concat(".aot"));
    }

    /** A file of ours for the very contents of the core jar that is used, beside it; null when core is no jar. */
    static File beside(String suffix) {
        File jar = new File(Launch.core());
        if (!jar.isFile()) {
            return null;
        }
        return new File(jar.getParentFile(), "rankwire-".concat(contents(jar)).concat(suffix));
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

    /** Makes the archives by rehearsals; run by the script after a build. */
    static int make() {
        int status = make("io.rankwire.launch.Rehearsal", null);
        String library = System.getProperty("rankwire.mpi");
        return status != 0 || library == null ? status : make("mpi.Rehearsal", library);
    }

    private static int make(String program, String library) {
        File archive = file(library);
        if (archive == null) {
            return 1;
        }
        String[] job = {"-n", "2", "--timeout", "60", "-cp", "", program};
        RunOptions options = RunOptions.parse(job);
        options.library = library;
        options.hosts = null;
        // Under another name until it is whole: a rank of another job may be looking for it.
        File draft = new File(archive.getPath() + "." + ProcessHandle.current().pid());
        File loaded = new File(draft.getPath() + ".classes");
        options.firstRankJvm.addAll(List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + loaded,
                "-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTRecordTraining"));
        options.firstRankJvm.addAll(QUIET);
        try {
            int status = new RunCommand(options).run();
            return status != 0 ? status : assemble(loaded, draft, options) && draft.renameTo(archive) ? 0 : 1;
        } finally {
            loaded.delete();
            draft.delete();
        }
    }

    /** Makes an archive of what the first rank of a rehearsal has loaded. */
    private static boolean assemble(File loaded, File archive, RunOptions options) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java"));
        command.addAll(Launch.flags(options));
        command.addAll(QUIET);
        command.addAll(List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + loaded, "-XX:AOTCache=" + archive,
                "-cp", options.library == null ? Launch.core() : Launch.core() + File.pathSeparator + options.library));
        try {
            return new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
