package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankwire.device.DeviceConfig;
import io.rankwire.fabric.RemoteFabric;
import io.rankwire.launch.NamedRanks;
import io.rankwire.launch.PretendedHosts;
import io.rankwire.launch.RemoteRanks;
import io.rankwire.launch.ThreadRanks;
import io.rankwire.runtime.DeviceProperties;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.junit.jupiter.api.function.Executable;

/** Worlds inside a test. */
final class Worlds {
    /** The host of each rank; null if all are on one, as they are unless a property says how many hosts there are. */
    private static final ThreadLocal<IntUnaryOperator> HOSTS = ThreadLocal.withInitial(() -> {
        Integer hosts = Integer.getInteger("rankwire.test.hosts");
        return hosts == null ? null : rank -> rank % hosts;
    });

    /** The name of a fabric of another module; null if there is none. */
    private static final ThreadLocal<String> FABRIC =
            ThreadLocal.withInitial(() -> System.getProperty("rankwire.test.fabric"));

    private Worlds() {}

    /**
     * Runs ranks. An exception of one of them is thrown unchanged. Properties such as {@code rankwire.match} and {@code
     * rankwire.test.hosts} apply to the ranks, so that all tests can run on another device, on several hosts, with
     * {@code rankwire.test.remote}, a seed, over a {@link RemoteFabric}, or with {@code rankwire.test.fabric} over
     * {@link NamedRanks}.
     */
    static void run(int ranks, World.Body body) {
        run(ranks, DeviceProperties.read(DeviceConfig.DEFAULT), body);
    }

    static void run(int ranks, DeviceConfig config, World.Body body) {
        Long remote = Long.getLong("rankwire.test.remote");
        try {
            if (FABRIC.get() != null) {
                NamedRanks named = ServiceLoader.load(NamedRanks.class).findFirst().orElseThrow();
                named.run(FABRIC.get(), ranks, World.rank(config, body));
            } else if (remote != null) {
                RemoteRanks.run(ranks, remote, RemoteFabric.Bug.NONE, 0, World.rank(config, body));
            } else if (HOSTS.get() == null) {
                World.run(ranks, config, body);
            } else {
                PretendedHosts.run(ranks, HOSTS.get(), World.rank(config, body));
            }
        } catch (ThreadRanks.Failed e) {
            throw rethrown(World.failure(e));
        } catch (RankwireException e) {
            throw rethrown(e);
        }
    }

    private static RankwireException rethrown(RankwireException e) {
        if (e.getCause() instanceof AssertionError failure) {
            throw new AssertionError(e.getMessage(), failure);
        }
        return e;
    }

    /** Skips a test that is about memory which all ranks share. */
    static void assumeOneHost() {
        boolean isOne = HOSTS.get() == null && FABRIC.get() == null && Long.getLong("rankwire.test.remote") == null;
        assumeTrue(isOne, "skipped: needs all ranks on one host");
    }

    /** Runs a test with its ranks on several hosts. */
    static void onHosts(IntUnaryOperator host, Executable test) throws Throwable {
        HOSTS.set(host);
        try {
            test.execute();
        } finally {
            HOSTS.remove();
        }
    }

    /** From now on, ranks of tests on this thread use a fabric of another module; null for those of this one. */
    static void over(String fabric) {
        FABRIC.set(fabric);
    }

    /** Runs ranks that must not fail, and returns their standard error. */
    static String errors(Runnable action) {
        PrintStream before = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream capture = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setErr(capture);
            action.run();
        } finally {
            System.setErr(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Asserts that the call fails with this error class and that its message contains every part. */
    static RankwireException assertFails(ErrorClass errorClass, Executable call, String... parts) {
        RankwireException error = assertThrows(RankwireException.class, call);
        assertEquals(errorClass, error.errorClass(), error.getMessage());
        assertHolds(error.getMessage(), parts);
        return error;
    }

    /** Compares arrays that may be long; the error names the first difference. */
    static void assertSame(byte[] expected, byte[] found, Supplier<String> about) {
        int differ = Arrays.mismatch(expected, found);
        assertTrue(differ < 0, () -> about.get() + ": byte " + differ + " of " + expected.length + " differs");
    }

    static void assertHolds(String text, String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part), () -> "\"" + part + "\" is missing in: " + text);
        }
    }

    /** Returns when the thread, once it is known, sleeps: inside a call, after it has polled in vain. */
    static void awaitSleep(AtomicReference<Thread> thread) {
        while (thread.get() == null || thread.get().getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    static int next(Communicator all) {
        return (all.rank() + 1) % all.size();
    }

    static int previous(Communicator all) {
        return (all.rank() + all.size() - 1) % all.size();
    }

    /** Returns when every rank has called it. */
    static void meet(Communicator all) {
        byte[] nothing = {};
        if (all.rank() == 0) {
            for (int rank = 1; rank < all.size(); rank++) {
                all.receive(nothing, rank, 999_999);
            }
            for (int rank = 1; rank < all.size(); rank++) {
                all.send(nothing, rank, 999_999);
            }
        } else {
            all.send(nothing, 0, 999_999);
            all.receive(nothing, 0, 999_999);
        }
    }
}
