package io.rankwire.runtime;

import io.rankwire.device.Device;
import io.rankwire.device.Unexpected;
import io.rankwire.launch.Board;
import java.util.function.Supplier;

/**
 * The waits of one rank that have lasted so long that the board shows them, for the proof of a deadlock. Used by the
 * threads that wait, which have the lock on the device.
 */
public final class BlockedWaits {
    /** Messages without a receive that a report names, and counts. */
    private static final int MOST_NAMED = 3;
    private static final int MOST_COUNTED = 1000;

    private final Device device;
    private final Board board;
    private final int rank;
    /** Gives the last collective calls of this rank, for reports of others. */
    private Supplier<String> shown = () -> "";
    private int waits;
    /** Waits that have not polled in this round, and the number of the round. */
    private int toPoll;
    private long round;

    public BlockedWaits(Device device, Board board, int rank) {
        this.device = device;
        this.board = board;
        this.rank = rank;
    }

    public void show(Supplier<String> calls) {
        shown = calls;
    }

    /**
     * The calling thread waits in a blocking call until {@link #end}.
     *
     * @param peer the world rank that could end the wait, or -1
     */
    public void begin(int peer, String what) {
        board.enter(Thread.currentThread());
        newRound(waits + 1);
        if (waits == 1) {
            board.block(rank, peer, what + unreceived() + "\n" + shown.get());
        } else {
            board.stir(rank);
        }
    }

    public void end() {
        board.leave(Thread.currentThread());
        newRound(waits - 1);
        if (waits == 0) {
            board.unblock(rank);
        } else {
            board.stir(rank);
        }
    }

    /**
     * The calling thread has polled everything and found nothing. When each waiting thread has, the rank has.
     *
     * @param last the round that this wait has polled in before, or -1
     * @return the round that it has polled in now
     */
    public long polled(long last) {
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

    /** Names messages that wait for a receive: their tag or source may be the mistake. */
    private String unreceived() {
        StringBuilder text = new StringBuilder();
        int count = 0;
        for (int context : device.contexts()) {
            // Contexts below zero are the library's own.
            int entry = context < 0 ? -1 : device.firstUnexpected(context);
            for (; entry >= 0 && count < MOST_COUNTED; entry = device.nextUnexpected(context, entry)) {
                if (++count <= MOST_NAMED) {
                    Unexpected message = device.look(context, entry);
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
