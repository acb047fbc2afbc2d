package io.rankwire.launch;

/**
 * What happens to a job that makes no progress and may be deadlocked.
 *
 * @param limitNs how long it may last before it is reported; 0 for ever
 * @param ends whether the job is ended then
 */
public record StallRule(long limitNs, boolean ends) {
    /** Seconds after which a world embedded in a program, or a world of one, reports a stall; 0 for never. */
    public static final String LIMIT_PROPERTY = "rankwire.stall";
    /** {@code report} or {@code end}, for the same worlds. */
    public static final String ACTION_PROPERTY = "rankwire.onStall";
    public static final double DEFAULT_SECONDS = 10;

    private static final String REPORT = "report";
    private static final String END = "end";

    /** The rule for a limit in seconds and an action as users write them. */
    public static StallRule of(double seconds, boolean ends) {
        return new StallRule((long) (seconds * 1e9), ends);
    }

    /**
     * Whether an action as users write it ends the job.
     *
     * @throws IllegalArgumentException when it is no action
     */
    public static boolean ends(String action) {
        return switch (action) {
            case REPORT -> false;
            case END -> true;
            default -> throw new IllegalArgumentException("needs " + REPORT + " or " + END + ", not " + action);
        };
    }

    /** A number of seconds from 0 on. */
    public static double seconds(String text) {
        double seconds;
        try {
            seconds = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            seconds = -1;
        }
        if (!(seconds >= 0 && seconds <= 1e9)) {
            throw new IllegalArgumentException("needs a number of seconds, 0 for never, not " + text);
        }
        return seconds;
    }

    /** As the system properties say, for worlds without a launcher. */
    static StallRule ofProperties() {
        String limit = System.getProperty(LIMIT_PROPERTY);
        String action = System.getProperty(ACTION_PROPERTY);
        try {
            return of(limit == null ? DEFAULT_SECONDS : seconds(limit), action != null && ends(action));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("property " + LIMIT_PROPERTY + " or " + ACTION_PROPERTY + ": "
                    + e.getMessage(), e);
        }
    }
}
