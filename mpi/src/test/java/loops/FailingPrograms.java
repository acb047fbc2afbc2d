package loops;

import java.io.IOException;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Programs of which rank 1 kills its process; outside of the package mpi, so that errors name their calls. */
public final class FailingPrograms {
    private FailingPrograms() {}

    private static void die() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
        Thread.sleep(60_000);
    }

    /** The error of the others ends the job, because that is what the handler of the world does. */
    public static final class Fatal {
        private Fatal() {}

        public static void main(String[] args) throws Exception {
            MPI.Init(args);
            if (MPI.COMM_WORLD.getRank() == 1) {
                die();
            }
            try {
                MPI.COMM_WORLD.barrier();
            } catch (MPIException e) {
                Thread.sleep(60_000);
            }
            System.out.println("must not be here");
        }
    }

    /** Another process takes the place of the one that died. */
    public static final class Replaced {
        private Replaced() {}

        public static void main(String[] args) throws Exception {
            MPI.Init(args);
            Intracomm all = MPI.COMM_WORLD;
            all.setErrhandler(MPI.ERRORS_RETURN);
            if (!MPI.isReplacement()) {
                if (all.getRank() == 1) {
                    die();
                }
                try {
                    all.barrier();
                    throw new IllegalStateException("rank 1 is dead");
                } catch (MPIException e) {
                    all = all.replace();
                }
            }
            int[] sum = new int[1];
            all.allReduce(new int[] {1}, sum, 1, MPI.INT, MPI.SUM);
            System.out.println(all.getRank() + " of " + all.getSize() + ": " + sum[0]);
            MPI.Finalize();
        }
    }
}
