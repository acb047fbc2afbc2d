package io.rankwire.tools;

import io.rankwire.tools.bench.Bench;
import java.util.Arrays;

/** The {@code rankwire} command. */
public final class Main {
    private static final String HELP = """
            rankwire: message passing for the JVM

              rankwire run -n N [options] PROGRAM [args]   run a program on N ranks (run --help for its options)
              rankwire sim -n N [options] PROGRAM [args]   run it on a simulated machine (sim --help)
              rankwire bench [options]                     measure it, also against other MPIs (bench --help)
              rankwire doctor [--measure]                  what this machine offers, what is wrong, what to do
              rankwire mpirun, mpjrun, fmpjrun, mpijavac   as these are given, for programs that import mpi.*
              rankwire help [COMMAND]                      this text, or that of one command
              rankwire version

            Try:  rankwire run -n 4 examples/Ring.java
            """;

    private Main() {}

    public static void main(String[] args) {
        int status;
        try {
            status = dispatch(args);
        } catch (UsageException e) {
            System.err.println("rankwire: " + e.getMessage());
            status = e.status();
        }
        if (status == 0 && System.out.checkError()) {
            status = RunCommand.PIPE_STATUS;
        }
        System.exit(status);
    }

    private static int dispatch(String[] args) {
        if (args.length == 0) {
            System.err.print(HELP);
            return 2;
        }
        String[] rest = Arrays.copyOfRange(args, 1, args.length);
        return switch (args[0]) {
            case "run" -> RunCommand.run(rest);
            case "sim" -> SimCommand.run(rest);
            case "bench" -> Bench.run(rest);
            case "doctor" -> Doctor.run(rest);
            case "mpjrun", "mpjrun.sh", "fmpjrun" -> MpjrunCommand.run(args[0], rest);
            case "mpirun", "mpiexec" -> MpirunCommand.run(args[0], rest);
            case "mpijavac" -> MpijavacCommand.run(rest);
            case "rehearse" -> rehearse();
            case "help", "--help", "-h" -> help(rest);
            case "version", "--version", "-V" -> version();
            default -> throw new UsageException("unknown command " + args[0] + "; `rankwire help` lists the commands");
        };
    }

    /** What is done once after a build, so that jobs start fast and choose well; all goes without it. */
    private static int rehearse() {
        int status = ClassArchive.make();
        if (MeasuredCosts.read(MeasuredCosts.file()) == null) {
            MeasuredCosts.measure();
        }
        return status;
    }

    private static int help(String[] args) {
        String topic = args.length == 0 ? "" : args[0];
        if (topic.equals("bench")) {
            return Bench.run(new String[] {"--help"});
        }
        System.out.print(
                switch (topic) {
                    case "run" -> RunOptions.HELP;
                    case "sim" -> SimCommand.HELP;
                    case "doctor" -> Doctor.HELP;
                    default -> HELP;
                });
        return 0;
    }

    private static int version() {
        String version = Main.class.getPackage().getImplementationVersion();
        System.out.println("rankwire " + (version == null ? "(not from a jar)" : version) + ", Java "
                + System.getProperty("java.version"));
        return 0;
    }
}
