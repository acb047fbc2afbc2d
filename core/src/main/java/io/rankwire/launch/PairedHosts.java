package io.rankwire.launch;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Port;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Hosts measure their network in pairs, by their lowest ranks; if there is one host, its two lowest ranks do. */
final class PairedHosts {
    private PairedHosts() {}

    /** @param measured gets the result, on one rank of each pair */
    static void measure(NetworkJob job, Port port, Consumer<NetworkCost> measured) {
        boolean alone = job.hasOneHost();
        if (alone && !Fabrics.isNetworkAlone(job.settings().fabric())) {
            // The network is there for ranks that come later.
            if (job.rank() == 0) {
                measured.accept(NetworkCost.unknown(System.getenv().getOrDefault(Fabrics.COST, "")));
            }
            return;
        }
        int place = alone ? job.rank() : lowest(job, job::isInside) == job.rank() ? job.node(job.rank()) : -1;
        int places = alone ? 2 : job.hosts();
        int partner = place ^ 1;
        if (place < 0 || place >= places || partner >= places) {
            return;
        }
        int peer = alone ? partner : lowest(job, rank -> job.node(rank) == partner);
        NetworkProbe probe = new NetworkProbe(port, peer, () -> job.board().aborted() || job.isDead(peer));
        try {
            if (place < partner) {
                measured.accept(lead(job, probe));
            } else {
                probe.follow();
            }
        } catch (PeerLost e) {
            if (!job.goesOn()) {
                throw e;
            }
            // If the other one is dead, all ranks use estimates.
            job.lost(peer, e.getMessage());
        } catch (FabricException e) {
            if (!job.isDead(peer)) {
                throw e;
            }
        }
    }

    private static NetworkCost lead(NetworkJob job, NetworkProbe probe) {
        String inside = job.rank() == 0 ? System.getenv().getOrDefault(Fabrics.COST, "") : "";
        int ranksHere = (int) IntStream.range(0, job.size()).filter(job::isInside).count();
        return NetworkProbe.isCrowded(ranksHere) ? probe.skip(inside) : probe.lead(inside);
    }

    private static int lowest(NetworkJob job, IntPredicate which) {
        return IntStream.range(0, job.size()).filter(which).findFirst().orElseThrow();
    }
}
