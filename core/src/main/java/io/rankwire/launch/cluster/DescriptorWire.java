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
    private static final int EBADF = 9;
    private static final short POLLIN = 1;
    private static final int SPACE = 4096;

    private final int descriptor;
    private final MethodHandle read;
    private final MethodHandle write;
    private final MethodHandle poll;
    private final VarHandle errno;
    private final StructLayout state = Linker.Option.captureStateLayout();

    /**
     * @throws IOException if this JVM may not call the system
     */
    DescriptorWire(int descriptor) throws IOException {
        this.descriptor = descriptor;
        try {
            read = function("read");
            write = function("write");
            poll = function("poll");
        } catch (IllegalCallerException | UnsupportedOperationException e) {
            throw new IOException("this JVM may not use the open file that PMI_FD names: add"
                    + " --enable-native-access=ALL-UNNAMED to the options of java", e);
        }
        errno = state.varHandle(MemoryLayout.PathElement.groupElement("errno"));
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
            long result;
            try {
                result = (long) function.invokeExact(errors, a, b, c);
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
            if ((int) result >= 0) {
                return (int) result;
            }
            int error = (int) errno.get(errors, 0L);
            if (error == EBADF) {
                throw new IOException("PMI_FD is " + descriptor + ", which is no open file here: this process was not"
                        + " started by the launcher, it has only inherited the environment of a rank; unset PMI_FD"
                        + " for it");
            }
            if (error != EINTR) {
                throw new IOException("the open file that PMI_FD names, " + descriptor + ", fails with error "
                        + error);
            }
        }
    }
}
