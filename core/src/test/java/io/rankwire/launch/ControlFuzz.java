package io.rankwire.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** Messages of control connections, and the card of rank 0. */
public final class ControlFuzz {
    private ControlFuzz() {}

    public static List<byte[]> samples() {
        List<byte[]> samples = new ArrayList<>(ControlMessageTest.bodies());
        InetAddress address = InetAddress.getLoopbackAddress();
        samples.add(RootCard.of("here", 2000, List.of(address, address)).encode());
        return samples;
    }

    public static void fuzzerTestOneInput(byte[] data) {
        try {
            ControlMessage.decode(data);
        } catch (IOException e) {
            // This is how bytes are refused that are no message.
        }
        byte[] card = data.clone();
        if (card.length >= Integer.BYTES) {
            CRC32 sum = new CRC32();
            sum.update(card, 0, card.length - Integer.BYTES);
            ByteBuffer.wrap(card).putInt(card.length - Integer.BYTES, (int) sum.getValue());
        }
        try {
            RootCard.decode(card);
        } catch (IOException e) {
            // And those that are no card.
        }
    }
}
