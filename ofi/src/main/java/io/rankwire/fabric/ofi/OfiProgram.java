package io.rankwire.fabric.ofi;

import io.rankwire.fabric.Shared;
import io.rankwire.fabric.TriggeredProgram;

/**
 * Entries of one program. A message that leaves at a time that the port does not know has no number and acknowledges
 * nothing; a flag of the message shows that. Each entry counts once, so the program is settled when all counters have
 * come to their sums.
 */
final class OfiProgram implements TriggeredProgram {
    /** Added to all counters to let everything begin; more than any value that is waited for. */
    private static final long ALL = 1 << 24;

    private final OfiPort port;
    private final OfiWork work;
    private final Counter[] counters;
    /** The counters that sends advance when they are over: the same, or others whose values are passed on from here. */
    private final Counter[] ended;
    private final long[] passedOn;
    /** What each counter comes to when all entries are over. */
    private final long[] sums;
    private final long[] endedSums;
    private final long[] places;
    private final boolean[] isSend;
    private int used;
    private int sends;
    private long added;

    OfiProgram(OfiPort port, OfiWork work, Counter[] counters, Counter[] ended, int most) {
        this.port = port;
        this.work = work;
        this.counters = counters;
        this.ended = ended;
        this.passedOn = new long[counters.length];
        this.sums = new long[counters.length];
        this.endedSums = ended == counters ? sums : new long[counters.length];
        this.places = new long[most];
        this.isSend = new boolean[most];
    }

    int sends() {
        return sends;
    }

    @Override
    public boolean send(int counter, long value, int ends, int rank, int meta, long header, long[] lead, Shared from,
            long offset, int bytes) {
        OfiPeer peer = port.peer(rank);
        if (value >= ALL || !port.mayPost()) {
            return false;
        }
        int leadBytes = lead.length * Long.BYTES;
        long place = work.entries.take();
        long head = DeferredWork.head(place);
        Raw.word(head + Message.TOKEN, peer.tokenTo);
        Raw.half(head + Message.RANK, port.self());
        Raw.half(head + Message.WORLD, port.world() | Message.TRIGGERED);
        Raw.half(head + Message.NUMBER, 0);
        Raw.half(head + Message.TAKEN, 0);
        Raw.word(head + Message.HEAD, Message.word(leadBytes + bytes, meta));
        Raw.word(head + Message.HEAD + Message.HEADER, header);
        for (int i = 0; i < lead.length; i++) {
            Raw.word(head + Message.HEAD + Message.RECORD + (long) i * Long.BYTES, lead[i]);
        }
        int code = work.entries.send(place, counters[counter], value, ended[ends], peer.address,
                Message.HEAD + Message.RECORD + leadBytes, from == null ? 0 : from.memory().address() + offset, bytes);
        sends += code == 0 ? 1 : 0;
        return added(place, code, endedSums, ends, true);
    }

    @Override
    public boolean add(int counter, long value, int advanced) {
        if (value >= ALL) {
            return false;
        }
        long place = work.entries.take();
        int code = work.entries.add(place, counters[counter], value, counters[advanced]);
        return added(place, code, sums, advanced, false);
    }

    private boolean added(long place, int code, long[] all, int counter, boolean sends) {
        if (code != 0) {
            work.entries.give(place);
            return false;
        }
        isSend[used] = sends;
        places[used++] = place;
        all[counter]++;
        return true;
    }

    @Override
    public void advance(int counter) {
        sums[counter]++;
        counters[counter].add(1);
    }

    @Override
    public long count(int counter) {
        passOn(counter);
        return counters[counter].value();
    }

    /** No provider that was looked at can take one entry back. */
    @Override
    public void replace(int entry, int meta) {
        long word = DeferredWork.head(places[entry]) + Message.HEAD;
        Raw.word(word, Message.word((int) Message.length(Raw.word(word)), meta));
    }

    /** The port is about to end: what has not begun becomes a message without a token, which its receiver drops. */
    void withdraw() {
        for (int i = 0; i < used; i++) {
            if (isSend[i]) {
                Raw.word(DeferredWork.head(places[i]) + Message.TOKEN, 0);
            }
        }
        beginAll();
    }

    @Override
    public void beginAll() {
        if (added == 0) {
            added = ALL;
            for (Counter counter : counters) {
                counter.add(ALL);
            }
        }
    }

    /** Advances the counters that entries wait for by the sends that have ended since the last time. */
    void passOn() {
        for (int i = 0; i < counters.length; i++) {
            passOn(i);
        }
    }

    private void passOn(int counter) {
        if (ended != counters) {
            long more = ended[counter].value() - passedOn[counter];
            if (more > 0) {
                passedOn[counter] += more;
                counters[counter].add(more);
            }
        }
    }

    /** Moves all counters by 0. */
    void nudge() {
        for (Counter counter : counters) {
            counter.add(0);
        }
    }

    @Override
    public boolean isSettled() {
        for (int i = 0; i < counters.length; i++) {
            boolean isOver = ended == counters || ended[i].value() == endedSums[i];
            if (!isOver || count(i) != sums[i] + passedOn[i] + added) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        for (int i = 0; i < used; i++) {
            work.entries.give(places[i]);
        }
        work.ended(this, counters, ended);
    }

    /** The port ends: nothing begins any more. */
    void abandon() {
        work.ended(this, counters, ended);
    }
}
