package io.rankwire.device;

import io.rankwire.device.agree.Agreements;
import io.rankwire.device.agree.Outbox;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.memory.Words;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/** Brings frames to {@link Agreements} and from there. Those that find no room wait, in one line for all peers. */
final class AgreementFrames implements Outbox {
    private static final int WORD = 8;
    private static final int MOST_WORDS = 8;
    /** The peer of an operation that no message belongs to. */
    private static final int NOBODY = -2;

    private record Waiting(int to, int kind, long header, long[] words) {}

    private final Device device;
    private final Peers peers;
    private final List<PeerLost> lost;
    private final Runnable addChore;
    /** Null until the first use, like what it needs. */
    private Agreements machine;
    private long[] words;
    private ArrayDeque<Waiting> line;

    AgreementFrames(Device device, Peers peers, List<PeerLost> lost, Runnable addChore) {
        this.device = device;
        this.peers = peers;
        this.lost = lost;
        this.addChore = addChore;
    }

    Agreements machine() {
        if (machine == null) {
            words = new long[MOST_WORDS];
            line = new ArrayDeque<>();
            machine = new Agreements(this);
            lost.forEach(each -> machine.lose(each.rank()));
        }
        return machine;
    }

    @Override
    public Operation operation(int context) {
        return device.begin(context, NOBODY, 0);
    }

    @Override
    public void send(int to, int kind, long header, long[] payload, int count) {
        if (line.isEmpty() && write(to, kind, header, payload, count) || peers.get(to).isLost()) {
            return;
        }
        if (line.isEmpty()) {
            addChore.run();
        }
        line.add(new Waiting(to, kind, header, Arrays.copyOf(payload, count)));
    }

    private boolean write(int to, int kind, long header, long[] payload, int count) {
        Outlet outlet = peers.get(to).outlet();
        long at = outlet.claim(count * WORD);
        if (at < 0) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            Words.store(outlet.memory(), at + i * WORD, payload[i]);
        }
        outlet.commit(at, count * WORD, Frame.meta(kind, 0), header);
        peers.counts().sent(count * WORD);
        return true;
    }

    /** Writes what waits as far as there is room, in any order: {@link Agreements} does not depend on it. */
    int progress() {
        int work = 0;
        for (int left = machine == null ? 0 : line.size(); left > 0; left--) {
            Waiting first = line.poll();
            if (write(first.to, first.kind, first.header, first.words, first.words.length)) {
                work++;
            } else {
                line.add(first);
            }
        }
        return work;
    }

    int waiting() {
        return machine == null || line.isEmpty() ? 0 : 1;
    }

    void lose(int rank) {
        if (machine != null) {
            line.removeIf(each -> each.to == rank);
            machine.lose(rank);
        }
    }

    void frame(int kind, int from, long header, MemorySegment memory, long payload, int bytes) {
        Agreements to = machine();
        for (int i = 0; i < bytes / WORD; i++) {
            words[i] = Words.load(memory, payload + i * WORD);
        }
        to.frame(kind, from, header, words);
    }
}
