package mpi;

import java.util.Arrays;

/**
 * Collective calls with {@link MPI#OBJECT} that move data. Each block is what a message of it would be; the
 * lengths go first, then the bytes, in calls of the same kind within one group or between two.
 */
final class ObjectCollectives {
    private static final byte[] NONE = new byte[0];
    /** No block is in place: all are decoded. */
    private static final int NONE_IN_PLACE = -1;

    /** Moves the lengths and the bytes. */
    private final Collectives calls;
    private final CommHandle on;

    ObjectCollectives(Collectives calls) {
        this.calls = calls;
        this.on = calls.on;
    }

    /** Encoded blocks, one behind the other. */
    record Blocks(byte[] bytes, int[] lengths, int[] places) {
        static Blocks of(Object buf, int offset, int[] counts, int[] displs, Datatype type) {
            int extent = type.Extent();
            ObjectFormat.Encoded[] each = new ObjectFormat.Encoded[counts.length];
            int[] lengths = new int[counts.length];
            for (int i = 0; i < each.length; i++) {
                each[i] = ObjectFormat.encode(buf, offset + displs[i] * extent, counts[i], type);
                lengths[i] = each[i].length();
            }
            Blocks blocks = withRoom(lengths);
            for (int i = 0; i < each.length; i++) {
                System.arraycopy(each[i].bytes(), 0, blocks.bytes, blocks.places[i], lengths[i]);
            }
            return blocks;
        }

        static Blocks withRoom(int[] lengths) {
            int[] places = ObjectCollectives.places(lengths);
            int total = 0;
            for (int length : lengths) {
                total = Math.addExact(total, length);
            }
            return new Blocks(new byte[total], lengths, places);
        }

        /** Decodes all blocks to their places, except the block that is in place already. */
        void decode(Object buf, int offset, int[] counts, int[] displs, Datatype type, int inPlace) {
            int extent = type.Extent();
            for (int i = 0; i < lengths.length; i++) {
                if (i != inPlace) {
                    ObjectFormat.decode(
                            bytes, places[i], lengths[i], buf, offset + displs[i] * extent, counts[i], type);
                }
            }
        }
    }

    /** Returns the starts of blocks that lie one behind the other. */
    static int[] places(int[] lengths) {
        int[] places = new int[lengths.length];
        for (int i = 1; i < places.length; i++) {
            places[i] = Math.addExact(places[i - 1], lengths[i - 1]);
        }
        return places;
    }

    private int[] even(int count) {
        int[] counts = new int[on.peers()];
        Arrays.fill(counts, count);
        return counts;
    }

    void broadcast(Object buf, int offset, int count, Datatype type, int root) {
        boolean gives = on.isRoot(root);
        ObjectFormat.Encoded objects = gives ? ObjectFormat.encode(buf, offset, count, type) : null;
        int[] length = {gives ? objects.length() : 0};
        calls.broadcast(length, 0, 1, MPI.INT, root);
        byte[] bytes = gives ? objects.bytes() : new byte[length[0]];
        calls.broadcast(bytes, 0, length[0], MPI.BYTE, root);
        if (!gives && root != MPI.PROC_NULL) {
            ObjectFormat.decode(bytes, 0, bytes.length, buf, offset, count, type);
        }
    }

    void gather(Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType, int root) {
        int[] counts = even(outCount);
        gatherv(in, inOffset, inCount, inType, out, outOffset, counts, places(counts), outType, root);
    }

    void gatherv(Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int[] outCounts, int[] displs, Datatype outType, int root) {
        boolean inPlace = in == Collectives.IN_PLACE;
        boolean gives = !inPlace && (on.intra != null || root >= 0);
        ObjectFormat.Encoded objects = gives ? ObjectFormat.encode(in, inOffset, inCount, inType) : null;
        Blocks blocks = gather(objects, root);
        if (blocks != null) {
            blocks.decode(out, outOffset, outCounts, displs, outType, inPlace ? root : NONE_IN_PLACE);
        }
    }

    /** Returns the encoded objects of all peers at the root; null elsewhere. */
    Blocks gather(ObjectFormat.Encoded objects, int root) {
        boolean isRoot = on.isRoot(root);
        int[] length = {objects == null ? 0 : objects.length()};
        int[] lengths = isRoot ? new int[on.peers()] : null;
        calls.gather(length, 0, 1, MPI.INT, lengths, 0, 1, MPI.INT, root);
        Blocks blocks = isRoot ? Blocks.withRoom(lengths) : null;
        calls.gatherv(objects == null ? NONE : objects.bytes(), 0, length[0], MPI.BYTE,
                isRoot ? blocks.bytes : null, 0, lengths, isRoot ? blocks.places : null, MPI.BYTE, root);
        return blocks;
    }

    void scatter(Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType, int root) {
        int[] counts = even(inCount);
        scatterv(in, inOffset, counts, places(counts), inType, out, outOffset, outCount, outType, root);
    }

    void scatterv(Object in, int inOffset, int[] inCounts, int[] displs, Datatype inType,
            Object out, int outOffset, int outCount, Datatype outType, int root) {
        boolean isRoot = on.isRoot(root);
        boolean takes = out != Collectives.IN_PLACE && (on.intra != null || root >= 0);
        Blocks blocks = isRoot ? Blocks.of(in, inOffset, inCounts, displs, inType) : null;
        int[] length = new int[1];
        calls.scatter(isRoot ? blocks.lengths : null, 0, 1, MPI.INT, length, 0, 1, MPI.INT, root);
        byte[] bytes = new byte[length[0]];
        calls.scatterv(isRoot ? blocks.bytes : null, 0, isRoot ? blocks.lengths : null,
                isRoot ? blocks.places : null, MPI.BYTE, bytes, 0, bytes.length, MPI.BYTE, root);
        if (takes) {
            ObjectFormat.decode(bytes, 0, bytes.length, out, outOffset, outCount, outType);
        }
    }

    void allgather(Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType) {
        int[] counts = even(outCount);
        allgatherv(in, inOffset, inCount, inType, out, outOffset, counts, places(counts), outType);
    }

    void allgatherv(Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int[] outCounts, int[] displs, Datatype outType) {
        if (in == Collectives.IN_PLACE) {
            int rank = on.intra().rank();
            int at = outOffset + displs[rank] * outType.Extent();
            allgather(ObjectFormat.encode(out, at, outCounts[rank], outType))
                    .decode(out, outOffset, outCounts, displs, outType, rank);
        } else {
            allgather(ObjectFormat.encode(in, inOffset, inCount, inType))
                    .decode(out, outOffset, outCounts, displs, outType, NONE_IN_PLACE);
        }
    }

    /** Returns the encoded objects of all peers. */
    Blocks allgather(ObjectFormat.Encoded objects) {
        int[] lengths = new int[on.peers()];
        calls.allgather(new int[] {objects.length()}, 0, 1, MPI.INT, lengths, 0, 1, MPI.INT);
        Blocks blocks = Blocks.withRoom(lengths);
        calls.allgatherv(objects.bytes(), 0, objects.length(), MPI.BYTE, blocks.bytes, 0, lengths, blocks.places,
                MPI.BYTE);
        return blocks;
    }

    void alltoall(Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType) {
        int[] inCounts = even(inCount);
        int[] outCounts = even(outCount);
        alltoallv(in, inOffset, inCounts, places(inCounts), inType, out, outOffset, outCounts,
                places(outCounts), outType);
    }

    void alltoallv(Object in, int inOffset, int[] inCounts, int[] inDispls, Datatype inType,
            Object out, int outOffset, int[] outCounts, int[] outDispls, Datatype outType) {
        Blocks from = Blocks.of(in, inOffset, inCounts, inDispls, inType);
        int[] lengths = new int[on.peers()];
        calls.alltoall(from.lengths, 0, 1, MPI.INT, lengths, 0, 1, MPI.INT);
        Blocks to = Blocks.withRoom(lengths);
        calls.alltoallv(from.bytes, 0, from.lengths, from.places, MPI.BYTE, to.bytes, 0, to.lengths, to.places,
                MPI.BYTE);
        to.decode(out, outOffset, outCounts, outDispls, outType, NONE_IN_PLACE);
    }
}
