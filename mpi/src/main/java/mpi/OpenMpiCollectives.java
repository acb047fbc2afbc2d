package mpi;

import java.nio.Buffer;

/**
 * Collective calls that move data, as Open MPI names them. Calls with one buffer where others have two work in place:
 * at the root, or everywhere if there is none, it is both, or what the rank itself gives lies where it belongs.
 */
abstract class OpenMpiCollectives extends CommReductions {
    OpenMpiCollectives() {}

    public final void barrier() throws MPIException {
        meet();
    }

    public final Request iBarrier() throws MPIException {
        return startMeeting();
    }

    public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
        broadcast(buf, 0, count, type, root);
    }

    public final Request iBcast(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return startBroadcast(buf, 0, count, type, root);
    }

    public final void gather(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount,
            Datatype recvType, int root) throws MPIException {
        gatherInto(sendBuf, 0, sendCount, sendType, recvBuf, 0, recvCount, recvType, root);
    }

    public final void gather(Object buf, int count, Datatype type, int root) throws MPIException {
        if (isRootOf(root)) {
            gatherInto(IN_PLACE, 0, 0, null, buf, 0, count, type, root);
        } else {
            gatherInto(buf, 0, count, type, null, 0, 0, null, root);
        }
    }

    public final Request iGather(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf, int recvCount,
            Datatype recvType, int root) throws MPIException {
        return igatherInto(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType, root);
    }

    public final Request iGather(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return isRootOf(root) ? igatherInto(IN_PLACE, 0, null, buf, count, type, root)
                : igatherInto(buf, count, type, null, 0, null, root);
    }

    public final void gatherv(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int[] recvCount,
            int[] displs, Datatype recvType, int root) throws MPIException {
        gathervInto(sendBuf, 0, sendCount, sendType, recvBuf, 0, recvCount, displs, recvType, root);
    }

    /** At the root, whose own block is in its place. */
    public final void gatherv(Object recvBuf, int[] recvCount, int[] displs, Datatype recvType, int root)
            throws MPIException {
        gathervInto(IN_PLACE, 0, 0, null, recvBuf, 0, recvCount, displs, recvType, root);
    }

    /** At all ranks but the root. */
    public final void gatherv(Object sendBuf, int sendCount, Datatype sendType, int root) throws MPIException {
        gathervInto(sendBuf, 0, sendCount, sendType, null, 0, null, null, null, root);
    }

    public final Request iGatherv(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf, int[] recvCount,
            int[] displs, Datatype recvType, int root) throws MPIException {
        return igathervInto(sendBuf, sendCount, sendType, recvBuf, recvCount, displs, recvType, root);
    }

    /** At the root, whose own block is in its place. */
    public final Request iGatherv(Buffer recvBuf, int[] recvCount, int[] displs, Datatype recvType, int root)
            throws MPIException {
        return igathervInto(IN_PLACE, 0, null, recvBuf, recvCount, displs, recvType, root);
    }

    /** At all ranks but the root. */
    public final Request iGatherv(Buffer sendBuf, int sendCount, Datatype sendType, int root) throws MPIException {
        return igathervInto(sendBuf, sendCount, sendType, null, null, null, null, root);
    }

    public final void scatter(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount,
            Datatype recvType, int root) throws MPIException {
        scatterFrom(sendBuf, 0, sendCount, sendType, recvBuf, 0, recvCount, recvType, root);
    }

    public final void scatter(Object buf, int count, Datatype type, int root) throws MPIException {
        if (isRootOf(root)) {
            scatterFrom(buf, 0, count, type, IN_PLACE, 0, 0, null, root);
        } else {
            scatterFrom(null, 0, 0, null, buf, 0, count, type, root);
        }
    }

    public final Request iScatter(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf, int recvCount,
            Datatype recvType, int root) throws MPIException {
        return iscatterFrom(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType, root);
    }

    public final Request iScatter(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return isRootOf(root) ? iscatterFrom(buf, count, type, IN_PLACE, 0, null, root)
                : iscatterFrom(null, 0, null, buf, count, type, root);
    }

    public final void scatterv(Object sendBuf, int[] sendCount, int[] displs, Datatype sendType, Object recvBuf,
            int recvCount, Datatype recvType, int root) throws MPIException {
        scattervFrom(sendBuf, 0, sendCount, displs, sendType, recvBuf, 0, recvCount, recvType, root);
    }

    /** At the root, whose own block stays. */
    public final void scatterv(Object sendBuf, int[] sendCount, int[] displs, Datatype sendType, int root)
            throws MPIException {
        scattervFrom(sendBuf, 0, sendCount, displs, sendType, IN_PLACE, 0, 0, null, root);
    }

    /** At all ranks but the root. */
    public final void scatterv(Object recvBuf, int recvCount, Datatype recvType, int root) throws MPIException {
        scattervFrom(null, 0, null, null, null, recvBuf, 0, recvCount, recvType, root);
    }

    public final Request iScatterv(Buffer sendBuf, int[] sendCount, int[] displs, Datatype sendType, Buffer recvBuf,
            int recvCount, Datatype recvType, int root) throws MPIException {
        return iscattervFrom(sendBuf, sendCount, displs, sendType, recvBuf, recvCount, recvType, root);
    }

    /** At the root, whose own block stays. */
    public final Request iScatterv(Buffer sendBuf, int[] sendCount, int[] displs, Datatype sendType, int root)
            throws MPIException {
        return iscattervFrom(sendBuf, sendCount, displs, sendType, IN_PLACE, 0, null, root);
    }

    /** At all ranks but the root. */
    public final Request iScatterv(Buffer recvBuf, int recvCount, Datatype recvType, int root) throws MPIException {
        return iscattervFrom(null, null, null, null, recvBuf, recvCount, recvType, root);
    }

    public final void allGather(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount,
            Datatype recvType) throws MPIException {
        allgatherInto(sendBuf, 0, sendCount, sendType, recvBuf, 0, recvCount, recvType);
    }

    public final void allGather(Object buf, int count, Datatype type) throws MPIException {
        allgatherInto(IN_PLACE, 0, 0, null, buf, 0, count, type);
    }

    public final Request iAllGather(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf, int recvCount,
            Datatype recvType) throws MPIException {
        return iallgatherInto(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType);
    }

    public final Request iAllGather(Buffer buf, int count, Datatype type) throws MPIException {
        return iallgatherInto(IN_PLACE, 0, null, buf, count, type);
    }

    public final void allGatherv(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int[] recvCount,
            int[] displs, Datatype recvType) throws MPIException {
        allgathervInto(sendBuf, 0, sendCount, sendType, recvBuf, 0, recvCount, displs, recvType);
    }

    public final void allGatherv(Object recvBuf, int[] recvCount, int[] displs, Datatype recvType)
            throws MPIException {
        allgathervInto(IN_PLACE, 0, 0, null, recvBuf, 0, recvCount, displs, recvType);
    }

    public final Request iAllGatherv(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf,
            int[] recvCount, int[] displs, Datatype recvType) throws MPIException {
        return iallgathervInto(sendBuf, sendCount, sendType, recvBuf, recvCount, displs, recvType);
    }

    public final Request iAllGatherv(Buffer buf, int[] count, int[] displs, Datatype type) throws MPIException {
        return iallgathervInto(IN_PLACE, 0, null, buf, count, displs, type);
    }

    public final void allToAll(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount,
            Datatype recvType) throws MPIException {
        alltoallInto(sendBuf, 0, sendCount, sendType, recvBuf, 0, recvCount, recvType);
    }

    public final Request iAllToAll(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf, int recvCount,
            Datatype recvType) throws MPIException {
        return ialltoallInto(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType);
    }

    public final void allToAllv(Object sendBuf, int[] sendCount, int[] sdispls, Datatype sendType, Object recvBuf,
            int[] recvCount, int[] rdispls, Datatype recvType) throws MPIException {
        alltoallvInto(sendBuf, 0, sendCount, sdispls, sendType, recvBuf, 0, recvCount, rdispls, recvType);
    }

    public final Request iAllToAllv(Buffer sendBuf, int[] sendCount, int[] sdispls, Datatype sendType, Buffer recvBuf,
            int[] recvCount, int[] rdispls, Datatype recvType) throws MPIException {
        return ialltoallvInto(sendBuf, sendCount, sdispls, sendType, recvBuf, recvCount, rdispls, recvType);
    }

    /** Displacements are in bytes. */
    public final void allToAllw(Object sendBuf, int[] sendCount, int[] sDispls, Datatype[] sendTypes, Object recvBuf,
            int[] recvCount, int[] rDispls, Datatype[] recvTypes) throws MPIException {
        alltoallwInto(sendBuf, sendCount, sDispls, sendTypes, recvBuf, recvCount, rDispls, recvTypes);
    }

    /** Displacements are in bytes. */
    public final Request iAllToAllw(Buffer sendBuf, int[] sendCount, int[] sDispls, Datatype[] sendTypes,
            Buffer recvBuf, int[] recvCount, int[] rDispls, Datatype[] recvTypes) throws MPIException {
        return ialltoallwInto(sendBuf, sendCount, sDispls, sendTypes, recvBuf, recvCount, rDispls, recvTypes);
    }

    public final void neighborAllGather(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf,
            int recvCount, Datatype recvType) throws MPIException {
        neighbourAllgather(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType);
    }

    public final Request iNeighborAllGather(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf,
            int recvCount, Datatype recvType) throws MPIException {
        return ineighbourAllgather(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType);
    }

    public final void neighborAllGatherv(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf,
            int[] recvCount, int[] displs, Datatype recvType) throws MPIException {
        neighbourAllgatherv(sendBuf, sendCount, sendType, recvBuf, recvCount, displs, recvType);
    }

    public final Request iNeighborAllGatherv(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf,
            int[] recvCount, int[] displs, Datatype recvType) throws MPIException {
        return ineighbourAllgatherv(sendBuf, sendCount, sendType, recvBuf, recvCount, displs, recvType);
    }

    public final void neighborAllToAll(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf,
            int recvCount, Datatype recvType) throws MPIException {
        neighbourAlltoall(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType);
    }

    public final Request iNeighborAllToAll(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf,
            int recvCount, Datatype recvType) throws MPIException {
        return ineighbourAlltoall(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType);
    }

    public final void neighborAllToAllv(Object sendBuf, int[] sendCount, int[] sdispls, Datatype sendType,
            Object recvBuf, int[] recvCount, int[] rdispls, Datatype recvType) throws MPIException {
        neighbourAlltoallv(sendBuf, sendCount, sdispls, sendType, recvBuf, recvCount, rdispls, recvType);
    }

    public final Request iNeighborAllToAllv(Buffer sendBuf, int[] sendCount, int[] sdispls, Datatype sendType,
            Buffer recvBuf, int[] recvCount, int[] rdispls, Datatype recvType) throws MPIException {
        return ineighbourAlltoallv(sendBuf, sendCount, sdispls, sendType, recvBuf, recvCount, rdispls, recvType);
    }

    /** As {@link #isRoot}, where nothing else catches its error. */
    final boolean isRootOf(int root) {
        try {
            return isRoot(root);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }
}
