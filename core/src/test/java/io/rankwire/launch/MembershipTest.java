package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.Membership;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Worlds of processes that a program has started: they go on after the world, whatever happens in it. */
final class MembershipTest {
    @TempDir
    Path directory;

    /** One of two workers, which is a member of three jobs, one after another. */
    static final class Worker {
        public static void main(String[] args) throws Exception {
            int rank = Integer.parseInt(args[0]);
            Path place = Path.of(args[1]);
            Membership first = Membership.exchanging(rank, 2, card -> exchange(place, rank, card));
            add(first);
            Membership second = Membership.at(rank, 2, args[2], "0123456789abcdef".getBytes());
            try (World world = World.join(second)) {
                joinBeside(first);
                Communicator all = world.communicator();
                all.barrier();
                if (rank == 1) {
                    world.fail(new IllegalStateException("boom"));
                } else {
                    all.receive(new int[1], 1, 1);
                }
            } catch (RankwireException e) {
                System.out.println("caught: " + e.getMessage());
            }
            // The root of the job before may still listen at its address.
            add(Membership.at(rank, 2, args[3], "fedcba9876543210".getBytes()));
            System.out.println("goes on");
        }

        private static void joinBeside(Membership other) {
            try {
                World.join(other);
                System.out.println("this process is a member of two jobs");
            } catch (RankwireException e) {
                System.out.println(e.getMessage());
            }
        }

        private static void add(Membership place) {
            try (World world = World.join(place)) {
                int[] sum = new int[1];
                world.communicator().allreduce(new int[] {place.rank() + 1}, sum, Op.SUM);
                System.out.println("the sum is " + sum[0]);
            }
        }

        private static List<byte[]> exchange(Path place, int rank, byte[] card) throws Exception {
            Files.move(Files.write(place.resolve("new." + rank), card), place.resolve("card." + rank),
                    StandardCopyOption.ATOMIC_MOVE);
            List<byte[]> all = new ArrayList<>();
            for (int other = 0; other < 2; other++) {
                while (!Files.exists(place.resolve("card." + other))) {
                    Thread.sleep(2);
                }
                all.add(Files.readAllBytes(place.resolve("card." + other)));
            }
            return all;
        }
    }

    @Test
    void shouldJoinJobsOneAfterAnotherAndOutliveTheirFailures() throws Exception {
        try (HandStarted files = new HandStarted(directory, 2)) {
            List<HandStarted.Started> workers = new ArrayList<>();
            String third = "127.0.0.1:" + HandStarted.freePort();
            for (int rank = 0; rank < 2; rank++) {
                workers.add(files.start(List.of("env", "-u", NetworkSettings.SECRET_FILE), rank,
                        Map.of(Fabrics.FABRIC, Fabrics.TCP), Worker.class,
                        Integer.toString(rank), directory.toString(), files.root, third));
            }
            for (int rank = 0; rank < 2; rank++) {
                HandStarted.Started worker = workers.get(rank);
                assertEquals(0, worker.awaitEnd(), worker.text());
                assertTrue(worker.text().contains("this process is rank " + rank + " of a job of 2 already"),
                        worker.text());
                assertEquals(3, worker.text().split("the sum is 3\n", -1).length, worker.text());
                assertTrue(worker.text().endsWith("goes on\n"), worker.text());
            }
            assertTrue(workers.get(0).text().contains("caught: rank 0: receive from rank 1, tag 1, on world"),
                    workers.get(0).text());
            assertTrue(workers.get(0).text().contains("has failed: java.lang.IllegalStateException: boom"),
                    workers.get(0).text());
            assertEquals(List.of(), files.leftovers());
        }
    }

    @Test
    void shouldRefusePlacesThatMakeNoSense() {
        byte[] secret = new byte[16];
        for (Runnable wrong : List.<Runnable>of(() -> Membership.at(2, 2, "a:1", secret),
                () -> Membership.at(-1, 2, "a:1", secret), () -> Membership.at(0, 0, "a:1", secret),
                () -> Membership.at(0, 1, "a:1", new byte[15]), () -> Membership.at(0, 1, null, secret),
                () -> Membership.exchanging(0, 1, null), () -> World.join(null))) {
            assertEquals(ErrorClass.ARGUMENT, assertThrows(RankwireException.class, wrong::run).errorClass());
        }
        RankwireException few = assertThrows(RankwireException.class,
                () -> World.join(Membership.exchanging(1, 2, card -> List.of(card))));
        assertEquals(ErrorClass.RESOURCE, few.errorClass());
        assertTrue(few.getMessage().contains("rank 1 of 2 cannot find the others through the given exchange")
                && few.getMessage().contains("has returned 1 cards, not one of each of 2 ranks"), few.getMessage());
        RankwireException bad = assertThrows(RankwireException.class,
                () -> World.join(Membership.exchanging(1, 2, card -> List.of(new byte[100], card))));
        assertTrue(bad.getMessage().contains("is no card of Rankwire"), bad.getMessage());
    }
}
