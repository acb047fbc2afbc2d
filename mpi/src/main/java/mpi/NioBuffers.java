package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** Buffers of Open MPI's dialect: direct ones, in the order of this machine, and parts of buffers and arrays. */
abstract class NioBuffers extends Constants {
    NioBuffers() {}

    public static ByteBuffer newByteBuffer(int capacity) {
        return DirectMemory.remembered(ByteBuffer.allocateDirect(capacity)).order(ByteOrder.nativeOrder());
    }

    public static CharBuffer newCharBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Character.BYTES)).asCharBuffer();
    }

    public static ShortBuffer newShortBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Short.BYTES)).asShortBuffer();
    }

    public static IntBuffer newIntBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Integer.BYTES)).asIntBuffer();
    }

    public static LongBuffer newLongBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Long.BYTES)).asLongBuffer();
    }

    public static FloatBuffer newFloatBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Float.BYTES)).asFloatBuffer();
    }

    public static DoubleBuffer newDoubleBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Double.BYTES)).asDoubleBuffer();
    }

    /** The buffer from an offset on, whatever its position and limit are; these are reset. */
    public static ByteBuffer slice(ByteBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice().order(ByteOrder.nativeOrder());
    }

    public static CharBuffer slice(CharBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice();
    }

    public static ShortBuffer slice(ShortBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice();
    }

    public static IntBuffer slice(IntBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice();
    }

    public static LongBuffer slice(LongBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice();
    }

    public static FloatBuffer slice(FloatBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice();
    }

    public static DoubleBuffer slice(DoubleBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice();
    }

    /** The array from an offset on. */
    public static ByteBuffer slice(byte[] buf, int offset) {
        return ByteBuffer.wrap(buf, offset, buf.length - offset).slice().order(ByteOrder.nativeOrder());
    }

    public static CharBuffer slice(char[] buf, int offset) {
        return CharBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    public static ShortBuffer slice(short[] buf, int offset) {
        return ShortBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    public static IntBuffer slice(int[] buf, int offset) {
        return IntBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    public static LongBuffer slice(long[] buf, int offset) {
        return LongBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    public static FloatBuffer slice(float[] buf, int offset) {
        return FloatBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    public static DoubleBuffer slice(double[] buf, int offset) {
        return DoubleBuffer.wrap(buf, offset, buf.length - offset).slice();
    }
}
