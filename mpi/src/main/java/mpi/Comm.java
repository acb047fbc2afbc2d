package mpi;

import io.rankwire.Communicator;
import io.rankwire.AnyCommunicator;
import java.nio.Buffer;

/**
 * A communicator, in both dialects. Names that begin with a capital letter are mpiJava's, the others Open MPI's.
 *
 * <p>In calls of mpiJava a buffer is an array, with an offset in elements. In calls of Open MPI a buffer is an array or
 * a buffer of {@code java.nio}, and begins with element 0, whatever its position and limit are. The buffer of a call
 * that only starts an operation may be direct or on the heap. An error goes to the error handler of the communicator
 * and is thrown as an {@link MPIException}.
 */
public class Comm implements Freeable, Cloneable {
    /** For {@link Intracomm#splitType}: one communicator for the ranks of each machine. */
    public static final int TYPE_SHARED = 0;

    /**
     * The group of the communicator; of an intercommunicator the remote group, as in MPJ Express. A group outlives its
     * communicator.
     */
    public Group group;

    final CommHandle on;
    /** The same as {@code on.core}, one field access nearer: sends and receives of a few bytes are faster with it. */
    private AnyCommunicator core;
    private final Messages messages;
    private final Collectives collectives;
    private final Reductions reductions;
    private final Neighbours neighbours;
    private Request request = MPI.REQUEST_NULL;

    Comm(CommHandle on) {
        this.on = on;
        messages = new Messages(on);
        collectives = new Collectives(on);
        reductions = new Reductions(on, collectives.objects);
        neighbours = new Neighbours(on);
        opened();
    }

    /** Connects a predefined communicator to a world, or with null makes it a null communicator. */
    final void open(Communicator core, Errhandler errhandler) {
        on.open(core);
        on.errhandler(errhandler);
        opened();
    }

    private void opened() {
        group = on.peerGroup();
        core = on.core;
    }

    // The communicator itself, Open MPI

    /** Returns the number of ranks of the group of this rank (MPI_Comm_size). */
    public final int getSize() throws MPIException {
        return on.size();
    }

    /** Returns this process's rank (MPI_Comm_rank). */
    public final int getRank() throws MPIException {
        return on.rank();
    }

    /** Returns the group of this rank (MPI_Comm_group). */
    public final Group getGroup() throws MPIException {
        return on.get(() -> new Group(on.core().group()));
    }

    /** Returns whether this is a null communicator. */
    public final boolean isNull() {
        return on.core == null;
    }

    /** Returns whether this communicator connects two groups (MPI_Comm_test_inter). */
    public final boolean isInter() throws MPIException {
        return on.get(() -> on.core() == on.inter);
    }

    /** Returns {@link MPI#CART}, {@link MPI#GRAPH}, {@link MPI#DIST_GRAPH} or {@link MPI#UNDEFINED} (MPI_Topo_test). */
    public final int getTopology() throws MPIException {
        return on.get(on::topology);
    }

    /** Compares two communicators (MPI_Comm_compare). */
    public static int compare(Comm comm1, Comm comm2) throws MPIException {
        return comm1.on.get(() -> comm1.on.compare(comm2.on));
    }

    /** Makes a communicator of the same ranks, with messages of its own. */
    @Override
    public Comm clone() {
        return dup();
    }

    /** Makes a communicator of the same ranks, with messages of its own (MPI_Comm_dup). */
    public Comm dup() throws MPIException {
        throw on.raised(new MPIException(MPI.ERR_COMM, "the communicator is null"));
    }

    /** As {@link #dup}; {@link #getRequest} of the new communicator is complete at once (MPI_Comm_idup). */
    public Comm iDup() throws MPIException {
        Comm copy = dup();
        copy.request = Request.done(copy.on, Status.empty());
        return copy;
    }

    /** As {@link #dup}, with info of its own (MPI_Comm_dup_with_info). */
    public Comm dupWithInfo(Info info) throws MPIException {
        Comm copy = dup();
        copy.setInfo(info);
        return copy;
    }

    /** Returns the request of {@link #iDup}. */
    public final Request getRequest() {
        return request;
    }

    /** Ends the communicator, which is null afterwards (MPI_Comm_free). */
    @Override
    public final void free() throws MPIException {
        on.run(on::free);
        core = null;
    }

    /** As {@link #free} (MPI_Comm_disconnect). */
    public final void disconnect() throws MPIException {
        free();
    }

    /**
     * Connects two communicators that have no rank in common (MPI_Intercomm_create); called on a communicator that
     * holds both leaders.
     *
     * @param localComm the communicator of this rank's side
     * @param localLeader the leader's rank in {@code localComm}
     * @param remoteLeader the rank in this communicator of the other side's leader
     * @param tag for the messages between the leaders
     */
    public final Intercomm createIntercomm(Comm localComm, int localLeader, int remoteLeader, int tag)
            throws MPIException {
        return on.get(() -> new Intercomm(
                localComm.on.intra().intercommunicator(localLeader, on.intra, remoteLeader, tag), getErrhandler()));
    }

    /** Names the communicator; errors and reports use the name (MPI_Comm_set_name). */
    public final void setName(String name) throws MPIException {
        on.rename(name);
    }

    /** Returns the name that the program gave, or an empty text (MPI_Comm_get_name). */
    public final String getName() throws MPIException {
        return on.name();
    }

    /**
     * Changes the hints of this communicator on this rank (MPI_Comm_set_info). Hints whose keys are not in the info
     * object stay as they are; keys that the library does not know are ignored. The keys:
     *
     * <ul>
     *   <li>{@code mpi_assert_no_any_source}, {@code mpi_assert_no_any_tag}: {@code true} promises that no receive or
     *       probe of this rank uses the wildcard; one that does fails
     *   <li>{@code rankwire_expected_receives}, {@code rankwire_expected_messages}: how many receives are posted and
     *       how many messages wait for a receive at a time; see {@link io.rankwire.Hints}
     *   <li>{@code rankwire_spread}: {@code source:N} or {@code tag:N} spreads them over N queues
     *   <li>{@code rankwire_matched_by_network}: {@code true} lets the matcher of the network hold the receives, if
     *       both promises are given; see {@link io.rankwire.Hints}
     * </ul>
     *
     * A communicator that {@link #dup} makes has no hints, as in MPI 4.
     */
    public final void setInfo(Info info) throws MPIException {
        on.info(info);
    }

    /** Returns the hints that are in force, with the keys of {@link #setInfo} (MPI_Comm_get_info). */
    public final Info getInfo() throws MPIException {
        return on.info();
    }

    /** Sets what happens to errors (MPI_Comm_set_errhandler). */
    public final void setErrhandler(Errhandler errhandler) throws MPIException {
        on.errhandler(errhandler);
    }

    /** Returns what happens to errors (MPI_Comm_get_errhandler). */
    public final Errhandler getErrhandler() throws MPIException {
        return on.errhandler();
    }

    /** Passes an error of the program to the error handler (MPI_Comm_call_errhandler). */
    public void callErrhandler(int errorCode) throws MPIException {
        on.callErrhandler(errorCode);
    }

    /** Ends the job; its exit status is the error code (MPI_Abort). */
    public final void abort(int errorcode) throws MPIException {
        on.abort(errorcode);
    }

    /** Makes a key for attributes of communicators (MPI_Comm_create_keyval). */
    public static int createKeyval() throws MPIException {
        return RankState.mine().communicatorKeys.make();
    }

    /** Frees a key; values that it has stay (MPI_Comm_free_keyval). */
    public static void freeKeyval(int keyval) throws MPIException {
        RankState.mine().communicatorKeys.free(keyval);
    }

    /** Sets the value of an attribute (MPI_Comm_set_attr). */
    public final void setAttr(int keyval, Object value) throws MPIException {
        on.setAttribute(keyval, value);
    }

    /** Returns the value of an attribute, or null (MPI_Comm_get_attr). */
    public final Object getAttr(int keyval) throws MPIException {
        return on.getAttribute(keyval);
    }

    /** Removes the value of an attribute (MPI_Comm_delete_attr). */
    public final void deleteAttr(int keyval) throws MPIException {
        on.deleteAttribute(keyval);
    }

    // Processes that fail, with the names of ULFM, Open MPI

    /** Ends all calls on this communicator, at all ranks, with {@link MPI#ERR_REVOKED} (MPIX_Comm_revoke). */
    public final void revoke() throws MPIException {
        on.run(() -> on.core().revoke());
    }

    /** Returns whether the communicator was revoked, as far as this rank knows (MPIX_Comm_is_revoked). */
    public final boolean isRevoked() throws MPIException {
        return on.get(() -> on.core().isRevoked());
    }

    /** Makes a communicator of the ranks that live; all of them call it (MPIX_Comm_shrink). */
    public Comm shrink() throws MPIException {
        throw on.raised(new MPIException(MPI.ERR_COMM, "the communicator is null"));
    }

    /** As {@link #shrink}; {@link #getRequest} of the new communicator is complete at once (MPIX_Comm_ishrink). */
    public Comm iShrink() throws MPIException {
        Comm live = shrink();
        live.request = Request.done(live.on, Status.empty());
        return live;
    }

    /** As {@link #agree(int[])}; returns the bits (MPIX_Comm_agree). */
    public final int agree(int flag) throws MPIException {
        int[] flags = {flag};
        agree(flags);
        return flags[0];
    }

    /**
     * Agrees on the bits that all live ranks give, or all of the remote group (MPIX_Comm_agree). If a rank is dead and
     * not all have acknowledged that, it fails with {@link MPI#ERR_PROC_FAILED} at all ranks, after it has set the
     * bits. The bits are 0 if a rank calls {@link #shrink} or {@link Intracomm#replace} meanwhile.
     *
     * @param flag element 0 is the bits of this rank, and then the result
     */
    public final void agree(int[] flag) throws MPIException {
        on.run(() -> on.core().agreeOfLive(flag));
    }

    /** Starts {@link #agree(int[])} (MPIX_Comm_iagree). */
    public final Request iAgree(int[] flag) throws MPIException {
        return on.get(() -> new Request(on, on.core().iagreeOfLive(flag)));
    }

    /** Returns the ranks that are known to be dead, of both groups if there are two (MPIX_Comm_get_failed). */
    public final Group getFailed() throws MPIException {
        return on.get(() -> new Group(on.core().failed()));
    }

    /**
     * Acknowledges the first of the failed ranks: receives from any source go on without them (MPIX_Comm_ack_failed).
     *
     * @return how many are acknowledged now
     */
    public final int ackFailed(int numToAck) throws MPIException {
        return on.get(() -> on.core().acknowledge(numToAck).size());
    }

    /** Acknowledges all failed ranks (MPIX_Comm_failure_ack). */
    public final void failureAck() throws MPIException {
        on.run(() -> on.core().acknowledge());
    }

    /** Returns the ranks whose failure was acknowledged (MPIX_Comm_failure_get_acked). */
    public final Group failureGetAcked() throws MPIException {
        return on.get(() -> new Group(on.core().acknowledge(0)));
    }

    // The same, mpiJava

    /** As {@link #revoke}. */
    public final void Revoke() throws MPIException {
        revoke();
    }

    /** As {@link #isRevoked}. */
    public final boolean Is_revoked() throws MPIException {
        return isRevoked();
    }

    /** As {@link #agree(int)}. */
    public final int Agree(int flag) throws MPIException {
        return agree(flag);
    }

    /** As {@link #agree(int[])}. */
    public final void Agree(int[] flag) throws MPIException {
        agree(flag);
    }

    /** As {@link #iAgree}. */
    public final Request Iagree(int[] flag) throws MPIException {
        return iAgree(flag);
    }

    /** As {@link #getFailed}. */
    public final Group Get_failed() throws MPIException {
        return getFailed();
    }

    /** As {@link #ackFailed}. */
    public final int Ack_failed(int num_to_ack) throws MPIException {
        return ackFailed(num_to_ack);
    }

    /** As {@link #failureAck}. */
    public final void Failure_ack() throws MPIException {
        failureAck();
    }

    /** As {@link #failureGetAcked}. */
    public final Group Failure_get_acked() throws MPIException {
        return failureGetAcked();
    }

    // The communicator itself, mpiJava

    /** As {@link #getSize}. */
    public final int Size() throws MPIException {
        return getSize();
    }

    /** As {@link #getRank}. */
    public final int Rank() throws MPIException {
        return getRank();
    }

    /** As {@link #getGroup}. */
    public final Group Group() throws MPIException {
        return getGroup();
    }

    /** As {@link #isInter}. */
    public final boolean Test_inter() throws MPIException {
        return isInter();
    }

    /** As {@link #getTopology}. */
    public final int Topo_test() throws MPIException {
        return getTopology();
    }

    /** As {@link #compare}. */
    public static int Compare(Comm comm1, Comm comm2) throws MPIException {
        return compare(comm1, comm2);
    }

    /** As {@link #free}. */
    public final void Free() throws MPIException {
        free();
    }

    /** As {@link #createIntercomm}. */
    public final Intercomm Create_intercomm(Comm local_comm, int local_leader, int remote_leader, int tag)
            throws MPIException {
        return createIntercomm(local_comm, local_leader, remote_leader, tag);
    }

    /** As {@link #abort}. */
    public final void Abort(int errorcode) throws MPIException {
        abort(errorcode);
    }

    /** As {@link #setErrhandler}. */
    public final void Errhandler_set(Errhandler errhandler) throws MPIException {
        setErrhandler(errhandler);
    }

    /** As {@link #getErrhandler}. */
    public final Errhandler Errhandler_get() throws MPIException {
        return getErrhandler();
    }

    /** As {@link #setAttr}. */
    public final void Attr_put(int keyval, Object value) throws MPIException {
        setAttr(keyval, value);
    }

    /** As {@link #getAttr}. */
    public final Object Attr_get(int keyval) throws MPIException {
        return getAttr(keyval);
    }

    /** As {@link #deleteAttr}. */
    public final void Attr_delete(int keyval) throws MPIException {
        deleteAttr(keyval);
    }

    // Messages, Open MPI

    /** Sends elements in standard mode (MPI_Send). */
    public final void send(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send(core, buf, 0, count, type, dest, tag);
    }

    /** Receives elements and returns the status (MPI_Recv). */
    public final Status recv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.receive(core, buf, 0, count, type, source, tag);
    }

    /** Sends to one rank and receives from another at the same time (MPI_Sendrecv). */
    public final Status sendRecv(Object sendbuf, int sendcount, Datatype sendtype, int dest, int sendtag,
            Object recvbuf, int recvcount, Datatype recvtype, int source, int recvtag) throws MPIException {
        return messages.sendReceive(sendbuf, 0, sendcount, sendtype, dest, sendtag, recvbuf, 0, recvcount, recvtype,
                source, recvtag);
    }

    /** Sends a buffer and receives into the same buffer (MPI_Sendrecv_replace). */
    public final Status sendRecvReplace(Object buf, int count, Datatype type, int dest, int sendtag, int source,
            int recvtag) throws MPIException {
        return messages.sendReceiveReplace(buf, 0, count, type, dest, sendtag, source, recvtag);
    }

    /** Copies elements and sends the copy (MPI_Bsend). */
    public final void bSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send(SendMode.BUFFERED, buf, 0, count, type, dest, tag);
    }

    /** Sends elements and waits until their receive has begun (MPI_Ssend). */
    public final void sSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send(SendMode.SYNCHRONOUS, buf, 0, count, type, dest, tag);
    }

    /** Sends elements to a receive that is known to be posted (MPI_Rsend). */
    public final void rSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send(SendMode.READY, buf, 0, count, type, dest, tag);
    }

    /** Starts a send in standard mode (MPI_Isend). */
    public final Request iSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend(SendMode.STANDARD, buf, 0, count, type, dest, tag);
    }

    /** Starts a send in buffered mode (MPI_Ibsend). */
    public final Request ibSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend(SendMode.BUFFERED, buf, 0, count, type, dest, tag);
    }

    /** Starts a send in synchronous mode (MPI_Issend). */
    public final Request isSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend(SendMode.SYNCHRONOUS, buf, 0, count, type, dest, tag);
    }

    /** Starts a send in ready mode (MPI_Irsend). */
    public final Request irSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend(SendMode.READY, buf, 0, count, type, dest, tag);
    }

    /** Starts a receive (MPI_Irecv). */
    public final Request iRecv(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.irecv(buf, 0, count, type, source, tag);
    }

    /** Makes a persistent send in standard mode (MPI_Send_init). */
    public final Prequest sendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.sendInit(SendMode.STANDARD, buf, 0, count, type, dest, tag);
    }

    /** Makes a persistent send in buffered mode (MPI_Bsend_init). */
    public final Prequest bSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.sendInit(SendMode.BUFFERED, buf, 0, count, type, dest, tag);
    }

    /** Makes a persistent send in synchronous mode (MPI_Ssend_init). */
    public final Prequest sSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.sendInit(SendMode.SYNCHRONOUS, buf, 0, count, type, dest, tag);
    }

    /** Makes a persistent send in ready mode (MPI_Rsend_init). */
    public final Prequest rSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.sendInit(SendMode.READY, buf, 0, count, type, dest, tag);
    }

    /** Makes a persistent receive (MPI_Recv_init). */
    public final Prequest recvInit(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.receiveInit(buf, 0, count, type, source, tag);
    }

    /** Packs elements behind a position in a byte array and returns the position after them (MPI_Pack). */
    public final int pack(Object inbuf, int incount, Datatype type, byte[] outbuf, int position) throws MPIException {
        return messages.pack(inbuf, 0, incount, type, outbuf, position);
    }

    /** Unpacks elements from a position in a byte array and returns the position after them (MPI_Unpack). */
    public final int unpack(byte[] inbuf, int position, Object outbuf, int outcount, Datatype type)
            throws MPIException {
        return messages.unpack(inbuf, position, outbuf, 0, outcount, type);
    }

    /** Returns an upper bound of the bytes that {@code pack} needs (MPI_Pack_size). */
    public final int packSize(int incount, Datatype type) throws MPIException {
        return messages.packSize(incount, type);
    }

    /** Returns the status of a message that can be received now, or null (MPI_Iprobe). */
    public final Status iProbe(int source, int tag) throws MPIException {
        return messages.iprobe(source, tag);
    }

    /** Waits for a message and returns its status without receiving it (MPI_Probe). */
    public final Status probe(int source, int tag) throws MPIException {
        return messages.probe(source, tag);
    }

    // Messages, mpiJava

    /** Sends elements in standard mode (MPI_Send). */
    public final void Send(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        messages.send(core, buf, offset, count, datatype, dest, tag);
    }

    /** Copies elements and sends the copy (MPI_Bsend). */
    public final void Bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        messages.send(SendMode.BUFFERED, buf, offset, count, datatype, dest, tag);
    }

    /** Sends elements and waits until their receive has begun (MPI_Ssend). */
    public final void Ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        messages.send(SendMode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag);
    }

    /** Sends elements to a receive that is known to be posted (MPI_Rsend). */
    public final void Rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        messages.send(SendMode.READY, buf, offset, count, datatype, dest, tag);
    }

    /** Receives elements and returns the status (MPI_Recv). */
    public final Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
            throws MPIException {
        return messages.receive(core, buf, offset, count, datatype, source, tag);
    }

    /** Starts a send in standard mode (MPI_Isend). */
    public final Request Isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return messages.isend(SendMode.STANDARD, buf, offset, count, datatype, dest, tag);
    }

    /** Starts a send in buffered mode (MPI_Ibsend). */
    public final Request Ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return messages.isend(SendMode.BUFFERED, buf, offset, count, datatype, dest, tag);
    }

    /** Starts a send in synchronous mode (MPI_Issend). */
    public final Request Issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return messages.isend(SendMode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag);
    }

    /** Starts a send in ready mode (MPI_Irsend). */
    public final Request Irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return messages.isend(SendMode.READY, buf, offset, count, datatype, dest, tag);
    }

    /** Starts a receive (MPI_Irecv). */
    public final Request Irecv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
            throws MPIException {
        return messages.irecv(buf, offset, count, datatype, source, tag);
    }

    /** Makes a persistent send in standard mode (MPI_Send_init). */
    public final Prequest Send_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return messages.sendInit(SendMode.STANDARD, buf, offset, count, datatype, dest, tag);
    }

    /** Makes a persistent send in buffered mode (MPI_Bsend_init). */
    public final Prequest Bsend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return messages.sendInit(SendMode.BUFFERED, buf, offset, count, datatype, dest, tag);
    }

    /** Makes a persistent send in synchronous mode (MPI_Ssend_init). */
    public final Prequest Ssend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return messages.sendInit(SendMode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag);
    }

    /** Makes a persistent send in ready mode (MPI_Rsend_init). */
    public final Prequest Rsend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return messages.sendInit(SendMode.READY, buf, offset, count, datatype, dest, tag);
    }

    /** Makes a persistent receive (MPI_Recv_init). */
    public final Prequest Recv_init(Object buf, int offset, int count, Datatype datatype, int source, int tag)
            throws MPIException {
        return messages.receiveInit(buf, offset, count, datatype, source, tag);
    }

    /** Sends to one rank and receives from another at the same time (MPI_Sendrecv). */
    public final Status Sendrecv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, int dest,
            int sendtag, Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int source, int recvtag)
            throws MPIException {
        return messages.sendReceive(sendbuf, sendoffset, sendcount, sendtype, dest, sendtag, recvbuf, recvoffset,
                recvcount, recvtype, source, recvtag);
    }

    /** Sends a buffer and receives into the same buffer (MPI_Sendrecv_replace). */
    public final Status Sendrecv_replace(Object buf, int offset, int count, Datatype datatype, int dest, int sendtag,
            int source, int recvtag) throws MPIException {
        return messages.sendReceiveReplace(buf, offset, count, datatype, dest, sendtag, source, recvtag);
    }

    /** Packs elements behind a position in a byte array and returns the position after them (MPI_Pack). */
    public final int Pack(Object inbuf, int offset, int incount, Datatype datatype, byte[] outbuf, int position)
            throws MPIException {
        return messages.pack(inbuf, offset, incount, datatype, outbuf, position);
    }

    /** Unpacks elements from a position in a byte array and returns the position after them (MPI_Unpack). */
    public final int Unpack(byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
            throws MPIException {
        return messages.unpack(inbuf, position, outbuf, offset, outcount, datatype);
    }

    /** Returns an upper bound of the bytes that {@code pack} needs (MPI_Pack_size). */
    public final int Pack_size(int incount, Datatype datatype) throws MPIException {
        return messages.packSize(incount, datatype);
    }

    /** Returns the status of a message that can be received now, or null (MPI_Iprobe). */
    public final Status Iprobe(int source, int tag) throws MPIException {
        return messages.iprobe(source, tag);
    }

    /** Waits for a message and returns its status without receiving it (MPI_Probe). */
    public final Status Probe(int source, int tag) throws MPIException {
        return messages.probe(source, tag);
    }

    // Collective calls, Open MPI

    /** Waits until all ranks have called it (MPI_Barrier). */
    public final void barrier() throws MPIException {
        collectives.barrier();
    }

    /** Starts a barrier (MPI_Ibarrier). */
    public final Request iBarrier() throws MPIException {
        return collectives.ibarrier();
    }

    /** Copies the root's elements to all ranks (MPI_Bcast). */
    public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
        collectives.broadcast(buf, 0, count, type, root);
    }

    /** Starts a broadcast (MPI_Ibcast). */
    public final Request iBcast(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return collectives.ibroadcast(buf, count, type, root);
    }

    /** Collects blocks of equal size at the root (MPI_Gather). */
    public final void gather(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount,
            Datatype recvType, int root) throws MPIException {
        collectives.gather(sendBuf, 0, sendCount, sendType, recvBuf, 0, recvCount, recvType, root);
    }

    /** Gathers in place: the root's buffer receives all blocks and holds the root's own (MPI_Gather). */
    public final void gather(Object buf, int count, Datatype type, int root) throws MPIException {
        collectives.gather(buf, count, type, root);
    }

    /** Starts a gather (MPI_Igather). */
    public final Request iGather(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf, int recvCount,
            Datatype recvType, int root) throws MPIException {
        return collectives.igather(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType, root);
    }

    /** Starts a gather in place (MPI_Igather). */
    public final Request iGather(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return collectives.igather(buf, count, type, root);
    }

    /** Collects blocks of different sizes at the root (MPI_Gatherv). */
    public final void gatherv(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int[] recvCount,
            int[] displs, Datatype recvType, int root) throws MPIException {
        collectives.gatherv(sendBuf, 0, sendCount, sendType, recvBuf, 0, recvCount, displs, recvType, root);
    }

    /** Gathers in place; called by the root, whose own block lies in its place (MPI_Gatherv). */
    public final void gatherv(Object recvBuf, int[] recvCount, int[] displs, Datatype recvType, int root)
            throws MPIException {
        collectives.gatherv(Collectives.IN_PLACE, 0, 0, null, recvBuf, 0, recvCount, displs, recvType, root);
    }

    /** Gives a block to the root; called by all other ranks (MPI_Gatherv). */
    public final void gatherv(Object sendBuf, int sendCount, Datatype sendType, int root) throws MPIException {
        collectives.gatherv(sendBuf, 0, sendCount, sendType, null, 0, null, null, null, root);
    }

    /** Starts a gather of blocks of different sizes (MPI_Igatherv). */
    public final Request iGatherv(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf, int[] recvCount,
            int[] displs, Datatype recvType, int root) throws MPIException {
        return collectives.igatherv(sendBuf, sendCount, sendType, recvBuf, recvCount, displs, recvType, root);
    }

    /** Starts a gather in place; called by the root, whose own block lies in its place (MPI_Igatherv). */
    public final Request iGatherv(Buffer recvBuf, int[] recvCount, int[] displs, Datatype recvType, int root)
            throws MPIException {
        return collectives.igatherv(Collectives.IN_PLACE, 0, null, recvBuf, recvCount, displs, recvType, root);
    }

    /** Starts to give a block to the root; called by all other ranks (MPI_Igatherv). */
    public final Request iGatherv(Buffer sendBuf, int sendCount, Datatype sendType, int root) throws MPIException {
        return collectives.igatherv(sendBuf, sendCount, sendType, null, null, null, null, root);
    }

    /** Distributes blocks of equal size from the root (MPI_Scatter). */
    public final void scatter(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount,
            Datatype recvType, int root) throws MPIException {
        collectives.scatter(sendBuf, 0, sendCount, sendType, recvBuf, 0, recvCount, recvType, root);
    }

    /** Scatters in place: the root's own block stays in the root's buffer (MPI_Scatter). */
    public final void scatter(Object buf, int count, Datatype type, int root) throws MPIException {
        collectives.scatter(buf, count, type, root);
    }

    /** Starts a scatter (MPI_Iscatter). */
    public final Request iScatter(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf, int recvCount,
            Datatype recvType, int root) throws MPIException {
        return collectives.iscatter(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType, root);
    }

    /** Starts a scatter in place (MPI_Iscatter). */
    public final Request iScatter(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return collectives.iscatter(buf, count, type, root);
    }

    /** Distributes blocks of different sizes from the root (MPI_Scatterv). */
    public final void scatterv(Object sendBuf, int[] sendCount, int[] displs, Datatype sendType, Object recvBuf,
            int recvCount, Datatype recvType, int root) throws MPIException {
        collectives.scatterv(sendBuf, 0, sendCount, displs, sendType, recvBuf, 0, recvCount, recvType, root);
    }

    /** Scatters in place; called by the root, whose own block stays (MPI_Scatterv). */
    public final void scatterv(Object sendBuf, int[] sendCount, int[] displs, Datatype sendType, int root)
            throws MPIException {
        collectives.scatterv(sendBuf, 0, sendCount, displs, sendType, Collectives.IN_PLACE, 0, 0, null, root);
    }

    /** Takes a block of the root; called by all other ranks (MPI_Scatterv). */
    public final void scatterv(Object recvBuf, int recvCount, Datatype recvType, int root) throws MPIException {
        collectives.scatterv(null, 0, null, null, null, recvBuf, 0, recvCount, recvType, root);
    }

    /** Starts a scatter of blocks of different sizes (MPI_Iscatterv). */
    public final Request iScatterv(Buffer sendBuf, int[] sendCount, int[] displs, Datatype sendType, Buffer recvBuf,
            int recvCount, Datatype recvType, int root) throws MPIException {
        return collectives.iscatterv(sendBuf, sendCount, displs, sendType, recvBuf, recvCount, recvType, root);
    }

    /** Starts a scatter in place; called by the root, whose own block stays (MPI_Iscatterv). */
    public final Request iScatterv(Buffer sendBuf, int[] sendCount, int[] displs, Datatype sendType, int root)
            throws MPIException {
        return collectives.iscatterv(sendBuf, sendCount, displs, sendType, Collectives.IN_PLACE, 0, null, root);
    }

    /** Starts to take a block of the root; called by all other ranks (MPI_Iscatterv). */
    public final Request iScatterv(Buffer recvBuf, int recvCount, Datatype recvType, int root) throws MPIException {
        return collectives.iscatterv(null, null, null, null, recvBuf, recvCount, recvType, root);
    }

    /** Collects blocks of equal size at all ranks (MPI_Allgather). */
    public final void allGather(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount,
            Datatype recvType) throws MPIException {
        collectives.allgather(sendBuf, 0, sendCount, sendType, recvBuf, 0, recvCount, recvType);
    }

    /** Collects blocks at all ranks in place: each rank's own block lies in its place (MPI_Allgather). */
    public final void allGather(Object buf, int count, Datatype type) throws MPIException {
        collectives.allgather(Collectives.IN_PLACE, 0, 0, null, buf, 0, count, type);
    }

    /** Starts an allgather (MPI_Iallgather). */
    public final Request iAllGather(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf, int recvCount,
            Datatype recvType) throws MPIException {
        return collectives.iallgather(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType);
    }

    /** Starts an allgather in place (MPI_Iallgather). */
    public final Request iAllGather(Buffer buf, int count, Datatype type) throws MPIException {
        return collectives.iallgather(Collectives.IN_PLACE, 0, null, buf, count, type);
    }

    /** Collects blocks of different sizes at all ranks (MPI_Allgatherv). */
    public final void allGatherv(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int[] recvCount,
            int[] displs, Datatype recvType) throws MPIException {
        collectives.allgatherv(sendBuf, 0, sendCount, sendType, recvBuf, 0, recvCount, displs, recvType);
    }

    /** Collects blocks of different sizes at all ranks in place (MPI_Allgatherv). */
    public final void allGatherv(Object recvBuf, int[] recvCount, int[] displs, Datatype recvType) throws MPIException {
        collectives.allgatherv(Collectives.IN_PLACE, 0, 0, null, recvBuf, 0, recvCount, displs, recvType);
    }

    /** Starts an allgather of blocks of different sizes (MPI_Iallgatherv). */
    public final Request iAllGatherv(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf, int[] recvCount,
            int[] displs, Datatype recvType) throws MPIException {
        return collectives.iallgatherv(sendBuf, sendCount, sendType, recvBuf, recvCount, displs, recvType);
    }

    /** Starts an allgather of blocks of different sizes in place (MPI_Iallgatherv). */
    public final Request iAllGatherv(Buffer buf, int[] count, int[] displs, Datatype type) throws MPIException {
        return collectives.iallgatherv(Collectives.IN_PLACE, 0, null, buf, count, displs, type);
    }

    /** Sends block i to rank i and receives a block from each rank (MPI_Alltoall). */
    public final void allToAll(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount,
            Datatype recvType) throws MPIException {
        collectives.alltoall(sendBuf, 0, sendCount, sendType, recvBuf, 0, recvCount, recvType);
    }

    /** Starts an exchange of blocks between all ranks (MPI_Ialltoall). */
    public final Request iAllToAll(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf, int recvCount,
            Datatype recvType) throws MPIException {
        return collectives.ialltoall(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType);
    }

    /** Exchanges blocks of different sizes between all ranks (MPI_Alltoallv). */
    public final void allToAllv(Object sendBuf, int[] sendCount, int[] sdispls, Datatype sendType, Object recvBuf,
            int[] recvCount, int[] rdispls, Datatype recvType) throws MPIException {
        collectives.alltoallv(sendBuf, 0, sendCount, sdispls, sendType, recvBuf, 0, recvCount, rdispls, recvType);
    }

    /** Starts an exchange of blocks of different sizes between all ranks (MPI_Ialltoallv). */
    public final Request iAllToAllv(Buffer sendBuf, int[] sendCount, int[] sdispls, Datatype sendType, Buffer recvBuf,
            int[] recvCount, int[] rdispls, Datatype recvType) throws MPIException {
        return collectives.ialltoallv(sendBuf, sendCount, sdispls, sendType, recvBuf, recvCount, rdispls, recvType);
    }

    /** Exchanges blocks of different datatypes, at displacements in bytes (MPI_Alltoallw). */
    public final void allToAllw(Object sendBuf, int[] sendCount, int[] sDispls, Datatype[] sendTypes, Object recvBuf,
            int[] recvCount, int[] rDispls, Datatype[] recvTypes) throws MPIException {
        collectives.alltoallw(sendBuf, sendCount, sDispls, sendTypes, recvBuf, recvCount, rDispls, recvTypes);
    }

    /** Starts an exchange of blocks of different datatypes, at displacements in bytes (MPI_Ialltoallw). */
    public final Request iAllToAllw(Buffer sendBuf, int[] sendCount, int[] sDispls, Datatype[] sendTypes,
            Buffer recvBuf, int[] recvCount, int[] rDispls, Datatype[] recvTypes) throws MPIException {
        return collectives.ialltoallw(sendBuf, sendCount, sDispls, sendTypes, recvBuf, recvCount, rDispls, recvTypes);
    }

    /** Collects blocks of equal size from all neighbours (MPI_Neighbor_allgather). */
    public final void neighborAllGather(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount,
            Datatype recvType) throws MPIException {
        neighbours.allgather(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType);
    }

    /** Starts an allgather among neighbours (MPI_Ineighbor_allgather). */
    public final Request iNeighborAllGather(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf,
            int recvCount, Datatype recvType) throws MPIException {
        return neighbours.iallgather(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType);
    }

    /** Collects blocks of different sizes from all neighbours (MPI_Neighbor_allgatherv). */
    public final void neighborAllGatherv(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf,
            int[] recvCount, int[] displs, Datatype recvType) throws MPIException {
        neighbours.allgatherv(sendBuf, sendCount, sendType, recvBuf, recvCount, displs, recvType);
    }

    /** Starts an allgather of blocks of different sizes among neighbours (MPI_Ineighbor_allgatherv). */
    public final Request iNeighborAllGatherv(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf,
            int[] recvCount, int[] displs, Datatype recvType) throws MPIException {
        return neighbours.iallgatherv(sendBuf, sendCount, sendType, recvBuf, recvCount, displs, recvType);
    }

    /** Exchanges blocks of equal size with all neighbours (MPI_Neighbor_alltoall). */
    public final void neighborAllToAll(Object sendBuf, int sendCount, Datatype sendType, Object recvBuf, int recvCount,
            Datatype recvType) throws MPIException {
        neighbours.alltoall(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType);
    }

    /** Starts an exchange of blocks with all neighbours (MPI_Ineighbor_alltoall). */
    public final Request iNeighborAllToAll(Buffer sendBuf, int sendCount, Datatype sendType, Buffer recvBuf,
            int recvCount, Datatype recvType) throws MPIException {
        return neighbours.ialltoall(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType);
    }

    /** Exchanges blocks of different sizes with all neighbours (MPI_Neighbor_alltoallv). */
    public final void neighborAllToAllv(Object sendBuf, int[] sendCount, int[] sdispls, Datatype sendType,
            Object recvBuf, int[] recvCount, int[] rdispls, Datatype recvType) throws MPIException {
        neighbours.alltoallv(sendBuf, sendCount, sdispls, sendType, recvBuf, recvCount, rdispls, recvType);
    }

    /** Starts an exchange of blocks of different sizes with all neighbours (MPI_Ineighbor_alltoallv). */
    public final Request iNeighborAllToAllv(Buffer sendBuf, int[] sendCount, int[] sdispls, Datatype sendType,
            Buffer recvBuf, int[] recvCount, int[] rdispls, Datatype recvType) throws MPIException {
        return neighbours.ialltoallv(sendBuf, sendCount, sdispls, sendType, recvBuf, recvCount, rdispls, recvType);
    }

    /** Combines the elements of all ranks at the root (MPI_Reduce). */
    public final void reduce(Object sendBuf, Object recvBuf, int count, Datatype type, Op op, int root)
            throws MPIException {
        reductions.reduce(sendBuf, 0, recvBuf, 0, count, type, op, root);
    }

    /** Reduces in place: the root's buffer is input and output (MPI_Reduce). */
    public final void reduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        reductions.reduce(buf, count, type, op, root);
    }

    /** Starts a reduction (MPI_Ireduce). */
    public final Request iReduce(Buffer sendBuf, Buffer recvBuf, int count, Datatype type, Op op, int root)
            throws MPIException {
        return reductions.ireduce(sendBuf, recvBuf, count, type, op, root);
    }

    /** Starts a reduction in place (MPI_Ireduce). */
    public final Request iReduce(Buffer buf, int count, Datatype type, Op op, int root) throws MPIException {
        return reductions.ireduce(buf, count, type, op, root);
    }

    /** Combines the elements of all ranks at all ranks (MPI_Allreduce). */
    public final void allReduce(Object sendBuf, Object recvBuf, int count, Datatype type, Op op) throws MPIException {
        reductions.allreduce(sendBuf, 0, recvBuf, 0, count, type, op);
    }

    /** Combines the elements of all ranks in place, at all ranks (MPI_Allreduce). */
    public final void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        reductions.allreduce(Collectives.IN_PLACE, 0, buf, 0, count, type, op);
    }

    /** Starts an allreduce (MPI_Iallreduce). */
    public final Request iAllReduce(Buffer sendBuf, Buffer recvBuf, int count, Datatype type, Op op)
            throws MPIException {
        return reductions.iallreduce(sendBuf, recvBuf, count, type, op);
    }

    /** Starts an allreduce in place (MPI_Iallreduce). */
    public final Request iAllReduce(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return reductions.iallreduce(Collectives.IN_PLACE, buf, count, type, op);
    }

    /** Combines elements and gives each rank a block of its own size (MPI_Reduce_scatter). */
    public final void reduceScatter(Object sendBuf, Object recvBuf, int[] recvCounts, Datatype type, Op op)
            throws MPIException {
        reductions.reduceScatter(sendBuf, 0, recvBuf, 0, recvCounts, type, op);
    }

    /** Combines elements in place and leaves each rank a block of its own size (MPI_Reduce_scatter). */
    public final void reduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        reductions.reduceScatter(Collectives.IN_PLACE, 0, buf, 0, counts, type, op);
    }

    /** Starts a reduce-scatter (MPI_Ireduce_scatter). */
    public final Request iReduceScatter(Buffer sendBuf, Buffer recvBuf, int[] recvCounts, Datatype type, Op op)
            throws MPIException {
        return reductions.ireduceScatter(sendBuf, recvBuf, recvCounts, type, op);
    }

    /** Starts a reduce-scatter in place (MPI_Ireduce_scatter). */
    public final Request iReduceScatter(Buffer buf, int[] counts, Datatype type, Op op) throws MPIException {
        return reductions.ireduceScatter(Collectives.IN_PLACE, buf, counts, type, op);
    }

    /** Combines elements and gives each rank a block of equal size (MPI_Reduce_scatter_block). */
    public final void reduceScatterBlock(Object sendBuf, Object recvBuf, int recvCount, Datatype type, Op op)
            throws MPIException {
        reductions.reduceScatterBlock(sendBuf, recvBuf, recvCount, type, op);
    }

    /** Combines elements in place and leaves each rank a block of equal size (MPI_Reduce_scatter_block). */
    public final void reduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
        reductions.reduceScatterBlock(Collectives.IN_PLACE, buf, count, type, op);
    }

    /** Starts a reduce-scatter of equal blocks (MPI_Ireduce_scatter_block). */
    public final Request iReduceScatterBlock(Buffer sendBuf, Buffer recvBuf, int recvCount, Datatype type, Op op)
            throws MPIException {
        return reductions.ireduceScatterBlock(sendBuf, recvBuf, recvCount, type, op);
    }

    /** Starts a reduce-scatter of equal blocks in place (MPI_Ireduce_scatter_block). */
    public final Request iReduceScatterBlock(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return reductions.ireduceScatterBlock(Collectives.IN_PLACE, buf, count, type, op);
    }

    /** Combines two buffers of this rank: {@code inOutBuf[i] = inBuf[i] op inOutBuf[i]} (MPI_Reduce_local). */
    public static void reduceLocal(Object inBuf, Object inOutBuf, int count, Datatype type, Op op) throws MPIException {
        Reductions.local(inBuf, inOutBuf, count, type, op);
    }

    /** Combines the elements of all ranks up to this one (MPI_Scan). */
    public final void scan(Object sendBuf, Object recvBuf, int count, Datatype type, Op op) throws MPIException {
        reductions.scan(sendBuf, 0, recvBuf, 0, count, type, op);
    }

    /** Combines the elements of all ranks up to this one, in place (MPI_Scan). */
    public final void scan(Object buf, int count, Datatype type, Op op) throws MPIException {
        reductions.scan(Collectives.IN_PLACE, 0, buf, 0, count, type, op);
    }

    /** Starts a scan (MPI_Iscan). */
    public final Request iScan(Buffer sendBuf, Buffer recvBuf, int count, Datatype type, Op op) throws MPIException {
        return reductions.iscan(sendBuf, recvBuf, count, type, op);
    }

    /** Starts a scan in place (MPI_Iscan). */
    public final Request iScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return reductions.iscan(Collectives.IN_PLACE, buf, count, type, op);
    }

    /** Combines the elements of all ranks before this one (MPI_Exscan). */
    public final void exScan(Object sendBuf, Object recvBuf, int count, Datatype type, Op op) throws MPIException {
        reductions.exscan(sendBuf, recvBuf, count, type, op);
    }

    /** Combines the elements of all ranks before this one, in place (MPI_Exscan). */
    public final void exScan(Object buf, int count, Datatype type, Op op) throws MPIException {
        reductions.exscan(Collectives.IN_PLACE, buf, count, type, op);
    }

    /** Starts an exclusive scan (MPI_Iexscan). */
    public final Request iExScan(Buffer sendBuf, Buffer recvBuf, int count, Datatype type, Op op) throws MPIException {
        return reductions.iexscan(sendBuf, recvBuf, count, type, op);
    }

    /** Starts an exclusive scan in place (MPI_Iexscan). */
    public final Request iExScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return reductions.iexscan(Collectives.IN_PLACE, buf, count, type, op);
    }

    // Collective calls, mpiJava

    /** Waits until all ranks have called it (MPI_Barrier). */
    public final void Barrier() throws MPIException {
        collectives.barrier();
    }

    /** Copies the root's elements to all ranks (MPI_Bcast). */
    public final void Bcast(Object buf, int offset, int count, Datatype type, int root) throws MPIException {
        collectives.broadcast(buf, offset, count, type, root);
    }

    /** Collects blocks of equal size at the root (MPI_Gather). */
    public final void Gather(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
            int recvoffset, int recvcount, Datatype recvtype, int root) throws MPIException {
        collectives.gather(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, root);
    }

    /** Collects blocks of different sizes at the root (MPI_Gatherv). */
    public final void Gatherv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
            int recvoffset, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        collectives.gatherv(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, displs, recvtype,
                root);
    }

    /** Distributes blocks of equal size from the root (MPI_Scatter). */
    public final void Scatter(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
            int recvoffset, int recvcount, Datatype recvtype, int root) throws MPIException {
        collectives.scatter(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, root);
    }

    /** Distributes blocks of different sizes from the root (MPI_Scatterv). */
    public final void Scatterv(Object sendbuf, int sendoffset, int[] sendcount, int[] displs, Datatype sendtype,
            Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root) throws MPIException {
        collectives.scatterv(sendbuf, sendoffset, sendcount, displs, sendtype, recvbuf, recvoffset, recvcount, recvtype,
                root);
    }

    /** Collects blocks of equal size at all ranks (MPI_Allgather). */
    public final void Allgather(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
            int recvoffset, int recvcount, Datatype recvtype) throws MPIException {
        collectives.allgather(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype);
    }

    /** Collects blocks of different sizes at all ranks (MPI_Allgatherv). */
    public final void Allgatherv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
            int recvoffset, int[] recvcounts, int[] displs, Datatype recvtype) throws MPIException {
        collectives.allgatherv(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcounts, displs,
                recvtype);
    }

    /** Sends block i to rank i and receives a block from each rank (MPI_Alltoall). */
    public final void Alltoall(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
            int recvoffset, int recvcount, Datatype recvtype) throws MPIException {
        collectives.alltoall(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype);
    }

    /** Exchanges blocks of different sizes between all ranks (MPI_Alltoallv). */
    public final void Alltoallv(Object sendbuf, int sendoffset, int[] sendcount, int[] sdispls, Datatype sendtype,
            Object recvbuf, int recvoffset, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        collectives.alltoallv(sendbuf, sendoffset, sendcount, sdispls, sendtype, recvbuf, recvoffset, recvcount,
                rdispls, recvtype);
    }

    /** Combines the elements of all ranks at the root (MPI_Reduce). */
    public final void Reduce(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count,
            Datatype datatype, Op op, int root) throws MPIException {
        reductions.reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op, root);
    }

    /** Combines the elements of all ranks at all ranks (MPI_Allreduce). */
    public final void Allreduce(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count,
            Datatype datatype, Op op) throws MPIException {
        reductions.allreduce(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op);
    }

    /** Combines elements and gives each rank a block of its own size (MPI_Reduce_scatter). */
    public final void Reduce_scatter(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int[] recvcounts,
            Datatype datatype, Op op) throws MPIException {
        reductions.reduceScatter(sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, datatype, op);
    }

    /** Combines the elements of all ranks up to this one (MPI_Scan). */
    public final void Scan(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype,
            Op op) throws MPIException {
        reductions.scan(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op);
    }

    @Override
    public String toString() {
        return on.toString();
    }
}
