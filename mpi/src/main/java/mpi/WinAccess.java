package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;

/** Accesses of a rank to the memory of others in a window. Displacements are in units of the target. */
final class WinAccess {
    private final WinHandle on;

    WinAccess(WinHandle on) {
        this.on = on;
    }

    /** Returns whether both sides are consecutive elements of one Java type in memory: their bytes are copied. */
    private static boolean isPlain(Object memory, int count, Datatype type, int targetCount, Datatype targetType) {
        return type == targetType && type != null && type.array != null && count == targetCount && count >= 0
                && memory instanceof MemorySegment;
    }

    void put(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
            Datatype targetType) {
        try {
            Object from = Memory.base(origin);
            if (isPlain(from, orgCount, orgType, targetCount, targetType)) {
                on.core().put(from, 0, (long) orgCount * orgType.base.bytes, targetRank, targetDisp);
            } else {
                on.core().put(from, Memory.at(origin, 0), orgCount, Datatype.core(orgType), targetRank, targetDisp,
                        targetCount, Datatype.core(targetType));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request rput(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
            Datatype targetType) {
        return on.get(() -> new Request(on, on.core().rput(Memory.base(origin), Memory.at(origin, 0), orgCount,
                Datatype.core(orgType), targetRank, targetDisp, targetCount, Datatype.core(targetType))));
    }

    void get(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
            Datatype targetType) {
        try {
            Object into = Memory.base(origin);
            if (isPlain(into, orgCount, orgType, targetCount, targetType)) {
                on.core().get(into, 0, (long) orgCount * orgType.base.bytes, targetRank, targetDisp);
            } else {
                on.core().get(into, Memory.at(origin, 0), orgCount, Datatype.core(orgType), targetRank, targetDisp,
                        targetCount, Datatype.core(targetType));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request rget(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
            Datatype targetType) {
        return on.get(() -> new Request(on, on.core().rget(Memory.base(origin), Memory.at(origin, 0), orgCount,
                Datatype.core(orgType), targetRank, targetDisp, targetCount, Datatype.core(targetType))));
    }

    void accumulate(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
            Datatype targetType, Op op) {
        on.run(() -> on.core().accumulate(Memory.base(origin), Memory.at(origin, 0), orgCount, Datatype.core(orgType),
                targetRank, targetDisp, targetCount, Datatype.core(targetType), predefined(op)));
    }

    Request raccumulate(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType, Op op) {
        return on.get(() -> new Request(on, on.core().raccumulate(Memory.base(origin), Memory.at(origin, 0), orgCount,
                Datatype.core(orgType), targetRank, targetDisp, targetCount, Datatype.core(targetType),
                predefined(op))));
    }

    void getAccumulate(Buffer origin, int orgCount, Datatype orgType, Buffer resultAddr, int resultCount,
            Datatype resultType, int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op) {
        on.run(() -> on.core().getAccumulate(Memory.base(origin), Memory.at(origin, 0), orgCount,
                typeUnless(op, orgType), Memory.base(resultAddr), Memory.at(resultAddr, 0), resultCount,
                Datatype.core(resultType), targetRank, targetDisp, targetCount, Datatype.core(targetType),
                predefined(op)));
    }

    Request rgetAccumulate(Buffer origin, int orgCount, Datatype orgType, Buffer resultAddr, int resultCount,
            Datatype resultType, int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op) {
        return on.get(() -> new Request(on, on.core().rgetAccumulate(Memory.base(origin), Memory.at(origin, 0),
                orgCount, typeUnless(op, orgType), Memory.base(resultAddr), Memory.at(resultAddr, 0), resultCount,
                Datatype.core(resultType), targetRank, targetDisp, targetCount, Datatype.core(targetType),
                predefined(op))));
    }

    void compareAndSwap(Buffer origin, Buffer compareAddr, Buffer resultAddr, Datatype targetType, int targetRank,
            int targetDisp) {
        on.run(() -> on.core().compareAndSwap(Memory.base(origin), Memory.at(origin, 0), Memory.base(compareAddr),
                Memory.at(compareAddr, 0), Memory.base(resultAddr), Memory.at(resultAddr, 0),
                Datatype.core(targetType), targetRank, targetDisp));
    }

    private static io.rankwire.Datatype typeUnless(Op op, Datatype type) {
        return op == MPI.NO_OP && type == null ? null : Datatype.core(type);
    }

    private static io.rankwire.Op predefined(Op op) {
        if (op == null || op.isNull() || op.isOwn()) {
            throw new MPIException(MPI.ERR_OP, "argument op: " + (op == null ? "null" : op.isNull() ? "a null one"
                    : "a function of the program's own is not for windows"));
        }
        return Op.core(op, MPI.BYTE);
    }
}
