package io.rankwire.device;

import io.rankwire.device.match.NetworkList;
import io.rankwire.fabric.BadFrame;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.TagMatcher;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Receives that the network's own matcher holds, of contexts whose program promises no wildcards and asks for it. Each
 * sender of such a context is invited when the first receive from it is posted. From the sender's TAG_BEGIN on all its
 * messages of the context come through the network's matcher: those before came as frames, and the order is exact. A
 * receive looks for a message in software's queue first, joins that queue, and then the {@link NetworkList}.
 *
 * <p>What the network's matcher cannot do stops it: a probe, a wildcard, the end of the promise. The sender then says
 * how many messages went through the network, these are taken out of it one after another, and join software's queue;
 * until then the sender keeps back what would overtake them.
 */
public final class NetworkMatching implements NetworkList.Side {
    private static final long NO_CONTEXT = Long.MIN_VALUE;
    private static final int MOST_WITHDRAWALS = 1 << 16;
    private static final int PLACE_BITS = 20;
    private static final int MOST_GENERATION = (1 << 31 - PLACE_BITS) - 1;

    private enum State {
        /** The sender has not begun, or has paused. */
        INVITED,
        OPEN,
        /** The sender was asked to end. */
        STOPPING,
        /** The sender has ended, and messages of it are taken out of the network. */
        DRAINING,
        CLOSED
    }

    /** The messages of one context from one rank. */
    private static final class Inlet {
        final int id;
        final int context;
        final int source;
        State state = State.INVITED;
        /** The sender has begun, so that all its frames before that are here. Earlier, no receive may be posted. */
        boolean hasBegun;
        /** Messages that came, and how many there are in all once the sender has ended. */
        long taken;
        long sent;
        boolean isLast;
        /** The context is gone: what comes is discarded. */
        boolean isDropped;
        /** Tag and send of messages that the sender wants back; answered when all messages are here. */
        final List<long[]> withdrawals = new ArrayList<>();

        Inlet(int id, int context, int source) {
            this.id = id;
            this.context = context;
            this.source = source;
        }

        boolean isFlowing() {
            return state == State.OPEN || state == State.STOPPING && hasBegun;
        }
    }

    /** A context that is matched in the network. */
    private static final class Matched {
        final int context;
        final Inlet[] bySource;
        boolean isStopped;

        Matched(int context, int ranks) {
            this.context = context;
            bySource = new Inlet[ranks];
        }
    }

    /** Withdraws a message that its sender wants back, and answers. */
    @FunctionalInterface
    interface Withdrawal {
        void withdraw(Peer peer, int context, int tag, int sendId);
    }

    private final TagMatcher matcher;
    /** Whether the network can match here at all. */
    private final boolean isPossible;
    /** Null until a context is matched by the network, here or at a peer. */
    private NetworkList list;
    private final Peers peers;
    private final QueueTable queues;
    private final Operations operations;
    private final ControlFrames control;
    private final Credit credit;
    private final FrameSink sink;
    private final Runnable addChore;
    private Withdrawal withdrawal;
    private final List<Matched> contexts = new ArrayList<>();
    /** What {@link #find} gave last, and for which context. */
    private long lastContext = NO_CONTEXT;
    private Matched last;
    private Inlet[] inlets = new Inlet[4];
    private int[] generations = new int[4];
    private long came;
    /** Whether a peer has ever invited. */
    private boolean hasWays;
    private final List<Inlet> draining = new ArrayList<>();

    /**
     * @param matcher none if another part decides what matches
     * @param sink where messages go that have come
     */
    NetworkMatching(TagMatcher matcher, Peers peers, QueueTable queues, Operations operations, ControlFrames control,
            Credit credit, FrameSink sink, Runnable addChore) {
        this.matcher = matcher;
        this.isPossible = matcher.places() >= 2 * NetworkList.RESERVED;
        this.peers = peers;
        this.queues = queues;
        this.operations = operations;
        this.control = control;
        this.credit = credit;
        this.sink = sink;
        this.addChore = addChore;
    }

    /** Whether anything is, or was, matched by the network. */
    boolean isActive() {
        return list != null;
    }

    private void open() {
        if (list == null) {
            use(new NetworkList(matcher, this));
        }
    }

    /** Has receives go to this list, before any went to another. */
    void use(NetworkList first) {
        list = first;
        matcher.open(first);
    }

    /**
     * Lets the network match the messages of a context, none of whose receives has a wildcard, or ends that.
     *
     * @return whether it does
     */
    public boolean match(int context, boolean wanted) {
        if (wanted && isPossible) {
            open();
            return start(context);
        }
        stop(context);
        return false;
    }

    private boolean start(int context) {
        boolean[] wild = new boolean[1];
        queues.get(context).forEachWord(word -> wild[0] |= (word & MatchWord.WILD_MASK) != 0);
        Matched matched = find(context);
        if (matched == null && !wild[0]) {
            contexts.add(new Matched(context, peers.count()));
            lastContext = NO_CONTEXT;
            queues.get(context).forEachPosted(handle -> posted(operations.at(handle)));
        } else if (matched != null && !wild[0]) {
            matched.isStopped = false;
        }
        return !wild[0];
    }

    /** Whether the network matches the messages of a context. */
    public boolean isMatched(int context) {
        Matched matched = find(context);
        return matched != null && !matched.isStopped;
    }

    private Matched find(int context) {
        if (lastContext != context) {
            last = null;
            lastContext = context;
            for (int i = 0; i < contexts.size(); i++) {
                last = contexts.get(i).context == context ? contexts.get(i) : last;
            }
        }
        return last;
    }

    private Inlet inlet(int id) {
        int place = id & (1 << PLACE_BITS) - 1;
        return id >= 0 && place < inlets.length && inlets[place] != null && inlets[place].id == id
                ? inlets[place] : null;
    }

    /** A receive was posted, and has met nothing. */
    void posted(Operation receive) {
        Matched matched = find(receive.context);
        if (matched == null || receive.isDone()) {
            return;
        }
        if (receive.peer < 0 || receive.tag < 0) {
            stop(receive.context);
            return;
        }
        Inlet inlet = matched.bySource[receive.peer];
        if (inlet != null && inlet.isFlowing()) {
            list.want(NetworkList.key(inlet.id, receive.tag));
        } else if (inlet == null && !matched.isStopped && receive.peer != peers.self()
                && matcher.reaches(receive.peer) && !peers.get(receive.peer).isLost()) {
            invite(matched, receive.context, receive.peer);
        }
    }

    private void invite(Matched matched, int context, int source) {
        int place = 0;
        while (place < inlets.length && (inlets[place] != null || generations[place] > MOST_GENERATION)) {
            place++;
        }
        if (place >> PLACE_BITS != 0) {
            return;
        }
        if (place == inlets.length) {
            inlets = Arrays.copyOf(inlets, 2 * place);
            generations = Arrays.copyOf(generations, 2 * place);
        }
        Inlet inlet = new Inlet(generations[place]++ << PLACE_BITS | place, context, source);
        inlets[place] = inlet;
        matched.bySource[source] = inlet;
        control.send(peers.get(source), Frame.TAG_INVITE, Frame.header(context, inlet.id));
    }

    /** A posted receive was removed. */
    void removed(Operation receive) {
        Matched matched = list == null ? null : find(receive.context);
        if (matched != null && receive.peer >= 0 && receive.tag >= 0) {
            Inlet inlet = matched.bySource[receive.peer];
            if (inlet != null && inlet.isFlowing()) {
                list.unwant(NetworkList.key(inlet.id, receive.tag));
            }
        }
    }

    /** From now on all messages of a context come to software's queue. */
    void stop(int context) {
        Matched matched = list == null ? null : find(context);
        if (matched == null || matched.isStopped) {
            return;
        }
        matched.isStopped = true;
        for (int source = 0; source < matched.bySource.length; source++) {
            Inlet inlet = matched.bySource[source];
            if (inlet != null) {
                stop(inlet);
                matched.bySource[source] = inlet.state == State.CLOSED ? null : inlet;
            }
        }
    }

    private void stop(Inlet inlet) {
        inlet.isLast = true;
        if (inlet.state == State.OPEN || inlet.state == State.INVITED) {
            inlet.state = State.STOPPING;
            control.send(peers.get(inlet.source), Frame.TAG_STOP, Frame.header(inlet.id, 0));
        }
    }

    /** A frame of a sender about a channel, or of a receiver about a way. */
    void frame(int kind, Peer peer, long header, long word) {
        if (!isPossible) {
            throw new Violation("tags are not matched here");
        }
        int high = Frame.high(header);
        switch (kind) {
            case Frame.TAG_INVITE -> invited(peer, high, Frame.low(header));
            case Frame.TAG_BEGIN -> begun(peer, inlet(high));
            case Frame.TAG_END -> ended(peer, inlet(high), Frame.low(header) != 0, word);
            case Frame.TAG_ENDED -> ways(peer).ended(high, Frame.low(header) != 0);
            case Frame.TAG_STOP -> ways(peer).stop(high);
            default -> ways(peer).taken(header);
        }
    }

    private void invited(Peer peer, int context, int channel) {
        if (!matcher.reaches(peer.rank)) {
            throw new Violation("no tags can go to it");
        }
        hasWays = true;
        if (peer.tagged == null) {
            peer.tagged = new TaggedWays(peer, matcher, control);
        }
        peer.tagged.invited(context, channel);
    }

    private static TaggedWays ways(Peer peer) {
        if (peer.tagged == null) {
            throw new Violation("it has invited to no channel");
        }
        return peer.tagged;
    }

    private static void check(Peer peer, Inlet inlet) {
        if (inlet.source != peer.rank) {
            throw new Violation("channel " + inlet.id + " of another rank");
        }
    }

    private void begun(Peer peer, Inlet inlet) {
        if (inlet == null) {
            return;
        }
        check(peer, inlet);
        if (inlet.state != State.INVITED) {
            return;
        }
        inlet.state = State.OPEN;
        inlet.hasBegun = true;
        queues.get(inlet.context).forEachPosted(handle -> {
            Operation receive = operations.at(handle);
            if (receive.peer == inlet.source && receive.tag >= 0) {
                list.want(NetworkList.key(inlet.id, receive.tag));
            }
        });
    }

    private void ended(Peer peer, Inlet inlet, boolean isLast, long sent) {
        if (inlet == null) {
            return;
        }
        check(peer, inlet);
        if (inlet.state == State.DRAINING && sent < 0) {
            return;
        }
        boolean isTrue = sent < 0 || sent >= inlet.taken && sent - inlet.taken <= matcher.window();
        if (inlet.state == State.DRAINING || !isTrue) {
            throw new Violation(sent + " messages of channel " + inlet.id + ", where " + inlet.taken + " came");
        }
        inlet.isLast |= isLast;
        inlet.sent = sent < 0 ? inlet.taken : sent;
        inlet.state = State.DRAINING;
        list.leave(inlet.id);
        draining.add(inlet);
        addChore.run();
    }

    @Override
    public void refused() {
        addChore.run();
    }

    @Override
    public void arrived(int channel, int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        Inlet inlet = inlet(channel);
        if (inlet == null) {
            return;
        }
        int kind = Frame.kind(meta);
        if (from != inlet.source || Frame.high(header) != inlet.context || !isMessage(kind)
                || Frame.wrong(kind, bytes) != null) {
            throw new BadFrame(from, Frame.name(kind), "not for channel " + channel);
        }
        inlet.taken++;
        came++;
        Peer peer = peers.get(from);
        peer.tagsTaken++;
        if (peer.tagsTaken - peer.tagsReported >= Math.max(1, matcher.window() / 4)) {
            report(peer);
        }
        if (inlet.isDropped) {
            discard(peer, kind, bytes);
        } else {
            sink.frame(from, meta, header, memory, payload, bytes);
        }
    }

    private static boolean isMessage(int kind) {
        return kind == Frame.EAGER || kind == Frame.EAGER_SYNC || kind == Frame.REQUEST_TO_SEND || kind == Frame.READY;
    }

    private void report(Peer peer) {
        if (peer.tagsReported != peer.tagsTaken) {
            peer.tagsReported = peer.tagsTaken;
            control.send(peer, Frame.TAG_TAKEN, peer.tagsTaken);
        }
    }

    private void discard(Peer peer, int kind, int bytes) {
        int lead = kind == Frame.EAGER_SYNC ? Outbound.ID : 0;
        credit.giveBack(peer, kind == Frame.REQUEST_TO_SEND ? 1 : credit.units(bytes - lead));
    }

    /** Whether a message that its sender wants back is possibly still in the network: then that is answered later. */
    boolean defers(Peer peer, int context, int tag, int sendId, Withdrawal later) {
        Matched matched = list == null ? null : find(context);
        Inlet inlet = matched == null ? null : matched.bySource[peer.rank];
        if (inlet == null || inlet.state != State.DRAINING) {
            return false;
        }
        if (inlet.withdrawals.size() == MOST_WITHDRAWALS) {
            throw new Violation("more than " + MOST_WITHDRAWALS + " messages that it wants back");
        }
        withdrawal = later;
        inlet.withdrawals.add(new long[] {tag, sendId});
        return true;
    }

    /** Goes on with receives that the network did not take, and with channels that have ended. */
    int progress() {
        if (list == null) {
            return 0;
        }
        list.promote();
        int work = 0;
        for (int i = draining.size() - 1; i >= 0; i--) {
            work += drain(draining.get(i)) ? 1 : 0;
        }
        return work;
    }

    /** 1 if {@link #progress} has something to do. */
    int waiting() {
        return list == null || draining.isEmpty() && !list.mayPromote() ? 0 : 1;
    }

    private boolean drain(Inlet inlet) {
        if (list.receivesOf(inlet.id) > 0) {
            return false;
        }
        int coming = list.anyOf(inlet.id);
        boolean moved = false;
        while (coming < NetworkList.RESERVED && inlet.taken + coming < inlet.sent && list.postAny(inlet.id)) {
            coming++;
            moved = true;
        }
        if (inlet.taken < inlet.sent || coming > 0) {
            return moved;
        }
        draining.remove(inlet);
        Peer peer = peers.get(inlet.source);
        inlet.withdrawals.forEach(
                each -> withdrawal.withdraw(peer, inlet.context, (int) each[0], (int) each[1]));
        inlet.withdrawals.clear();
        report(peer);
        control.send(peer, Frame.TAG_ENDED, Frame.header(inlet.id, inlet.isLast ? 1 : 0));
        if (inlet.isLast) {
            close(inlet);
        } else {
            inlet.state = State.INVITED;
            inlet.hasBegun = false;
        }
        return true;
    }

    /** The sender is not invited again, unless the context was stopped and is started anew. */
    private void close(Inlet inlet) {
        inlet.state = State.CLOSED;
        inlets[inlet.id & (1 << PLACE_BITS) - 1] = null;
        Matched matched = inlet.isDropped ? null : find(inlet.context);
        if (matched != null && matched.isStopped) {
            matched.bySource[inlet.source] = null;
        }
    }

    /** A peer is lost: what of it is in the network does not come any more. */
    void lose(int rank) {
        for (Inlet inlet : inlets) {
            if (inlet != null && inlet.source == rank) {
                list.leave(inlet.id);
                draining.remove(inlet);
                close(inlet);
            }
        }
    }

    /** A context is gone at this rank, and so are its posted receives. */
    void drop(int context) {
        for (int rank = 0; hasWays && rank < peers.count(); rank++) {
            Peer peer = peers.known(rank);
            if (peer != null && peer.tagged != null) {
                peer.tagged.drop(context);
            }
        }
        for (Inlet inlet : inlets) {
            if (inlet != null && inlet.context == context && !inlet.isDropped) {
                inlet.isDropped = true;
                list.leave(inlet.id);
                stop(inlet);
            }
        }
        contexts.removeIf(each -> each.context == context);
        lastContext = NO_CONTEXT;
    }

    /** This rank is about to send nothing more. */
    void endWays() {
        for (int rank = 0; hasWays && rank < peers.count(); rank++) {
            Peer peer = peers.known(rank);
            if (peer != null && peer.tagged != null) {
                peer.tagged.endAll(true);
            }
        }
    }

    /** Messages that have come through the network's matcher. */
    public long came() {
        return came;
    }

    /** Receives that the network holds. */
    int inNetwork() {
        return list == null ? 0 : list.inNetwork();
    }

    /** The state of all channels, for tests. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.valueOf(list));
        for (Inlet inlet : inlets) {
            if (inlet != null) {
                text.append("; channel ").append(inlet.id).append(" of rank ").append(inlet.source).append(" context ")
                        .append(inlet.context).append(' ').append(inlet.state).append(' ').append(inlet.taken)
                        .append(" of ").append(inlet.sent);
            }
        }
        for (int rank = 0; rank < peers.count(); rank++) {
            Peer peer = peers.known(rank);
            text.append(peer == null || peer.tagged == null ? "" : "; to rank " + rank + peer.tagged);
        }
        return text.toString();
    }

    void checkInvariants() {
        if (list != null) {
            list.checkInvariants();
        }
    }
}
