package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.collective.Exchange;
import io.rankwire.collective.Exchange.End;
import io.rankwire.collective.Schedule;
import io.rankwire.collective.Step.Part;
import io.rankwire.type.ElementType;
import java.util.ArrayList;
import java.util.List;

/** Collective calls of neighbours, checked and bound. A side without neighbours has no blocks and is not looked at. */
public final class NeighbourCalls {
    private final Endpoint on;
    private final Neighbourhood around;
    private final CollectivePrograms programs;
    private final TypedCalls typed;
    private final int out;
    private final int in;

    public NeighbourCalls(Endpoint on, Neighbourhood around, CollectivePrograms programs, TypedCalls typed) {
        this.on = on;
        this.around = around;
        this.programs = programs;
        this.typed = typed;
        this.out = around.destinations().length;
        this.in = around.sources().length;
        int toSelf = count(around.destinations());
        int fromSelf = count(around.sources());
        if (toSelf != fromSelf) {
            throw on.error(ErrorClass.TOPOLOGY, "neighbours: rank " + on.rank() + " has " + toSelf
                    + " edges to itself, but " + fromSelf + " from itself");
        }
    }

    private int count(int[] ranks) {
        int count = 0;
        for (int each : ranks) {
            count += each == on.rank() ? 1 : 0;
        }
        return count;
    }

    /** Blocks of one length to and from all neighbours; what is gathered is one block. */
    public static Schedule schedule(int rank, Neighbourhood around, boolean gathers, long bytes) {
        List<End> sent = new ArrayList<>();
        for (int i = 0; i < around.destinations().length; i++) {
            sent.add(new End(around.destinations()[i], new Part(Schedule.INPUT, gathers ? 0 : i * bytes, bytes)));
        }
        List<End> received = new ArrayList<>();
        for (int i : around.arrivals()) {
            received.add(new End(around.sources()[i], new Part(Schedule.OUTPUT, i * bytes, bytes)));
        }
        return Exchange.of(rank, sent, received);
    }

    /** Elements of a block when the buffers hold nothing else. */
    public int elements(boolean gathers, Object from, Object to) {
        if (out > 0) {
            return gathers ? share(from, 1) : share(from, out);
        }
        return in > 0 ? share(to, in) : 0;
    }

    private int share(Object buffer, int blocks) {
        on.typeOf(buffer);
        long length = Buffers.length(buffer);
        if (length % blocks != 0) {
            throw on.error(ErrorClass.COUNT, "a " + Buffers.describe(buffer) + " of length " + length
                    + " cannot be cut into " + blocks + " blocks of one length");
        }
        return Math.toIntExact(length / blocks);
    }

    public Collective blocks(boolean gathers, Object from, long fromOffset, Object to, long toOffset, long count,
            boolean fresh) {
        Block sent = out == 0 ? null : typed.block(from, fromOffset, gathers ? count : count * out, false);
        Block received = in == 0 ? null : typed.block(to, toOffset, count * in, true);
        if (sent != null && received != null && sent.element() != received.element()) {
            boolean meet = ElementType.compatible(sent.element().code(), received.element().code())
                    && sent.element().bytes() == received.element().bytes();
            if (!meet) {
                throw on.error(ErrorClass.TYPE, "the buffers are of " + sent.element() + " and of "
                        + received.element());
            }
        }
        ElementType element = sent == null ? received == null ? ElementType.BYTE : received.element()
                : received == null || sent.element() == received.element() ? sent.element() : ElementType.RAW;
        return regular(gathers, sent, received, count * element.bytes(), element, fresh);
    }

    public Collective blocks(boolean gathers, Object from, long fromOffset, long fromCount, Layout fromType, Object to,
            long toOffset, long toCount, Layout toType, boolean fresh) {
        Block sent = out == 0 ? null
                : typed.block(from, fromOffset, 0, gathers ? fromCount : TypedCalls.times(fromCount, out), fromType,
                        false);
        Block received = in == 0 ? null : typed.block(to, toOffset, 0, TypedCalls.times(toCount, in), toType, true);
        if (sent != null && received != null) {
            typed.checkSame(fromCount, fromType, toCount, toType);
        }
        long bytes = sent != null ? fromType.bytes(fromCount) : received != null ? toType.bytes(toCount) : 0;
        ElementType element = sent != null ? sent.element()
                : received != null ? received.element() : ElementType.BYTE;
        return regular(gathers, sent, received, bytes, element, fresh);
    }

    private Collective regular(
            boolean gathers, Block sent, Block received, long bytes, ElementType element, boolean fresh) {
        CollectiveKind kind = gathers ? CollectiveKind.NEIGHBOUR_ALLGATHER : CollectiveKind.NEIGHBOUR_ALLTOALL;
        Collective call = programs.find(kind, 0, bytes, element, null, false, fresh);
        TypedCalls.bind(call, sent, received);
        return call;
    }

    public Collective allgatherv(Object from, long fromOffset, long fromCount, Object to, int[] counts, int[] offsets) {
        Block block = out == 0 ? null : typed.block(from, fromOffset, fromCount, false);
        return exchange(CollectiveKind.NEIGHBOUR_ALLGATHERV, same(block), each(in, to, counts, offsets, true), from,
                to);
    }

    public Collective allgatherv(Object from, long fromOffset, long fromCount, Layout fromType, Object to, long toOffset,
            int[] counts, int[] displacements, Layout toType) {
        Block block = out == 0 ? null : typed.block(from, fromOffset, 0, fromCount, fromType, false);
        Block[] received = typed.each(in, to, toOffset, counts, displacements, toType, true);
        return exchange(CollectiveKind.NEIGHBOUR_ALLGATHERV, same(block), received, from, to);
    }

    public Collective alltoallv(
            Object from, int[] fromCounts, int[] fromOffsets, Object to, int[] toCounts, int[] toOffsets) {
        return exchange(CollectiveKind.NEIGHBOUR_ALLTOALLV, each(out, from, fromCounts, fromOffsets, false),
                each(in, to, toCounts, toOffsets, true), from, to);
    }

    public Collective alltoallv(Object from, long fromOffset, int[] fromCounts, int[] fromDisplacements, Layout fromType,
            Object to, long toOffset, int[] toCounts, int[] toDisplacements, Layout toType) {
        return exchange(CollectiveKind.NEIGHBOUR_ALLTOALLV,
                typed.each(out, from, fromOffset, fromCounts, fromDisplacements, fromType, false),
                typed.each(in, to, toOffset, toCounts, toDisplacements, toType, true), from, to);
    }

    public Collective alltoallw(Object from, int[] fromCounts, long[] fromDisplacements, Layout[] fromTypes, Object to,
            int[] toCounts, long[] toDisplacements, Layout[] toTypes) {
        return exchange(CollectiveKind.NEIGHBOUR_ALLTOALLW,
                typed.each(out, from, fromCounts, fromDisplacements, fromTypes, false),
                typed.each(in, to, toCounts, toDisplacements, toTypes, true), from, to);
    }

    private Collective exchange(CollectiveKind kind, Block[] sent, Block[] places, Object from, Object to) {
        Block[] received = new Block[in];
        for (int i = 0; i < in; i++) {
            received[i] = places[around.arrivals()[i]];
        }
        Shape shape = new Shape(kind, 0, 0, ElementType.MIXED, null, false);
        return typed.exchange(shape, sent, around.destinations(), received, around.arriving(), out == 0 ? null : from,
                in == 0 ? null : to, false);
    }

    private Block[] same(Block block) {
        Block[] all = new Block[out];
        for (int i = 0; i < out; i++) {
            all[i] = block;
        }
        return all;
    }

    private Block[] each(int number, Object buffer, int[] counts, int[] offsets, boolean write) {
        typed.checkLength("counts", number, counts == null ? -1 : counts.length);
        typed.checkLength("offsets", number, offsets == null ? -1 : offsets.length);
        Block[] blocks = new Block[number];
        for (int i = 0; i < number; i++) {
            blocks[i] = typed.block(buffer, offsets[i], counts[i], write);
        }
        return blocks;
    }
}
