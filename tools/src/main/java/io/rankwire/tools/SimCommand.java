package io.rankwire.tools;

import io.rankwire.collective.Cost;
import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.sim.program.Adversity;
import io.rankwire.sim.program.Fabric;
import io.rankwire.sim.program.Settings;
import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Syntax;
import io.rankwire.tools.options.UsageException;
import io.rankwire.tools.sim.ScheduleCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code rankwire sim run}: runs a program as {@code rankwire run} does, but on a simulated machine and in its time.
 * {@code rankwire sim model}: prints that machine.
 */
final class SimCommand {
    private static final Option FABRIC = Option.choice("NAME", List.of("device", "tcp", "udp"), "--fabric").help("""
            what carries messages
              device  the modelled devices; the default
              tcp     connections between hosts, and above them what `rankwire run --fabric=tcp` uses
              udp     datagrams between hosts, and the layer that repeats lost ones""");
    private static final Option RANKS_PER_NODE = Option.number("N", 1, Integer.MAX_VALUE, "--ranks-per-node")
            .help("the number of ranks that share a node and its links; default 1");
    private static final Option SEED = Option.seed("SEED", "--seed")
            .help("chooses the order of what happens at the same time; default 1");
    private static final Option JITTER = Option.text("TIME", "--jitter")
            .help("delay each frame by a random time up to this one: --jitter \"200 ns\"");
    private static final Option COMPUTE = Option.text("HOW", "--compute").help("""
            the time that computing takes
              none              none, unless the program declares some by World.spend; the default
              measured          what it takes here
              measured:FACTOR   what it takes here, multiplied""");
    private static final Option MODEL = Option.file("--model")
            .help("the machine: lines of key = value; `rankwire sim model` prints all keys and their values");
    private static final Option SET = Option.text("KEY=VALUE", "--set").repeats()
            .help("one of those keys; overrides the file; may be repeated");
    private static final Option MPI = Option.flag("--mpi")
            .help("the program uses the package mpi; not needed for a source file that imports it");
    private static final Option EXPLORE = Option.number("RUNS", 1, Integer.MAX_VALUE, "--explore").optional()
            .help("run the program again and again, with other choices of the messages that its any-source receives"
                    + " match, until all choices were made, or this many runs (1000); then print the ways it ends");
    private static final Option CHOICES = Option.text("LIST", "--choices").never(EXPLORE)
            .help("make the choices that --explore has printed");
    private static final Option FAULTS = Option.seed("SEED", "--faults").never(EXPLORE, CHOICES)
            .help("frames are lost, doubled, late, out of order, damaged or cut, links and ranks stop for a while or"
                    + " are slow, as drawn from the seed; a layer below the device repairs that, and the program gives"
                    + " the same answers");
    private static final Option KILL = Option.text("RANK@TIME,...", "--kill").optional().never(EXPLORE, CHOICES)
            .help("ranks stop for good, each at a simulated time such as \"50 us\"; K:SEED@TIME for K ranks that the"
                    + " seed chooses, before that time. Without a value one rank, which --seed chooses. The job ends"
                    + " with status 137, or goes on without them with --on-failure continue");
    private static final Option ON_FAILURE = Option.choice("ACTION", List.of("end", "continue"), "--on-failure")
            .otherwise("end").never(EXPLORE, CHOICES).help("""
                    when a rank fails or is killed
                      end       end the job
                      continue  go on without it: calls that need it fail at the other ranks""");
    private static final Option SPARES = Option.number("K", 1, Adversity.MOST_RANKS, "--spares")
            .help("with --on-failure continue: K ranks more, which wait to replace ranks that fail; without one that"
                    + " waits, a rank is started when one is to be replaced");

    private static final Option BESIDE = Option.text("JOB", "--beside").repeats().never(EXPLORE, CHOICES, FAULTS, KILL,
            ON_FAILURE)
            .help("another job on the same nodes, as \"[-n N] PROGRAM [args]\", with as many ranks as the first unless"
                    + " it names a number: it has a world of its own and shares links and devices; may be repeated");

    static final Syntax RUN = new Syntax("sim run", "run a program on a simulated machine", RunOptions.RANKS,
            RunOptions.PROGRAM, FABRIC, ScheduleCommand.TOPOLOGY, RANKS_PER_NODE, SEED, JITTER, COMPUTE, MODEL, SET,
            MPI, EXPLORE, CHOICES, FAULTS, KILL, ON_FAILURE, SPARES, BESIDE, RunOptions.TAG_OUTPUT,
            RunOptions.EXPLAIN, RunOptions.STATS, RunOptions.VARIABLE, RunOptions.DIRECTORY, RunOptions.TIMEOUT,
            RunOptions.CLASS_PATH, RunOptions.JVM)
            .forms("sim run -n N [options] PROGRAM [args]")
            .about("Runs an unchanged program on a simulated machine, in virtual time: each rank is a virtual thread,"
                    + " one runs at a time, and the same command gives the same run, down to the hash that is printed"
                    + " at its end.")
            .notes("The last line on standard error, before the table of --stats, is the virtual time, the number of"
                    + " events and the hash of all of them. The exit status is that of the first rank that fails, of"
                    + " any job, or with --on-failure continue 0 if a rank ends well; and 35 for a deadlock, after"
                    + " the other jobs have ended.");

    static final Syntax PRINT = new Syntax("sim model", "print the simulated machine", FABRIC,
            ScheduleCommand.TOPOLOGY, RANKS_PER_NODE, SEED, JITTER, COMPUTE, MODEL, SET)
            .forms("sim model [options]")
            .about("Prints the machine that `rankwire sim run` simulates with these options, as a model file.");

    private static final String MOST_RUNS = "1000";

    private SimCommand() {}

    static int run(Given given) {
        Settings settings = settings(given);
        RunOptions options = RunOptions.of(given);
        if (options.arguments(given) != null) {
            throw given.wrong("a simulation runs one program");
        }
        int ranks = options.ranks;
        RunOptions last = options;
        for (String job : given.all(BESIDE)) {
            last.next = beside(given, options, job);
            last = last.next;
            ranks = Math.max(ranks, last.ranks);
        }
        try {
            settings.topologyFor(ranks);
            boolean sockets = settings.fabric() != Fabric.DEVICE;
            if (sockets && options.ranks > Adversity.MOST_RANKS) {
                throw given.wrong("tcp and udp are for " + Adversity.MOST_RANKS + " ranks at most, not "
                        + options.ranks);
            }
            if (sockets && given.has(BESIDE)) {
                throw given.wrong("--beside is for the fabric device alone");
            }
            if (sockets && (given.has(EXPLORE) || given.has(CHOICES))) {
                throw given.wrong("--explore and --choices are for the fabric device alone");
            }
            if (settings.device().overflow() == Overflow.REFUSE && (given.has(EXPLORE) || given.has(CHOICES))) {
                throw given.wrong("--explore and --choices cannot be combined with device.overflow = refuse");
            }
            options.goesOn = given.text(ON_FAILURE).equals("continue");
            options.spares = given.has(SPARES) ? given.number(SPARES) : 0;
            if (options.spares > 0 && !options.goesOn) {
                throw given.wrong("option --spares needs --on-failure continue");
            }
            if (given.has(FAULTS) || given.has(KILL) || options.goesOn) {
                options.faults = given.has(FAULTS) ? given.seed(FAULTS) : null;
                options.kill = given.has(KILL) ? orElse(given.text(KILL), "") : null;
                options.simulated = settings;
                new Adversity(options.faults, options.kill, settings, options.ranks, options.places());
            }
        } catch (IllegalArgumentException e) {
            throw given.wrong(e.getMessage());
        }
        options.simulated = settings;
        options.explores = given.has(EXPLORE) ? Integer.parseInt(orElse(given.text(EXPLORE), MOST_RUNS)) : 0;
        options.choices = given.text(CHOICES);
        options.threads = true;
        for (RunOptions each = options; each != null; each = each.next) {
            if (given.has(MPI) || usesMpi(each.program)) {
                each.library = MpiLibrary.path();
            }
        }
        if (options.environmentOf(MeasuredCosts.VARIABLE) == null) {
            options.environment.add(MeasuredCosts.VARIABLE + "=" + costs(settings, ranks).text());
        }
        return new RunCommand(options).run();
    }

    /** A job that shares the nodes of the first. */
    private static RunOptions beside(Given given, RunOptions first, String text) {
        List<String> words = RunOptions.words(given, BESIDE, text);
        RunOptions job = new RunOptions();
        job.ranks = first.ranks;
        if (words.size() > 1 && RunOptions.RANKS.isNamed(words.get(0))) {
            try {
                job.ranks = Integer.parseInt(words.get(1));
            } catch (NumberFormatException e) {
                job.ranks = 0;
            }
            if (job.ranks < 1 || job.ranks > RunOptions.MOST_RANKS) {
                throw given.wrong("option --beside: " + words.get(0) + " needs a number from 1 to "
                        + RunOptions.MOST_RANKS + ", not " + words.get(1));
            }
            words = words.subList(2, words.size());
        }
        if (words.isEmpty() || words.get(0).startsWith("-")) {
            throw given.wrong("option --beside needs a job such as \"-n 2 Main\", not \"" + text + "\"");
        }
        job.program = words.get(0);
        job.arguments.addAll(words.subList(1, words.size()));
        job.classPath = first.classPath;
        job.jvm.addAll(first.jvm);
        return job;
    }

    static int print(Given given) {
        System.out.print(settings(given).text());
        return 0;
    }

    private static String orElse(String text, String otherwise) {
        return text == null ? otherwise : text;
    }

    /** The machine: the file first, wherever it is named, since the other options override it. */
    private static Settings settings(Given given) {
        Settings settings = Settings.DEFAULT;
        String file = given.text(MODEL);
        try {
            if (file != null) {
                settings = settings.read(Files.readString(Path.of(file)), file);
            }
            for (int i = 0; i < given.count(); i++) {
                Option option = given.option(i);
                String value = given.value(i);
                if (option == SET) {
                    int equals = value.indexOf('=');
                    if (equals < 0) {
                        throw given.wrong("option --set needs KEY=VALUE, not " + value);
                    }
                    settings = settings.with(value.substring(0, equals).strip(), value.substring(equals + 1).strip());
                } else if (List.of(FABRIC, ScheduleCommand.TOPOLOGY, RANKS_PER_NODE, SEED, JITTER, COMPUTE)
                        .contains(option)) {
                    settings = settings.with(option.toString().substring(2), value);
                }
            }
            return settings;
        } catch (IllegalArgumentException e) {
            throw given.wrong(e.getMessage());
        } catch (IOException e) {
            throw new UsageException("cannot read the model file " + file);
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
            // The compilation reports it.
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
        double host2 = settings.offload() ? 0 : host.sendPs() + host.receivePs();
        double perByte = Math.max(links.psPerKib(), device.copyPsPerKib()) / 1024.0;
        double message = settings.offload() ? device.requestPs() / (double) device.requesters() : host.sendPs();
        return new Cost((oneWay + host2) * ns, message * ns, perByte * ns, 0.1, 0.05, oneWay * ns).plausible();
    }
}
