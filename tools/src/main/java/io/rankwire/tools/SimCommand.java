package io.rankwire.tools;

import io.rankwire.collective.Cost;
import io.rankwire.sim.program.Adversity;
import io.rankwire.sim.program.Settings;
import io.rankwire.tools.sim.Figures;
import io.rankwire.tools.sim.ScheduleCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code rankwire sim}: runs a program as {@code run} does, but on a simulated machine and in its time. */
final class SimCommand {
    static final String HELP = """
            rankwire sim -n N [options] PROGRAM [args]          a program on a simulated machine
            rankwire sim --schedule S[:BYTES] -n N [options]    a collective of up to millions of ranks
            rankwire sim --figures DIR                          what the simulator shows, as SVG and CSV
            rankwire sim --fit [FILE]                           a model of this machine, fitted to what is measured
            """ + CampaignCommand.HELP + """

            Runs an unchanged program on a simulated machine, in virtual time: each rank is a virtual thread, one runs
            at a time, and the same command gives the same run, down to the hash that is printed at its end.

              --topology T          crossbar (default), torus[:XxYxZ], fattree[:NODES_A_SWITCH]
              --ranks-per-node N    ranks that share a node and its links; default 1
              --seed S              chooses among what may happen at the same time; default 1
              --jitter TIME         delays each frame by chance, by up to this much: --jitter "200 ns"
              --compute HOW         the time that computing takes: none (default; a program may declare some by
                                    World.spend), measured, or measured:FACTOR
              --model FILE          the machine: lines of key = value; --print-model shows all keys and their values
              --set KEY=VALUE       one of those keys, after the file; may be repeated
              --print-model         print the machine and end
              --mpi                 the program uses the package mpi (found out by itself for a source file)
              --explore[=RUNS]      run it again and again, each time with another choice of what its any-source
                                    receives meet, until all choices were made or so many runs (1000), and tell the
                                    ways it ends
              --choices LIST        make one of those choices, as --explore has told
              --faults SEED         frames are lost, doubled, late, out of order, damaged or cut, links and ranks
                                    stop for a while or are slow, as drawn from the seed; a layer below the device
                                    repairs that, and the program gives the same answers
              --kill[=RANK[@TIME]]  a rank stops for good, at a simulated time such as "50 us"; without them the
                                    seed says which and when. The job ends with status 137 and says who missed it

            and of `rankwire run`, with the same meaning: -n, --tag-output, --explain, -x, --wdir, --timeout, -cp,
            --jvm. The last line on standard error tells the virtual time, the number of events and the hash of all of
            them. The exit status is that of the first rank to fail, and 35 for a deadlock.

            Without a program, the first option being one of these:

              --figures DIR         write the figures, a drawing (SVG) and a table (CSV) each; two minutes at most
              --schedule S[:BYTES]  barrier, allreduce, broadcast, allgather or alltoall of -n ranks, up to millions
                  --driver D        host (default), or device: it goes from step to step by itself
                  --topology T      over links and switches; without it all ways are alike (LogGOPS)
                  --noise HZ:MS     stops of the hosts, as in 10:2.5; with :together, of all at once; by --seed
                  --calls N         one after another; default 1
                  --threads N       default 2; the hash is the same
            """;

    private static final Set<String> WITH_VALUE = Set.of(
            "-n", "-np", "--ranks", "-x", "--wdir", "--timeout", "-cp", "-classpath", "--class-path", "--jvm");
    private static final Set<String> NOT_HERE = Set.of("--threads", "--progress");

    private static final int MOST_RUNS = 1_000;

    private final String[] words;
    private int at;
    private final List<String> forRun = new ArrayList<>();
    private Settings settings = Settings.DEFAULT;
    private boolean mpi;
    private int explores;
    private String choices;
    private Long faults;
    private String kill;
    private boolean printsModel;
    private boolean help;

    private SimCommand(String[] words) {
        this.words = words;
    }

    static int run(String[] words) {
        if (words.length > 0 && words[0].startsWith("--schedule")) {
            try {
                return ScheduleCommand.run(words, System.out);
            } catch (IllegalArgumentException e) {
                throw wrong(e.getMessage());
            }
        }
        if (words.length > 0 && words[0].startsWith("--figures")) {
            return figures(words);
        }
        if (FitCommand.isMeant(words)) {
            return FitCommand.run(words);
        }
        if (CampaignCommand.isMeant(words)) {
            return CampaignCommand.run(words);
        }
        SimCommand command = new SimCommand(words);
        try {
            command.modelFirst();
            command.parse();
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        if (command.help) {
            System.out.print(HELP);
            return 0;
        }
        if (command.printsModel) {
            System.out.print(command.settings.text());
            return 0;
        }
        RunOptions options = RunOptions.parse(command.forRun.toArray(new String[0]));
        command.complete(options);
        return new RunCommand(options).run();
    }

    private static int figures(String[] words) {
        int equals = words[0].indexOf('=');
        if (words.length != (equals < 0 ? 2 : 1)) {
            throw wrong("option --figures needs a folder and nothing else");
        }
        Path folder = Path.of(equals < 0 ? words[1] : words[0].substring(equals + 1));
        try {
            Figures.write(folder, System.out);
        } catch (IOException e) {
            throw new UsageException("figures could not be written to " + folder + ": " + e);
        }
        return 0;
    }

    /** The file comes first, wherever it is named: other options say what is to be different. */
    private void modelFirst() {
        for (int i = 0; i + 1 < words.length; i++) {
            if (words[i].equals("--model")) {
                read(words[i + 1]);
            } else if (words[i].startsWith("--model=")) {
                read(words[i].substring("--model=".length()));
            }
            if (WITH_VALUE.contains(words[i]) || ownWithValue(words[i])) {
                i++;
            } else if (!words[i].startsWith("-")) {
                return;
            }
        }
    }

    private static boolean ownWithValue(String word) {
        return switch (word) {
            case "--topology", "--ranks-per-node", "--seed", "--jitter", "--compute", "--model", "--set",
                    "--choices", "--faults" -> true;
            default -> false;
        };
    }

    private void read(String file) {
        try {
            settings = settings.read(Files.readString(Path.of(file)), file);
        } catch (IOException e) {
            throw new UsageException("there is no model file " + file);
        }
    }

    private void parse() {
        while (at < words.length && words[at].startsWith("-") && words[at].length() > 1 && !words[at].equals("--")) {
            String word = words[at++];
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            String name = equals < 0 ? word : word.substring(0, equals);
            String given = equals < 0 ? null : word.substring(equals + 1);
            switch (name) {
                case "--topology", "--ranks-per-node", "--seed", "--jitter", "--compute" ->
                    settings = settings.with(name.substring(2), value(name, given));
                case "--set" -> set(value(name, given));
                case "--model" -> value(name, given);
                case "--print-model" -> printsModel = true;
                case "--mpi" -> mpi = true;
                case "--replay" -> { }
                case "--explore" -> explores = given == null ? MOST_RUNS : count(given);
                case "--choices" -> choices = value(name, given);
                case "--faults" -> faults = seed(value(name, given));
                case "--kill" -> kill = given == null ? "" : given;
                case "--help", "-h" -> help = true;
                default -> pass(word, given);
            }
        }
        while (at < words.length) {
            forRun.add(words[at++]);
        }
    }

    private static long seed(String text) {
        try {
            return Long.decode(text);
        } catch (NumberFormatException e) {
            throw wrong("option --faults needs a seed, a number, not " + text);
        }
    }

    private static int count(String text) {
        try {
            int count = Integer.parseInt(text);
            if (count > 0) {
                return count;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw wrong("option --explore needs a number of runs above 0, not " + text);
    }

    private void set(String text) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            throw wrong("option --set needs KEY=VALUE, not " + text);
        }
        settings = settings.with(text.substring(0, equals).strip(), text.substring(equals + 1).strip());
    }

    private void pass(String word, String given) {
        if (NOT_HERE.contains(given == null ? word : word.substring(0, word.indexOf('=')))) {
            throw wrong("option " + word + " has no meaning in a simulation");
        }
        forRun.add(word);
        if (given == null && WITH_VALUE.contains(word)) {
            forRun.add(value(word, null));
        }
    }

    private String value(String name, String given) {
        if (given != null) {
            return given;
        }
        if (at == words.length) {
            throw wrong("option " + name + " needs a value");
        }
        return words[at++];
    }

    private void complete(RunOptions options) {
        try {
            settings.topologyFor(options.ranks);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        options.simulated = settings;
        options.explores = explores;
        options.choices = choices;
        if (faults != null || kill != null) {
            if (explores > 0 || choices != null) {
                throw wrong("--explore and --choices decide themselves when frames arrive: they do not go with"
                        + " --faults or --kill");
            }
            try {
                new Adversity(faults, kill, settings, options.ranks);
            } catch (IllegalArgumentException e) {
                throw wrong(e.getMessage());
            }
            options.faults = faults;
            options.kill = kill;
        }
        options.threads = true;
        if (mpi || usesMpi(options.program)) {
            options.library = MpiLibrary.path();
        }
        if (options.environmentOf(MeasuredCosts.VARIABLE) == null) {
            options.environment.add(MeasuredCosts.VARIABLE + "=" + costs(settings, options.ranks).text());
        }
    }

    private static boolean usesMpi(String program) {
        if (!program.endsWith(".java")) {
            return false;
        }
        try {
            for (String line : Files.readAllLines(Path.of(program))) {
                String words = line.strip();
                if (words.startsWith("import mpi.") || words.startsWith("import static mpi.")) {
                    return true;
                }
            }
        } catch (IOException e) {
            // Told when the program is to be compiled.
        }
        return false;
    }

    /** What the model says of messages, so that calls choose their algorithms for the simulated machine. */
    private static Cost costs(Settings settings, int ranks) {
        double ns = 1e-3;
        var links = settings.links();
        var device = settings.device();
        var host = settings.host();
        int hops = settings.topologyFor(ranks).nodes() < 2 ? 1 : 3;
        double oneWay = device.requestPs() + device.respondPs() + (double) hops * links.latencyPs();
        double host2 = device.offload() ? 0 : host.sendPs() + host.receivePs();
        double perByte = Math.max(links.psPerKib(), device.copyPsPerKib()) / 1024.0;
        double message = device.offload() ? device.requestPs() / (double) device.requesters() : host.sendPs();
        return new Cost((oneWay + host2) * ns, message * ns, perByte * ns, 0.1, 0.05, oneWay * ns).plausible();
    }

    private static UsageException wrong(String what) {
        return new UsageException(what + " (see `rankwire sim --help`)");
    }
}
