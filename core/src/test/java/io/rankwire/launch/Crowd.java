package io.rankwire.launch;

import io.rankwire.fabric.Members;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.tcp.LoopbackRanks;
import io.rankwire.fabric.tcp.TcpFabric;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The ranks of one host in one process, each with a port over TCP: every rank sends to all ranks of other hosts. The
 * arguments are this host, the number of ranks on each, and the addresses of all hosts.
 */
final class Crowd {
    private static final int FIRST_PORT = 7800;
    private static final int[] SIZES = {8, 1_000, 20_000};
    static final int MOST_SOCKETS = 1_000;
    private static final long SETTLING_NS = 60_000_000_000L;

    private final int aHost;
    private final int first;
    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final List<Port> ports = new ArrayList<>();
    /** Frames that a rank of this host has got from each rank. */
    private final int[][] got;
    private int missing;

    private Crowd(int host, int aHost, List<String> hosts) throws IOException {
        this.aHost = aHost;
        first = host * aHost;
        for (int rank = 0; rank < aHost * hosts.size(); rank++) {
            addresses.add(new InetSocketAddress(InetAddress.ofLiteral(hosts.get(rank / aHost)), FIRST_PORT + rank));
        }
        got = new int[aHost][addresses.size()];
        for (int i = 0; i < aHost; i++) {
            ServerSocketChannel listening = ServerSocketChannel.open().bind(addresses.get(first + i), 256);
            ports.add(TcpFabric.open(new Members(first + i, addresses,
                    Collections.nCopies(addresses.size(), "a host"), LoopbackRanks.SECRET), listening));
        }
        missing = aHost * (addresses.size() - aHost) * SIZES.length;
    }

    public static void main(String[] args) throws Exception {
        Crowd crowd = new Crowd(Integer.parseInt(args[0]), Integer.parseInt(args[1]),
                List.of(args).subList(2, args.length));
        System.out.println("silent: " + AllPairs.sockets());
        for (int seq = 0; seq < SIZES.length; seq++) {
            for (int i = 0; i < crowd.aHost; i++) {
                for (int to = 0; to < crowd.addresses.size(); to++) {
                    if (to / crowd.aHost != crowd.first / crowd.aHost) {
                        crowd.send(i, to, seq);
                    }
                }
            }
        }
        while (crowd.missing > 0) {
            crowd.poll();
        }
        // Where two ranks have dialled each other at once, one connection of the two still has to close.
        for (long until = System.nanoTime() + SETTLING_NS;
                AllPairs.sockets() > MOST_SOCKETS && System.nanoTime() - until < 0; ) {
            crowd.poll();
        }
        System.out.println("talking: " + AllPairs.sockets());
        while (System.in.available() == 0) {
            crowd.poll();
        }
        crowd.ports.forEach(Port::close);
    }

    private void send(int i, int to, int seq) {
        Outlet outlet = ports.get(i).outlet(to);
        int bytes = SIZES[seq];
        long at = outlet.claim(bytes);
        while (at == Outlet.FULL) {
            poll();
            at = outlet.claim(bytes);
        }
        outlet.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, at, word(first + i, to, seq));
        outlet.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, at + bytes - 8, word(first + i, to, seq));
        outlet.commit(at, bytes, 1 + seq, to);
    }

    private static long word(int from, int to, int seq) {
        return from * 1_000_003L + to * 1_009L + seq;
    }

    private void poll() {
        for (int i = 0; i < aHost; i++) {
            int rank = i;
            PeerLost lost = ports.get(i).advance(System.nanoTime());
            if (lost != null) {
                throw lost;
            }
            ports.get(i).poll((peer, meta, header, memory, payload, bytes) -> {
                int seq = got[rank][peer]++;
                long expected = word(peer, first + rank, seq);
                if (bytes != SIZES[seq] || meta != 1 + seq || header != first + rank
                        || memory.get(ValueLayout.JAVA_LONG_UNALIGNED, payload) != expected
                        || memory.get(ValueLayout.JAVA_LONG_UNALIGNED, payload + bytes - 8) != expected) {
                    throw new AssertionError("frame " + seq + " of rank " + peer + " to rank " + (first + rank));
                }
                missing--;
            }, 16);
        }
    }
}
