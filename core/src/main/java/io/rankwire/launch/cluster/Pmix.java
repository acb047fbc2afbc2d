package io.rankwire.launch.cluster;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.net.SocketTimeoutException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client of PMIx, which Open MPI's {@code mpirun}, PRRTE and {@code srun --mpi=pmix} serve. It is no protocol but a
 * library of functions, which must be installed. They have no time limit, so each runs on a thread that can be left
 * behind.
 */
public final class Pmix implements Launcher {
    private static final String[] LIBRARIES = {"libpmix.so.2", "libpmix.so"};
    private static final String KEY = "rankwire.card";
    private static final int MOST_CARD = 1 << 20;

    private static final int PROCESS_BYTES = 260;
    private static final int PROCESS_RANK = 256;
    private static final int INFO_BYTES = 552;
    private static final int INFO_VALUE = 520;
    private static final int VALUE_BYTES = 32;
    private static final int VALUE_DATA = 8;
    private static final int VALUE_LENGTH = 16;
    private static final short BOOL = 1;
    private static final short UINT32 = 14;
    private static final short BYTES = 27;
    private static final byte GLOBAL = 3;
    private static final int ALL_RANKS = -2;
    private static final long FINISH_NS = 2_000_000_000L;

    private final Arena arena = Arena.ofAuto();
    private final SymbolLookup library;
    private final String name;
    private final MemorySegment self = arena.allocate(PROCESS_BYTES, 8);
    private final MemorySegment all = arena.allocate(PROCESS_BYTES, 8);
    private final MemorySegment result = arena.allocate(ADDRESS);
    private int size;

    private Pmix(SymbolLookup library, String name) {
        this.library = library;
        this.name = name;
    }

    /**
     * Opens the library and asks for this process's place.
     *
     * @param name what was found in the environment, for errors
     * @throws IOException if there is no library, or if the launcher does not answer as it should
     */
    public static Pmix open(String name, long deadlineNs) throws IOException {
        Pmix pmix = new Pmix(library(), name);
        pmix.within(deadlineNs, () -> {
            pmix.begin();
            return null;
        });
        return pmix;
    }

    @SuppressWarnings("restricted")
    private static SymbolLookup library() throws IOException {
        for (String each : LIBRARIES) {
            try {
                return SymbolLookup.libraryLookup(each, Arena.global());
            } catch (IllegalArgumentException e) {
                // The next one, if any.
            } catch (IllegalCallerException e) {
                throw new IOException("this JVM may not use libpmix: add --enable-native-access=ALL-UNNAMED to the"
                        + " options of java", e);
            }
        }
        throw new IOException("libpmix.so.2 is not installed, or not in LD_LIBRARY_PATH; Debian has it in the package"
                + " libpmix2");
    }

    @SuppressWarnings("restricted")
    private MethodHandle function(String of, MemoryLayout... parameters) throws IOException {
        MemorySegment place = library.find(of).orElseThrow(() -> new IOException("libpmix has no function " + of));
        return Linker.nativeLinker().downcallHandle(place, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    private void begin() throws Throwable {
        MethodHandle init = function("PMIx_Init", ADDRESS, ADDRESS, JAVA_LONG);
        check((int) init.invokeExact(self, MemorySegment.NULL, 0L), "PMIx_Init");
        all.copyFrom(self);
        all.set(JAVA_INT, PROCESS_RANK, ALL_RANKS);
        MemorySegment value = get(all, "pmix.job.size");
        size = value.get(JAVA_SHORT, 0) == UINT32 ? value.get(JAVA_INT, VALUE_DATA) : -1;
        if (size < 1 || size > Pmi.MOST_RANKS || rank() < 0 || rank() >= size) {
            throw new IOException("the launcher says that this is rank " + rank() + " of " + size);
        }
    }

    @SuppressWarnings("restricted")
    private MemorySegment get(MemorySegment of, String key) throws Throwable {
        MethodHandle get = function("PMIx_Get", ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
        check((int) get.invokeExact(of, arena.allocateFrom(key), MemorySegment.NULL, 0L, result), "PMIx_Get");
        return result.get(ADDRESS, 0).reinterpret(VALUE_BYTES);
    }

    private static void check(int code, String what) throws IOException {
        if (code != 0) {
            throw new IOException(what + " of libpmix fails with " + code);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int rank() {
        return self.get(JAVA_INT, PROCESS_RANK);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public byte[] share(byte[] card, long deadlineNs) throws IOException {
        return within(deadlineNs, () -> {
            if (card != null) {
                put(card);
            }
            awaitAll();
            MemorySegment root = arena.allocate(PROCESS_BYTES, 8);
            root.copyFrom(self);
            root.set(JAVA_INT, PROCESS_RANK, 0);
            return bytes(get(root, KEY));
        });
    }

    private void put(byte[] card) throws Throwable {
        MemorySegment value = arena.allocate(VALUE_BYTES, 8);
        value.set(JAVA_SHORT, 0, BYTES);
        value.set(ADDRESS, VALUE_DATA, arena.allocateFrom(JAVA_BYTE, card));
        value.set(JAVA_LONG, VALUE_LENGTH, card.length);
        MethodHandle put = function("PMIx_Put", JAVA_BYTE, ADDRESS, ADDRESS);
        check((int) put.invokeExact(GLOBAL, arena.allocateFrom(KEY), value), "PMIx_Put");
        check((int) function("PMIx_Commit").invokeExact(), "PMIx_Commit");
    }

    /** Waits until all ranks have come, and has their values sent to all. */
    private void awaitAll() throws Throwable {
        MemorySegment collect = arena.allocate(INFO_BYTES, 8);
        collect.setString(0, "pmix.collect");
        collect.set(JAVA_SHORT, INFO_VALUE, BOOL);
        collect.set(JAVA_BYTE, INFO_VALUE + VALUE_DATA, (byte) 1);
        MethodHandle fence = function("PMIx_Fence", ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
        check((int) fence.invokeExact(all, 1L, collect, 1L), "PMIx_Fence");
    }

    @SuppressWarnings("restricted")
    private static byte[] bytes(MemorySegment value) throws IOException {
        long length = value.get(JAVA_SHORT, 0) == BYTES ? value.get(JAVA_LONG, VALUE_LENGTH) : -1;
        MemorySegment data = value.get(ADDRESS, VALUE_DATA);
        if (length < 1 || length > MOST_CARD || data.address() == 0) {
            throw new IOException("the launcher has damaged rank 0's card");
        }
        return data.reinterpret(length).toArray(JAVA_BYTE);
    }

    @Override
    public void abort(int status, String reason) {
        end(() -> {
            MethodHandle abort = function("PMIx_Abort", JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
            return (int) abort.invokeExact(status, arena.allocateFrom(reason), MemorySegment.NULL, 0L);
        });
    }

    @Override
    public void finish() {
        end(() -> (int) function("PMIx_Finalize", ADDRESS, JAVA_LONG).invokeExact(MemorySegment.NULL, 0L));
    }

    private void end(Call<Integer> call) {
        try {
            within(System.nanoTime() + FINISH_NS, call);
        } catch (IOException e) {
            // The launcher has ended, or ends this process.
        }
    }

    private interface Call<T> {
        T call() throws Throwable;
    }

    private <T> T within(long deadlineNs, Call<T> call) throws IOException {
        FutureTask<T> task = new FutureTask<>(checked(call));
        Thread.ofPlatform().daemon().name("rankwire-pmix").start(task);
        try {
            return task.get(Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new SocketTimeoutException();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause().toString(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the start of this rank was interrupted", e);
        }
    }

    private static <T> Callable<T> checked(Call<T> call) {
        return () -> {
            try {
                return call.call();
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        };
    }
}
