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

    /** Charges for a message that had come before its receive, of which {@code bytes} are copied to host memory now. */
    void copied(long bytes);

    /** Charges for a device that has combined {@code bytes} bytes with as many others. */
    void combined(long bytes);

    /**
     * Charges for a device that has carried out an entry of a work program.
     *
     * @param entry names the entry among all of the device
     */
    void entry(long entry);

    /** Returns the network for collectives that this hardware has, or null if it has none. */
    default CombiningNetwork tree() {
        return null;
    }
}
