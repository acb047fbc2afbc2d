package io.rankwire.sim.schedule;

import io.rankwire.sim.Noise;
import io.rankwire.sim.Picoseconds;

/**
 * All that decides how long a pattern takes beside the way its messages take.
 *
 * @param ports ways in and out of a rank that are used at the same time, each message by all of them
 */
public record Setting(LogGops costs, Driver driver, Noise noise, Load load, int ports) {
    public Setting {
        if (ports < 1) {
            throw new IllegalArgumentException(ports + " ports");
        }
    }

    /** How long a message keeps the ports after its first byte. */
    long streamPs(long bytes) {
        return costs.streamPs((bytes + ports - 1) / ports);
    }

    public static Setting of(LogGops costs, Driver driver) {
        return new Setting(costs, driver, Noise.NONE, Load.ONCE, 1);
    }

    public Setting with(Noise other) {
        return new Setting(costs, driver, other, load, ports);
    }

    public Setting with(Load other) {
        return new Setting(costs, driver, noise, other, ports);
    }

    public Setting withPorts(int other) {
        return new Setting(costs, driver, noise, load, other);
    }

    @Override
    public String toString() {
        return costs + "; " + driver + "; " + noise + "; calls " + load.calls() + ", computing "
                + Picoseconds.text(load.computePs()) + (load.overlap() ? " meanwhile" : " in between")
                + (ports == 1 ? "" : "; ports " + ports);
    }
}
