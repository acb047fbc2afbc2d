package io.rankwire;

import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.Host;
import io.rankwire.runtime.OperationWait;
import io.rankwire.runtime.OperationsWait;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts down the bytes of messages that are under way, at the rank that sends them or at the one that receives them:
 * zero means that all are done. Several requests can share a counter. It shows how far a large message has come, and
 * lets a program begin its next message before the last bytes of others have gone.
 *
 * <pre>{@code
 * ByteCounter counter = new ByteCounter(world);
 * counter.add(all.isend(first, 1, 7));
 * counter.add(all.isend(second, 1, 8));
 * counter.await(1 << 20);                // until at most 1 MiB is left of both
 * }</pre>
 *
 * <p>A message that goes in parts is counted part by part, from either end of its buffer. A message that goes whole, and
 * one that is copied from one rank's memory to the other's directly, is counted when it is done. A receive that has not
 * met its message counts with the size of its buffer, and an empty message does not count. The requests still have to be awaited. Any thread may use a
 * counter at any time.
 */
public final class ByteCounter {
    private final Host host;
    private final int rank;
    private final List<Request> requests = new ArrayList<>();

    /**
     * Makes a counter without requests.
     *
     * @param world the world of the requests
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the world is null
     */
    public ByteCounter(World world) {
        if (world == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument world is null");
        }
        host = world.session().host();
        rank = world.session().worldRank();
    }

    /**
     * Adds a request that is under way or done: a send or a receive.
     *
     * @param request the request
     * @throws RankwireException of class {@link ErrorClass#REQUEST} if the request is null or belongs to another world
     */
    public void add(Request request) {
        if (request == null || request.on().host() != host) {
            throw new RankwireException(ErrorClass.REQUEST, "rank " + rank + ": argument request"
                    + (request == null ? " is null" : " belongs to another world: " + request) + CallSite.find());
        }
        host.lock();
        try {
            requests.add(request);
        } finally {
            host.unlock();
        }
    }

    /**
     * Returns how many bytes are left. This call also moves messages that are under way.
     *
     * @return 0 if all messages that were added are done
     */
    public long left() {
        host.lock();
        try {
            host.progress();
            return count();
        } catch (RuntimeException e) {
            throw host.translate(e, "left");
        } finally {
            host.unlock();
        }
    }

    /**
     * Waits until at most this number of bytes is left.
     *
     * @param most the bytes; 0 for none
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the number is below zero
     */
    public void await(long most) {
        if (most < 0) {
            throw new RankwireException(ErrorClass.ARGUMENT, "rank " + rank + ": argument most: " + most
                    + " is below zero" + CallSite.find());
        }
        host.lock();
        try {
            host.await(() -> count() <= most, new OperationsWait("await of a byte counter with", this::open));
        } catch (RuntimeException e) {
            throw host.translate(e, "await");
        } finally {
            host.unlock();
        }
    }

    private long count() {
        long left = 0;
        for (int i = requests.size() - 1; i >= 0; i--) {
            long bytes = requests.get(i).waiting().mapToLong(one -> one.operation().bytesLeft()).sum();
            left += bytes;
            if (bytes == 0) {
                requests.remove(i);
            }
        }
        return left;
    }

    private List<OperationWait> open() {
        return requests.stream().flatMap(Request::waiting).toList();
    }

    @Override
    public String toString() {
        return "byte counter of rank " + rank;
    }
}
