package mpi;

import java.nio.ByteBuffer;

/** Objects among packed data: their length, then what a message of them would be. */
final class PackedObjects {
    private PackedObjects() {}

    static int put(ObjectFormat.Encoded objects, byte[] out, int position) {
        if (position < 0 || objects.length() > out.length - position - Integer.BYTES) {
            throw new MPIException(MPI.ERR_TRUNCATE, "argument outbuf: " + out.length + " bytes, of which "
                    + (objects.length() + Integer.BYTES) + " are needed from position " + position);
        }
        ByteBuffer.wrap(out).putInt(position, objects.length());
        System.arraycopy(objects.bytes(), 0, out, position + Integer.BYTES, objects.length());
        return position + Integer.BYTES + objects.length();
    }

    static int take(byte[] in, int position, Object buf, int offset, int count, Datatype type) {
        int length = position < 0 || position > in.length - Integer.BYTES ? -1 : ByteBuffer.wrap(in).getInt(position);
        if (length < 0 || length > in.length - position - Integer.BYTES) {
            throw new MPIException(MPI.ERR_TRUNCATE, "argument position: " + position + " of " + in.length
                    + " bytes is not where packed objects are");
        }
        ObjectFormat.decode(in, position + Integer.BYTES, length, buf, offset, count, type);
        return position + Integer.BYTES + length;
    }
}
