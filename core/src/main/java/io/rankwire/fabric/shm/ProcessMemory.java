package io.rankwire.fabric.shm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.function.IntFunction;

/**
 * Memory of other processes by {@code process_vm_readv}. Whether that works depends on
 * the system, its security settings and whether this JVM may call native code, so each peer is tried out first: a rank
 * leaves its process number, an address and what lies there in its <em>card</em>, and whoever can read the same at that
 * address of that process reaches the right one. Nothing here runs, or makes the JVM warn, without native access.
 */
final class ProcessMemory implements PeerMemory {
    /** Bytes of a card: process (8), address of the card in that process (8), a number made up by its owner (8). */
    static final int CARD = 64;

    private static final String NOT_HERE_YET = "the rank has not joined yet";
    private static final int ADDRESS_AT = 8;
    private static final int NUMBER_AT = 16;
    /** The kernel moves no more in one call. */
    private static final long MOST = 0x7fff_f000L;

    private static final int TRIAL = 128 << 10;
    private static final int TRIALS = 20;
    /** What a byte through the ring costs in copies: two, half of the time side by side, and lines change cores. */
    private static final int RING_SHARE = 2;
    private static final long LEAST = 16 << 10;

    private final IntFunction<MemorySegment> cards;
    private final String[] obstacles;
    private final long[] processes;
    private Calls calls;
    private long worthFrom;

    /** Cards are asked for at the first use of a peer. */
    ProcessMemory(int size, IntFunction<MemorySegment> cards) {
        this.cards = cards;
        this.obstacles = new String[size];
        this.processes = new long[size];
    }

    static void fill(MemorySegment card) {
        long process = ProcessHandle.current().pid();
        Words.store(card, ADDRESS_AT, card.address());
        Words.store(card, NUMBER_AT, (System.nanoTime() ^ process << 40) * 0x9E37_79B9_7F4A_7C15L | 1);
        Words.release(card, 0, process);
    }

    @Override
    public String obstacle(int rank) {
        if (processes[rank] != 0 || obstacles[rank] != null) {
            return obstacles[rank];
        }
        try {
            String found = tryOut(rank);
            if (found != NOT_HERE_YET) {
                obstacles[rank] = found;
            }
            return found;
        } catch (FabricException e) {
            obstacles[rank] = e.getMessage();
            return obstacles[rank];
        }
    }

    private String tryOut(int rank) {
        if (!ProcessMemory.class.getModule().isNativeAccessEnabled()) {
            return "this JVM may not call native code (--enable-native-access=ALL-UNNAMED)";
        }
        if (calls == null) {
            Object made = Calls.make();
            if (made instanceof String missing) {
                return missing;
            }
            calls = (Calls) made;
        }
        MemorySegment card = cards.apply(rank);
        long process = Words.acquire(card, 0);
        if (process == 0) {
            return NOT_HERE_YET;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment seen = arena.allocate(JAVA_LONG);
            boolean read = calls.read(rank, process, Words.load(card, ADDRESS_AT) + NUMBER_AT, seen, 0, 8);
            if (!read || Words.load(seen, 0) != Words.load(card, NUMBER_AT)) {
                return "process " + process + " is not rank " + rank + " as seen from here";
            }
        }
        processes[rank] = process;
        return null;
    }

    @Override
    public long worthFrom(int rank) {
        if (obstacle(rank) != null) {
            return Long.MAX_VALUE;
        }
        if (worthFrom == 0) {
            worthFrom = measure();
        }
        return worthFrom;
    }

    /**
     * A read costs a call and then some time a byte; a message through the ring takes a copy at each end, at the same
     * time. Both are timed on memory of this process, which costs the same.
     */
    private long measure() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocate(TRIAL, 64).fill((byte) 1);
            MemorySegment to = arena.allocate(TRIAL, 64).fill((byte) 2);
            long self = ProcessHandle.current().pid();
            long copy = Long.MAX_VALUE;
            long call = Long.MAX_VALUE;
            long read = Long.MAX_VALUE;
            for (int i = 0; i < TRIALS; i++) {
                long start = System.nanoTime();
                MemorySegment.copy(from, 0, to, 0, TRIAL);
                long copied = System.nanoTime();
                calls.read(-1, self, from.address(), to, 0, 64);
                long called = System.nanoTime();
                calls.read(-1, self, from.address(), to, 0, TRIAL);
                copy = Math.min(copy, copied - start);
                call = Math.min(call, called - copied);
                read = Math.min(read, System.nanoTime() - called);
            }
            double gainPerByte = (double) (RING_SHARE * copy - (read - call)) / TRIAL;
            return gainPerByte <= 0 ? Long.MAX_VALUE : Math.max(LEAST, (long) (call / gainPerByte));
        }
    }

    @Override
    public boolean read(int rank, long address, MemorySegment to, long toByte, long bytes) {
        String obstacle = obstacle(rank);
        if (obstacle != null) {
            throw new FabricException("no way to the memory of rank " + rank + ": " + obstacle, null);
        }
        return calls.read(rank, processes[rank], address, to, toByte, bytes);
    }

    /** The system's function. Loaded at the first use: the linker takes tens of milliseconds to set up. */
    private static final class Calls {
        private static final StructLayout STATE = Linker.Option.captureStateLayout();
        private static final VarHandle ERRNO =
                STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        private static final int NO_SUCH_MEMORY = 14;
        /** The last argument is one more than the function looks at: while it runs that memory cannot be closed. */
        private static final FunctionDescriptor COPY = FunctionDescriptor.of(
                JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS);

        private final MethodHandle read;
        private final MemorySegment state = Arena.ofAuto().allocate(STATE);
        private final MemorySegment local = Arena.ofAuto().allocate(16, 8);
        private final MemorySegment remote = Arena.ofAuto().allocate(16, 8);

        private Calls(MethodHandle read) {
            this.read = read;
        }

        /** The call, or what is missing. */
        @SuppressWarnings("restricted")
        static Object make() {
            if (ADDRESS.byteSize() != 8) {
                return "needs a system of 64 bits";
            }
            try {
                Linker linker = Linker.nativeLinker();
                var read = linker.defaultLookup().find("process_vm_readv");
                if (read.isEmpty()) {
                    return "this system has no process_vm_readv";
                }
                return new Calls(linker.downcallHandle(read.get(), COPY, Linker.Option.captureCallState("errno")));
            } catch (UnsupportedOperationException | IllegalCallerException e) {
                return "native calls are not possible: " + e.getMessage();
            }
        }

        /** Until all is copied: a call may move less than asked for. False if there is no such memory there. */
        boolean read(int rank, long process, long address, MemorySegment memory, long offset, long bytes) {
            if (offset < 0 || bytes < 0 || offset > memory.byteSize() - bytes || !memory.isNative()) {
                throw new IndexOutOfBoundsException(bytes + " bytes at " + offset + " of " + memory);
            }
            MemorySegment held = Words.accessible(memory);
            for (long done = 0; done < bytes; ) {
                long part = Math.min(MOST, bytes - done);
                Words.store(local, 0, memory.address() + offset + done);
                Words.store(local, 8, part);
                Words.store(remote, 0, address + done);
                Words.store(remote, 8, part);
                long moved = invoke((int) process, held);
                if (moved < 0 && (int) ERRNO.get(state, 0L) == NO_SUCH_MEMORY) {
                    return false;
                }
                if (moved <= 0) {
                    throw new PeerLost(rank, "reading " + part + " bytes at 0x" + Long.toHexString(address + done)
                            + " of rank " + rank + " (process " + process + "): "
                            + (moved == 0 ? "nothing was moved" : errorName((int) ERRNO.get(state, 0L))));
                }
                done += moved;
            }
            return true;
        }

        private long invoke(int process, MemorySegment held) {
            try {
                return (long) read.invokeExact(state, process, local, 1L, remote, 1L, 0L, held);
            } catch (IllegalStateException e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }

        private static String errorName(int errno) {
            return switch (errno) {
                case 1 -> "EPERM: one process may not touch another's memory here (ptrace rules)";
                case 3 -> "ESRCH: no such process";
                case 12 -> "ENOMEM";
                case 22 -> "EINVAL";
                case 38 -> "ENOSYS: the system does not offer it";
                default -> "error " + errno;
            };
        }
    }
}
