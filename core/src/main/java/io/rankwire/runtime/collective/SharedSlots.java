package io.rankwire.runtime.collective;

import io.rankwire.RankwireException;
import io.rankwire.fabric.BadFrame;
import io.rankwire.memory.MeetingLines;
import io.rankwire.memory.Words;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Host;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/**
 * The lines of shared memory in which the ranks of a communicator exchange data, step by step. A rank that has reached
 * step s is done with all calls before it, so what it wrote for them may be overwritten once all ranks have passed s.
 *
 * <p>The word of a step holds the tag and the element type of its call; the signature of the shape lies beside it. A
 * rank that waits long checks whether the rank that it waits for has made another call, here or with messages.
 */
public final class SharedSlots implements BooleanSupplier, Host.Waiting {
    /** Between the wide memory of two ranks: else what is copied between them would meet in few sets of a cache. */
    private static final int APART = 704;
    private static final int LINE = 64;
    private static final int DEPTH = MeetingLines.DEPTH;
    /**
     * It is expensive to write a line again that another core has just read. So a rank has more wide memory than is in
     * use at a time, up to the size of a cache, as long as all ranks together do not take too much.
     */
    private static final int MOST_OF_RANK = 1 << 20;
    private static final int MOST_OF_ALL = 4 << 20;
    /** Many ranks have many rings, too, and all must fit in the 64 MB that containers give. */
    private static final int MOST_OF_MANY = 2 << 20;
    private static final int MANY = 8;
    private static final int LEAST_OF_RANK = 64 << 10;
    /** With a third of the wide memory at a time, what a rank writes never lies where it wrote the step before. */
    private static final int PARTS = 3;
    /** Two ranks, with a processor each, gain nothing from longer steps. */
    private static final int MOST_OF_PAIR = 128 << 10;
    /** Pieces for which a rank writes to what it has read, before it tries again without. */
    private static final int STORED_PIECES = 256;
    /** A line that takes this many times the least time to write is expensive. */
    private static final double EXPENSIVE = 3;
    private static final int NOBODY = -1;
    /** Most bytes of the text of what an operation has thrown. */
    private static final int MOST_TEXT = MeetingLines.ROOM - Long.BYTES;
    private static final int TYPE_SHIFT = 31;
    private static final long TAG_MASK = (1L << TYPE_SHIFT) - 1;

    private final Endpoint on;
    private final Host host;
    private final int rank;
    private final int size;
    private final MeetingLines lines;
    /**
     * Wide memory of each rank, used from its start to its end and then again; made at the first call that needs it,
     * and reached in another way.
     */
    private MemorySegment wideOwner;
    private MemorySegment wide;
    private long wideOrigin;
    private final long wideBytes;
    /** Where the part of wide memory begins that this call uses, and where it ends. */
    private long from;
    private long to;
    /** The same for the last calls that used wide memory, and the steps at which these ended; the latest at used. */
    private final long[] usedFrom = new long[DEPTH];
    private final long[] usedTo = new long[DEPTH];
    private final int[] usedAt = new int[DEPTH];
    private int used;

    /** Pieces that this rank still gives before it stops to write to what it has read. */
    private int stored = STORED_PIECES;
    /** The least time that a line took to write, in ns, and how many pieces in a row took much longer. */
    private double leastNs = Double.MAX_VALUE;
    private int expensive;

    private int step;
    /** A step at which all ranks are known to have arrived, and the same for each. */
    private int allArrived;
    private final int[] arrived;

    // the call under way
    private Collective call;
    private int tag;
    private long word;
    private boolean isWide;
    private MemorySegment given;

    /** A rank that could not give its part, and why. */
    private int spoiler = NOBODY;
    private String spoilt;

    // what is waited for: ranks from next up to before end, in a step; exactly there, or anywhere beyond
    private int next;
    private int end;
    private int awaited;
    private boolean exactly;

    public SharedSlots(Endpoint on) {
        this.on = on;
        this.host = on.host();
        this.rank = on.rank();
        this.size = on.size();
        this.arrived = new int[size];
        this.wideBytes = wideBytes(size);
        this.lines = new MeetingLines(
                host.device.memory().common(key(on.context(), false), MeetingLines.bytes(size)), rank);
    }

    /** Bytes of the wide memory of a rank. */
    private static int wideBytes(int size) {
        return Math.clamp((size > MANY ? MOST_OF_MANY : MOST_OF_ALL) / size, LEAST_OF_RANK, MOST_OF_RANK);
    }

    /**
     * Bytes that a rank can give at a time in wide memory. They are many: where there are more ranks than processors,
     * each step costs a turn of all ranks.
     */
    static int wide(int size) {
        int part = wideBytes(size) / PARTS & -LINE;
        return size == 2 ? Math.min(part, MOST_OF_PAIR) : part;
    }

    private static long key(int context, boolean wide) {
        return (context & 0xFFFFFFFFL) << 1 | (wide ? 1 : 0);
    }

    /** A context has ended for all its ranks. */
    public static void end(Host host, int context) {
        host.device.memory().endCommon(key(context, false));
        host.device.memory().endCommon(key(context, true));
    }

    /**
     * The next step, of a new call: what this rank has written in its place before must not be needed by anyone.
     *
     * @param bytes what a rank gives at most, if that needs wide memory; else 0
     */
    public void begin(Collective made, int callTag, long bytes) {
        if (call != made) {
            call = made;
        }
        tag = callTag;
        spoiler = NOBODY;
        step++;
        word = MeetingLines.word(step, (long) made.agreedType.code() << TYPE_SHIFT | callTag & TAG_MASK);
        isWide = bytes > 0;
        if (isWide) {
            beginWide(bytes);
        }
        MemorySegment where = isWide ? wide : lines.memory();
        if (given != where) {
            given = where;
        }
        awaitBeyond(step - DEPTH + 1);
    }

    private void beginWide(long bytes) {
        if (wide == null) {
            wideOwner = host.device.memory().common(key(on.context(), true), size * (wideBytes + APART));
            wide = Words.reach(wideOwner);
            wideOrigin = Words.origin(wideOwner);
        }
        long length = bytes + LINE - 1 & -LINE;
        from = to + length > wideBytes ? 0 : to;
        to = from + length;
        for (int i = 0; i < DEPTH; i++) {
            // The step before lies elsewhere, and all ranks are done with older ones than these.
            int ago = step - usedAt[i];
            if (ago > 1 && ago < DEPTH && usedFrom[i] < to && from < usedTo[i]) {
                awaitBeyond(usedAt[i] + 1);
            }
        }
        used = used + 1 & DEPTH - 1;
        usedFrom[used] = from;
        usedTo[used] = to;
        usedAt[used] = step;
    }

    /**
     * Says at the step that has begun that this rank cannot give its part, for its operation has thrown something. Only
     * in wide calls: then there is room for it in the lines.
     */
    public void spoil(Throwable thrown) {
        word = MeetingLines.word(step, (long) ElementType.OBJECT.code() << TYPE_SHIFT | tag & TAG_MASK);
        byte[] text = thrown.toString().getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, MOST_TEXT);
        Words.storeUnaligned(lines.memory(), lines.given(rank, step), length);
        Copy.out(text, 0, lines.memory(), lines.given(rank, step) + Long.BYTES, length);
    }

    /** What ends this call, if a rank that was waited for could not give its part; else null. */
    public RankwireException spoiled() {
        if (spoiler < 0) {
            return null;
        }
        return Mismatch.missed(on, call.call, "the operation " + call.shape.op() + " threw " + spoilt
                + " on rank " + spoiler);
    }

    /** One more step of the same call; what is in wide memory stays. */
    public void again() {
        step++;
        usedAt[used] = step;
        word = MeetingLines.word(step, MeetingLines.call(word));
        awaitBeyond(step - DEPTH + 1);
    }

    public boolean isWide() {
        return isWide;
    }

    /** The memory of {@link #given}. */
    public MemorySegment memory() {
        return given;
    }

    /** Where a rank writes what it gives in this call. */
    public long given(int of) {
        return isWide ? wideOrigin + of * (wideBytes + APART) + from : lines.given(of, step);
    }

    /**
     * This rank has written a part of what it gives. Where lines are expensive to write that another core has read,
     * that core had better write to them too, see {@link #taken}. Whether they are can change at any time on a virtual
     * machine, so each rank looks at its own writes, and stops now and then to see what they cost without.
     */
    void gave(long ns, long bytes) {
        double lineNs = (double) ns * LINE / bytes;
        leastNs = Math.min(leastNs, lineNs);
        if (stored > 0) {
            stored--;
            return;
        }
        expensive = lineNs > EXPENSIVE * leastNs ? expensive + 1 : 0;
        if (expensive > 1) {
            expensive = 0;
            stored = STORED_PIECES;
        }
    }

    /**
     * This rank has read a part of what another gives in wide memory, as the only one, and writes to each of its lines
     * if that is worth its time: a line that a rank has only read stays in two caches, and its owner must fetch it from
     * both to write it again.
     */
    void taken(int giver, long part, long bytes) {
        if (stored == 0) {
            return;
        }
        long at = given(giver) + part;
        for (long word = at + Long.BYTES - 1 & -Long.BYTES; word + Long.BYTES <= at + bytes;
                word = (word | LINE - 1) + 1) {
            Words.store(given, word, 0);
        }
    }

    /** This rank is there, and what it gives is written. */
    public void arrive() {
        lines.arrive(step, word, call.signature);
        arrived[rank] = step;
    }

    public void awaitAll() {
        await(0, size);
        allArrived = step;
    }

    /** Waits until some ranks are at this step, and in the same call. */
    public void await(int from, int to) {
        next = from;
        end = to;
        awaited = step;
        exactly = true;
        host.await(this, this);
    }

    /** Waits until all ranks have come to an earlier step, or further. */
    private void awaitBeyond(int earlier) {
        if (allArrived - earlier >= 0) {
            return;
        }
        next = 0;
        end = size;
        awaited = earlier;
        exactly = false;
        host.await(this, this);
        allArrived = earlier;
    }

    @Override
    public boolean getAsBoolean() {
        for (int looks = host.looks(); looks > 0; looks--) {
            if (haveArrived()) {
                return true;
            }
        }
        on.members().checkInterrupted(call.call);
        return false;
    }

    private boolean haveArrived() {
        for (; next < end; next++) {
            if (!exactly && arrived[next] - awaited >= 0) {
                continue;
            }
            long seen = lines.look(next, awaited);
            boolean there = exactly
                    ? seen == word && lines.signature(next, awaited) == call.signature || isAlike(next, seen)
                    : MeetingLines.ahead(seen, awaited) >= 0;
            if (!there) {
                return false;
            }
            arrived[next] = awaited;
        }
        return true;
    }

    /** Whether a word that is not the expected one is of the same call and another type that goes with ours. */
    private boolean isAlike(int other, long seen) {
        boolean ofThis = MeetingLines.ahead(seen, awaited) == 0 && tag(seen) == tag(word)
                && lines.signature(other, awaited) == call.signature;
        if (ofThis && type(other, seen) == ElementType.OBJECT) {
            long at = lines.given(other, awaited);
            long length = Words.loadUnaligned(lines.memory(), at);
            if (length < 0 || length > MOST_TEXT) {
                throw damaged(other, "a text of " + length + " bytes");
            }
            byte[] text = new byte[(int) length];
            Copy.in(lines.memory(), at + Long.BYTES, text, 0, text.length);
            spoiler = other;
            spoilt = new String(text, StandardCharsets.UTF_8);
            return true;
        }
        return ofThis && ElementType.compatible(type(other, seen).code(), call.agreedType.code());
    }

    private static int tag(long word) {
        return (int) (MeetingLines.call(word) & TAG_MASK);
    }

    private ElementType type(int of, long word) {
        int code = (int) (MeetingLines.call(word) >>> TYPE_SHIFT);
        if (!ElementType.isCode(code)) {
            throw damaged(of, "element type " + code);
        }
        return ElementType.of(code);
    }

    private BadFrame damaged(int other, String wrong) {
        return new BadFrame(on.group().worldRankOf(other), "line of a collective call", wrong);
    }

    /** Throws if a rank was or is in another call than this one at one of the last steps. */
    private void lookBack(String made) {
        for (int at = step - DEPTH + 1; at - step <= 0; at++) {
            long own = lines.look(rank, at);
            for (int r = 0; r < size && MeetingLines.ahead(own, at) == 0; r++) {
                long seen = lines.look(r, at);
                if (MeetingLines.ahead(seen, at) == 0) {
                    compare(made, r, at, own, seen);
                }
            }
        }
    }

    private void compare(String made, int other, int at, long own, long seen) {
        int peer = on.group().worldRankOf(other);
        boolean same = tag(own) == tag(seen) && lines.signature(other, at) == lines.signature(rank, at);
        if (!same && host.others.settled(peer, host.nowNs())) {
            throw Mismatch.different(on, made, peer, tag(seen));
        }
        ElementType theirs = type(other, seen);
        ElementType ours = type(rank, own);
        boolean spoiled = theirs == ElementType.OBJECT || ours == ElementType.OBJECT;
        boolean alike = spoiled || ElementType.compatible(theirs.code(), ours.code());
        if (same && !alike && host.others.settled(peer, host.nowNs())) {
            throw Mismatch.failed(on, made, peer, tag(own), "rank " + other + " sent "
                    + Mismatch.disagreement(call.shape.bytes(), theirs, call.shape.bytes(), ours));
        }
    }

    /** Throws if a rank has made another call here than this one, which this rank makes with messages. */
    public void look(String made, int callTag) {
        lookBack(made);
        for (int r = 0; r < size; r++) {
            long seen = lines.look(r, step + 1);
            boolean ofThis = tag(seen) >>> CallLog.SEQUENCE_SHIFT
                    == callTag >>> CallLog.SEQUENCE_SHIFT;
            int peer = on.group().worldRankOf(r);
            if (MeetingLines.ahead(seen, step + 1) == 0 && ofThis && host.others.settled(peer, host.nowNs())) {
                throw Mismatch.different(on, made, peer, tag(seen));
            }
        }
    }

    @Override
    public String describe() {
        call.name.from(CallSite.find());
        return call.call + ", on " + on.name() + CallSite.find();
    }

    @Override
    public int peer() {
        return next < end ? on.group().worldRankOf(next) : -1;
    }

    @Override
    public void suspect() {
        lookBack(call.call);
        Mismatch.lookBeside(on, call.call, tag);
    }
}
