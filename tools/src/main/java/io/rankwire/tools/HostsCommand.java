package io.rankwire.tools;

import io.rankwire.launch.AgentRank;
import io.rankwire.launch.Fabrics;
import io.rankwire.launch.JobDirectory;
import io.rankwire.launch.Progress;
import io.rankwire.tools.hosts.AgentLink;
import io.rankwire.tools.hosts.AgentStart;
import io.rankwire.tools.hosts.Body;
import io.rankwire.tools.hosts.ClassFiles;
import io.rankwire.tools.hosts.HostHello;
import io.rankwire.tools.hosts.HostList;
import io.rankwire.tools.hosts.HostsJob;
import io.rankwire.tools.hosts.Message;
import io.rankwire.tools.hosts.Message.Kind;
import io.rankwire.tools.hosts.Placement;
import io.rankwire.tools.hosts.Sweeper;
import io.rankwire.tools.hosts.Tree;
import io.rankwire.tools.options.UsageException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * {@code rankwire run} on several hosts. Starts an agent on each host, by ssh where it is not this machine; has the
 * agents start the ranks when all of them are ready; and ends everything when the job ends, however it does.
 */
final class HostsCommand implements AgentLink.Listener {
    /** How many agents the launcher or an agent starts itself. */
    private static final int FAN_OUT = Integer.getInteger("rankwire.fanOut", 16);
    private static final int START_SECONDS = 60;
    private static final int WAIT_FOR_EVER = 1_000_000;
    private static final int END_MS = 12_000;
    private static final int MORE_MS = 1000;

    private final RunOptions options;
    private final HostOptions wanted;
    private final JobOutput output;
    private final JobInput input = new JobInput();
    private final BlockingQueue<Message> events = new LinkedBlockingQueue<>();
    private JobDirectory directory;
    private Sweeper sweeper;
    private Tree tree;
    /** The hosts by the number of their agents: this machine first. */
    private List<HostList.Host> hosts;
    /** How many of the hosts are this machine. */
    private int locals;
    /** Whether agents run from jars in the job's directory. */
    private boolean isPacked;
    /** The agents that have answered last. */
    private final Set<Integer> heard = new HashSet<>();
    private boolean over;
    /** Whether a signal ends the launcher: how the ranks end then is no news. */
    private volatile boolean interrupted;
    /** Null unless the launcher says what it does. */
    private final LaunchLog log;

    HostsCommand(RunOptions options) {
        this.options = options;
        this.wanted = options.hosts;
        this.output = new JobOutput(options.size(), options.places(), options.tagOutput);
        this.log = options.verbose ? new LaunchLog(options.places(), output::say) : null;
    }

    int run() {
        Thread interruption = new Thread(() -> {
            interrupted = true;
            if (clearOnce()) {
                if (Main.IS_TERMINAL) {
                    // The cursor stands behind the ^C that the terminal has echoed.
                    System.err.println();
                }
                output.say("interrupted; all ranks have been ended");
            }
        });
        Runtime.getRuntime().addShutdownHook(interruption);
        try {
            return job();
        } catch (IOException e) {
            boolean first = clear();
            if (first) {
                output.say(e.getMessage());
            }
            return 1;
        } finally {
            clear();
            try {
                Runtime.getRuntime().removeShutdownHook(interruption);
            } catch (IllegalStateException e) {
                // It runs already.
            }
        }
    }

    /** As {@link #clearOnce}; where a signal ends the launcher, the thread that the signal has started does that. */
    private boolean clear() {
        return !interrupted && clearOnce();
    }

    /** Leaves nothing behind on any host; false when it has been done already. */
    private synchronized boolean clearOnce() {
        if (over) {
            return false;
        }
        over = true;
        if (tree != null) {
            tree.end(END_MS);
        }
        if (directory != null) {
            directory.delete();
            sweeper.dismiss();
        }
        output.finish();
        return true;
    }

    private int job() throws IOException {
        Path root = JobDirectory.root();
        synchronized (this) {
            if (over) {
                throw new IOException("interrupted");
            }
            sweeper = new Sweeper(AgentRank.DIRECTORY);
            directory = JobDirectory.name(root);
            sweeper.watch(directory.path());
            JobDirectory.create(directory);
        }
        List<ClassFiles> files = new ArrayList<>();
        log("directory " + directory.path() + ", fabric " + options.fabric + ", hosts "
                + String.join(" ", wanted.hosts.stream().map(HostList.Host::name).toList()));
        HostsJob job = describe(files);
        int[] user = placeByGivenSlots();
        begin(user);
        List<HostHello> hellos = awaitHellos();
        int[] placed = user != null ? user : placeByCores(hellos);
        checkCores(placed, hellos);
        // A root that is to outlive all ranks is best where the launcher is, without which the job ends anyway.
        int rootAgent = options.goesOn && locals > 0 ? 0 : placed[0];
        String rootHost = HostHello.rootHost(hellos, locals, rootAgent);
        log("all agents have answered; " + (options.goesOn ? "the root" : "rank 0") + " is reached at " + rootHost);
        for (int rank = 0; rank < placed.length; rank++) {
            output.name(rank, hosts.get(placed[rank]).name());
        }
        tree.send(job.message());
        awaitReady(files);
        if (!isPacked) {
            // All agents have what they need of it. A launcher that is killed from now on leaves nothing.
            directory.delete();
        }
        log("all agents have what they need; ranks start");
        tree.send(new Body().put(placed).put(rootHost).put(rootAgent).to(Kind.START, Message.ALL));
        input.start(bytes -> tree.send(new Body().put(bytes, bytes.length).to(Kind.INPUT, placed[0])));
        HostSlots ranks = new HostSlots(options.places(), placed, slots(hellos));
        return new HostsWatch(options, output, events, ranks, rootAgent).watch(tree, this::clear, () -> interrupted);
    }

    private HostsJob describe(List<ClassFiles> files) throws IOException {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        List<String> environment = new ArrayList<>();
        environment.add(Fabrics.FABRIC + "=" + options.fabric);
        environment.add(Fabrics.START_TIMEOUT + "=" + WAIT_FOR_EVER);
        options.network.forEach((name, value) -> environment.add(name + "=" + value));
        if (options.goesOn) {
            environment.add(AgentRank.ON_FAILURE + "=" + AgentRank.CONTINUE);
        }
        if (options.explain) {
            environment.add("RANKWIRE_EXPLAIN=1");
        }
        if (options.stats) {
            environment.add(HostRanks.STATS);
        }
        String ofi = OfiLibrary.of(options.fabric);
        if (ofi != null) {
            files.add(ClassFiles.at(ofi, !wanted.copy.equals("never")));
        }
        List<HostsJob.Part> parts = new ArrayList<>();
        for (RunOptions each = options; each != null; each = each.next) {
            Program program = Program.of(each, directory.path().resolve("classes" + parts.size()));
            List<String> jvm = new ArrayList<>(program.jvmOptions());
            // A rank may stand in a debugger for as long as it takes.
            jvm.add("-Drankwire.stall=" + (options.debug != null ? 0 : options.stall.limitNs() / 1e9));
            jvm.add("-Drankwire.onStall=" + (options.stall.ends() ? "end" : "report"));
            jvm.addAll(each.jvm);
            List<Integer> classPath = new ArrayList<>(ofi == null ? List.of() : List.of(0));
            for (String entry : ClassFiles.entries(program.classPath())) {
                classPath.add(files.size());
                boolean isCompiled = Path.of(entry).startsWith(directory.path());
                if (isCompiled && wanted.copy.equals("never")) {
                    throw new UsageException("option --copy=never does not go with a source file, whose classes no host"
                            + " has: compile " + each.program + ", and name its class and -cp", 2);
                }
                files.add(isCompiled ? ClassFiles.toCopy(entry) : ClassFiles.at(entry, !wanted.copy.equals("never")));
            }
            Path place = each.directory == null ? Path.of("").toAbsolutePath() : each.directory;
            List<String> variables = new ArrayList<>(each.environment);
            variables.add(Progress.VARIABLE + "=" + each.progress);
            parts.add(new HostsJob.Part(each.ranks, place.toString(), Launch.flags(each), jvm,
                    classPath.stream().mapToInt(Integer::intValue).toArray(), program.mainClass(), each.arguments,
                    variables));
        }
        int reached = options.goesOn ? wanted.hosts.size() : 0;
        return new HostsJob(options.size(), options.spares, options.places(), reached, secret, wanted.copy,
                wanted.binds, wanted.reports, options.verbose,
                options.debug == null ? -1 : options.debug.rank(), options.debug == null ? 0 : options.debug.port(),
                options.goesOn, environment, files, parts);
    }

    /** The place of each rank, in the order of the user's hosts; null if that depends on the cores of the hosts. */
    private int[] placeByGivenSlots() {
        if (wanted.mapBy.equals("core") || wanted.hosts.stream().anyMatch(host -> host.slots() == 0)) {
            return null;
        }
        return place(wanted.slots(List.of()));
    }

    private int[] place(List<Integer> slots) {
        int ranks = options.size() + options.spares;
        int[] placed = Placement.of(ranks, slots, wanted.mapBy.equals("node"), wanted.oversubscribe);
        if (placed == null) {
            int total = slots.stream().mapToInt(Integer::intValue).sum();
            throw new UsageException(options.size() + " ranks"
                    + (options.spares > 0 ? " and " + options.spares + " spares" : "")
                    + " need as many slots, and the hosts have " + total + ": name more, or give --oversubscribe", 2);
        }
        return placed;
    }

    /** The slots of the user's hosts, now that the cores of those with agents are known. */
    private List<Integer> slotsByCores(List<HostHello> hellos) {
        List<Integer> cores = new ArrayList<>(Collections.nCopies(wanted.hosts.size(), 0));
        for (int host = 0; host < hosts.size(); host++) {
            cores.set(wanted.hosts.indexOf(hosts.get(host)), hellos.get(host).cores());
        }
        return wanted.slots(cores);
    }

    /** The slots of hosts by the number of their agents. */
    private int[] slots(List<HostHello> hellos) {
        List<Integer> slots = slotsByCores(hellos);
        return hosts.stream().mapToInt(host -> slots.get(wanted.hosts.indexOf(host))).toArray();
    }

    private int[] placeByCores(List<HostHello> hellos) {
        int[] placed = place(slotsByCores(hellos));
        Arrays.setAll(placed, rank -> hosts.indexOf(wanted.hosts.get(placed[rank])));
        return placed;
    }

    /** Each rank that is bound needs a core of its own. */
    private void checkCores(int[] placed, List<HostHello> hellos) throws IOException {
        for (int i = 0; wanted.binds && i < hosts.size(); i++) {
            int host = i;
            long ranks = Arrays.stream(placed).filter(each -> each == host).count();
            if (ranks > hellos.get(host).cores()) {
                throw new IOException(hosts.get(host).name() + ": there are " + hellos.get(host).cores()
                        + " cores for " + ranks + " ranks: place fewer there, or do without --bind-to core");
            }
        }
    }

    /** Starts the agents of all hosts that have ranks, or may have some; gives each rank the number of its agent. */
    private void begin(int[] placed) throws IOException {
        List<HostList.Host> used = new ArrayList<>();
        for (int i = 0; i < wanted.hosts.size(); i++) {
            int index = i;
            if (placed == null || options.goesOn || Arrays.stream(placed).anyMatch(host -> host == index)) {
                used.add(wanted.hosts.get(i));
            }
        }
        hosts = new ArrayList<>(used.stream().filter(host -> HostOptions.isThisMachine(host.name())).toList());
        locals = hosts.size();
        used.removeAll(hosts);
        hosts.addAll(used);
        if (placed != null) {
            Arrays.setAll(placed, rank -> hosts.indexOf(wanted.hosts.get(placed[rank])));
        }
        AgentStart start = new AgentStart(wanted.ssh, System.getProperty("java.home"),
                jar(Launch.locationOf(Main.class), "tools"), jar(Launch.core(), "core"), archive(), wanted.copy);
        synchronized (this) {
            if (over) {
                throw new IOException("interrupted");
            }
            tree = new Tree(Tree.LAUNCHER, FAN_OUT, hosts.stream().map(HostList.Host::name).toList(), locals, start);
            tree.start(this);
        }
    }

    /** Agents need jars; in a checkout without them, directories are packed. */
    private String jar(String place, String name) throws IOException {
        if (Files.isRegularFile(Path.of(place))) {
            return place;
        }
        Path jar = directory.path().resolve(name + ".jar");
        ClassFiles.pack(Path.of(place), jar);
        isPacked = true;
        return jar.toString();
    }

    /** The classes of an agent as a JVM keeps them; or else those of the launcher, most of which an agent needs too. */
    private String archive() {
        if (!options.firstRankJvm.isEmpty()) {
            return options.firstRankJvm.getFirst();
        }
        File made = ClassArchive.ofAgent();
        if (made != null && made.isFile()) {
            return made.getPath();
        }
        String option = "-XX:SharedArchiveFile=";
        for (String each : ProcessHandle.current().info().arguments().orElse(new String[0])) {
            if (each.startsWith(option)) {
                return each.substring(option.length());
            }
        }
        return "";
    }

    @Override
    public void received(Message message) {
        Body.Reader body = new Body.Reader(message);
        switch (message.kind()) {
            case OUTPUT -> output.write(body.number(), false, body.bytes());
            case ERROR_OUTPUT -> output.write(body.number(), true, body.bytes());
            case TAKEN -> input.taken(body.number());
            case UNREACHED -> tree.start(message.host(), this);
            case BOUND -> output.bound(body.number(), body.text());
            case DONE -> log(body.text());
            case WAITS -> waits(body.number(), body.number());
            case ENDED -> {
                log("rank " + body.number() + " has ended with status " + body.number());
                events.add(message);
            }
            default -> events.add(message);
        }
    }

    private void log(String what) {
        if (log != null) {
            log.say(what);
        }
    }

    private void waits(int rank, int port) {
        output.say(output.shortName(rank) + " waits for a debugger: ssh -L " + port + ":127.0.0.1:" + port + " there,"
                + " then " + DebugPlan.attach(port));
    }

    @Override
    public void lost(int host, String why) {
        events.add(new Body().put(why).to(Kind.FAILED, host));
    }

    @Override
    public void unreached(int host, String why) {
        lost(host, why);
    }

    private List<HostHello> awaitHellos() throws IOException {
        List<HostHello> hellos = new ArrayList<>(Collections.nCopies(hosts.size(), null));
        String given = options.network.get(Fabrics.START_TIMEOUT);
        int seconds = given == null ? START_SECONDS : Integer.parseInt(given);
        long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        while (hellos.contains(null)) {
            Message next = next(deadline);
            if (next == null) {
                List<String> silent = new ArrayList<>();
                for (int host = 0; host < hosts.size(); host++) {
                    if (hellos.get(host) == null) {
                        silent.add(hosts.get(host).name());
                    }
                }
                throw new IOException("no answer from " + String.join(", ", silent) + " within " + seconds
                        + " s: does `" + String.join(" ", wanted.ssh) + " " + silent.get(0) + " true` work?");
            }
            if (next.kind() == Kind.HELLO) {
                hellos.set(next.host(), HostHello.of(next));
                heard.add(next.host());
            }
        }
        return hellos;
    }

    /** The next message of an agent, null after the deadline. */
    private Message next(long deadlineNs) throws IOException {
        try {
            Message next = events.poll(Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (next == null || next.kind() != Kind.FAILED) {
                return next;
            }
            // Others may fail for the same reason.
            StringBuilder all = new StringBuilder();
            Set<Integer> failed = new HashSet<>();
            long until = System.nanoTime() + MORE_MS * 1_000_000L;
            while (next != null) {
                heard.add(next.host());
                if (next.kind() == Kind.FAILED && failed.add(next.host())) {
                    all.append(all.isEmpty() ? "" : "\nrankwire: ").append(new Body.Reader(next).text());
                }
                long ns = heard.size() == hosts.size() ? 0 : Math.max(0, until - System.nanoTime());
                next = events.poll(ns, TimeUnit.NANOSECONDS);
            }
            throw new IOException(all.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Waits until all hosts have what they need, and sends it. */
    private void awaitReady(List<ClassFiles> files) throws IOException {
        int missing = hosts.size();
        heard.clear();
        while (missing > 0) {
            Message next = next(Long.MAX_VALUE + System.nanoTime());
            if (next.kind() == Kind.READY) {
                missing--;
                heard.add(next.host());
            } else if (next.kind() == Kind.NEEDS) {
                for (int file : new Body.Reader(next).numbers()) {
                    copy(next.host(), file, files.get(file));
                }
            }
        }
    }

    private void copy(int host, int number, ClassFiles file) throws IOException {
        Path draft = directory.path().resolve("packed" + number + ".jar");
        Path packed = Files.exists(draft) ? draft : file.packed(draft);
        byte[] buffer = new byte[Message.PIECE];
        try (InputStream in = Files.newInputStream(packed)) {
            int count = in.readNBytes(buffer, 0, buffer.length);
            while (true) {
                boolean isLast = count < buffer.length;
                tree.send(new Body().put(number).put(isLast ? 1 : 0).put(buffer, count).to(Kind.PIECE, host));
                if (isLast) {
                    return;
                }
                count = in.readNBytes(buffer, 0, buffer.length);
            }
        }
    }
}
