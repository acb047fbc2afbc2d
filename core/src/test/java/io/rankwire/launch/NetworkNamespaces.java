package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * Hosts that a test makes itself: network namespaces, each with one interface on a common bridge, which lies in a
 * namespace of its own. Nothing outside of them changes, and all are removed at the end.
 */
public final class NetworkNamespaces implements AutoCloseable {
    private static final String BRIDGE = "br0";
    private static final String INTERFACE = "e0";

    private final String prefix = "rw" + HexFormat.of().toHexDigits((short) new Random().nextInt()) + "-";
    private final List<String> made = new ArrayList<>();

    /** Makes a number of hosts, or skips the test where that is not allowed. */
    public NetworkNamespaces(int count) throws IOException, InterruptedException {
        Thread removal = new Thread(this::close);
        Runtime.getRuntime().addShutdownHook(removal);
        String hub = prefix + "hub";
        assumeTrue(tried("ip", "netns", "add", hub), "needs root and ip netns");
        made.add(hub);
        try {
            assumeTrue(tried("ip", "-n", hub, "link", "add", BRIDGE, "type", "bridge"), "needs a bridge of the kernel");
            run("ip", "-n", hub, "link", "set", BRIDGE, "up");
            for (int host = 0; host < count; host++) {
                add(hub, host);
            }
        } catch (Throwable failure) {
            close();
            throw failure;
        }
    }

    private void add(String hub, int host) throws IOException, InterruptedException {
        String port = "p" + host;
        run("ip", "netns", "add", name(host));
        made.add(name(host));
        run("ip", "link", "add", INTERFACE, "netns", name(host), "type", "veth", "peer", "name", port, "netns", hub);
        run("ip", "-n", hub, "link", "set", port, "master", BRIDGE, "up");
        run("ip", "-n", name(host), "addr", "add", address(host) + "/24", "dev", INTERFACE);
        run("ip", "-n", name(host), "link", "set", "lo", "up");
        run("ip", "-n", name(host), "link", "set", INTERFACE, "up");
    }

    private String name(int host) {
        return prefix + host;
    }

    public String address(int host) {
        return "10.77.0." + (host + 1);
    }

    /** What stands before a command that is to run on a host. */
    public List<String> on(int host) {
        return List.of("ip", "netns", "exec", name(host));
    }

    /** Cuts the cable of a host. */
    public void cut(int host) throws IOException, InterruptedException {
        run("ip", "-n", name(host), "link", "set", INTERFACE, "down");
    }

    /** Pulls the cable of a host out of the switch. */
    public void unplug(int host) throws IOException, InterruptedException {
        run("ip", "-n", prefix + "hub", "link", "set", "p" + host, "down");
    }

    /** Puts it in again. */
    public void plug(int host) throws IOException, InterruptedException {
        run("ip", "-n", prefix + "hub", "link", "set", "p" + host, "up");
    }

    /** A host drops all that it sends to another, as a firewall would: what asks for a connection gets no answer. */
    public void drop(int host, int to) throws IOException, InterruptedException {
        run("ip", "-n", name(host), "route", "add", "blackhole", address(to) + "/32");
    }

    /** Sets the length of the longest packet that an interface sends. */
    public void setMtu(int host, int bytes) throws IOException, InterruptedException {
        run("ip", "-n", name(host), "link", "set", INTERFACE, "mtu", Integer.toString(bytes));
    }

    /** Gives a host an address on a second network. */
    public void addAddress(int host, String address) throws IOException, InterruptedException {
        run("ip", "-n", name(host), "addr", "add", address, "dev", INTERFACE, "nodad");
    }

    /** Mends it. */
    public void mend(int host) throws IOException, InterruptedException {
        run("ip", "-n", name(host), "link", "set", INTERFACE, "up");
    }

    private static boolean tried(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getInputStream().readAllBytes();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), Arrays.toString(command) + ": " + output);
    }

    @Override
    public synchronized void close() {
        try {
            for (String namespace : List.copyOf(made)) {
                tried("ip", "netns", "del", namespace);
                made.remove(namespace);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
