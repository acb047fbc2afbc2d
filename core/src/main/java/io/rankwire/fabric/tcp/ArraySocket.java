package io.rankwire.fabric.tcp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.channels.SocketChannel;

/**
 * Calls the system for arrays of a connection, on Linux. The JVM moves no array while such a call runs, so a garbage
 * collection waits for it: for the copy of one frame at most, because no call blocks. The thread that drives the port
 * alone closes the channel, so the number of the socket is good for as long as the connection is used.
 */
final class ArraySocket implements ArrayChannel {
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_MORE = 0x8000;
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int EPIPE = 32;
    private static final int ECONNRESET = 104;
    private static final int ETIMEDOUT = 110;
    private static final int UNKNOWN = -2;

    private final SocketChannel channel;
    private int number = UNKNOWN;
    /** Where calls leave their errors. */
    private MemorySegment errors;

    ArraySocket(SocketChannel channel) {
        this.channel = channel;
    }

    /** Looks for the number of the socket at the first call: most connections carry no large message. */
    @Override
    public boolean isUsable() {
        if (number == UNKNOWN) {
            try {
                number = SocketNumber.KNOWN ? SocketNumber.of(channel) : SocketNumber.NONE;
            } catch (IOException e) {
                number = SocketNumber.NONE;
            }
            errors = number == SocketNumber.NONE ? null : Arena.ofAuto().allocate(Calls.STATE);
        }
        return number != SocketNumber.NONE;
    }

    @Override
    public int write(MemorySegment from, long offset, int bytes, boolean more) throws IOException {
        int flags = MSG_DONTWAIT | MSG_NOSIGNAL | (more ? MSG_MORE : 0);
        long taken;
        try {
            taken = (long) Calls.SEND.invokeExact(
                    errors, number, from.asSlice(offset, bytes), (long) bytes, flags);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
        return taken < 0 ? failed() : (int) taken;
    }

    @Override
    public int read(MemorySegment to, long offset, int bytes) throws IOException {
        long come;
        try {
            come = (long) Calls.RECV.invokeExact(
                    errors, number, to.asSlice(offset, bytes), (long) bytes, MSG_DONTWAIT);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
        return come < 0 ? failed() : come == 0 ? -1 : (int) come;
    }

    /** Returns 0 if the call would have had to wait, else throws. */
    private int failed() throws IOException {
        int error = (int) Calls.ERRNO.get(errors, 0L);
        if (error == EAGAIN || error == EINTR) {
            return 0;
        }
        throw new IOException(switch (error) {
            case EPIPE -> "Broken pipe";
            case ECONNRESET -> "Connection reset";
            case ETIMEDOUT -> "Connection timed out";
            default -> "error " + error + " of the socket";
        });
    }

    /** Functions of the system, loaded at the first use. */
    private static final class Calls {
        static final StructLayout STATE = Linker.Option.captureStateLayout();
        static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        static final MethodHandle SEND = handle("send");
        static final MethodHandle RECV = handle("recv");

        @SuppressWarnings("restricted")
        private static MethodHandle handle(String name) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name),
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
                    Linker.Option.captureCallState("errno"), Linker.Option.critical(true));
        }
    }
}
