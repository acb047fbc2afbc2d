package mpi;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/** A complex number in a buffer: two {@code double}s, the real part first. */
public final class DoubleComplex {
    private final DoubleBuffer buffer;
    private final int offset;

    private DoubleComplex(DoubleBuffer buffer, int index) {
        this.buffer = buffer;
        this.offset = 2 * index;
    }

    /** Returns the first number in a buffer. */
    public static DoubleComplex get(DoubleBuffer buffer) {
        return get(buffer, 0);
    }

    /** Returns one of the numbers that lie in a buffer one behind the other. */
    public static DoubleComplex get(DoubleBuffer buffer, int index) {
        return new DoubleComplex(buffer, index);
    }

    /** Returns the first number in an array. */
    public static DoubleComplex get(double[] array) {
        return get(array, 0);
    }

    /** Returns one of the numbers that lie in an array one behind the other. */
    public static DoubleComplex get(double[] array, int index) {
        return new DoubleComplex(DoubleBuffer.wrap(array), index);
    }

    /** Returns the first number in a buffer. */
    public static DoubleComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /** Returns one of the numbers that lie in a buffer one behind the other. */
    public static DoubleComplex get(ByteBuffer buffer, int index) {
        return new DoubleComplex(buffer.asDoubleBuffer(), index);
    }

    /** Returns the real part. */
    public double getReal() {
        return buffer.get(offset);
    }

    /** Returns the imaginary part. */
    public double getImag() {
        return buffer.get(offset + 1);
    }

    /** Sets the real part. */
    public void putReal(double real) {
        buffer.put(offset, real);
    }

    /** Sets the imaginary part. */
    public void putImag(double imag) {
        buffer.put(offset + 1, imag);
    }

    /** Returns the buffer from this number on. */
    public DoubleBuffer getBuffer() {
        return offset == 0 ? buffer : MPI.slice(buffer, offset);
    }
}
