package io.rankwire;

import static io.rankwire.Communicator.ANY_SOURCE;
import static io.rankwire.Communicator.ANY_TAG;
import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests: waiting for one, all, any and some; testing; persistent requests; cancelling. */
@Timeout(300)
final class RequestTest {
    private static Request[] receives(Communicator all, int[][] in, int from) {
        Request[] requests = new Request[in.length];
        for (int i = 0; i < in.length; i++) {
            requests[i] = all.irecv(in[i], from, i);
        }
        return requests;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void shouldAwaitAll(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            int[][] in = new int[20][1];
            Request[] received = receives(all, in, Worlds.previous(all));
            Request[] sent = new Request[in.length];
            for (int i = in.length - 1; i >= 0; i--) {
                sent[i] = all.isend(new int[] {i + 100 * all.rank()}, Worlds.next(all), i);
            }
            Request.awaitAll(received);
            Request.awaitAll(sent);
            for (int i = 0; i < in.length; i++) {
                assertEquals(i + 100 * Worlds.previous(all), in[i][0]);
                assertEquals(i, received[i].status().tag());
                assertTrue(received[i].test());
            }
        });
    }

    @Test
    void shouldAwaitAnyAndSomeUntilNoneIsLeft() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int[][] in = new int[30][1];
            if (all.rank() == 1) {
                for (int i = 0; i < in.length; i++) {
                    int place = i * 7 % in.length;
                    all.send(new int[] {place}, 0, place);
                    if (i % 10 == 0) {
                        all.receive(new byte[0], 0, 99);
                    }
                }
                return;
            }
            Request[] requests = receives(all, in, 1);
            TreeSet<Integer> seen = new TreeSet<>();
            for (int round = 0; seen.size() < in.length; round++) {
                if (round < 3) {
                    all.send(new byte[0], 1, 99);
                }
                int[] places = round % 2 == 0 ? new int[] {Request.awaitAny(requests)} : Request.awaitSome(requests);
                assertTrue(places.length > 0);
                for (int place : places) {
                    assertTrue(seen.add(place), "told twice");
                    assertEquals(place, in[place][0]);
                }
            }
            assertEquals(-1, Request.awaitAny(requests));
            assertEquals(0, Request.awaitSome(requests).length);
            assertEquals(-1, Request.testAny(requests));
            assertEquals(0, Request.testSome(requests).length);
            assertTrue(Request.testAll(requests));
            assertEquals(-1, Request.awaitAny());
        });
    }

    /** All requests are ready at each call, and the returned one is started again: no request may starve. */
    @Test
    void shouldTakeEveryReadyRequestInItsTurn() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            Request[] one = new Request[3];
            Request[] other = new Request[2];
            for (int i = 0; i < 3; i++) {
                one[i] = all.bsendInit(new int[1], 0, 1, Communicator.NONE, i);
                one[i].start();
            }
            for (int i = 0; i < 2; i++) {
                other[i] = all.bsendInit(new int[1], 0, 1, Communicator.NONE, i);
                other[i].start();
            }
            int[] taken = new int[3];
            int[] takenOfOthers = new int[2];
            for (int round = 0; round < 300; round++) {
                int place = round % 2 == 0 ? Request.awaitAny(one) : Request.testAny(one);
                taken[place]++;
                one[place].start();
                place = Request.awaitAny(other);
                takenOfOthers[place]++;
                other[place].start();
            }
            for (int i = 0; i < 3; i++) {
                assertTrue(taken[i] > 30, Arrays.toString(taken));
            }
            assertTrue(takenOfOthers[0] > 30 && takenOfOthers[1] > 30, Arrays.toString(takenOfOthers));
            assertEquals("[0, 1, 2]", Arrays.toString(Request.awaitSome(one)));
            Request.awaitAll(other);
        });
    }

    @Test
    void shouldTestWithoutWaiting() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                all.receive(new byte[0], 0, 99);
                all.send(new int[] {1}, 0, 1);
                all.receive(new byte[0], 0, 99);
                all.send(new int[] {0}, 0, 0);
                all.send(new int[] {2}, 0, 2);
                return;
            }
            Request[] requests = receives(all, new int[3][1], 1);
            assertFalse(Request.testAll(requests));
            assertEquals(-1, Request.testAny(requests));
            assertEquals(0, Request.testSome(requests).length);
            assertFalse(requests[0].test());
            all.send(new byte[0], 1, 99);
            int any;
            while ((any = Request.testAny(requests)) < 0) {
                Thread.onSpinWait();
            }
            assertEquals(1, any);
            assertFalse(Request.testAll(requests));
            all.send(new byte[0], 1, 99);
            while (!Request.testAll(requests)) {
                Thread.onSpinWait();
            }
            assertEquals(2, requests[2].status().tag());
            assertFails(ErrorClass.REQUEST, requests[2]::await, "second await");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void shouldStartPersistentRequestsAgain(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            for (int length : new int[] {1, 20_000}) {
                int[] out = new int[length];
                int[] in = new int[length + 5];
                Request receive = all.receiveInit(in, 5, length, Worlds.previous(all), 3);
                Request[] sends = {all.sendInit(out, 0, length, Worlds.next(all), 3),
                        all.ssendInit(out, 0, length, Worlds.next(all), 3),
                        all.bsendInit(out, 0, length, Worlds.next(all), 3),
                        all.rsendInit(out, 0, length, Worlds.next(all), 3)};
                for (int round = 0; round < 40; round++) {
                    out[length - 1] = round + 1000 * all.rank();
                    Request send = sends[round % 4];
                    receive.start();
                    if (round % 4 == 3) {
                        Worlds.meet(all);
                    }
                    send.start();
                    Request.awaitAll(send, receive);
                    assertEquals(round + 1000 * Worlds.previous(all), in[4 + length]);
                    assertEquals(length, receive.status().count());
                }
            }
        });
    }

    @Test
    void shouldSayWhatIsWrongWithARequest() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            byte[] buffer = new byte[4];
            Request receive = all.receiveInit(buffer, 0, 4, 0, 1);
            assertFails(ErrorClass.REQUEST, receive::await, "not started", "rank 0");
            assertFails(ErrorClass.REQUEST, receive::status, "not done");
            assertFails(ErrorClass.REQUEST, receive::cancel, "not under way");
            assertFalse(receive.test());
            receive.start();
            assertFails(ErrorClass.REQUEST, () -> receive.start(), "still under way", "tag 1", "RequestTest.java");
            assertFails(ErrorClass.REQUEST, receive::status, "not done");
            Request send = all.isend(buffer, 0, 1);
            assertFails(ErrorClass.REQUEST, send::start, "not persistent");
            send.await();
            assertFails(ErrorClass.REQUEST, send::await, "second await");
            assertFails(ErrorClass.REQUEST, send::cancel, "not under way");
            receive.await();
            assertFails(ErrorClass.REQUEST, () -> receive.await(), "second await", "RequestTest.java");
            assertFails(ErrorClass.REQUEST, () -> Request.awaitAll(all.isend(buffer, Communicator.NONE, 1), null),
                    "requests[1] is null");
            assertFails(ErrorClass.REQUEST, () -> Request.testAny((Request) null), "requests[0] is null");
        });
    }

    @Test
    void shouldCancelReceives() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                all.receive(new byte[0], 0, 99);
                all.send(new int[] {5}, 0, 1);
                return;
            }
            int[] in = new int[1];
            Request cancelled = all.irecv(in, ANY_SOURCE, ANY_TAG);
            cancelled.cancel();
            assertTrue(cancelled.await().cancelled());
            Request persistent = all.receiveInit(in, 0, 1, 1, 1);
            persistent.start();
            persistent.cancel();
            assertTrue(persistent.await().cancelled());
            all.send(new byte[0], 1, 99);
            persistent.start();
            Status status = persistent.await();
            persistent = null;
            assertFalse(status.cancelled());
            assertEquals(5, in[0], "a cancelled receive has taken the message");
        });
    }

    @Test
    void shouldCancelSends() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                all.receive(new byte[0], 0, 99);
                assertTrue(all.iprobe(0, 1).isEmpty(), "a withdrawn message is still here");
                assertTrue(all.iprobe(0, 2).isEmpty());
                byte[] in = new byte[200_000];
                all.receive(in, 0, 3);
                assertEquals(3, in[199_999]);
                return;
            }
            // Long enough to be announced over any fabric.
            byte[] large = new byte[200_000];
            large[199_999] = 3;
            Request sent = all.isend(large, 1, 1);
            Request sync = all.issend(new byte[1], 1, 2);
            Request.awaitAll(cancel(sent), cancel(sync));
            assertTrue(sent.status().cancelled() && sync.status().cancelled());
            all.send(new byte[0], 1, 99);
            Request kept = all.isend(large, 1, 3);
            assertFalse(kept.await().cancelled());
        });
    }

    private static Request cancel(Request request) {
        request.cancel();
        return request;
    }

    @Test
    void shouldThrowTheFirstErrorOfManyWhenAllAreDone() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            byte[] good = new byte[3];
            if (all.rank() == 1) {
                for (int tag = 1; tag <= 3; tag++) {
                    all.send(new byte[] {1, 2, 3}, 0, tag);
                }
                return;
            }
            Request[] requests = {all.irecv(new byte[2], 1, 1), all.irecv(new int[5], 1, 2), all.irecv(good, 1, 3)};
            RankwireException first = assertFails(ErrorClass.TRUNCATE, () -> Request.awaitAll(requests), "3 bytes");
            assertEquals(1, first.getSuppressed().length);
            assertArrayEquals(new byte[] {1, 2, 3}, good);
            assertEquals("[]", Arrays.toString(Request.testSome(requests)));
        });
    }
}
