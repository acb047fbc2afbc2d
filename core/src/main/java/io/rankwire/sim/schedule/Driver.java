package io.rankwire.sim.schedule;

import io.rankwire.sim.Picoseconds;

/**
 * Who takes a rank from step to step.
 *
 * @param device the device, from the host's start to the completion that the host sees; else the host, for each message
 * @param entryPs what a work entry takes of the device
 * @param combinePsPerKib what combining, or copying, 1,024 bytes takes of either
 */
public record Driver(boolean device, long entryPs, long combinePsPerKib) {
    /** 100 ns an entry. */
    public static final Driver DEVICE = new Driver(true, 100_000, 102_400);
    public static final Driver HOST = new Driver(false, 0, 102_400);

    @Override
    public String toString() {
        return (device ? "driven by devices, " + Picoseconds.text(entryPs) + " an entry" : "driven by hosts") + ", "
                + Picoseconds.text(combinePsPerKib) + "/KiB combined";
    }
}
