package io.rankwire.tools;

import io.rankwire.collective.Cost;
import io.rankwire.device.DeviceConfig;
import io.rankwire.fabric.Geometry;
import io.rankwire.fabric.Secret;
import io.rankwire.launch.JobDirectory;
import io.rankwire.launch.Limits;
import io.rankwire.launch.LocalAddresses;
import io.rankwire.launch.PortRange;
import io.rankwire.launch.RankMain;
import io.rankwire.launch.SecretFile;
import io.rankwire.memory.RingLayout;
import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Syntax;
import io.rankwire.tools.options.UsageException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** {@code rankwire doctor}: what this machine offers, what is wrong with it, and what to do about that. */
final class Doctor {
    private static final Option MEASURE = Option.flag("--measure")
            .help("measure again what messages cost here and which sizes of rings and slabs are fastest, for some"
                    + " seconds. Collective calls choose their algorithms by"
                    + " these costs (run --explain shows how). Costs that were measured on a busy machine are also"
                    + " measured again by a job that starts on a calm one");

    private static final Option PEERS = Option.text("HOSTS", "--peers").never(MEASURE)
            .help("measure latency, bandwidth and path MTU between this host and others, separated by commas, each as"
                    + " host or host:port; `rankwire doctor --serve` must run there");
    private static final Option SERVE = Option.number("PORT", 1, 65_535, "--serve").optional().never(MEASURE, PEERS)
            .help("answer the doctors of other hosts at this port until the command is ended, at "
                    + DoctorPeers.PORT + " if none is given");
    private static final Option SECRET = Option.path("FILE", "--secret")
            .help("a file of mode 600 with the secret of both sides, at least 16 bytes; without it, the file that"
                    + " RANKWIRE_SECRET_FILE names");
    private static final Option PORTS = Option.text("RANGE", "--ports").onlyWith(PEERS)
            .help("also try whether these ports can be reached there, such as 5000-5099, at most "
                    + DoctorLine.MOST_PORTS);
    private static final Option INTERFACE = Option.text("NAME", "--interface").never(MEASURE)
            .help("with --peers or --serve: use the address of this network interface");
    private static final Option SUBNET = Option.text("CIDR", "--subnet").never(MEASURE)
            .help("with --peers or --serve: use the address that lies in this subnet, such as 10.1.0.0/16");

    static final Syntax SYNTAX = new Syntax("doctor", "check what this machine offers, what is wrong, what to do",
            MEASURE, PEERS, SERVE, SECRET, PORTS, INTERFACE, SUBNET)
            .forms("""
                    doctor [--measure]
                    doctor --serve[=PORT] [--secret FILE]
                    doctor --peers HOSTS [--ports RANGE] [--secret FILE]
                    """)
            .about("Reports the JDK, cores, memory, the place for job files, network interfaces, limits and other MPIs"
                    + " installed, and runs a job of two ranks for two seconds that measures the latency of this"
                    + " machine and of Rankwire. With --peers it measures the network to other hosts instead."
                    + " The exit status is 1 when something is wrong that keeps jobs from running.");

    private static final long LEAST_ROOM_BYTES = 64L << 20;
    private static final int LEAST_FILES = 1024;
    private static final int LEAST_PROCESSES = 1024;

    private final List<String> problems = new ArrayList<>();
    private boolean broken;

    private Doctor() {}

    static int run(Given given) {
        boolean serves = given.has(SERVE);
        if (!serves && !given.has(PEERS)) {
            for (Option each : new Option[] {SECRET, INTERFACE, SUBNET}) {
                if (given.has(each)) {
                    throw given.wrong("option " + each + " goes with --peers or --serve");
                }
            }
            return new Doctor().examine(given.has(MEASURE));
        }
        try {
            String file = given.has(SECRET) ? given.text(SECRET) : System.getenv(SecretFile.VARIABLE);
            Secret secret = SecretFile.read(file, given.has(SECRET) ? "option " + SECRET
                    : "option " + SECRET + " (or " + SecretFile.VARIABLE + ")");
            InetAddress at = LocalAddresses.choose(given.text(INTERFACE), given.text(SUBNET), null,
                    "option " + INTERFACE, "option " + SUBNET);
            return serves ? serve(at, given.text(SERVE), secret)
                    : new DoctorPeers(secret, at, PortRange.parse(given.text(PORTS), "option " + PORTS),
                            DoctorPeers.CONNECT_MS, System.out).examine(given.text(PEERS)) ? 0 : 1;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw given.wrong(e.getMessage());
        }
    }

    private static int serve(InetAddress at, String port, Secret secret) {
        try {
            int where = port == null ? DoctorPeers.PORT : Integer.parseInt(port);
            DoctorServer server = DoctorServer.open(at, where, secret);
            System.out.println("serving doctors of other hosts at port " + server.port() + " of "
                    + (at == null ? LocalAddresses.describe(LocalAddresses.all()) : at.getHostAddress())
                    + "; end with Ctrl-C");
            server.run();
            return 0;
        } catch (IOException e) {
            System.err.println("rankwire: doctor: " + e.getMessage());
            return 1;
        }
    }

    private int examine(boolean measures) {
        java();
        machine();
        place();
        print("network", LocalAddresses.describe(LocalAddresses.all()));
        limits();
        peers();
        selfTest();
        costs(measures);
        DoctorFabric.print(System.out);
        for (String problem : problems) {
            System.out.println("problem      " + problem);
        }
        if (problems.isEmpty()) {
            System.out.println("verdict      all is well");
        }
        return broken ? 1 : 0;
    }

    static void print(String what, String value) {
        print(System.out, what, value);
    }

    static void print(PrintStream out, String what, String value) {
        out.println(what + " ".repeat(Math.max(1, 13 - what.length())) + value);
    }

    private void java() {
        print("java", Runtime.version() + ", " + System.getProperty("java.vendor") + ", "
                + System.getProperty("java.home"));
        print("system", System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                + System.getProperty("os.arch"));
        print("native", "nothing to install; ranks run with --enable-native-access for copies by system call");
    }

    private void machine() {
        int cores = Runtime.getRuntime().availableProcessors();
        String model = field("/proc/cpuinfo", "model name");
        print("cores", cores + (model == null ? "" : ", " + model));
        if (cores < 2) {
            problems.add("one core: ranks take turns, so every message costs a switch of processes; give the machine,"
                    + " container or virtual machine two cores or more");
        }
        String load = line("/proc/loadavg", "");
        if (load != null && Double.parseDouble(load.substring(0, load.indexOf(' '))) > cores) {
            problems.add("the machine is busy (load " + load.substring(0, load.indexOf(' ')) + " on " + cores
                    + " cores): times measured now say little; wait until other work has ended");
        }
        String total = field("/proc/meminfo", "MemTotal");
        String available = field("/proc/meminfo", "MemAvailable");
        if (total != null && available != null) {
            print("memory", bytes(kilobytes(total)) + ", " + bytes(kilobytes(available)) + " available");
        }
    }

    private void place() {
        Path root = JobDirectory.root();
        File place = root.toFile();
        if (!Files.isDirectory(root) || !Files.isWritable(root)) {
            broken = true;
            print("job files", root + ", not writable");
            problems.add("cannot write to " + root + ", so no job can start; set " + JobDirectory.ROOT_VARIABLE
                    + " to a directory you may write to");
            return;
        }
        boolean memory = root.startsWith("/dev/shm");
        print("job files", root + (memory ? "" : " (no /dev/shm)") + ", " + bytes(place.getTotalSpace()) + ", "
                + bytes(place.getUsableSpace()) + " free");
        if (place.getUsableSpace() < LEAST_ROOM_BYTES) {
            problems.add(root + " has little room (" + bytes(place.getUsableSpace()) + " free): jobs of many ranks will"
                    + " not start; remove files there, enlarge it (docker run --shm-size=1g), or set "
                    + JobDirectory.ROOT_VARIABLE);
        }
        if (!memory && System.getProperty("os.name").equals("Linux")) {
            problems.add("job files are in " + root + ", which may be a disk; messages are fastest with /dev/shm");
        }
    }

    private void limits() {
        Path limits = Path.of("/proc/self/limits");
        if (!Files.isReadable(limits)) {
            print("limits", "not known on this system");
            return;
        }
        String files = Limits.of("Max open files");
        String processes = Limits.of("Max processes");
        print("limits", "open files " + files + ", processes " + processes + ", locked memory "
                + Limits.of("Max locked memory"));
        if (isBelow(files, LEAST_FILES)) {
            problems.add("only " + files + " open files are allowed; jobs of many ranks need more: ulimit -n 4096");
        }
        if (isBelow(processes, LEAST_PROCESSES)) {
            problems.add("only " + processes + " processes and threads are allowed, and a JVM takes some twenty:"
                    + " ulimit -u 4096, or run with --threads");
        }
    }

    private static boolean isBelow(String limit, int least) {
        return !limit.isEmpty() && Character.isDigit(limit.charAt(0)) && Long.parseLong(limit) < least;
    }

    private static void peers() {
        StringBuilder found = new StringBuilder();
        for (String name : new String[] {"mpirun.openmpi", "mpicc.openmpi", "mpiexec.mpich", "mpicc.mpich"}) {
            if (onPath(name)) {
                found.append(found.isEmpty() ? "" : ", ").append(name);
                if (!name.startsWith("mpicc")) {
                    found.append(" (").append(version(name)).append(')');
                }
            }
        }
        print("other MPIs", found.isEmpty() ? "none installed (only wanted for comparison)" : found.toString());
    }

    private static boolean onPath(String name) {
        String path = System.getenv("PATH");
        for (String place : path == null ? new String[0] : path.split(File.pathSeparator)) {
            if (new File(place, name).canExecute()) {
                return true;
            }
        }
        return false;
    }

    /** The first number with a dot that the program prints. */
    private static String version(String name) {
        try {
            Process process = new ProcessBuilder(name, "--version").redirectErrorStream(true).start();
            process.getOutputStream().close();
            if (!process.waitFor(2, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "does not answer";
            }
            try (InputStream out = process.getInputStream()) {
                for (String word : new String(out.readAllBytes(), StandardCharsets.UTF_8).split("\\s+")) {
                    if (word.matches("[0-9]+\\.[0-9.]+[a-z0-9]*")) {
                        return word;
                    }
                }
            }
        } catch (IOException e) {
            return "does not start";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "of unknown version";
    }

    private void selfTest() {
        String classes = Launch.locationOf(Doctor.class);
        int status;
        try {
            status = new RunCommand(RunOptions.parse("-n", "2", "--timeout", "30", "-cp", classes,
                    DoctorProbe.class.getName())).run();
        } catch (UsageException e) {
            System.err.println("rankwire: " + e.getMessage());
            status = 1;
        }
        if (status != 0) {
            broken = true;
            problems.add("the self test failed (see above): a job of two ranks does not run on this machine");
        }
    }

    private static String measure() {
        System.out.flush();
        try (StatusLine status = StatusLine.open(System.out, System.err)) {
            status.onInterrupt(() -> "interrupted: nothing that was measured is kept");
            return MeasuredCosts.measure(what -> status.doing("rankwire: measuring " + what));
        }
    }

    private void costs(boolean measures) {
        String obstacle = measures ? measure() : null;
        if (obstacle != null) {
            problems.add("what messages cost could not be measured: " + obstacle);
        }
        File file = MeasuredCosts.file();
        MeasuredCosts costs = MeasuredCosts.read(file);
        if (costs == null && file != null && file.isFile()) {
            problems.add("the measured costs in " + file + " are damaged or implausible and not used;"
                    + " `rankwire doctor --measure` makes them anew");
        }
        describe(costs, System.out);
    }

    /** Prints what messages cost here, and how that is known; null for estimates. */
    static void describe(MeasuredCosts costs, PrintStream out) {
        geometry(costs, out);
        String origin = costs == null || !costs.areMeasured() ? "estimated"
                : "measured " + date(costs.conditions().measuredMs());
        print(out, "costs", origin + ", near: " + (costs == null ? Cost.NEAR : costs.near()).describe());
        print(out, "", "crowded: " + (costs == null ? Cost.CROWDED : costs.crowded()).describe());
        if (costs != null) {
            conditions(costs.conditions(), out);
        } else {
            print(out, "", "`rankwire doctor --measure` measures them");
        }
    }

    /** The memory that frames go through in jobs of two ranks. */
    private static void geometry(MeasuredCosts costs, PrintStream out) {
        Geometry geometry = costs == null ? Geometry.DEFAULT : costs.geometry();
        String origin = costs == null || !costs.areMeasured() ? "default"
                : "measured " + date(costs.conditions().measuredMs()) + ", "
                        + costs.conditions().state().name().toLowerCase(Locale.ROOT);
        int lines = Geometry.ringLines(2);
        int chunk = Geometry.chunkBytes(lines);
        print(out, "geometry", origin + ": ring " + bytes(RingLayout.bytes(lines)) + " a pair, payloads up to "
                + geometry.mostInRing() + " bytes in it; slab " + bytes(geometry.slabBytes(2)) + " a rank, chunks of "
                + bytes(chunk) + "; messages up to "
                + DeviceConfig.DEFAULT.mostEager(Geometry.mostInFrame(lines)) + " bytes are sent at once");
    }

    private static void conditions(CostConditions measured, PrintStream out) {
        print(out, "", switch (measured.state()) {
            case FAILED -> "tried " + date(measured.triedMs()) + " in vain: the machine was too busy";
            case BUSY -> "the machine was busy: " + work(measured);
            case CALM -> "the machine was calm: " + work(measured);
        });
        String machine = CostConditions.thisMachine();
        File build = new File(Launch.locationOf(RankMain.class));
        print(out, "", "on " + measured.machine() + ", build of " + date(build.lastModified()));
        if (!measured.machine().equals(machine)) {
            print(out, "", "now on " + machine);
        }
        print(out, "", !measured.areToBeMeasuredAgain() ? "kept until the processor, the JDK or the build changes"
                : "measured again by a job that starts after " + date(measured.nextTryMs()) + " while the load is at"
                        + " most " + CostConditions.calmLoad() + "; or by `rankwire doctor --measure`");
    }

    private static String work(CostConditions measured) {
        String spread = "a typical turn took " + measured.spreadPercent() + " % of a quick one";
        return measured.otherMilli() < 0 ? spread : String.format(Locale.ROOT,
                "other work took %.2f of a processor, %s", measured.otherMilli() / 1e3, spread);
    }

    private static String date(long ms) {
        return LocalDateTime.ofInstant(Instant.ofEpochMilli(ms), ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.MINUTES).toString().replace('T', ' ');
    }

    private static String line(String file, String start) {
        try {
            for (String line : Files.readAllLines(Path.of(file))) {
                if (line.startsWith(start)) {
                    return line;
                }
            }
        } catch (IOException e) {
            // Not a system that has this file.
        }
        return null;
    }

    private static String field(String file, String name) {
        String line = line(file, name);
        return line == null ? null : line.substring(line.indexOf(':') + 1).strip();
    }

    private static long kilobytes(String text) {
        return Long.parseLong(text.split(" ")[0]) << 10;
    }

    private static String bytes(long count) {
        if (count < 10L << 20) {
            return (count >> 10) + " KiB";
        }
        return count < 10L << 30 ? (count >> 20) + " MiB" : (count >> 30) + " GiB";
    }
}
