package io.rankwire.runtime;

import java.nio.ByteBuffer;

/**
 * The last call with its arguments, which need not be checked again when the next is the same, as in a loop: that takes
 * as long as a line needs from core to core.
 */
public final class RepeatedCall {
    private Collective call;
    private Object in;
    private long inOffset;
    private Object out;
    private long outOffset;
    private long count;
    private Operator op;
    private int root;
    // as bound
    private Object input;
    private long inputAt;
    private Object output;
    private long outputAt;

    public boolean is(CollectiveKind kind, Object in, long inOffset, Object out, long outOffset, long count, Operator op,
            int root) {
        return this.in == in && this.out == out && this.count == count && this.op == op && this.root == root
                && this.inOffset == inOffset && this.outOffset == outOffset && call != null
                && call.shape.kind() == kind && !call.program.active();
    }

    /** The call, bound to its buffers: others of the same shape may have had it meanwhile. */
    public Collective bound() {
        call.bind(input, inputAt, output, outputAt);
        return call;
    }

    /** A byte buffer has a position and may be another part of memory the next time. */
    public void keep(Collective call, Object in, long inOffset, Object out, long outOffset, long count, Operator op, int root) {
        this.call = in instanceof ByteBuffer || out instanceof ByteBuffer ? null : call;
        this.in = in;
        this.inOffset = inOffset;
        this.out = out;
        this.outOffset = outOffset;
        this.count = count;
        this.op = op;
        this.root = root;
        this.input = call.input;
        this.inputAt = call.inputAt;
        this.output = call.output;
        this.outputAt = call.outputAt;
    }
}
