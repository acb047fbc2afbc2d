package io.rankwire.sim.program;

/**
 * How long the launcher of a simulated job takes, and the operating systems that it works with.
 *
 * @param noticePs from the death of a rank to its declaration
 * @param latestPs from the death of a rank until the last of the others knows of it
 * @param answerPs to answer a request for new ranks
 * @param startPs to start a process
 */
public record LauncherModel(long noticePs, long latestPs, long answerPs, long startPs) {
    /** As measured on real hosts. */
    public static final LauncherModel DEFAULT =
            new LauncherModel(13_000_000_000L, 50_000_000_000L, 5_000_000_000L, 250_000_000_000L);

    public LauncherModel {
        if (noticePs < 1 || latestPs < noticePs || answerPs < 1 || startPs < 1) {
            throw new IllegalArgumentException("launcher: times from 1 ps, and deaths are declared before all have"
                    + " heard of them: notice " + noticePs + " ps to " + latestPs + " ps, answer " + answerPs
                    + " ps, start " + startPs + " ps");
        }
    }

    LauncherModel with(String key, String value) {
        return switch (key) {
            case "launcher.notice" -> {
                String[] both = value.split(" to ");
                if (both.length != 2) {
                    throw new IllegalArgumentException(key + ": " + value + " is not like \"13 ms to 50 ms\"");
                }
                yield new LauncherModel(Units.ps(both[0].strip()), Units.ps(both[1].strip()), answerPs, startPs);
            }
            case "launcher.answer" -> new LauncherModel(noticePs, latestPs, Units.ps(value), startPs);
            case "launcher.start" -> new LauncherModel(noticePs, latestPs, answerPs, Units.ps(value));
            default -> throw Settings.unknown(key);
        };
    }

    String text() {
        return "\nlauncher.notice = " + Units.time(noticePs) + " to " + Units.time(latestPs)
                + "\nlauncher.answer = " + Units.time(answerPs)
                + "\nlauncher.start = " + Units.time(startPs) + "\n";
    }
}
