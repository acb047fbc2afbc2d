package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Operation.Mode;
import io.rankwire.memory.Rand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * Random sends, receives, cancels and probes on some devices, against a list for each source, tag and context: the
 * receives that were not cancelled, in the order of their posts, meet the messages that were not cancelled, in the
 * order of their sends.
 */
public final class TaggedEpisode {
    private static final int BYTE = DevicePair.BYTE;

    /** What is known of one context, receiver, sender and tag. */
    private record Key(int context, int to, int from, int tag) {}

    private record Sent(int id, int bytes, Operation operation) {}

    private record Received(Operation operation, byte[] buffer) {}

    private static final class Line {
        final List<Sent> sent = new ArrayList<>();
        final List<Received> received = new ArrayList<>();
    }

    private final Rand rand;
    private final Device[] devices;
    private final IntConsumer progress;
    private final int[] contexts;
    private final int mostBytes;
    /** Whether calls are made that stop the matching in the network. */
    private final boolean mayStop;
    private final Map<Key, Line> lines = new HashMap<>();
    private int ids;
    private final int tags;
    /** How long all may take to come to rest in a network with threads of its own; 0 if rounds say it. */
    public long mostNs;
    int cancelledSends;
    int cancelledReceives;

    /**
     * @param progress moves a rank for a while
     */
    public TaggedEpisode(Rand rand, Device[] devices, int[] contexts, int mostBytes, boolean mayStop,
            IntConsumer progress) {
        this.rand = rand;
        this.devices = devices;
        this.contexts = contexts;
        this.mostBytes = mostBytes;
        this.mayStop = mayStop;
        this.progress = progress;
        this.tags = rand.between(1, 6);
    }

    /** Makes random calls. */
    public void run(int steps, int depth) {
        for (int i = 0; i < steps; i++) {
            step(depth);
            if (rand.chance(2, 3)) {
                progress.accept(rand.below(devices.length));
            }
        }
    }

    private void step(int depth) {
        Key key = new Key(contexts[rand.below(contexts.length)], rand.below(devices.length),
                rand.below(devices.length), rand.below(tags));
        Line line = lines.computeIfAbsent(key, any -> new Line());
        int ahead = line.sent.size() - line.received.size();
        switch (rand.below(10)) {
            case 0, 1, 2, 3 -> {
                if (ahead < depth) {
                    send(key, line);
                }
            }
            case 4, 5, 6, 7 -> {
                if (-ahead < depth) {
                    receive(key, line, rand.chance(1, 8) ? rand.below(mostBytes) : mostBytes);
                }
            }
            case 8 -> cancel(key, line);
            default -> other(key, line);
        }
    }

    private void send(Key key, Line line) {
        int most = rand.chance(1, 8) ? mostBytes : Math.min(mostBytes, 200);
        byte[] message = DevicePair.pattern(++ids, rand.below(most + 1));
        Device from = devices[key.from];
        if (rand.chance(1, 2) && from.sendNow(key.context, key.to, key.tag, message, 0, message.length, BYTE)) {
            line.sent.add(new Sent(ids, message.length, null));
            return;
        }
        Mode mode = rand.chance(1, 4) ? Mode.SYNCHRONOUS : Mode.STANDARD;
        Operation operation = from.send(mode, key.context, key.to, key.tag, message, 0, message.length, BYTE);
        line.sent.add(new Sent(ids, message.length, operation));
    }

    private void receive(Key key, Line line, int bytes) {
        byte[] buffer = new byte[bytes];
        Operation operation = devices[key.to].receive(key.context, key.from, key.tag, buffer, 0, bytes, BYTE);
        line.received.add(new Received(operation, buffer));
    }

    private void cancel(Key key, Line line) {
        if (rand.chance(1, 2) && !line.received.isEmpty()) {
            devices[key.to].cancel(line.received.get(line.received.size() - 1
                    - rand.below(Math.min(4, line.received.size()))).operation);
        } else if (!line.sent.isEmpty()) {
            Operation send = line.sent.get(line.sent.size() - 1).operation;
            if (send != null) {
                devices[key.from].cancel(send);
            }
        }
    }

    private void other(Key key, Line line) {
        if (rand.chance(1, 3)) {
            devices[key.to].network().match(key.context, !mayStop || rand.chance(4, 5));
        }
        if (!mayStop || rand.chance(3, 4)) {
            return;
        }
        Probes probes = devices[key.to].probes();
        int entry = probes.find(key.context, key.from, key.tag);
        if (entry != Probes.NONE && rand.chance(1, 2)) {
            Unexpected taken = probes.take(key.context, entry);
            byte[] buffer = new byte[mostBytes];
            line.received.add(new Received(probes.receive(taken, buffer, 0, mostBytes, BYTE), buffer));
        }
    }

    /** Completes all that is open, and compares. */
    public void finish() {
        settle(this::isAnswered);
        for (int round = 0; round < 3; round++) {
            lines.forEach((key, line) -> {
                int sent = (int) line.sent.stream().filter(one -> !isCancelled(one.operation)).count();
                int received = (int) line.received.stream().filter(one -> !isCancelled(one.operation)).count();
                for (int i = received; i < sent; i++) {
                    receive(key, line, mostBytes);
                }
                for (int i = sent; i < received; i++) {
                    send(key, line);
                }
            });
            settle(this::isOver);
        }
        lines.forEach(this::check);
        lines.forEach((key, line) -> {
            line.sent.forEach(one -> release(key.from, one.operation));
            line.received.forEach(one -> release(key.to, one.operation));
        });
    }

    private void release(int rank, Operation operation) {
        if (operation != null) {
            devices[rank].release(operation);
        }
    }

    private static boolean isCancelled(Operation operation) {
        return operation != null && operation.isDone() && operation.code() == Code.CANCELLED;
    }

    private boolean isOver() {
        return lines.values().stream().allMatch(line ->
                line.sent.stream().allMatch(one -> one.operation == null || one.operation.isDone())
                        && line.received.stream().allMatch(one -> one.operation.isDone()));
    }

    /** Whether it is known of each send whether its cancel came in time. */
    private boolean isAnswered() {
        return lines.values().stream().allMatch(line ->
                line.sent.stream().noneMatch(one -> one.operation != null && one.operation.isCancelling()));
    }

    private void settle(BooleanSupplier over) {
        long start = System.nanoTime();
        for (int round = 0; round < 100 || !over.getAsBoolean(); round++) {
            assertTrue(round < 20_000 || System.nanoTime() - start < mostNs,
                    () -> "does not come to rest: " + waiting());
            for (int rank = 0; rank < devices.length; rank++) {
                progress.accept(rank);
            }
        }
    }

    private String waiting() {
        StringBuilder text = new StringBuilder();
        lines.forEach((key, line) -> {
            long sends = line.sent.stream().filter(one -> one.operation != null && !one.operation.isDone()).count();
            long receives = line.received.stream().filter(one -> !one.operation.isDone()).count();
            if (sends + receives > 0) {
                text.append(key).append(": ").append(sends).append(" sends, ").append(receives).append(" receives; ");
            }
        });
        for (Device device : devices) {
            text.append("\n rank ").append(device.self()).append(": ").append(device.network());
        }
        return text.toString();
    }

    private void check(Key key, Line line) {
        List<Sent> sent = new ArrayList<>(line.sent);
        List<Received> received = new ArrayList<>(line.received);
        sent.removeIf(one -> isCancelled(one.operation));
        received.removeIf(one -> isCancelled(one.operation));
        cancelledSends += line.sent.size() - sent.size();
        cancelledReceives += line.received.size() - received.size();
        assertEquals(sent.size(), received.size(), () -> key + ": messages and receives");
        for (int i = 0; i < sent.size(); i++) {
            int number = i;
            Sent message = sent.get(i);
            Received receive = received.get(i);
            byte[] expected = Arrays.copyOf(DevicePair.pattern(message.id, message.bytes), receive.buffer.length);
            assertEquals(message.bytes, receive.operation.matchedBytes(),
                    () -> key + ": bytes of message " + number + " of " + history(line));
            assertEquals(-1, Arrays.mismatch(expected, receive.buffer), () -> key + ": message " + number);
            assertEquals(message.bytes > receive.buffer.length ? Code.TRUNCATED : Code.OK, receive.operation.code());
            assertEquals(key.from, receive.operation.source());
            assertEquals(key.tag, receive.operation.matchedTag());
        }
    }

    /** What was sent and received, for a failure. */
    private static String history(Line line) {
        StringBuilder text = new StringBuilder("sent");
        line.sent.forEach(one -> text.append(' ').append(one.bytes).append(isCancelled(one.operation) ? "x" : ""));
        text.append(", received");
        line.received.forEach(one -> text.append(' ')
                .append(isCancelled(one.operation) ? "x" : String.valueOf(one.operation.matchedBytes())));
        return text.toString();
    }

    /** After {@link #finish}: nothing is left, and all credit is back. */
    public void checkNothingLeft() {
        for (Device device : devices) {
            DeviceAudit.structures(device);
            assertNull(DeviceAudit.left(device, 0));
            for (Device other : devices) {
                if (device != other) {
                    assertNull(DeviceAudit.creditAtRest(device, other));
                }
            }
        }
    }
}
