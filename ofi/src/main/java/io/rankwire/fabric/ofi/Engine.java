package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Secret;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * One endpoint of a provider with all it needs: fabric, domain, address vector, completion queue. Used by one thread at
 * a time, which the domain was opened for. No call here waits, and those that post or read allocate nothing; they
 * return what the library returns. A context is the address of {@link Abi#CONTEXT} bytes that stay untouched until the
 * operation ends.
 */
final class Engine implements AutoCloseable {
    private static final int MOST_NAME = 1024;
    static final int BATCH = 32;
    private static final int KEYS = 3;

    final Libfabric library;
    final Provider provider;
    final Fid domain;
    final Fid endpoint;
    private final Arena arena = Arena.ofShared();
    private final Fid fabric;
    private final Fid addresses;
    final Fid queue;
    private final MemorySegment read;
    private final MemorySegment readError;
    private final MemorySegment insert;
    private final MemorySegment cancel;
    private final MemorySegment send;
    private final MemorySegment inject;
    private final MemorySegment receive;
    private final MemorySegment receiveMessage;
    private final MemorySegment sendTagged;
    private final MemorySegment injectTagged;
    private final MemorySegment receiveTagged;
    private final MemorySegment write;
    private final MemorySegment fetch;
    private final MemorySegment writeMessage;
    private final MemorySegment register;
    private final long out;
    private final long message;
    private final long vector;
    private final long remote;
    private final long descriptor;
    /** The entries that {@link #readCompletions} has read, and the error that {@link #readFailure} has read. */
    final long entries;
    final long failure;
    private boolean isEndpointClosed;

    /** Opens what was chosen. The choice itself stays with the caller. */
    Engine(Providers.Choice choice, int peers) {
        library = choice.library();
        provider = choice.provider();
        out = Raw.allocate(arena, Long.BYTES);
        message = Raw.allocate(arena, Abi.RMA);
        vector = Raw.allocate(arena, Abi.IOVEC);
        remote = Raw.allocate(arena, Abi.RMA_IOVEC);
        descriptor = Raw.allocate(arena, Long.BYTES);
        entries = Raw.allocate(arena, (long) BATCH * Abi.ENTRY);
        failure = Raw.allocate(arena, Abi.ERROR_BYTES);
        Opening opening = new Opening(choice, arena, peers);
        try {
            fabric = opening.fabric();
            domain = opening.domain();
            addresses = opening.addresses();
            queue = opening.queue();
            endpoint = opening.endpoint();
            opening.enable();
        } catch (FabricException e) {
            opening.undo();
            arena.close();
            throw e;
        } finally {
            library.signals().restore();
        }
        read = queue.required(Abi.OBJECT_OPS, Abi.CQ_READ, "reading completions");
        readError = queue.required(Abi.OBJECT_OPS, Abi.CQ_READERR, "reading errors");
        insert = addresses.required(Abi.OBJECT_OPS, Abi.AV_INSERT, "addresses");
        cancel = endpoint.required(Abi.OBJECT_OPS, Abi.EP_CANCEL, "cancelling");
        send = endpoint.required(Abi.EP_MSG, Abi.MSG_SEND, "sending");
        inject = endpoint.required(Abi.EP_MSG, Abi.MSG_INJECT, "small messages");
        receive = endpoint.required(Abi.EP_MSG, Abi.MSG_RECV, "receiving");
        receiveMessage = endpoint.required(Abi.EP_MSG, Abi.MSG_RECVMSG, "receiving");
        sendTagged = endpoint.function(Abi.EP_TAGGED, Abi.MSG_SEND);
        injectTagged = endpoint.function(Abi.EP_TAGGED, Abi.MSG_INJECT);
        receiveTagged = endpoint.function(Abi.EP_TAGGED, Abi.MSG_RECV);
        write = endpoint.function(Abi.EP_RMA, Abi.RMA_WRITE);
        fetch = endpoint.function(Abi.EP_RMA, Abi.RMA_READ);
        writeMessage = endpoint.function(Abi.EP_RMA, Abi.RMA_WRITEMSG);
        register = domain.required(Abi.DOMAIN_MR, Abi.MR_REG, "registration of memory");
    }

    /** The address of this endpoint, for {@link #insert} at peers. */
    byte[] name() {
        long name = Raw.allocate(arena, MOST_NAME);
        Raw.word(out, MOST_NAME);
        MemorySegment getname = endpoint.required(Abi.EP_CM, Abi.CM_GETNAME, "addresses");
        endpoint.check("reading the address of the endpoint", Calls.call(getname, endpoint.address, name, out));
        return Raw.bytes(name, (int) Raw.word(out));
    }

    /** Makes an address known; returns the number by which it is used. */
    long insert(byte[] name) {
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment copy = confined.allocate(Math.max(name.length, 1), Long.BYTES);
            MemorySegment.copy(name, 0, copy, ValueLayout.JAVA_BYTE, 0, name.length);
            Raw.word(out, -1);
            long inserted = Calls.call(insert, addresses.address, copy.address(), 1, out, 0, 0);
            if ((int) inserted != 1) {
                throw new FabricException("libfabric (" + provider.name() + ") does not take the address of a peer"
                        + ((int) inserted < 0 ? ": " + library.text(inserted) : ""), null);
            }
            return Raw.word(out);
        }
    }

    /** Least bytes that stay free in a buffer for many messages, before the provider gives it back. */
    int leastFree(long bytes) {
        Raw.word(out, bytes);
        MemorySegment setopt = endpoint.function(Abi.OBJECT_OPS, Abi.EP_SETOPT);
        return setopt == null ? -Abi.FI_ENOSYS : (int) Calls.call(setopt, endpoint.address, Abi.FI_OPT_ENDPOINT,
                Abi.FI_OPT_MIN_MULTI_RECV, out, Long.BYTES);
    }

    /** Reads up to this many {@link #entries}; returns their number, or an error. */
    int readCompletions(int most) {
        return (int) Calls.call(read, queue.address, entries, Math.min(most, BATCH));
    }

    /** Reads the error that the queue has announced by {@code FI_EAVAIL} to {@link #failure}. */
    int readFailure() {
        Raw.clear(failure, Abi.ERROR_BYTES);
        return (int) Calls.call(readError, queue.address, failure, 0);
    }

    long send(long peer, long from, long bytes, long desc, long context) {
        return Calls.call(send, endpoint.address, from, bytes, desc, peer, context);
    }

    /** Sends at most {@link Provider#injected} bytes, which may change when this returns. There is no completion. */
    long inject(long peer, long from, long bytes) {
        return Calls.call(inject, endpoint.address, from, bytes, peer);
    }

    /** Posts a buffer for one message of any peer. */
    long receive(long to, long bytes, long desc, long context) {
        return Calls.call(receive, endpoint.address, to, bytes, desc, Abi.FI_ADDR_UNSPEC, context);
    }

    /** Posts a buffer that many messages are received to, one behind the other. */
    long receiveMany(long to, long bytes, long desc, long context) {
        Raw.word(vector, to);
        Raw.word(vector + Long.BYTES, bytes);
        Raw.word(descriptor, desc);
        Raw.word(message + Abi.MSG_IOV, vector);
        Raw.word(message + Abi.MSG_DESC, descriptor);
        Raw.word(message + Abi.MSG_IOV_COUNT, 1);
        Raw.word(message + Abi.MSG_ADDR, Abi.FI_ADDR_UNSPEC);
        Raw.word(message + Abi.MSG_CONTEXT, context);
        Raw.word(message + Abi.MSG_DATA, 0);
        return Calls.call(receiveMessage, endpoint.address, message, Abi.FI_MULTI_RECV | Abi.FI_COMPLETION);
    }

    /** Whether the provider matches messages by tags. */
    boolean hasTags() {
        return provider.has(Abi.FI_TAGGED) && sendTagged != null && injectTagged != null && receiveTagged != null;
    }

    long sendTagged(long peer, long from, long bytes, long desc, long tag, long context) {
        return Calls.call(sendTagged, endpoint.address, from, bytes, desc, peer, tag, context, 0, 0);
    }

    /** As {@link #inject}, with a tag. */
    long injectTagged(long peer, long from, long bytes, long tag) {
        return Calls.call(injectTagged, endpoint.address, from, bytes, peer, tag);
    }

    /** Posts a buffer for one message from anyone, whose tag differs in no bit that is not ignored. */
    long receiveTagged(long to, long bytes, long desc, long tag, long ignored, long context) {
        return Calls.call(receiveTagged, endpoint.address, to, bytes, desc, Abi.FI_ADDR_UNSPEC, tag, ignored, context,
                0);
    }

    long write(long peer, long from, long bytes, long desc, long to, long key, long context) {
        return Calls.call(write, endpoint.address, from, bytes, desc, peer, to, key, context, 0);
    }

    /** As {@link #write}, with flags such as {@code FI_DELIVERY_COMPLETE}. */
    long write(long peer, long from, long bytes, long desc, long to, long key, long context, long flags) {
        Raw.word(vector, from);
        Raw.word(vector + Long.BYTES, bytes);
        Raw.word(descriptor, desc);
        Raw.word(remote + Abi.RMA_IOVEC_ADDR, to);
        Raw.word(remote + Abi.RMA_IOVEC_LEN, bytes);
        Raw.word(remote + Abi.RMA_IOVEC_KEY, key);
        Raw.word(message + Abi.MSG_IOV, vector);
        Raw.word(message + Abi.MSG_DESC, descriptor);
        Raw.word(message + Abi.MSG_IOV_COUNT, 1);
        Raw.word(message + Abi.MSG_ADDR, peer);
        Raw.word(message + Abi.RMA_IOV, remote);
        Raw.word(message + Abi.RMA_IOV_COUNT, 1);
        Raw.word(message + Abi.RMA_CONTEXT, context);
        Raw.word(message + Abi.RMA_DATA, 0);
        return Calls.call(writeMessage, endpoint.address, message, flags);
    }

    long read(long peer, long to, long bytes, long desc, long from, long key, long context) {
        return Calls.call(fetch, endpoint.address, to, bytes, desc, peer, from, key, context, 0);
    }

    /** Whether memory of peers can be read and written. */
    boolean hasRemoteMemory() {
        return provider.has(Abi.FI_RMA) && write != null && fetch != null && writeMessage != null;
    }

    int cancel(long context) {
        return (int) Calls.call(cancel, endpoint.address, context);
    }

    /**
     * Registers memory, which must stay until the region is closed.
     *
     * @return a region, or null with the reason in {@code error[0]}
     */
    Region register(long address, long bytes, long access, int[] error) {
        int code = -Abi.FI_EINVAL;
        for (int attempt = 0; attempt < KEYS && code != 0; attempt++) {
            // Another region may have the key.
            code = (int) Calls.call(register, domain.address, address, bytes, access, 0, newKey(), 0, out, 0);
        }
        if (code == 0) {
            Fid region = new Fid(library, Raw.word(out));
            if (provider.needs(Abi.FI_MR_ENDPOINT)) {
                region.bind("binding memory to the endpoint", endpoint, 0);
                code = region.control(Abi.FI_ENABLE, 0);
            }
            if (code == 0) {
                return new Region(region, provider.needs(Abi.FI_MR_VIRT_ADDR) ? address : 0);
            }
            region.close();
        }
        error[0] = code;
        return null;
    }

    /** A counter of the provider; null if it has none. */
    Counter counter() {
        MemorySegment open = domain.function(Abi.OBJECT_OPS, Abi.DOMAIN_CNTR_OPEN);
        try (Arena confined = Arena.ofConfined()) {
            long attributes = Raw.allocate(confined, Abi.CNTR_ATTR);
            boolean isOpen = open != null && (int) Calls.call(open, domain.address, attributes, out, 0) == 0;
            return isOpen ? new Counter(new Fid(library, Raw.word(out))) : null;
        }
    }

    /** A key that no peer can foresee, of as many bytes as the provider takes. */
    long newKey() {
        long key = ByteBuffer.wrap(Secret.challenge()).getLong();
        int bits = Byte.SIZE * provider.keyBytes();
        return bits > 0 && bits < Long.SIZE ? key & (1L << bits) - 1 : key;
    }

    /** Ends all operations: the provider touches no memory after this. */
    void closeEndpoint() {
        if (!isEndpointClosed) {
            isEndpointClosed = true;
            endpoint.close();
        }
    }

    /** Ends everything, in order. Regions and counters are closed before. */
    @Override
    public void close() {
        closeEndpoint();
        queue.close();
        addresses.close();
        domain.close();
        fabric.close();
        library.signals().restore();
        arena.close();
    }
}
