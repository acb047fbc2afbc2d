package io.rankwire;

import io.rankwire.launch.Aborted;
import io.rankwire.launch.EmbeddedProgram;
import io.rankwire.launch.InheritedOptions;
import io.rankwire.launch.Patience;
import io.rankwire.launch.ProcessRanks;
import io.rankwire.launch.ProgramPath;
import io.rankwire.launch.Replacements;
import io.rankwire.launch.Simulator;
import io.rankwire.launch.ThreadRanks;
import io.rankwire.type.FormatException;
import io.rankwire.type.SerialFormat;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Ranks that a program starts inside itself: as threads, as processes, or on a simulated machine. The caller waits for
 * all of them and gets the value of each.
 *
 * <pre>{@code
 * List<Integer> sums = Ranks.threads(4).run(world -> {
 *     int[] sum = new int[1];
 *     world.communicator().allreduce(new int[] {world.communicator().rank()}, sum, Op.SUM);
 *     return sum[0];
 * }).values();
 * }</pre>
 *
 * <p>Objects of this class do not change: each option returns another one. Ranks may start ranks themselves, of any
 * kind.
 *
 * <p>If a rank fails, the others are ended, unless they are to {@link #goOn}. The exception that the caller gets names
 * the rank, and its cause is what the rank has thrown. If the caller is interrupted, all ranks are ended, and the
 * caller gets an exception and keeps its interrupt status.
 */
public final class Ranks {
    /**
     * What each rank does.
     *
     * @param <T> the type of its value
     */
    @FunctionalInterface
    public interface Body<T> extends Serializable {
        /**
         * Runs as a rank.
         *
         * @param world the world of this rank, which is closed when this method returns
         * @return the value of this rank, or null
         * @throws Exception to end all ranks, or with {@link #goOn} this one
         */
        T run(World world) throws Exception;
    }

    /** What each rank does where no values are wanted. */
    @FunctionalInterface
    public interface Action extends Serializable {
        /**
         * Runs as a rank.
         *
         * @param world the world of this rank, which is closed when this method returns
         * @throws Exception to end all ranks, or with {@link #goOn} this one
         */
        void run(World world) throws Exception;
    }

    /**
     * What came of ranks that have all ended well, or some of them with {@link #goOn}.
     *
     * @param <T> the type of their values
     */
    public static final class Results<T> {
        private final List<T> values;
        private final Map<Integer, RankwireException> failures;
        /** Null if nothing was simulated. */
        private final Simulator.Outcome simulated;

        private Results(List<T> values, Map<Integer, RankwireException> failures, Simulator.Outcome simulated) {
            this.values = values;
            this.failures = Collections.unmodifiableMap(failures);
            this.simulated = simulated;
        }

        /**
         * Returns the value of each rank: of one that was replaced, the value of the last rank in its place.
         *
         * @return the values by rank, some of which may be null; it cannot be changed
         */
        public List<T> values() {
            return values;
        }

        /**
         * Returns the value of a rank.
         *
         * @param rank the rank
         * @return its value, or null
         */
        public T value(int rank) {
            return values.get(rank);
        }

        /**
         * Returns the ranks that have failed while the others went on; their values are null if they were not replaced.
         *
         * @return by rank, in the order of the failures, the exception that names the rank, with what it has thrown as
         *     its cause; suppressed in it those of ranks that had replaced it; empty without {@link #goOn}
         */
        public Map<Integer, RankwireException> failures() {
            return failures;
        }

        /**
         * Returns the virtual time at which the last rank ended.
         *
         * @return the time since the start
         * @throws RankwireException if the ranks were not simulated
         */
        public Duration virtualTime() {
            return Duration.ofNanos(Math.round(simulated("virtualTime").timePs() / 1e3));
        }

        /**
         * Returns a hash of all that has happened in the simulation: equal for equal runs.
         *
         * @return the hash, which {@code rankwire sim run} prints in hexadecimal digits
         * @throws RankwireException if the ranks were not simulated
         */
        public long hash() {
            return simulated("hash").hash();
        }

        private Simulator.Outcome simulated(String call) {
            check(simulated != null, call + ": these ranks were not simulated");
            return simulated;
        }

        @Override
        public String toString() {
            return values.size() + " ranks: " + values + (failures.isEmpty() ? "" : ", failed: " + failures.keySet());
        }
    }

    private enum Kind { THREADS, PROCESSES, SIMULATED }

    private static final ObjectInputFilter ANY = info -> ObjectInputFilter.Status.UNDECIDED;

    private final Kind kind;
    /** How many ranks there are, and whether they go on when one fails; the rest is for simulated ranks alone. */
    private final Simulator.Machine machine;
    private final Duration timeout;
    private final Duration stall;
    private final List<String> jvm;
    private final String classPath;

    private Ranks(Kind kind, Simulator.Machine machine, Duration timeout, Duration stall, List<String> jvm,
            String classPath) {
        this.kind = kind;
        this.machine = machine;
        this.timeout = timeout;
        this.stall = stall;
        this.jvm = jvm;
        this.classPath = classPath;
    }

    private Ranks(Kind kind, int count) {
        this(kind, new Simulator.Machine(count, Map.of(), null, null, false), Duration.ZERO, Duration.ZERO, List.of(),
                null);
        check(count >= 1, "argument count: " + count + " is below one");
    }

    /**
     * Ranks that are threads of this program. They share its objects and its static fields.
     *
     * @param count how many, at least 1
     * @return the ranks, not started yet
     */
    public static Ranks threads(int count) {
        return new Ranks(Kind.THREADS, count);
    }

    /**
     * Ranks that are processes of this host, each with a JVM of its own. What they do and their values are serialized:
     * a lambda may use local variables of serializable types, and fields of an object only if its class is
     * serializable. Their JVMs have the class path of this one; of its options those that open modules, {@code -ea} and
     * the properties {@code rankwire.*}. Their output goes to this program's, in whole lines. Their standard input is
     * empty.
     *
     * @param count how many, at least 1
     * @return the ranks, not started yet
     */
    public static Ranks processes(int count) {
        return new Ranks(Kind.PROCESSES, count);
    }

    /**
     * Ranks on a simulated machine, in virtual time. They share the objects of this program, and one runs at a time. A
     * deadlock is always found. {@link World#time} gives the virtual time; so does {@link System#nanoTime} in programs
     * that {@link #runMain} runs, but not in a body.
     *
     * @param count how many, at least 1
     * @param topology the network, as in {@code torus:8x8x8}, {@code fattree:16} or {@code crossbar}
     * @return the ranks, not started yet
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if there is no such network for them
     */
    public static Ranks simulated(int count, String topology) {
        return new Ranks(Kind.SIMULATED, count).setting("topology", topology);
    }

    /**
     * Limits the time that the ranks may take. When it is over they are ended, and the exception lists what each rank
     * was doing. A thread that computes cannot be ended: after some seconds it is left to itself.
     *
     * @param limit the real time, above zero
     * @return ranks with that limit
     */
    public Ranks timeout(Duration limit) {
        return new Ranks(kind, machine, positive("limit", limit), stall, jvm, classPath);
    }

    /**
     * Ends the ranks when none of them has made progress for some time, which is most likely a deadlock; the exception
     * lists what each waits for. Without this a deadlock that is not proven is only printed, see README.md. Simulated
     * ranks need no limit.
     *
     * @param limit the real time, above zero
     * @return ranks with that limit
     */
    public Ranks stall(Duration limit) {
        return new Ranks(kind, machine, timeout, positive("limit", limit), jvm, classPath);
    }

    /**
     * Has the other ranks go on when one has failed. Calls of theirs that need it end with an error of class
     * {@link ErrorClass#PEER}. The results have the values of those that have ended well; it is an error if there is
     * none. {@link Communicator#replace} starts the same body or main class anew. {@link World#abort}, a deadlock, a
     * time-out and an interrupt still end all ranks.
     *
     * @return ranks that go on
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if more than 1,024 ranks are simulated
     */
    public Ranks goOn() {
        return on(machine.goingOn());
    }

    private static Duration positive(String name, Duration time) {
        check(time != null && time.isPositive(), "argument " + name + ": " + time + " is not above zero");
        return time;
    }

    /**
     * Gives options to the JVMs of the ranks.
     *
     * @param options as on the command line of {@code java}
     * @return ranks with these options besides those given before
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the ranks are not processes
     */
    public Ranks jvmOptions(String... options) {
        only(Kind.PROCESSES, "jvmOptions");
        List<String> all = new ArrayList<>(jvm);
        all.addAll(Arrays.asList(options));
        return new Ranks(kind, machine, timeout, stall, List.copyOf(all), classPath);
    }

    /**
     * Sets the class path of the ranks, which is otherwise that of this program.
     *
     * @param path directories and jars, separated as on the command line; Rankwire itself need not be among them
     * @return ranks with this class path
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the ranks are not processes
     */
    public Ranks classPath(String path) {
        only(Kind.PROCESSES, "classPath");
        return new Ranks(kind, machine, timeout, stall, jvm, path);
    }

    /**
     * Has the simulated fabric lose, delay, repeat and change frames. Messages arrive nevertheless, as on a real
     * network.
     *
     * @param seed chooses what goes wrong; equal seeds give equal runs
     * @return ranks on such a fabric
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the ranks are not simulated, or too many
     */
    public Ranks faults(long seed) {
        only(Kind.SIMULATED, "faults");
        return on(machine.withFaults(seed));
    }

    /**
     * Kills simulated ranks. With {@link #goOn} the others go on, else all end.
     *
     * @param which the ranks and the times, as for {@code rankwire sim run --kill}: {@code 2@50 us}, or a list of such
     *     with commas between them, or {@code 3:SEED@50 us} for three ranks that the seed chooses, before that time
     * @return ranks of which these are killed
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if not simulated, or if the text is wrong
     */
    public Ranks kill(String which) {
        only(Kind.SIMULATED, "kill");
        check(which != null, "argument which is null");
        return on(machine.withKill(which));
    }

    /**
     * Sets one of the properties of the simulated machine.
     *
     * @param key a key of docs/SIM.md, such as {@code link.latency}
     * @param value its value, such as {@code 800 ns}
     * @return ranks on such a machine
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the ranks are not simulated or it is no setting
     */
    public Ranks setting(String key, String value) {
        only(Kind.SIMULATED, "setting");
        check(key != null && value != null, "setting: " + key + " = " + value + ": one is null");
        return on(machine.with(key, value));
    }

    private Ranks on(Simulator.Machine other) {
        if (kind == Kind.SIMULATED) {
            try {
                Simulator.find().check(other);
            } catch (IllegalArgumentException e) {
                throw new RankwireException(
                        ErrorClass.ARGUMENT, other.ranks() + " simulated ranks: " + e.getMessage(), e);
            }
        }
        return new Ranks(kind, other, timeout, stall, jvm, classPath);
    }

    private void only(Kind wanted, String call) {
        check(kind == wanted, call + ": is for ranks that are "
                + (wanted == Kind.PROCESSES ? "processes" : "simulated") + ", not for " + this);
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new RankwireException(ErrorClass.ARGUMENT, otherwise);
        }
    }

    /**
     * Runs the ranks and returns when all have ended.
     *
     * @param body what each of them does
     * @param <T> the type of their values; serializable if ranks are processes
     * @return the values of all ranks
     * @throws RankwireException with the first failure of a rank as its cause; or that lists what each rank does, if
     *     they did not end
     */
    public <T> Results<T> run(Body<? extends T> body) {
        check(body != null, "argument body is null");
        checkNotInterrupted();
        if (kind == Kind.PROCESSES) {
            return runProcesses(body);
        }
        Object[] all = new Object[Replacements.places(machine.ranks(), machine.goesOn())];
        Map<Integer, RankwireException> failures = new LinkedHashMap<>();
        Simulator.Outcome outcome = runHere(job -> {
            World world = World.join();
            try {
                all[job.rank()] = body.run(world);
            } catch (Throwable failure) {
                world.session().closeFailed(failure);
                throw failure;
            }
            world.close();
        }, true, failures, all);
        return results(Arrays.copyOf(all, machine.ranks()), failures, outcome);
    }

    /**
     * Runs the ranks and returns when all have ended, as {@link #run}.
     *
     * @param action what each of them does
     * @throws RankwireException as {@link #run}
     */
    public void execute(Action action) {
        check(action != null, "argument action is null");
        run(new WithoutValue(action));
    }

    /** An action as a body; a class and not a lambda, so that error messages name the user's class. */
    private record WithoutValue(Action action) implements Body<Void> {
        @Override
        public Void run(World world) throws Exception {
            action.run(world);
            return null;
        }
    }

    /**
     * Runs a program with a main method as the ranks, in which {@link World#join} gives the world of each. Each rank
     * has its own static fields, and a rank that calls {@link System#exit} ends itself alone; with a status other than
     * 0, it has failed.
     *
     * @param main the class, whose main method may be of any kind that {@code java} runs
     * @param args the arguments of the main method
     * @return what came of them; all values are null
     * @throws RankwireException as {@link #run}
     */
    public Results<Void> runMain(Class<?> main, String... args) {
        check(main != null && args != null, "argument " + (main == null ? "main" : "args") + " is null");
        checkNotInterrupted();
        Map<Integer, RankwireException> failures = new LinkedHashMap<>();
        if (kind == Kind.PROCESSES) {
            processes(null, main, main.getName(), List.of(args), failures);
            return results(new Object[machine.ranks()], failures, null);
        }
        try {
            EmbeddedProgram program = new EmbeddedProgram(main, args, kind == Kind.SIMULATED);
            return results(new Object[machine.ranks()], failures,
                    runHere(program::run, false, failures, new Object[0]));
        } catch (IllegalStateException e) {
            throw new RankwireException(ErrorClass.ARGUMENT, "runMain: " + e.getMessage(), e);
        }
    }

    private static void checkNotInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new RankwireException(ErrorClass.ABORTED, "the calling thread is interrupted; no rank was started");
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> Results<T> results(Object[] values, Map<Integer, RankwireException> failures,
            Simulator.Outcome outcome) {
        return new Results<>((List<T>) Collections.unmodifiableList(Arrays.asList(values)), failures, outcome);
    }

    private Simulator.Outcome runHere(ThreadRanks.Body body, boolean daemon, Map<Integer, RankwireException> failures,
            Object[] values) {
        try {
            Simulator.Outcome run = kind == Kind.SIMULATED ? Simulator.find().run(machine, body, patience()) : null;
            ThreadRanks.Outcome outcome = run != null ? run.ranks()
                    : ThreadRanks.run(machine.ranks(), body, patience(), daemon, machine.goesOn());
            outcome.deaths().forEach((rank, thrown) ->
                    note(failures, outcome.origin().applyAsInt(rank), failure(rank, null, thrown)));
            outcome.settle(values);
            return run;
        } catch (ThreadRanks.Failed e) {
            throw failure(e.rank(), e.rank() < 0 ? e.getMessage() : null, e.getCause());
        } catch (Aborted e) {
            throw new RankwireException(ErrorClass.ABORTED, e.getMessage(), e);
        }
    }

    /** Notes the first failure in a place, with those of ranks that have taken the place later. */
    private static void note(Map<Integer, RankwireException> failures, int origin, RankwireException failure) {
        RankwireException first = failures.putIfAbsent(origin, failure);
        if (first != null) {
            first.addSuppressed(failure);
        }
    }

    private Patience patience() {
        return Patience.of(timeout.toNanos(), stall.toNanos());
    }

    private <T> Results<T> runProcesses(Body<? extends T> body) {
        byte[] bytes;
        try {
            bytes = SerialFormat.encode(body);
        } catch (FormatException e) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument body cannot be sent to other processes: "
                    + e.getCause() + "; it may use local variables of serializable types, but no field or method of an"
                    + " object whose class is not serializable", e);
        }
        Class<?> program = body instanceof WithoutValue without ? without.action.getClass() : body.getClass();
        Map<Integer, RankwireException> failures = new LinkedHashMap<>();
        byte[][] values = processes(bytes, program, Member.class.getName(), List.of(), failures);
        Object[] decoded = new Object[machine.ranks()];
        for (int rank = 0; rank < machine.ranks(); rank++) {
            decoded[rank] = decode(values[rank], program.getClassLoader());
        }
        return results(decoded, failures, null);
    }

    private static Object decode(byte[] bytes, ClassLoader loader) {
        return bytes == null ? null : SerialFormat.decode(bytes, 0, bytes.length, Object.class, ANY, loader);
    }

    private byte[][] processes(byte[] body, Class<?> program, String mainClass, List<String> args,
            Map<Integer, RankwireException> failures) {
        try {
            String path = classPath == null ? ProgramPath.of(World.class, program)
                    : ProgramPath.placeOf(World.class) + File.pathSeparator + classPath;
            List<String> options = new ArrayList<>(InheritedOptions.of(program));
            options.addAll(jvm);
            ProcessRanks ranks = new ProcessRanks(machine.ranks(), path, options, patience(), machine.goesOn());
            byte[][] values = ranks.run(body, mainClass, args);
            ranks.failures().forEach(each -> note(failures, each.origin(), failure(each, program)));
            return values;
        } catch (ProcessRanks.Failed e) {
            throw failure(e, program);
        } catch (IOException e) {
            throw new RankwireException(ErrorClass.RESOURCE, e.getMessage(), e);
        } catch (IllegalStateException e) {
            throw new RankwireException(ErrorClass.ARGUMENT, e.getMessage(), e);
        }
    }

    private RankwireException failure(ProcessRanks.Failed failed, Class<?> program) {
        return failure(failed.rank(), failed.getMessage(), thrown(failed.thrown(), program.getClassLoader()));
    }

    /** What a rank has thrown; null if it is not known, or its class cannot be loaded here. */
    private static Throwable thrown(byte[] bytes, ClassLoader loader) {
        try {
            return (Throwable) decode(bytes, loader);
        } catch (FormatException e) {
            return null;
        }
    }

    /**
     * @param rank -1 for all
     * @param story the whole text where there is no cause
     */
    private RankwireException failure(int rank, String story, Throwable cause) {
        if (rank < 0) {
            return new RankwireException(ErrorClass.ABORTED, "interrupted".equals(story)
                    ? "the calling thread was interrupted; all ranks have been ended" : story);
        }
        int count = machine.ranks();
        String who = "rank " + rank + (rank < count ? " of " + count : ", a replacement,") + " failed: ";
        if (cause == null) {
            return new RankwireException(
                    ErrorClass.ABORTED, story.replaceFirst("^rank \\d+ failed: ", who.replace("$", "\\$")));
        }
        if (cause instanceof Aborted) {
            return new RankwireException(ErrorClass.ABORTED, who + cause.getMessage());
        }
        ErrorClass errorClass = cause instanceof RankwireException ours ? ours.errorClass() : ErrorClass.ABORTED;
        return new RankwireException(errorClass, who + cause, cause);
    }

    @Override
    public String toString() {
        int count = machine.ranks();
        return count + switch (kind) {
            case THREADS -> count == 1 ? " thread" : " threads";
            case PROCESSES -> count == 1 ? " process" : " processes";
            case SIMULATED -> " simulated on " + machine.settings().get("topology")
                    + (machine.faults() == null ? "" : ", faults " + machine.faults())
                    + (machine.kill() == null ? "" : ", kill " + machine.kill());
        };
    }

    /** The program of a rank that is a process. */
    private static final class Member {
        static void main(String[] args) throws Exception {
            ClassLoader loader = ClassLoader.getSystemClassLoader();
            Body<?> body = (Body<?>) decode(ProcessRanks.body(), loader);
            World world = World.join();
            try {
                ProcessRanks.value(encode(world, body.run(world)));
            } catch (Throwable failure) {
                world.session().closeFailed(failure);
                leave(failure);
                throw failure;
            }
            world.close();
        }

        private static byte[] encode(World world, Object value) {
            try {
                return SerialFormat.encode(value);
            } catch (FormatException e) {
                throw new RankwireException(ErrorClass.CODEC, world.session() + ": the value of this rank cannot be"
                        + " sent to the program that has started it: " + e.getCause(), e);
            }
        }

        private static void leave(Throwable failure) {
            try {
                ProcessRanks.thrown(SerialFormat.encode(failure));
            } catch (FormatException | IOException e) {
                // Its text is left in any case.
            }
        }
    }
}
