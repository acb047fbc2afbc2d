package io.rankwire.tools;

import io.rankwire.fabric.Secret;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A connection between two doctors on different hosts. It begins with a proof of the secret by both sides, before
 * either reads anything else:
 *
 * <pre>
 * client   magic, version (4 bytes each), challenge (16)
 * server   magic, version, challenge (16), proof (32)
 * client   proof (32)
 * server   0 (1 byte)
 * </pre>
 *
 * Then the client sends requests, a byte of kind and eight of number, and the server answers each.
 */
final class DoctorLine implements AutoCloseable {
    /** The server returns this number of messages of 8 bytes, each as it comes. */
    static final byte ECHO = 1;
    /** The server reads this number of bytes and answers with one. */
    static final byte TAKE = 2;
    /** The server answers datagrams of a size, at a port that it sends back, until the next request. */
    static final byte DATAGRAMS = 3;
    /** The server listens at the ports of a {@link #range} until the next request; a byte for each is 0 if it does. */
    static final byte LISTEN = 4;
    /** More ports of a range are not tried. */
    static final int MOST_PORTS = 256;

    private static final int MAGIC = 0x52574452;
    private static final int VERSION = 1;
    private static final int PREFIX = 2 * Integer.BYTES;
    private static final int LIMIT_MS = 10_000;
    private static final String OF_SERVER = "rankwire doctor: server";
    private static final String OF_CLIENT = "rankwire doctor: client";
    private static final String OF_DATAGRAM = "rankwire doctor: datagram";

    private final SocketChannel channel;
    private final DataInputStream in;
    private byte[] token;

    /** The other side is no doctor, or has another secret: no connection that is made again would help. */
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    static long range(int first, int last) {
        return (long) first << 32 | last;
    }

    static int first(long range) {
        return (int) (range >>> 32) & 0xFFFF;
    }

    static int last(long range) {
        return Math.max(first(range), (int) range & 0xFFFF);
    }

    DoctorLine(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.socket().setSoTimeout(LIMIT_MS);
        in = new DataInputStream(channel.socket().getInputStream());
    }

    InetSocketAddress local() {
        return (InetSocketAddress) channel.socket().getLocalSocketAddress();
    }

    InetSocketAddress remote() {
        return (InetSocketAddress) channel.socket().getRemoteSocketAddress();
    }

    /** The proof of a client; returns when the server has accepted it. */
    void proveToServer(Secret secret) throws IOException {
        byte[] mine = Secret.challenge();
        write(ByteBuffer.allocate(PREFIX + mine.length).putInt(MAGIC).putInt(VERSION).put(mine));
        readPrefix();
        byte[] theirs = read(Secret.CHALLENGE);
        if (!secret.isProof(read(Secret.PROOF), OF_SERVER, mine, theirs)) {
            throw new Refused("it has another secret: both sides need a file with the same bytes");
        }
        write(ByteBuffer.allocate(Secret.PROOF).put(secret.proof(OF_CLIENT, mine, theirs)));
        read(1);
        token = secret.proof(OF_DATAGRAM, mine, theirs);
    }

    /** The proof of a server. */
    void proveToClient(Secret secret) throws IOException {
        readPrefix();
        byte[] theirs = read(Secret.CHALLENGE);
        byte[] mine = Secret.challenge();
        write(ByteBuffer.allocate(PREFIX + mine.length + Secret.PROOF).putInt(MAGIC).putInt(VERSION).put(mine)
                .put(secret.proof(OF_SERVER, theirs, mine)));
        if (!secret.isProof(read(Secret.PROOF), OF_CLIENT, theirs, mine)) {
            throw new Refused("it does not know the secret");
        }
        write(ByteBuffer.allocate(1));
        token = secret.proof(OF_DATAGRAM, theirs, mine);
    }

    private void readPrefix() throws IOException {
        ByteBuffer prefix = ByteBuffer.wrap(read(PREFIX));
        if (prefix.getInt() != MAGIC) {
            throw new Refused("what is there is no `rankwire doctor`");
        }
        int version = prefix.getInt();
        if (version != VERSION) {
            throw new Refused("it speaks version " + version + " of the doctors' protocol, and this one " + VERSION
                    + ": both sides need the same version of Rankwire");
        }
    }

    /** What both sides have proven, by which datagrams are known. */
    byte[] token() {
        return token;
    }

    void request(byte kind, long number) throws IOException {
        write(ByteBuffer.allocate(1 + Long.BYTES).put(kind).putLong(number));
    }

    /** The kind of the next request; -1 when the client is done. */
    int nextRequest() throws IOException {
        return in.read();
    }

    long readNumber() throws IOException {
        return in.readLong();
    }

    void writeNumber(long number) throws IOException {
        write(ByteBuffer.allocate(Long.BYTES).putLong(number));
    }

    byte[] read(int bytes) throws IOException {
        byte[] read = new byte[bytes];
        in.readFully(read);
        return read;
    }

    /** Writes what was put into a buffer. */
    void write(ByteBuffer buffer) throws IOException {
        buffer.clear();
        long start = System.nanoTime();
        while (buffer.hasRemaining()) {
            if (channel.write(buffer) == 0) {
                pause(start);
            }
        }
    }

    private static void pause(long since) throws SocketTimeoutException {
        Thread.onSpinWait();
        if (System.nanoTime() - since > LIMIT_MS * 1_000_000L) {
            throw new SocketTimeoutException();
        }
    }

    /** Reads and drops this number of bytes. */
    void drop(long bytes) throws IOException {
        byte[] part = new byte[1 << 16];
        for (long left = bytes; left > 0;) {
            int read = in.read(part, 0, (int) Math.min(part.length, left));
            if (read < 0) {
                throw new EOFException();
            }
            left -= read;
        }
    }

    /** From now on, {@link #poll} and {@link #write} do not wait in the system; or they do again. */
    void polls(boolean polls) throws IOException {
        channel.configureBlocking(!polls);
    }

    /** Fills the buffer, by asking again and again. */
    void poll(ByteBuffer buffer) throws IOException {
        buffer.clear();
        long start = System.nanoTime();
        while (buffer.hasRemaining()) {
            int read = channel.read(buffer);
            if (read < 0) {
                throw new EOFException();
            }
            if (read == 0) {
                pause(start);
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
