package io.rankwire.sim;

import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.match.Split;
import io.rankwire.sim.match.MatcherConfig;

/**
 * What a modelled interface device costs and holds.
 *
 * @param requestPs work of a requester thread for a frame it sends
 * @param requesters threads; a frame that is sent keeps one until it is answered; {@link #UNLIMITED} if none waits
 * @param respondPs work of a responder thread for a frame that has come
 * @param responders threads; a frame that has come keeps one until its receive is known, or that it has none; {@link
 *     #UNLIMITED} if none waits
 * @param copyPsPerKib what moving 1,024 bytes between host memory and the device takes
 * @param injectionBytes payload that may wait to leave, of all peers together
 * @param maxPayload largest payload of a frame
 * @param offload whether the device goes on by itself while its host computes; otherwise the host drives it
 * @param matcher what matches; null if that takes no time, as it does where the host drives
 * @param headers of receives and messages that wait, for a rank, before {@code overflow} decides; 0 for as many as
 *     the device is made with
 * @param overflow what happens then
 * @param softwarePs what software needs for a message, where it has taken matching over
 * @param unexpectedBytes that messages without a receive may take up, for a rank; 0 for as many as the device is
 *     made with
 * @param combinePsPerKib what combining 1,024 bytes with as many others takes
 * @param limits sizes beyond which frames and large messages wait for others
 * @param policies what happens to messages that do not fit
 * @param split how receives are divided between the device and software; {@link #UNDIVIDED} if the device holds all
 * @param entries what entries of work programs cost
 */
public record DeviceModel(long requestPs, int requesters, long respondPs, int responders, long copyPsPerKib,
        int injectionBytes, int maxPayload, boolean offload, MatcherConfig matcher, int headers, Overflow overflow,
        long softwarePs, long unexpectedBytes, long combinePsPerKib, Limits limits, DevicePolicies policies,
        Split split, EntryModel entries) {
    /** As many threads as there are frames. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private static final long PS_PER_NS = 1_000;
    private static final int MOST_HEADERS = 1 << 24;
    private static final int LEAST_UNEXPECTED = 4096;
    private static final int LEAST_PUT = 64;
    /** A device with this many places for receives needs no software to match. */
    public static final int ALL_POSTED = 1 << 20;
    public static final Split UNDIVIDED = new Split(ALL_POSTED, Split.Closing.OPTIMISTIC, 8, 64, 300);

    /**
     * Sizes beyond which frames and large messages wait for others.
     *
     * @param rendezvousBytes largest message that the device moves by itself after the receiver's answer; software
     *     makes the puts of a larger one; 0 for as many as the device is made with
     * @param bufferBytes payload that the responders of a device hold at once; 0 for a full frame each
     */
    public record Limits(long rendezvousBytes, int bufferBytes) {
        public static final Limits NONE = new Limits(0, 0);
    }

    public DeviceModel {
        if (requestPs < 0 || respondPs < 0 || copyPsPerKib < 0 || combinePsPerKib < 0 || requesters < 1
                || responders < 1 || maxPayload < 256 || injectionBytes < 2 * maxPayload) {
            throw new IllegalArgumentException("device: threads from 1, costs from 0, frames from 256 bytes, and"
                    + " room for two of them to wait: " + requesters + ", " + responders + ", " + requestPs + ", "
                    + respondPs + ", " + copyPsPerKib + ", " + maxPayload + ", " + injectionBytes);
        }
        if (limits.rendezvousBytes != 0 && limits.rendezvousBytes < LEAST_PUT) {
            throw new IllegalArgumentException("device: a put has " + LEAST_PUT + " B at least, not "
                    + limits.rendezvousBytes);
        }
        if (limits.bufferBytes != 0 && limits.bufferBytes < maxPayload) {
            throw new IllegalArgumentException("device: a buffer of " + limits.bufferBytes
                    + " B is smaller than a frame of " + maxPayload + " B, and would take none in");
        }
        if (headers < 0 || headers > MOST_HEADERS || softwarePs < 0 || unexpectedBytes != 0
                && unexpectedBytes < LEAST_UNEXPECTED) {
            throw new IllegalArgumentException("device: headers from 1 to " + MOST_HEADERS + ", costs from 0, and "
                    + LEAST_UNEXPECTED + " B for unexpected messages: " + headers + ", " + softwarePs + " ps, "
                    + unexpectedBytes + " B");
        }
    }

    /** A device of the usual policies, which matches all by itself. */
    public DeviceModel(long requestPs, int requesters, long respondPs, int responders, long copyPsPerKib,
            int injectionBytes, int maxPayload, boolean offload, MatcherConfig matcher, int headers, Overflow overflow,
            long softwarePs, long unexpectedBytes, long combinePsPerKib) {
        this(requestPs, requesters, respondPs, responders, copyPsPerKib, injectionBytes, maxPayload, offload, matcher,
                headers, overflow, softwarePs, unexpectedBytes, combinePsPerKib, Limits.NONE, DevicePolicies.DEFAULT,
                UNDIVIDED, EntryModel.FREE);
    }

    /** A device of no particular size, whose matching takes no time. */
    public DeviceModel(long requestPs, int requesters, long respondPs, int responders, long copyPsPerKib,
            int injectionBytes, int maxPayload, boolean offload) {
        this(requestPs, requesters, respondPs, responders, copyPsPerKib, injectionBytes, maxPayload, offload, null, 0,
                Overflow.GROW, 0, 0, 0);
    }

    /** The same device, with these limits. */
    public DeviceModel withLimits(Limits others) {
        return new DeviceModel(requestPs, requesters, respondPs, responders, copyPsPerKib, injectionBytes, maxPayload,
                offload, matcher, headers, overflow, softwarePs, unexpectedBytes, combinePsPerKib, others, policies,
                split, entries);
    }

    /** Whether a frame may have to wait for a thread. */
    boolean hasFewThreads() {
        return requesters != UNLIMITED || responders != UNLIMITED;
    }

    /** The same device, with this division of matching. */
    public DeviceModel withSplit(Split division) {
        return new DeviceModel(requestPs, requesters, respondPs, responders, copyPsPerKib, injectionBytes, maxPayload,
                offload, matcher, headers, overflow, softwarePs, unexpectedBytes, combinePsPerKib, limits,
                policies, division, entries);
    }

    /** The same device, with these costs of entries. */
    public DeviceModel withEntries(EntryModel costs) {
        return new DeviceModel(requestPs, requesters, respondPs, responders, copyPsPerKib, injectionBytes, maxPayload,
                offload, matcher, headers, overflow, softwarePs, unexpectedBytes, combinePsPerKib, limits,
                policies, split, costs);
    }

    /** How a device of this model is divided from its software; null if it needs none to match. */
    Split divided() {
        return split.posted() == ALL_POSTED || !offload ? null : new Split(split.posted(), split.closing(),
                split.recent(), split.crossing(), split.crossingNs(), softwarePs / PS_PER_NS);
    }

    /** Whether it takes the device time to match. */
    boolean match() {
        return matcher != null && offload;
    }

    /** 64 requesters and 32 responders, 50 ns for a frame each, and 20 GB/s. */
    public static final DeviceModel DEFAULT = new DeviceModel(50_000, 64, 50_000, 32, 51_200, 1 << 18, 4096, true);

    /** As the default, with 64 matchers and room for 32,768 headers. */
    public static final DeviceModel MATCHING =
            new DeviceModel(50_000, 64, 50_000, 32, 51_200, 1 << 18, 4096, true, MatcherConfig.DEFAULT,
                    MatcherConfig.DEFAULT.headers(), Overflow.GROW, 200_000, 64 << 20, 51_200)
                    .withLimits(new Limits(64 << 20, 0));
}
