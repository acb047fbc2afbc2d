package io.rankwire.device;

import io.rankwire.device.match.MatchWatch;

/**
 * Hardware that is only modelled: the sizes that a device has on it, and what the device's work costs there. Whoever
 * makes a device hands it in; in the real world it is null.
 */
public interface Hardware {
    /** The configuration of a device on this hardware that was asked for with {@code config}. */
    DeviceConfig sized(DeviceConfig config);

    /** Called once by each new device. Returns what observes its matching, or null if matching costs nothing. */
    MatchWatch watch();

    /** Charges for a device that has combined {@code bytes} bytes with as many others. */
    void combined(long bytes);
}
