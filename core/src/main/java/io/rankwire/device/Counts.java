package io.rankwire.device;

import io.rankwire.wire.Frame;

/**
 * What a device counts, in plain numbers: the thread that drives the device writes them where it writes anyway. Whole
 * messages, the most frequent, are counted at their {@link Peer}.
 */
public final class Counts {
    /** The rank that counts. */
    public final int rank;
    private long framesSent;
    private long bytesSent;
    private long framesReceived;
    private long bytesReceived;
    long syncSent;
    private long announcedSent;
    private long earlyBytes;
    private long wholeKept;
    private long wholeBytesKept;
    private long syncReceived;
    private long announcedReceived;
    private long metOnArrival;
    private long consumed;
    long unexpected;
    private long mostUnexpected;
    long toItself;
    /** Messages to itself whose receive was posted before. */
    long metLocally;
    long sendsDelayed;
    /** Bytes that were copied between the memory of this rank and of a peer. */
    public long directBytes;
    /** Accesses of peers to memory of this rank that its device has answered. */
    public long served;
    public long datagramsSent;
    private long datagramsReceived;
    private long datagramsRefused;

    Counts(int rank) {
        this.rank = rank;
    }

    /** A frame was sent that is no whole message of a standard send. */
    public void sent(int payloadBytes) {
        framesSent++;
        bytesSent += payloadBytes;
    }

    /** A message was announced. */
    public void announced(int payloadBytes) {
        announcedSent++;
        sent(payloadBytes);
    }

    /** A part of an announced message was sent; early if ahead of the answer. */
    public void pushed(long messageBytes, boolean early) {
        sent(Frame.DATA_LEAD + (int) messageBytes);
        earlyBytes += early ? messageBytes : 0;
    }

    /** A frame has come that is no whole message of a standard send. */
    void received(int payloadBytes) {
        framesReceived++;
        bytesReceived += payloadBytes;
    }

    /** A whole message has come and met no receive. */
    void wholeKept(int payloadBytes) {
        wholeKept++;
        wholeBytesKept += payloadBytes;
    }

    /** A message has come whose sender waits for an answer. */
    void came(boolean announcement, boolean met) {
        announcedReceived += announcement ? 1 : 0;
        syncReceived += announcement ? 0 : 1;
        metOnArrival += met ? 1 : 0;
    }

    /** A message waits for its receive. */
    void kept() {
        unexpected++;
        mostUnexpected = Math.max(mostUnexpected, unexpected);
    }

    /**
     * A receive gets a message that had waited.
     *
     * @param here whether the message waited here, and not at its sender
     */
    void consumed(boolean here) {
        if (here) {
            unexpected--;
            consumed++;
        } else {
            announcedReceived++;
            metOnArrival++;
        }
    }

    /** A datagram has come. */
    public void deposited(boolean accepted) {
        datagramsReceived += accepted ? 1 : 0;
        datagramsRefused += accepted ? 0 : 1;
    }

    /**
     * Writes the numbers of a device. Exact with the device's lock. Other threads may call it too, and get each number
     * as it was at some moment.
     */
    public static void read(Device device, long[] into) {
        Peers peers = device.peers();
        Counts counts = peers.counts;
        long sent = 0;
        long bytesSent = 0;
        long met = 0;
        long bytesMet = 0;
        for (int rank = 0; rank < peers.count(); rank++) {
            Peer peer = peers.known(rank);
            if (peer != null) {
                sent += peer.wholeSent;
                bytesSent += peer.wholeSent * Peer.USUAL + peer.moreSent;
                met += peer.wholeMet;
                bytesMet += peer.wholeMet * Peer.USUAL + peer.moreMet;
            }
        }
        set(into, Counter.FRAMES_SENT, counts.framesSent + sent);
        set(into, Counter.BYTES_SENT, counts.bytesSent + bytesSent);
        set(into, Counter.FRAMES_RECEIVED, counts.framesReceived + counts.wholeKept + met);
        set(into, Counter.BYTES_RECEIVED, counts.bytesReceived + counts.wholeBytesKept + bytesMet);
        set(into, Counter.EAGER_SENT, counts.syncSent + sent);
        set(into, Counter.EAGER_RECEIVED, counts.syncReceived + counts.wholeKept + met);
        SplitQueues splits = device.splits;
        long inSoftware = splits == null ? 0 : splits.metInSoftware();
        set(into, Counter.MATCHED_POSTED, counts.metOnArrival + counts.metLocally + met + inSoftware);
        set(into, Counter.MATCHED_UNEXPECTED, counts.consumed - inSoftware);
        counts.readRest(into);
        set(into, Counter.UNEXPECTED_BYTES, device.payloads.bytesHeld());
        set(into, Counter.MOST_UNEXPECTED_BYTES, device.payloads.highWater());
        set(into, Counter.RETRANSMISSIONS, peers.port().resent());
        set(into, Counter.REFUSED_FRAMES, peers.port().refused());
        set(into, Counter.RECEIVES_IN_DEVICE, device.network().inNetwork());
        if (splits != null) {
            set(into, Counter.MATCHED_IN_SOFTWARE, inSoftware);
            set(into, Counter.RECEIVES_IN_DEVICE, splits.inDevice());
            set(into, Counter.RECEIVES_IN_SOFTWARE, splits.inSoftware());
            set(into, Counter.RACES, splits.races());
            set(into, Counter.REFUSED_POSTS, splits.refusals());
        }
    }

    private void readRest(long[] into) {
        set(into, Counter.DIRECT_BYTES, directBytes);
        set(into, Counter.ANNOUNCED_SENT, announcedSent);
        set(into, Counter.ANNOUNCED_RECEIVED, announcedReceived);
        set(into, Counter.SENT_TO_ITSELF, toItself);
        set(into, Counter.SENDS_DELAYED, sendsDelayed);
        set(into, Counter.EARLY_BYTES, earlyBytes);
        set(into, Counter.UNEXPECTED, unexpected);
        set(into, Counter.MOST_UNEXPECTED, mostUnexpected);
        set(into, Counter.ONE_SIDED_SERVED, served);
        set(into, Counter.DATAGRAMS_SENT, datagramsSent);
        set(into, Counter.DATAGRAMS_RECEIVED, datagramsReceived);
        set(into, Counter.DATAGRAMS_REFUSED, datagramsRefused);
    }

    private static void set(long[] into, Counter counter, long value) {
        into[counter.ordinal()] = value;
    }
}
