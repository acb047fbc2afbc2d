package io.rankwire.sim.program;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Model files of the simulator. */
public final class ModelFileFuzz {
    private ModelFileFuzz() {}

    public static List<byte[]> samples() {
        return List.of(Settings.DEFAULT.text().getBytes(StandardCharsets.UTF_8),
                "topology = torus:4x4x4\nnoise.every = 100 ms for 2.5 ms\n".getBytes(StandardCharsets.UTF_8));
    }

    public static void fuzzerTestOneInput(byte[] data) {
        try {
            Settings.DEFAULT.read(new String(data, StandardCharsets.UTF_8), "model");
        } catch (IllegalArgumentException e) {
            // This is how a line is refused.
        }
    }
}
