package io.rankwire.runtime;

import io.rankwire.device.Device;
import io.rankwire.device.Unexpected;
import io.rankwire.launch.Board;
import java.util.function.Supplier;

/**
 * The long waits of one rank, which the board shows for the proof of a deadlock. {@link Host} calls it on the threads
 * that wait, with the lock on the device.
 */
final class BlockedWaits {
    /** How many messages without a receive a report names. */
    private static final int MOST_NAMED = 3;
    /** How many of them it counts. */
    private static final int MOST_COUNTED = 1000;

    private final Device device;
    private final Board board;
    private final int rank;
    /** Returns the last collective calls of this rank, for reports of other ranks. */
    private Supplier<String> lastCalls = () -> "";
    /** Threads that wait. */
    private int waits;
    /** Waiting threads that have not polled in this round. */
    private int toPoll;
    /** The number of the round; a round ends when every waiting thread has polled and found nothing. */
    private long round;

    BlockedWaits(Device device, Board board, int rank) {
        this.device = device;
        this.board = board;
        this.rank = rank;
    }

    /** Sets what the board shows of the collective calls of this rank while it waits. */
    void showCalls(Supplier<String> calls) {
        lastCalls = calls;
    }

    /**
     * Called when the calling thread has waited long; the wait lasts until {@link #end}.
     *
     * @param peer the world rank that could end the wait, or -1
     * @param what describes the call, its peer and the program's line
     */
    void begin(int peer, String what) {
        board.enter(Thread.currentThread());
        newRound(waits + 1);
        if (waits == 1) {
            board.block(rank, peer, what + unreceived() + "\n" + lastCalls.get());
        } else {
            board.stir(rank);
        }
    }

    void end() {
        board.leave(Thread.currentThread());
        newRound(waits - 1);
        if (waits == 0) {
            board.unblock(rank);
        } else {
            board.stir(rank);
        }
    }

    /**
     * Called when the calling thread has polled everything and found nothing. When every waiting thread has done so,
     * the board counts one vain poll of the rank.
     *
     * @param last the round of this thread's last call, or -1
     * @return the round of this call
     */
    long countPoll(long last) {
        long now = round;
        if (last != now && --toPoll == 0) {
            board.beat(rank);
            newRound(waits);
        }
        return now;
    }

    private void newRound(int count) {
        waits = count;
        toPoll = count;
        round++;
    }

    /** Names messages that no receive has matched: their tag or source may be the mistake. */
    private String unreceived() {
        StringBuilder text = new StringBuilder();
        int count = 0;
        for (int context : device.contexts()) {
            // Contexts below zero are the library's own.
            int entry = context < 0 ? -1 : device.probes().first(context);
            for (; entry >= 0 && count < MOST_COUNTED; entry = device.probes().next(context, entry)) {
                if (++count <= MOST_NAMED) {
                    Unexpected message = device.probes().look(context, entry);
                    text.append("; a message from rank ").append(message.source()).append(" with tag ")
                            .append(message.tag()).append(" is waiting");
                }
            }
        }
        if (count > MOST_NAMED) {
            text.append(", and ").append(count < MOST_COUNTED ? count - MOST_NAMED : "many").append(" more");
        }
        return text.toString();
    }
}
