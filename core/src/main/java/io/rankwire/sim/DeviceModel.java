package io.rankwire.sim;

/**
 * What a modelled interface device costs and holds (H13, D1).
 *
 * @param requestPs work of a requester thread for a frame it sends
 * @param requesters frames that are being made ready at once
 * @param respondPs work of a responder thread for a frame that has come
 * @param responders frames that are being taken in at once
 * @param copyPsPerKib what moving 1,024 bytes between host memory and the device takes
 * @param injectionBytes payload that may wait to leave, of all peers together
 * @param maxPayload largest payload of a frame
 * @param offload whether the device goes on by itself while its host computes; otherwise the host drives it
 */
public record DeviceModel(long requestPs, int requesters, long respondPs, int responders, long copyPsPerKib,
        int injectionBytes, int maxPayload, boolean offload) {
    public DeviceModel {
        if (requestPs < 0 || respondPs < 0 || copyPsPerKib < 0 || requesters < 1 || responders < 1
                || maxPayload < 256 || injectionBytes < 2 * maxPayload) {
            throw new IllegalArgumentException("device: threads from 1, costs from 0, frames from 256 bytes, and"
                    + " room for two of them to wait: " + requesters + ", " + responders + ", " + requestPs + ", "
                    + respondPs + ", " + copyPsPerKib + ", " + maxPayload + ", " + injectionBytes);
        }
    }

    /** The sizes of the source documents: 64 requesters, 32 responders. */
    public static final DeviceModel DEFAULT =
            new DeviceModel(50_000, 64, 50_000, 32, 51_200, 1 << 18, 4096, true);
}
