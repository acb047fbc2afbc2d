package io.rankwire.launch;

import java.net.URL;

/**
 * A program with a main method whose ranks are threads of another program that goes on after them. Each rank has its
 * own copy of the program's classes, and a call of {@link System#exit} ends the rank alone.
 */
public final class EmbeddedProgram {
    private final String mainClass;
    private final String[] args;
    private final URL[] classPath;
    private final boolean simulated;
    private final SharedLibrary library;

    /**
     * @param main its class
     * @param simulated whether the program's time is not the machine's
     */
    public EmbeddedProgram(Class<?> main, String[] args, boolean simulated) {
        this.mainClass = main.getName();
        this.args = args;
        this.simulated = simulated;
        ProgramEntry.of(main);
        classPath = RankLoader.classPath(ProgramPath.of(main));
        library = simulated ? SharedLibrary.find(classPath) : null;
    }

    /** Runs the program as the rank of this job. */
    public void run(Job job) throws Throwable {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        RankLoader loader = new RankLoader(classPath, simulated, job.rank(), library);
        thread.setContextClassLoader(loader);
        job.exitsAlone();
        try {
            ProgramEntry.of(mainClass, loader).run(args.clone());
        } catch (ProgramClock.Exited e) {
            if (e.status != 0) {
                throw new Aborted("it exited with status " + e.status, e.status);
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
