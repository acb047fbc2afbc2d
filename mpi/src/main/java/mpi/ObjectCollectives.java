package mpi;

/** Collective calls with {@link MPI#OBJECT}: lengths go first, then bytes. */
final class ObjectCollectives {
    private ObjectCollectives() {}

    static void broadcast(CommCollectives on, Object buf, int offset, int count, Datatype type, int root) {
        boolean gives = on.intra != null ? on.intra.rank() == root : root == MPI.ROOT;
        ObjectFormat.Encoded objects = gives ? ObjectFormat.encode(buf, offset, count, type) : null;
        int[] length = {gives ? objects.length() : 0};
        if (on.intra != null) {
            on.intra.broadcast(length, 0, 1, root);
        } else {
            on.inter.broadcast(length, 0, 1, root);
        }
        byte[] bytes = gives ? objects.bytes() : new byte[length[0]];
        if (on.intra != null) {
            on.intra.broadcast(bytes, 0, length[0], root);
        } else {
            on.inter.broadcast(bytes, 0, length[0], root);
        }
        if (!gives && root != MPI.PROC_NULL) {
            ObjectFormat.decode(bytes, 0, bytes.length, buf, offset, count, type);
        }
    }
}
