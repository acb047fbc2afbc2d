package io.rankwire.device;

import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import io.rankwire.wire.Frame;

/** Writes frames without payload of a message. Those that find no room wait at their peer, ahead of its messages. */
public final class ControlFrames {
    private static final int WORD = 8;

    private final BusyPeers busy;

    ControlFrames(BusyPeers busy) {
        this.busy = busy;
    }

    public void send(Peer peer, int kind, long header) {
        send(peer, kind, header, 0, 0, 0);
    }

    public void send(Peer peer, int kind, long header, long word) {
        send(peer, kind, header, word, 0, 0);
    }

    /** Sends a frame, now or when there is room; how many of the words it carries depends on its kind. */
    public void send(Peer peer, int kind, long header, long first, long second, long third) {
        if ((peer.hasControl() || !write(peer, kind, header, first, second, third)) && !peer.isLost()) {
            peer.addControl(kind, header, first, second, third);
            busy.add(peer);
        }
    }

    /** Writes the frames that wait at a peer as far as there is room; returns how many. */
    int flush(Peer peer) {
        int work = 0;
        while (peer.hasControl() && write(peer, (int) peer.controlWord(0), peer.controlWord(1), peer.controlWord(2),
                peer.controlWord(3), peer.controlWord(4))) {
            peer.dropControl();
            work++;
        }
        return work;
    }

    private static boolean write(Peer peer, int kind, long header, long first, long second, long third) {
        int words = Frame.controlWords(kind);
        Outlet outlet = peer.outlet;
        long at = outlet.claim(words * WORD);
        if (at < 0) {
            return false;
        }
        if (words > 0) {
            Words.store(outlet.memory(), at, first);
        }
        if (words > 1) {
            Words.store(outlet.memory(), at + WORD, second);
            Words.store(outlet.memory(), at + 2 * WORD, third);
        }
        outlet.commit(at, words * WORD, Frame.meta(kind, 0), header);
        peer.counts.sent(words * WORD);
        return true;
    }
}
