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

    /**
     * Whether software of the host makes a put of a large message now, which is charged for then: the host is inside a
     * call, and the bytes that it has handed over before have left. Otherwise the device gets a turn when that is so.
     */
    boolean makesPut();

    /** The bytes of payload that were handed over and have not left. */
    long unsentBytes();

    /** The host's processor copies {@code bytes} bytes: it is busy with that from when it is free. */
    void hostCopies(long bytes);

    /** Whether the processor is done with that. Otherwise the device gets a turn when it is. */
    boolean hostIsFree();

    /** Whether the host is inside a call, so that its processor can copy for the device. */
    boolean hostIsInside();

    /** Gives the device of another rank of the node a turn, which sees what this rank has written. */
    void wake(int rank);

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
