package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.Patience;
import io.rankwire.launch.ThreadRanks;
import io.rankwire.sim.program.Settings;
import io.rankwire.sim.program.SimulatedRanks;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.function.Executable;

/** Runs programs of this package as ranks inside a test: each rank is a thread and has the package to itself. */
final class Jobs {
    private Jobs() {}

    /** Runs a program between Init and Finalize; what fails in one rank is thrown. */
    static void run(int ranks, Class<? extends Runnable> program) {
        start(body -> ThreadRanks.run(ranks, body), program, true);
    }

    /** The same on a simulated machine. */
    static void simulate(int ranks, Settings machine, Class<? extends Runnable> program) {
        start(body -> SimulatedRanks.run(machine, ranks, body), program, true);
    }

    /** Runs a program that does these itself. */
    static void runBare(int ranks, Class<? extends Runnable> program) {
        start(body -> ThreadRanks.run(ranks, body), program, false);
    }

    /** Runs a program of ranks that go on when one of them throws {@link Death}. */
    static void runOn(int ranks, Class<? extends Runnable> program) {
        Map<Integer, Throwable> failures = new ConcurrentHashMap<>();
        start(body -> ThreadRanks.run(ranks, job -> {
            try {
                body.run(job);
            } catch (Throwable e) {
                // Each rank has classes of its own.
                if (e.getClass().getName().equals(Death.class.getName())) {
                    throw e;
                }
                failures.put(job.rank(), e);
                job.board().abort(1, "rank " + job.rank() + ": " + e);
            }
        }, Patience.of(0, 0), true, true), program, true);
        failures.forEach((rank, failure) -> {
            throw new AssertionError("rank " + rank + ": " + failure, failure);
        });
    }

    /** Ends a rank without Finalize, as the death of a process does. */
    public static final class Death extends Error {
        private static final long serialVersionUID = 1;
    }

    private static void start(
            Consumer<ThreadRanks.Body> ranks, Class<? extends Runnable> program, boolean initialize) {
        try {
            ranks.accept(job -> {
                OwnPackage loader = new OwnPackage();
                Thread.currentThread().setContextClassLoader(loader);
                Class<?> inside = loader.loadClass(initialize ? Whole.class.getName() : program.getName());
                Object made = initialize
                        ? inside.getDeclaredConstructor(String.class).newInstance(program.getName())
                        : inside.getDeclaredConstructor().newInstance();
                ((Runnable) made).run();
            });
        } catch (ThreadRanks.Failed e) {
            throw new AssertionError(e.getMessage(), e.getCause());
        }
    }

    /** A program with its begin and its end. */
    public static final class Whole implements Runnable {
        private final String program;

        public Whole(String program) {
            this.program = program;
        }

        @Override
        public void run() {
            MPI.Init(new String[0]);
            try {
                ((Runnable) Class.forName(program).getDeclaredConstructor().newInstance()).run();
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
            MPI.Finalize();
        }
    }

    /** Sees the classes of this package for itself alone, and shares all others. */
    private static final class OwnPackage extends ClassLoader {
        OwnPackage() {
            super(Jobs.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("mpi.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> found = findLoadedClass(name);
                return found != null ? found : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** The call fails with this class of error, and its message holds every part. */
    static void assertFails(int errorClass, Executable call, String... parts) {
        MPIException error = assertThrows(MPIException.class, call);
        assertEquals(errorClass, error.getErrorClass(), error.getMessage());
        for (String part : parts) {
            assertTrue(error.getMessage().contains(part), () -> "\"" + part + "\" is missing in: "
                    + error.getMessage());
        }
    }

    static int next() {
        return (MPI.COMM_WORLD.getRank() + 1) % MPI.COMM_WORLD.getSize();
    }

    static int previous() {
        return (MPI.COMM_WORLD.getRank() + MPI.COMM_WORLD.getSize() - 1) % MPI.COMM_WORLD.getSize();
    }
}
