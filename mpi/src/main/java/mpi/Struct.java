package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Fields of several types in a buffer of bytes. A subclass adds the fields when it is made, keeps the offsets that the
 * methods return, and gives access to them by a subclass of {@link Data}. No field can be added after the first use.
 */
public abstract class Struct {
    private record Field(Datatype type, int offset, int length) {}

    private final List<Field> fields = new ArrayList<>();
    /** Bytes up to the end of the last field; once there is a type, from one struct to the next. */
    private int extent;
    private Datatype type;

    /** Makes a struct without fields. */
    public Struct() {}

    /** Makes this the struct of a predefined type. */
    final void become(Datatype predefined, int bytes) {
        type = predefined;
        extent = bytes;
    }

    private Datatype type() {
        if (type == null) {
            int[] lengths = new int[fields.size()];
            int[] offsets = new int[lengths.length];
            Datatype[] types = new Datatype[lengths.length];
            for (int i = 0; i < lengths.length; i++) {
                lengths[i] = fields.get(i).length;
                offsets[i] = fields.get(i).offset;
                types[i] = fields.get(i).type;
            }
            type = Datatype.createStruct(lengths, offsets, types);
            extent = type.getExtent();
        }
        return type;
    }

    /** Returns the bytes from one struct to the next. */
    public final int getExtent() throws MPIException {
        type();
        return extent;
    }

    /** Returns the datatype of the struct. */
    public final Datatype getType() throws MPIException {
        return type();
    }

    /** Makes access to a struct, not yet in a buffer. */
    protected abstract Data newData();

    @SuppressWarnings("unchecked")
    private <T extends Data> T at(ByteBuffer buffer, int offset) {
        type();
        Data data = newData();
        data.buffer = buffer;
        data.offset = offset;
        return (T) data;
    }

    /** Returns the struct at the start of a buffer. */
    public final <T extends Data> T getData(ByteBuffer buffer) throws MPIException {
        return at(buffer, 0);
    }

    /** Returns one of the structs that lie in a buffer one behind the other. */
    public final <T extends Data> T getData(ByteBuffer buffer, int index) throws MPIException {
        return at(buffer, index * getExtent());
    }

    /** Returns the struct at the start of an array. */
    public final <T extends Data> T getData(byte[] array) throws MPIException {
        return at(ByteBuffer.wrap(array).order(ByteOrder.nativeOrder()), 0);
    }

    /** Returns one of the structs that lie in an array one behind the other. */
    public final <T extends Data> T getData(byte[] array, int index) throws MPIException {
        return at(ByteBuffer.wrap(array).order(ByteOrder.nativeOrder()), index * getExtent());
    }

    // fields: each call returns the offset

    private void checkOpen() {
        if (type != null) {
            throw MPI.failed(new MPIException(MPI.ERR_TYPE, "the struct is in use: add fields before its first use"));
        }
    }

    private int add(Datatype of, int bytes, int length) {
        checkOpen();
        int offset = extent;
        extent += bytes * length;
        fields.add(new Field(of, offset, length));
        return offset;
    }

    /** Sets the offset of the next field, not before the end of the last. */
    public final Struct setOffset(int offset) {
        checkOpen();
        if (offset < extent) {
            throw MPI.failed(new MPIException(MPI.ERR_ARG, "setOffset: argument offset: " + offset
                    + " is within the fields, which end at " + extent));
        }
        extent = offset;
        return this;
    }

    /** Adds a field of one {@code byte} and returns its offset. */
    public final int addByte() {
        return addByte(1);
    }

    /** Adds a field of several {@code byte}s and returns its offset. */
    public final int addByte(int length) {
        return add(MPI.BYTE, Byte.BYTES, length);
    }

    /** Adds a field of one {@code char} and returns its offset. */
    public final int addChar() {
        return addChar(1);
    }

    /** Adds a field of several {@code char}s and returns its offset. */
    public final int addChar(int length) {
        return add(MPI.CHAR, Character.BYTES, length);
    }

    /** Adds a field of one {@code short} and returns its offset. */
    public final int addShort() {
        return addShort(1);
    }

    /** Adds a field of several {@code short}s and returns its offset. */
    public final int addShort(int length) {
        return add(MPI.SHORT, Short.BYTES, length);
    }

    /** Adds a field of one {@code int} and returns its offset. */
    public final int addInt() {
        return addInt(1);
    }

    /** Adds a field of several {@code int}s and returns its offset. */
    public final int addInt(int length) {
        return add(MPI.INT, Integer.BYTES, length);
    }

    /** Adds a field of one {@code long} and returns its offset. */
    public final int addLong() {
        return addLong(1);
    }

    /** Adds a field of several {@code long}s and returns its offset. */
    public final int addLong(int length) {
        return add(MPI.LONG, Long.BYTES, length);
    }

    /** Adds a field of one {@code float} and returns its offset. */
    public final int addFloat() {
        return addFloat(1);
    }

    /** Adds a field of several {@code float}s and returns its offset. */
    public final int addFloat(int length) {
        return add(MPI.FLOAT, Float.BYTES, length);
    }

    /** Adds a field of one {@code double} and returns its offset. */
    public final int addDouble() {
        return addDouble(1);
    }

    /** Adds a field of several {@code double}s and returns its offset. */
    public final int addDouble(int length) {
        return add(MPI.DOUBLE, Double.BYTES, length);
    }

    /** Adds a field of one struct and returns its offset. */
    public final int addStruct(Struct struct) throws MPIException {
        return addStruct(struct, 1);
    }

    /** Adds a field of structs and returns its offset. */
    public final int addStruct(Struct struct, int length) throws MPIException {
        return add(struct.type(), struct.getExtent(), length);
    }

    /** Adds a field of one element of a datatype and returns its offset. */
    public final int addData(Datatype type) throws MPIException {
        return addData(type, 1);
    }

    /** Adds a field of several elements of a datatype and returns its offset. */
    public final int addData(Datatype type, int length) throws MPIException {
        return add(type, bytes(type), length);
    }

    private static int bytes(Datatype type) {
        return Math.toIntExact(Datatype.core(type).extent());
    }

    /** One struct in a buffer. Fields are named by their offsets. */
    public abstract class Data {
        private ByteBuffer buffer;
        private int offset;

        /** Makes access to a struct. */
        public Data() {}

        /** Returns the buffer from this struct on. */
        public final ByteBuffer getBuffer() {
            return from(0);
        }

        private ByteBuffer from(int place) {
            int position = offset + place;
            return position == 0 ? buffer : MPI.slice(buffer, position);
        }

        /** Returns the {@code byte} of a field. */
        protected final byte getByte(int field) {
            return buffer.get(offset + field);
        }

        /** Returns one of the {@code byte}s of a field. */
        protected final byte getByte(int field, int index) {
            return buffer.get(offset + field + index);
        }

        /** Sets the {@code byte} of a field. */
        protected final void putByte(int field, byte v) {
            buffer.put(offset + field, v);
        }

        /** Sets one of the {@code byte}s of a field. */
        protected final void putByte(int field, int index, byte v) {
            buffer.put(offset + field + index, v);
        }

        /** Returns the {@code char} of a field. */
        protected final char getChar(int field) {
            return buffer.getChar(offset + field);
        }

        /** Returns one of the {@code char}s of a field. */
        protected final char getChar(int field, int index) {
            return buffer.getChar(offset + field + index * Character.BYTES);
        }

        /** Sets the {@code char} of a field. */
        protected final void putChar(int field, char v) {
            buffer.putChar(offset + field, v);
        }

        /** Sets one of the {@code char}s of a field. */
        protected final void putChar(int field, int index, char v) {
            buffer.putChar(offset + field + index * Character.BYTES, v);
        }

        /** Returns the {@code short} of a field. */
        protected final short getShort(int field) {
            return buffer.getShort(offset + field);
        }

        /** Returns one of the {@code short}s of a field. */
        protected final short getShort(int field, int index) {
            return buffer.getShort(offset + field + index * Short.BYTES);
        }

        /** Sets the {@code short} of a field. */
        protected final void putShort(int field, short v) {
            buffer.putShort(offset + field, v);
        }

        /** Sets one of the {@code short}s of a field. */
        protected final void putShort(int field, int index, short v) {
            buffer.putShort(offset + field + index * Short.BYTES, v);
        }

        /** Returns the {@code int} of a field. */
        protected final int getInt(int field) {
            return buffer.getInt(offset + field);
        }

        /** Returns one of the {@code int}s of a field. */
        protected final int getInt(int field, int index) {
            return buffer.getInt(offset + field + index * Integer.BYTES);
        }

        /** Sets the {@code int} of a field. */
        protected final void putInt(int field, int v) {
            buffer.putInt(offset + field, v);
        }

        /** Sets one of the {@code int}s of a field. */
        protected final void putInt(int field, int index, int v) {
            buffer.putInt(offset + field + index * Integer.BYTES, v);
        }

        /** Returns the {@code long} of a field. */
        protected final long getLong(int field) {
            return buffer.getLong(offset + field);
        }

        /** Returns one of the {@code long}s of a field. */
        protected final long getLong(int field, int index) {
            return buffer.getLong(offset + field + index * Long.BYTES);
        }

        /** Sets the {@code long} of a field. */
        protected final void putLong(int field, long v) {
            buffer.putLong(offset + field, v);
        }

        /** Sets one of the {@code long}s of a field. */
        protected final void putLong(int field, int index, long v) {
            buffer.putLong(offset + field + index * Long.BYTES, v);
        }

        /** Returns the {@code float} of a field. */
        protected final float getFloat(int field) {
            return buffer.getFloat(offset + field);
        }

        /** Returns one of the {@code float}s of a field. */
        protected final float getFloat(int field, int index) {
            return buffer.getFloat(offset + field + index * Float.BYTES);
        }

        /** Sets the {@code float} of a field. */
        protected final void putFloat(int field, float v) {
            buffer.putFloat(offset + field, v);
        }

        /** Sets one of the {@code float}s of a field. */
        protected final void putFloat(int field, int index, float v) {
            buffer.putFloat(offset + field + index * Float.BYTES, v);
        }

        /** Returns the {@code double} of a field. */
        protected final double getDouble(int field) {
            return buffer.getDouble(offset + field);
        }

        /** Returns one of the {@code double}s of a field. */
        protected final double getDouble(int field, int index) {
            return buffer.getDouble(offset + field + index * Double.BYTES);
        }

        /** Sets the {@code double} of a field. */
        protected final void putDouble(int field, double v) {
            buffer.putDouble(offset + field, v);
        }

        /** Sets one of the {@code double}s of a field. */
        protected final void putDouble(int field, int index, double v) {
            buffer.putDouble(offset + field + index * Double.BYTES, v);
        }

        /** Returns the struct of a field. */
        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field) {
            return getData(struct, field, 0);
        }

        /** Returns one of the structs of a field. */
        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field, int index) {
            Struct of = struct;
            return of.at(buffer, offset + field + index * of.getExtent());
        }

        /** Returns the buffer from a field on. */
        protected final ByteBuffer getBuffer(Datatype type, int field) {
            return from(field);
        }

        /** Returns the buffer from one element of a field on. */
        protected final ByteBuffer getBuffer(Datatype type, int field, int index) throws MPIException {
            return from(field + index * bytes(type));
        }
    }
}
