package io.rankwire.device;

import io.rankwire.device.dma.Claims;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.type.Copy;
import java.lang.foreign.MemorySegment;

/** A large message that one rank, or two at once, copies straight from the sender's memory to the receiver's. */
final class DirectCopy {
    /** What this rank does in it. */
    enum Role {
        /** The receiver takes the message from the sender's memory, alone. */
        TAKE,
        /** The receiver takes it from the back while the sender puts it from the front. */
        TAKE_BACK,
        /** The sender's part of that. */
        PUT_FRONT,
        /** The sender puts what is left of it into the receiver's memory, alone. */
        PUT
    }

    private static final int FEW_CHUNKS = 8;
    private static final long SMALLEST_CHUNK = 8 << 10;
    private static final long LARGEST_CHUNK = 128 << 10;

    final Role role;
    final Operation operation;
    final Peer peer;
    private final Object from;
    private final long fromByte;
    private final Object to;
    private final long toByte;
    private final long bytes;
    private final long chunk;
    private final MemorySegment claims;
    private final long claimsAt;
    private long done;
    private int mine;
    private boolean claimedAll;
    private boolean givenUp;

    DirectCopy(Role role, Operation operation, Peer peer, Object from, long fromByte, Object to, long toByte,
            long bytes, MemorySegment claims, long claimsAt) {
        this.role = role;
        this.operation = operation;
        this.peer = peer;
        this.from = from;
        this.fromByte = fromByte;
        this.to = to;
        this.toByte = toByte;
        this.bytes = bytes;
        this.chunk = chunk(bytes);
        this.claims = claims;
        this.claimsAt = claimsAt;
    }

    /** The receiver takes the message from an address of the sender's process. */
    DirectCopy(Operation operation, Peer peer, PeerMemory processes, long address) {
        this(Role.TAKE, operation, peer, processes, address, operation.buffer, operation.offset, operation.wanted,
                null, 0);
    }

    /** Both sides reckon with the same chunks. */
    private static long chunk(long bytes) {
        return Math.clamp(bytes / FEW_CHUNKS + 4095 & -4096, SMALLEST_CHUNK, LARGEST_CHUNK);
    }

    static int chunks(long bytes) {
        return Math.toIntExact((bytes + chunk(bytes) - 1) / chunk(bytes));
    }

    long bytes() {
        return bytes;
    }

    /** Copies one chunk; false if there was none left to copy. */
    boolean step() {
        if (role == Role.TAKE || role == Role.PUT) {
            move(done, Math.min(chunk, bytes - done));
            done += Math.min(chunk, bytes - done);
            return true;
        }
        int claimed = role == Role.PUT_FRONT ? Claims.front(claims, claimsAt) : Claims.back(claims, claimsAt);
        if (claimed == Claims.NONE) {
            claimedAll = true;
            return false;
        }
        long at = claimed * chunk;
        move(at, Math.min(chunk, bytes - at));
        if (role == Role.PUT_FRONT) {
            Claims.frontDid(claims, claimsAt, ++mine);
        }
        return true;
    }

    private void move(long at, long length) {
        if (from instanceof PeerMemory processes) {
            if (!processes.read(peer.rank, fromByte + at, (MemorySegment) to, toByte + at, length)) {
                operation.code = Code.MESSAGE_ENDED;
                giveUp();
            }
        } else if (to instanceof MemorySegment target) {
            Copy.out(from, fromByte + at, target, toByte + at, (int) length);
        } else {
            Copy.in((MemorySegment) from, fromByte + at, to, toByte + at, (int) length);
        }
    }

    /** The memory of one side has ended. */
    void giveUp() {
        givenUp = true;
    }

    boolean isOver() {
        return givenUp || switch (role) {
            case TAKE, PUT -> done == bytes;
            case PUT_FRONT -> claimedAll;
            case TAKE_BACK -> claimedAll && Claims.frontIsDone(claims, claimsAt);
        };
    }
}
