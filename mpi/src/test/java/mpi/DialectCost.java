package mpi;

import io.rankwire.Communicator;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What the dialects cost over the native API: half a round trip of the same bytes by each, in turn, and the median over
 * rounds of each one's time over that of the native call just before. Two ranks:
 * {@code bin/mpjrun.sh -np 2 -cp mpi/target/test-classes mpi.DialectCost [rounds]}.
 */
final class DialectCost {
    private static final int[] SIZES = {8, 65536};

    private interface Turn {
        void send();

        void receive();
    }

    private DialectCost() {}

    public static void main(String[] args) {
        String[] rest = MPI.Init(args);
        int rounds = rest.length > 0 ? Integer.parseInt(rest[0]) : 15;
        Communicator all = RankState.mine().world.communicator();
        int peer = 1 - all.rank();
        for (int bytes : SIZES) {
            compare("mpiJava, array", bytes, rounds, nativeArray(all, peer, bytes), mpiJava(peer, bytes));
            compare("Open MPI, array", bytes, rounds, nativeArray(all, peer, bytes),
                    openMpi(peer, new byte[bytes], bytes));
            compare("Open MPI, direct", bytes, rounds, nativeDirect(all, peer, bytes),
                    openMpi(peer, MPI.newByteBuffer(bytes), bytes));
        }
        MPI.Finalize();
    }

    private static void compare(String name, int bytes, int rounds, Turn plain, Turn dialect) {
        int turns = bytes <= 8 ? 40_000 : 2_000;
        for (int i = 0; i < 4; i++) {
            play(plain, turns);
            play(dialect, turns);
        }
        double[] ratios = new double[rounds];
        double[] times = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            double before = play(plain, turns);
            times[round] = play(dialect, turns);
            ratios[round] = times[round] / ((before + play(plain, turns)) / 2);
        }
        Arrays.sort(ratios);
        Arrays.sort(times);
        if (MPI.COMM_WORLD.Rank() == 0) {
            System.out.printf("%-18s %6d B  %8.3f us  %.3f of the native call (quartiles %.3f %.3f)%n", name, bytes,
                    times[rounds / 2], ratios[rounds / 2], ratios[rounds / 4], ratios[rounds * 3 / 4]);
        }
    }

    private static double play(Turn turn, int turns) {
        boolean serves = MPI.COMM_WORLD.Rank() == 0;
        MPI.COMM_WORLD.Barrier();
        long start = System.nanoTime();
        for (int i = 0; i < turns; i++) {
            if (serves) {
                turn.send();
                turn.receive();
            } else {
                turn.receive();
                turn.send();
            }
        }
        return (System.nanoTime() - start) / 2e3 / turns;
    }

    private static Turn nativeArray(Communicator all, int peer, int bytes) {
        byte[] buffer = new byte[bytes];
        return new Turn() {
            @Override
            public void send() {
                all.send(buffer, peer, 1);
            }

            @Override
            public void receive() {
                all.receive(buffer, peer, 1);
            }
        };
    }

    private static Turn nativeDirect(Communicator all, int peer, int bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        return new Turn() {
            @Override
            public void send() {
                all.send(buffer, peer, 1);
            }

            @Override
            public void receive() {
                all.receive(buffer, peer, 1);
            }
        };
    }

    private static Turn mpiJava(int peer, int bytes) {
        byte[] buffer = new byte[bytes];
        return new Turn() {
            @Override
            public void send() {
                MPI.COMM_WORLD.Send(buffer, 0, bytes, MPI.BYTE, peer, 1);
            }

            @Override
            public void receive() {
                MPI.COMM_WORLD.Recv(buffer, 0, bytes, MPI.BYTE, peer, 1);
            }
        };
    }

    private static Turn openMpi(int peer, Object buffer, int bytes) {
        return new Turn() {
            @Override
            public void send() {
                MPI.COMM_WORLD.send(buffer, bytes, MPI.BYTE, peer, 1);
            }

            @Override
            public void receive() {
                MPI.COMM_WORLD.recv(buffer, bytes, MPI.BYTE, peer, 1);
            }
        };
    }
}
