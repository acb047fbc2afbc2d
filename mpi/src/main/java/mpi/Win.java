package mpi;

import java.nio.Buffer;

/**
 * Memory of all ranks of a communicator that each rank can read, write and change. Sizes and displacement units are in
 * elements of the buffer that a rank passes.
 */
public final class Win implements Freeable {
    /** The null window of Open MPI, a number there as well. */
    public static final int WIN_NULL = 0;
    /** Memory that need not be shared. */
    public static final int FLAVOR_PRIVATE = 0;
    /** Memory that ranks of one machine share. */
    public static final int FLAVOR_SHARED = 1;

    private final WinHandle on;
    private final WinAccess access;

    private Win(WinHandle on) {
        this.on = on;
        access = new WinAccess(on);
    }

    /** Makes a window over the first elements of a buffer, all of it at most; called by all ranks (MPI_Win_create). */
    public Win(Buffer base, int size, int dispUnit, Info info, Comm comm) throws MPIException {
        this(WinHandle.over(base, size, dispUnit, info, comm.on));
    }

    /**
     * Makes a window over the buffer if it is large enough, else over new memory that {@link MPI#WIN_BASE} returns;
     * called by all ranks (MPI_Win_allocate, MPI_Win_allocate_shared).
     *
     * @param flavor {@link #FLAVOR_PRIVATE} or {@link #FLAVOR_SHARED}
     */
    public Win(int size, int dispUnit, Info info, Comm comm, Buffer base, int flavor) throws MPIException {
        this(WinHandle.allocated(size, dispUnit, info, comm.on, base, flavor));
    }

    /** Makes a window without memory, see {@link #attach}; called by all ranks (MPI_Win_create_dynamic). */
    public Win(Info info, Comm comm) throws MPIException {
        this(WinHandle.dynamic(info, comm.on));
    }

    /**
     * Adds a buffer to a window that was made without memory (MPI_Win_attach). Displacements are in bytes: the first
     * buffer that a rank attaches begins at 0, another at the next multiple of 64 where it has room.
     */
    public void attach(Buffer base, int size) throws MPIException {
        on.run(() -> on.core().attach(WinHandle.part(base, size)));
    }

    /** Removes a buffer that was attached (MPI_Win_detach). */
    public void detach(Buffer base) throws MPIException {
        on.run(() -> on.core().detach(WinHandle.part(base, 0)));
    }

    // Synchronization; no assertion is needed

    /** Completes all accesses since the last fence and allows new ones; called by all ranks (MPI_Win_fence). */
    public void fence(int assertion) throws MPIException {
        on.run(() -> on.core(assertion).fence());
    }

    /** Begins accesses to the ranks of a group (MPI_Win_start). */
    public void start(Group group, int assertion) throws MPIException {
        on.run(() -> on.core(assertion).start(Group.core(group)));
    }

    /** Completes the accesses since {@link #start} (MPI_Win_complete). */
    public void complete() throws MPIException {
        on.run(() -> on.core().complete());
    }

    /** Lets the ranks of a group access this rank's memory (MPI_Win_post). */
    public void post(Group group, int assertion) throws MPIException {
        on.run(() -> on.core(assertion).post(Group.core(group)));
    }

    /** Waits until all ranks that {@link #post} lets in have completed their accesses (MPI_Win_wait). */
    public void waitFor() throws MPIException {
        on.run(() -> on.core().await());
    }

    /** Returns whether {@link #waitFor} would return at once (MPI_Win_test). */
    public boolean test() throws MPIException {
        return on.get(() -> on.core().test());
    }

    /** Locks the memory of a rank (MPI_Win_lock). */
    public void lock(int lockType, int rank, int assertion) throws MPIException {
        on.run(() -> on.lockable(assertion).lock(WinHandle.lock(lockType), rank));
    }

    /** Completes the accesses to a rank and unlocks its memory (MPI_Win_unlock). */
    public void unlock(int rank) throws MPIException {
        on.run(() -> on.core().unlock(rank));
    }

    /** Locks the memory of all ranks for shared access (MPI_Win_lock_all). */
    public void lockAll(int assertion) throws MPIException {
        on.run(() -> on.lockable(assertion).lockAll());
    }

    /** Completes all accesses and unlocks the memory of all ranks (MPI_Win_unlock_all). */
    public void unlockAll() throws MPIException {
        on.run(() -> on.core().unlockAll());
    }

    /** Makes this rank's memory consistent with its private copy (MPI_Win_sync). */
    public void sync() throws MPIException {
        on.run(() -> on.core().sync());
    }

    /** Completes the accesses to a rank (MPI_Win_flush). */
    public void flush(int targetRank) throws MPIException {
        on.run(() -> on.core().flush(targetRank));
    }

    /** Completes the accesses to all ranks (MPI_Win_flush_all). */
    public void flushAll() throws MPIException {
        on.run(() -> on.core().flushAll());
    }

    /** Waits until the buffers of accesses to a rank can be used again (MPI_Win_flush_local). */
    public void flushLocal(int targetRank) throws MPIException {
        on.run(() -> on.core().flushLocal(targetRank));
    }

    /** Waits until the buffers of all accesses can be used again (MPI_Win_flush_local_all). */
    public void flushLocalAll() throws MPIException {
        on.run(() -> on.core().flushLocalAll());
    }

    // Accesses; displacements are in units of the target

    /** Writes elements to the memory of a rank (MPI_Put). */
    public void put(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
            Datatype targetType) throws MPIException {
        access.put(origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
    }

    /** As {@link #put}, with a request (MPI_Rput). */
    public Request rPut(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType) throws MPIException {
        return access.rput(origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
    }

    /** Reads elements from the memory of a rank (MPI_Get). */
    public void get(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
            Datatype targetType) throws MPIException {
        access.get(origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
    }

    /** As {@link #get}, with a request (MPI_Rget). */
    public Request rGet(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType) throws MPIException {
        return access.rget(origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
    }

    /** Combines elements with the memory of a rank by a predefined operation (MPI_Accumulate). */
    public void accumulate(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType, Op op) throws MPIException {
        access.accumulate(origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType, op);
    }

    /** As {@link #accumulate}, with a request (MPI_Raccumulate). */
    public Request rAccumulate(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType, Op op) throws MPIException {
        return access.raccumulate(origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType, op);
    }

    /**
     * As {@link #accumulate}, and reads the elements before they change (MPI_Get_accumulate). {@link MPI#NO_OP} ignores
     * the origin.
     */
    public void getAccumulate(Buffer origin, int orgCount, Datatype orgType, Buffer resultAddr, int resultCount,
            Datatype resultType, int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op)
            throws MPIException {
        access.getAccumulate(origin, orgCount, orgType, resultAddr, resultCount, resultType, targetRank, targetDisp,
                targetCount, targetType, op);
    }

    /** As {@link #getAccumulate}, with a request (MPI_Rget_accumulate). */
    public Request rGetAccumulate(Buffer origin, int orgCount, Datatype orgType, Buffer resultAddr, int resultCount,
            Datatype resultType, int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op)
            throws MPIException {
        return access.rgetAccumulate(origin, orgCount, orgType, resultAddr, resultCount, resultType, targetRank,
                targetDisp, targetCount, targetType, op);
    }

    /** As {@link #getAccumulate} with one element (MPI_Fetch_and_op). */
    public void fetchAndOp(Buffer origin, Buffer resultAddr, Datatype dataType, int targetRank, int targetDisp, Op op)
            throws MPIException {
        access.getAccumulate(origin, 1, dataType, resultAddr, 1, dataType, targetRank, targetDisp, 1, dataType, op);
    }

    /** Replaces one element if it equals another, and reads the element before it changes (MPI_Compare_and_swap). */
    public void compareAndSwap(Buffer origin, Buffer compareAddr, Buffer resultAddr, Datatype targetType,
            int targetRank, int targetDisp) throws MPIException {
        access.compareAndSwap(origin, compareAddr, resultAddr, targetType, targetRank, targetDisp);
    }

    // The window itself

    /** Returns the group of the ranks (MPI_Win_get_group). */
    public Group getGroup() throws MPIException {
        return on.get(() -> new Group(on.core().group()));
    }

    /** Ends the window; called by all ranks (MPI_Win_free). */
    @Override
    public void free() throws MPIException {
        on.run(on::free);
    }

    /** Returns the name that the program gave, or an empty text (MPI_Win_get_name). */
    public String getName() throws MPIException {
        return on.name();
    }

    /** Names the window (MPI_Win_set_name). */
    public void setName(String name) throws MPIException {
        on.name(name);
    }

    /** Returns a copy of the info object (MPI_Win_get_info). */
    public Info getInfo() throws MPIException {
        return on.info();
    }

    /** Keeps a copy of an info object (MPI_Win_set_info). */
    public void setInfo(Info info) throws MPIException {
        on.info(info);
    }

    /** Sets what happens to errors (MPI_Win_set_errhandler). */
    public void setErrhandler(Errhandler errhandler) throws MPIException {
        on.errhandler(errhandler);
    }

    /** Returns what happens to errors (MPI_Win_get_errhandler). */
    public Errhandler getErrhandler() throws MPIException {
        return on.errhandler();
    }

    /** Passes an error of the program to the error handler (MPI_Win_call_errhandler). */
    public void callErrhandler(int errorCode) throws MPIException {
        on.callErrhandler(errorCode);
    }

    /** Makes a key for attributes of windows (MPI_Win_create_keyval). */
    public static int createKeyval() throws MPIException {
        return RankState.mine().windowKeys.make();
    }

    /** Frees a key (MPI_Win_free_keyval). */
    public static void freeKeyval(int keyval) throws MPIException {
        RankState.mine().windowKeys.free(keyval);
    }

    /** Sets the value of an attribute (MPI_Win_set_attr). */
    public void setAttr(int keyval, Object value) throws MPIException {
        on.setAttribute(keyval, value);
    }

    /** Returns the value of an attribute, or null; {@link MPI#WIN_BASE} is this rank's buffer (MPI_Win_get_attr). */
    public Object getAttr(int keyval) throws MPIException {
        return on.getAttribute(keyval);
    }

    /** Removes the value of an attribute (MPI_Win_delete_attr). */
    public void deleteAttr(int keyval) throws MPIException {
        on.deleteAttribute(keyval);
    }

    @Override
    public String toString() {
        return on.toString();
    }
}
