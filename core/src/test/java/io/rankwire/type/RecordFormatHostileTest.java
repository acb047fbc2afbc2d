package io.rankwire.type;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.rankwire.memory.Rand;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Valid encodings with bytes changed, removed, repeated and spliced: each decodes, or fails with an explanation. */
class RecordFormatHostileTest {
    private static final long SEED = 20261115;
    private static final int MUTATIONS = Integer.getInteger("rankwire.test.mutations", 100_000);

    /** For objects created from one byte (such as an empty map) and the exception; far less than a bad count needs. */
    private static final long BYTES_PER_BYTE = 256;
    private static final long BYTES_FIXED = 512 << 10;

    sealed interface Item {}

    record Text(String text, Optional<String> note) implements Item {}

    record Numbers(int[] a, double[] b, boolean[] c, long d, char e) implements Item {}

    record Tree(Item left, Item right, List<Item> more) implements Item {}

    record Index(Map<String, List<Item>> items, Set<Key> keys, Object any) implements Item {}

    record Key(byte a, short b) {}

    enum Mark implements Item {
        ONE,
        TWO
    }

    private record Sample(byte[] bytes, Class<?> type) {}

    private static List<Sample> samples() {
        Item text = new Text("short", Optional.of("\u20ac wide"));
        Item numbers = new Numbers(new int[] {1, 2, 3}, new double[] {4}, new boolean[] {true}, 5, '6');
        Item tree = new Tree(text, new Tree(Mark.ONE, null, List.of()), List.of(numbers, Mark.TWO, text));
        Item index = new Index(Map.of("k", List.of(tree)), Set.of(new Key((byte) 1, (short) 2)), List.of(1, "x", 2.0));
        List<Sample> samples = new ArrayList<>();
        for (Item item : List.of(text, numbers, tree, index, Mark.TWO)) {
            samples.add(new Sample(RecordFormat.encode(item), Item.class));
        }
        samples.add(new Sample(RecordFormat.encode(new Item[] {tree, index, null}), Item[].class));
        samples.add(new Sample(RecordFormat.encode(new int[][] {{1, 2}, {}, {3}}), int[][].class));
        samples.add(new Sample(RecordFormat.encode(List.of(1, Set.of("a"), Map.of("k", 1L))), Object.class));
        samples.add(new Sample(RecordFormat.encode("a string of some length"), String.class));
        return samples;
    }

    @Test
    @Timeout(300)
    void shouldRefuseOrDecodeEveryMutationInBoundedMemory() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<Sample> samples = samples();
        Rand rand = new Rand(SEED);
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            Sample sample = samples.get(rand.below(samples.size()));
            byte[] bytes = mutated(sample.bytes(), samples, rand);
            long before = threads.getCurrentThreadAllocatedBytes();
            try {
                RecordFormat.decode(bytes, 0, bytes.length, sample.type());
            } catch (FormatException told) {
                refused++;
                assertClear(told, i);
            } catch (RuntimeException | Error other) {
                fail("seed " + SEED + ", mutation " + i + ": " + Arrays.toString(bytes), other);
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            if (i >= samples.size() * 10 && allocated > BYTES_FIXED + BYTES_PER_BYTE * bytes.length) {
                fail("seed " + SEED + ", mutation " + i + " allocated " + allocated + ": " + Arrays.toString(bytes));
            }
        }
        assertTrue(refused > MUTATIONS / 4 && refused < MUTATIONS, "refused " + refused);
    }

    private static void assertClear(FormatException told, int mutation) {
        String message = told.getMessage();
        assertTrue(
                message.contains("expected") && message.contains("found") || message.contains("deeper than"),
                () -> "seed " + SEED + ", mutation " + mutation + ": " + message);
        assertTrue(message.length() < 1000, message);
    }

    private static byte[] mutated(byte[] valid, List<Sample> samples, Rand rand) {
        byte[] bytes = valid.clone();
        for (int edits = rand.between(1, 4); edits > 0 && bytes.length > 0; edits--) {
            int at = rand.below(bytes.length);
            switch (rand.below(7)) {
                case 0 -> bytes[at] ^= (byte) (1 << rand.below(8));
                case 1 -> bytes[at] = (byte) rand.nextLong();
                case 2 -> bytes[at] = (byte) rand.below(Tag.values().length);
                case 3 -> bytes = Arrays.copyOf(bytes, rand.chance(1, 2) ? at : bytes.length + rand.below(9));
                case 4 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 5), (byte) -1);
                case 5 -> {
                    byte[] other = samples.get(rand.below(samples.size())).bytes();
                    int from = rand.below(other.length);
                    int length = Math.min(rand.between(1, 40), Math.min(other.length - from, bytes.length - at));
                    System.arraycopy(other, from, bytes, at, length);
                }
                default -> {
                    int to = rand.below(bytes.length);
                    int length = Math.min(rand.between(1, 30), bytes.length - Math.max(at, to));
                    System.arraycopy(bytes, at, bytes, to, length);
                }
            }
        }
        return bytes;
    }

    @Test
    @Timeout(300)
    void shouldSurvivePureNoise() {
        Rand rand = new Rand(SEED + 1);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[rand.between(1, 300)];
            for (int k = 1; k < bytes.length; k++) {
                bytes[k] = (byte) (rand.chance(1, 2) ? rand.below(Tag.values().length) : rand.below(256));
            }
            bytes[0] = (byte) RecordFormat.VERSION;
            Class<?> type = rand.chance(1, 2) ? Object.class : Item.class;
            try {
                RecordFormat.decode(bytes, 0, bytes.length, type);
            } catch (FormatException told) {
                assertClear(told, i);
            }
        }
    }
}
