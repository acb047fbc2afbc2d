package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.RemoteMemory;
import io.rankwire.fabric.Shared;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Half round trips between two processes over ports, beside {@code fi_pingpong} in the same minute: 8 bytes in a frame,
 * and a megabyte by a write to the peer's memory and a frame behind it. A command, not a test; see docs/LIBFABRIC.md.
 */
final class PingPongCost {
    private static final int SMALL = Integer.getInteger("rounds", 20_000);
    private static final int LARGE = Math.max(20, SMALL / 40);
    private static final int BYTES = 1 << 20;
    private static final int REPEATS = 4;

    private final Port port;
    private final boolean leads;
    private final Shared memory;
    private long theirs = -1;
    private long come;
    private final FrameSink sink = (peer, meta, header, segment, payload, bytes) -> {
        come++;
        theirs = meta == 2 ? header : theirs;
    };

    private PingPongCost(Port port, boolean leads) {
        this.port = port;
        this.leads = leads;
        this.memory = port.memory().allocate(2L * BYTES);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        String provider = args[0];
        OfiEndpoint endpoint = (OfiEndpoint) new OfiFabric().bind(provider, InetAddress.getLoopbackAddress());
        String name = HexFormat.of().formatHex(endpoint.name());
        if (args.length > 1) {
            System.out.println(name);
            List<byte[]> names = List.of(HexFormat.of().parseHex(args[1]), endpoint.name());
            try (Port port = endpoint.open(LoopbackEndpoints.members(1, names), OfiConfig.DEFAULT)) {
                new PingPongCost(port, false).run();
            }
            return;
        }
        Process process = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED", "-Drounds=" + SMALL, "-cp", System.getProperty("java.class.path"),
                PingPongCost.class.getName(), provider, name).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        List<byte[]> names = List.of(endpoint.name(), HexFormat.of().parseHex(process.inputReader().readLine()));
        System.out.println("fi_pingpong " + provider + " " + reference(provider));
        try (Port port = endpoint.open(LoopbackEndpoints.members(0, names), OfiConfig.DEFAULT)) {
            new PingPongCost(port, true).run();
        }
        System.out.println("fi_pingpong " + provider + " " + reference(provider));
        process.waitFor();
    }

    private void run() {
        send(8, 2, memory.id());
        await(1);
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            double small = time(SMALL, false);
            double large = time(LARGE, true);
            if (leads) {
                System.out.printf("port 8 B %.2f us, 1 MiB %.0f us = %.0f MB/s%n", small, large, BYTES / large);
            }
        }
    }

    private double time(int rounds, boolean isLarge) {
        long from = System.nanoTime();
        for (int i = 0; i < rounds; i++) {
            if (leads) {
                move(isLarge);
            }
            await(come + 1);
            if (!leads) {
                move(isLarge);
            }
        }
        return (System.nanoTime() - from) / 2e3 / rounds;
    }

    private void move(boolean isLarge) {
        if (isLarge) {
            RemoteMemory remote = port.remoteMemory();
            long ticket = RemoteMemory.FULL;
            while (ticket == RemoteMemory.FULL) {
                ticket = remote.write(leads ? 1 : 0, theirs, 0, memory, BYTES, BYTES);
                if (ticket == RemoteMemory.FULL) {
                    poll();
                }
            }
            send(8, 1, 1);
            while (remote.state(ticket) == RemoteMemory.PENDING) {
                poll();
            }
        } else {
            send(8, 1, 1);
        }
    }

    private void send(int bytes, int meta, long header) {
        Outlet outlet = port.outlet(leads ? 1 : 0);
        long at = outlet.claim(bytes);
        while (at == Outlet.FULL) {
            poll();
            at = outlet.claim(bytes);
        }
        outlet.commit(at, bytes, meta, header);
    }

    private void await(long frames) {
        while (come < frames) {
            poll();
        }
    }

    private int polls;

    private void poll() {
        if ((++polls & 63) == 0) {
            port.advance(System.nanoTime());
        }
        port.poll(sink, 32);
    }

    /** What the benchmark of the library shows, in microseconds. */
    private static String reference(String provider) throws IOException, InterruptedException {
        return pingPong(provider, 8, SMALL) + ", " + pingPong(provider, BYTES, LARGE);
    }

    private static String pingPong(String provider, int bytes, int rounds) throws IOException, InterruptedException {
        List<String> command = List.of("fi_pingpong", "-p", provider, "-e", "rdm", "-S", "" + bytes, "-I",
                "" + rounds);
        Process server = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread.sleep(1_000);
        List<String> client = new ArrayList<>(command);
        client.add("127.0.0.1");
        Process process = new ProcessBuilder(client).redirectErrorStream(true).start();
        String[] lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\n");
        server.waitFor();
        String[] words = lines[lines.length - 1].strip().split("\\s+");
        return words.length > 6 ? words[0] + " B " + words[6] + " us" : lines[lines.length - 1];
    }
}
