package io.rankwire.tools;

import java.io.File;

/**
 * When, where and how undisturbed costs were measured. Costs that were measured while the machine was busy, or on
 * another processor or by another JDK, are measured again at a later start. The launcher reads this at every start, so
 * strings are joined without {@code +} there.
 *
 * @param state whether other work disturbed the measurement
 * @param measuredMs when, in milliseconds of the epoch
 * @param otherMilli thousandths of a processor that other work took meanwhile, time stolen from a virtual machine
 *     included; negative where the system does not say
 * @param spreadPercent the median of the turns against the quick ones, 100 when they are alike
 * @param triedMs when it was last tried
 * @param tries how often in a row it was tried without an undisturbed result
 * @param machine processors and JDK
 */
record CostConditions(State state, long measuredMs, long otherMilli, long spreadPercent, long triedMs, int tries,
        String machine) {
    private static final long FIRST_WAIT_MS = 600_000;
    private static final int MOST_DOUBLINGS = 8;
    private static final long BUSY_SPREAD_PERCENT = 200;
    private static final int LINES = 4;
    private static final String STATE = "state ";
    private static final String MEASURED = "measured ";
    private static final String TRIED = "tried ";
    private static final String MACHINE = "machine ";

    /** How a measurement went. */
    enum State {
        CALM, BUSY,
        /** The machine was too busy to measure anything: the costs are estimates. */
        FAILED
    }

    /**
     * Of a measurement that ends now.
     *
     * @param before of the one before it on this machine, or null
     */
    static CostConditions now(long otherMilli, long spreadPercent, CostConditions before) {
        long now = System.currentTimeMillis();
        long most = Runtime.getRuntime().availableProcessors() * 1000L / 8;
        boolean busy = otherMilli > most || spreadPercent > BUSY_SPREAD_PERCENT;
        return new CostConditions(busy ? State.BUSY : State.CALM, now, otherMilli, spreadPercent, now,
                busy ? triesAfter(before) : 0, thisMachine());
    }

    /** After a try that measured nothing; costs that there were stay, and what is said of them. */
    static CostConditions failed(CostConditions before) {
        long now = System.currentTimeMillis();
        return before == null
                ? new CostConditions(State.FAILED, now, -1, 0, now, 1, thisMachine())
                : before.triedNow();
    }

    CostConditions triedNow() {
        return new CostConditions(state, measuredMs, otherMilli, spreadPercent, System.currentTimeMillis(),
                triesAfter(this), machine);
    }

    private static int triesAfter(CostConditions before) {
        return before == null ? 1 : Math.min(before.tries + 1, MOST_DOUBLINGS + 1);
    }

    /** Whether they are not good enough to be kept for ever. */
    boolean areToBeMeasuredAgain() {
        return state != State.CALM || !machine.equals(thisMachine());
    }

    /** The next try is not before this; the waits double, so that a machine that is never calm loses no time. */
    long nextTryMs() {
        return tries == 0 ? triedMs : triedMs + (FIRST_WAIT_MS << tries - 1);
    }

    /** How much work there may be on the machine when costs are measured again. */
    static double calmLoad() {
        return Runtime.getRuntime().availableProcessors() / 4.0;
    }

    static String thisMachine() {
        String info = MeasuredCosts.content(new File("/proc/cpuinfo"));
        int name = info == null ? -1 : info.indexOf("model name");
        int from = name < 0 ? -1 : info.indexOf(':', name);
        int to = from < 0 ? -1 : info.indexOf('\n', from);
        String model = to < 0 ? System.getProperty("os.arch") : info.substring(from + 1, to).strip();
        return String.join("", Integer.toString(Runtime.getRuntime().availableProcessors()), " x ", model, ", Java ",
                System.getProperty("java.runtime.version"));
    }

    String text() {
        return STATE + state + "\n" + MEASURED + measuredMs + " " + otherMilli + " " + spreadPercent + "\n"
                + TRIED + triedMs + " " + tries + "\n" + MACHINE + machine + "\n";
    }

    /** What {@link #text} wrote; null when it is damaged. */
    static CostConditions parse(String text) {
        String[] lines = text.split("\n", -1);
        if (lines.length != LINES + 1 || !lines[LINES].isEmpty() || !lines[0].startsWith(STATE)
                || !lines[1].startsWith(MEASURED) || !lines[2].startsWith(TRIED) || !lines[3].startsWith(MACHINE)) {
            return null;
        }
        String[] measured = lines[1].split(" ");
        String[] tried = lines[2].split(" ");
        if (measured.length != 4 || tried.length != 3) {
            return null;
        }
        try {
            int tries = Integer.parseInt(tried[2]);
            return tries < 0 || tries > MOST_DOUBLINGS + 1 ? null
                    : new CostConditions(State.valueOf(lines[0].substring(STATE.length())),
                            Long.parseLong(measured[1]), Long.parseLong(measured[2]), Long.parseLong(measured[3]),
                            Long.parseLong(tried[1]), tries, lines[3].substring(MACHINE.length()));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
