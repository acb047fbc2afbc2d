package io.rankwire.type;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Encoded objects. */
public final class ObjectFuzz {
    private ObjectFuzz() {}

    sealed interface Item {}

    record Leaf(String text, int[] numbers, Optional<Long> more) implements Item {}

    record Tree(Item left, Item right, Map<String, List<Item>> named) implements Item {}

    public static List<byte[]> samples() {
        Item leaf = new Leaf("a leaf", new int[] {1, 2, 3}, Optional.of(4L));
        Item tree = new Tree(leaf, new Tree(leaf, null, Map.of()), Map.of("k", List.of(leaf, leaf)));
        return List.of(RecordFormat.encode(leaf), RecordFormat.encode(tree));
    }

    public static void fuzzerTestOneInput(byte[] data) {
        try {
            RecordFormat.decode(data, 0, data.length, Item.class);
        } catch (FormatException e) {
            // This is how bytes are refused that are no such object.
        }
    }
}
