package io.rankwire.fabric.udp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The functions of the system that a socket needs, on Linux. Addresses of memory are numbers here: the caller keeps the
 * memory while a call runs. All functions are called with six words, of which each reads as many as it has parameters,
 * so that the JVM makes one way to call them and not twelve, which would take a tenth of a second at the start. Those
 * that carry datagrams take memory of arrays as it is: they do not wait, so the garbage collector can wait for them.
 */
final class Libc {
    static final int EINTR = 4;
    static final int EIO = 5;
    static final int EAGAIN = 11;
    static final int EINVAL = 22;
    static final int EMSGSIZE = 90;
    static final int EOPNOTSUPP = 95;
    static final int ENOBUFS = 105;

    static final MethodHandle SOCKET = handle("socket");
    static final MethodHandle EVENTFD = handle("eventfd");
    static final MethodHandle BIND = handle("bind");
    static final MethodHandle CONNECT = handle("connect");
    static final MethodHandle GETSOCKNAME = handle("getsockname");
    static final MethodHandle GETSOCKOPT = handle("getsockopt");
    static final MethodHandle SETSOCKOPT = handle("setsockopt");
    static final MethodHandle READ = handle("read");
    static final MethodHandle WRITE = handle("write");
    static final MethodHandle CLOSE = handle("close");
    private static final MethodHandle SENDTO = handleOfArrays("sendto");
    private static final MethodHandle RECV = handleOfArrays("recv");
    private static final MethodHandle RECVMSG = handle("recvmsg");
    private static final MethodHandle POLL = handle("poll");

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private Libc() {}

    @SuppressWarnings("restricted")
    private static MethodHandle handle(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                Linker.Option.captureCallState("errno"));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handleOfArrays(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                Linker.Option.captureCallState("errno"), Linker.Option.critical(true));
    }

    /** Where calls of one thread at a time leave their errors. */
    static MemorySegment errors(Arena arena) {
        return arena.allocate(STATE);
    }

    static int error(MemorySegment errors) {
        return (int) ERRNO.get(errors, 0L);
    }

    static String text(int error) {
        return switch (error) {
            case 1 -> "Operation not permitted";
            case 13 -> "Permission denied";
            case 24 -> "Too many open files";
            case 98 -> "Address already in use";
            case 99 -> "Cannot assign requested address";
            default -> "error " + error;
        };
    }

    /** A call that is not made for each message and returns an {@code int}. */
    static int call(MethodHandle function, MemorySegment errors, long a, long b, long c, long d, long e) {
        try {
            return (int) (long) function.invokeExact(errors, a, b, c, d, e, 0L);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    static long sendto(MemorySegment errors, int socket, MemorySegment from, long bytes, int flags, long name,
            int length) {
        try {
            return (long) SENDTO.invokeExact(errors, (long) socket, from, bytes, (long) flags, name, (long) length);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    static long recv(MemorySegment errors, int socket, MemorySegment to, int flags) {
        try {
            return (long) RECV.invokeExact(errors, (long) socket, to, to.byteSize(), (long) flags, 0L, 0L);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    static long recvmsg(MemorySegment errors, int socket, long message, int flags) {
        try {
            return (long) RECVMSG.invokeExact(errors, (long) socket, message, (long) flags, 0L, 0L, 0L);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    static int poll(MemorySegment errors, MemorySegment what, int count, int ms) {
        try {
            return (int) (long) POLL.invokeExact(errors, what.address(), (long) count, (long) ms, 0L, 0L, 0L);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }
}
