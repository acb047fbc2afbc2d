package io.rankwire.tools;

import io.rankwire.launch.Board;
import io.rankwire.launch.RankProcesses;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** What the launcher does, with the time since its JVM started: {@code run --verbose}. */
final class LaunchLog {
    private static final String NEEDS_QUOTES = "[^A-Za-z0-9_@%+=:,./-]";

    private final Consumer<String> to;
    private final long startMs = ProcessHandle.current().info().startInstant().map(at -> at.toEpochMilli())
            .orElse(System.currentTimeMillis());
    /** Of each rank, how far it has come: process, joined, closed, ended. */
    private final int[] seen;

    /** @param to where lines go */
    LaunchLog(int ranks, Consumer<String> to) {
        this.to = to;
        this.seen = new int[ranks];
    }

    synchronized void say(String what) {
        to.accept(String.format(Locale.ROOT, "%7.3f s  %s", (System.currentTimeMillis() - startMs) / 1e3, what));
    }

    /** A command as it can be typed into a shell. */
    static String line(List<String> command) {
        StringBuilder text = new StringBuilder();
        for (String each : command) {
            boolean isPlain = !each.isEmpty() && each.replaceAll(NEEDS_QUOTES, "").length() == each.length();
            text.append(text.isEmpty() ? "" : " ")
                    .append(isPlain ? each : "'" + each.replace("'", "'\\''") + "'");
        }
        return text.toString();
    }

    /** Says what has changed since the last time. */
    void look(Board board, RankProcesses processes) {
        for (int rank = 0; rank < seen.length; rank++) {
            Board.State state = board.state(rank);
            int now = processes.status(rank) >= 0 ? 5 : state == Board.State.LEFT ? 4
                    : state == Board.State.CLOSED ? 3 : state != Board.State.ABSENT ? 2 : board.pid(rank) != 0 ? 1 : 0;
            if (now > seen[rank]) {
                seen[rank] = now;
                say("rank " + rank + " " + switch (now) {
                    case 1 -> "runs its program, in process " + board.pid(rank);
                    case 2 -> "has joined the world";
                    case 3 -> "has closed its world";
                    case 4 -> "leaves";
                    default -> "has ended with status " + processes.status(rank);
                });
            }
        }
    }
}
