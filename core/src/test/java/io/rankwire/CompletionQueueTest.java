package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.CompletionQueue.Completion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Completion queues: order, ids, bounds, errors, threads, and random operations against a naive model. */
@Timeout(300)
final class CompletionQueueTest {
    private static final int GO = 1_000_000;

    @Test
    void shouldReturnRequestsInTheOrderOfTheirEnd() {
        int count = 50;
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                all.receive(new byte[0], 0, GO);
                for (int i = 0; i < count; i++) {
                    int tag = i * 7 % count;
                    all.send(new int[] {tag}, 0, tag);
                }
                return;
            }
            var queue = new CompletionQueue<Integer>(world, count);
            int[][] in = new int[count][1];
            for (int tag = 0; tag < count; tag++) {
                queue.add(all.irecv(in[tag], 1, tag), tag);
            }
            assertEquals(count, queue.size());
            assertNull(queue.poll());
            all.send(new byte[0], 1, GO);
            for (int i = 0; i < count; i++) {
                Completion<Integer> next = queue.await();
                assertEquals(i * 7 % count, next.id());
                assertEquals(next.id(), next.status().tag());
                assertEquals(next.id(), in[next.id()][0]);
                assertTrue(next.error().isEmpty());
            }
            assertEquals(0, queue.size());
            assertNull(queue.poll());
        });
    }

    /** What a naive program knows of a request in the queue. */
    private record Expected(Request request, int[] buffer, int tag, int value, boolean receive) {}

    /** Each rank sends to itself: messages meet receives in an order that the seed decides. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldAgreeWithANaiveModel(long seed) {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Random random = new Random(seed * 31 + all.rank());
            int capacity = 1 + random.nextInt(40);
            var queue = new CompletionQueue<Integer>(world, capacity);
            Map<Integer, Expected> inside = new HashMap<>();
            List<Integer> toReceive = new ArrayList<>();
            List<Integer> toSend = new ArrayList<>();
            int ids = 0;
            for (int step = 0; step < 3_000; step++) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> {
                        if (inside.size() == capacity) {
                            assertFull(queue, all);
                            break;
                        }
                        boolean receive = random.nextBoolean();
                        List<Integer> waiting = receive ? toReceive : toSend;
                        List<Integer> others = receive ? toSend : toReceive;
                        int tag = waiting.isEmpty() ? step : waiting.removeLast();
                        if (tag == step) {
                            others.add(tag);
                        }
                        int[] buffer = {receive ? -1 : tag};
                        Request request = receive ? all.irecv(buffer, all.rank(), tag)
                                : all.issend(buffer, all.rank(), tag);
                        queue.add(request, ids);
                        inside.put(ids++, new Expected(request, buffer, tag, tag, receive));
                    }
                    case 2, 3, 4 -> {
                        boolean done = inside.values().stream().anyMatch(one -> one.request.test());
                        Completion<Integer> next = queue.poll();
                        assertTrue(next != null || !done, "a request is done, and the queue returns none");
                        take(next, inside);
                    }
                    default -> {
                        if (inside.values().stream().anyMatch(one -> one.request.test())) {
                            take(queue.await(), inside);
                        }
                    }
                }
                assertEquals(inside.size(), queue.size());
            }
            // The other halves of the messages that are still open.
            List<Request> rest = new ArrayList<>();
            toReceive.forEach(tag -> rest.add(all.irecv(new int[1], all.rank(), tag)));
            toSend.forEach(tag -> rest.add(all.isend(new int[] {tag}, all.rank(), tag)));
            while (!inside.isEmpty()) {
                take(queue.await(), inside);
            }
            Request.awaitAll(rest.toArray(Request[]::new));
            assertNull(queue.poll());
        });
    }

    private static void assertFull(CompletionQueue<Integer> queue, Communicator all) {
        Request one = all.isend(new int[1], all.rank(), GO);
        assertEquals(ErrorClass.RESOURCE,
                assertThrows(RankwireException.class, () -> queue.add(one, 0)).errorClass());
        all.receive(new int[1], all.rank(), GO);
        one.await();
    }

    private static void take(Completion<Integer> next, Map<Integer, Expected> inside) {
        if (next == null) {
            return;
        }
        Expected expected = inside.remove(next.id());
        assertSame(expected.request, next.request());
        assertEquals(expected.value, expected.buffer[0]);
        if (expected.receive) {
            assertEquals(expected.tag, next.status().tag());
        }
    }

    @Test
    void shouldReturnCollectiveCallsPersistentAndCancelledRequests() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            var queue = new CompletionQueue<String>(world, 4);
            Request persistent = all.receiveInit(new int[1], 0, 1, Worlds.previous(all), 1);
            for (int round = 0; round < 20; round++) {
                persistent.start();
                queue.add(persistent, "persistent");
                queue.add(all.ibarrier(), "barrier");
                Request cancelled = all.irecv(new int[1], all.rank(), 2);
                queue.add(cancelled, "cancelled");
                cancelled.cancel();
                Request done = all.isend(new int[] {round}, Worlds.next(all), 1);
                while (!done.test()) {
                    Thread.onSpinWait();
                }
                queue.add(done, "done");
                List<String> seen = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    Completion<String> next = queue.await();
                    seen.add(next.id());
                    assertEquals(next.id().equals("cancelled"), next.status().cancelled());
                }
                assertEquals(List.of("barrier", "cancelled", "done", "persistent"), seen.stream().sorted().toList());
            }
        });
    }

    @Test
    void shouldReturnARequestThatFailedWithItsError() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            List<RankwireException> handled = new ArrayList<>();
            all.errorHandler((on, error) -> handled.add(error));
            var queue = new CompletionQueue<Integer>(world, 1);
            queue.add(all.irecv(new int[1], 0, 1), 5);
            all.send(new int[2], 0, 1);
            Completion<Integer> next = queue.await();
            assertEquals(5, next.id());
            assertEquals(ErrorClass.TRUNCATE, next.error().orElseThrow().errorClass());
            assertEquals(List.of(next.error().orElseThrow()), handled);
        });
    }

    @Test
    void shouldRefuseWhatWouldLoseARequest() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            var queue = new CompletionQueue<Integer>(world, 2);
            Request persistent = all.receiveInit(new int[1], 0, 1, 0, 1);
            assertMisuse("was not started", () -> queue.add(persistent, 1));
            persistent.start();
            queue.add(persistent, 1);
            assertMisuse("left to a completion queue", () -> queue.add(persistent, 1));
            assertMisuse("left to a completion queue", persistent::await);
            assertMisuse("left to a completion queue", () -> Request.awaitAll(persistent));
            assertMisuse("still under way", persistent::start);
            assertEquals(-1, Request.testAny(persistent));
            Request second = all.irecv(new int[1], 0, 2);
            queue.add(second, 2);
            Request third = all.irecv(new int[1], 0, 3);
            RankwireException full = assertThrows(RankwireException.class, () -> queue.add(third, 3));
            assertEquals(ErrorClass.RESOURCE, full.errorClass());
            assertTrue(full.getMessage().contains("made for 2 requests")
                    && full.getMessage().contains("CompletionQueueTest.java:"), full.getMessage());
            for (int tag = 1; tag <= 3; tag++) {
                all.send(new int[1], 0, tag);
            }
            assertEquals(1, queue.await().id());
            queue.add(third, 3);
            assertEquals(2, queue.await().id());
            assertEquals(3, queue.await().id());
            assertMisuse("second await", third::await);
            assertThrows(RankwireException.class, () -> new CompletionQueue<Integer>(world, 0));
            assertThrows(RankwireException.class, () -> new CompletionQueue<Integer>(null, 1));
            assertThrows(RankwireException.class, () -> queue.add(null, 1));
        });
    }

    private static void assertMisuse(String text, Runnable call) {
        RankwireException error = assertThrows(RankwireException.class, call::run);
        assertEquals(ErrorClass.REQUEST, error.errorClass());
        assertTrue(error.getMessage().contains(text), error.getMessage());
    }

    /** Some threads add and send, others take; every request is returned once. */
    @Test
    void shouldServeManyThreads() {
        int each = 500;
        int threads = 4;
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            var queue = new CompletionQueue<Integer>(world, each * threads);
            ConcurrentLinkedQueue<Integer> taken = new ConcurrentLinkedQueue<>();
            AtomicInteger left = new AtomicInteger(each * threads);
            List<Thread> running = new ArrayList<>();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            for (int t = 0; t < threads; t++) {
                int number = t;
                running.add(Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < each; i++) {
                        int id = number * each + i;
                        queue.add(all.irecv(new int[1], 1 - all.rank(), id), id);
                        all.send(new int[] {id}, 1 - all.rank(), id);
                    }
                }));
                running.add(Thread.ofVirtual().start(() -> {
                    while (left.getAndDecrement() > 0) {
                        taken.add(queue.await().id());
                    }
                }));
            }
            for (Thread thread : running) {
                thread.setUncaughtExceptionHandler((which, thrown) -> failure.set(thrown));
                join(thread);
            }
            assertNull(failure.get());
            assertEquals(each * threads, taken.stream().distinct().count());
            assertEquals(0, queue.size());
        });
    }

    @Test
    void shouldEndAWaitWhenTheWorldIsClosed() {
        Worlds.run(1, world -> {
            var queue = new CompletionQueue<Integer>(world, 1);
            queue.add(world.communicator().irecv(new int[1], 0, 1), 1);
            AtomicReference<RankwireException> thrown = new AtomicReference<>();
            Thread waiter = Thread.ofPlatform().start(() -> thrown.set(
                    assertThrows(RankwireException.class, queue::await)));
            while (!world.session().host().sleeping()) {
                Thread.onSpinWait();
            }
            world.close();
            join(waiter);
            assertEquals(ErrorClass.CLOSED, thrown.get().errorClass());
            assertTrue(thrown.get().getMessage().contains("completion queue with 1 request, irecv"),
                    thrown.get().getMessage());
        });
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
