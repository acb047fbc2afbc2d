package io.rankwire;

import io.rankwire.runtime.Handlers;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * Messages that run a handler where they arrive, instead of waiting for a receive: for updates of another rank's data,
 * for work that idle ranks take from busy ones, and for requests that come at any time. A message has a kind, and each
 * rank has a handler for each kind that it expects.
 *
 * <pre>{@code
 * static final int ADD = 0;
 *
 * long[] table = new long[1000];
 * ActiveMessages active = ActiveMessages.open(all);
 * active.handle(ADD, (source, payload) -> table[payload.getInt()] += payload.getInt());
 * for (int[] update : updates) {                        // {entry, number to add}
 *     active.post(ADD, owner(update[0]), update);
 * }
 * active.fence();                                       // all updates of all ranks are in the tables
 * }</pre>
 *
 * <p><b>When handlers run.</b> A handler runs on a thread that is inside a call of this library, any call: while it
 * waits, or when it ends. While no thread of the rank makes a call, a thread of the library runs it (not with {@code
 * --progress=none}, and not in a simulation, where handlers take the time that they give to {@link World#spend}). A
 * rank runs one handler at a time, and messages of one rank in the order in which they were posted, those without a
 * handler aside. What a handler has written is seen by the next handlers, and by a call that returns later. A program
 * that computes with the same data outside of calls must synchronise with its handlers.
 *
 * <p><b>What a handler may do.</b> A handler should be short: the rank handles no other message meanwhile. It may post,
 * and make any call that does not wait. A call that has to wait fails in a handler. A post of a handler never waits:
 * what cannot leave at once is copied. If a handler throws an exception, the job ends with a report that names rank,
 * kind and sender, because an update would be missing.
 *
 * <p><b>Nothing is lost.</b> A message that comes before its handler is set waits for it. Messages that are not handled
 * yet hold the credit of their sender, whose posts then wait, and handle messages meanwhile: ranks that flood each
 * other do not block each other. While more than a mebibyte of the posts of its handlers could not leave, a rank
 * handles messages only when nothing else moves.
 *
 * <p>Any thread may make these calls, except {@link #open}, {@link #fence} and {@link #free}, which all ranks of the
 * communicator make together, as they do collectives.
 */
public final class ActiveMessages {
    /** The number of kinds: a kind is from 0 to one less. */
    public static final int KINDS = Handlers.KINDS;
    /** The bytes of the longest message. Longer ones are for receives and windows. */
    public static final int MAX_BYTES = Handlers.MOST_BYTES;

    private final Communicator own;
    private final Handlers handlers;

    /** What a rank does with a message of a kind. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Handles one message.
         *
         * @param source the rank that has posted the message
         * @param payload the bytes of the message, from position 0 to the limit, in the byte order of the machine; the
         *     buffer is used for other messages when the handler has returned
         */
        void handle(int source, ByteBuffer payload);
    }

    private ActiveMessages(Communicator own) {
        this.own = own;
        this.handlers = new Handlers(own.endpoint());
    }

    /**
     * Begins active messages between the ranks of a communicator, apart from its other messages and as urgent. All
     * ranks call it.
     *
     * @param communicator the ranks
     * @return the active messages, without handlers
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the communicator is null
     */
    public static ActiveMessages open(Communicator communicator) {
        if (communicator == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument communicator is null");
        }
        Communicator own = communicator.duplicateWithoutAttributes();
        own.name(communicator.name() + ".active");
        own.priority(communicator.priority());
        own.endpoint().members().revokedWith(communicator.endpoint());
        return new ActiveMessages(own);
    }

    /**
     * Sets the handler for messages of a kind, in the place of the one before if there is one. Messages of this kind
     * that have come already are handled now.
     *
     * @param kind the kind, from 0 to {@link #KINDS} - 1
     * @param handler the handler
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the kind is out of range, or the handler null
     */
    public void handle(int kind, Handler handler) {
        if (handler == null) {
            throw own.endpoint().error(ErrorClass.ARGUMENT, "argument handler is null");
        }
        handlers.set(kind, (payload, source) -> handler.handle(source, payload));
    }

    /**
     * Sends a message. Returns when the buffer may be used again, which is not when the message has been handled.
     *
     * @param kind which handler runs
     * @param dest the rank that handles the message, which may be this one, or {@link AnyCommunicator#NONE}
     * @param buffer the payload: a primitive array, {@code ByteBuffer} or {@code MemorySegment}
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT}, {@link ErrorClass#RANK} or
     *     {@link ErrorClass#BUFFER} if an argument is wrong, {@link ErrorClass#COUNT} if the payload has more than
     *     {@link #MAX_BYTES} bytes, {@link ErrorClass#PEER} if the rank is lost, and {@link ErrorClass#RESOURCE} if
     *     this is a handler's and too much of what handlers have posted waits already
     */
    public void post(int kind, int dest, Object buffer) {
        handlers.post(kind, dest, buffer, 0, own.endpoint().lengthOf(buffer));
    }

    /**
     * As {@link #post(int, int, Object)}, with a part of the buffer.
     *
     * @param kind which handler runs
     * @param dest the rank that handles the message
     * @param buffer holds the payload
     * @param offset the first element of the payload
     * @param count how many elements it has
     * @throws RankwireException as {@link #post(int, int, Object)} does
     */
    public void post(int kind, int dest, Object buffer, int offset, int count) {
        handlers.post(kind, dest, buffer, offset, count);
    }

    /**
     * Waits until a condition holds. It is tested at once, and again after each handler that has run on this rank, by
     * the calling thread, outside of any call. A handler cannot make this call.
     *
     * @param condition what the program waits for
     * @throws RankwireException of class {@link ErrorClass#PEER} if a rank has died meanwhile, and
     *     {@link ErrorClass#REVOKED} if the communicator was revoked
     */
    public void await(BooleanSupplier condition) {
        if (condition == null) {
            throw own.endpoint().error(ErrorClass.ARGUMENT, "argument condition is null");
        }
        long seen = -1;
        while (!condition.getAsBoolean()) {
            seen = handlers.awaitMore(seen);
        }
    }

    /**
     * Waits until every message that was posted has been handled: those that the ranks have posted before they made
     * this call, those that handlers have posted, and so on. All ranks call it.
     *
     * @throws RankwireException of class {@link ErrorClass#REQUEST}, on all ranks, if some of the messages wait for a
     *     handler that is not set
     */
    public void fence() {
        // If as many had been handled in the round before as were sent in total, none was under way in between.
        long[] mine = new long[3];
        long[] all = new long[3];
        long arrived = -1;
        long without = 0;
        while (true) {
            handlers.count(mine);
            own.allreduce(mine, all, Op.SUM);
            if (arrived == all[0] && without == 0) {
                return;
            }
            if (arrived == all[0] && all[2] == without) {
                String here = handlers.parked();
                throw own.endpoint().error(ErrorClass.REQUEST, "fence: " + all[2] + " messages wait for a handler"
                        + (here.isEmpty() ? " that other ranks have not set" : "; on this rank " + here));
            }
            arrived = all[1] + all[2];
            without = all[2];
        }
    }

    /**
     * Ends these active messages when all have been handled. All ranks call it; where one is dead, each ends them by
     * itself.
     *
     * @throws RankwireException as {@link #fence} does
     */
    public void free() {
        try {
            own.endpoint().withoutHandler(this::fence);
        } catch (RankwireException e) {
            if (!own.endpoint().members().isInterrupted()) {
                throw own.endpoint().failed(e);
            }
        }
        handlers.end();
        own.free();
    }

    @Override
    public String toString() {
        return "active messages of " + own;
    }
}
