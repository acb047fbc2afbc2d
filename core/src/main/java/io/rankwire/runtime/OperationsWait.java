package io.rankwire.runtime;

import io.rankwire.launch.VirtualTime;
import java.util.List;
import java.util.function.Supplier;

/**
 * Describes the wait for one of several operations.
 *
 * @param call the call, up to the number of requests
 * @param open the operations that are under way at the moment
 */
public record OperationsWait(String call, Supplier<List<OperationWait>> open) implements Host.Waiting {
    @Override
    public String describe() {
        List<OperationWait> now = open.get();
        String requests = now.size() == 1 ? " 1 request, " : " " + now.size() + " requests"
                + (now.isEmpty() ? "" : ", one of them ");
        return call + requests + (now.isEmpty() ? "" : now.getFirst().about()) + CallSite.find();
    }

    @Override
    public int peer() {
        List<OperationWait> now = open.get();
        return now.size() == 1 ? now.getFirst().peer() : -1;
    }

    @Override
    public void name(VirtualTime.Wishes to) {
        open.get().forEach(operation -> operation.name(to));
    }

    @Override
    public void suspect() {
        open.get().forEach(OperationWait::suspect);
    }
}
