package mpi;

import java.util.Arrays;

/**
 * Collective calls with {@link MPI#OBJECT} that move data. Each block is what a message of it would be; lengths go
 * first, then bytes, by calls of the same kind within a group or between two.
 */
final class ObjectCollectives {
    private static final byte[] NONE = new byte[0];
    /** For the rank whose block is decoded like all others. */
    private static final int NOBODY = -1;

    private ObjectCollectives() {}

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

        /** Puts all to their places, but for the objects of a rank that are there already. */
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

    /** Where blocks begin that lie one behind the other. */
    static int[] places(int[] lengths) {
        int[] places = new int[lengths.length];
        for (int i = 1; i < places.length; i++) {
            places[i] = Math.addExact(places[i - 1], lengths[i - 1]);
        }
        return places;
    }

    /** Ranks that a rank's data comes from. */
    static int peers(CommCollectives on) {
        on.core();
        return on.intra != null ? on.intra.size() : on.inter.remoteSize();
    }

    private static int[] even(CommCollectives on, int count) {
        int[] counts = new int[peers(on)];
        Arrays.fill(counts, count);
        return counts;
    }

    static void broadcast(CommCollectives on, Object buf, int offset, int count, Datatype type, int root) {
        boolean gives = on.isRoot(root);
        ObjectFormat.Encoded objects = gives ? ObjectFormat.encode(buf, offset, count, type) : null;
        int[] length = {gives ? objects.length() : 0};
        on.broadcast(length, 0, 1, MPI.INT, root);
        byte[] bytes = gives ? objects.bytes() : new byte[length[0]];
        on.broadcast(bytes, 0, length[0], MPI.BYTE, root);
        if (!gives && root != MPI.PROC_NULL) {
            ObjectFormat.decode(bytes, 0, bytes.length, buf, offset, count, type);
        }
    }

    static void gather(CommCollectives on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType, int root) {
        int[] counts = even(on, outCount);
        gatherv(on, in, inOffset, inCount, inType, out, outOffset, counts, places(counts), outType, root);
    }

    static void gatherv(CommCollectives on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int[] outCounts, int[] displs, Datatype outType, int root) {
        boolean inPlace = in == CommCollectives.IN_PLACE;
        boolean gives = !inPlace && (on.intra != null || root >= 0);
        ObjectFormat.Encoded objects = gives ? ObjectFormat.encode(in, inOffset, inCount, inType) : null;
        Blocks blocks = gather(on, objects, root);
        if (blocks != null) {
            blocks.decode(out, outOffset, outCounts, displs, outType, inPlace ? root : NOBODY);
        }
    }

    /** Encoded objects of all peers at the root; null elsewhere. */
    static Blocks gather(CommCollectives on, ObjectFormat.Encoded objects, int root) {
        boolean isRoot = on.isRoot(root);
        int[] length = {objects == null ? 0 : objects.length()};
        int[] lengths = isRoot ? new int[peers(on)] : null;
        on.gatherInto(length, 0, 1, MPI.INT, lengths, 0, 1, MPI.INT, root);
        Blocks blocks = isRoot ? Blocks.withRoom(lengths) : null;
        on.gathervInto(objects == null ? NONE : objects.bytes(), 0, length[0], MPI.BYTE,
                isRoot ? blocks.bytes : null, 0, lengths, isRoot ? blocks.places : null, MPI.BYTE, root);
        return blocks;
    }

    static void scatter(CommCollectives on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType, int root) {
        int[] counts = even(on, inCount);
        scatterv(on, in, inOffset, counts, places(counts), inType, out, outOffset, outCount, outType, root);
    }

    static void scatterv(CommCollectives on, Object in, int inOffset, int[] inCounts, int[] displs, Datatype inType,
            Object out, int outOffset, int outCount, Datatype outType, int root) {
        boolean isRoot = on.isRoot(root);
        boolean takes = out != CommCollectives.IN_PLACE && (on.intra != null || root >= 0);
        Blocks blocks = isRoot ? Blocks.of(in, inOffset, inCounts, displs, inType) : null;
        int[] length = new int[1];
        on.scatterFrom(isRoot ? blocks.lengths : null, 0, 1, MPI.INT, length, 0, 1, MPI.INT, root);
        byte[] bytes = new byte[length[0]];
        on.scattervFrom(isRoot ? blocks.bytes : null, 0, isRoot ? blocks.lengths : null,
                isRoot ? blocks.places : null, MPI.BYTE, bytes, 0, bytes.length, MPI.BYTE, root);
        if (takes) {
            ObjectFormat.decode(bytes, 0, bytes.length, out, outOffset, outCount, outType);
        }
    }

    static void allgather(CommCollectives on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType) {
        int[] counts = even(on, outCount);
        allgatherv(on, in, inOffset, inCount, inType, out, outOffset, counts, places(counts), outType);
    }

    static void allgatherv(CommCollectives on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int[] outCounts, int[] displs, Datatype outType) {
        if (in == CommCollectives.IN_PLACE) {
            int rank = on.intra().rank();
            int at = outOffset + displs[rank] * outType.Extent();
            allgather(on, ObjectFormat.encode(out, at, outCounts[rank], outType))
                    .decode(out, outOffset, outCounts, displs, outType, rank);
        } else {
            allgather(on, ObjectFormat.encode(in, inOffset, inCount, inType))
                    .decode(out, outOffset, outCounts, displs, outType, NOBODY);
        }
    }

    /** Encoded objects of all peers. */
    static Blocks allgather(CommCollectives on, ObjectFormat.Encoded objects) {
        int[] lengths = new int[peers(on)];
        on.allgatherInto(new int[] {objects.length()}, 0, 1, MPI.INT, lengths, 0, 1, MPI.INT);
        Blocks blocks = Blocks.withRoom(lengths);
        on.allgathervInto(objects.bytes(), 0, objects.length(), MPI.BYTE, blocks.bytes, 0, lengths, blocks.places,
                MPI.BYTE);
        return blocks;
    }

    static void alltoall(CommExchanges on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType) {
        int[] inCounts = even(on, inCount);
        int[] outCounts = even(on, outCount);
        alltoallv(on, in, inOffset, inCounts, places(inCounts), inType, out, outOffset, outCounts,
                places(outCounts), outType);
    }

    static void alltoallv(CommExchanges on, Object in, int inOffset, int[] inCounts, int[] inDispls, Datatype inType,
            Object out, int outOffset, int[] outCounts, int[] outDispls, Datatype outType) {
        Blocks from = Blocks.of(in, inOffset, inCounts, inDispls, inType);
        int[] lengths = new int[peers(on)];
        on.alltoallInto(from.lengths, 0, 1, MPI.INT, lengths, 0, 1, MPI.INT);
        Blocks to = Blocks.withRoom(lengths);
        on.alltoallvInto(from.bytes, 0, from.lengths, from.places, MPI.BYTE, to.bytes, 0, to.lengths, to.places,
                MPI.BYTE);
        to.decode(out, outOffset, outCounts, outDispls, outType, NOBODY);
    }
}
