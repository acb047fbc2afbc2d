package io.rankwire;

import java.util.Optional;

/**
 * What {@link Communicator} and {@link Intercommunicator} have in common: messages from one rank to another, and
 * collectives whose elements lie in their buffers as {@link Datatype}s say.
 *
 * <p>A buffer is any primitive array, a {@code ByteBuffer} (from its position to its limit, which do not move) or a
 * {@code MemorySegment}; offsets and counts are in its elements (bytes for the latter two). A message keeps its
 * sender's element type: receiving {@code double}s into an {@code int[]} is an error, receiving into raw memory is not.
 * Messages between two ranks are received in the order they were sent. All calls may be made from several threads at
 * once.
 *
 * <p>In calls with a datatype the offset is in elements of the buffer, and says where the first datatype has its byte
 * 0; counts are of datatypes. In collectives they are of datatypes in one block, and displacements are in extents of
 * the datatype. Blocks of calls that do not name their places lie one behind the other. What one rank gives and another
 * takes must be the same elements in the same order; their layouts may differ, between ranks and between the sides of
 * one rank. Collectives with datatypes meet those of the same name without datatypes.
 *
 * <p>Operations combine elements, wherever they lie. A datatype of several element types needs an operation of the
 * program's own, which sees packed bytes and whose group is the bytes that belong together; or {@link Op#MINLOC} and
 * {@link Op#MAXLOC}, if it is made of values that have an {@code int} each.
 *
 * <p>Between two groups, what is said of all ranks is of those of the other side: they give what this side gets. Which
 * ranks give and get, and what stands for the root, is as in {@link Intercommunicator}; there are no scans, and no
 * buffer is both read and written.
 */
public sealed interface AnyCommunicator extends Handle permits Communicator, Intercommunicator {
    /** Matches messages of every rank. */
    int ANY_SOURCE = -1;
    /** Matches messages of every tag. */
    int ANY_TAG = -1;
    /** The rank that is no rank: sends to it and receives from it are done at once and move nothing. */
    int NONE = -2;

    /**
     * This rank.
     *
     * @return from 0 to {@code size() - 1}
     */
    int rank();

    /**
     * The number of ranks of this group.
     *
     * @return at least 1
     */
    int size();

    /**
     * The ranks of this group.
     *
     * @return the group that this rank is in
     */
    Group group();

    /**
     * Sets the name that reports of this rank use.
     *
     * @param other the new name
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the name is null
     */
    void name(String other);

    /**
     * Gives hints about the receives of this rank here, in place of the earlier ones. Other ranks need not call it.
     *
     * @param hints what this rank promises and expects; {@link Hints#NONE} takes all back
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the argument is null
     */
    void hints(Hints hints);

    /**
     * The hints that are in force.
     *
     * @return never null
     */
    Hints hints();

    /**
     * Ends this communicator, its attributes first. All ranks call it. Messages that no call has received are reported
     * and dropped.
     *
     * @throws RankwireException if it was freed before, if it is the communicator of the world, or if the ranks have
     *     not made the same collective calls on it
     */
    void free();

    // Members that have died, in a job that goes on without them.

    /**
     * Returns the members that are dead, as far as this rank knows; of an intercommunicator, those of both sides. A job
     * goes on without ranks that have failed if it was started so, by {@code rankwire run --on-failure=continue}.
     * Messages between other members go on then, and collective calls end with an error of class
     * {@link ErrorClass#PEER}.
     *
     * @return in the order of their deaths, which is the same at all ranks
     */
    Group failed();

    /**
     * Has receives and probes from any source go on without the members that are dead now. Until this call they end
     * with an error of class {@link ErrorClass#PEER}, because the message may be one that a dead rank would have sent.
     *
     * @return the members that this rank knows to be dead, as {@link #failed}
     */
    Group acknowledge();

    /**
     * As {@link #acknowledge()}, for some of the dead members.
     *
     * @param count how many of {@link #failed}, the first ones; what was acknowledged before stays so
     * @return the members whose deaths this rank has acknowledged, now or before
     */
    Group acknowledge(int count);

    /**
     * Interrupts this communicator: calls on it that wait, at any member, end with an error of class {@link
     * ErrorClass#REVOKED}, and so do all later ones but {@link #free}, {@link #failed}, {@link #acknowledge()},
     * {@link #agree} and its like, {@link #shrink} and {@link Communicator#replace}. One member calls it; the others
     * need not. Messages that have met their receives still arrive, all others are lost.
     */
    void revoke();

    /**
     * Returns whether this communicator was revoked, as far as this rank knows.
     *
     * @return true after {@link #revoke} at any member, soon
     */
    boolean isRevoked();

    /**
     * Agrees on flags: all live members, of both sides if there are two, call it and get the same result, even if
     * members die meanwhile. It works on a communicator that was revoked or has dead members.
     *
     * <pre>{@code
     * boolean good = step();                       // false after an error
     * if (all.agree(good ? 1 : 0) == 0) {          // the same at all members
     *     all = all.shrink();
     * }
     * }</pre>
     *
     * @param flags the bits of this rank
     * @return the bits that all members have given; 0 if a member is dead and not all members have acknowledged that,
     *     and if a member calls {@link #shrink} or {@link Communicator#replace} meanwhile, which then waits for the
     *     others
     */
    int agree(int flags);

    /**
     * Starts {@link #agree} and returns at once; await the request.
     *
     * @param flags element 0 is the bits of this rank, and then the result
     */
    Request iagree(int[] flags);

    /**
     * As {@link #agree}, but a death is an error, and the bits of the live members are set also then, as in MPI. They
     * are 0 if a member calls {@link #shrink} or {@link Communicator#replace} meanwhile.
     *
     * @param flags element 0 is the bits of this rank, and then those that all live members have given, or all of the
     *     other side if there are two
     * @throws RankwireException of class {@link ErrorClass#PEER}, at all members, if a member is dead and not all
     *     members have acknowledged that
     */
    void agreeOfLive(int[] flags);

    /**
     * Starts {@link #agreeOfLive} and returns at once; await the request, which ends with its error.
     *
     * @param flags element 0 is the bits of this rank, and then the result
     */
    Request iagreeOfLive(int[] flags);

    /**
     * A communicator of the live members, in the same order. All live members, of both sides if there are two, call it
     * and get the same group, even if members die meanwhile; one that dies right after the decision may still be in it.
     * It works on a communicator that was revoked.
     *
     * @return of the same kind, without the topology of a grid or graph
     * @throws RankwireException of class {@link ErrorClass#PEER}, at all members, if the other side has no live rank
     */
    AnyCommunicator shrink();

    /**
     * Sends a message and returns when the buffer may be used again. That may be before the message is received.
     *
     * @param buffer the elements to send
     * @param dest the rank that receives the message, or {@link #NONE}
     * @param tag zero or more; the receive gives the same tag or {@link #ANY_TAG}
     * @throws RankwireException of class {@link ErrorClass#BUFFER}, {@link ErrorClass#RANK} or {@link ErrorClass#TAG}
     *     if an argument is wrong, {@link ErrorClass#TRUNCATE} if the receiver refused the message, and
     *     {@link ErrorClass#PEER} if the receiver is lost
     */
    void send(Object buffer, int dest, int tag);

    /** As {@link #send(Object, int, int)}, with a part of the buffer. */
    void send(Object buffer, int offset, int count, int dest, int tag);

    /**
     * As {@link #send(Object, int, int)}, with elements that lie as a datatype says.
     *
     * @param buffer the elements to send, and others
     * @param offset where the first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes
     * @param type which elements of the buffer
     * @param dest the rank that receives the message, or {@link #NONE}
     * @param tag zero or more
     */
    void send(Object buffer, long offset, long count, Datatype type, int dest, int tag);

    /** Sends a message and returns when it has met its receive. */
    void ssend(Object buffer, int dest, int tag);

    /** As {@link #ssend(Object, int, int)}, with a part of the buffer. */
    void ssend(Object buffer, int offset, int count, int dest, int tag);

    /** As {@link #send(Object, long, long, Datatype, int, int)}; returns when the message has met its receive. */
    void ssend(Object buffer, long offset, long count, Datatype type, int dest, int tag);

    /**
     * Sends a message without ever waiting: what cannot leave at once is copied.
     *
     * @param buffer the elements to send
     * @param dest the rank that receives the message, or {@link #NONE}
     * @param tag zero or more
     * @throws RankwireException of class {@link ErrorClass#RESOURCE} if buffered messages hold too much memory already
     */
    void bsend(Object buffer, int dest, int tag);

    /** As {@link #bsend(Object, int, int)}, with a part of the buffer. */
    void bsend(Object buffer, int offset, int count, int dest, int tag);

    /** As {@link #send(Object, long, long, Datatype, int, int)}, without ever waiting. */
    void bsend(Object buffer, long offset, long count, Datatype type, int dest, int tag);

    /**
     * Sends a message to a receive that the program knows to be posted. If the message finds no receive it is refused:
     * the next call of each of the two ranks throws a {@link RankwireException} of class {@link ErrorClass#REQUEST}
     * that names the other rank and the tag, or a call that waits, or the request of this send if it is not done.
     *
     * @param buffer the elements to send
     * @param dest the rank that receives the message, or {@link #NONE}
     * @param tag zero or more
     */
    void rsend(Object buffer, int dest, int tag);

    /** As {@link #rsend(Object, int, int)}, with a part of the buffer. */
    void rsend(Object buffer, int offset, int count, int dest, int tag);

    /** As {@link #send(Object, long, long, Datatype, int, int)}, to a receive that the program knows to be posted. */
    void rsend(Object buffer, long offset, long count, Datatype type, int dest, int tag);

    /** Starts a send; the buffer must not change until it is done. */
    Request isend(Object buffer, int dest, int tag);

    /** Starts {@link #send(Object, int, int, int, int)} and returns at once; await the request. */
    Request isend(Object buffer, int offset, int count, int dest, int tag);

    /** Starts a send; the elements must not change until it is done. */
    Request isend(Object buffer, long offset, long count, Datatype type, int dest, int tag);

    /** Starts {@link #ssend(Object, int, int)} and returns at once; await the request. */
    Request issend(Object buffer, int dest, int tag);

    /** Starts {@link #ssend(Object, int, int, int, int)} and returns at once; await the request. */
    Request issend(Object buffer, int offset, int count, int dest, int tag);

    /** Starts {@link #ssend(Object, long, long, Datatype, int, int)} and returns at once; await the request. */
    Request issend(Object buffer, long offset, long count, Datatype type, int dest, int tag);

    /** Starts {@link #bsend(Object, int, int)} and returns at once; await the request. */
    Request ibsend(Object buffer, int dest, int tag);

    /** Starts {@link #bsend(Object, int, int, int, int)} and returns at once; await the request. */
    Request ibsend(Object buffer, int offset, int count, int dest, int tag);

    /** Starts {@link #bsend(Object, long, long, Datatype, int, int)} and returns at once; await the request. */
    Request ibsend(Object buffer, long offset, long count, Datatype type, int dest, int tag);

    /** Starts {@link #rsend(Object, int, int)} and returns at once; await the request. */
    Request irsend(Object buffer, int dest, int tag);

    /** Starts {@link #rsend(Object, int, int, int, int)} and returns at once; await the request. */
    Request irsend(Object buffer, int offset, int count, int dest, int tag);

    /** Starts {@link #rsend(Object, long, long, Datatype, int, int)} and returns at once; await the request. */
    Request irsend(Object buffer, long offset, long count, Datatype type, int dest, int tag);

    /** A persistent send: {@link Request#start} sends the buffer as it is then. */
    Request sendInit(Object buffer, int offset, int count, int dest, int tag);

    /** A persistent send: {@link Request#start} sends the elements as they are then. */
    Request sendInit(Object buffer, long offset, long count, Datatype type, int dest, int tag);

    /**
     * A persistent {@link #ssend(Object, int, int, int, int)}: each {@link Request#start} starts the call once more.
     */
    Request ssendInit(Object buffer, int offset, int count, int dest, int tag);

    /**
     * A persistent {@link #ssend(Object, long, long, Datatype, int, int)}: each {@link Request#start} starts the call
     * once more.
     */
    Request ssendInit(Object buffer, long offset, long count, Datatype type, int dest, int tag);

    /**
     * A persistent {@link #bsend(Object, int, int, int, int)}: each {@link Request#start} starts the call once more.
     */
    Request bsendInit(Object buffer, int offset, int count, int dest, int tag);

    /**
     * A persistent {@link #bsend(Object, long, long, Datatype, int, int)}: each {@link Request#start} starts the call
     * once more.
     */
    Request bsendInit(Object buffer, long offset, long count, Datatype type, int dest, int tag);

    /**
     * A persistent {@link #rsend(Object, int, int, int, int)}: each {@link Request#start} starts the call once more.
     */
    Request rsendInit(Object buffer, int offset, int count, int dest, int tag);

    /**
     * A persistent {@link #rsend(Object, long, long, Datatype, int, int)}: each {@link Request#start} starts the call
     * once more.
     */
    Request rsendInit(Object buffer, long offset, long count, Datatype type, int dest, int tag);

    /**
     * Receives the earliest message that matches, and waits for one if there is none.
     *
     * @param buffer where its elements go
     * @param source the rank that sent it, {@link #ANY_SOURCE} or {@link #NONE}
     * @param tag the tag it was sent with, or {@link #ANY_TAG}
     * @return source, tag and size of the message
     * @throws RankwireException of class {@link ErrorClass#TRUNCATE} if the message is longer than the buffer,
     *     {@link ErrorClass#TYPE} if it is of other elements, and {@link ErrorClass#PEER} if the sender is lost
     */
    Status receive(Object buffer, int source, int tag);

    /** As {@link #receive(Object, int, int)}, with a part of the buffer. */
    Status receive(Object buffer, int offset, int count, int source, int tag);

    /** As {@link #receive(Object, int, int)}, into the places that datatypes name; other bytes stay as they are. */
    Status receive(Object buffer, long offset, long count, Datatype type, int source, int tag);

    /** Receives a message of any size; the type says of which elements. */
    Status receive(Parcel into, Datatype type, int source, int tag);

    /** Starts a receive; the buffer must be left alone until it is done. */
    Request irecv(Object buffer, int source, int tag);

    /** As {@link #irecv(Object, int, int)}, with a part of the buffer. */
    Request irecv(Object buffer, int offset, int count, int source, int tag);

    /** Starts a receive; the places must be left alone until it is done. */
    Request irecv(Object buffer, long offset, long count, Datatype type, int source, int tag);

    /** Starts receiving a message of any size; the parcel has its bytes when it is done. */
    Request irecv(Parcel into, Datatype type, int source, int tag);

    /** A persistent receive. */
    Request receiveInit(Object buffer, int offset, int count, int source, int tag);

    /** A persistent receive. */
    Request receiveInit(Object buffer, long offset, long count, Datatype type, int source, int tag);

    /**
     * Sends a message and receives another at once, so that all ranks of a ring can do it without an order among them.
     *
     * @param sendBuffer the elements to send
     * @param dest the rank that receives the message, or {@link #NONE}
     * @param sendTag the tag of the message sent
     * @param receiveBuffer where received elements go
     * @param source the rank to receive from, {@link #ANY_SOURCE} or {@link #NONE}
     * @param receiveTag the tag to receive, or {@link #ANY_TAG}
     * @return source, tag and size of the message received
     */
    Status sendReceive(Object sendBuffer, int dest, int sendTag, Object receiveBuffer, int source, int receiveTag);

    /** As {@link #sendReceive(Object, int, int, Object, int, int)}, with parts of the buffers. */
    Status sendReceive(Object sendBuffer, int sendOffset, int sendCount, int dest, int sendTag, Object receiveBuffer,
            int receiveOffset, int receiveCount, int source, int receiveTag);

    /** As {@link #sendReceive(Object, int, int, Object, int, int)}, with elements that lie as datatypes say. */
    Status sendReceive(Object sendBuffer, long sendOffset, long sendCount, Datatype sendType, int dest, int sendTag,
            Object receiveBuffer, long receiveOffset, long receiveCount, Datatype receiveType, int source,
            int receiveTag);

    /** Sends elements and receives others into their places. */
    Status sendReceiveReplace(Object buffer, long offset, long count, Datatype type, int dest, int sendTag, int source,
            int receiveTag);

    /**
     * Waits for a message that matches, and leaves it to be received.
     *
     * @param source a rank, {@link #ANY_SOURCE} or {@link #NONE}
     * @param tag a tag, or {@link #ANY_TAG}
     * @return source, tag and size of the message
     */
    Status probe(int source, int tag);

    /** Source, tag and size of a message that matches, if one has arrived. */
    Optional<Status> iprobe(int source, int tag);

    /** Waits for a message that matches and takes it: only {@code mreceive} can receive it then. */
    Message mprobe(int source, int tag);

    /** Takes a message that matches, if one has arrived. */
    Optional<Message> improbe(int source, int tag);

    /** Receives a message taken by {@link #mprobe}. */
    Status mreceive(Object buffer, Message message);

    /** Receives a message taken by {@code mprobe}. */
    Status mreceive(Object buffer, long offset, long count, Datatype type, Message message);

    /** Sends an object, encoded by the world's codec. */
    void sendObject(Object value, int dest, int tag);

    /** Starts sending an object; it is encoded before the call returns. */
    Request isendObject(Object value, int dest, int tag);

    /**
     * Receives an object that was sent with {@code sendObject}.
     *
     * @param type the type of the object, which the world's codec must be able to make
     * @param source a rank or {@link #ANY_SOURCE}
     * @param tag a tag or {@link #ANY_TAG}
     * @param <T> the type of the object
     * @return the object
     * @throws RankwireException of class {@link ErrorClass#CODEC} if the bytes are no such object
     */
    <T> T receiveObject(Class<T> type, int source, int tag);

    /** Receives an object from a message taken by {@link #mprobe}; its status says who sent it. */
    <T> T receiveObject(Class<T> type, Message message);

    /** The root's elements go to the places of all. */
    void broadcast(Object buffer, long offset, long count, Datatype type, int root);

    /** Starts {@link #broadcast(Object, long, long, Datatype, int)} and returns at once; await the request. */
    Request ibroadcast(Object buffer, long offset, long count, Datatype type, int root);

    /**
     * A persistent {@link #broadcast(Object, long, long, Datatype, int)}: each {@link Request#start} starts the call
     * once more.
     */
    Request broadcastInit(Object buffer, long offset, long count, Datatype type, int root);

    /** Blocks of all ranks come together at the root, in their order; other ranks' {@code out} is not looked at. */
    void gather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset, long outCount,
            Datatype outType, int root);

    /**
     * Starts {@link #gather(Object, long, long, Datatype, Object, long, long, Datatype, int)} and returns at once;
     * await the request.
     */
    Request igather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset, long outCount,
            Datatype outType, int root);

    /**
     * A persistent {@link #gather(Object, long, long, Datatype, Object, long, long, Datatype, int)}: each
     * {@link Request#start} starts the call once more.
     */
    Request gatherInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root);

    /** As gather, with blocks of different lengths at places that the root names. */
    void gatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset, int[] outCounts,
            int[] outDisplacements, Datatype outType, int root);

    /**
     * Starts {@link #gatherv(Object, long, long, Datatype, Object, long, int[], int[], Datatype, int)} and returns at
     * once; await the request.
     */
    Request igatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType, int root);

    /**
     * A persistent {@link #gatherv(Object, long, long, Datatype, Object, long, int[], int[], Datatype, int)}: each
     * {@link Request#start} starts the call once more.
     */
    Request gathervInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType, int root);

    /** The root's blocks go one to each rank; other ranks' {@code in} is not looked at. */
    void scatter(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset, long outCount,
            Datatype outType, int root);

    /**
     * Starts {@link #scatter(Object, long, long, Datatype, Object, long, long, Datatype, int)} and returns at once;
     * await the request.
     */
    Request iscatter(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset, long outCount,
            Datatype outType, int root);

    /**
     * A persistent {@link #scatter(Object, long, long, Datatype, Object, long, long, Datatype, int)}: each
     * {@link Request#start} starts the call once more.
     */
    Request scatterInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root);

    /** As scatter, with blocks of different lengths at places that the root names. */
    void scatterv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType, int root);

    /**
     * Starts {@link #scatterv(Object, long, int[], int[], Datatype, Object, long, long, Datatype, int)} and returns at
     * once; await the request.
     */
    Request iscatterv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType, int root);

    /**
     * A persistent {@link #scatterv(Object, long, int[], int[], Datatype, Object, long, long, Datatype, int)}: each
     * {@link Request#start} starts the call once more.
     */
    Request scattervInit(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType, int root);

    /** Blocks of all ranks come together at all. */
    void allgather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset, long outCount,
            Datatype outType);

    /**
     * Starts {@link #allgather(Object, long, long, Datatype, Object, long, long, Datatype)} and returns at once; await
     * the request.
     */
    Request iallgather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType);

    /**
     * A persistent {@link #allgather(Object, long, long, Datatype, Object, long, long, Datatype)}: each
     * {@link Request#start} starts the call once more.
     */
    Request allgatherInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType);

    /** As allgather, with blocks of different lengths at places that each rank names. */
    void allgatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType);

    /**
     * Starts {@link #allgatherv(Object, long, long, Datatype, Object, long, int[], int[], Datatype)} and returns at
     * once; await the request.
     */
    Request iallgatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType);

    /**
     * A persistent {@link #allgatherv(Object, long, long, Datatype, Object, long, int[], int[], Datatype)}: each
     * {@link Request#start} starts the call once more.
     */
    Request allgathervInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType);

    /** Block i goes to rank i, and the block of rank i comes to place i. */
    void alltoall(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset, long outCount,
            Datatype outType);

    /**
     * Starts {@link #alltoall(Object, long, long, Datatype, Object, long, long, Datatype)} and returns at once; await
     * the request.
     */
    Request ialltoall(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType);

    /**
     * A persistent {@link #alltoall(Object, long, long, Datatype, Object, long, long, Datatype)}: each
     * {@link Request#start} starts the call once more.
     */
    Request alltoallInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType);

    /** As alltoall, with blocks of different lengths at places that each rank names. */
    void alltoallv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType, Object out,
            long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType);

    /**
     * Starts {@link #alltoallv(Object, long, int[], int[], Datatype, Object, long, int[], int[], Datatype)} and returns
     * at once; await the request.
     */
    Request ialltoallv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType, Object out,
            long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType);

    /**
     * A persistent {@link #alltoallv(Object, long, int[], int[], Datatype, Object, long, int[], int[], Datatype)} :
     * each {@link Request#start} starts the call once more.
     */
    Request alltoallvInit(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType, Object out,
            long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType);

    /** As alltoallv, with a datatype for each block; displacements are in bytes from the start of the buffer. */
    void alltoallw(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes, Object out, int[] outCounts,
            long[] outDisplacements, Datatype[] outTypes);

    /**
     * Starts {@link #alltoallw(Object, int[], long[], Datatype[], Object, int[], long[], Datatype[])} and returns at
     * once; await the request.
     */
    Request ialltoallw(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes, Object out,
            int[] outCounts, long[] outDisplacements, Datatype[] outTypes);

    /**
     * A persistent {@link #alltoallw(Object, int[], long[], Datatype[], Object, int[], long[], Datatype[])}: each
     * {@link Request#start} starts the call once more.
     */
    Request alltoallwInit(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes, Object out,
            int[] outCounts, long[] outDisplacements, Datatype[] outTypes);

    /** The elements of all ranks are combined, one by one, at the root. */
    void reduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset, long outCount,
            Datatype outType, Op op, int root);

    /**
     * Starts {@link #reduce(Object, long, long, Datatype, Object, long, long, Datatype, Op, int)} and returns at once;
     * await the request.
     */
    Request ireduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset, long outCount,
            Datatype outType, Op op, int root);

    /**
     * A persistent {@link #reduce(Object, long, long, Datatype, Object, long, long, Datatype, Op, int)}: each
     * {@link Request#start} starts the call once more.
     */
    Request reduceInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op, int root);

    /** The elements of all ranks are combined, one by one, for all. */
    void allreduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset, long outCount,
            Datatype outType, Op op);

    /**
     * Starts {@link #allreduce(Object, long, long, Datatype, Object, long, long, Datatype, Op)} and returns at once;
     * await the request.
     */
    Request iallreduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op);

    /**
     * A persistent {@link #allreduce(Object, long, long, Datatype, Object, long, long, Datatype, Op)}: each
     * {@link Request#start} starts the call once more.
     */
    Request allreduceInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op);

    /** The elements of all ranks are combined and block i goes to rank i. */
    void reduceScatterBlock(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op);

    /**
     * Starts {@link #reduceScatterBlock(Object, long, long, Datatype, Object, long, long, Datatype, Op)} and returns at
     * once; await the request.
     */
    Request ireduceScatterBlock(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op);

    /**
     * A persistent {@link #reduceScatterBlock(Object, long, long, Datatype, Object, long, long, Datatype, Op)}: each
     * {@link Request#start} starts the call once more.
     */
    Request reduceScatterBlockInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op);

    /**
     * As reduceScatterBlock, with blocks of different lengths, one behind the other. In place, the counts are of
     * {@code outType}.
     */
    void reduceScatter(Object in, long inOffset, int[] inCounts, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op);

    /**
     * Starts {@link #reduceScatter(Object, long, int[], Datatype, Object, long, long, Datatype, Op)} and returns at
     * once; await the request.
     */
    Request ireduceScatter(Object in, long inOffset, int[] inCounts, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op);

    /**
     * A persistent {@link #reduceScatter(Object, long, int[], Datatype, Object, long, long, Datatype, Op)}: each
     * {@link Request#start} starts the call once more.
     */
    Request reduceScatterInit(Object in, long inOffset, int[] inCounts, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op);
}
