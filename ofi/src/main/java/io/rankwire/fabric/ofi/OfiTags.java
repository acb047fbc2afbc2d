package io.rankwire.fabric.ofi;

import io.rankwire.fabric.TagMatcher;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The tag matching of a provider. A tagged frame is a message of its own, with the head and the record of any other;
 * its number says nothing. It is not acknowledged: the device above counts what may be under way.
 *
 * <p>Each place for a receive has a buffer here. Completions are kept until the port is polled.
 */
final class OfiTags implements TagMatcher {
    private static final int MOST_PLACES = 64;
    private static final int WINDOW = 64;
    /** Frames that the provider has not taken yet, at most. */
    private static final int MOST_WAITING = 64;
    private static final int BYTES = Message.MOST_BYTES + 63 & ~63;
    private static final int CANCELLED = -1;

    private final OfiPort port;
    private final Engine engine;
    private final Arena arena;
    private final int places;
    private final List<Region> regions = new ArrayList<>();
    private Sink sink;
    private long memory;
    private long contexts;
    private long desc;
    private final long[] tags;
    private final long[] ignored;
    /** Places whose receive is over, and what has come there: bytes, or {@link #CANCELLED}. */
    private final int[] over;
    private final int[] lengths;
    private int overCount;
    /** Places that a stranger's message came to, and that the provider has not taken again. */
    private final List<Integer> disturbed = new ArrayList<>();

    private boolean isHushed;
    private Slot claimed;
    private final List<Slot> waiting = new ArrayList<>();
    private int pass;

    OfiTags(OfiPort port, Engine engine, Arena arena) {
        this.port = port;
        this.engine = engine;
        this.arena = arena;
        places = isSuited(engine) ? (int) Math.min(MOST_PLACES, engine.provider.receives() / 4) : 0;
        tags = new long[places];
        ignored = new long[places];
        over = new int[places];
        lengths = new int[places];
    }

    /**
     * Whether tags of this provider can be relied on, by name: no attribute says it, and a trial when a port is opened
     * could hang inside the library. With {@code net}, which is {@code tcp} in later versions, all waits that comes
     * behind four small messages without a receive, or a long one. {@code ofi_rxd} loses the rest of a message that is
     * arriving when a receive is posted for an earlier one of that sender, or does not return.
     */
    private static boolean isSuited(Engine engine) {
        Provider provider = engine.provider;
        boolean isStream = !provider.isLayered() && (provider.core().equals("net") || provider.core().equals("tcp"));
        return engine.hasTags() && !isStream && !provider.name().endsWith("ofi_rxd")
                && provider.mostBytes() >= Message.MOST_BYTES;
    }

    @Override
    public int places() {
        return places;
    }

    @Override
    public int window() {
        return WINDOW;
    }

    @Override
    public boolean reaches(int rank) {
        return places > 0 && rank != port.self();
    }

    @Override
    public void open(Sink to) {
        sink = to;
        memory = arena.allocate((long) places * BYTES, 4 << 10).address();
        contexts = Raw.allocate(arena, (long) places * Abi.CONTEXT);
        desc = engine.provider.needs(Abi.FI_MR_LOCAL)
                ? Slots.register(engine, regions, memory, (long) places * BYTES, Abi.FI_RECV).desc : 0;
    }

    @Override
    public boolean post(int place, long tag, long ignore) {
        tags[place] = tag;
        ignored[place] = ignore;
        long code = engine.receiveTagged(memory + (long) place * BYTES, BYTES, desc, tag, ignore, context(place));
        return (int) code == 0;
    }

    private long context(int place) {
        return contexts + (long) place * Abi.CONTEXT;
    }

    @Override
    public void cancel(int place) {
        // An error means that a message came first, whose completion is to be read.
        engine.cancel(context(place));
    }

    /** Whether the context is that of a place. */
    boolean has(long context) {
        long index = context - contexts >> 6;
        return contexts != 0 && index >= 0 && index < places;
    }

    /** A receive has met a message, was cancelled, or has failed, which is as if a stranger had sent the message. */
    void completed(long context, long bytes, int code) {
        over[overCount] = (int) (context - contexts >> 6);
        lengths[overCount++] = code == Abi.FI_ECANCELED ? CANCELLED : code != 0 ? 0 : (int) Math.min(bytes, BYTES);
    }

    boolean isEmpty() {
        return overCount == 0 && waiting.isEmpty() && disturbed.isEmpty();
    }

    /** Hands up what has become of receives. If the sink throws, the rest stays. */
    int deliver() {
        if (isHushed) {
            overCount = 0;
            return 0;
        }
        for (int i = disturbed.size() - 1; i >= 0; i--) {
            if (post(disturbed.get(i), tags[disturbed.get(i)], ignored[disturbed.get(i)])) {
                disturbed.remove(i);
            }
        }
        int done = 0;
        try {
            while (done < overCount) {
                deliver(over[done], lengths[done++]);
            }
        } finally {
            overCount -= done;
            System.arraycopy(over, done, over, 0, overCount);
            System.arraycopy(lengths, done, lengths, 0, overCount);
        }
        return done;
    }

    private void deliver(int place, int bytes) {
        if (bytes == CANCELLED) {
            sink.cancelled(place);
            return;
        }
        long address = memory + (long) place * BYTES;
        int rank = bytes < Message.HEAD + Message.RECORD ? -1 : port.senderOf(address);
        long payload = address + Message.HEAD + Message.RECORD;
        long length = rank < 0 ? 0 : Message.length(Raw.word(address + Message.HEAD));
        if (rank < 0 || length > address + bytes - payload) {
            disturbed.add(place);
            return;
        }
        sink.matched(place, rank, Message.meta(Raw.word(address + Message.HEAD)),
                Raw.word(payload - Message.HEADER), Raw.ALL, payload, (int) length);
    }

    @Override
    public long claim(int rank, int payloadBytes) {
        OfiPeer peer = port.peer(rank);
        if (peer.isLost || waiting.size() >= MOST_WAITING || payloadBytes > Message.MOST_PAYLOAD) {
            return FULL;
        }
        if (claimed != null && !claimed.fits(payloadBytes)) {
            port.slots().give(claimed);
            claimed = null;
        }
        if (claimed == null) {
            claimed = port.slots().take(payloadBytes, false);
        }
        return claimed == null ? FULL : claimed.address + Message.HEAD + Message.RECORD;
    }

    @Override
    public MemorySegment memory() {
        return Raw.ALL;
    }

    @Override
    public void commit(int rank, long at, int payloadBytes, int meta, long header, long tag) {
        OfiPeer peer = port.peer(rank);
        Slot slot = claimed;
        claimed = null;
        if (peer.isGone()) {
            port.slots().give(slot);
            return;
        }
        Raw.word(at - Message.RECORD, Message.word(payloadBytes, meta));
        Raw.word(at - Message.HEADER, header);
        slot.used = Message.HEAD + Message.size(payloadBytes);
        slot.tag = tag;
        slot.to = peer;
        port.writeHead(slot.address, peer, 0, 0);
        if (!waiting.isEmpty() || !send(slot)) {
            waiting.add(slot);
        }
    }

    /** False if the provider does not take it now. */
    private boolean send(Slot slot) {
        OfiPeer peer = slot.to;
        if (peer.isGone()) {
            port.slots().give(slot);
            return true;
        }
        boolean isInjected = slot.used <= engine.provider.injected();
        long code = peer.failure != null ? -Abi.FI_EAGAIN
                : isInjected ? engine.injectTagged(peer.address, slot.address, slot.used, slot.tag)
                : port.mayPost()
                        ? engine.sendTagged(peer.address, slot.address, slot.used, slot.desc, slot.tag, slot.context)
                : -Abi.FI_EAGAIN;
        if ((int) code == 0 && isInjected) {
            port.slots().give(slot);
        } else if ((int) code == 0) {
            slot.peer = peer;
            port.posted();
        } else if ((int) code != -Abi.FI_EAGAIN) {
            port.fail(peer, "sending", (int) code);
        }
        return (int) code == 0;
    }

    /** Sends what the provider had no room for; behind one that it does not take, nothing more goes to that peer. */
    void flush() {
        if (waiting.isEmpty()) {
            return;
        }
        pass++;
        int kept = 0;
        for (int i = 0; i < waiting.size(); i++) {
            Slot slot = waiting.get(i);
            if (slot.to.tagsHeldIn == pass || !send(slot)) {
                slot.to.tagsHeldIn = pass;
                waiting.set(kept++, slot);
            }
        }
        waiting.subList(kept, waiting.size()).clear();
    }

    boolean isFlushed() {
        return waiting.isEmpty();
    }

    /** From now on nothing is handed up. */
    void hush() {
        isHushed = true;
    }

    /** The port closes: what is posted is asked back. */
    void end() {
        for (int place = 0; contexts != 0 && place < places; place++) {
            engine.cancel(context(place));
        }
        waiting.clear();
    }

    void close() {
        regions.forEach(Region::close);
    }
}
