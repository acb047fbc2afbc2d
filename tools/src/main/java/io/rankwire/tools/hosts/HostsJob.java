package io.rankwire.tools.hosts;

import java.util.ArrayList;
import java.util.List;

/**
 * A job on several hosts, as its agents get it.
 *
 * @param size the number of ranks
 * @param spares how many ranks behind these wait to replace others
 * @param places the number of ranks that the job can have, those that come later included
 * @param hosts the number of hosts that may have ranks; 0 if the job ends with the first failure
 * @param copy {@code auto}, {@code never} or {@code always}: whether files are copied to the hosts
 * @param binds whether ranks are bound to cores
 * @param reports whether agents report where ranks are bound
 * @param verbose whether agents report the command of each rank
 * @param debugRank the rank that waits for a debugger; -1 for none
 * @param debugPort where it waits; 0 for any port
 * @param goesOn whether the job goes on when a rank has failed
 * @param environment variables of all ranks
 * @param files the files and directories that class paths name
 * @param programs the first ranks run the first one
 */
public record HostsJob(int size, int spares, int places, int hosts, byte[] secret, String copy, boolean binds,
        boolean reports, boolean verbose, int debugRank, int debugPort, boolean goesOn, List<String> environment,
        List<ClassFiles> files, List<Part> programs) {
    /**
     * One program of the job.
     *
     * @param ranks how many ranks run it
     * @param directory where they run
     * @param flags the first options of the JVM
     * @param jvm the options of the user and of the program
     * @param classPath numbers of files
     * @param environment variables of these ranks
     */
    public record Part(int ranks, String directory, List<String> flags, List<String> jvm, int[] classPath,
            String mainClass, List<String> arguments, List<String> environment) {}

    public Message message() {
        Body body = new Body().put(size).put(spares).put(places).put(hosts).put(secret, secret.length).put(copy)
                .put(binds ? 1 : 0).put(reports ? 1 : 0).put(verbose ? 1 : 0).put(debugRank).put(debugPort)
                .put(goesOn ? 1 : 0).put(environment).put(files.size());
        for (ClassFiles each : files) {
            body.put(each.path()).put(each.digest());
        }
        body.put(programs.size());
        for (Part each : programs) {
            body.put(each.ranks).put(each.directory).put(each.flags).put(each.jvm).put(each.classPath)
                    .put(each.mainClass).put(each.arguments).put(each.environment);
        }
        return body.to(Message.Kind.JOB, Message.ALL);
    }

    public static HostsJob of(Message message) {
        Body.Reader in = new Body.Reader(message);
        int size = in.number();
        int spares = in.number();
        int places = in.number();
        int hosts = in.number();
        byte[] secret = in.bytes();
        String copy = in.text();
        boolean binds = in.number() != 0;
        boolean reports = in.number() != 0;
        boolean verbose = in.number() != 0;
        int debugRank = in.number();
        int debugPort = in.number();
        boolean goesOn = in.number() != 0;
        List<String> environment = in.texts();
        List<ClassFiles> files = new ArrayList<>();
        for (int left = in.number(); left > 0; left--) {
            files.add(new ClassFiles(in.text(), in.text()));
        }
        List<Part> programs = new ArrayList<>();
        for (int left = in.number(); left > 0; left--) {
            programs.add(new Part(in.number(), in.text(), in.texts(), in.texts(), in.numbers(), in.text(), in.texts(),
                    in.texts()));
        }
        return new HostsJob(size, spares, places, hosts, secret, copy, binds, reports, verbose, debugRank, debugPort,
                goesOn, environment, files, programs);
    }

    public Part programOf(int rank) {
        int first = 0;
        for (Part each : programs) {
            first += each.ranks;
            if (rank < first) {
                return each;
            }
        }
        throw new IllegalArgumentException("rank " + rank);
    }
}
