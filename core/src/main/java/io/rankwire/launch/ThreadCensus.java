package io.rankwire.launch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Answers the two questions that a watcher asks about the threads of this process: whether any of them could act apart
 * from those inside blocking calls of this library, and what they are doing. It also answers the command that asks what
 * is under way at each rank.
 *
 * <p>That none can act is claimed only for one moment at which all of this holds:
 *
 * <ul>
 *   <li>Every thread of the process, as the kernel lists them, sleeps. The kernel's state and count of context switches
 *       of each are read before and after the thread dump; a thread that slept at both times with the same count has
 *       not run in between, not even for an instant.
 *   <li>Every thread is in the JVM's own thread dump, taken at one safepoint between these two readings: a native
 *       thread that is not there may call into Java at any time.
 *   <li>Each thread of the dump is one of the JVM's own, or belongs to this library, or waits without a time limit for
 *       another thread: it parks, waits for notification, or waits for a monitor. A thread that sleeps, waits with a
 *       time limit, or is in native code (a read, a select, a wait for a child) may act.
 *   <li>The program has registered no signal handler.
 * </ul>
 *
 * <p>Code that only a garbage collection could start (cleaners, finalizers) does not count. Where any of this cannot be
 * read, as on systems without {@code /proc}, threads may act.
 */
final class ThreadCensus {
    private final Board board;
    private final int firstRank;
    private final int ranks;
    /** Where descriptions are left for the launcher; null when the watcher is in this process. */
    private final JobDirectory directory;
    private long answered;
    private long described;
    private long shown;
    private long dumped;
    private String description = "";

    /** A census on behalf of the ranks in this process, {@code ranks} of them from {@code firstRank} on. */
    ThreadCensus(Board board, int firstRank, int ranks, JobDirectory directory) {
        this.board = board;
        this.firstRank = firstRank;
        this.ranks = ranks;
        this.directory = directory;
    }

    /** Answers the watcher's questions, if there are new ones. */
    void answer() {
        long question = board.question();
        if (question != answered) {
            answered = question;
            boolean none = noneCanAct();
            for (int rank = firstRank; rank < firstRank + ranks; rank++) {
                board.answer(rank, question, none);
            }
        }
        long wanted = board.stacksWanted();
        if (wanted != described) {
            described = wanted;
            describe();
            for (int rank = firstRank; rank < firstRank + ranks; rank++) {
                board.stacksWritten(rank, wanted);
            }
        }
        long queues = board.queuesWanted();
        if (queues != shown && directory != null) {
            shown = queues;
            for (int rank = firstRank; rank < firstRank + ranks; rank++) {
                write(directory.queues(rank), queues(rank));
                board.queuesWritten(rank, queues);
            }
        }
        long dumps = board.dumpsWanted();
        if (dumps != dumped && directory != null) {
            dumped = dumps;
            for (int rank = firstRank; rank < firstRank + ranks; rank++) {
                write(directory.dump(rank), ThreadStacks.dump(ranks == 1 ? null : ThreadRanks.nameOfGroup(rank)));
                board.dumpWritten(rank, dumps);
            }
        }
    }

    /** What the threads were doing when last asked for; of all ranks in this process, and so given for the first. */
    String description(int rank) {
        return rank == firstRank ? description : "";
    }

    private void describe() {
        description = ThreadStacks.describe(own());
        if (directory != null) {
            write(directory.stacks(firstRank), description);
        }
    }

    /** Nothing that goes wrong in a description may end the thread that watches over the rank. */
    private String queues(int rank) {
        try {
            return board.queues(rank);
        } catch (RuntimeException e) {
            return "  could not be read: " + e + "\n";
        }
    }

    private static void write(Path file, String text) {
        try {
            JobDirectory.write(file, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            // The report then does without what this process has to add.
        }
    }

    private boolean noneCanAct() {
        Set<Long> own = ids(own());
        Map<Long, KernelTask> before = KernelTask.all();
        Set<Long> visible = ids(Thread.getAllStackTraces().keySet());
        ThreadDump dump = ThreadDump.take();
        Map<Long, Thread> after = new HashMap<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            after.put(thread.threadId(), thread);
        }
        Map<Long, KernelTask> later = KernelTask.all();
        if (dump == null || before.isEmpty() || !before.keySet().equals(later.keySet()) || !own.equals(ids(own()))) {
            return false;
        }
        visible.addAll(after.keySet());
        Set<Long> unknown = new HashSet<>(before.keySet());
        for (ThreadDump.Entry entry : dump.entries()) {
            if (!unknown.remove(entry.nativeId())) {
                return false;
            }
            boolean asleep = KernelTask.slept(before.get(entry.nativeId()), later.get(entry.nativeId()));
            if (!isHarmless(entry, asleep, own, visible, after)) {
                return false;
            }
        }
        return onlyTheFirstThread(unknown, before, later) && !dump.hasSignalHandlers();
    }

    private static boolean isHarmless(ThreadDump.Entry entry, boolean asleep, Set<Long> own, Set<Long> visible,
            Map<Long, Thread> threads) {
        if (entry.isNative() || own.contains(entry.id())) {
            return true;
        }
        if (!visible.contains(entry.id())) {
            // The JVM hides its compiler and service threads from programs.
            return entry.frames().isEmpty();
        }
        Thread thread = threads.get(entry.id());
        return asleep && thread != null && !hasControlCharacters(thread.getName())
                && (entry.frames().isEmpty() ? isOfTheSystem(thread) : entry.waitsForAnotherThread());
    }

    /** The threads that deliver signals and notifications; Java code can make none that has no frames. */
    private static boolean isOfTheSystem(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return group != null && group.getParent() == null
                && (thread.getName().equals("Signal Dispatcher") || thread.getName().equals("Notification Thread"));
    }

    /** A name with a line break could look like another thread in a dump. */
    private static boolean hasControlCharacters(String name) {
        return name.chars().anyMatch(Character::isISOControl);
    }

    /** The JDK's launcher leaves the process's first thread waiting for the one that runs main. */
    private static boolean onlyTheFirstThread(Set<Long> unknown, Map<Long, KernelTask> before,
            Map<Long, KernelTask> later) {
        long first = ProcessHandle.current().pid();
        for (long task : unknown) {
            if (task != first || !"SUN_STANDARD".equals(System.getProperty("sun.java.launcher"))
                    || !KernelTask.slept(before.get(task), later.get(task))) {
                return false;
            }
        }
        return true;
    }

    /** Threads inside blocking calls of this library, and those that this library has started for itself. */
    private Collection<Thread> own() {
        List<Thread> own = new ArrayList<>(board.ownThreads());
        own.add(Thread.currentThread());
        return own;
    }

    private static Set<Long> ids(Collection<Thread> threads) {
        Set<Long> ids = new HashSet<>();
        for (Thread thread : threads) {
            ids.add(thread.threadId());
        }
        return ids;
    }
}
