package mpi;

import java.nio.IntBuffer;

/**
 * A program of two ranks that takes the path most programs take at their start, in both dialects. Run once after a
 * build, so that the JVM can keep the classes it loaded in an archive.
 */
final class Rehearsal {
    private Rehearsal() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Comm all = MPI.COMM_WORLD;
        int other = 1 - all.getRank();
        int[] numbers = {other, 0};
        if (other == 0) {
            all.Send(numbers, 0, 1, MPI.INT, other, 1);
        } else {
            all.Recv(numbers, 1, 1, MPI.INT, other, 1);
        }
        IntBuffer buffer = MPI.newIntBuffer(2);
        Request sent = all.iSend(MPI.slice(buffer, 0), 1, MPI.INT, other, 2);
        all.recv(MPI.slice(buffer, 1), 1, MPI.INT, other, 2);
        sent.waitFor();
        all.Barrier();
        all.bcast(numbers, 2, MPI.INT, 0);
        all.Allreduce(new double[1], 0, new double[1], 0, 1, MPI.DOUBLE, MPI.SUM);
        all.Reduce(numbers.clone(), 0, numbers, 0, 2, MPI.INT, MPI.MAX, 0);
        MPI.Finalize();
    }
}
