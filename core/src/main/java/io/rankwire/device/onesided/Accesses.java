package io.rankwire.device.onesided;

import io.rankwire.device.Channel;
import io.rankwire.device.Code;
import io.rankwire.device.DeviceFault;
import io.rankwire.device.Operation;
import io.rankwire.device.Violation;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;
import io.rankwire.wire.Id;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The channels of this rank to regions of peers, and its accesses that bring bytes back. Answers name them; an answer
 * counts only if it comes from the peer that was asked, is of the kind that was asked for, and fits what is missing.
 */
final class Accesses {
    /** An access that waits for bytes. */
    private static final class Access {
        final int place;
        /** Names the access in frames, see {@link Id}. */
        int id;
        int uses;
        /** The kind of frame that answers it. */
        int answer;
        /** Null if it is over. */
        Channel channel;
        /** Null if the bytes are not wanted any more. */
        Object buffer;
        long offset;
        long bytes;
        long moved;
        int code;
        Operation operation;

        Access(int place) {
            this.place = place;
        }
    }

    private Channel[] channels = new Channel[8];
    /** By id: channels that were closed, and that answers may still name, as after the death of another rank. */
    private final Map<Integer, Channel> left = new HashMap<>();
    private int channelUses;
    private Access[] accesses = new Access[8];
    private int made;
    private int[] freeAccesses = new int[8];
    private int freeCount;

    Channel open(int peer, int key) {
        int place = 0;
        while (place < channels.length && channels[place] != null) {
            place++;
        }
        if (place == channels.length) {
            channels = Arrays.copyOf(channels, 2 * place);
        }
        channels[place] = new Channel(Id.of(place, ++channelUses), peer, key);
        return channels[place];
    }

    /** What is under way is let go of: then another rank is dead, or the window was revoked. */
    void close(Channel channel) {
        for (int i = 0; i < made && !channel.localDone(); i++) {
            if (accesses[i].channel == channel) {
                accesses[i].buffer = null;
                accesses[i].code = Code.REVOKED;
            }
        }
        channels[Id.place(channel.id())] = null;
        if (!channel.isSettled()) {
            left.put(channel.id(), channel);
        }
    }

    /** The channel to a peer that a frame of it names. */
    Channel channel(int from, int id) {
        int place = Id.place(id);
        Channel channel = place < channels.length ? channels[place] : null;
        if (channel == null || channel.id() != id) {
            channel = left.get(id);
        }
        if (channel == null || channel.peer() != from) {
            throw new Violation("channel " + Integer.toHexString(id) + " leads to no region of it");
        }
        return channel;
    }

    /**
     * Begins an access; returns its id.
     *
     * @param answer the kind of frame that brings its bytes
     */
    int begin(int answer, Channel channel, Object buffer, long offset, long bytes, Operation operation) {
        if (freeCount == 0) {
            make();
        }
        Access access = accesses[freeAccesses[--freeCount]];
        access.id = Id.of(access.place, ++access.uses);
        access.answer = answer;
        access.channel = channel;
        access.buffer = buffer;
        access.offset = offset;
        access.bytes = bytes;
        access.moved = 0;
        access.code = Code.OK;
        access.operation = operation;
        channel.awaits();
        return access.id;
    }

    private void make() {
        if (made == Id.PLACES) {
            throw new DeviceFault(Code.NO_HEADERS, made + " accesses wait for their answers");
        }
        if (made == accesses.length) {
            accesses = Arrays.copyOf(accesses, 2 * made);
            freeAccesses = Arrays.copyOf(freeAccesses, 2 * made);
        }
        accesses[made] = new Access(made);
        freeAccesses[freeCount++] = made++;
    }

    /** The access to memory of a peer that a frame of it names, which is about a number of its bytes. */
    private Access named(int from, int id, long bytes) {
        int place = Id.place(id);
        Access access = place < made ? accesses[place] : null;
        if (access == null || access.id != id || access.channel == null || access.channel.peer() != from) {
            throw new Violation("access " + Integer.toHexString(id)
                    + " is none to its memory that waits for an answer");
        }
        if (bytes < 0 || bytes > access.bytes - access.moved) {
            throw new Violation(bytes + " bytes, where " + (access.bytes - access.moved) + " are missing");
        }
        return access;
    }

    /** Bytes have come. */
    void answered(int kind, int from, int id, long position, MemorySegment memory, long data, int bytes) {
        Access access = named(from, id, bytes);
        if (access.answer != kind || position < 0 || position > access.bytes - bytes) {
            throw new Violation(bytes + " bytes at " + position + " of " + access.bytes + " of access "
                    + Integer.toHexString(id) + ", which waits for " + Frame.name(access.answer));
        }
        try {
            if (access.buffer != null) {
                Copy.in(memory, data, access.buffer, access.offset + position, bytes);
            }
        } catch (IllegalStateException e) {
            OneSided.checkEnded(access.buffer, e);
            refused(access, Code.MEMORY_ENDED, position, bytes);
            return;
        }
        moved(access, bytes);
    }

    /** The peer has refused an access, or what was sent on a channel: the complement of its id. */
    void refused(int from, int whose, int code, long offset, long bytes) {
        if (code > Code.TYPE_MISMATCH || code < Code.BROKEN_ELEMENT) {
            throw new Violation("status " + code);
        }
        if (whose < 0) {
            channel(from, ~whose).refused(code, offset, bytes);
        } else {
            refused(named(from, whose, bytes), code, offset, bytes);
        }
    }

    /** This rank refuses the rest of an access of its own. */
    void refused(int id, int code, long offset, long bytes) {
        refused(accesses[Id.place(id)], code, offset, bytes);
    }

    private void refused(Access access, int code, long offset, long bytes) {
        access.code = code;
        if (access.operation == null) {
            access.channel.refused(code, offset, bytes);
        }
        moved(access, bytes);
    }

    private void moved(Access access, long bytes) {
        access.moved += bytes;
        if (access.moved < access.bytes) {
            return;
        }
        access.channel.answered();
        if (access.operation != null) {
            access.operation.finish(access.code);
        }
        access.buffer = null;
        access.channel = null;
        access.operation = null;
        freeAccesses[freeCount++] = access.place;
    }

    /** Ends what waits for a lost peer. */
    void lose(int peer) {
        for (int i = 0; i < made; i++) {
            Access access = accesses[i];
            if (access.channel != null && access.channel.peer() == peer) {
                access.code = Code.PEER_DEAD;
                moved(access, access.bytes - access.moved);
            }
        }
        left.values().removeIf(channel -> channel.peer() == peer);
        for (Channel channel : channels) {
            if (channel != null && channel.peer() == peer) {
                channel.lose();
            }
        }
    }
}
