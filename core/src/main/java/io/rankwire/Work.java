package io.rankwire;

import io.rankwire.device.work.WorkProgram;
import io.rankwire.runtime.Buffers;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Host;
import io.rankwire.runtime.Layout;
import io.rankwire.runtime.TypedViews;
import io.rankwire.type.ElementType;

/**
 * The device's work queues, for those who write their own programs for it; {@link WorkProgram} says what they are made
 * of. Messages of a program are messages of its communicator: plain sends and receives of other ranks can meet them.
 */
public final class Work {
    private final Endpoint on;

    Work(Communicator communicator) {
        this.on = communicator.endpoint();
    }

    /** An empty program for messages between the ranks of this communicator. */
    public WorkProgram program() {
        return new WorkProgram(on.context(), on.session().size());
    }

    /** How programs name a rank. */
    public int peer(int rank) {
        return on.group().worldRank(rank);
    }

    /** Adds an operation to a program, for elements of a primitive type. */
    public int combination(WorkProgram program, Op op, Class<?> element) {
        ElementType type = Op.operator(op.as(element)).elementOf(ElementType.RAW);
        if (!Op.operator(op).supports(type)) {
            throw new RankwireException(ErrorClass.TYPE, "argument op: " + op + " does not combine " + type
                    + CallSite.find());
        }
        return program.combination(Op.operator(op).combination(type));
    }

    /** Binds a buffer of a program: a primitive array, {@code ByteBuffer} or {@code MemorySegment}. */
    public void bind(WorkProgram program, int buffer, Object memory) {
        ElementType type = on.typeOf(memory);
        checkLength(program, buffer, Buffers.length(memory) * type.bytes());
        program.bind(buffer, Buffers.base(memory), Buffers.start(memory));
    }

    /**
     * Binds a buffer of a program to the elements of so many datatypes, as they lie: strided vectors, boxes of grids
     * and the like. To the program they are bytes in a row, for messages, calculations and copies alike.
     *
     * @param offset in elements of the memory, where the first datatype has its byte 0
     */
    public void bind(WorkProgram program, int buffer, Object memory, long offset, long count, Datatype type) {
        Layout layout = Datatype.layout(type);
        Object view = TypedViews.target(on, memory, offset, count, layout);
        checkLength(program, buffer, layout.bytes(count));
        program.bind(buffer, view, TypedViews.start(view, memory, offset, layout));
    }

    private void checkLength(WorkProgram program, int buffer, long bytes) {
        if (bytes < program.bytes(buffer)) {
            throw on.error(ErrorClass.COUNT, "bind: buffer " + buffer + " of the program has " + program.bytes(buffer)
                    + " bytes, the memory only " + bytes);
        }
    }

    /**
     * Hands a program to the device, which runs it to the end by itself. A program that cannot be right is refused.
     *
     * @param tag of its messages
     */
    public Request start(WorkProgram program, int tag) {
        on.checkUsable();
        if (tag < 0) {
            throw new RankwireException(ErrorClass.TAG, "argument tag: " + tag + " is below zero" + CallSite.find());
        }
        Host host = on.host();
        host.lock();
        try {
            program.checkBound();
            for (Object base : program.bound()) {
                host.confined.inCollective(base, false);
            }
            return new Request(on, program, host.device.start(program, tag));
        } catch (IllegalArgumentException e) {
            throw new RankwireException(ErrorClass.ARGUMENT, "rank " + on.rank() + ": work program refused: "
                    + e.getMessage() + CallSite.find(), e);
        } catch (RuntimeException e) {
            throw host.translate(e, "work program");
        } finally {
            host.unlock();
        }
    }
}
