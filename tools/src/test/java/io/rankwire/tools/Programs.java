package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.World;
import io.rankwire.launch.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Timer;
import java.util.TimerTask;

/** Programs that the tests of the launcher run as ranks. */
final class Programs {
    private Programs() {}

    static String name(String program) {
        return Programs.class.getName() + "$" + program;
    }

    static void check(boolean good, String what) {
        if (!good) {
            throw new IllegalStateException("wrong: " + what);
        }
    }

    static int rank() {
        return Job.current().rank();
    }

    /** Leaves the process id where the test looks for it. */
    static void ready(String directory) throws IOException {
        Path temporary = Path.of(directory, "." + rank());
        Files.writeString(temporary, Long.toString(ProcessHandle.current().pid()));
        Files.move(temporary, Path.of(directory, "pid." + rank()), StandardCopyOption.ATOMIC_MOVE);
    }

    static void sleepLong() throws InterruptedException {
        Thread.sleep(600_000);
    }

    static final class Echo {
        void main(String[] args) {
            Job job = Job.current();
            System.out.println(job.rank() + " of " + job.size() + " " + Arrays.toString(args) + " x="
                    + System.getenv("RW_TEST_X") + " p=" + System.getProperty("p") + " in "
                    + Path.of("").toAbsolutePath().getFileName());
        }
    }

    static final class Throw {
        public static void main(String[] args) throws Exception {
            if (rank() == 1) {
                try {
                    deeper();
                } catch (IllegalArgumentException e) {
                    throw new IllegalStateException("boom", e);
                }
            }
            sleepLong();
        }

        private static void deeper() {
            throw new IllegalArgumentException("root of it");
        }
    }

    static final class Exit {
        public static void main(String[] args) throws Exception {
            if (rank() == 2) {
                System.exit(7);
            }
            sleepLong();
        }
    }

    static final class Wait {
        public static void main(String[] args) throws Exception {
            ready(args[0]);
            sleepLong();
        }
    }

    /** Ends only by force: its shutdown hook never returns. */
    static final class Stubborn {
        public static void main(String[] args) throws Exception {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    sleepLong();
                } catch (InterruptedException e) {
                    // As stubborn as that.
                }
            }));
            ready(args[0]);
            sleepLong();
        }
    }

    static final class Pieces {
        public static void main(String[] args) {
            String mark = Integer.toString(rank());
            for (int line = 0; line < 50; line++) {
                for (int piece = 0; piece < 40; piece++) {
                    System.out.print(mark.repeat(25));
                    System.out.flush();
                }
                System.out.println();
            }
            System.out.print("end" + mark);
        }
    }

    static final class LongLine {
        public static void main(String[] args) {
            System.out.println("x".repeat(3_000_000));
        }
    }

    static final class Input {
        public static void main(String[] args) throws IOException {
            System.out.println(rank() + " read " + new String(System.in.readAllBytes()).strip());
        }
    }

    static final class Statics {
        private static int count;

        public static void main(String[] args) {
            for (int i = 0; i < 1000; i++) {
                count++;
            }
            ClassLoader own = Thread.currentThread().getContextClassLoader();
            System.out.println(rank() + " counted " + count + " " + (own == Statics.class.getClassLoader()));
        }
    }

    /** Both ranks wait until a virtual thread of rank 0 has heard from another program; then that thread sends. */
    static final class ReadInVirtualThread {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                int[] word = new int[1];
                if (all.rank() == 1) {
                    all.receive(word, 0, 7);
                    all.send(word, 0, 7);
                    return;
                }
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Thread.startVirtualThread(() -> {
                    try (server) {
                        server.accept().close();
                        all.send(new int[] {8}, 1, 7);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                new ProcessBuilder("bash", "-c", "sleep 0.8; : < /dev/tcp/127.0.0.1/" + server.getLocalPort()).start();
                all.receive(word, 1, 7);
                System.out.println("heard " + word[0]);
            }
        }
    }

    /**
     * Virtual threads, of which the JVM lets one run at a time, receive from rank 1, which sends after it has received
     * from another one. That one is started while one of the others sleeps.
     */
    static final class ReceiveInVirtualThreads {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                int[] word = new int[1];
                if (all.rank() == 1) {
                    all.receive(word, 0, 7);
                    all.send(word, 0, 8);
                    all.send(word, 0, 9);
                    return;
                }
                Thread first = Thread.startVirtualThread(() -> all.receive(new int[1], 1, 9));
                Thread second = Thread.startVirtualThread(() -> all.receive(new int[1], 1, 8));
                while (!sleepsInACall(first) && !sleepsInACall(second)) {
                    Thread.onSpinWait();
                }
                Thread.startVirtualThread(() -> all.send(word, 1, 7));
                first.join();
                second.join();
                System.out.println("both received");
            }
        }

        private static boolean sleepsInACall(Thread thread) {
            return Arrays.stream(thread.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("sleep"));
        }
    }

    static final class NeverClose {
        public static void main(String[] args) throws Exception {
            Job job = Job.current();
            job.board().joined(job.rank(), ProcessHandle.current().pid());
            if (job.rank() == 0) {
                job.board().closed(job.rank());
                sleepLong();
            }
        }
    }

    /** Both ranks say that they wait for each other, as blocked calls would. */
    static final class Deadlock {
        public static void main(String[] args) {
            try (World world = World.join()) {
                world.communicator().receive(new byte[1], 1 - rank(), 7);
            }
        }
    }

    /** Passes a token around as often as told, each rank adding one. */
    static final class Ring {
        public static void main(String[] args) {
            int rounds = Integer.parseInt(args[0]);
            try (World world = World.join()) {
                Communicator all = world.communicator();
                int right = (all.rank() + 1) % all.size();
                int left = (all.rank() + all.size() - 1) % all.size();
                long[] token = {0};
                for (int round = 0; round < rounds; round++) {
                    if (all.rank() > 0 || round > 0) {
                        all.receive(token, left, 7);
                    }
                    token[0]++;
                    all.send(token, right, 7);
                }
                if (all.rank() == 0) {
                    all.receive(token, left, 7);
                    System.out.println("token " + token[0]);
                }
            }
        }
    }

    /** One rank, its argument, never joins while the others do. */
    static final class NeverJoins {
        public static void main(String[] args) throws Exception {
            if (System.getenv("RANKWIRE_RANK").equals(args[0])) {
                Thread.sleep(600_000);
            }
            World.join().close();
        }
    }

    /** All ranks add up their numbers. */
    static final class Sum {
        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                double[] sum = new double[1];
                all.allreduce(new double[] {all.rank()}, sum, Op.SUM);
                System.out.println("sum " + sum[0]);
            }
        }
    }

    /** Joins and closes over and over; rank 1 is late once. */
    static final class ManyWorlds {
        public static void main(String[] args) throws Exception {
            int worlds = Integer.parseInt(args[0]);
            long sum = 0;
            for (int i = 0; i < worlds; i++) {
                if (i == 3 && rank() == 1) {
                    Thread.sleep(300);
                }
                try (World world = World.join()) {
                    Communicator all = world.communicator();
                    long[] token = {all.rank() + i};
                    int right = (all.rank() + 1) % all.size();
                    int left = (all.rank() + all.size() - 1) % all.size();
                    all.sendReceive(token.clone(), right, 7, token, left, 7);
                    sum += token[0] - left;
                    MemorySegment shared = world.allocate(1 << 20);
                    all.sendReceive(shared, right, 8, MemorySegment.ofArray(new byte[1 << 20]), left, 8);
                }
            }
            if (rank() == 0) {
                System.out.println("sum " + sum);
            }
        }
    }

    /** One ends all, with a status of its own. */
    static final class Aborts {
        public static void main(String[] args) throws Exception {
            World world = World.join();
            if (rank() == 1) {
                world.abort(Integer.parseInt(args[0]), args[1]);
            }
            sleepLong();
        }
    }

    /** Rank 1 throws, and its process ends after those of the others, which abort because the job has ended. */
    static final class ThrowsAndEndsLast {
        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                long[] processes = new long[all.size()];
                all.allgather(new long[] {ProcessHandle.current().pid()}, processes);
                if (all.rank() == 1) {
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitOthers(processes)));
                    throw new IllegalStateException("on purpose");
                }
                try {
                    all.receive(new int[1], Communicator.ANY_SOURCE, 0);
                } catch (RankwireException e) {
                    world.abort(9, null);
                }
            }
        }

        private static void awaitOthers(long... processes) {
            for (long each : processes) {
                if (each != ProcessHandle.current().pid()) {
                    ProcessHandle.of(each).ifPresent(process -> process.onExit().join());
                }
            }
        }
    }

    static final class EndlessRing {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                byte[] token = new byte[100];
                for (long round = 0; true; round++) {
                    if (all.rank() > 0 || round > 0) {
                        all.receive(token, (all.rank() + all.size() - 1) % all.size(), 7);
                    }
                    all.send(token, (all.rank() + 1) % all.size(), 7);
                    if (round == 10) {
                        ready(args[0]);
                    }
                }
            }
        }
    }

    static final class RealDeadlock {
        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                all.receive(new int[1], 1 - all.rank(), 7);
            }
        }
    }

    /** Rank 1 blocks in one thread while another, which will send, still sleeps. */
    static final class LateSender {
        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                int other = 1 - all.rank();
                if (all.rank() == 1) {
                    Timer timer = new Timer(true);
                    timer.schedule(
                            new TimerTask() {
                                @Override
                                public void run() {
                                    all.send(new int[1], 0, 7);
                                }
                            },
                            1500);
                    all.receive(new int[1], other, 8);
                } else {
                    all.receive(new int[1], other, 7);
                    all.send(new int[1], other, 8);
                }
            }
        }
    }

    /** Rank 0 computes after a large isend, until rank 1 has written that it has the message or time is up. */
    static final class Overlap {
        public static void main(String[] args) throws IOException {
            Path file = Path.of(args[0], "received");
            long limitNs = Long.parseLong(args[1]) * 1_000_000;
            byte[] message = new byte[4 << 20];
            try (World world = World.join()) {
                Communicator all = world.communicator();
                if (all.rank() == 0) {
                    Arrays.fill(message, (byte) 5);
                    Request sent = all.isend(message, 1, 7);
                    long start = System.nanoTime();
                    boolean received = false;
                    while (!received && System.nanoTime() - start < limitNs) {
                        received = Files.exists(file);
                    }
                    System.out.println(received ? "received while computing" : "not received while computing");
                    sent.await();
                } else {
                    all.receive(message, 0, 7);
                    if (message[0] != 5 || message[message.length - 1] != 5) {
                        throw new IllegalStateException("wrong bytes");
                    }
                    Files.writeString(file, "");
                }
            }
        }
    }

    static final class ForgetsToClose {
        public static void main(String[] args) {
            World world = World.join();
            if (rank() == 0) {
                world.close();
            }
        }
    }

    static final class Sleeps {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                if (all.rank() == 1) {
                    sleepLong();
                }
                all.receive(new int[1], 1, 7);
            }
        }
    }

    /** Large messages of one kind both ways without an end. */
    static final class Stream {
        private static final int BYTES = 700_000;

        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                MemorySegment out = memory(world, args[1]);
                MemorySegment in = memory(world, args[1]);
                for (int i = 0; ; i++) {
                    out.fill((byte) i);
                    Request sent = all.isend(out, 1 - all.rank(), 1);
                    if (args[1].equals("late")) {
                        Thread.sleep(1);
                    }
                    all.receive(in, 1 - all.rank(), 1);
                    sent.await();
                    if (in.get(ValueLayout.JAVA_BYTE, 0) != (byte) i
                            || in.get(ValueLayout.JAVA_BYTE, BYTES - 1) != (byte) i) {
                        System.out.println("wrong data");
                    }
                    if (i == 20) {
                        ready(args[0]);
                    }
                }
            }
        }

        private static MemorySegment memory(World world, String kind) {
            return switch (kind) {
                case "mapped" -> world.allocate(BYTES);
                case "native" -> Arena.ofAuto().allocate(BYTES, 8);
                default -> MemorySegment.ofArray(new byte[BYTES]);
            };
        }
    }
}
