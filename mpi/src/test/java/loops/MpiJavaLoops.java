package loops;

import java.io.Serializable;
import mpi.MPI;

/**
 * Loops in the mpiJava dialect that also compile with MPJ Express, to be run beside it: half a round trip of bytes of
 * some sizes, 50,000 turns (5,000 and 300 of large ones) after as many to warm up, and the rate and half round trip of
 * small objects. Two ranks:
 * {@code bin/mpjrun.sh -np 2 -cp mpi/target/test-classes loops.MpiJavaLoops [windows of objects]}.
 */
public final class MpiJavaLoops {
    private static final int[] SIZES = {0, 8, 2048, 32768, 524288, 2097152};
    private static final int WINDOW = 64;
    private static final int TAG = 2;
    private static final int ACK = 3;

    private static final class Task implements Serializable {
        private static final long serialVersionUID = 1;
        final int from = 1;
        final int to = 1000;
        final double weight = 0.5;
        final String name = "part";
    }

    private MpiJavaLoops() {}

    public static void main(String[] args) throws Exception {
        String[] rest = MPI.Init(args);
        int windows = rest.length > 0 ? Integer.parseInt(rest[0]) : 300;
        int rank = MPI.COMM_WORLD.Rank();
        for (int bytes : SIZES) {
            int turns = bytes <= 8192 ? 50_000 : bytes <= 65_536 ? 5_000 : 300;
            byte[] buffer = new byte[bytes];
            throwBack(rank, buffer, bytes, turns);
            tell(rank, bytes + " bytes", throwBack(rank, buffer, bytes, turns) / 2e3 / turns, "us");
        }
        Object[] tasks = {new Task()};
        stream(rank, tasks, windows);
        tell(rank, "objects", 1e6 * WINDOW * windows / stream(rank, tasks, windows), "k/s");
        throwBack(rank, tasks, 1, 5 * windows);
        tell(rank, "an object", throwBack(rank, tasks, 1, 5 * windows) / 2e3 / (5 * windows), "us");
        MPI.Finalize();
    }

    private static void tell(int rank, String what, double value, String unit) {
        if (rank == 0) {
            System.out.printf("%s: %.2f %s%n", what, value, unit);
        }
    }

    private static long throwBack(int rank, Object buffer, int count, int turns) throws Exception {
        mpi.Datatype type = buffer instanceof byte[] ? MPI.BYTE : MPI.OBJECT;
        long start = System.nanoTime();
        for (int i = 0; i < turns; i++) {
            if (rank == 0) {
                MPI.COMM_WORLD.Send(buffer, 0, count, type, 1, TAG);
                MPI.COMM_WORLD.Recv(buffer, 0, count, type, 1, TAG);
            } else {
                MPI.COMM_WORLD.Recv(buffer, 0, count, type, 0, TAG);
                MPI.COMM_WORLD.Send(buffer, 0, count, type, 0, TAG);
            }
        }
        return System.nanoTime() - start;
    }

    private static long stream(int rank, Object[] tasks, int windows) throws Exception {
        byte[] ack = new byte[1];
        long start = System.nanoTime();
        for (int i = 0; i < windows; i++) {
            for (int k = 0; k < WINDOW; k++) {
                if (rank == 0) {
                    MPI.COMM_WORLD.Send(tasks, 0, 1, MPI.OBJECT, 1, TAG);
                } else {
                    MPI.COMM_WORLD.Recv(tasks, 0, 1, MPI.OBJECT, 0, TAG);
                    if (((Task) tasks[0]).to != 1000) {
                        throw new IllegalStateException("another object came");
                    }
                }
            }
            if (rank == 0) {
                MPI.COMM_WORLD.Recv(ack, 0, 1, MPI.BYTE, 1, ACK);
            } else {
                MPI.COMM_WORLD.Send(ack, 0, 1, MPI.BYTE, 0, ACK);
            }
        }
        return System.nanoTime() - start;
    }
}
