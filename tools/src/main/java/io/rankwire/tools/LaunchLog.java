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
    /** Of each rank, which of its steps have been said: process, joined, closed, ended, dead. */
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
            boolean isClosed = board.closedWorlds(rank) > 0;
            int status = processes.status(rank);
            // A rank may have gone through several of them since.
            say(rank, 1, board.pid(rank) != 0, "runs its program, in process ", board.pid(rank));
            say(rank, 2, isClosed || board.stillOpen(rank), "has joined the world", -1);
            say(rank, 4, isClosed && !board.stillOpen(rank), "has closed its world", -1);
            say(rank, 8, status >= 0, "has ended with status ", status);
            say(rank, 16, board.failures().isDead(rank), "was declared dead", -1);
        }
    }

    private void say(int rank, int step, boolean isDone, String what, long number) {
        if (isDone && (seen[rank] & step) == 0) {
            seen[rank] |= step;
            say("rank " + rank + " " + what + (number < 0 ? "" : number));
        }
    }
}
