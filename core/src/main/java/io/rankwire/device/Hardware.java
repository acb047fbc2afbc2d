package io.rankwire.device;

import io.rankwire.device.match.MatchWatch;

/** What a port says of the device behind it, where that is only modelled: how large it is, and what its work costs. */
public interface Hardware {
    /** The sizes that a device made with these would have there. */
    DeviceConfig sized(DeviceConfig config);

    /** Asked by each new device; null if nobody wants to hear of its matching. */
    MatchWatch watch();

    /** The device has combined so many bytes with as many others. */
    void combined(long bytes);
}
