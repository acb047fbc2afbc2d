package io.rankwire.sim;

import io.rankwire.device.DeviceConfig.Truncation;

/**
 * What a modelled device does with messages that do not fit.
 *
 * @param spillBytes payload of messages without a receive that lies in the device; what comes beyond lies in host
 *     memory, and costs a second copy when it meets its receive
 * @param truncation what happens to a message larger than its receive
 * @param retries how often a message is sent again that was refused for want of room
 */
public record DevicePolicies(long spillBytes, Truncation truncation, int retries) {
    /** As real devices are made. */
    public static final DevicePolicies DEFAULT = new DevicePolicies(512 << 10, Truncation.DELIVER, 1000);

    public DevicePolicies {
        if (spillBytes < 0 || retries < 0) {
            throw new IllegalArgumentException("device: memory for payload from 0 bytes, retries from 0: "
                    + spillBytes + ", " + retries);
        }
    }
}
