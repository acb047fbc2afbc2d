package io.rankwire.runtime;

import io.rankwire.device.Device;
import io.rankwire.device.Lent;
import io.rankwire.device.Operation;
import io.rankwire.launch.Board;
import io.rankwire.launch.FailureLog;
import io.rankwire.runtime.collective.Mismatch;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of a world, in two parts that {@link Session} calls. {@link #flush} sends the messages that are still queued
 * and reports requests that the program has not awaited. It does not wait for other ranks to close, since it may run
 * while an exception leaves the program. After a successful program {@link #drain} waits for the other ranks to close,
 * and reports the messages that no call has received.
 */
final class WorldShutdown {
    private static final int MOST_LINES = 10;
    private static final long FIRST_PAUSE_NS = 50_000;
    private static final long LONGEST_PAUSE_NS = 5_000_000;

    private WorldShutdown() {}

    /** Sends queued messages and reports requests that were not awaited. */
    static void flush(Session session) {
        Host host = session.host();
        host.lock();
        try {
            host.await(host.device::flushed, () -> "close, with messages that still wait for room at their receiver");
            host.actions.handlers().forEach(each -> reportUnreceived(session, each.endHeld()));
            reportForgotten(session);
            endLent(session);
            host.losses.check("close");
        } finally {
            host.unlock();
        }
    }

    /**
     * Drives the device until all other ranks have closed this world or left the job, reports the messages that were
     * not received, and closes the device.
     *
     * @param number how many worlds each rank had closed before this one
     */
    static void drain(Session session, Board board, int number) {
        Host host = session.host();
        long pause = FIRST_PAUSE_NS;
        boolean over = false;
        board.enter(Thread.currentThread());
        try {
            while (!over && (session.isSimulated() || !allClosed(board, number)) && !board.aborted()) {
                host.lockedAtEnd(() -> {
                    host.progressAll();
                    host.losses.check("close");
                    host.device.rest();
                });
                over = host.restAtEnd(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE_NS);
            }
        } finally {
            board.leave(Thread.currentThread());
        }
        host.lockedAtEnd(() -> {
            while (host.progressAll() != 0) {
                host.device.rest();
            }
        });
        if (!board.aborted() && !host.losses.hasLost() && !session.gaveUpCalls()) {
            session.contexts().live().forEach(Mismatch::lookAtEnd);
        }
        for (int context : host.device.contexts()) {
            if (context >= 0) {
                reportUnreceived(session, context);
            }
        }
        board.showCounters(session.worldRank(), session.open());
        host.lockedAtEnd(host::shut);
    }

    private static boolean allClosed(Board board, int number) {
        FailureLog dead = board.failures();
        for (int rank = 0; rank < board.size(); rank++) {
            if (board.closedWorlds(rank) <= number && board.state(rank) != Board.State.LEFT
                    && !board.isIdle(rank) && !dead.isDead(rank)) {
                return false;
            }
        }
        return true;
    }

    /** Reports the messages of a context that no call has received. */
    static void reportUnreceived(Session session, int context) {
        List<String> lines = new ArrayList<>();
        if (!isInterruptedWindow(session, context)) {
            session.host().lockedAtEnd(() -> lines.addAll(session.open().unexpected(context)));
        }
        reportUnreceived(session, lines);
    }

    private static void reportUnreceived(Session session, List<String> lines) {
        report(session, lines.size() == 1 ? "message was sent here and never received"
                : "messages were sent here and never received", lines);
    }

    private static void reportForgotten(Session session) {
        List<String> lines = new ArrayList<>();
        Device device = session.host().device;
        device.forEachOperation(operation -> {
            if (!operation.isHeldByDevice() && !operation.isKeptOutOfReports() && isOfProgram(session, operation)) {
                lines.add(session.open().describe(operation));
            }
        });
        report(session, lines.size() == 1 ? "request was started and never awaited"
                : "requests were started and never awaited", lines);
    }

    /** Reports and ends the views of messages that the program has not released. */
    private static void endLent(Session session) {
        List<String> lines = new ArrayList<>();
        for (Lent lent : session.host().device.probes().lent()) {
            lines.add(session.open().describe(lent.message()));
            try {
                lent.end().close();
            } catch (WrongThreadException e) {
                // Its thread can go on reading: the memory is not used again.
                continue;
            }
            session.host().device.probes().giveBack(lent);
        }
        report(session, lines.size() == 1 ? "message was lent by view and never released"
                : "messages were lent by view and never released", lines);
    }

    /** Whether calls of a window have ended with a death or a revocation: what is left of them is no mistake. */
    private static boolean isInterruptedWindow(Session session, int context) {
        Endpoint on = session.contexts().of(context);
        return on != null && on.isOfWindow() && on.members().isInterrupted();
    }

    /** Whether an operation is a request of the program: not a message of a collective call, nor a blocking call. */
    private static boolean isOfProgram(Session session, Operation operation) {
        if (operation.context() >= 0) {
            return !isInterruptedWindow(session, operation.context());
        }
        return operation.peer() == Endpoint.NONE
                && !(session.contexts().of(operation.context()) instanceof Endpoint on
                        && on.collectives().isBlocking(operation.tag()));
    }

    private static void report(Session session, String what, List<String> lines) {
        if (lines.isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder("rankwire: rank ")
                .append(session.worldRank()).append(": ").append(lines.size()).append(' ').append(what);
        for (int i = 0; i < Math.min(lines.size(), MOST_LINES); i++) {
            text.append("\n  ").append(lines.get(i));
        }
        if (lines.size() > MOST_LINES) {
            text.append("\n  and ").append(lines.size() - MOST_LINES).append(" more");
        }
        System.err.println(text);
    }
}
