package io.rankwire.tools;

import io.rankwire.launch.RankMain;
import java.io.File;
import java.util.List;

/**
 * The archive of loaded classes (class data sharing) beside the core jar, which saves each rank about half the
 * processor time of its start. It is named by the jar's time and size and the JVM checks both again, so a changed jar
 * never meets old classes. Without an archive all works the same, only later.
 */
final class ClassArchive {
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
        command.add("-XX:SharedArchiveFile=".concat(archive.getPath()));
        // An archive that does not fit is no news for the user: these would say so on standard output.
        command.add("-Xlog:cds=off");
        command.add("-Xlog:aot=off");
    }

    /** The class path that an archive was made with must be the begin of the one it is used with: there are two. */
    private static File file(String library) {
        return beside(library == null ? ".jsa" : "-mpi-".concat(stamp(new File(library))).concat(".jsa"));
    }

    /** A file of ours for the very core jar that is used, beside it; null when core is no jar. */
    static File beside(String suffix) {
        File jar = new File(Launch.locationOf(RankMain.class));
        if (!jar.isFile()) {
            return null;
        }
        return new File(jar.getParentFile(), "rankwire-".concat(stamp(jar)).concat(suffix));
    }

    private static String stamp(File jar) {
        return String.join("-", Long.toString(jar.lastModified(), 36), Long.toString(jar.length(), 36));
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
        // Under another name until it is whole: a rank of another job may be looking for it.
        File draft = new File(archive.getPath() + "." + ProcessHandle.current().pid());
        options.firstRankJvm.add("-XX:ArchiveClassesAtExit=".concat(draft.getPath()));
        options.firstRankJvm.add("-Xlog:cds=off");
        options.firstRankJvm.add("-Xlog:aot=off");
        int status = new RunCommand(options).run();
        return status == 0 && !draft.renameTo(archive) ? 1 : status;
    }
}
