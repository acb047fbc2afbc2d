package io.rankwire;

import io.rankwire.device.Operation;
import io.rankwire.runtime.Attributes;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.window.PlainAccess;
import io.rankwire.runtime.window.Synchronisation;
import io.rankwire.runtime.window.TypedAccess;
import io.rankwire.runtime.window.WindowEndpoint;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Memory of all ranks of a communicator that each of them can read, write and change without a matching call of its
 * owner. Windows are made by {@link Communicator#window}, {@link Communicator#allocateWindow},
 * {@link Communicator#sharedWindow} and {@link Communicator#dynamicWindow}.
 *
 * <p>A rank reaches another rank's part only within an <em>epoch</em>: between two {@link #fence}s that all ranks call;
 * between {@link #start} and {@link #complete}, while the targets are between {@link #post} and {@link #await}; or
 * between {@link #lock} and {@link #unlock}, where the target makes no call at all. An access is done when its epoch
 * ends or after a {@link #flush}; until then the program must not touch the buffers given to it. Puts and gets of one
 * epoch to the same place have no order unless a flush is between them. Those behind an accumulating call, and
 * accumulating calls among each other, are done in the order of the calls.
 *
 * <pre>{@code
 * Window window = all.allocateWindow(8 * 1000, 8);       // 1000 longs on each rank, addressed in units of 8 bytes
 * window.fence();
 * window.put(new long[] {all.rank()}, (all.rank() + 1) % all.size(), 0);
 * window.fence();
 * long left = window.memory().get(ValueLayout.JAVA_LONG, 0);
 * window.free();
 * }</pre>
 *
 * <p>A place at a target is a <em>displacement</em>: a number of the units that the target chose when the window was
 * made. Elements are those of the buffer given; the target's part must be of the same type or of memory without a type.
 * A target of {@link Communicator#NONE} makes an access do nothing. Accumulating calls are atomic for each element; if
 * two ranks accumulate rows of elements at once, their elements may be combined in any interleaving.
 *
 * <p>All calls throw {@link RankwireException}: of class {@link ErrorClass#WINDOW} if the window was freed or no epoch
 * allows the call, {@link ErrorClass#RANK} for a rank that the window does not have, {@link ErrorClass#COUNT} for
 * elements outside of the buffer given, {@link ErrorClass#DISPLACEMENT} for a place outside of the target's part,
 * {@link ErrorClass#TYPE} if the elements do not fit the target's, and {@link ErrorClass#CLOSED} if the world is
 * closed.
 */
public final class Window implements Handle {
    /** Whether ranks may hold a lock together. */
    public enum Lock {
        /** Any number of ranks at a time. */
        SHARED,
        /** One rank alone. */
        EXCLUSIVE
    }

    private final WindowEndpoint window;
    private final Endpoint on;
    private final PlainAccess access;
    private final Synchronisation synchronisation;
    private final Attributes attributes;
    private volatile ErrorHandler errorHandler;

    private Window(Communicator parent, WindowEndpoint window) {
        this.window = window;
        this.on = window.communicator();
        this.access = window.access();
        this.synchronisation = window.synchronisation();
        this.attributes = new Attributes(window, this);
        errorHandler(parent.errorHandler());
    }

    static Window over(Communicator parent, Object buffer, int unit) {
        return new Window(parent, WindowEndpoint.over(parent.endpoint(), buffer, unit));
    }

    static Window allocate(Communicator parent, long bytes, int unit, String call) {
        return new Window(parent, WindowEndpoint.allocate(parent.endpoint(), bytes, unit, call));
    }

    static Window dynamic(Communicator parent) {
        return new Window(parent, WindowEndpoint.dynamic(parent.endpoint()));
    }

    WindowEndpoint endpoint() {
        return window;
    }

    private Request started(String call, Operation operation) {
        return new Request(on, call, operation);
    }

    // what it is

    /**
     * Returns this rank's part.
     *
     * @return the memory that the window was made over or has allocated
     * @throws RankwireException of class {@link ErrorClass#WINDOW} if this rank's part is an array
     */
    public MemorySegment memory() {
        return window.memory();
    }

    /**
     * Returns another rank's part as memory of this process, which the program may load from and store to.
     *
     * @param of the rank whose part is asked for
     * @return its memory
     * @throws RankwireException of class {@link ErrorClass#WINDOW} if that part is not memory that all ranks can reach
     */
    public MemorySegment shared(int of) {
        return window.shared(of);
    }

    /**
     * Returns the size of a rank's part.
     *
     * @param of the rank whose part is asked for
     * @return its bytes; in a dynamic window, those of the space in which parts are attached
     */
    public long bytes(int of) {
        return window.bytes(of);
    }

    /**
     * Lets other ranks reach a buffer of this rank by a dynamic window, until it is detached or the window is freed. No
     * other rank takes part: the program has to send them the displacement.
     *
     * @param buffer a primitive array, {@code ByteBuffer} or {@code MemorySegment}
     * @return the displacement of its first byte: 0 for the first buffer that is attached
     * @throws RankwireException of class {@link ErrorClass#WINDOW} if the window is not dynamic
     */
    public long attach(Object buffer) {
        return window.attach(buffer);
    }

    /**
     * Ends {@link #attach}: accesses of other ranks that arrive from now on are refused.
     *
     * @param buffer the buffer that was attached
     * @throws RankwireException of class {@link ErrorClass#WINDOW} if it is not attached, or the window is not dynamic
     */
    public void detach(Object buffer) {
        window.detach(buffer);
    }

    @Override
    public String name() {
        return window.name();
    }

    /**
     * Returns the ranks of this window.
     *
     * @return the group of the communicator that the window was made of
     */
    public Group group() {
        return new Group(on.group());
    }

    // accesses

    /**
     * Writes a whole buffer to a target.
     *
     * @param origin the buffer
     * @param to the rank to write to
     * @param displacement the place of the first element there, in units of that rank
     */
    public void put(Object origin, int to, long displacement) {
        access.put("put", origin, to, displacement);
    }

    /**
     * Writes elements of a buffer to a target.
     *
     * @param origin the buffer
     * @param offset the first element of the buffer to write
     * @param count how many elements to write
     * @param to the rank to write to
     * @param displacement the place of the first element there, in units of that rank
     */
    public void put(Object origin, long offset, long count, int to, long displacement) {
        access.put("put", origin, offset, count, to, displacement, false);
    }

    /**
     * Reads from a target into a whole buffer.
     *
     * @param into the buffer
     * @param from the rank to read from
     * @param displacement the place of the first element there, in units of that rank
     */
    public void get(Object into, int from, long displacement) {
        access.get("get", into, from, displacement);
    }

    /**
     * Reads elements from a target into a buffer.
     *
     * @param into the buffer
     * @param offset where the first element goes in the buffer
     * @param count how many elements to read
     * @param from the rank to read from
     * @param displacement the place of the first element there, in units of that rank
     */
    public void get(Object into, long offset, long count, int from, long displacement) {
        access.get("get", into, offset, count, from, displacement, false);
    }

    /**
     * Combines a whole buffer with the elements at a target, which take the results.
     *
     * @param origin the buffer
     * @param to the rank whose part is changed
     * @param displacement the place of the first element there, in units of that rank
     * @param op how two elements become one; a predefined operation
     */
    public void accumulate(Object origin, int to, long displacement, Op op) {
        access.accumulate("accumulate", origin, 0, on.lengthOf(origin), to, displacement, Op.operator(op), false);
    }

    /**
     * Combines elements of a buffer with those at a target, which take the results.
     *
     * @param origin the buffer
     * @param offset the first element of the buffer to combine
     * @param count how many elements to combine
     * @param to the rank whose part is changed
     * @param displacement the place of the first element there, in units of that rank
     * @param op how two elements become one; a predefined operation
     */
    public void accumulate(Object origin, long offset, long count, int to, long displacement, Op op) {
        access.accumulate("accumulate", origin, offset, count, to, displacement, Op.operator(op), false);
    }

    /**
     * Does what {@link #accumulate} does, and reads the elements that were there before.
     *
     * @param origin the buffer to combine
     * @param result the buffer for what was there, of the same type
     * @param to the rank whose part is changed
     * @param displacement the place of the first element there, in units of that rank
     * @param op how two elements become one; with {@link Op#NO_OP} the call only reads, atomically
     */
    public void getAccumulate(Object origin, Object result, int to, long displacement, Op op) {
        access.fetch("getAccumulate", origin, 0, result, 0, on.lengthOf(origin), to, displacement, Op.operator(op),
                false);
    }

    /**
     * Does what {@link #accumulate} does, and reads the elements that were there before.
     *
     * @param origin the buffer to combine
     * @param offset its first element to combine
     * @param result the buffer for what was there, of the same type
     * @param resultOffset where the first element goes in that buffer
     * @param count how many elements to combine
     * @param to the rank whose part is changed
     * @param displacement the place of the first element there, in units of that rank
     * @param op how two elements become one; with {@link Op#NO_OP} the call only reads, atomically
     */
    public void getAccumulate(Object origin, long offset, Object result, long resultOffset, long count, int to,
            long displacement, Op op) {
        access.fetch("getAccumulate", origin, offset, result, resultOffset, count, to, displacement, Op.operator(op),
                false);
    }

    /**
     * Does what {@link #getAccumulate} does, for the first element of the buffers.
     *
     * @param origin the buffer whose first element is combined
     * @param result the buffer whose first element takes what was there
     * @param to the rank whose part is changed
     * @param displacement the place of the element there, in units of that rank
     * @param op how two elements become one
     */
    public void fetchAndOp(Object origin, Object result, int to, long displacement, Op op) {
        access.fetch("fetchAndOp", origin, 0, result, 0, 1, to, displacement, Op.operator(op), false);
    }

    /**
     * Combines a {@code long} with the one at a target, and waits for what was there.
     *
     * @param value the number to combine
     * @param to the rank whose part is changed
     * @param displacement the place of the number there, in units of that rank
     * @param op how two numbers become one
     * @return what was there before
     */
    public long fetchAndOp(long value, int to, long displacement, Op op) {
        long[] result = {0};
        fetchAndOp(new long[] {value}, result, to, displacement, op);
        access.finish("fetchAndOp", to);
        return result[0];
    }

    /**
     * Combines an {@code int} with the one at a target, and waits for what was there.
     *
     * @param value the number to combine
     * @param to the rank whose part is changed
     * @param displacement the place of the number there, in units of that rank
     * @param op how two numbers become one
     * @return what was there before
     */
    public int fetchAndOp(int value, int to, long displacement, Op op) {
        int[] result = {0};
        fetchAndOp(new int[] {value}, result, to, displacement, op);
        access.finish("fetchAndOp", to);
        return result[0];
    }

    /**
     * Combines a {@code double} with the one at a target, and waits for what was there.
     *
     * @param value the number to combine
     * @param to the rank whose part is changed
     * @param displacement the place of the number there, in units of that rank
     * @param op how two numbers become one
     * @return what was there before
     */
    public double fetchAndOp(double value, int to, long displacement, Op op) {
        double[] result = {0};
        fetchAndOp(new double[] {value}, result, to, displacement, op);
        access.finish("fetchAndOp", to);
        return result[0];
    }

    /**
     * Replaces the element at a target by the first of a buffer if it equals an expected one, and reads what was there
     * before. The buffers are arrays of whole numbers or {@code boolean}s.
     *
     * @param origin the array whose first element is the new value
     * @param expected the array whose first element is compared with the one at the target
     * @param result the array whose first element takes what was there
     * @param to the rank whose part is changed
     * @param displacement the place of the element there, in units of that rank
     */
    public void compareAndSwap(Object origin, Object expected, Object result, int to, long displacement) {
        access.compareAndSwap(origin, expected, result, to, displacement);
    }

    /**
     * Replaces a {@code long} at a target if it equals an expected one, and waits for what was there.
     *
     * @param expected the number to compare with
     * @param value the new number
     * @param to the rank whose part is changed
     * @param displacement the place of the number there, in units of that rank
     * @return what was there before
     */
    public long compareAndSwap(long expected, long value, int to, long displacement) {
        long[] result = {0};
        compareAndSwap(new long[] {value}, new long[] {expected}, result, to, displacement);
        access.finish("compareAndSwap", to);
        return result[0];
    }

    /**
     * Replaces an {@code int} at a target if it equals an expected one, and waits for what was there.
     *
     * @param expected the number to compare with
     * @param value the new number
     * @param to the rank whose part is changed
     * @param displacement the place of the number there, in units of that rank
     * @return what was there before
     */
    public int compareAndSwap(int expected, int value, int to, long displacement) {
        int[] result = {0};
        compareAndSwap(new int[] {value}, new int[] {expected}, result, to, displacement);
        access.finish("compareAndSwap", to);
        return result[0];
    }

    // accesses with a request

    /**
     * Does what {@link #put(Object, long, long, int, long)} does, and returns a request.
     *
     * @param origin the buffer
     * @param offset the first element of the buffer to write
     * @param count how many elements to write
     * @param to the rank to write to
     * @param displacement the place of the first element there, in units of that rank
     * @return a request that is done when the buffer may be used again
     */
    public Request rput(Object origin, long offset, long count, int to, long displacement) {
        return started("rput", access.put("rput", origin, offset, count, to, displacement, true));
    }

    /**
     * Does what {@link #get(Object, long, long, int, long)} does, and returns a request.
     *
     * @param into the buffer
     * @param offset where the first element goes in the buffer
     * @param count how many elements to read
     * @param from the rank to read from
     * @param displacement the place of the first element there, in units of that rank
     * @return a request that is done when the elements are in the buffer
     */
    public Request rget(Object into, long offset, long count, int from, long displacement) {
        return started("rget", access.get("rget", into, offset, count, from, displacement, true));
    }

    /**
     * Does what {@link #accumulate(Object, long, long, int, long, Op)} does, and returns a request.
     *
     * @param origin the buffer
     * @param offset the first element of the buffer to combine
     * @param count how many elements to combine
     * @param to the rank whose part is changed
     * @param displacement the place of the first element there, in units of that rank
     * @param op how two elements become one; a predefined operation
     * @return a request that is done when the buffer may be used again
     */
    public Request raccumulate(Object origin, long offset, long count, int to, long displacement, Op op) {
        return started("raccumulate", access.accumulate(
                "raccumulate", origin, offset, count, to, displacement, Op.operator(op), true));
    }

    /**
     * Does what {@link #getAccumulate(Object, long, Object, long, long, int, long, Op)} does, and returns a request.
     *
     * @param origin the buffer to combine
     * @param offset its first element to combine
     * @param result the buffer for what was there, of the same type
     * @param resultOffset where the first element goes in that buffer
     * @param count how many elements to combine
     * @param to the rank whose part is changed
     * @param displacement the place of the first element there, in units of that rank
     * @param op how two elements become one
     * @return a request that is done when the result is in its buffer
     */
    public Request rgetAccumulate(Object origin, long offset, Object result, long resultOffset, long count, int to,
            long displacement, Op op) {
        return started("rgetAccumulate", access.fetch("rgetAccumulate", origin, offset, result, resultOffset, count, to,
                displacement, Op.operator(op), true));
    }

    // accesses with datatypes

    /**
     * Writes elements of a datatype to places at a target that another datatype names.
     *
     * @param origin the buffer
     * @param offset where the first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes to write
     * @param type the datatype that lies in the buffer
     * @param to the rank to write to
     * @param displacement where the first datatype has its byte 0 there, in units of that rank
     * @param targetCount how many datatypes there
     * @param targetType the datatype that lies there, of the same elements in all
     */
    public void put(Object origin, long offset, long count, Datatype type, int to, long displacement, long targetCount,
            Datatype targetType) {
        TypedAccess.put(window, "put", origin, offset, count, Datatype.layout(type), to, displacement, targetCount,
                Datatype.layout(targetType), false);
    }

    /**
     * Does what the {@link #put(Object, long, long, Datatype, int, long, long, Datatype) put} of datatypes does, and
     * returns a request.
     *
     * @param origin the buffer
     * @param offset where the first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes to write
     * @param type the datatype that lies in the buffer
     * @param to the rank to write to
     * @param displacement where the first datatype has its byte 0 there, in units of that rank
     * @param targetCount how many datatypes there
     * @param targetType the datatype that lies there, of the same elements in all
     * @return a request that is done when the buffer may be used again
     */
    public Request rput(Object origin, long offset, long count, Datatype type, int to, long displacement,
            long targetCount, Datatype targetType) {
        return started("rput", TypedAccess.put(window, "rput", origin, offset, count, Datatype.layout(type), to,
                displacement, targetCount, Datatype.layout(targetType), true));
    }

    /**
     * Reads elements of a datatype from places at a target that another datatype names.
     *
     * @param into the buffer
     * @param offset where the first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes to read
     * @param type the datatype that lies in the buffer
     * @param from the rank to read from
     * @param displacement where the first datatype has its byte 0 there, in units of that rank
     * @param targetCount how many datatypes there
     * @param targetType the datatype that lies there, of the same elements in all
     */
    public void get(Object into, long offset, long count, Datatype type, int from, long displacement, long targetCount,
            Datatype targetType) {
        TypedAccess.get(window, "get", into, offset, count, Datatype.layout(type), from, displacement, targetCount,
                Datatype.layout(targetType), false);
    }

    /**
     * Does what the {@link #get(Object, long, long, Datatype, int, long, long, Datatype) get} of datatypes does, and
     * returns a request.
     *
     * @param into the buffer
     * @param offset where the first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes to read
     * @param type the datatype that lies in the buffer
     * @param from the rank to read from
     * @param displacement where the first datatype has its byte 0 there, in units of that rank
     * @param targetCount how many datatypes there
     * @param targetType the datatype that lies there, of the same elements in all
     * @return a request that is done when the elements are in the buffer
     */
    public Request rget(Object into, long offset, long count, Datatype type, int from, long displacement,
            long targetCount, Datatype targetType) {
        return started("rget", TypedAccess.get(window, "rget", into, offset, count, Datatype.layout(type), from,
                displacement, targetCount, Datatype.layout(targetType), true));
    }

    /**
     * Combines elements of a datatype with those at a target that another datatype names; these take the results.
     *
     * @param origin the buffer
     * @param offset where the first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes to combine
     * @param type the datatype that lies in the buffer
     * @param to the rank whose part is changed
     * @param displacement where the first datatype has its byte 0 there, in units of that rank
     * @param targetCount how many datatypes there
     * @param targetType the datatype that lies there, of the same elements in all
     * @param op how two elements become one; a predefined operation
     */
    public void accumulate(Object origin, long offset, long count, Datatype type, int to, long displacement,
            long targetCount, Datatype targetType, Op op) {
        TypedAccess.accumulate(window, "accumulate", origin, offset, count, Datatype.layout(type), to, displacement,
                targetCount, Datatype.layout(targetType), Op.operator(op), false);
    }

    /**
     * Does what the {@link #accumulate(Object, long, long, Datatype, int, long, long, Datatype, Op) accumulate} of
     * datatypes does, and returns a request.
     *
     * @param origin the buffer
     * @param offset where the first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes to combine
     * @param type the datatype that lies in the buffer
     * @param to the rank whose part is changed
     * @param displacement where the first datatype has its byte 0 there, in units of that rank
     * @param targetCount how many datatypes there
     * @param targetType the datatype that lies there, of the same elements in all
     * @param op how two elements become one; a predefined operation
     * @return a request that is done when the buffer may be used again
     */
    public Request raccumulate(Object origin, long offset, long count, Datatype type, int to, long displacement,
            long targetCount, Datatype targetType, Op op) {
        return started("raccumulate", TypedAccess.accumulate(window, "raccumulate", origin, offset, count,
                Datatype.layout(type), to, displacement, targetCount, Datatype.layout(targetType), Op.operator(op),
                true));
    }

    /**
     * Does what the {@link #accumulate(Object, long, long, Datatype, int, long, long, Datatype, Op) accumulate} of
     * datatypes does, and reads the elements that were there before. With {@link Op#NO_OP} the arguments of the origin
     * are not used.
     *
     * @param origin the buffer to combine
     * @param offset where its first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes to combine
     * @param type the datatype that lies in that buffer
     * @param result the buffer for what was there
     * @param resultOffset where its first datatype has its byte 0, in elements of the buffer
     * @param resultCount how many datatypes to read
     * @param resultType the datatype that lies in that buffer
     * @param to the rank whose part is changed
     * @param displacement where the first datatype has its byte 0 there, in units of that rank
     * @param targetCount how many datatypes there
     * @param targetType the datatype that lies there, of the same elements in all
     * @param op how two elements become one; a predefined operation
     */
    public void getAccumulate(Object origin, long offset, long count, Datatype type, Object result, long resultOffset,
            long resultCount, Datatype resultType, int to, long displacement, long targetCount, Datatype targetType,
            Op op) {
        TypedAccess.fetch(window, "getAccumulate", origin, offset, count, Datatype.layout(type), result, resultOffset,
                resultCount, Datatype.layout(resultType), to, displacement, targetCount, Datatype.layout(targetType),
                Op.operator(op), false);
    }

    /**
     * Does what the {@code getAccumulate} of datatypes does, and returns a request.
     *
     * @param origin the buffer to combine
     * @param offset where its first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes to combine
     * @param type the datatype that lies in that buffer
     * @param result the buffer for what was there
     * @param resultOffset where its first datatype has its byte 0, in elements of the buffer
     * @param resultCount how many datatypes to read
     * @param resultType the datatype that lies in that buffer
     * @param to the rank whose part is changed
     * @param displacement where the first datatype has its byte 0 there, in units of that rank
     * @param targetCount how many datatypes there
     * @param targetType the datatype that lies there, of the same elements in all
     * @param op how two elements become one; a predefined operation
     * @return a request that is done when the result is in its buffer
     */
    public Request rgetAccumulate(Object origin, long offset, long count, Datatype type, Object result,
            long resultOffset, long resultCount, Datatype resultType, int to, long displacement, long targetCount,
            Datatype targetType, Op op) {
        return started("rgetAccumulate", TypedAccess.fetch(window, "rgetAccumulate", origin, offset, count,
                Datatype.layout(type), result, resultOffset, resultCount, Datatype.layout(resultType), to,
                displacement, targetCount, Datatype.layout(targetType), Op.operator(op), true));
    }

    /**
     * Replaces the element at a target by one of a buffer if it equals an expected one, and reads what was there
     * before.
     *
     * @param origin the buffer that holds the new element
     * @param offset where the datatype has its byte 0, in elements of that buffer
     * @param expected the buffer that holds the element to compare with
     * @param expectedOffset where the datatype has its byte 0, in elements of that buffer
     * @param result the buffer for what was there
     * @param resultOffset where the datatype has its byte 0, in elements of that buffer
     * @param type a datatype of a single element, a whole number or {@code boolean}
     * @param to the rank whose part is changed
     * @param displacement where the datatype has its byte 0 there, in units of that rank
     */
    public void compareAndSwap(Object origin, long offset, Object expected, long expectedOffset, Object result,
            long resultOffset, Datatype type, int to, long displacement) {
        TypedAccess.compareAndSwap(window, origin, offset, expected, expectedOffset, result, resultOffset,
                Datatype.layout(type), to, displacement);
    }

    // synchronisation: all ranks together

    /**
     * Ends the accesses of all ranks since the last fence and begins the next epoch. All ranks call it.
     *
     * @throws RankwireException of class {@link ErrorClass#WINDOW} if this rank holds a lock or is in an epoch that
     *     {@link #start} or {@link #post} began; of class {@link ErrorClass#DISPLACEMENT} if a target has refused an
     *     access
     */
    public void fence() {
        synchronisation.fence();
    }

    // synchronisation: groups of ranks

    /**
     * Lets ranks reach this rank's part until {@link #await}. The call does not wait for them.
     *
     * @param origins the ranks, which call {@link #start} with a group that holds this rank
     */
    public void post(Group origins) {
        synchronisation.post(window.given("post", "group", origins).ranks());
    }

    /**
     * Waits until ranks have called {@link #post}, and begins accesses to them.
     *
     * @param targets the ranks to reach
     */
    public void start(Group targets) {
        synchronisation.start(window.given("start", "group", targets).ranks());
    }

    /**
     * Ends the accesses begun by {@link #start}: they are done at their targets.
     *
     * @throws RankwireException of class {@link ErrorClass#DISPLACEMENT} if a target has refused an access
     */
    public void complete() {
        synchronisation.complete();
    }

    /** Waits until all ranks that {@link #post} let in have called {@link #complete}. */
    public void await() {
        synchronisation.await();
    }

    /**
     * Returns whether all ranks that {@link #post} let in have called {@link #complete}. If so, the call counts as
     * {@link #await}.
     *
     * @return false if at least one of them has not
     */
    public boolean test() {
        return synchronisation.test();
    }

    // synchronisation: the origin alone

    /**
     * Begins accesses to a rank, which makes no call. Waits while other ranks hold a lock there that excludes this one.
     *
     * @param how whether other ranks may hold a lock there at the same time
     * @param at the rank to reach
     */
    public void lock(Lock how, int at) {
        synchronisation.lock(window.given("lock", "how", how) == Lock.EXCLUSIVE, at);
    }

    /**
     * Ends the accesses to a locked rank: they are done there.
     *
     * @param at the rank
     * @throws RankwireException of class {@link ErrorClass#DISPLACEMENT} if the rank has refused an access; the lock is
     *     given up all the same
     */
    public void unlock(int at) {
        synchronisation.unlock(at);
    }

    /** Begins accesses to all ranks, with a {@link Lock#SHARED} lock at each. */
    public void lockAll() {
        synchronisation.lockAll();
    }

    /**
     * Ends the accesses that {@link #lockAll} began: they are done at their targets.
     *
     * @throws RankwireException of class {@link ErrorClass#DISPLACEMENT} if a rank has refused an access; the locks are
     *     given up all the same
     */
    public void unlockAll() {
        synchronisation.unlockAll();
    }

    /**
     * Waits until all accesses to a locked rank are done there.
     *
     * @param at the rank
     * @throws RankwireException of class {@link ErrorClass#DISPLACEMENT} if the rank has refused an access
     */
    public void flush(int at) {
        synchronisation.flush(at);
    }

    /**
     * Waits until all accesses to locked ranks are done there.
     *
     * @throws RankwireException of class {@link ErrorClass#DISPLACEMENT} if a rank has refused an access
     */
    public void flushAll() {
        synchronisation.flushAll();
    }

    /**
     * Waits until the buffers of all accesses to a locked rank may be used again. What was read is in them.
     *
     * @param at the rank
     */
    public void flushLocal(int at) {
        synchronisation.flushLocal(at);
    }

    /** Does what {@link #flushLocal} does, for all locked ranks. */
    public void flushLocalAll() {
        synchronisation.flushLocalAll();
    }

    /**
     * Orders this rank's own loads and stores with accesses of others to its part: what others have written is seen
     * after the call, and what this rank has stored before the call is seen by others.
     */
    public void sync() {
        synchronisation.sync();
    }

    /**
     * Ends the window when all ranks have called this and all accesses are done. Memory that the window has allocated
     * is freed. All ranks call it. If one of them is dead, or the communicator was revoked, each rank ends its part
     * alone, also in an epoch: the call then gives up locks and completes what {@link #start} began.
     *
     * @throws RankwireException of class {@link ErrorClass#WINDOW} if this rank holds a lock or is in an epoch that
     *     {@link #start} or {@link #post} began, while all ranks are alive and the communicator is not revoked
     */
    public void free() {
        synchronisation.checkFree();
        attributes.deleteAll();
        window.free();
    }

    // every handle

    @Override
    public void errorHandler(ErrorHandler handler) {
        RankwireException.handle(window, this, handler);
        RankwireException.handle(on, this, handler);
        errorHandler = handler;
    }

    @Override
    public ErrorHandler errorHandler() {
        return errorHandler;
    }

    @Override
    public <T> Optional<T> attribute(AttributeKey<T> key) {
        return AttributeKey.get(attributes, key);
    }

    @Override
    public <T> void attribute(AttributeKey<T> key, T value) {
        attributes.set(AttributeKey.callbacks(key), value);
    }

    @Override
    public boolean removeAttribute(AttributeKey<?> key) {
        return attributes.remove(AttributeKey.callbacks(key));
    }

    /** Returns the name of the window, this rank and the number of ranks. */
    @Override
    public String toString() {
        return window.toString();
    }
}
