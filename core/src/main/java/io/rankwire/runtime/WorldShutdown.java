package io.rankwire.runtime;

import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.device.Unexpected;
import io.rankwire.launch.Board;
import io.rankwire.runtime.collective.CallLog;
import io.rankwire.runtime.collective.Mismatch;
import io.rankwire.type.ElementType;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of a world, in two parts. Closing sends what still waits to be sent and reports requests nobody awaited; it
 * does not wait for other ranks, since it may run while an exception is on its way out of the program. When the program
 * has ended well, the rank waits for the others to close too, so that it can say which messages nobody received.
 */
public final class WorldShutdown {
    private static final int MOST_LINES = 10;
    private static final long FIRST_PAUSE_NS = 50_000;
    private static final long LONGEST_PAUSE_NS = 5_000_000;

    private WorldShutdown() {}

    public static void flush(Session world) {
        Host host = world.host();
        host.lock();
        try {
            host.await(host.device::flushed, new Host.Waiting() {
                @Override
                public String describe() {
                    return "close, with messages that still wait for room at their receiver";
                }

                @Override
                public int peer() {
                    return -1;
                }
            });
            reportForgotten(world);
            host.checkLost("close");
        } finally {
            host.unlock();
        }
    }

    /** All other ranks have closed or left: what is here now is all there will ever be. */
    public static void drain(Session world, Board board, int number) {
        Host host = world.host();
        long pause = FIRST_PAUSE_NS;
        boolean over = false;
        board.enter(Thread.currentThread());
        try {
            while (!over && (host.isVirtual() || !allClosed(board, number)) && !board.aborted()) {
                host.lockAtEnd();
                try {
                    host.progressAll();
                    host.checkLost("close");
                    host.device.rest();
                } finally {
                    host.unlock();
                }
                over = host.restAtEnd(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE_NS);
            }
        } finally {
            board.leave(Thread.currentThread());
        }
        host.lockAtEnd();
        try {
            while (host.progressAll() != 0) {
                host.device.rest();
            }
        } finally {
            host.unlock();
        }
        if (!board.aborted() && !host.hasLost() && !world.gaveUpCalls()) {
            world.contexts().live().forEach(Mismatch::lookAtEnd);
        }
        for (int context : host.device.contexts()) {
            if (context >= 0) {
                reportUnreceived(world, context);
            }
        }
        host.lockAtEnd();
        try {
            host.shut();
        } finally {
            host.unlock();
        }
    }

    private static boolean allClosed(Board board, int number) {
        for (int rank = 0; rank < board.size(); rank++) {
            if (board.closedWorlds(rank) <= number && board.state(rank) != Board.State.LEFT) {
                return false;
            }
        }
        return true;
    }

    public static void reportUnreceived(Session world, int context) {
        Device device = world.host().device;
        List<String> lines = new ArrayList<>();
        world.host().lockAtEnd();
        try {
            for (int e = device.firstUnexpected(context); e >= 0; e = device.nextUnexpected(context, e)) {
                Unexpected message = device.look(context, e);
                Endpoint on = world.contexts().of(context);
                String ofWindow = on == null ? null : on.unheard(message.tag());
                lines.add(ofWindow != null ? ofWindow + "rank " + on.rankOf(message.source()) + ", on " + on.name()
                        : "from rank " + message.source() + ", tag " + message.tag() + ", " + message.bytes()
                                + " bytes of " + ElementType.of(message.elementType()) + ", on "
                                + name(world, context));
            }
        } finally {
            world.host().unlock();
        }
        report(world, lines.size() == 1 ? "message was sent here and never received"
                : "messages were sent here and never received", lines);
    }

    private static void reportForgotten(Session world) {
        List<String> lines = new ArrayList<>();
        Device device = world.host().device;
        device.forEachOperation(operation -> {
            if (!device.heldByDevice(operation) && !operation.isKeptOutOfReports() && isOfProgram(world, operation)) {
                lines.add(describe(world, operation));
            }
        });
        report(world, lines.size() == 1 ? "request was started and never awaited"
                : "requests were started and never awaited", lines);
    }

    /** The messages of a collective call are not the program's requests, and neither is a call that it waited in. */
    private static boolean isOfProgram(Session world, Operation operation) {
        if (operation.context() >= 0) {
            return true;
        }
        return operation.peer() == Endpoint.NONE
                && !(world.contexts().of(operation.context()) instanceof Endpoint on
                        && on.collectives().isBlocking(operation.tag()));
    }

    private static String describe(Session world, Operation operation) {
        Endpoint on = world.contexts().of(operation.context());
        if (operation.peer() == Endpoint.NONE && on != null) {
            boolean isCall = (operation.tag() & CallLog.TAG_MARK) != 0;
            return on.collectives().nameOf(operation.tag(),
                    isCall ? "i" + CallLog.kindOf(operation.tag()) : "work program") + ", on " + on.name();
        }
        String call = call(operation);
        return on == null ? call : OperationWait.about(operation, call, on);
    }

    private static String call(Operation operation) {
        if (operation.isReceive()) {
            return "irecv";
        }
        return operation.mode() == Operation.Mode.SYNCHRONOUS ? "issend" : "isend";
    }

    private static String name(Session world, int context) {
        Endpoint on = world.contexts().of(context);
        return on == null ? "a communicator this rank never made" : on.name();
    }

    private static void report(Session world, String what, List<String> lines) {
        if (lines.isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder("rankwire: rank ")
                .append(world.worldRank()).append(": ").append(lines.size()).append(' ').append(what);
        for (int i = 0; i < Math.min(lines.size(), MOST_LINES); i++) {
            text.append("\n  ").append(lines.get(i));
        }
        if (lines.size() > MOST_LINES) {
            text.append("\n  and ").append(lines.size() - MOST_LINES).append(" more");
        }
        System.err.println(text);
    }
}
