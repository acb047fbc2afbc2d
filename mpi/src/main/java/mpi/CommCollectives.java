package mpi;

import io.rankwire.Intercommunicator;

/**
 * Collective calls, below both dialects. Arrays of the type that the datatype says go to core as they are; others as
 * {@link Memory} and datatypes; objects through {@link ObjectCollectives}.
 */
abstract class CommCollectives extends MpiJavaMessages {
    CommCollectives() {}

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
            return new Request(this, core() == inter ? inter.ibarrier() : intra.ibarrier(), null);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final void broadcast(Object buf, int offset, int count, Datatype type, int root) {
        try {
            if (intra != null && type != null && buf != null && buf.getClass() == type.array) {
                intra.broadcast(buf, offset, count, root);
            } else {
                broadcastUnusual(buf, offset, count, type, root);
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    private void broadcastUnusual(Object buf, int offset, int count, Datatype type, int root) {
        core();
        if (type != null && type.isObject()) {
            ObjectCollectives.broadcast(this, buf, offset, count, type, root);
        } else if (intra != null) {
            intra.broadcast(Memory.base(buf, type), Memory.at(buf, offset, type), count, Datatype.core(type), root);
        } else {
            startInterBroadcast(inter, buf, offset, count, type, root).complete();
        }
    }

    final Request startBroadcast(Object buf, int offset, int count, Datatype type, int root) {
        try {
            core();
            if (intra == null) {
                return startInterBroadcast(inter, buf, offset, count, type, root);
            }
            return new Request(this, intra.ibroadcast(
                    Memory.base(buf, type), Memory.at(buf, offset, type), count, Datatype.core(type), root), null);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Core's calls between two groups know no layouts: packed bytes go, and are unpacked when they are there. */
    private Request startInterBroadcast(
            Intercommunicator between, Object buf, int offset, int count, Datatype type, int root) {
        io.rankwire.Datatype layout = Datatype.core(type);
        byte[] bytes = new byte[root == MPI.PROC_NULL ? 0 : Math.toIntExact(layout.packSize(count))];
        if (root == MPI.ROOT) {
            layout.pack(Memory.base(buf, type), Memory.at(buf, offset, type), count, bytes, 0);
        }
        return new Request(this, between.ibroadcast(bytes, 0, bytes.length, root), status -> {
            if (root >= 0) {
                layout.unpack(bytes, 0, Memory.base(buf, type), Memory.at(buf, offset, type), count);
            }
            return new Status(status);
        });
    }
}
