package io.rankwire.runtime.window;

import io.rankwire.ErrorClass;
import io.rankwire.runtime.Buffers;
import io.rankwire.runtime.Host;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Buffers of this rank that others reach by a dynamic window, each at a place in a space of the window's own. */
final class AttachedMemory {
    /** Bytes of the space. */
    static final long SPACE = 1L << 60;

    private record Attached(Object base, long start, long bytes, long place) {}

    private final Host host;
    private final int key;
    private final List<Attached> buffers = new ArrayList<>();

    AttachedMemory(Host host) {
        this.host = host;
        host.lock();
        try {
            key = host.device.oneSided().regions().addSpace(SPACE);
        } finally {
            host.unlock();
        }
    }

    int key() {
        return key;
    }

    long attach(WindowEndpoint window, Object buffer) {
        ElementType type = window.typeOf(buffer);
        Object base = Buffers.base(buffer);
        long start = Buffers.start(buffer);
        long bytes = Buffers.length(buffer) * type.bytes();
        host.lock();
        try {
            host.confined.inWindow(base);
            long place = host.device.oneSided().regions().attach(key, base, start, bytes, type.code(),
                    WindowEndpoint.rights(buffer));
            buffers.add(new Attached(base, start, bytes, place));
            return place;
        } finally {
            host.unlock();
        }
    }

    void detach(WindowEndpoint window, Object buffer) {
        ElementType type = ElementType.ofBuffer(buffer);
        if (type == null) {
            throw window.raised(Buffers.notABuffer(buffer));
        }
        host.lock();
        try {
            Attached found = find(Buffers.base(buffer), Buffers.start(buffer));
            if (found != null) {
                buffers.remove(found);
                host.confined.outOfWindow(found.base);
                host.device.oneSided().regions().detach(key, found.place);
                return;
            }
        } finally {
            host.unlock();
        }
        throw window.wrong(ErrorClass.WINDOW, "detach: argument buffer: this " + Buffers.describe(buffer)
                + " of " + type + " is not attached");
    }

    /** The window ends; the caller has the lock. */
    void detachAll() {
        buffers.forEach(each -> host.confined.outOfWindow(each.base));
        buffers.clear();
    }

    /** The last one attached that begins there. */
    private Attached find(Object base, long start) {
        for (int i = buffers.size() - 1; i >= 0; i--) {
            Attached each = buffers.get(i);
            boolean same = base instanceof MemorySegment segment && each.base instanceof MemorySegment other
                    ? segment.address() == other.address() && segment.heapBase().equals(other.heapBase())
                    : each.base == base;
            if (same && each.start == start) {
                return each;
            }
        }
        return null;
    }
}
