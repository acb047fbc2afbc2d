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
    public void pending() {
        addChore.run();
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

    /**
     * Looks at calls in shared memory, and writes what waits as far as there is room, in any order: {@link Agreements}
     * does not depend on it.
     */
    int progress() {
        if (machine == null) {
            return 0;
        }
        int work = machine.poll();
        for (int left = line.size(); left > 0; left--) {
            Waiting first = line.poll();
            if (write(first.to, first.kind, first.header, first.words, first.words.length)) {
                work++;
            } else {
                line.add(first);
            }
        }
        return work;
    }

    /** Whether there are frames that wait for room. */
    int waiting() {
        return machine == null || line.isEmpty() ? 0 : 1;
    }

    /** The same, or calls in shared memory that are not decided. */
    int chores() {
        return machine == null ? 0 : waiting() + machine.polled();
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
