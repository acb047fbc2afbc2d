package io.rankwire.launch;

import java.io.IOException;
import java.util.List;

/** Messages of control connections. */
public final class ControlFuzz {
    private ControlFuzz() {}

    public static List<byte[]> samples() {
        return ControlMessageTest.bodies();
    }

    public static void fuzzerTestOneInput(byte[] data) {
        try {
            ControlMessage.decode(data);
        } catch (IOException e) {
            // This is how bytes are refused that are no message.
        }
    }
}
