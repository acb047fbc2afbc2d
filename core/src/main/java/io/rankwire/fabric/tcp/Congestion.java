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
 * How connections adapt to the network, on Linux. BBR spreads what is written over time, at the rate that it has
 * measured. Messages with pauses between them let it measure too little: large ones take up to four times as long then.
 * So a connection whose default is BBR gets another way. Java has no option for that, and does not give the number of a
 * socket either, so it is looked for among the open files of the process by its addresses.
 */
final class Congestion {
    private static final Path DEFAULT = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");
    private static final Path FILES = Path.of("/proc/self/fd");
    /** What a process may choose depends on the system and its rights; the first that it may is taken. */
    private static final String[] INSTEAD = {"cubic", "reno"};
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_CONGESTION = 13;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int MOST = 128;

    /** Whether the system spreads what is written; looked up once. */
    private static final boolean PACED = Words.reachAll() && JAVA_LONG.byteSize() == 8 && isPaced();

    private Congestion() {}

    private static boolean isPaced() {
        try {
            return Files.readString(DEFAULT).startsWith("bbr");
        } catch (IOException e) {
            return false;
        }
    }

    /** Prepares a connection that is complete. What cannot be changed stays as it is. */
    static void prepare(SocketChannel channel) {
        if (PACED) {
            try {
                change(channel);
            } catch (IOException e) {
                // The connection works as it is, or its next use will show why not.
            }
        }
    }

    private static void change(SocketChannel channel) throws IOException {
        SocketAddress local = channel.getLocalAddress();
        SocketAddress remote = channel.getRemoteAddress();
        try (Arena arena = Arena.ofConfined(); DirectoryStream<Path> files = Files.newDirectoryStream(FILES)) {
            MemorySegment name = arena.allocate(MOST, 8);
            for (Path file : files) {
                int number = Integer.parseInt(file.getFileName().toString());
                if (isAt(number, Calls.GETPEERNAME, name, remote) && isAt(number, Calls.GETSOCKNAME, name, local)) {
                    for (String way : INSTEAD) {
                        MemorySegment text = arena.allocateFrom(way);
                        if (call(Calls.SETSOCKOPT, number, IPPROTO_TCP, TCP_CONGESTION, text.address(),
                                way.length()) == 0) {
                            return;
                        }
                    }
                }
            }
        }
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
