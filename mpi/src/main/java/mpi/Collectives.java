package mpi;

import io.rankwire.Communicator;
import java.util.Arrays;

/**
 * Collective calls that move data, for both dialects. Within one group, arrays of the type that their datatype names go
 * to core unchanged; objects go through {@link ObjectCollectives}; all other buffers go to core as memory with a
 * datatype, within one group or between two.
 */
final class Collectives {
    /** Stands for an input buffer (of a scatter, the root's output buffer) whose content lies in the other buffer. */
    static final Object IN_PLACE = Communicator.IN_PLACE;

    final CommHandle on;
    final ObjectCollectives objects;

    Collectives(CommHandle on) {
        this.on = on;
        this.objects = new ObjectCollectives(this);
    }

    static boolean isPlainOrInPlace(Object buf, Datatype type) {
        return buf == IN_PLACE || Memory.isPlain(buf, type);
    }

    static boolean isObject(Datatype first, Datatype second) {
        return Datatype.isObject(first) || Datatype.isObject(second);
    }

    /** Returns the layout of a buffer that the call uses; null for a buffer that the call ignores. */
    static io.rankwire.Datatype layout(boolean used, Datatype type) {
        return used ? Datatype.core(type) : null;
    }

    /** Returns whether a rank uses the buffer that it gives data from, or takes data into, in a call with a root. */
    private boolean takesPart(Object buf, int root) {
        return on.intra != null ? buf != IN_PLACE : root >= 0;
    }

    /** Returns whether a rank uses its input buffer in a call without a root. */
    private boolean gives(Object in) {
        return on.intra == null || in != IN_PLACE;
    }

    /** As {@link CommHandle#isRoot}, and raises its error. */
    private boolean isRoot(int root) {
        return on.get(() -> on.isRoot(root));
    }

    void barrier() {
        try {
            if (on.core() == on.inter) {
                on.inter.barrier();
            } else {
                on.intra.barrier();
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request ibarrier() {
        return on.get(() -> new Request(on, on.core() == on.inter ? on.inter.ibarrier() : on.intra.ibarrier()));
    }

    void broadcast(Object buf, int offset, int count, Datatype type, int root) {
        try {
            if (on.intra != null && Memory.isPlain(buf, type)) {
                on.intra.broadcast(buf, offset, count, root);
            } else if (Datatype.isObject(type)) {
                objects.broadcast(buf, offset, count, type, root);
            } else {
                on.core().broadcast(Memory.base(buf, type), Memory.at(buf, offset, type), count,
                        layout(on.intra != null || root != MPI.PROC_NULL, type), root);
            }
        } catch (RuntimeException e) {
            throw on.raisedOfRoot(e);
        }
    }

    Request ibroadcast(Object buf, int count, Datatype type, int root) {
        try {
            return new Request(on, on.core().ibroadcast(Memory.base(buf, type), Memory.at(buf, 0, type), count,
                    layout(on.intra != null || root != MPI.PROC_NULL, type), root));
        } catch (RuntimeException e) {
            throw on.raisedOfRoot(e);
        }
    }

    /** At the root the buffer is the output and holds the root's own block; elsewhere it is the input. */
    void gather(Object buf, int count, Datatype type, int root) {
        if (isRoot(root)) {
            gather(IN_PLACE, 0, 0, null, buf, 0, count, type, root);
        } else {
            gather(buf, 0, count, type, null, 0, 0, null, root);
        }
    }

    void gather(Object in, int inOffset, int inCount, Datatype inType, Object out, int outOffset, int outCount,
            Datatype outType, int root) {
        try {
            boolean isRoot = on.isRoot(root);
            if (on.intra != null && isPlainOrInPlace(in, inType)
                    && (!isRoot || Memory.isPlain(out, outType) && (in == IN_PLACE || inCount == outCount))) {
                on.intra.gather(in, inOffset, isRoot ? out : null, outOffset, isRoot ? outCount : inCount, root);
            } else if (isObject(inType, outType)) {
                objects.gather(in, inOffset, inCount, inType, out, outOffset, outCount, outType, root);
            } else {
                on.core.gather(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                        layout(takesPart(in, root), inType), Memory.base(out, outType),
                        Memory.at(out, outOffset, outType), outCount, layout(isRoot, outType), root);
            }
        } catch (RuntimeException e) {
            throw on.raisedOfRoot(e);
        }
    }

    /** As {@link #gather(Object, int, Datatype, int)}. */
    Request igather(Object buf, int count, Datatype type, int root) {
        return isRoot(root) ? igather(IN_PLACE, 0, null, buf, count, type, root)
                : igather(buf, count, type, null, 0, null, root);
    }

    Request igather(Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType, int root) {
        try {
            boolean isRoot = on.isRoot(root);
            return new Request(on, on.core.igather(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                    layout(takesPart(in, root), inType), Memory.base(out, outType), Memory.at(out, 0, outType),
                    outCount, layout(isRoot, outType), root));
        } catch (RuntimeException e) {
            throw on.raisedOfRoot(e);
        }
    }

    void gatherv(Object in, int inOffset, int inCount, Datatype inType, Object out, int outOffset, int[] outCounts,
            int[] displs, Datatype outType, int root) {
        try {
            int[] counts = on.forEachPeer(outCounts);
            int[] places = on.forEachPeer(displs);
            boolean isRoot = on.isRoot(root);
            if (on.intra != null && isPlainOrInPlace(in, inType)
                    && (!isRoot || Memory.isPlain(out, outType) && outOffset == 0)) {
                on.intra.gatherv(in, inOffset, inCount, isRoot ? out : null, counts, places, root);
            } else if (isObject(inType, outType)) {
                objects.gatherv(in, inOffset, inCount, inType, out, outOffset, counts, places, outType, root);
            } else {
                on.core.gatherv(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                        layout(takesPart(in, root), inType), Memory.base(out, outType),
                        Memory.at(out, outOffset, outType), counts, places, layout(isRoot, outType), root);
            }
        } catch (RuntimeException e) {
            throw on.raisedOfRoot(e);
        }
    }

    Request igatherv(Object in, int inCount, Datatype inType, Object out, int[] outCounts, int[] displs,
            Datatype outType, int root) {
        try {
            boolean isRoot = on.isRoot(root);
            return new Request(on, on.core.igatherv(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                    layout(takesPart(in, root), inType), Memory.base(out, outType), Memory.at(out, 0, outType),
                    on.forEachPeer(outCounts), on.forEachPeer(displs), layout(isRoot, outType), root));
        } catch (RuntimeException e) {
            throw on.raisedOfRoot(e);
        }
    }

    /** At the root the buffer is the input, and the root's own block stays there; elsewhere it is the output. */
    void scatter(Object buf, int count, Datatype type, int root) {
        if (isRoot(root)) {
            scatter(buf, 0, count, type, IN_PLACE, 0, 0, null, root);
        } else {
            scatter(null, 0, 0, null, buf, 0, count, type, root);
        }
    }

    void scatter(Object in, int inOffset, int inCount, Datatype inType, Object out, int outOffset, int outCount,
            Datatype outType, int root) {
        try {
            boolean isRoot = on.isRoot(root);
            if (on.intra != null && isPlainOrInPlace(out, outType)
                    && (!isRoot || Memory.isPlain(in, inType) && (out == IN_PLACE || inCount == outCount))) {
                on.intra.scatter(isRoot ? in : null, inOffset, out, outOffset, isRoot ? inCount : outCount, root);
            } else if (isObject(inType, outType)) {
                objects.scatter(in, inOffset, inCount, inType, out, outOffset, outCount, outType, root);
            } else {
                on.core.scatter(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                        layout(isRoot, inType), Memory.base(out, outType), Memory.at(out, outOffset, outType),
                        outCount, layout(takesPart(out, root), outType), root);
            }
        } catch (RuntimeException e) {
            throw on.raisedOfRoot(e);
        }
    }

    /** As {@link #scatter(Object, int, Datatype, int)}. */
    Request iscatter(Object buf, int count, Datatype type, int root) {
        return isRoot(root) ? iscatter(buf, count, type, IN_PLACE, 0, null, root)
                : iscatter(null, 0, null, buf, count, type, root);
    }

    Request iscatter(Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType, int root) {
        try {
            boolean isRoot = on.isRoot(root);
            return new Request(on, on.core.iscatter(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                    layout(isRoot, inType), Memory.base(out, outType), Memory.at(out, 0, outType), outCount,
                    layout(takesPart(out, root), outType), root));
        } catch (RuntimeException e) {
            throw on.raisedOfRoot(e);
        }
    }

    void scatterv(Object in, int inOffset, int[] inCounts, int[] displs, Datatype inType, Object out, int outOffset,
            int outCount, Datatype outType, int root) {
        try {
            int[] counts = on.forEachPeer(inCounts);
            int[] places = on.forEachPeer(displs);
            boolean isRoot = on.isRoot(root);
            if (on.intra != null && isPlainOrInPlace(out, outType)
                    && (!isRoot || Memory.isPlain(in, inType) && inOffset == 0)) {
                on.intra.scatterv(isRoot ? in : null, counts, places, out, outOffset, outCount, root);
            } else if (isObject(inType, outType)) {
                objects.scatterv(in, inOffset, counts, places, inType, out, outOffset, outCount, outType, root);
            } else {
                on.core.scatterv(Memory.base(in, inType), Memory.at(in, inOffset, inType), counts, places,
                        layout(isRoot, inType), Memory.base(out, outType), Memory.at(out, outOffset, outType), outCount,
                        layout(takesPart(out, root), outType), root);
            }
        } catch (RuntimeException e) {
            throw on.raisedOfRoot(e);
        }
    }

    Request iscatterv(Object in, int[] inCounts, int[] displs, Datatype inType, Object out, int outCount,
            Datatype outType, int root) {
        try {
            boolean isRoot = on.isRoot(root);
            return new Request(on, on.core.iscatterv(Memory.base(in, inType), Memory.at(in, 0, inType),
                    on.forEachPeer(inCounts), on.forEachPeer(displs), layout(isRoot, inType),
                    Memory.base(out, outType), Memory.at(out, 0, outType), outCount,
                    layout(takesPart(out, root), outType), root));
        } catch (RuntimeException e) {
            throw on.raisedOfRoot(e);
        }
    }

    void allgather(Object in, int inOffset, int inCount, Datatype inType, Object out, int outOffset, int outCount,
            Datatype outType) {
        try {
            if (on.intra != null && Memory.isPlain(out, outType) && isPlainOrInPlace(in, inType)
                    && (in == IN_PLACE || inCount == outCount)) {
                on.intra.allgather(in, inOffset, out, outOffset, outCount);
            } else if (isObject(inType, outType)) {
                objects.allgather(in, inOffset, inCount, inType, out, outOffset, outCount, outType);
            } else {
                on.core().allgather(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                        layout(gives(in), inType), Memory.base(out, outType), Memory.at(out, outOffset, outType),
                        outCount, Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request iallgather(Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType) {
        return on.get(() -> new Request(on, on.core().iallgather(Memory.base(in, inType), Memory.at(in, 0, inType),
                inCount, layout(gives(in), inType), Memory.base(out, outType), Memory.at(out, 0, outType), outCount,
                Datatype.core(outType))));
    }

    void allgatherv(Object in, int inOffset, int inCount, Datatype inType, Object out, int outOffset,
            int[] outCounts, int[] displs, Datatype outType) {
        try {
            int[] counts = on.forEachPeer(outCounts);
            int[] places = on.forEachPeer(displs);
            if (on.intra != null && outOffset == 0 && Memory.isPlain(out, outType) && isPlainOrInPlace(in, inType)) {
                on.intra.allgatherv(in, inOffset, inCount, out, counts, places);
            } else if (isObject(inType, outType)) {
                objects.allgatherv(in, inOffset, inCount, inType, out, outOffset, counts, places, outType);
            } else {
                on.core().allgatherv(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                        layout(gives(in), inType), Memory.base(out, outType), Memory.at(out, outOffset, outType),
                        counts, places, Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request iallgatherv(Object in, int inCount, Datatype inType, Object out, int[] outCounts, int[] displs,
            Datatype outType) {
        return on.get(() -> new Request(on, on.core().iallgatherv(Memory.base(in, inType), Memory.at(in, 0, inType),
                inCount, layout(gives(in), inType), Memory.base(out, outType), Memory.at(out, 0, outType),
                on.forEachPeer(outCounts), on.forEachPeer(displs), Datatype.core(outType))));
    }

    void alltoall(Object in, int inOffset, int inCount, Datatype inType, Object out, int outOffset, int outCount,
            Datatype outType) {
        try {
            if (on.intra != null && inCount == outCount && Memory.isPlain(in, inType)
                    && Memory.isPlain(out, outType)) {
                on.intra.alltoall(in, inOffset, out, outOffset, outCount);
            } else if (isObject(inType, outType)) {
                objects.alltoall(in, inOffset, inCount, inType, out, outOffset, outCount, outType);
            } else {
                on.core().alltoall(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                        Datatype.core(inType), Memory.base(out, outType), Memory.at(out, outOffset, outType), outCount,
                        Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request ialltoall(Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType) {
        return on.get(() -> new Request(on, on.core().ialltoall(Memory.base(in, inType), Memory.at(in, 0, inType),
                inCount, Datatype.core(inType), Memory.base(out, outType), Memory.at(out, 0, outType), outCount,
                Datatype.core(outType))));
    }

    void alltoallv(Object in, int inOffset, int[] inCounts, int[] inDispls, Datatype inType, Object out,
            int outOffset, int[] outCounts, int[] outDispls, Datatype outType) {
        try {
            int[] given = on.forEachPeer(inCounts);
            int[] from = on.forEachPeer(inDispls);
            int[] taken = on.forEachPeer(outCounts);
            int[] to = on.forEachPeer(outDispls);
            if (on.intra != null && inOffset == 0 && outOffset == 0 && Memory.isPlain(in, inType)
                    && Memory.isPlain(out, outType)) {
                on.intra.alltoallv(in, given, from, out, taken, to);
            } else if (isObject(inType, outType)) {
                objects.alltoallv(in, inOffset, given, from, inType, out, outOffset, taken, to, outType);
            } else {
                on.core().alltoallv(Memory.base(in, inType), Memory.at(in, inOffset, inType), given, from,
                        Datatype.core(inType), Memory.base(out, outType), Memory.at(out, outOffset, outType), taken, to,
                        Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request ialltoallv(Object in, int[] inCounts, int[] inDispls, Datatype inType, Object out, int[] outCounts,
            int[] outDispls, Datatype outType) {
        return on.get(() -> new Request(on, on.core().ialltoallv(Memory.base(in, inType), Memory.at(in, 0, inType),
                on.forEachPeer(inCounts), on.forEachPeer(inDispls), Datatype.core(inType), Memory.base(out, outType),
                Memory.at(out, 0, outType), on.forEachPeer(outCounts), on.forEachPeer(outDispls),
                Datatype.core(outType))));
    }

    /** Displacements are in bytes. */
    void alltoallw(Object in, int[] inCounts, int[] inDispls, Datatype[] inTypes, Object out, int[] outCounts,
            int[] outDispls, Datatype[] outTypes) {
        on.run(() -> on.core().alltoallw(Memory.base(in, MPI.BYTE), on.forEachPeer(inCounts), bytes(in, inDispls),
                cores(inTypes), Memory.base(out, MPI.BYTE), on.forEachPeer(outCounts), bytes(out, outDispls),
                cores(outTypes)));
    }

    Request ialltoallw(Object in, int[] inCounts, int[] inDispls, Datatype[] inTypes, Object out, int[] outCounts,
            int[] outDispls, Datatype[] outTypes) {
        return on.get(() -> new Request(on, on.core().ialltoallw(Memory.base(in, MPI.BYTE), on.forEachPeer(inCounts),
                bytes(in, inDispls), cores(inTypes), Memory.base(out, MPI.BYTE), on.forEachPeer(outCounts),
                bytes(out, outDispls), cores(outTypes))));
    }

    /** Turns displacements in bytes from element 0 of a buffer into displacements from the start of its memory. */
    private long[] bytes(Object buf, int[] displs) {
        long start = Memory.startByte(buf);
        return Arrays.stream(on.forEachPeer(displs)).mapToLong(displacement -> start + displacement).toArray();
    }

    private io.rankwire.Datatype[] cores(Datatype[] types) {
        return Datatype.cores(Arrays.copyOf(types, Math.min(types.length, on.peers())));
    }
}
