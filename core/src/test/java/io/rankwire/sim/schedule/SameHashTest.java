package io.rankwire.sim.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.sim.Noise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same run in other virtual machines: interpreted, compiled at once, in a small heap, by other collectors. */
class SameHashTest {
    private static final List<List<String>> MACHINES = List.of(List.of("-Xint", "-XX:+UseSerialGC"),
            List.of("-Xmx24m", "-XX:+UseSerialGC"), List.of("-Xcomp", "-XX:TieredStopAtLevel=1"));

    static String hashes(int threads) {
        Setting setting = new Setting(LogGops.DEFAULT, Driver.HOST, new Noise(100_000_000, 2_500_000, false, 7),
                new Load(2, 3_000_000, false), 1);
        Outcome host = Uniform.run(Pattern.allreduce(1 << 10, 8), setting, threads);
        Outcome device = Uniform.run(Pattern.barrier(700),
                new Setting(LogGops.DEFAULT, Driver.DEVICE, setting.noise(), setting.load(), 1), threads);
        return host.hashText() + " " + device.hashText() + " " + host.ps() + " " + device.ps();
    }

    /** For a machine of its own. */
    public static final class Machine {
        public static void main(String[] args) {
            System.out.println(hashes(Integer.parseInt(args[0])));
        }
    }

    @Test
    void shouldGiveTheSameHashInEveryMachine() throws Exception {
        String here = hashes(1);
        for (List<String> options : MACHINES) {
            assertEquals(here, elsewhere(options, "2"), options.toString());
        }
    }

    private static String elsewhere(List<String> options, String threads) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Machine.class.getName(), threads));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertEquals(0, process.waitFor(), said);
        return said;
    }
}
