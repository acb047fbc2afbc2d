package io.rankwire.sim.program;

import io.rankwire.launch.NetworkCost;
import io.rankwire.sim.DeviceModel;
import io.rankwire.sim.NodeModel;
import io.rankwire.sim.Sharing;
import io.rankwire.sim.SimFabric;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Topology;
import io.rankwire.sim.net.TreeModel;

/**
 * The simulated machine and how a program is run on it; what a model file says. Every run with equal settings, program
 * and arguments is the same, unless computing time is measured.
 *
 * @param fabric what carries messages
 * @param topology as {@link Topology#parse} reads it
 * @param ranksPerNode ranks that share a node, and so its links
 * @param node the devices that they share
 * @param seed chooses among ranks that are ready at the same moment, and all that is left to chance
 * @param jitterPs most that a frame is delayed by, at random
 * @param computeFactor what measured computing time is multiplied by; 0 when none is counted
 */
public record Settings(Fabric fabric, String topology, int ranksPerNode, NodeModel node, LinkModel links,
        DeviceModel device, HostModel host, long seed, long jitterPs, double computeFactor) {
    public static final Settings DEFAULT = new Settings(
            Fabric.DEVICE, "crossbar", 1, NodeModel.COPYING, LinkModel.DEFAULT, DeviceModel.MATCHING, HostModel.DEFAULT,
            1, 0, 0);

    private static final double PS_PER_NS = 1e3;

    public Settings {
        if (ranksPerNode < 1 || jitterPs < 0 || !(computeFactor >= 0 && computeFactor <= 1e6)) {
            throw new IllegalArgumentException("ranks-per-node from 1, jitter from 0, compute none or measured:FACTOR");
        }
    }

    /** Whether devices go on while their hosts compute: sockets are read and written by the processes alone. */
    public boolean offload() {
        return fabric == Fabric.DEVICE && device.offload();
    }

    /** The network for {@code ranks} ranks. */
    public Topology topologyFor(int ranks) {
        return Topology.parse(topology, (ranks + ranksPerNode - 1) / ranksPerNode);
    }

    /** What messages cost on this machine: collective calls choose their algorithms by that. */
    NetworkCost networkCost(Topology network) {
        long hops = 0;
        for (int node = 1; node < network.nodes(); node++) {
            hops += network.hops(0, node);
        }
        double latency = (double) hops / Math.max(1, network.nodes() - 1) * links.latencyPs();
        long hostPs = offload() ? 0 : host.sendPs() + host.receivePs();
        int frame = device.maxPayload();
        double perByte = Math.max((double) links.keeps(frame) / frame, device.copyPsPerKib() / 1024.0);
        double round = hostPs + device.requestPs() + latency + links.keeps(0) + device.respondPs();
        double message = Math.max(hostPs, Math.max(links.keeps(0), device.requestPs() / device.requesters()));
        return new NetworkCost(round / PS_PER_NS, message / PS_PER_NS, perByte / PS_PER_NS, "");
    }

    /** Whether collective calls may go to a combining tree: there is none behind a socket. */
    boolean hasTree() {
        return fabric == Fabric.DEVICE && node.hasTree();
    }

    /**
     * Reads a model file: lines of {@code key = value}, blank ones, and comments after {@code #}.
     *
     * @param name of the file, for messages
     * @throws IllegalArgumentException that names the line and what is wrong with it
     */
    public Settings read(String text, String name) {
        Settings all = this;
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].split("#", 2)[0].strip();
            if (line.isEmpty()) {
                continue;
            }
            try {
                int equals = line.indexOf('=');
                if (equals < 0) {
                    throw new IllegalArgumentException("\"" + line + "\" is no key = value");
                }
                all = all.with(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(name + ", line " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        return all;
    }

    /** With one of the keys of a model file set. */
    public Settings with(String key, String value) {
        int dot = key.indexOf('.');
        String part = dot < 0 ? "" : key.substring(0, dot);
        try {
            return switch (part) {
                case "" -> run(key, value);
                case "node", "tree" -> new Settings(fabric, topology, ranksPerNode, node(key, value), links, device,
                        host, seed, jitterPs, computeFactor);
                case "link" -> new Settings(fabric, topology, ranksPerNode, node, link(key, value), device, host, seed,
                        jitterPs, computeFactor);
                case "device" -> new Settings(fabric, topology, ranksPerNode, node, links,
                        DeviceKeys.with(device, key, value), host, seed, jitterPs, computeFactor);
                case "matcher" -> new Settings(fabric, topology, ranksPerNode, node, links,
                        DeviceKeys.withMatcher(device, key, value), host, seed, jitterPs, computeFactor);
                case "split" -> new Settings(fabric, topology, ranksPerNode, node, links,
                        DeviceKeys.withSplit(device, key, value), host, seed, jitterPs, computeFactor);
                case "host", "noise", "launcher" -> new Settings(fabric, topology, ranksPerNode, node, links, device,
                        host(key, value), seed, jitterPs, computeFactor);
                default -> throw unknown(key);
            };
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + ": " + value + " is no number", e);
        }
    }

    private Settings run(String key, String value) {
        return switch (key) {
            case "fabric" -> new Settings(Units.choice(key, value, Fabric.values()), topology, ranksPerNode, node,
                    links, device, host, seed, jitterPs, computeFactor);
            case "topology" -> {
                Topology.parse(value, 1);
                yield new Settings(fabric, value, ranksPerNode, node, links, device, host, seed, jitterPs,
                        computeFactor);
            }
            case "ranks-per-node" -> new Settings(fabric, topology, Integer.parseInt(value), node, links, device, host,
                    seed, jitterPs, computeFactor);
            case "tree" -> new Settings(fabric, topology, ranksPerNode, node(key, value), links, device, host, seed,
                    jitterPs, computeFactor);
            case "seed" -> new Settings(fabric, topology, ranksPerNode, node, links, device, host, Long.decode(value),
                    jitterPs, computeFactor);
            case "jitter" -> new Settings(fabric, topology, ranksPerNode, node, links, device, host, seed,
                    Units.ps(value), computeFactor);
            case "compute" -> new Settings(fabric, topology, ranksPerNode, node, links, device, host, seed, jitterPs,
                    compute(value));
            default -> throw unknown(key);
        };
    }

    private static double compute(String value) {
        if (value.equals("none")) {
            return 0;
        }
        if (value.equals("measured")) {
            return 1;
        }
        if (value.startsWith("measured:")) {
            double factor = Double.parseDouble(value.substring("measured:".length()));
            if (factor > 0 && factor <= 1e6) {
                return factor;
            }
        }
        throw new IllegalArgumentException("compute: " + value + " is none of none, measured, measured:FACTOR");
    }

    private LinkModel link(String key, String value) {
        LinkModel l = links;
        return switch (key) {
            case "link.latency" -> new LinkModel(Units.ps(value), l.psPerKib(), l.slots(), l.headerBytes());
            case "link.bandwidth" -> new LinkModel(l.latencyPs(), Units.psPerKib(value), l.slots(), l.headerBytes());
            case "link.slots" -> new LinkModel(l.latencyPs(), l.psPerKib(), Integer.parseInt(value), l.headerBytes());
            case "link.header" -> new LinkModel(l.latencyPs(), l.psPerKib(), l.slots(), Units.bytes(value));
            default -> throw unknown(key);
        };
    }

    private NodeModel node(String key, String value) {
        int devices = node.devices();
        Sharing sharing = node.sharing();
        long claim = node.claimPs();
        boolean hasTree = node.hasTree();
        TreeModel tree = node.tree();
        SimFabric.Ways ways = node.ways();
        long copy = node.copyPsPerKib();
        switch (key) {
            case "node.devices" -> devices = devices(value);
            case "node.sharing" -> sharing = Units.choice(key, value, Sharing.values());
            case "node.claim" -> claim = Units.ps(value);
            case "node.copy" -> copy = Units.psPerKib(value);
            case "node.ways" -> ways = Units.choice(key, value, SimFabric.Ways.values());
            case "tree" -> hasTree = Units.yes(key, value);
            default -> tree = tree(tree, key, value);
        }
        return new NodeModel(devices, sharing, claim, hasTree, tree, ways, copy);
    }

    private static TreeModel tree(TreeModel t, String key, String value) {
        LinkModel links = t.links();
        int packet = t.packetBytes();
        long alu = t.aluPs();
        long combine = t.aluPsPerKib();
        switch (key) {
            case "tree.latency" -> links = new LinkModel(
                    Units.ps(value), links.psPerKib(), links.slots(), links.headerBytes());
            case "tree.bandwidth" -> links = new LinkModel(
                    links.latencyPs(), Units.psPerKib(value), links.slots(), links.headerBytes());
            case "tree.packet" -> packet = Units.bytes(value);
            case "tree.alu" -> alu = Units.ps(value);
            case "tree.combine" -> combine = Units.psPerKib(value);
            default -> throw unknown(key);
        }
        return new TreeModel(links, packet, alu, combine);
    }

    private static int devices(String value) {
        int devices = value.equals("own") ? 0 : Integer.parseInt(value);
        if (devices < 1 && !value.equals("own")) {
            throw new IllegalArgumentException("node.devices: " + value + " is neither own nor a number from 1");
        }
        return devices;
    }

    private HostModel host(String key, String value) {
        long send = host.sendPs();
        long receive = host.receivePs();
        long poll = host.pollPs();
        long collective = host.collectivePs();
        long period = host.noisePeriodPs();
        long noise = host.noisePs();
        boolean together = host.noiseTogether();
        LauncherModel launcher = host.launcher();
        switch (key) {
            case "host.send" -> send = Units.ps(value);
            case "host.receive" -> receive = Units.ps(value);
            case "host.poll" -> poll = Units.ps(value);
            case "host.collective" -> collective = Units.ps(value);
            case "noise.every" -> {
                long[] both = noise(value);
                period = both[0];
                noise = both[1];
            }
            case "noise.together" -> together = Units.yes(key, value);
            default -> launcher = launcher.with(key, value);
        }
        return new HostModel(send, receive, poll, collective, period, noise, together, launcher);
    }

    /** {@code 100 ms for 2.5 ms}: neither makes sense without the other. */
    private static long[] noise(String value) {
        if (value.equals("never")) {
            return new long[2];
        }
        String[] both = value.split(" for ");
        if (both.length != 2) {
            throw new IllegalArgumentException("noise.every: " + value + " is not like \"100 ms for 2.5 ms\"");
        }
        return new long[] {Units.ps(both[0].strip()), Units.ps(both[1].strip())};
    }

    static IllegalArgumentException unknown(String key) {
        return new IllegalArgumentException("there is no key " + key);
    }

    /** A model file that says all of it. */
    public String text() {
        return "fabric = " + Units.name(fabric)
                + "\ntopology = " + topology
                + "\nranks-per-node = " + ranksPerNode
                + "\nnode.devices = " + (node.devices() == 0 ? "own" : String.valueOf(node.devices()))
                + "\nnode.sharing = " + Units.name(node.sharing())
                + "\nnode.claim = " + Units.time(node.claimPs())
                + "\nnode.copy = " + Units.rate(node.copyPsPerKib())
                + "\nnode.ways = " + Units.name(node.ways())
                + "\ntree = " + (node.hasTree() ? "yes" : "no")
                + "\ntree.latency = " + Units.time(node.tree().links().latencyPs())
                + "\ntree.bandwidth = " + Units.rate(node.tree().links().psPerKib())
                + "\ntree.packet = " + node.tree().packetBytes() + " B"
                + "\ntree.alu = " + Units.time(node.tree().aluPs())
                + "\ntree.combine = " + Units.rate(node.tree().aluPsPerKib())
                + "\nseed = " + seed
                + "\njitter = " + Units.time(jitterPs)
                + "\ncompute = " + (computeFactor == 0 ? "none" : "measured:" + computeFactor)
                + "\n\nlink.latency = " + Units.time(links.latencyPs())
                + "\nlink.bandwidth = " + Units.rate(links.psPerKib())
                + "\nlink.slots = " + links.slots()
                + "\nlink.header = " + links.headerBytes() + " B"
                + DeviceKeys.text(device)
                + "\n\nhost.send = " + Units.time(host.sendPs())
                + "\nhost.receive = " + Units.time(host.receivePs())
                + "\nhost.poll = " + Units.time(host.pollPs())
                + "\nhost.collective = " + Units.time(host.collectivePs())
                + "\nnoise.every = " + (host.noisePeriodPs() == 0 ? "never"
                        : Units.time(host.noisePeriodPs()) + " for " + Units.time(host.noisePs()))
                + "\nnoise.together = " + (host.noiseTogether() ? "yes" : "no")
                + "\n" + host.launcher().text();
    }
}
