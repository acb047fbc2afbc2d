package io.rankwire.device.onesided;

import io.rankwire.device.Code;
import io.rankwire.type.ElementType;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Memory of this rank that others may reach by frames. A key names a region: its lower bits are a place in the table,
 * its upper bits count how often the place was used before, so that a key kept too long finds nothing. Every access
 * from outside is checked here before a byte is touched.
 */
public final class RegionTable {
    /** Right to read a region. */
    public static final int READ = 1;
    /** Right to write it. */
    public static final int WRITE = 2;

    private static final int PLACE_BITS = 20;
    private static final int USES = 1 << 31 - PLACE_BITS;
    private static final long PLACE_ALIGNMENT = 64;

    /**
     * Memory that may be reached.
     *
     * @param base a primitive array or a {@code MemorySegment}
     * @param offset of its first byte there
     * @param elementType code of its {@link ElementType}; accesses must be whole elements
     * @param rights {@link #READ}, {@link #WRITE} or both
     */
    public record Region(int key, Object base, long offset, long bytes, int elementType, int rights) {}

    /** What is attached to a space, by its place there. */
    private static final class Space {
        private final TreeMap<Long, Region> parts = new TreeMap<>();

        /** The first place with room for this number of bytes. */
        long room(long bytes) {
            long place = 0;
            for (Map.Entry<Long, Region> part : parts.entrySet()) {
                if (part.getKey() - place >= bytes) {
                    break;
                }
                place = part.getKey() + Math.max(part.getValue().bytes, 1) + PLACE_ALIGNMENT - 1 & -PLACE_ALIGNMENT;
            }
            return place;
        }

        /** The part these bytes lie in, or null. */
        Region find(long offset, long bytes) {
            Map.Entry<Long, Region> part = parts.floorEntry(offset);
            return part != null && offset - part.getKey() <= part.getValue().bytes - bytes ? part.getValue() : null;
        }
    }

    private Region[] regions = new Region[8];
    private int[] uses = new int[8];
    private int count;
    private int firstFree;

    /** The new region's key, which is never negative. */
    public int add(Object base, long offset, long bytes, int elementType, int rights) {
        int place = firstFree;
        while (place < regions.length && regions[place] != null) {
            place++;
        }
        if (place == regions.length) {
            regions = Arrays.copyOf(regions, 2 * place);
            uses = Arrays.copyOf(uses, 2 * place);
        }
        assert place < 1 << PLACE_BITS;
        int key = uses[place] << PLACE_BITS | place;
        uses[place] = (uses[place] + 1) % USES;
        regions[place] = new Region(key, base, offset, bytes, elementType, rights);
        firstFree = place + 1;
        count++;
        return key;
    }

    /** A region without memory, to which some is attached part by part; returns its key. */
    public int addSpace(long bytes) {
        return add(new Space(), 0, bytes, ElementType.RAW.code(), READ | WRITE);
    }

    /** Lets a part of a space be reached; returns the place in the space where it begins. */
    public long attach(int key, Object base, long offset, long bytes, int elementType, int rights) {
        Space space = (Space) get(key).base;
        long place = space.room(Math.max(bytes, 1));
        // The offset is such that a place in the space leads to its byte.
        space.parts.put(place, new Region(key, base, offset - place, bytes, elementType, rights));
        return place;
    }

    public void detach(int key, long place) {
        ((Space) get(key).base).parts.remove(place);
    }

    /** False if there is no such region. */
    public boolean remove(int key) {
        if (get(key) == null) {
            return false;
        }
        int place = place(key);
        regions[place] = null;
        firstFree = Math.min(firstFree, place);
        count--;
        return true;
    }

    /** The region of a key, or null. */
    public Region get(int key) {
        int place = place(key);
        Region region = place < regions.length ? regions[place] : null;
        return region != null && region.key == key ? region : null;
    }

    /** As {@link #get}; in a space the part that these bytes lie in, or null. */
    public Region find(int key, long offset, long bytes) {
        Region region = get(key);
        return region != null && region.base instanceof Space space ? space.find(offset, bytes) : region;
    }

    public int count() {
        return count;
    }

    /** Whether these bytes of a region may be reached with these rights, as whole elements: a {@link Code}. */
    public int check(int key, long offset, long bytes, int elementType, int rights) {
        Region region = get(key);
        if (region == null) {
            return Code.UNKNOWN_REGION;
        }
        if (offset < 0 || bytes < 0 || offset > region.bytes - bytes) {
            return Code.OUT_OF_BOUNDS;
        }
        long within = offset;
        if (region.base instanceof Space space) {
            region = space.find(offset, bytes);
            if (region == null) {
                return Code.OUT_OF_BOUNDS;
            }
            within = offset - space.parts.floorKey(offset);
        }
        if ((region.rights & rights) != rights) {
            return Code.NO_RIGHT;
        }
        if (!ElementType.isCode(elementType) || !ElementType.compatible(elementType, region.elementType)) {
            return Code.TYPE_MISMATCH;
        }
        int elementBytes = Math.max(ElementType.of(region.elementType).bytes(), 1);
        return within % elementBytes == 0 && bytes % elementBytes == 0
                && bytes % ElementType.of(elementType).bytes() == 0 ? Code.OK : Code.BROKEN_ELEMENT;
    }

    private static int place(int key) {
        return key & (1 << PLACE_BITS) - 1;
    }
}
