package io.rankwire.device.transfer;

import io.rankwire.device.Code;
import io.rankwire.device.Operation;
import io.rankwire.device.Peer;
import io.rankwire.fabric.BadFrame;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.type.Copy;
import java.lang.foreign.MemorySegment;

/** A large message that one rank, or two at once, copies straight from the sender's memory to the receiver's. */
final class DirectCopy {
    /** What this rank does. */
    enum Role {
        /** The receiver copies the message from the sender's memory, alone. */
        TAKE,
        /** The receiver copies from the back while the sender copies from the front. */
        TAKE_BACK,
        /** The sender copies from the front while the receiver copies from the back. */
        PUT_FRONT,
        /** The sender writes what is left of the message into the receiver's memory, alone. */
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
    private int shown;
    private long moved;
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

    /**
     * The receiver's part.
     *
     * @param from a segment of the sender's memory, or the {@link PeerMemory} if the message lies at an address
     * @param claims null if the receiver copies alone
     */
    static DirectCopy take(
            Operation operation, Peer peer, Object from, long fromByte, MemorySegment claims, long claimsAt) {
        return new DirectCopy(claims == null ? Role.TAKE : Role.TAKE_BACK, operation, peer, from, fromByte,
                operation.buffer(), operation.offset(), operation.receiving().wanted, claims, claimsAt);
    }

    /** Both sides count in the same chunks. */
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
        if (claimed < 0 || claimed >= chunks(bytes)) {
            throw new BadFrame(peer.rank(), "claims of a copy by two ranks", "chunk " + claimed + " of "
                    + chunks(bytes));
        }
        long at = claimed * chunk;
        move(at, Math.min(chunk, bytes - at));
        mine++;
        return true;
    }

    /** The sender shows the receiver the chunks that it has copied; false if it has shown them before. */
    boolean show() {
        if (role != Role.PUT_FRONT || shown == mine) {
            return false;
        }
        shown = mine;
        Claims.frontDid(claims, claimsAt, mine);
        return true;
    }

    /** Bytes of the chunk that was copied last. */
    long moved() {
        return moved;
    }

    private void move(long at, long length) {
        moved = length;
        peer.counts().directBytes += length;
        if (from instanceof PeerMemory processes) {
            if (!processes.read(peer.rank(), fromByte + at, (MemorySegment) to, toByte + at, length)) {
                operation.endsWith(Code.MESSAGE_ENDED);
                giveUp();
            }
        } else if (to instanceof MemorySegment target) {
            Copy.out(from, fromByte + at, target, toByte + at, (int) length);
        } else {
            Copy.in((MemorySegment) from, fromByte + at, to, toByte + at, (int) length);
        }
    }

    /** The name of the way. */
    String way() {
        return from instanceof PeerMemory ? "process memory" : "mapped memory";
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
