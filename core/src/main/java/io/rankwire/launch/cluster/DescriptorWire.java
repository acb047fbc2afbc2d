package io.rankwire.launch.cluster;

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
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.net.SocketTimeoutException;

/**
 * An open file that this process has inherited from its launcher, named by its number. No class of the JDK takes such
 * a number, so this one calls the system. All functions are called with three words, so that the JVM makes one way to
 * call them.
 */
final class DescriptorWire implements PmiWire {
    private static final int EINTR = 4;
    private static final short POLLIN = 1;
    private static final int SPACE = 4096;
    private static final int AF_UNIX = 1;
    private static final int ADDRESS_BYTES = 128;

    private final int descriptor;
    private final MethodHandle read;
    private final MethodHandle write;
    private final MethodHandle poll;
    private final VarHandle errno;
    private final StructLayout state = Linker.Option.captureStateLayout();

    /**
     * @throws IOException if this JVM may not call the system, or if the file is none of a launcher
     */
    DescriptorWire(int descriptor) throws IOException {
        this.descriptor = descriptor;
        MethodHandle name;
        try {
            read = function("read");
            write = function("write");
            poll = function("poll");
            name = function("getsockname");
        } catch (IllegalCallerException | UnsupportedOperationException e) {
            throw new IOException("this JVM may not use the open file that PMI_FD names: add"
                    + " --enable-native-access=ALL-UNNAMED to the options of java", e);
        }
        errno = state.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        if (!isLocalSocket(name)) {
            throw new IOException("PMI_FD is " + descriptor + ", which is no socket of a launcher here: this process"
                    + " was not started by the launcher, it has only inherited the environment of a rank; unset PMI_FD"
                    + " for it");
        }
    }

    /**
     * Launchers pass one end of a pair of local sockets on. A child of a rank inherits the variable and not the socket,
     * and may have a file of its own under this number, into which nothing must be written.
     */
    private boolean isLocalSocket(MethodHandle name) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(ADDRESS_BYTES, 8);
            MemorySegment length = arena.allocate(JAVA_INT);
            length.set(JAVA_INT, 0, ADDRESS_BYTES);
            if (result(name, arena.allocate(state), descriptor, address.address(), length.address()) != 0) {
                return false;
            }
            // The family is a word of two bytes, or the second of two.
            return address.get(JAVA_BYTE, 0) == AF_UNIX || address.get(JAVA_BYTE, 1) == AF_UNIX;
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle function(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                Linker.Option.captureCallState("errno"));
    }

    @Override
    public void write(byte[] line) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(line.length);
            MemorySegment.copy(line, 0, bytes, JAVA_BYTE, 0, line.length);
            for (long done = 0; done < line.length;) {
                done += call(write, arena, descriptor, bytes.address() + done, line.length - done);
            }
        }
    }

    @Override
    public int read(byte[] into, long deadlineNs) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            awaitInput(arena, deadlineNs);
            MemorySegment bytes = arena.allocate(SPACE);
            int count = (int) call(read, arena, descriptor, bytes.address(), Math.min(SPACE, into.length));
            MemorySegment.copy(bytes, JAVA_BYTE, 0, into, 0, count);
            return count == 0 ? -1 : count;
        }
    }

    /** A signal ends the wait early, which is then repeated. */
    private void awaitInput(Arena arena, long deadlineNs) throws IOException {
        MemorySegment what = arena.allocate(8, 4);
        long ready;
        do {
            long left = (deadlineNs - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new SocketTimeoutException();
            }
            what.set(JAVA_INT, 0, descriptor);
            what.set(JAVA_SHORT, 4, POLLIN);
            what.set(JAVA_SHORT, 6, (short) 0);
            ready = (int) call(poll, arena, what.address(), 1, Math.min(left, Integer.MAX_VALUE));
        } while (ready == 0);
    }

    private long call(MethodHandle function, Arena arena, long a, long b, long c) throws IOException {
        MemorySegment errors = arena.allocate(state);
        while (true) {
            int result = result(function, errors, a, b, c);
            if (result >= 0) {
                return result;
            }
            int error = (int) errno.get(errors, 0L);
            if (error != EINTR) {
                throw new IOException("the open file that PMI_FD names, " + descriptor + ", fails with error "
                        + error);
            }
        }
    }

    private static int result(MethodHandle function, MemorySegment errors, long a, long b, long c) {
        try {
            return (int) (long) function.invokeExact(errors, a, b, c);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
