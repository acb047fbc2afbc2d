package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FabricException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory that messages are sent from, registered where the provider needs that. There are small and large slots, made
 * in blocks as they are needed, up to a bound: who finds none tries again when others have been sent.
 */
final class Slots {
    private static final int SMALL = 4 << 10;
    private static final int LARGE = Message.MOST_BYTES + 7 & ~7;
    private static final int SMALL_BLOCK = 32;
    private static final int LARGE_BLOCK = 4;
    private static final int MOST_SMALL = 1 << 10;
    private static final int MOST_LARGE = 64;

    private final Engine engine;
    private final Arena arena;
    private final Slot[] byContext = new Slot[MOST_SMALL + MOST_LARGE];
    private final long contexts;
    private final List<Region> regions = new ArrayList<>();
    private Slot small;
    private Slot large;
    private int smallMade;
    private int largeMade;
    private int made;

    Slots(Engine engine, Arena arena) {
        this.engine = engine;
        this.arena = arena;
        this.contexts = Raw.allocate(arena, (long) byContext.length * Abi.CONTEXT);
    }

    /** A slot with room for this payload; null if none is free. */
    Slot take(int payloadBytes, boolean wantsLarge) {
        boolean isSmall = Message.HEAD + Message.size(payloadBytes) <= SMALL;
        Slot slot = isSmall && !wantsLarge ? takeSmall() : takeLarge();
        return slot == null && isSmall ? wantsLarge ? takeSmall() : takeLarge() : slot;
    }

    private Slot takeSmall() {
        if (small == null && smallMade < MOST_SMALL) {
            smallMade += SMALL_BLOCK;
            make(SMALL_BLOCK, SMALL, false);
        }
        Slot slot = small;
        if (slot != null) {
            small = slot.next;
            slot.next = null;
        }
        return slot;
    }

    private Slot takeLarge() {
        if (large == null && largeMade < MOST_LARGE) {
            largeMade += LARGE_BLOCK;
            make(LARGE_BLOCK, LARGE, true);
        }
        Slot slot = large;
        if (slot != null) {
            large = slot.next;
            slot.next = null;
        }
        return slot;
    }

    private void make(int count, int bytes, boolean isLarge) {
        long block = arena.allocate((long) count * bytes, 4 << 10).address();
        long desc = 0;
        if (engine.provider.needs(Abi.FI_MR_LOCAL)) {
            desc = register(engine, regions, block, (long) count * bytes, Abi.FI_SEND).desc;
        }
        for (int i = 0; i < count; i++) {
            Slot slot = new Slot(block + (long) i * bytes, bytes, desc, contexts + (long) made * Abi.CONTEXT, isLarge);
            byContext[made++] = slot;
            give(slot);
        }
    }

    /** Registers memory of the port itself. */
    static Region register(Engine engine, List<Region> regions, long address, long bytes, long access) {
        int[] error = new int[1];
        Region region = engine.register(address, bytes, access, error);
        if (region == null) {
            throw new FabricException("libfabric (" + engine.provider.name() + ") cannot register " + bytes
                    + " bytes for messages: " + engine.library.text(error[0]) + "; " + LockedMemory.text(), null);
        }
        regions.add(region);
        return region;
    }

    void give(Slot slot) {
        slot.used = Message.HEAD;
        slot.fence = 0;
        slot.peer = null;
        slot.to = null;
        if (slot.isLarge) {
            slot.next = large;
            large = slot;
        } else {
            slot.next = small;
            small = slot;
        }
    }

    /** The slot of a context, or null if it is not one of these. */
    Slot of(long context) {
        long index = context - contexts >> 6;
        return index >= 0 && index < made ? byContext[(int) index] : null;
    }

    void close() {
        regions.forEach(Region::close);
    }
}
