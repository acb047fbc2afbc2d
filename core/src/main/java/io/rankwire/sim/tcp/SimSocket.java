package io.rankwire.sim.tcp;

import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.tcp.Connection;
import io.rankwire.sim.Frames;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;

/** One end of a connection between simulated hosts. */
final class SimSocket implements ByteChannel, GatheringByteChannel, ScatteringByteChannel {
    /** Bytes of a connection that its system takes at once, whatever else waits to be sent. */
    private static final int FIRST = 1 << 10;

    /** The number of the connection, the same at both ends. */
    final int number;
    private final SimHost host;
    final int peer;
    private final int window;
    /** Of the port above; null until the process has accepted the connection. */
    Connection connection;
    /** Segments are taken no earlier than this; those that wait for it. */
    long heldUntil;
    int held;

    private byte[] bytes = new byte[256];
    private int from;
    private int to;
    /** Bytes that were read and the other end does not know of. */
    private int unsaid;
    /** Bytes that were written and not read at the other end. */
    private int underWay;
    private int first = FIRST;
    private boolean isConnected;
    private boolean isEnded;
    private boolean isReset;
    private boolean isClosed;

    SimSocket(SimHost host, int peer, int number, boolean isConnected) {
        this.host = host;
        this.peer = peer;
        this.number = number;
        this.window = host.tcp.window;
        this.isConnected = isConnected;
    }

    void signal(int kind, int count, long at) {
        host.signal(peer, kind, number, count, at);
    }

    boolean isConnected() {
        return isConnected;
    }

    int available() {
        return to - from;
    }

    /** The system takes a segment; returns whether the process can go on. */
    boolean take(int kind, int frame) {
        switch (kind) {
            case SimTcp.CONNECTED -> isConnected = true;
            case SimTcp.BYTES -> put(frame);
            case SimTcp.END -> isEnded = true;
            case SimTcp.RESET -> isReset = true;
            case SimTcp.READ -> {
                underWay -= (int) host.tcp.fabric.frames.header(frame);
                return host.awaitsRoom(this);
            }
            default -> throw new IllegalStateException("a segment of kind " + kind);
        }
        host.ready(this, true);
        return true;
    }

    private void put(int frame) {
        Frames frames = host.tcp.fabric.frames;
        int count = frames.bytes(frame);
        if (isReset) {
            signal(SimTcp.RESET, 0, host.tcp.events.now());
            return;
        }
        if (to + count > bytes.length) {
            byte[] next = available() + count > bytes.length ? new byte[2 * (available() + count)] : bytes;
            System.arraycopy(bytes, from, next, 0, available());
            to -= from;
            from = 0;
            bytes = next;
        }
        MemorySegment.copy(frames.memory(frame), frames.offset(frame), MemorySegment.ofArray(bytes), to, count);
        to += count;
    }

    /** The connection is over for this end; a number of bytes that have come can still be read. */
    void lose(int count) {
        to = from + count;
        isReset = true;
        host.ready(this, true);
        host.tcp.fabric.wake(host.rank, host.tcp.events.now());
    }

    boolean finish() throws IOException {
        if (isReset) {
            throw isConnected ? new IOException("Connection reset") : new ConnectException("Connection refused");
        }
        host.ready(this, isConnected && isReadable());
        return isConnected;
    }

    private boolean isReadable() {
        return available() > 0 || isEnded || isReset;
    }

    boolean hasRoom() {
        return isReset || underWay < window && host.port().hasRoom(segment());
    }

    private int segment() {
        return host.port().traits().maxPayload();
    }

    private int part(int count) {
        SimTcp.Trouble trouble = host.tcp.trouble;
        return count == 0 || trouble == null ? count : trouble.part(count);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        check();
        int count = part(Math.min(available(), target.remaining()));
        if (count > 0) {
            host.port().read();
            target.put(bytes, from, count);
            from += count;
            unsaid += count;
            if (unsaid >= window / 4) {
                signal(SimTcp.READ, unsaid, host.port().clockPs());
                unsaid = 0;
            }
            host.ready(this, isReadable());
        } else if (available() == 0 && target.hasRemaining()) {
            if (isReset) {
                throw new IOException("Connection reset");
            }
            return isEnded ? -1 : 0;
        }
        return count;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        check();
        if (isReset) {
            throw new IOException("Broken pipe");
        }
        int before = source.position();
        boolean isTaken = source.remaining() <= first;
        int end = isTaken ? source.limit() : before + part(Math.clamp(window - underWay, 0, source.remaining()));
        Outlet outlet = host.outlet(peer);
        while (source.position() < end) {
            int count = Math.min(end - source.position(), segment());
            MemorySegment segment = MemorySegment.ofBuffer(source).asSlice(0, count);
            long at = outlet.claim(count);
            if (at != Outlet.FULL) {
                MemorySegment.copy(segment, 0, outlet.memory(), at, count);
                outlet.commit(at, count, SimTcp.BYTES, (long) number << 32);
            } else if (isTaken) {
                host.port().signal(peer, SimTcp.BYTES, (long) number << 32, segment, host.port().clockPs());
            } else {
                break;
            }
            source.position(source.position() + count);
        }
        int written = source.position() - before;
        first -= isTaken ? written : 0;
        underWay += written;
        return written;
    }

    @Override
    public long read(ByteBuffer[] targets) throws IOException {
        return read(targets, 0, targets.length);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        long all = 0;
        for (int i = offset; i < offset + length; i++) {
            int count = targets[i].hasRemaining() && (all == 0 || available() > 0) ? read(targets[i]) : 0;
            if (count < 0) {
                return all > 0 ? all : count;
            }
            all += count;
            if (targets[i].hasRemaining()) {
                break;
            }
        }
        return all;
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long all = 0;
        for (int i = offset; i < offset + length; i++) {
            all += write(sources[i]);
            if (sources[i].hasRemaining()) {
                break;
            }
        }
        return all;
    }

    private void check() throws IOException {
        if (isClosed) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public boolean isOpen() {
        return !isClosed;
    }

    /** A connection with bytes that were not read is reset. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (!isReset && isConnected) {
            signal(available() > 0 ? SimTcp.RESET : SimTcp.END, 0, host.port().clockPs());
        }
        host.remove(this);
    }
}
