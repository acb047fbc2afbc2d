package io.rankwire.fabric.udp;

import io.rankwire.fabric.Members;
import io.rankwire.memory.Words;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The head of each datagram, and what it proves. The code is keyed by the secret of the job and covers the other words
 * of the head, and so the ranks, the length and the checksum of the bytes behind it.
 *
 * <pre>
 *   0  SipHash-2-4 of the next two words
 *   8  kind (16) | bytes of the datagram (16) | CRC-32C of the bytes from 24 on (32)
 *  16  rank of the receiver (32) | rank of the sender (32)
 * </pre>
 */
final class Seal {
    /** Bytes of a head. */
    static final int HEAD = 24;

    /** Kinds: whole frames, a piece of such a datagram, is there a way for datagrams of this size, and there is. */
    static final int FRAMES = 1;
    static final int PIECE = 2;
    static final int PROBE = 3;
    static final int PROBED = 4;

    private static final int CODE = 0;
    private static final int SIZE = 8;
    private static final int RANKS = 16;
    private static final String PURPOSE = "rankwire udp datagram";

    private final int self;
    private final int ranks;
    private final SipHash hash;
    private final CRC32C sum = new CRC32C();

    Seal(Members members) {
        self = members.self();
        ranks = members.size();
        // All ranks know the ports alike, and other jobs with the same secret have others.
        ByteBuffer ports = ByteBuffer.allocate(4 * ranks);
        for (InetSocketAddress each : members.addresses()) {
            ports.putInt(each.getPort());
        }
        ByteBuffer key = ByteBuffer.wrap(members.secret().proof(PURPOSE, ports.array()))
                .order(ByteOrder.LITTLE_ENDIAN);
        hash = new SipHash(key.getLong(), key.getLong());
    }

    /** Writes the head of a datagram whose other bytes are there. */
    void close(Area area, int at, int bytes, int kind, int to) {
        long size = (long) kind << 48 | (long) bytes << 32 | sum(area, at, bytes);
        long both = (long) to << 32 | self;
        Words.storeUnaligned(area.memory(), at + SIZE, size);
        Words.storeUnaligned(area.memory(), at + RANKS, both);
        Words.storeUnaligned(area.memory(), at + CODE, code(size, both));
    }

    /** Whether a member of the job has made the head, for this rank, of a datagram that may have this many bytes. */
    boolean isGenuine(Area area, int at, int most) {
        if (most < HEAD) {
            return false;
        }
        long size = Words.loadUnaligned(area.memory(), at + SIZE);
        long both = Words.loadUnaligned(area.memory(), at + RANKS);
        int bytes = bytes(area, at);
        return Words.loadUnaligned(area.memory(), at + CODE) == code(size, both) && (int) (both >>> 32) == self
                && (int) both >= 0 && (int) both < ranks && (int) both != self && bytes >= HEAD && bytes <= most;
    }

    /** Whether a genuine datagram is as it was sent. */
    boolean isWhole(Area area, int at) {
        long size = Words.loadUnaligned(area.memory(), at + SIZE);
        return (size & 0xFFFF_FFFFL) == sum(area, at, bytes(area, at));
    }

    static int kind(Area area, int at) {
        return (int) (Words.loadUnaligned(area.memory(), at + SIZE) >>> 48);
    }

    static int bytes(Area area, int at) {
        return (int) (Words.loadUnaligned(area.memory(), at + SIZE) >>> 32) & 0xFFFF;
    }

    static int sender(Area area, int at) {
        return (int) Words.loadUnaligned(area.memory(), at + RANKS);
    }

    private long code(long size, long both) {
        return hash.begin().add(size).add(both).end(0, 16);
    }

    private long sum(Area area, int at, int bytes) {
        sum.reset();
        sum.update(area.part(at + HEAD, bytes - HEAD));
        return sum.getValue();
    }
}
