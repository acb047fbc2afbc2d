package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Shared;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Rank 1 of a test in a process of its own, which is killed: it answers, and reads whatever comes. */
final class PeerProcess implements AutoCloseable {
    private final Process process;
    private final OfiEndpoint endpoint;
    private final List<byte[]> names;

    /** Starts the process, and makes the endpoint of rank 0. */
    PeerProcess(String provider) throws IOException {
        endpoint = (OfiEndpoint) new OfiFabric().bind(provider, InetAddress.getLoopbackAddress());
        process = java(PeerProcess.class, provider, HexFormat.of().formatHex(endpoint.name()));
        String line = process.inputReader().readLine();
        if (line == null) {
            throw new IOException("the peer has ended");
        }
        names = List.of(endpoint.name(), HexFormat.of().parseHex(line));
    }

    static Process java(Class<?> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(), "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1", "-Xmx128m", "-cp", System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    Port open(OfiConfig config) {
        return endpoint.open(LoopbackEndpoints.members(0, names), config);
    }

    /** Reads the id of the allocation of the peer. */
    long place() throws IOException {
        return Long.parseLong(process.inputReader().readLine());
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        endpoint.close();
    }

    public static void main(String[] args) throws IOException {
        OfiEndpoint endpoint = (OfiEndpoint) new OfiFabric().bind(args[0], InetAddress.getLoopbackAddress());
        System.out.println(HexFormat.of().formatHex(endpoint.name()));
        List<byte[]> names = List.of(HexFormat.of().parseHex(args[1]), endpoint.name());
        Port port = endpoint.open(LoopbackEndpoints.members(1, names), OfiConfig.DEFAULT);
        Shared memory = port.memory().allocate(4 << 20);
        System.out.println(memory.id());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        FrameSink sink = (peer, meta, header, segment, payload, bytes) -> {
            if (meta == 2) {
                Outlet outlet = port.outlet(0);
                long at = outlet.claim(8);
                if (at != Outlet.FULL) {
                    outlet.commit(at, 8, 3, header);
                }
            }
        };
        // A parent that ends closes the input; while it lives, nothing is to be read there.
        while (!in.ready() || in.readLine() != null) {
            port.advance(System.nanoTime());
            port.poll(sink, 64);
            port.rest();
            Thread.onSpinWait();
        }
        port.close();
    }
}
