package io.rankwire.fabric;

import io.rankwire.memory.Rand;
import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A port whose polls do triggered work, as naively as possible and late by a seed: an entry that may begin waits for
 * some polls, and so does the count of one that is over.
 */
public final class TriggeringPort extends PortLayer implements TriggeredWork {
    private final Rand random;
    private final int mostEntries;
    private final List<Program> programs = new ArrayList<>();
    private int entries;
    /** Entries that the port takes before it refuses one. */
    public int takes = Integer.MAX_VALUE;
    public int sent;
    public int replaced;

    public TriggeringPort(Port below, long seed, int mostEntries) {
        super(below);
        this.random = new Rand(seed);
        this.mostEntries = mostEntries;
    }

    @Override
    public TriggeredWork triggeredWork() {
        return this;
    }

    @Override
    public String obstacle() {
        return null;
    }

    @Override
    public String obstacle(int rank) {
        return null;
    }

    @Override
    public int mostBytes() {
        return 1 << 20;
    }

    @Override
    public String name() {
        return "naive";
    }

    /** Programs that were not closed. */
    public int programs() {
        return programs.size();
    }

    @Override
    public TriggeredProgram program(int counters, int most) {
        if (entries + most > mostEntries) {
            return null;
        }
        entries += most;
        Program program = new Program(counters, most);
        programs.add(program);
        return program;
    }

    @Override
    public int poll(FrameSink sink, int limit) {
        return work() + below.poll(sink, limit);
    }

    @Override
    public int pollAll(FrameSink sink, int limit) {
        return work() + below.pollAll(sink, limit);
    }

    private int work() {
        int done = 0;
        for (int i = 0; i < programs.size(); i++) {
            done += programs.get((i + random.below(programs.size())) % programs.size()).work();
        }
        // A device that is moved until nothing moves has to come again.
        return done + (programs.stream().anyMatch(Program::isDue) ? 1 : 0);
    }

    private static final class Entry {
        int counter;
        long value;
        int ended;
        int rank = -1;
        int meta;
        long header;
        long[] lead = {};
        Shared from;
        long offset;
        int bytes;
        boolean hasBegun;
        boolean isOver;
    }

    private final class Program implements TriggeredProgram {
        private final long[] counts;
        private final int most;
        private final List<Entry> all = new ArrayList<>();
        private boolean isClosed;

        Program(int counters, int most) {
            this.counts = new long[counters];
            this.most = most;
        }

        @Override
        public boolean send(int counter, long value, int ended, int rank, int meta, long header, long[] lead,
                Shared from, long offset, int bytes) {
            if (all.size() >= takes) {
                return false;
            }
            Entry entry = entry(counter, value, ended);
            entry.rank = rank;
            entry.meta = meta;
            entry.header = header;
            entry.lead = lead.clone();
            entry.from = from;
            entry.offset = offset;
            entry.bytes = bytes;
            return true;
        }

        @Override
        public boolean add(int counter, long value, int advanced) {
            if (all.size() >= takes) {
                return false;
            }
            entry(counter, value, advanced);
            return true;
        }

        private Entry entry(int counter, long value, int ended) {
            if (isClosed || all.size() == most) {
                throw new IllegalStateException(isClosed ? "closed" : "more than " + most + " entries");
            }
            Entry entry = new Entry();
            entry.counter = counter;
            entry.value = value;
            entry.ended = ended;
            all.add(entry);
            return entry;
        }

        @Override
        public void advance(int counter) {
            counts[counter]++;
        }

        @Override
        public long count(int counter) {
            return counts[counter];
        }

        @Override
        public void replace(int number, int meta) {
            Entry entry = all.get(number);
            if (entry.rank < 0) {
                throw new IllegalArgumentException("entry " + number + " has no frame");
            }
            if (!entry.hasBegun) {
                replaced++;
                entry.meta = meta;
            }
        }

        @Override
        public void beginAll() {
            all.forEach(entry -> entry.value = 0);
        }

        @Override
        public boolean isSettled() {
            return all.stream().allMatch(entry -> entry.isOver);
        }

        @Override
        public void close() {
            if (isClosed || !isSettled()) {
                throw new IllegalStateException(isClosed ? "closed twice" : "not settled");
            }
            isClosed = true;
            entries -= most;
            programs.remove(this);
        }

        boolean isDue() {
            return all.stream().anyMatch(entry -> !entry.isOver
                    && (entry.hasBegun || counts[entry.counter] >= entry.value));
        }

        /** Begins some, those of a counter in order, and ends some. */
        int work() {
            int done = 0;
            BitSet held = new BitSet();
            for (Entry entry : all) {
                if (!entry.hasBegun && !held.get(entry.counter) && counts[entry.counter] >= entry.value) {
                    if (random.below(3) == 0 && begin(entry)) {
                        done++;
                    } else {
                        held.set(entry.counter);
                    }
                }
            }
            for (Entry entry : all) {
                if (entry.hasBegun && !entry.isOver && random.below(4) == 0) {
                    entry.isOver = true;
                    counts[entry.ended]++;
                    done++;
                }
            }
            return done;
        }

        private boolean begin(Entry entry) {
            if (entry.rank < 0) {
                entry.hasBegun = true;
                return true;
            }
            int leadBytes = entry.lead.length * Long.BYTES;
            int bytes = leadBytes + entry.bytes;
            Outlet outlet = below.outlet(entry.rank);
            long at = outlet.claim(bytes, entry.meta, entry.header);
            if (at < 0) {
                return false;
            }
            for (int i = 0; i < entry.lead.length; i++) {
                Words.storeUnaligned(outlet.memory(), at + (long) i * Long.BYTES, entry.lead[i]);
            }
            if (entry.bytes > 0) {
                MemorySegment.copy(entry.from.memory(), entry.offset, outlet.memory(), at + leadBytes,
                        entry.bytes);
            }
            outlet.commit(at, bytes, entry.meta, entry.header);
            entry.hasBegun = true;
            sent++;
            return true;
        }
    }
}
