package io.rankwire.tools;

import io.rankwire.tools.bench.Bench;
import io.rankwire.tools.options.Completion;
import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Help;
import io.rankwire.tools.options.ManPage;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Suggestion;
import io.rankwire.tools.options.Syntax;
import io.rankwire.tools.options.UnknownOptionException;
import io.rankwire.tools.options.UsageException;
import io.rankwire.tools.sim.Figures;
import io.rankwire.tools.sim.ScheduleCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The {@code rankwire} command. */
public final class Main {
    private static final List<String> SHELLS = List.of("bash", "zsh", "fish");
    private static final Option SHELL = Option.choice("", SHELLS, "SHELL")
            .required("which shell? Give bash, zsh or fish").help("bash, zsh or fish");
    private static final Syntax COMPLETION = new Syntax("completion", "print a script for completion in a shell",
            SHELL)
            .forms("completion SHELL")
            .about("Prints a script that completes commands, options and values of rankwire.")
            .notes("In bash and zsh: source <(rankwire completion bash). In fish: rankwire completion fish | source");
    private static final Option TOPIC = Option.program("COMMAND").help("the command to explain");
    private static final Syntax HELP = new Syntax("help", "print a list of the commands, or the help of one", TOPIC)
            .forms("help [COMMAND]");
    private static final Syntax VERSION = new Syntax("version", "print the versions of Rankwire and Java")
            .forms("version");

    /** The character set of LANG=C, which lacks the micro sign and others: they would be printed as question marks. */
    static final boolean IS_ASCII = System.out.charset() == StandardCharsets.US_ASCII;

    /** Whether both input and output are a terminal; the script sets it, so that the JVM need not find out. */
    static final boolean IS_TERMINAL = Boolean.getBoolean("rankwire.terminal");

    private Main() {}

    public static void main(String[] args) {
        if (IS_ASCII) {
            System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        }
        int status;
        try {
            status = dispatch(args);
        } catch (UnknownOptionException e) {
            System.err.println("rankwire: " + e.messageAmong(ownCommands()));
            status = e.status();
        } catch (UsageException e) {
            System.err.println("rankwire: " + e.getMessage());
            status = e.status();
        }
        if (status == 0 && System.out.checkError()) {
            status = RunCommand.PIPE_STATUS;
        }
        System.exit(status);
    }

    /** All commands, in the order of the help text. */
    public static List<Syntax> commands() {
        return List.of(RunOptions.SYNTAX, SimCommand.RUN, ScheduleCommand.SYNTAX, Figures.SYNTAX,
                CampaignCommand.CAMPAIGN, CampaignCommand.REPLAY, FitCommand.SYNTAX, SimCommand.PRINT, Bench.SYNTAX,
                Doctor.SYNTAX, JobsCommand.PS, JobsCommand.QUEUES, JobsCommand.STACK, JobsCommand.ATTACH,
                MpirunCommand.MPIRUN, MpirunCommand.MPIEXEC, MpjrunCommand.MPJRUN, MpjrunCommand.FMPJRUN,
                MpijavacCommand.SYNTAX, COMPLETION, HELP, VERSION);
    }

    public static List<Syntax> ownCommands() {
        return commands().stream().filter(each -> !each.isForeign()).toList();
    }

    private static int dispatch(String[] args) {
        if (args.length == 0) {
            System.err.print(help());
            return 2;
        }
        String[] rest = Arrays.copyOfRange(args, 1, args.length);
        switch (args[0]) {
            case "run" -> {
                // Started most often, so the other commands are not even loaded.
                Given given = RunOptions.SYNTAX.parse(rest);
                if (printsHelp(RunOptions.SYNTAX, given)) {
                    return 0;
                }
                RunOptions options = RunOptions.parse(given);
                return options.hosts == null ? new RunCommand(options).run() : new HostsCommand(options).run();
            }
            case "sim" -> {
                return sim(rest);
            }
            case "rehearse" -> {
                return rehearse();
            }
            case "pages" -> {
                return pages(Path.of(rest[0]));
            }
            case "--help", "-h" -> {
                System.out.print(help());
                return 0;
            }
            default -> {
                String name = switch (args[0]) {
                    case "--version", "-V" -> "version";
                    case "mpjrun.sh" -> "mpjrun";
                    default -> args[0];
                };
                return run(find(name, "unknown command " + args[0]), rest);
            }
        }
    }

    private static int sim(String[] words) {
        String first = words.length == 0 ? "" : words[0];
        if (first.isEmpty()) {
            System.err.print(simHelp());
            return 2;
        }
        if (first.equals("--help") || first.equals("-h")) {
            System.out.print(simHelp());
            return 0;
        }
        if (first.startsWith("-")) {
            throw new UsageException("sim needs a command: " + newForm(List.of(words))
                    + " (`rankwire sim --help` lists the commands)");
        }
        return run(find("sim " + first, "unknown command sim " + first), Arrays.copyOfRange(words, 1, words.length));
    }

    /** The commands that options were in earlier versions. */
    private static String newForm(List<String> words) {
        List<String> names = words.stream().map(word -> word.split("=", 2)[0]).toList();
        boolean hasRanks = names.contains("-n") || names.contains("-np") || names.contains("--ranks");
        if (names.contains("--schedule")) {
            return "--schedule S is now `rankwire sim schedule S`";
        }
        if (names.contains("--figures")) {
            return "--figures DIR is now `rankwire sim figures DIR`";
        }
        if (names.contains("--fit")) {
            return "--fit FILE is now `rankwire sim fit FILE`";
        }
        if (names.contains("--print-model")) {
            return "--print-model is now `rankwire sim model`";
        }
        if (names.contains("--campaign") && !hasRanks) {
            return "--campaign is now `rankwire sim campaign`";
        }
        if (names.contains("--replay") && !hasRanks) {
            return "--seed SEED --replay is now `rankwire sim replay SEED`";
        }
        return "`rankwire sim " + words.get(0) + " ...` is now `rankwire sim run " + words.get(0) + " ...`";
    }

    private static Syntax find(String name, String error) {
        List<String> names = new ArrayList<>();
        for (Syntax each : commands()) {
            if (each.name().equals(name)) {
                return each;
            }
            names.add(each.name());
        }
        String similar = Suggestion.of(name, names);
        throw new UsageException(error + (similar.isEmpty() ? "; `rankwire help` lists the commands" : similar));
    }

    private static int run(Syntax syntax, String[] words) {
        // MPJ Express prints its help when it is started without arguments.
        boolean asksForHelp = words.length == 0 && syntax == MpjrunCommand.MPJRUN;
        Given given = syntax.parse(asksForHelp ? new String[] {"--help"} : words);
        if (printsHelp(syntax, given)) {
            return 0;
        }
        return switch (syntax.name()) {
            case "sim run" -> SimCommand.run(given);
            case "sim model" -> SimCommand.print(given);
            case "sim schedule" -> ScheduleCommand.run(given, System.out);
            case "sim figures" -> Figures.run(given, System.out);
            case "sim campaign" -> CampaignCommand.campaign(given);
            case "sim replay" -> CampaignCommand.replay(given);
            case "sim fit" -> FitCommand.run(given);
            case "bench" -> Bench.run(given);
            case "doctor" -> Doctor.run(given);
            case "ps" -> JobsCommand.ps();
            case "queues" -> JobsCommand.queues(given);
            case "stack" -> JobsCommand.stack(given);
            case "attach" -> JobsCommand.attach(given);
            case "mpirun", "mpiexec" -> MpirunCommand.run(given);
            case "mpjrun", "fmpjrun" -> new RunCommand(MpjrunCommand.parse(given)).run();
            case "mpijavac" -> MpijavacCommand.run(given);
            case "completion" -> print(Completion.script(given.text(SHELL), ownCommands()));
            case "help" -> print(helpOf(given.rest()));
            case "version" -> printVersion();
            default -> throw new IllegalStateException(syntax.name());
        };
    }

    private static boolean printsHelp(Syntax syntax, Given given) {
        if (given.has(Option.HELP)) {
            System.out.print(syntax.help());
            return true;
        }
        return false;
    }

    private static int print(String text) {
        System.out.print(text);
        return 0;
    }

    /** What the script does once after a build, so that jobs start fast and choose good algorithms. */
    private static int rehearse() {
        int status = ClassArchive.make();
        if (MeasuredCosts.read(MeasuredCosts.file()) == null) {
            MeasuredCosts.measure(what -> { });
        }
        return status;
    }

    /** What the build does for the archive: writes manual pages and scripts for completion into a directory. */
    private static int pages(Path to) {
        try {
            Path manual = Files.createDirectories(to.resolve("man/man1"));
            for (Syntax each : commands()) {
                Files.writeString(manual.resolve(ManPage.file(each)), ManPage.of(each, version()));
            }
            Files.writeString(manual.resolve("rankwire.1"), ManPage.ofAll(ownCommands(), version()));
            Path completion = Files.createDirectories(to.resolve("completion"));
            for (String shell : SHELLS) {
                Files.writeString(completion.resolve("rankwire." + shell), Completion.script(shell, ownCommands()));
            }
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String helpOf(String[] topic) {
        String name = String.join(" ", topic);
        return name.isEmpty() ? help() : name.equals("sim") ? simHelp()
                : find(name, "unknown command " + name).help();
    }

    private static String help() {
        return Help.ofGroup("rankwire: message passing for the JVM", commands(), """
                `rankwire COMMAND --help` prints the options of a command; `rankwire --version` the version.

                Try:  rankwire run -n 4 examples/Ring.java""");
    }

    private static String simHelp() {
        return Help.ofGroup("rankwire sim: programs, collectives and devices on a simulated machine",
                commands().stream().filter(each -> each.name().startsWith("sim ")).toList(),
                "`rankwire sim COMMAND --help` prints the options of a command.");
    }

    static int printVersion() {
        System.out.println("rankwire " + version() + ", Java " + System.getProperty("java.version"));
        return 0;
    }

    private static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "(not from a jar)" : version;
    }
}
