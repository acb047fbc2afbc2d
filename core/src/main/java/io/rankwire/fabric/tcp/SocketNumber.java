package io.rankwire.fabric.tcp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.rankwire.memory.Words;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The number of a socket, on Linux, for functions of the system that Java does not offer. Java does not give the number
 * either, so the socket is looked for among the open files of the process by its two addresses.
 */
final class SocketNumber {
    static final int NONE = -1;
    private static final Path FILES = Path.of("/proc/self/fd");
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int MOST = 128;

    /** Whether functions of the system may be called, and are known. */
    static final boolean KNOWN =
            Words.reachAll() && JAVA_LONG.byteSize() == 8 && System.getProperty("os.name").equals("Linux");

    private SocketNumber() {}

    /** Returns the number of a socket that is connected, or {@link #NONE}. It ends when the channel is closed. */
    static int of(SocketChannel channel) throws IOException {
        SocketAddress local = channel.getLocalAddress();
        SocketAddress remote = channel.getRemoteAddress();
        try (Arena arena = Arena.ofConfined(); DirectoryStream<Path> files = Files.newDirectoryStream(FILES)) {
            MemorySegment name = arena.allocate(MOST, 8);
            for (Path file : files) {
                int number = Integer.parseInt(file.getFileName().toString());
                if (isAt(number, Calls.GETPEERNAME, name, remote) && isAt(number, Calls.GETSOCKNAME, name, local)) {
                    return number;
                }
            }
        }
        return NONE;
    }

    /** Whether a file is a socket that has this address at one of its ends. */
    private static boolean isAt(int number, MethodHandle end, MemorySegment name, SocketAddress expected) {
        name.set(JAVA_INT, MOST - 8, MOST - 8);
        if (call(end, number, name.address(), name.address() + MOST - 8, 0, 0) != 0
                || !(expected instanceof InetSocketAddress address)) {
            return false;
        }
        int family = name.get(JAVA_SHORT, 0);
        int port = Byte.toUnsignedInt(name.get(JAVA_BYTE, 2)) << 8 | Byte.toUnsignedInt(name.get(JAVA_BYTE, 3));
        if (port != address.getPort() || family != AF_INET && family != AF_INET6) {
            return false;
        }
        byte[] bytes = address.getAddress().getAddress();
        // An address of four bytes is the end of one of sixteen.
        int end6 = family == AF_INET ? 8 : 24;
        byte[] found = name.asSlice(end6 - bytes.length, bytes.length).toArray(JAVA_BYTE);
        return Arrays.equals(bytes, found);
    }

    /** Sets an option of a socket; returns whether the system has taken it. */
    static boolean set(int number, int level, int option, MemorySegment value, long bytes) {
        return call(Calls.SETSOCKOPT, number, level, option, value.address(), bytes) == 0;
    }

    private static int call(MethodHandle function, long a, long b, long c, long d, long e) {
        try {
            return (int) (long) function.invokeExact(a, b, c, d, e);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    /** Functions of the system, loaded at the first use. Each reads as many of the five words as it has parameters. */
    private static final class Calls {
        static final MethodHandle GETSOCKNAME = handle("getsockname");
        static final MethodHandle GETPEERNAME = handle("getpeername");
        static final MethodHandle SETSOCKOPT = handle("setsockopt");

        @SuppressWarnings("restricted")
        private static MethodHandle handle(String name) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name),
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
    }
}
