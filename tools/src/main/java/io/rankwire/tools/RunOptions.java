package io.rankwire.tools;

import io.rankwire.launch.Progress;
import io.rankwire.sim.program.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What {@code rankwire run} was asked to do. */
final class RunOptions {
    static final String HELP = """
            rankwire run -n N [options] PROGRAM [args]
            rankwire run -n N [options] PROGRAM [args] : -n N [options] PROGRAM [args] ...     several in one job

            PROGRAM is one of
              File.java             a source file; compiled once, with the other sources of its directory it uses
              Main -cp PATH         a class (-cp may also stand before it; without, CLASSPATH or the current directory)
              app.jar               the main class its manifest names

            Options
              -n, -np, --ranks N    how many ranks
              --threads             ranks are threads of one JVM, each with its own statics; default: a process each
              --progress=WHO        who moves messages while a rank computes: helper, a thread that comes when it is
                                    needed (default); thread, one for each rank that does nothing else; none
              --explain             say which algorithm each collective call uses, once for each shape of call
              --tag-output          start every line of output with its rank: [3] ...
              -x NAME[=VALUE]       set an environment variable for the ranks; may be repeated
              --wdir DIR            the directory the ranks run in
              --timeout SECONDS     end the job after this time, saying what each rank was doing (exit status 124)
              -cp, --class-path PATH
                                    where the program's classes are
              --jvm "OPTIONS"       options for the JVMs of the ranks, one quoted string: --jvm "-Xmx1g -Dx=y"; may be
                                    repeated; quotes inside protect blanks: --jvm "-Dx='a b'"
              --help                this text

            Standard input goes to rank 0. The exit status is that of the first rank to fail, 35 for a deadlock, 2 for a
            command given wrongly, 141 when the reader of the output has gone. Files of a running job are in /dev/shm,
            or where RANKWIRE_DIR says.
            """;

    private static final int MOST_RANKS = 1 << 16;

    int ranks;
    boolean threads;
    boolean tagOutput;
    Progress progress = Progress.HELPER;
    boolean explain;
    boolean help;
    double timeoutSeconds;
    Path directory;
    String classPath;
    String program;
    /** The machine to simulate; null for this one. */
    Settings simulated;
    /** Runs that may be tried to see all that any-source receives could meet; 0 for one run, as it comes. */
    int explores;
    /** What any-source receives meet, as an exploration has told; null for as it comes. */
    String choices;
    /** The seed of what goes wrong on the simulated machine; null for nothing. */
    Long faults;
    /** Which simulated rank is killed and when, as {@code RANK@TIME}; blank for by the seed, null for none. */
    String kill;
    /** Classes that come before the program's own; may be null. */
    String library;
    /** When set, each rank has its number, the number of ranks and this before its arguments. */
    String device;
    /** Whether the program is no Java class but any command, which finds its rank in its environment. */
    boolean command;
    /** Whether a program may end without closing its world, as MPJ Express lets it. */
    boolean mayStayOpen;
    /** The port at which rank 0 waits for a debugger, the next rank at the next; 0 for none. */
    int debugPort;
    /** The next program of the same job, with the ranks that follow; null for none. */
    RunOptions next;
    /** Whether ranks find their number in the environment under the names of Open MPI too. */
    boolean tellsOpenMpiRanks;
    final List<String> environment = new ArrayList<>();
    final List<String> jvm = new ArrayList<>();
    /** More options for the JVM of rank 0; never given by users. */
    final List<String> firstRankJvm = new ArrayList<>();
    final List<String> arguments = new ArrayList<>();

    private final String[] words;
    private int at;

    private RunOptions(String[] words) {
        this.words = words;
    }

    /** To be filled by the commands that stand in for other launchers. */
    static RunOptions blank() {
        return new RunOptions(new String[0]);
    }

    static RunOptions parse(String[] words) {
        RunOptions options = new RunOptions(words);
        options.parse();
        return options;
    }

    private void parse() {
        while (at < words.length && program == null && !help) {
            String word = words[at++];
            if (word.equals("--")) {
                program = at < words.length ? words[at++] : null;
                break;
            } else if (word.startsWith("-") && word.length() > 1) {
                option(word);
            } else {
                program = word;
            }
        }
        if (help) {
            return;
        }
        boolean mayFollow = program != null && classPath == null && isClassName(program);
        if (mayFollow && at < words.length && isClassPath(words[at])) {
            classPath = value(words[at++], null);
        }
        while (at < words.length && next == null) {
            String word = words[at++];
            if (word.equals(":") && at < words.length && isRanks(words[at])) {
                next = parse(Arrays.copyOfRange(words, at, words.length));
            } else {
                arguments.add(word);
            }
        }
        if (ranks == 0) {
            throw wrong("how many ranks? Give -n N");
        }
        if (program == null) {
            throw wrong("which program? Give a source file, a class or a jar after the options");
        }
    }

    private static boolean isRanks(String word) {
        return word.equals("-n") || word.equals("-np") || word.equals("--ranks") || word.startsWith("--ranks=");
    }

    /** The ranks of all programs together. */
    int size() {
        int size = 0;
        for (RunOptions each = this; each != null; each = each.next) {
            size += each.ranks;
        }
        return size;
    }

    /** The program that is this rank. */
    RunOptions of(int rank) {
        RunOptions each = this;
        for (int first = each.ranks; rank >= first && each.next != null; first += each.ranks) {
            each = each.next;
        }
        return each;
    }

    /** What -x has set a variable to, the last time, or null. */
    String environmentOf(String name) {
        for (int i = environment.size() - 1; i >= 0; i--) {
            String each = environment.get(i);
            if (each.startsWith(name) && each.indexOf('=') == name.length()) {
                return each.substring(name.length() + 1);
            }
        }
        return null;
    }

    private void option(String word) {
        int equals = word.startsWith("--") ? word.indexOf('=') : -1;
        String name = equals < 0 ? word : word.substring(0, equals);
        String given = equals < 0 ? null : word.substring(equals + 1);
        switch (name) {
            case "-n", "-np", "--ranks" -> ranks = number(name, value(name, given));
            case "--threads" -> threads = flag(name, given);
            case "--tag-output" -> tagOutput = flag(name, given);
            case "--explain" -> explain = flag(name, given);
            case "--progress" -> progress = progress(value(name, given));
            case "--help", "-h" -> help = flag(name, given);
            case "-x" -> variable(value(name, given));
            case "--wdir" -> directory = directory(name, value(name, given));
            case "--timeout" -> timeoutSeconds = seconds(value(name, given));
            case "-cp", "-classpath", "--class-path" -> classPath = value(name, given);
            case "--jvm" -> split(value(name, given));
            default -> throw wrong("unknown option " + name);
        }
    }

    static boolean isClassName(String program) {
        return !program.endsWith(".java") && !program.endsWith(".jar");
    }

    private static boolean isClassPath(String word) {
        return word.equals("-cp") || word.equals("-classpath") || word.equals("--class-path");
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

    private static boolean flag(String name, String given) {
        if (given != null) {
            throw wrong("option " + name + " takes no value");
        }
        return true;
    }

    private static int number(String name, String text) {
        try {
            int value = Integer.parseInt(text);
            if (value >= 1 && value <= MOST_RANKS) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Told below, like a number out of range.
        }
        throw wrong("option " + name + " needs a number of ranks from 1 to " + MOST_RANKS + ", not " + text);
    }

    private static Progress progress(String text) {
        Progress named = Progress.named(text);
        if (named == null) {
            throw wrong("option --progress needs helper, thread or none, not " + text);
        }
        return named;
    }

    private static double seconds(String text) {
        try {
            double value = Double.parseDouble(text);
            if (value > 0 && value < 1e9) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw wrong("option --timeout needs a number of seconds above 0, not " + text);
    }

    static Path directory(String name, String text) {
        Path path = Path.of(text);
        if (!Files.isDirectory(path)) {
            throw wrong("option " + name + ": " + text + " is no directory");
        }
        return path.toAbsolutePath();
    }

    void variable(String text) {
        int equals = text.indexOf('=');
        if (text.isEmpty() || equals == 0) {
            throw wrong("option -x needs NAME or NAME=VALUE, not " + text);
        }
        if (equals < 0 && System.getenv(text) == null) {
            System.err.println("rankwire: -x " + text + ": there is no such environment variable");
        } else {
            // The ranks have the launcher's environment anyway; on other hosts they will not.
            environment.add(equals < 0 ? text + "=" + System.getenv(text) : text);
        }
    }

    /** Splits at blanks outside single and double quotes, which are dropped. */
    private void split(String text) {
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0 ? c == quote : c == '\'' || c == '"') {
                quote = quote == 0 ? c : 0;
                inWord = true;
            } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
                if (inWord) {
                    jvm.add(word.toString());
                }
                word.setLength(0);
                inWord = false;
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw wrong("option --jvm: a quote is not closed in " + text);
        }
        if (inWord) {
            jvm.add(word.toString());
        }
    }

    private static UsageException wrong(String what) {
        return new UsageException(what + " (see `rankwire run --help`)");
    }
}
