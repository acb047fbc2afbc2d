package mpi;

import java.util.Arrays;

/** Programs in both dialects that the tests of the launchers start. */
final class LaunchPrograms {
    private LaunchPrograms() {}

    static String name(Class<?> program) {
        return program.getName();
    }

    /** Each rank tells what it was given and what {@code Init} left of it. */
    static final class Arguments {
        private Arguments() {}

        public static void main(String[] args) {
            String[] rest = MPI.Init(args);
            System.out.println(MPI.COMM_WORLD.Rank() + "/" + MPI.COMM_WORLD.getSize() + " "
                    + Arrays.toString(args) + " " + Arrays.toString(rest) + " " + System.getProperty("where", "") + " "
                    + System.getenv("OMPI_COMM_WORLD_RANK"));
            MPI.Finalize();
        }
    }

    static final class Directory {
        private Directory() {}

        public static void main(String[] args) {
            System.out.println(System.getProperty("user.dir"));
        }
    }

    /** What the program is called, and what its stack begins with. */
    static final class Bottom {
        private Bottom() {}

        public static void main(String[] args) {
            MPI.Init(args);
            StackTraceElement[] stack = Thread.currentThread().getStackTrace();
            System.out.println(MPI.INFO_ENV.get("command") + " " + stack[stack.length - 1].getClassName() + "."
                    + stack[stack.length - 1].getMethodName() + " " + Thread.currentThread().getName() + " "
                    + MPI.INFO_ENV.get("wdir"));
            if (args.length > 0) {
                throw new IllegalStateException(args[0]);
            }
            // Nobody sends: what waits here is found.
            MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1 - MPI.COMM_WORLD.getRank(), 0);
        }
    }

    static final class Aborts {
        private Aborts() {}

        public static void main(String[] args) {
            MPI.Init(args);
            if (MPI.COMM_WORLD.Rank() == 1) {
                MPI.COMM_WORLD.Abort(7);
            }
            MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 1, 0);
        }
    }

    static final class Forgets {
        private Forgets() {}

        public static void main(String[] args) throws InterruptedException {
            MPI.Init(args);
            if (MPI.COMM_WORLD.getRank() != 1) {
                // The others go on after it has ended.
                Thread.sleep(500);
                System.out.println("finished");
                MPI.Finalize();
            }
        }
    }

    /** An error that the program catches, and goes on after if it may. */
    static final class Errs {
        private Errs() {}

        public static void main(String[] args) {
            MPI.Init(args);
            try {
                MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, 99, 0);
            } catch (MPIException e) {
                System.out.println("caught class " + e.getErrorClass());
            }
            MPI.Finalize();
        }
    }
}
