package mpi;

import java.util.ArrayList;
import java.util.List;

/** Structs of mpiJava: blocks of types that share a base type, and markers for the bounds. */
final class StructLayout {
    private StructLayout() {}

    static Datatype of(int[] lengths, int[] displacements, Datatype[] types) {
        Datatype like = null;
        List<Integer> blocks = new ArrayList<>();
        boolean lower = false;
        boolean upper = false;
        int lowest = 0;
        int highest = 0;
        for (int i = 0; i < types.length; i++) {
            Datatype type = types[i];
            if (type != null && type.base == Datatype.Base.LOWER) {
                lowest = lower ? Math.min(lowest, displacements[i]) : displacements[i];
                lower = true;
            } else if (type != null && type.base == Datatype.Base.UPPER) {
                highest = upper ? Math.max(highest, displacements[i]) : displacements[i];
                upper = true;
            } else {
                Datatype.core(type);
                if (like != null && like.base != type.base) {
                    throw new MPIException(MPI.ERR_TYPE, "argument array_of_types: " + type + " and " + like
                            + " have different base types");
                }
                like = type;
                blocks.add(i);
            }
        }
        // Without elements it does not matter what they are.
        like = like == null ? MPI.BYTE : like;
        io.rankwire.Datatype struct = join(lengths, displacements, types, blocks, like.base.bytes);
        if (lower || upper) {
            long from = lower ? (long) lowest * like.base.bytes : struct.lowerBound();
            long to = upper ? (long) highest * like.base.bytes : struct.upperBound();
            struct = io.rankwire.Datatype.resized(from, to - from, struct);
        }
        io.rankwire.Datatype made = struct;
        return Datatype.layout(like, () -> made);
    }

    private static io.rankwire.Datatype join(
            int[] lengths, int[] displacements, Datatype[] types, List<Integer> blocks, int bytes) {
        int[] blockLengths = new int[blocks.size()];
        int[] places = new int[blocks.size()];
        io.rankwire.Datatype[] cores = new io.rankwire.Datatype[blocks.size()];
        for (int i = 0; i < cores.length; i++) {
            int from = blocks.get(i);
            blockLengths[i] = lengths[from];
            places[i] = displacements[from];
            cores[i] = types[from].core;
        }
        return io.rankwire.Datatype.struct(blockLengths, Datatype.bytes(places, bytes), cores);
    }
}
