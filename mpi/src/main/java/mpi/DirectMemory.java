package mpi;

import java.lang.foreign.MemorySegment;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Direct buffers that others were cut out of. Java keeps accesses to a slice within the slice; a datatype that reaches
 * back before its first element, which is fine in Open MPI, needs the memory around it. A slice keeps the memory it was
 * cut out of alive, so entries of memory in use stay, and all others go.
 */
final class DirectMemory {
    /** By address. */
    private static final ConcurrentSkipListMap<Long, Whole> KNOWN = new ConcurrentSkipListMap<>();
    private static final ReferenceQueue<Buffer> GONE = new ReferenceQueue<>();

    private static final class Whole extends WeakReference<Buffer> {
        final long address;
        final long end;

        Whole(Buffer buffer, MemorySegment memory) {
            super(buffer, GONE);
            address = memory.address();
            end = address + memory.byteSize();
        }
    }

    private DirectMemory() {}

    /** Remembers a direct buffer that others will be cut out of; a buffer on the heap has its array. */
    static <B extends Buffer> B remembered(B buffer) {
        if (buffer.isDirect()) {
            MemorySegment memory = all(buffer);
            if (find(memory) == null) {
                forgetThoseGone();
                Whole whole = new Whole(buffer, memory);
                KNOWN.put(whole.address, whole);
            }
        }
        return buffer;
    }

    /** Returns the memory that a part was cut out of, or the part itself if that memory is not known. */
    static MemorySegment around(MemorySegment part) {
        Whole whole = find(part);
        Buffer buffer = whole == null ? null : whole.get();
        return buffer == null ? part : all(buffer);
    }

    /** Returns all memory of a buffer, whatever its position and limit are. */
    static MemorySegment all(Buffer buffer) {
        boolean whole = buffer.position() == 0 && buffer.limit() == buffer.capacity();
        return MemorySegment.ofBuffer(whole ? buffer : buffer.duplicate().clear());
    }

    private static Whole find(MemorySegment part) {
        Map.Entry<Long, Whole> below = KNOWN.floorEntry(part.address());
        while (below != null) {
            Whole whole = below.getValue();
            if (!whole.refersTo(null)) {
                return part.address() + part.byteSize() <= whole.end ? whole : null;
            }
            below = KNOWN.lowerEntry(below.getKey());
        }
        return null;
    }

    static int known() {
        return KNOWN.size();
    }

    private static void forgetThoseGone() {
        for (Object gone = GONE.poll(); gone != null; gone = GONE.poll()) {
            KNOWN.remove(((Whole) gone).address, gone);
        }
    }
}
