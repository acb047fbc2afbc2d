package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Fields of several types in a buffer of bytes, as a subclass lists them: it adds fields when it is made, keeps the
 * offsets it is told, and gives access to them by a subclass of {@link Data}. The first use ends the list.
 */
public abstract class Struct {
    private record Field(Datatype type, int offset, int length) {}

    private final List<Field> fields = new ArrayList<>();
    /** Bytes up to the end of the last field; once there is a type, from one struct to the next. */
    private int extent;
    private Datatype type;

    public Struct() {}

    /** A predefined one. */
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

    /** Bytes from one struct to the next. */
    public final int getExtent() throws MPIException {
        type();
        return extent;
    }

    public final Datatype getType() throws MPIException {
        return type();
    }

    /** Access to a struct that lies nowhere yet. */
    protected abstract Data newData();

    @SuppressWarnings("unchecked")
    private <T extends Data> T at(ByteBuffer buffer, int offset) {
        type();
        Data data = newData();
        data.buffer = buffer;
        data.offset = offset;
        return (T) data;
    }

    /** The struct at the begin of a buffer. */
    public final <T extends Data> T getData(ByteBuffer buffer) throws MPIException {
        return at(buffer, 0);
    }

    /** One of the structs that lie in a buffer one after the other. */
    public final <T extends Data> T getData(ByteBuffer buffer, int index) throws MPIException {
        return at(buffer, index * getExtent());
    }

    public final <T extends Data> T getData(byte[] array) throws MPIException {
        return at(ByteBuffer.wrap(array).order(ByteOrder.nativeOrder()), 0);
    }

    public final <T extends Data> T getData(byte[] array, int index) throws MPIException {
        return at(ByteBuffer.wrap(array).order(ByteOrder.nativeOrder()), index * getExtent());
    }

    // fields: each call returns the offset

    private void checkOpen() {
        if (type != null) {
            throw MPI.failed(new MPIException(MPI.ERR_TYPE, "the struct is in use: fields come before"));
        }
    }

    private int add(Datatype of, int bytes, int length) {
        checkOpen();
        int offset = extent;
        extent += bytes * length;
        fields.add(new Field(of, offset, length));
        return offset;
    }

    /** Where the next field is to be, not before the end of the last. */
    public final Struct setOffset(int offset) {
        checkOpen();
        if (offset < extent) {
            throw MPI.failed(new MPIException(MPI.ERR_ARG, "setOffset: argument offset: " + offset
                    + " is within the fields, which end at " + extent));
        }
        extent = offset;
        return this;
    }

    public final int addByte() {
        return addByte(1);
    }

    public final int addByte(int length) {
        return add(MPI.BYTE, Byte.BYTES, length);
    }

    public final int addChar() {
        return addChar(1);
    }

    public final int addChar(int length) {
        return add(MPI.CHAR, Character.BYTES, length);
    }

    public final int addShort() {
        return addShort(1);
    }

    public final int addShort(int length) {
        return add(MPI.SHORT, Short.BYTES, length);
    }

    public final int addInt() {
        return addInt(1);
    }

    public final int addInt(int length) {
        return add(MPI.INT, Integer.BYTES, length);
    }

    public final int addLong() {
        return addLong(1);
    }

    public final int addLong(int length) {
        return add(MPI.LONG, Long.BYTES, length);
    }

    public final int addFloat() {
        return addFloat(1);
    }

    public final int addFloat(int length) {
        return add(MPI.FLOAT, Float.BYTES, length);
    }

    public final int addDouble() {
        return addDouble(1);
    }

    public final int addDouble(int length) {
        return add(MPI.DOUBLE, Double.BYTES, length);
    }

    public final int addStruct(Struct struct) throws MPIException {
        return addStruct(struct, 1);
    }

    public final int addStruct(Struct struct, int length) throws MPIException {
        return add(struct.type(), struct.getExtent(), length);
    }

    public final int addData(Datatype type) throws MPIException {
        return addData(type, 1);
    }

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

        public Data() {}

        /** The buffer from this struct on. */
        public final ByteBuffer getBuffer() {
            return from(0);
        }

        private ByteBuffer from(int place) {
            int position = offset + place;
            return position == 0 ? buffer : MPI.slice(buffer, position);
        }

        protected final byte getByte(int field) {
            return buffer.get(offset + field);
        }

        protected final byte getByte(int field, int index) {
            return buffer.get(offset + field + index);
        }

        protected final void putByte(int field, byte v) {
            buffer.put(offset + field, v);
        }

        protected final void putByte(int field, int index, byte v) {
            buffer.put(offset + field + index, v);
        }

        protected final char getChar(int field) {
            return buffer.getChar(offset + field);
        }

        protected final char getChar(int field, int index) {
            return buffer.getChar(offset + field + index * Character.BYTES);
        }

        protected final void putChar(int field, char v) {
            buffer.putChar(offset + field, v);
        }

        protected final void putChar(int field, int index, char v) {
            buffer.putChar(offset + field + index * Character.BYTES, v);
        }

        protected final short getShort(int field) {
            return buffer.getShort(offset + field);
        }

        protected final short getShort(int field, int index) {
            return buffer.getShort(offset + field + index * Short.BYTES);
        }

        protected final void putShort(int field, short v) {
            buffer.putShort(offset + field, v);
        }

        protected final void putShort(int field, int index, short v) {
            buffer.putShort(offset + field + index * Short.BYTES, v);
        }

        protected final int getInt(int field) {
            return buffer.getInt(offset + field);
        }

        protected final int getInt(int field, int index) {
            return buffer.getInt(offset + field + index * Integer.BYTES);
        }

        protected final void putInt(int field, int v) {
            buffer.putInt(offset + field, v);
        }

        protected final void putInt(int field, int index, int v) {
            buffer.putInt(offset + field + index * Integer.BYTES, v);
        }

        protected final long getLong(int field) {
            return buffer.getLong(offset + field);
        }

        protected final long getLong(int field, int index) {
            return buffer.getLong(offset + field + index * Long.BYTES);
        }

        protected final void putLong(int field, long v) {
            buffer.putLong(offset + field, v);
        }

        protected final void putLong(int field, int index, long v) {
            buffer.putLong(offset + field + index * Long.BYTES, v);
        }

        protected final float getFloat(int field) {
            return buffer.getFloat(offset + field);
        }

        protected final float getFloat(int field, int index) {
            return buffer.getFloat(offset + field + index * Float.BYTES);
        }

        protected final void putFloat(int field, float v) {
            buffer.putFloat(offset + field, v);
        }

        protected final void putFloat(int field, int index, float v) {
            buffer.putFloat(offset + field + index * Float.BYTES, v);
        }

        protected final double getDouble(int field) {
            return buffer.getDouble(offset + field);
        }

        protected final double getDouble(int field, int index) {
            return buffer.getDouble(offset + field + index * Double.BYTES);
        }

        protected final void putDouble(int field, double v) {
            buffer.putDouble(offset + field, v);
        }

        protected final void putDouble(int field, int index, double v) {
            buffer.putDouble(offset + field + index * Double.BYTES, v);
        }

        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field) {
            return getData(struct, field, 0);
        }

        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field, int index) {
            Struct of = struct;
            return of.at(buffer, offset + field + index * of.getExtent());
        }

        /** The buffer from a field of a datatype on. */
        protected final ByteBuffer getBuffer(Datatype type, int field) {
            return from(field);
        }

        protected final ByteBuffer getBuffer(Datatype type, int field, int index) throws MPIException {
            return from(field + index * bytes(type));
        }
    }
}
