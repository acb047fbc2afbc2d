package io.rankwire.fabric;

/**
 * What a fabric promises. The device works on ports that are {@link #isExact exact}; a port that promises less gets a
 * flow layer between itself and the device.
 *
 * @param maxPayload largest payload of one frame to any peer, in bytes
 * @param ordered frames of one sender arrive in the order of their commits
 * @param reliable no frame is lost, doubled or changed
 */
public record PortTraits(int maxPayload, boolean ordered, boolean reliable) {
    /** Whether each frame arrives once, unchanged, and behind those its sender committed before. */
    public boolean isExact() {
        return ordered && reliable;
    }

    /**
     * Returns these traits.
     *
     * @throws IllegalArgumentException if a device cannot rely on them
     */
    public PortTraits requireExact() {
        if (!isExact()) {
            throw new IllegalArgumentException("a device needs a flow layer over a port with " + this);
        }
        return this;
    }
}
