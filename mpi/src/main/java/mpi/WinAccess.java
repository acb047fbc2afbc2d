package mpi;

import io.rankwire.Window;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;

/** What a rank does to the memory of others in a window. Displacements are in units of the target. */
abstract class WinAccess extends WinHandle {
    WinAccess(Window core, Buffer base, int bytes, int unit, Info info, Comm comm) {
        super(core, base, bytes, unit, info, comm);
    }

    /** Whether both sides are one row of the same type of Java, in memory: then bytes are moved as they are. */
    private static boolean isPlain(Object memory, int count, Datatype type, int targetCount, Datatype targetType) {
        return type == targetType && type != null && type.array != null && count == targetCount && count >= 0
                && memory instanceof MemorySegment;
    }

    public final void put(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType) throws MPIException {
        try {
            Object from = Memory.base(origin);
            if (isPlain(from, orgCount, orgType, targetCount, targetType)) {
                core().put(from, 0, (long) orgCount * orgType.base.bytes, targetRank, targetDisp);
            } else {
                core().put(from, Memory.at(origin, 0), orgCount, Datatype.core(orgType), targetRank, targetDisp,
                        targetCount, Datatype.core(targetType));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final Request rPut(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType) throws MPIException {
        try {
            return new Request(this, core().rput(Memory.base(origin), Memory.at(origin, 0), orgCount,
                    Datatype.core(orgType), targetRank, targetDisp, targetCount, Datatype.core(targetType)), null);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final void get(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType) throws MPIException {
        try {
            Object into = Memory.base(origin);
            if (isPlain(into, orgCount, orgType, targetCount, targetType)) {
                core().get(into, 0, (long) orgCount * orgType.base.bytes, targetRank, targetDisp);
            } else {
                core().get(into, Memory.at(origin, 0), orgCount, Datatype.core(orgType), targetRank, targetDisp,
                        targetCount, Datatype.core(targetType));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final Request rGet(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType) throws MPIException {
        try {
            return new Request(this, core().rget(Memory.base(origin), Memory.at(origin, 0), orgCount,
                    Datatype.core(orgType), targetRank, targetDisp, targetCount, Datatype.core(targetType)), null);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Combines with what is there; the operation is a predefined one. */
    public final void accumulate(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType, Op op) throws MPIException {
        try {
            core().accumulate(Memory.base(origin), Memory.at(origin, 0), orgCount, Datatype.core(orgType), targetRank,
                    targetDisp, targetCount, Datatype.core(targetType), predefined(op));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final Request rAccumulate(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType, Op op) throws MPIException {
        try {
            return new Request(this, core().raccumulate(Memory.base(origin), Memory.at(origin, 0), orgCount,
                    Datatype.core(orgType), targetRank, targetDisp, targetCount, Datatype.core(targetType),
                    predefined(op)), null);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** As {@link #accumulate}, and brings what was there before. With {@link MPI#NO_OP} the origin does not count. */
    public final void getAccumulate(Buffer origin, int orgCount, Datatype orgType, Buffer resultAddr, int resultCount,
            Datatype resultType, int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op)
            throws MPIException {
        try {
            core().getAccumulate(Memory.base(origin), Memory.at(origin, 0), orgCount, typeUnless(op, orgType),
                    Memory.base(resultAddr), Memory.at(resultAddr, 0), resultCount, Datatype.core(resultType),
                    targetRank, targetDisp, targetCount, Datatype.core(targetType), predefined(op));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final Request rGetAccumulate(Buffer origin, int orgCount, Datatype orgType, Buffer resultAddr,
            int resultCount, Datatype resultType, int targetRank, int targetDisp, int targetCount, Datatype targetType,
            Op op) throws MPIException {
        try {
            return new Request(this, core().rgetAccumulate(Memory.base(origin), Memory.at(origin, 0), orgCount,
                    typeUnless(op, orgType), Memory.base(resultAddr), Memory.at(resultAddr, 0), resultCount,
                    Datatype.core(resultType), targetRank, targetDisp, targetCount, Datatype.core(targetType),
                    predefined(op)), null);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** {@link #getAccumulate} of one element. */
    public final void fetchAndOp(Buffer origin, Buffer resultAddr, Datatype dataType, int targetRank, int targetDisp,
            Op op) throws MPIException {
        getAccumulate(origin, 1, dataType, resultAddr, 1, dataType, targetRank, targetDisp, 1, dataType, op);
    }

    /** Replaces one element if it is what is expected, and brings what was there before. */
    public final void compareAndSwap(Buffer origin, Buffer compareAddr, Buffer resultAddr, Datatype targetType,
            int targetRank, int targetDisp) throws MPIException {
        try {
            core().compareAndSwap(Memory.base(origin), Memory.at(origin, 0), Memory.base(compareAddr),
                    Memory.at(compareAddr, 0), Memory.base(resultAddr), Memory.at(resultAddr, 0),
                    Datatype.core(targetType), targetRank, targetDisp);
        } catch (RuntimeException e) {
            throw raised(e);
        }
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
