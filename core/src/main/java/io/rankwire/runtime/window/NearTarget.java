package io.rankwire.runtime.window;

import io.rankwire.device.Code;
import io.rankwire.device.Operation;
import io.rankwire.runtime.Host;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;

/**
 * A part that is mapped here, of a window that ranks of other hosts reach too. Put and get are copies.
 */
final class NearTarget extends SplitTarget {
    private final Host host;
    private final Target mapped;

    NearTarget(Host host, MappedTarget mapped, FramedTarget framed) {
        super(framed);
        this.host = host;
        this.mapped = mapped;
    }

    @Override
    public MemorySegment memory() {
        return mapped.memory();
    }

    @Override
    public void put(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        if (isUnderWay()) {
            framed.put(base, offset, bytes, type, at, operation);
        } else {
            mapped.put(base, offset, bytes, type, at, null);
            end(operation);
        }
    }

    @Override
    public void get(Object base, long offset, long bytes, ElementType type, long at, Operation operation) {
        if (isUnderWay()) {
            framed.get(base, offset, bytes, type, at, operation);
        } else {
            mapped.get(base, offset, bytes, type, at, null);
            end(operation);
        }
    }

    private void end(Operation operation) {
        if (operation != null) {
            host.lock();
            try {
                host.device.finish(operation, Code.OK);
            } finally {
                host.unlock();
            }
        }
    }

    @Override
    public void flush(String call) {
        mapped.flush(call);
        if (isUnderWay()) {
            flushOwner(call);
        }
    }
}
