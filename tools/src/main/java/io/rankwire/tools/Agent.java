package io.rankwire.tools;

import io.rankwire.launch.AgentRank;
import io.rankwire.launch.JobDirectory;
import io.rankwire.launch.LocalAddresses;
import io.rankwire.tools.hosts.AgentLink;
import io.rankwire.tools.hosts.AgentStart;
import io.rankwire.tools.hosts.Body;
import io.rankwire.tools.hosts.ClassFiles;
import io.rankwire.tools.hosts.HostHello;
import io.rankwire.tools.hosts.HostsJob;
import io.rankwire.tools.hosts.Message;
import io.rankwire.tools.hosts.Message.Kind;
import io.rankwire.tools.hosts.Sweeper;
import io.rankwire.tools.hosts.Tree;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The launcher's part on one host. It gets everything over its standard input, starts the ranks of its host and the
 * agents under it, and passes output and endings on to its own standard output. When its input ends, it ends all that
 * it has started and removes its files: so nothing stays when the launcher, or the connection to it, is lost.
 */
public final class Agent implements AgentLink.Listener {
    private static final int CHILDREN_MS = 8000;
    private static final int SWEEP_MS = 4000;

    private final DataInputStream in;
    private final DataOutputStream out;
    private Tree tree;
    private HostsJob job;
    private JobDirectory directory;
    private Sweeper sweeper;
    private HostRanks ranks;
    /** Where each entry of the class paths is on this host; null while it is missing. */
    private String[] places;
    private boolean over;

    private Agent(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    public static void main(String[] args) {
        DataOutputStream out = new DataOutputStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 17));
        // Only messages may go there.
        System.setOut(System.err);
        Agent agent = new Agent(
                new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in), 1 << 17)), out);
        Runtime.getRuntime().addShutdownHook(new Thread(agent::interrupted));
        agent.run();
        agent.end();
        Runtime.getRuntime().halt(0);
    }

    private void run() {
        try {
            out.write(AgentStart.GREETING.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            Message begin = Message.read(in);
            if (begin == null) {
                return;
            }
            tree = Tree.of(begin, System.getProperty("java.home"), Launch.locationOf(Agent.class), Launch.core());
            tree.start(this);
            hello();
            for (Message next = Message.read(in); next != null; next = Message.read(in)) {
                if (next.host() != tree.self()) {
                    tree.send(next);
                }
                if (next.host() == tree.self() || next.host() == Message.ALL) {
                    handle(next);
                }
            }
        } catch (IOException e) {
            // Either the connection is lost, or no launcher has started this.
        }
    }

    /** Passes a message of an agent under this one on. */
    @Override
    public void received(Message message) {
        send(message);
    }

    @Override
    public void lost(int host, String why) {
        send(new Body().put("from " + tree.name(tree.self()) + ": " + why).to(Kind.FAILED, host));
    }

    /** The launcher may have keys and names that this host has not, and starts that agent itself. */
    @Override
    public void unreached(int host, String why) {
        tree.forget(host);
        send(Message.of(Kind.UNREACHED, host));
    }

    void send(Message message) {
        synchronized (out) {
            try {
                message.write(out);
            } catch (IOException e) {
                // The input ends too, and that ends all.
            }
        }
    }

    private void hello() {
        List<String> addresses = new ArrayList<>();
        LocalAddresses.all().forEach(each -> addresses.add(each.address().getHostAddress().replaceFirst("%.*", "")));
        String connection = System.getenv("SSH_CONNECTION");
        send(HostHello.of(Cores.ofThisProcess().size(), connection, addresses).message(tree.self()));
    }

    private void handle(Message message) {
        try {
            Body.Reader body = new Body.Reader(message);
            switch (message.kind()) {
                case JOB -> prepare(HostsJob.of(message));
                case PIECE -> store(body.number(), body.number() != 0, body.bytes());
                case START -> start(body.numbers(), body.text(), body.number());
                case ROOT -> {
                    if (ranks != null) {
                        ranks.root(body.number());
                    }
                }
                case INPUT -> {
                    if (ranks != null) {
                        ranks.input(body.bytes());
                    }
                }
                case KILL -> {
                    if (ranks != null) {
                        ranks.kill(body.number());
                    }
                }
                case DEAD -> {
                    if (ranks != null) {
                        ranks.dead(body.number(), body.text());
                    }
                }
                case WELL -> {
                    if (ranks != null) {
                        ranks.endedWell(body.number());
                    }
                }
                case ALIVE -> {
                    if (ranks != null) {
                        ranks.alive(body.number());
                    }
                }
                case SETTLE -> {
                    if (ranks != null) {
                        ranks.settle();
                    }
                }
                case MORE -> {
                    if (ranks != null) {
                        ranks.startMore(body.number(), body.number());
                    }
                }
                case DISMISS -> {
                    if (ranks != null) {
                        ranks.dismiss(body.number());
                    }
                }
                case ASK -> {
                    if (ranks != null) {
                        ranks.report();
                    }
                }
                default -> { }
            }
        } catch (IOException e) {
            send(new Body().put(tree.name(tree.self()) + ": " + e.getMessage()).to(Kind.FAILED, tree.self()));
        }
    }

    private void prepare(HostsJob of) throws IOException {
        job = of;
        HostRanks.checkBinding(job);
        for (HostsJob.Part each : job.programs()) {
            if (!Files.isDirectory(Path.of(each.directory()))) {
                throw new IOException("there is no directory " + each.directory() + " to run in: make it there, or"
                        + " name one that all hosts have by --wdir");
            }
        }
        synchronized (this) {
            if (over) {
                return;
            }
            Path root = JobDirectory.root();
            JobDirectory.sweep(root);
            sweeper = new Sweeper(AgentRank.DIRECTORY);
            directory = JobDirectory.name(root);
            sweeper.watch(directory.path());
            JobDirectory.create(directory);
        }
        JobDirectory.write(HostRanks.secret(directory.path()), ByteBuffer.wrap(job.secret()));
        places = new String[job.files().size()];
        List<Integer> missing = new ArrayList<>();
        for (int i = 0; i < places.length; i++) {
            ClassFiles file = job.files().get(i);
            if (!job.copy().equals("always") && file.isHere()) {
                places[i] = file.path();
            } else if (job.copy().equals("never")) {
                throw new IOException("there is no " + file.path() + ": put it there, or do without --copy=never");
            } else {
                missing.add(i);
            }
        }
        if (missing.isEmpty()) {
            send(Message.of(Kind.READY, tree.self()));
        } else {
            send(new Body().put(missing.stream().mapToInt(Integer::intValue).toArray()).to(Kind.NEEDS, tree.self()));
        }
    }

    private void store(int file, boolean isLast, byte[] bytes) throws IOException {
        Path place = directory.path().resolve("copy" + file + ".jar");
        if (!Files.exists(place)) {
            JobDirectory.write(place, ByteBuffer.allocate(0));
        }
        try (OutputStream to = Files.newOutputStream(place, StandardOpenOption.APPEND)) {
            to.write(bytes);
        } catch (IOException e) {
            throw new IOException("no room for " + job.files().get(file).path() + " in " + directory.path().getParent()
                    + ": free some space there, or set " + JobDirectory.ROOT_VARIABLE + " on that host", e);
        }
        if (isLast) {
            places[file] = place.toString();
            for (String each : places) {
                if (each == null) {
                    return;
                }
            }
            send(Message.of(Kind.READY, tree.self()));
        }
    }

    private void start(int[] hosts, String rootHost, int root) throws IOException {
        List<Integer> mine = new ArrayList<>();
        for (int rank = 0; rank < hosts.length; rank++) {
            if (hosts[rank] == tree.self()) {
                mine.add(rank);
            }
        }
        HostRanks started;
        synchronized (this) {
            if (over) {
                return;
            }
            started = new HostRanks(job, directory.path(), places, tree.self(), tree.name(tree.self()),
                    this::send, this::cutOff);
            ranks = started;
        }
        started.start(mine, rootHost, root == tree.self());
    }

    /** This host has lost the root, and most likely the launcher, whose connection may last for hours. */
    private void cutOff() {
        send(new Body().put(tree.name(tree.self()) + " has lost the root of the job").to(Kind.FAILED, tree.self()));
        end();
        Runtime.getRuntime().halt(0);
    }

    /** A signal ends this process. */
    private void interrupted() {
        if (tree != null) {
            send(new Body().put("the agent on " + tree.name(tree.self()) + " was ended by a signal")
                    .to(Kind.FAILED, tree.self()));
        }
        end();
    }

    /** Leaves nothing behind; done once. */
    private void end() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        boolean isGood = ranks == null || ranks.end();
        if (tree != null) {
            tree.end(CHILDREN_MS);
        }
        if (directory != null) {
            directory.delete();
            // Also that of a launcher on this machine that was killed.
            JobDirectory.sweep(directory.path().getParent());
        }
        if (sweeper != null && isGood) {
            sweeper.dismiss();
        } else if (sweeper != null) {
            sweeper.sweep(SWEEP_MS);
        }
    }
}
