package mpi;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** A complex number in a buffer: two {@code float}s, the real part first. */
public final class FloatComplex {
    private final FloatBuffer buffer;
    private final int offset;

    private FloatComplex(FloatBuffer buffer, int index) {
        this.buffer = buffer;
        this.offset = 2 * index;
    }

    /** Returns the first number in a buffer. */
    public static FloatComplex get(FloatBuffer buffer) {
        return get(buffer, 0);
    }

    /** Returns one of the numbers that lie in a buffer one behind the other. */
    public static FloatComplex get(FloatBuffer buffer, int index) {
        return new FloatComplex(buffer, index);
    }

    /** Returns the first number in an array. */
    public static FloatComplex get(float[] array) {
        return get(array, 0);
    }

    /** Returns one of the numbers that lie in an array one behind the other. */
    public static FloatComplex get(float[] array, int index) {
        return new FloatComplex(FloatBuffer.wrap(array), index);
    }

    /** Returns the first number in a buffer. */
    public static FloatComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /** Returns one of the numbers that lie in a buffer one behind the other. */
    public static FloatComplex get(ByteBuffer buffer, int index) {
        return new FloatComplex(buffer.asFloatBuffer(), index);
    }

    /** Returns the real part. */
    public float getReal() {
        return buffer.get(offset);
    }

    /** Returns the imaginary part. */
    public float getImag() {
        return buffer.get(offset + 1);
    }

    /** Sets the real part. */
    public void putReal(float real) {
        buffer.put(offset, real);
    }

    /** Sets the imaginary part. */
    public void putImag(float imag) {
        buffer.put(offset + 1, imag);
    }

    /** Returns the buffer from this number on. */
    public FloatBuffer getBuffer() {
        return offset == 0 ? buffer : MPI.slice(buffer, offset);
    }
}
