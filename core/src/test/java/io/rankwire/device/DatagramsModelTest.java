package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.datagram.Datagrams;
import io.rankwire.device.datagram.ReceiveQueue;
import io.rankwire.memory.Rand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Queues of all sizes against a model: a list for each queue. Doorbells are used in any order; full queues refuse, and
 * messages are sent again as often and as long as each doorbell allows.
 */
final class DatagramsModelTest {
    private static final int RANKS = 3;
    private static final int QUEUES = 3;
    private static final int STEPS = 4_000;
    private static final long MOST_NS = 3_000_000;

    /** A queue as the test sees it. */
    private static final class Model {
        ReceiveQueue queue;
        int entries;
        int entryBytes;
        final Queue<Sent> messages = new ArrayDeque<>();
    }

    /** A message under way: what must be read when its doorbell says that it has arrived. */
    private record Sent(int from, int bell, Model to, byte[] bytes, int tries, long untilNs) {}

    private final DevicePair pair = new DevicePair(DeviceConfig.DEFAULT, RANKS, 256);
    private final Model[][] models = new Model[RANKS][QUEUES];
    private final List<Sent> underWay = new ArrayList<>();
    private final Set<Sent> readEarly = new HashSet<>();
    private Rand rand;
    private int refused;
    private int again;
    private int late;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldDoAsListsDo(long seed) {
        rand = new Rand(seed);
        for (int step = 0; step < STEPS; step++) {
            int rank = rand.below(RANKS);
            Model model = model(rank, rand.below(QUEUES));
            switch (rand.below(5)) {
                case 0, 1 -> send(rank);
                case 2 -> read(rank, model);
                case 3 -> reopen(rank, model);
                default -> drive(rank);
            }
            sweep("seed " + seed + ", step " + step);
        }
        for (int round = 0; round < 100_000 && !underWay.isEmpty(); round++) {
            for (int rank = 0; rank < RANKS; rank++) {
                drive(rank);
                read(rank, model(rank, round % QUEUES));
            }
            sweep("seed " + seed + ", at the end");
        }
        assertTrue(readEarly.isEmpty() && underWay.isEmpty(),
                () -> "seed " + seed + ": " + underWay.size() + " messages never end");
        assertTrue(refused > 10 && again > 10 && late > 0, refused + " refused, " + again + " sent again, " + late
                + " late");
    }

    private Model model(int rank, int number) {
        if (models[rank][number] == null) {
            models[rank][number] = new Model();
            open(rank, models[rank][number], number);
        }
        return models[rank][number];
    }

    private void open(int rank, Model model, int number) {
        model.entries = 1 + rand.below(5);
        model.entryBytes = rand.chance(1, 8) ? 0 : 1 + rand.below(200);
        model.queue = pair.devices[rank].datagrams().open(number, model.entries, model.entryBytes);
    }

    /** A queue with other entries takes the place of one that is empty and that no message is under way to. */
    private void reopen(int rank, Model model) {
        if (model.queue.isEmpty() && underWay.stream().noneMatch(sent -> sent.to == model)) {
            pair.devices[rank].datagrams().close(model.queue);
            open(rank, model, model.queue.id());
        }
    }

    private void send(int from) {
        Datagrams datagrams = pair.devices[from].datagrams();
        int node = rand.below(RANKS);
        Model to = model(node, rand.below(QUEUES));
        byte[] bytes = new byte[rand.below(to.entryBytes + 2)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) rand.nextLong();
        }
        int bell = datagrams.allocate();
        int tries = rand.below(6);
        long until = rand.chance(1, 2) ? Long.MAX_VALUE : pair.now + rand.below((int) MOST_NS);
        datagrams.limit(bell, tries, until);
        Sent sent = new Sent(from, bell, to, bytes, tries, until);
        underWay.add(sent);
        datagrams.ring(bell, bytes.clone(), 0, bytes.length, node, to.queue.id(), from);
    }

    private void drive(int rank) {
        pair.now += rand.below(200_000);
        pair.devices[rank].progressAll(pair.now);
        pair.devices[rank].rest();
    }

    private void read(int rank, Model model) {
        ReceiveQueue queue = model.queue;
        while (!queue.isEmpty() && rand.chance(2, 3)) {
            byte[] found = new byte[queue.length()];
            queue.read(0, found, 0, found.length);
            int from = queue.node();
            assertEquals(from, queue.queue());
            queue.advance();
            Sent known = find(model.messages, model, from, found);
            if (known != null) {
                model.messages.remove(known);
            } else {
                // Its sender does not know yet that it has arrived.
                Sent early = find(underWay.stream().filter(sent -> !readEarly.contains(sent)).toList(), model, from,
                        found);
                assertTrue(early != null, () -> "rank " + rank + " has read a message of rank " + from + " again");
                readEarly.add(early);
            }
        }
    }

    private static Sent find(Collection<Sent> among, Model model, int from, byte[] found) {
        for (Sent sent : among) {
            if (sent.to == model && sent.from == from && Arrays.equals(sent.bytes, found)) {
                return sent;
            }
        }
        return null;
    }

    /** Looks how messages have ended. */
    private void sweep(String when) {
        for (int i = underWay.size() - 1; i >= 0; i--) {
            Sent sent = underWay.get(i);
            Datagrams datagrams = pair.devices[sent.from].datagrams();
            int status = datagrams.status(sent.bell);
            int tries = datagrams.tries(sent.bell);
            assertTrue(tries <= sent.tries, when);
            if (status == Datagrams.PENDING) {
                continue;
            }
            underWay.remove(i);
            again += tries > 0 ? 1 : 0;
            if (sent.bytes.length > sent.to.entryBytes) {
                assertEquals(Code.BAD_SIZE, status, when);
            } else if (status == Code.QUEUE_FULL) {
                refused++;
                late += tries < sent.tries ? 1 : 0;
                assertTrue(tries == sent.tries || pair.now >= sent.untilNs, () -> when + ": given up too early");
            } else {
                assertEquals(Code.OK, status, when);
                if (!readEarly.remove(sent)) {
                    sent.to.messages.add(sent);
                }
            }
            assertTrue(datagrams.free(sent.bell));
        }
        for (Model[] each : models) {
            for (Model model : each) {
                assertTrue(model == null || model.messages.size() <= model.entries, () -> when + ": more than fit");
            }
        }
    }
}
