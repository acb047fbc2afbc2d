package io.rankwire.tools;

import io.rankwire.launch.Ending;
import io.rankwire.tools.hosts.Body;
import io.rankwire.tools.hosts.Message;
import io.rankwire.tools.hosts.Message.Kind;
import io.rankwire.tools.hosts.Tree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Watches a job whose ranks have been started by agents, until it ends. */
final class HostsWatch {
    /** How long ranks have to end by themselves after the first failure, in which they report the reason. */
    private static final long GRACE_NS = 1_500_000_000;
    private static final int POLL_MS = 20;
    private static final int INTERRUPTION_MS = 100;
    /** How long agents may take to say what their ranks do. */
    private static final long ANSWER_NS = 4_000_000_000L;
    private static final int SIGNALLED = 128;

    private final RunOptions options;
    private final JobOutput output;
    private final BlockingQueue<Message> events;
    private final StatsTable stats;
    /** The ranks that are waited for, while {@link #deaths} is null. */
    private final BitSet running = new BitSet();
    /** The most telling failure so far: its exit status, what is said about it, and how well that explains all. */
    private int status;
    private String story;
    private Telling telling = Telling.NOTHING;
    private long failedNs;
    private boolean rootListens;
    private boolean hasGoneOn;
    /** Whether the root was asked, after all ranks have ended, whether it has anything else to report; and has not. */
    private boolean asked;
    private boolean settled;
    /** Ends before the root has reported that all ranks have found each other, where the job goes on from then on. */
    private final List<HostDeaths.Ended> early = new ArrayList<>();
    /** A rank that has ended and never joined the world; -1 for none. */
    private int neverJoined = -1;
    /** The agent of each rank, and that with the root. */
    private final HostSlots placed;
    private final int root;
    /** The ranks that have failed; null as long as the job ends with the first of them. */
    private HostDeaths deaths;

    /** A rank that ends because others have failed is no explanation, one that was killed the best. */
    private enum Telling { NOTHING, FOLLOWS, EXITED, KILLED }

    HostsWatch(RunOptions options, JobOutput output, BlockingQueue<Message> events, HostSlots placed, int root) {
        this.placed = placed;
        this.root = root;
        this.options = options;
        this.output = output;
        this.events = events;
        this.running.set(0, options.size());
        this.stats = new StatsTable(options.size());
    }

    /**
     * Returns the exit status of the job, when all has ended.
     *
     * @param clear ends everything; false if that has been done
     * @param isInterrupted whether a signal ends everything
     */
    int watch(Tree tree, BooleanSupplier clear, BooleanSupplier isInterrupted) {
        long start = System.nanoTime();
        long timeoutNs = (long) (options.timeoutSeconds * 1e9);
        while (isRunning(tree) && output.broken() == null) {
            Message next = next();
            if (isInterrupted.getAsBoolean()) {
                break;
            }
            long now = System.nanoTime();
            if (deaths != null && next == null) {
                deaths.check(now);
            }
            if (next != null && deaths != null && goesOn(next, tree)) {
                continue;
            }
            if (next != null && next.kind() == Kind.FAILED) {
                fail(Telling.KILLED, 1, new Body.Reader(next).text());
                // Ctrl-C goes to ssh too, which may be faster: then this is no failure.
                RunCommand.pause(INTERRUPTION_MS);
                break;
            }
            heard(next, tree, now);
            if (rootListens && neverJoined >= 0 && telling == Telling.NOTHING) {
                fail(Telling.EXITED, 1, output.name(neverJoined) + " failed: it ended with status 0 and never joined"
                        + " the world, for which the others wait");
                break;
            }
            if (telling != Telling.NOTHING && now - failedNs > GRACE_NS) {
                break;
            }
            if (timeoutNs > 0 && now - start >= timeoutNs && telling == Telling.NOTHING) {
                String limit = options.timeoutSeconds == Math.rint(options.timeoutSeconds)
                        ? String.valueOf((long) options.timeoutSeconds) : String.valueOf(options.timeoutSeconds);
                fail(Telling.KILLED, RunCommand.TIMEOUT_STATUS, "the job did not end within " + limit + " s"
                        + doing(tree));
                break;
            }
            output.showQuestion();
        }
        if (deaths != null) {
            deaths.dismissSpares();
        }
        boolean first = clear.getAsBoolean();
        if (output.broken() != null) {
            String why = String.valueOf(output.broken().getMessage());
            if (why.contains(RunCommand.BROKEN_PIPE)) {
                return RunCommand.PIPE_STATUS;
            }
            fail(Telling.KILLED, 1, "cannot write the output of the ranks: " + why);
        }
        if (deaths != null && telling == Telling.NOTHING && !isInterrupted.getAsBoolean()) {
            status = deaths.finish();
        }
        if (options.stats && first) {
            events.forEach(this::counted);
            output.say(stats.toString());
        }
        if (story != null && first) {
            output.say(story);
        }
        return status;
    }

    /** Whether ranks have not ended, or what the root has seen of their ends is not known yet. */
    private boolean isRunning(Tree tree) {
        if (deaths == null) {
            return !running.isEmpty();
        } else if (!deaths.running().isEmpty()) {
            return true;
        } else if (!asked) {
            asked = true;
            tree.send(Message.of(Kind.SETTLE, root));
        }
        return !settled;
    }

    /** Deals with what is the same in all jobs. */
    private void heard(Message message, Tree tree, long nowNs) {
        if (message == null) {
            return;
        }
        switch (message.kind()) {
            case LISTENS -> {
                rootListens = true;
                tree.send(new Message(Kind.ROOT, Message.ALL, message.body()));
            }
            case STARTED -> goOn(tree, nowNs);
            case ENDED -> ended(new Body.Reader(message));
            default -> counted(message);
        }
    }

    /** All ranks have found each other, and the job goes on from now on: also without those that have ended before. */
    private void goOn(Tree tree, long nowNs) {
        deaths = new HostDeaths(output, placed, root, tree, options.size(), nowNs);
        hasGoneOn = true;
        telling = Telling.NOTHING;
        status = 0;
        story = null;
        neverJoined = -1;
        early.forEach(each -> deaths.ended(each.rank(), each.code(), each.ending()));
    }

    /** Deals with what has happened in a job that goes on; false for what is the same in all jobs. */
    private boolean goesOn(Message message, Tree tree) {
        Body.Reader body = new Body.Reader(message);
        switch (message.kind()) {
            case DECLARED -> deaths.declared(body.number(), body.text());
            case DOOMED -> deaths.kill(body.number());
            case WANTED -> deaths.want(body.number(), body.number(), body.number());
            case GIVEN -> deaths.given(body.number());
            case RUNS -> tree.send(new Message(Kind.ALIVE, root, message.body()));
            case SETTLED -> settled = true;
            case GONE -> deaths.gone(body.number());
            case ENDED -> deaths.ended(body.number(), body.number(), body.text());
            case OVER -> {
                running.clear();
                running.or(deaths.running());
                List<HostDeaths.Ended> before = deaths.undeclared();
                deaths = null;
                fail(Telling.FOLLOWS, body.number(), body.text());
                before.forEach(each -> ended(each.rank(), each.code(), each.ending()));
            }
            case FAILED -> {
                if (tree.isUnder(root, message.host())) {
                    return false;
                }
                // As below.
                RunCommand.pause(INTERRUPTION_MS);
                deaths.lost(message.host(), body.text());
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void counted(Message message) {
        if (message != null && message.kind() == Kind.COUNTED) {
            Body.Reader body = new Body.Reader(message);
            stats.put(body.number(), body.text());
        }
    }

    /** What each rank does, in a line for each, as far as the agents answer. */
    private String doing(Tree tree) {
        tree.send(Message.of(Kind.ASK, Message.ALL));
        String[] lines = new String[options.places()];
        String[] stacks = new String[options.places()];
        int answers = 0;
        for (int rank = 0; rank < lines.length; rank++) {
            if (deaths == null ? rank < options.size() : deaths.isThere(rank)) {
                lines[rank] = "does not answer";
                answers++;
            }
        }
        long deadline = System.nanoTime() + ANSWER_NS;
        for (int left = answers; left > 0 && System.nanoTime() - deadline < 0;) {
            Message next = next();
            if (next != null && next.kind() == Kind.DOING) {
                Body.Reader body = new Body.Reader(next);
                int rank = body.number();
                left -= lines[rank] == null ? 0 : 1;
                lines[rank] = body.text();
                stacks[rank] = body.text();
            }
        }
        StringBuilder text = new StringBuilder();
        for (int rank = 0; rank < lines.length; rank++) {
            if (lines[rank] == null) {
                continue;
            }
            text.append("\n  ").append(output.shortName(rank)).append(": ").append(lines[rank]);
        }
        for (int rank = 0; rank < lines.length; rank++) {
            if (stacks[rank] != null && !stacks[rank].isEmpty()) {
                text.append("\n  threads of ").append(output.shortName(rank)).append(":\n")
                        .append(stacks[rank].stripTrailing());
            }
        }
        return text.toString();
    }

    private Message next() {
        try {
            return events.poll(POLL_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void ended(Body.Reader body) {
        int rank = body.number();
        int code = body.number();
        String ending = body.text();
        running.clear(rank);
        early.add(new HostDeaths.Ended(rank, code, ending));
        // Until the job goes on, no rank but those of the world has a part in it: the others begin without a spare.
        if (rank < options.size() || hasGoneOn) {
            ended(rank, code, ending);
        }
    }

    private void ended(int rank, int code, String text) {
        String[] ending = text.split("\n", 2);
        if (code == 0) {
            neverJoined = ending[0].equals("false") && rank < options.size() ? rank : neverJoined;
            return;
        }
        String signal = signal(code, text);
        if (signal != null) {
            fail(Telling.KILLED, code, output.name(rank) + " failed: it was killed by " + signal);
        } else if (ending.length > 1 && !ending[1].isBlank()) {
            fail(Telling.FOLLOWS, code, ending[1].strip());
        } else {
            fail(Telling.EXITED, code, output.name(rank) + " failed: it exited with status " + code);
        }
    }

    /** The signal by which a rank was killed, or null. */
    static String signal(int code, String ending) {
        return code > SIGNALLED && ending.isEmpty() ? Ending.signal(code - SIGNALLED) : null;
    }

    private void fail(Telling how, int code, String what) {
        if (telling == Telling.NOTHING) {
            failedNs = System.nanoTime();
        }
        if (how.compareTo(telling) > 0) {
            telling = how;
            status = code;
            story = what;
        }
    }
}
