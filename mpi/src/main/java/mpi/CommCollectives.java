package mpi;

import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import java.util.Arrays;

/**
 * Collective calls that move data, below both dialects. Arrays of the type that the datatype says go to core as they
 * are; others as {@link Memory} and datatypes; objects through {@link ObjectCollectives}, and what crosses from one
 * group to another through {@link InterCollectives}.
 */
abstract class CommCollectives extends MpiJavaMessages {
    /** For the buffer that is read (of a scatter, written at the root): its content lies in the other one. */
    static final Object IN_PLACE = Communicator.IN_PLACE;

    CommCollectives() {}

    static boolean isPlain(Object buf, Datatype type) {
        return type != null && buf != null && buf.getClass() == type.array;
    }

    /** Of a buffer that may be left out. */
    static boolean isPlainOrInPlace(Object buf, Datatype type) {
        return buf == IN_PLACE || isPlain(buf, type);
    }

    static boolean isObject(Datatype first, Datatype second) {
        return first != null && first.isObject() || second != null && second.isObject();
    }

    /** The layout of a buffer that counts; null for one that does not. */
    static io.rankwire.Datatype layout(boolean counts, Datatype type) {
        return counts ? Datatype.core(type) : null;
    }

    /** Whether this rank is the root of a call. */
    final boolean isRoot(int root) {
        core();
        return intra != null ? intra.rank() == root : root == MPI.ROOT;
    }

    /** As {@link #raised}, for calls whose only rank is the root's. */
    final MPIException raisedOfRoot(RuntimeException e) {
        return raised(e instanceof RankwireException ours
                ? MPIException.of(ours, ErrorClass.RANK, MPI.ERR_ROOT) : e);
    }

    /** Numbers for each rank that data goes to or comes from; programs may give longer arrays, or null. */
    final int[] forEach(int[] numbers) {
        return first(numbers, core() == inter ? inter.remoteSize() : intra.size());
    }

    static int[] first(int[] numbers, int count) {
        return numbers == null || numbers.length <= count ? numbers : Arrays.copyOf(numbers, count);
    }

    final Request request(io.rankwire.Request started) {
        return new Request(this, started, null);
    }

    final void meet() {
        try {
            if (core() == inter) {
                inter.barrier();
            } else {
                intra.barrier();
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request startMeeting() {
        try {
            return request(core() == inter ? inter.ibarrier() : intra.ibarrier());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final void broadcast(Object buf, int offset, int count, Datatype type, int root) {
        try {
            if (intra != null && isPlain(buf, type)) {
                intra.broadcast(buf, offset, count, root);
            } else if (isObject(type, null)) {
                ObjectCollectives.broadcast(this, buf, offset, count, type, root);
            } else if (core() == inter) {
                InterCollectives.broadcast(this, buf, offset, count, type, root).complete();
            } else {
                intra.broadcast(Memory.base(buf, type), Memory.at(buf, offset, type), count, Datatype.core(type), root);
            }
        } catch (RuntimeException e) {
            throw raisedOfRoot(e);
        }
    }

    final Request startBroadcast(Object buf, int offset, int count, Datatype type, int root) {
        try {
            return core() == inter ? InterCollectives.broadcast(this, buf, offset, count, type, root)
                    : request(intra.ibroadcast(
                            Memory.base(buf, type), Memory.at(buf, offset, type), count, Datatype.core(type), root));
        } catch (RuntimeException e) {
            throw raisedOfRoot(e);
        }
    }

    final void gatherInto(Object in, int inOffset, int inCount, Datatype inType, Object out, int outOffset,
            int outCount, Datatype outType, int root) {
        try {
            boolean isRoot = isRoot(root);
            if (intra != null && isPlainOrInPlace(in, inType)
                    && (!isRoot || isPlain(out, outType) && (in == IN_PLACE || inCount == outCount))) {
                intra.gather(in, inOffset, isRoot ? out : null, outOffset, isRoot ? outCount : inCount, root);
            } else if (isObject(inType, outType)) {
                ObjectCollectives.gather(
                        this, in, inOffset, inCount, inType, out, outOffset, outCount, outType, root);
            } else if (intra == null) {
                InterCollectives.gather(this, in, inOffset, inCount, inType, out, outOffset, outCount, outType, root)
                        .complete();
            } else {
                intra.gather(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                        layout(in != IN_PLACE, inType), Memory.base(out, outType), Memory.at(out, outOffset, outType),
                        outCount, layout(isRoot, outType), root);
            }
        } catch (RuntimeException e) {
            throw raisedOfRoot(e);
        }
    }

    final Request igatherInto(Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType,
            int root) {
        try {
            boolean isRoot = isRoot(root);
            return intra == null
                    ? InterCollectives.gather(this, in, 0, inCount, inType, out, 0, outCount, outType, root)
                    : request(intra.igather(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                            layout(in != IN_PLACE, inType), Memory.base(out, outType), Memory.at(out, 0, outType),
                            outCount, layout(isRoot, outType), root));
        } catch (RuntimeException e) {
            throw raisedOfRoot(e);
        }
    }

    final void gathervInto(Object in, int inOffset, int inCount, Datatype inType, Object out, int outOffset,
            int[] outCounts, int[] displs, Datatype outType, int root) {
        try {
            int[] counts = forEach(outCounts);
            int[] places = forEach(displs);
            boolean isRoot = isRoot(root);
            if (intra != null && isPlainOrInPlace(in, inType) && (!isRoot || isPlain(out, outType) && outOffset == 0)) {
                intra.gatherv(in, inOffset, inCount, isRoot ? out : null, counts, places, root);
            } else if (isObject(inType, outType)) {
                ObjectCollectives.gatherv(
                        this, in, inOffset, inCount, inType, out, outOffset, counts, places, outType, root);
            } else if (intra == null) {
                InterCollectives.gatherv(
                        this, in, inOffset, inCount, inType, out, outOffset, counts, places, outType, root)
                        .complete();
            } else {
                intra.gatherv(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                        layout(in != IN_PLACE, inType), Memory.base(out, outType), Memory.at(out, outOffset, outType),
                        counts, places, layout(isRoot, outType), root);
            }
        } catch (RuntimeException e) {
            throw raisedOfRoot(e);
        }
    }

    final Request igathervInto(Object in, int inCount, Datatype inType, Object out, int[] outCounts, int[] displs,
            Datatype outType, int root) {
        try {
            int[] counts = forEach(outCounts);
            int[] places = forEach(displs);
            boolean isRoot = isRoot(root);
            return intra == null
                    ? InterCollectives.gatherv(this, in, 0, inCount, inType, out, 0, counts, places, outType, root)
                    : request(intra.igatherv(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                            layout(in != IN_PLACE, inType), Memory.base(out, outType), Memory.at(out, 0, outType),
                            counts, places, layout(isRoot, outType), root));
        } catch (RuntimeException e) {
            throw raisedOfRoot(e);
        }
    }

    final void scatterFrom(Object in, int inOffset, int inCount, Datatype inType, Object out, int outOffset,
            int outCount, Datatype outType, int root) {
        try {
            boolean isRoot = isRoot(root);
            if (intra != null && isPlainOrInPlace(out, outType)
                    && (!isRoot || isPlain(in, inType) && (out == IN_PLACE || inCount == outCount))) {
                intra.scatter(isRoot ? in : null, inOffset, out, outOffset, isRoot ? inCount : outCount, root);
            } else if (isObject(inType, outType)) {
                ObjectCollectives.scatter(
                        this, in, inOffset, inCount, inType, out, outOffset, outCount, outType, root);
            } else if (intra == null) {
                InterCollectives.scatter(this, in, inOffset, inCount, inType, out, outOffset, outCount, outType, root)
                        .complete();
            } else {
                intra.scatter(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount, layout(isRoot, inType),
                        Memory.base(out, outType), Memory.at(out, outOffset, outType), outCount,
                        layout(out != IN_PLACE, outType), root);
            }
        } catch (RuntimeException e) {
            throw raisedOfRoot(e);
        }
    }

    final Request iscatterFrom(Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType,
            int root) {
        try {
            boolean isRoot = isRoot(root);
            return intra == null
                    ? InterCollectives.scatter(this, in, 0, inCount, inType, out, 0, outCount, outType, root)
                    : request(intra.iscatter(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                    layout(isRoot, inType), Memory.base(out, outType), Memory.at(out, 0, outType), outCount,
                    layout(out != IN_PLACE, outType), root));
        } catch (RuntimeException e) {
            throw raisedOfRoot(e);
        }
    }

    final void scattervFrom(Object in, int inOffset, int[] inCounts, int[] displs, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType, int root) {
        try {
            int[] counts = forEach(inCounts);
            int[] places = forEach(displs);
            boolean isRoot = isRoot(root);
            if (intra != null && isPlainOrInPlace(out, outType) && (!isRoot || isPlain(in, inType) && inOffset == 0)) {
                intra.scatterv(isRoot ? in : null, counts, places, out, outOffset, outCount, root);
            } else if (isObject(inType, outType)) {
                ObjectCollectives.scatterv(
                        this, in, inOffset, counts, places, inType, out, outOffset, outCount, outType, root);
            } else if (intra == null) {
                InterCollectives.scatterv(
                        this, in, inOffset, counts, places, inType, out, outOffset, outCount, outType, root)
                        .complete();
            } else {
                intra.scatterv(Memory.base(in, inType), Memory.at(in, inOffset, inType), counts, places,
                        layout(isRoot, inType), Memory.base(out, outType), Memory.at(out, outOffset, outType), outCount,
                        layout(out != IN_PLACE, outType), root);
            }
        } catch (RuntimeException e) {
            throw raisedOfRoot(e);
        }
    }

    final Request iscattervFrom(Object in, int[] inCounts, int[] displs, Datatype inType, Object out, int outCount,
            Datatype outType, int root) {
        try {
            int[] counts = forEach(inCounts);
            int[] places = forEach(displs);
            boolean isRoot = isRoot(root);
            return intra == null
                    ? InterCollectives.scatterv(this, in, 0, counts, places, inType, out, 0, outCount, outType, root)
                    : request(intra.iscatterv(Memory.base(in, inType), Memory.at(in, 0, inType), counts, places,
                            layout(isRoot, inType), Memory.base(out, outType), Memory.at(out, 0, outType), outCount,
                            layout(out != IN_PLACE, outType), root));
        } catch (RuntimeException e) {
            throw raisedOfRoot(e);
        }
    }

    final void allgatherInto(Object in, int inOffset, int inCount, Datatype inType, Object out, int outOffset,
            int outCount, Datatype outType) {
        try {
            if (intra != null && isPlain(out, outType) && isPlainOrInPlace(in, inType)
                    && (in == IN_PLACE || inCount == outCount)) {
                intra.allgather(in, inOffset, out, outOffset, outCount);
            } else if (isObject(inType, outType)) {
                ObjectCollectives.allgather(this, in, inOffset, inCount, inType, out, outOffset, outCount, outType);
            } else if (core() == inter) {
                InterCollectives.allgather(this, in, inOffset, inCount, inType, out, outOffset, outCount, outType)
                        .complete();
            } else {
                intra.allgather(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                        layout(in != IN_PLACE, inType), Memory.base(out, outType), Memory.at(out, outOffset, outType),
                        outCount, Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request iallgatherInto(
            Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType) {
        try {
            return core() == inter
                    ? InterCollectives.allgather(this, in, 0, inCount, inType, out, 0, outCount, outType)
                    : request(intra.iallgather(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                            layout(in != IN_PLACE, inType), Memory.base(out, outType), Memory.at(out, 0, outType),
                            outCount, Datatype.core(outType)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final void allgathervInto(Object in, int inOffset, int inCount, Datatype inType, Object out, int outOffset,
            int[] outCounts, int[] displs, Datatype outType) {
        try {
            int[] counts = forEach(outCounts);
            int[] places = forEach(displs);
            if (intra != null && outOffset == 0 && isPlain(out, outType) && isPlainOrInPlace(in, inType)) {
                intra.allgatherv(in, inOffset, inCount, out, counts, places);
            } else if (isObject(inType, outType)) {
                ObjectCollectives.allgatherv(
                        this, in, inOffset, inCount, inType, out, outOffset, counts, places, outType);
            } else if (core() == inter) {
                InterCollectives.allgatherv(
                        this, in, inOffset, inCount, inType, out, outOffset, counts, places, outType).complete();
            } else {
                intra.allgatherv(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                        layout(in != IN_PLACE, inType), Memory.base(out, outType), Memory.at(out, outOffset, outType),
                        counts, places, Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request iallgathervInto(Object in, int inCount, Datatype inType, Object out, int[] outCounts, int[] displs,
            Datatype outType) {
        try {
            int[] counts = forEach(outCounts);
            int[] places = forEach(displs);
            return core() == inter
                    ? InterCollectives.allgatherv(this, in, 0, inCount, inType, out, 0, counts, places, outType)
                    : request(intra.iallgatherv(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                            layout(in != IN_PLACE, inType), Memory.base(out, outType), Memory.at(out, 0, outType),
                            counts, places, Datatype.core(outType)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }
}
