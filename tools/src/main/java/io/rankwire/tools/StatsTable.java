package io.rankwire.tools;

import io.rankwire.device.Counter;
import io.rankwire.launch.Board;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** What the ranks of a job have counted: a column for each of a few ranks, or the spread over many. */
final class StatsTable {
    /** The most ranks that get a column each. */
    private static final int MOST_COLUMNS = 8;
    private static final String NOTHING = "-";

    /** The numbers of each rank; null for one that has shown none. */
    private long[][] ranks;

    StatsTable(int size) {
        ranks = new long[size][];
    }

    static StatsTable of(Board board) {
        StatsTable table = new StatsTable(board.size());
        for (int rank = 0; rank < board.size(); rank++) {
            table.put(rank, board.counters(rank));
        }
        return table;
    }

    /** Numbers that are all zero are those of a rank that never joined, and are not shown. */
    void put(int rank, long[] counters) {
        ranks = rank < ranks.length ? ranks : Arrays.copyOf(ranks, rank + 1);
        ranks[rank] = Arrays.stream(counters).anyMatch(value -> value != 0) ? counters : null;
    }

    /** The numbers as text, for {@link #put(int, String)} elsewhere. */
    static String text(long[] counters) {
        StringBuilder text = new StringBuilder();
        for (long each : counters) {
            text.append(each).append(' ');
        }
        return text.toString();
    }

    void put(int rank, String text) {
        long[] counters = Arrays.stream(text.strip().split(" ")).filter(word -> !word.isEmpty())
                .mapToLong(Long::parseLong).toArray();
        put(rank, Arrays.copyOf(counters, Counter.COUNT));
    }

    @Override
    public String toString() {
        long known = Arrays.stream(ranks).filter(Objects::nonNull).count();
        List<List<String>> rows = new ArrayList<>();
        boolean wide = ranks.length > MOST_COLUMNS;
        rows.add(heading(wide));
        for (Counter counter : Counter.LIST) {
            long[] values = Arrays.stream(ranks).filter(Objects::nonNull)
                    .mapToLong(each -> each[counter.ordinal()]).toArray();
            if (Arrays.stream(values).anyMatch(value -> value != 0)) {
                rows.add(wide ? spread(counter, values) : columns(counter, values));
            }
        }
        return "counters of " + ranks.length + (ranks.length == 1 ? " rank" : " ranks")
                + (known == ranks.length ? "" : ", " + (ranks.length - known) + " of which have shown none")
                + "\n" + aligned(rows);
    }

    private List<String> heading(boolean wide) {
        List<String> row = new ArrayList<>(List.of(""));
        if (wide) {
            row.addAll(List.of("least", "mean", "most", "of rank"));
        } else {
            for (int rank = 0; rank < ranks.length; rank++) {
                row.add("rank " + rank);
            }
        }
        row.add("all");
        return row;
    }

    private List<String> columns(Counter counter, long[] values) {
        List<String> row = new ArrayList<>(List.of(counter.key()));
        for (long[] each : ranks) {
            row.add(each == null ? NOTHING : number(each[counter.ordinal()]));
        }
        row.add(number(all(counter, values)));
        return row;
    }

    private List<String> spread(Counter counter, long[] values) {
        long most = Arrays.stream(values).max().orElse(0);
        int of = 0;
        while (ranks[of] == null || ranks[of][counter.ordinal()] != most) {
            of++;
        }
        return List.of(counter.key(), number(Arrays.stream(values).min().orElse(0)),
                number(Math.round(Arrays.stream(values).average().orElse(0))), number(most), "" + of,
                number(all(counter, values)));
    }

    /** The sum, or of highest values the highest. */
    private static long all(Counter counter, long[] values) {
        return counter.kind() == Counter.Kind.MOST ? Arrays.stream(values).max().orElse(0)
                : Arrays.stream(values).sum();
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String aligned(List<List<String>> rows) {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            text.append("  ").append(row.getFirst()).repeat(' ', widths[0] - row.getFirst().length());
            for (int i = 1; i < widths.length; i++) {
                text.append("  ").repeat(' ', widths[i] - row.get(i).length()).append(row.get(i));
            }
            text.append('\n');
        }
        return text.toString();
    }
}
