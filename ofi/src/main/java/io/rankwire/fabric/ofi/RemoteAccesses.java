package io.rankwire.fabric.ofi;

import io.rankwire.fabric.Allocations;
import io.rankwire.fabric.RemoteMemory;
import io.rankwire.fabric.Shared;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Memory of peers by the engine of the network. The key of an allocation is asked for at its first use, and kept.
 * Nothing is posted that the peer has not described: a wrong key or bound would cost the whole way to it, and with some
 * providers without an error. Long accesses go in parts, several at a time.
 */
final class RemoteAccesses implements RemoteMemory {
    private static final int MOST_ACCESSES = 64;
    /** Parts under way at a time, and bytes of one. */
    private static final int MOST_PARTS = 32;
    private static final long PART = 1 << 20;
    private static final long WORTH_FROM = 128 << 10;
    private static final long ALL_ACCESS = Abi.FI_SEND | Abi.FI_RECV | Abi.FI_READ | Abi.FI_WRITE
            | Abi.FI_REMOTE_READ | Abi.FI_REMOTE_WRITE;

    private final OfiPort port;
    private final Engine engine;
    private final boolean isThere;
    /** Whether a message that is posted behind a write arrives behind it. */
    private final boolean isOrdered;
    private final long part;
    private final long contexts;
    private final Access[] ofPart = new Access[MOST_PARTS];
    private final long[] bytesOfPart = new long[MOST_PARTS];
    private final int[] freeParts = new int[MOST_PARTS];
    private int freeCount;
    private final Access[] accesses = new Access[MOST_ACCESSES];
    private final int[] freeAccesses = new int[MOST_ACCESSES];
    private int freeAccessCount = MOST_ACCESSES;
    /** Those under way, in the order of their start. */
    private final List<Access> active = new ArrayList<>(MOST_ACCESSES);
    private Offered[] offered = new Offered[8];
    private Remote[][] remotes;
    /** Allocations that end as soon as they are not used any more, and their memory. */
    private final List<Offered> ending = new ArrayList<>();
    private OfiMemory memory;
    private final int[] error = new int[1];

    RemoteAccesses(OfiPort port, Engine engine, Arena arena, boolean confirmsWrites) {
        this.port = port;
        this.engine = engine;
        this.isThere = engine.hasRemoteMemory();
        this.isOrdered = engine.provider.keeps(Abi.FI_ORDER_SAW) && !confirmsWrites;
        this.part = Math.min(PART, engine.provider.mostBytes());
        this.contexts = Raw.allocate(arena, (long) MOST_PARTS * Abi.CONTEXT);
        this.remotes = new Remote[port.peers()][];
        for (int i = 0; i < MOST_ACCESSES; i++) {
            accesses[i] = new Access(i);
            freeAccesses[i] = MOST_ACCESSES - 1 - i;
        }
        // Messages need their share of what may be under way.
        freeCount = Math.clamp(engine.provider.sends() / 2, 1, MOST_PARTS);
        for (int i = 0; i < freeCount; i++) {
            freeParts[i] = i;
        }
    }

    boolean isThere() {
        return isThere;
    }

    @Override
    public boolean reaches(int rank) {
        return isThere && rank != port.self();
    }

    @Override
    public long worthFrom(int rank) {
        return reaches(rank) ? WORTH_FROM : Long.MAX_VALUE;
    }

    @Override
    public void offer(Shared shared) {
        int place = Allocations.place(shared.id());
        if (place >= offered.length) {
            offered = Arrays.copyOf(offered, Math.max(2 * offered.length, place + 1));
        }
        offered[place] = new Offered(shared);
    }

    private Offered offered(long id) {
        int place = Allocations.place(id);
        Offered found = place < offered.length ? offered[place] : null;
        return found != null && found.shared.id() == id ? found : null;
    }

    @Override
    public void withdraw(Shared shared) {
        Offered own = offered(shared.id());
        if (own == null || own.shared != shared) {
            return;
        }
        // The memory may go when this returns; an access of this rank that goes on would touch what comes there.
        for (int i = 0; i < OfiPort.MOST_WAITS && own.users > 0; i++) {
            port.progress();
        }
        offered[Allocations.place(shared.id())] = null;
        for (int rank = own.holders.nextSetBit(0); rank >= 0; rank = own.holders.nextSetBit(rank + 1)) {
            port.known(rank).errands.end(shared.id());
            port.busy(port.known(rank));
        }
        close(own);
    }

    private static void close(Offered own) {
        if (own.region != null) {
            own.region.close();
            own.region = null;
        }
    }

    /** Ends an allocation of the port's own memory: at once if this returns true, else when it is not used any more. */
    boolean end(Shared shared, OfiMemory of) {
        Offered own = offered(shared.id());
        if (own == null || own.shared != shared || port.isClosed()) {
            return true;
        }
        if (own.isEnding) {
            return false;
        }
        if (own.isUnused()) {
            offered[Allocations.place(shared.id())] = null;
            close(own);
            return true;
        }
        own.isEnding = true;
        memory = of;
        ending.add(own);
        for (int rank = own.holders.nextSetBit(0); rank >= 0; rank = own.holders.nextSetBit(rank + 1)) {
            port.known(rank).errands.end(shared.id());
            port.busy(port.known(rank));
        }
        return false;
    }

    private void endUnused() {
        for (int i = ending.size() - 1; i >= 0; i--) {
            Offered own = ending.get(i);
            if (own.isUnused()) {
                ending.set(i, ending.getLast());
                ending.removeLast();
                offered[Allocations.place(own.shared.id())] = null;
                close(own);
                memory.ended(own.shared);
            }
        }
    }

    private boolean isRegistered(Offered own) {
        if (own.region == null && own.refusal == 0) {
            long bytes = Math.max(1, own.shared.memory().byteSize());
            own.region = engine.register(own.shared.memory().address(), bytes, ALL_ACCESS, error);
            own.refusal = own.region == null ? error[0] : 0;
        }
        return own.region != null;
    }

    @Override
    public long read(int rank, long place, long offset, Shared to, long toOffset, long bytes) {
        return start(false, rank, place, offset, to, toOffset, bytes);
    }

    @Override
    public long write(int rank, long place, long offset, Shared from, long fromOffset, long bytes) {
        return start(true, rank, place, offset, from, fromOffset, bytes);
    }

    private long start(boolean isWrite, int rank, long place, long offset, Shared local, long localOffset,
            long bytes) {
        if (!reaches(rank)) {
            throw new IllegalStateException("rank " + rank + " is out of reach");
        }
        Objects.checkFromIndexSize(localOffset, bytes, local.memory().byteSize());
        Offered own = offered(local.id());
        if (own == null || own.shared != local) {
            throw new IllegalArgumentException("allocation " + local.id() + " was not offered, or was withdrawn");
        }
        OfiPeer peer = port.peer(rank);
        if (freeAccessCount == 0) {
            return FULL;
        }
        if (peer.isGone()) {
            return ended(peer, peer.isLost ? LOST : REFUSED);
        }
        Remote remote = remote(rank, place);
        if (remote == null && !isRefused(peer, place)) {
            return FULL;
        }
        boolean isPossible = remote != null && !remote.isEnding && offset >= 0 && offset <= remote.bytes - bytes
                && (!engine.provider.needs(Abi.FI_MR_LOCAL) || isRegistered(own));
        if (!isPossible || bytes == 0) {
            return ended(peer, isPossible ? DONE : REFUSED);
        }
        Access access = take(peer);
        access.isWrite = isWrite;
        access.local = own;
        access.remote = remote;
        access.here = local.memory().address() + localOffset;
        access.desc = own.region == null ? 0 : own.region.desc;
        access.there = remote.base + offset;
        access.bytes = bytes;
        access.number = isWrite ? ++peer.writes : 0;
        own.users++;
        remote.users++;
        active.add(access);
        post();
        return access.ticket();
    }

    private Access take(OfiPeer peer) {
        Access access = accesses[freeAccesses[--freeAccessCount]];
        access.uses++;
        access.state = PENDING;
        access.peer = peer;
        access.posted = 0;
        access.completed = 0;
        access.parts = 0;
        access.isTaken = false;
        return access;
    }

    /** An access that was over before it began. */
    private long ended(OfiPeer peer, int state) {
        Access access = take(peer);
        access.state = state;
        access.bytes = 0;
        return access.ticket();
    }

    private Remote remote(int rank, long place) {
        Remote[] known = remotes[rank];
        int at = Allocations.place(place);
        return known != null && at < known.length && known[at] != null && known[at].place == place ? known[at] : null;
    }

    /** Asks for an allocation, unless the peer was asked; whether it has answered that there is none. */
    private boolean isRefused(OfiPeer peer, long place) {
        Errands errands = peer.errands;
        if (errands.question == Errands.REFUSED) {
            errands.question = Errands.IDLE;
            if (errands.asked == place) {
                return true;
            }
        }
        if (errands.question == Errands.IDLE) {
            errands.ask(place);
            port.busy(peer);
        }
        return false;
    }

    @Override
    public int state(long ticket) {
        int index = (int) (ticket & 0xFFFF);
        if (index >= MOST_ACCESSES || accesses[index].ticket() != ticket || accesses[index].isTaken) {
            throw new IllegalStateException("no access " + ticket);
        }
        Access access = accesses[index];
        int state = access.state;
        if (state != PENDING) {
            access.isTaken = true;
            giveBack(access);
        }
        return state;
    }

    private void giveBack(Access access) {
        if (access.isTaken && access.parts == 0) {
            access.peer = null;
            access.local = null;
            access.remote = null;
            freeAccesses[freeAccessCount++] = access.index;
        }
    }

    /** Whether there is something to post or to end. */
    boolean isIdle() {
        return active.isEmpty() && ending.isEmpty();
    }

    /** Whether the writes up to this number have been posted, or confirmed where only that keeps the order. */
    boolean isSafe(OfiPeer peer, long fence) {
        for (int i = 0; i < active.size(); i++) {
            Access access = active.get(i);
            if (access.peer == peer && access.isWrite && access.number <= fence
                    && !(isOrdered && access.isPosted())) {
                return false;
            }
        }
        return true;
    }

    /** Posts parts of the accesses, those to one peer in the order of their start. */
    void post() {
        for (int i = 0; i < active.size() && freeCount > 0; i++) {
            Access access = active.get(i);
            OfiPeer peer = access.peer;
            if (access.isPosted() || peer.failure != null || isBehindAnother(i, peer)) {
                continue;
            }
            while (!access.isPosted() && freeCount > 0 && port.mayPost()) {
                int code = postPart(access);
                if (code == -Abi.FI_EAGAIN) {
                    peer.refusal = code;
                    break;
                } else if (code != 0) {
                    port.fail(peer, access.isWrite ? "writing to memory" : "reading memory", code);
                    break;
                }
            }
        }
        if (!ending.isEmpty()) {
            endUnused();
        }
    }

    private boolean isBehindAnother(int index, OfiPeer peer) {
        for (int i = 0; i < index; i++) {
            if (active.get(i).peer == peer && !active.get(i).isPosted()) {
                return true;
            }
        }
        return false;
    }

    private int postPart(Access access) {
        int free = freeParts[freeCount - 1];
        long bytes = Math.min(part, access.bytes - access.posted);
        long context = contexts + (long) free * Abi.CONTEXT;
        long here = access.here + access.posted;
        long there = access.there + access.posted;
        long to = access.peer.address;
        long code = !access.isWrite ? engine.read(to, here, bytes, access.desc, there, access.remote.key, context)
                : isOrdered ? engine.write(to, here, bytes, access.desc, there, access.remote.key, context)
                : engine.write(to, here, bytes, access.desc, there, access.remote.key, context,
                        Abi.FI_DELIVERY_COMPLETE | Abi.FI_COMPLETION);
        if (code == 0) {
            freeCount--;
            ofPart[free] = access;
            bytesOfPart[free] = bytes;
            access.posted += bytes;
            access.parts++;
            port.posted();
        }
        return (int) code;
    }

    boolean has(long context) {
        long index = context - contexts >> 6;
        return index >= 0 && index < MOST_PARTS && ofPart[(int) index] != null;
    }

    /** A part has ended, with an error or without. */
    void completed(long context, int code) {
        int index = (int) (context - contexts >> 6);
        Access access = ofPart[index];
        ofPart[index] = null;
        freeParts[freeCount++] = index;
        access.parts--;
        access.completed += code == 0 ? bytesOfPart[index] : 0;
        if (code != 0 && access.state == PENDING) {
            port.fail(access.peer, access.isWrite ? "writing to memory" : "reading memory", code);
        } else if (access.state == PENDING && access.completed == access.bytes) {
            access.state = DONE;
        }
        if (access.state != PENDING && access.parts == 0) {
            finish(access);
        }
    }

    private void finish(Access access) {
        active.remove(access);
        access.local.users--;
        Remote remote = access.remote;
        if (--remote.users == 0 && remote.isEnding && !access.peer.isGone()) {
            release(access.peer, remote);
        }
        giveBack(access);
    }

    private void release(OfiPeer peer, Remote remote) {
        remotes[peer.rank][Allocations.place(remote.place)] = null;
        peer.errands.release(remote.place);
        port.busy(peer);
    }

    /** A peer is lost, or has closed its world. */
    void gone(OfiPeer peer) {
        for (int i = active.size() - 1; i >= 0; i--) {
            Access access = active.get(i);
            if (access.peer == peer && access.state == PENDING) {
                access.state = peer.isLost ? LOST : REFUSED;
                if (access.parts == 0) {
                    finish(access);
                }
            }
        }
        remotes[peer.rank] = null;
        for (Offered own : offered) {
            if (own != null) {
                own.holders.clear(peer.rank);
            }
        }
    }

    /** A peer asks for an allocation. */
    void asked(OfiPeer peer, long place) {
        Errands errands = peer.errands;
        Offered own = offered(place);
        errands.answers = true;
        errands.wanted = place;
        errands.bytes = -1;
        if (isThere && own != null && !own.isEnding && isRegistered(own)) {
            own.holders.set(peer.rank);
            errands.base = own.region.base;
            errands.key = own.region.key;
            errands.bytes = own.shared.memory().byteSize();
        }
        port.busy(peer);
    }

    /** A peer answers; false if it was not asked that. */
    boolean answered(OfiPeer peer, long place, long base, long key, long bytes) {
        Errands errands = peer.errands;
        if (errands.question != Errands.ASKED || errands.asked != place || bytes < -1) {
            return false;
        }
        errands.question = bytes < 0 ? Errands.REFUSED : Errands.IDLE;
        if (bytes >= 0) {
            int at = Allocations.place(place);
            Remote[] known = remotes[peer.rank];
            if (known == null || at >= known.length) {
                known = known == null ? new Remote[at + 4] : Arrays.copyOf(known, Math.max(2 * known.length, at + 1));
                remotes[peer.rank] = known;
            }
            known[at] = new Remote(place, base, key, bytes);
        }
        return true;
    }

    /** An allocation of the peer ends. */
    void ends(OfiPeer peer, long place) {
        Remote remote = remote(peer.rank, place);
        if (remote == null) {
            peer.errands.release(place);
            port.busy(peer);
        } else {
            remote.isEnding = true;
            if (remote.users == 0) {
                release(peer, remote);
            }
        }
    }

    void released(OfiPeer peer, long place) {
        Offered own = offered(place);
        if (own != null && own.isEnding) {
            own.holders.clear(peer.rank);
        }
    }

    void close() {
        for (Offered own : offered) {
            if (own != null) {
                close(own);
            }
        }
    }
}
