package io.rankwire.device;

import io.rankwire.device.match.MatchWatch;

/**
 * Modelled hardware: the sizes of a device on it, and the cost of the device's work. The code that creates a device
 * passes its hardware, which is null in a real run.
 */
public interface Hardware {
    /** The configuration of a device on this hardware that was asked for with {@code config}. */
    DeviceConfig sized(DeviceConfig config);

    /** Called once by each new device. Returns what observes its matching, or null if matching costs nothing. */
    MatchWatch watch();

    /**
     * Whether software of the host makes a put of a large message now, which is charged for then: the host is inside a
     * call, and the bytes that it has handed over before have left. Otherwise the device gets a turn when that is so.
     */
    boolean makesPut();

    /** Charges for a device that has combined {@code bytes} bytes with as many others. */
    void combined(long bytes);
}
