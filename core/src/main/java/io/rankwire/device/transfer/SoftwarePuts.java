package io.rankwire.device.transfer;

import io.rankwire.device.Hardware;
import io.rankwire.device.Peer;
import java.util.ArrayDeque;

/**
 * Large messages over the limit, whose receiver has answered, and whose next put software has to make. The engine moves
 * the bytes of a put by itself; when it is over, the message waits here again. So no message keeps the engine from the
 * others for longer than a put takes. In a real run the thread that moves the device is the host's, and makes the puts;
 * modelled hardware knows when its host is there to do that.
 */
public final class SoftwarePuts {
    private final Hardware hardware;
    private final Runnable addChore;
    private final ArrayDeque<SendTransfer> waiting = new ArrayDeque<>();

    /**
     * @param hardware null in a real run
     * @param addChore called when a message begins to wait
     */
    public SoftwarePuts(Hardware hardware, Runnable addChore) {
        this.hardware = hardware;
        this.addChore = addChore;
    }

    void add(Peer peer, SendTransfer transfer) {
        transfer.awaitsPut = peer;
        waiting.add(transfer);
        addChore.run();
    }

    /** The message is over, or nothing more of it is sent. */
    void remove(SendTransfer transfer) {
        if (transfer.awaitsPut != null) {
            transfer.awaitsPut = null;
            waiting.remove(transfer);
        }
    }

    /** Bytes that the device has pushed, but that have not left; none in a real run, where the port is full then. */
    long unsentBytes() {
        return hardware == null ? 0 : hardware.unsentBytes();
    }

    /** Messages that wait. */
    int count() {
        return waiting.size();
    }

    /** The message whose next put software makes now, or null. */
    SendTransfer next() {
        if (waiting.isEmpty() || hardware != null && !hardware.makesPut()) {
            return null;
        }
        return waiting.remove();
    }
}
