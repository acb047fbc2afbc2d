package io.rankwire.runtime.window;

import io.rankwire.device.Operation;
import io.rankwire.type.ElementType;

/**
 * A part that is not mapped here, in memory that the network reads and writes by itself. A put or get of some length
 * from or to an allocation of this rank is made so, and takes no processor of the owner. Short accesses go in frames,
 * which bring them there sooner, and so do other buffers, which the network does not know.
 */
final class RemoteTarget extends SplitTarget {
    /**
     * @param place the allocation of the owner that holds the part, which begins at the offset there
     */
    RemoteTarget(FramedTarget framed, long place, long offset) {
        super(framed);
        framed.byEngine(place, offset);
    }

    @Override
    public Target inOrder() {
        return framed;
    }

    @Override
    public void put(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        if (isUnderWay() || !framed.paysByEngine(bytes) || bytes <= framed.mostInFrame()
                || !framed.putByEngine(base, offset, bytes, type, at, operation)) {
            framed.put(base, offset, bytes, type, at, operation);
        }
    }

    @Override
    public void get(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        if (isUnderWay() || !framed.paysByEngine(bytes)
                || !framed.getByEngine(base, offset, bytes, type, at, operation)) {
            framed.get(base, offset, bytes, type, at, operation);
        }
    }

    @Override
    public void flush(String call) {
        flushOwner(call);
    }
}
