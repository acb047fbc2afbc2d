package io.rankwire.launch;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Members;
import io.rankwire.launch.ControlMessage.Listening;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.AbstractList;
import java.util.List;
import java.util.function.IntFunction;

/** The members of a world on a network. What concerns ranks that come later is looked up when it is needed. */
final class WorldMembers {
    private WorldMembers() {}

    /**
     * @param first where the ranks of the world at the start listen
     * @param socket where this rank listens
     * @param root where this rank reaches the root
     */
    static Members of(NetworkJob job, int world, List<Listening> first, RankSocket socket, InetAddress root) {
        ByteArrayOutputStream random = new ByteArrayOutputStream();
        for (int rank = 0; rank < first.size(); rank++) {
            Listening one = first.get(rank);
            if (one.world() != world) {
                throw new FabricException("rank " + rank + " has joined world " + one.world()
                        + ", and this rank world " + world, null);
            }
            random.writeBytes(one.random());
        }
        boolean named = socket.name().length > 0;
        checkNames(job, first, named);
        IntFunction<Listening> at = rank -> rank < first.size() ? first.get(rank) : job.lateAt(rank);
        NetworkSettings settings = job.settings();
        return new Members(job.rank(), each(job, rank -> address(at.apply(rank), root)), each(job, job::hostOf),
                settings.secret().with(random.toByteArray()), settings.encrypted(),
                named ? each(job, rank -> at.apply(rank).name()) : List.of());
    }

    private static <T> List<T> each(NetworkJob job, IntFunction<T> of) {
        return new AbstractList<>() {
            @Override
            public T get(int rank) {
                return of.apply(rank);
            }

            @Override
            public int size() {
                return job.size();
            }
        };
    }

    /** Whether all ranks have a name, or none. */
    private static void checkNames(NetworkJob job, List<Listening> ranks, boolean named) {
        for (int rank = 0; rank < ranks.size(); rank++) {
            if (named && job.isDead(rank) && !job.settings().isLate()) {
                throw new FabricException(job.name(rank) + " is dead, and a world of libfabric needs an address of"
                        + " each rank", null);
            }
            if (ranks.get(rank).name().length > 0 != named && !job.isDead(rank)) {
                throw new FabricException(job.name(rank) + " uses another fabric than " + job.name(job.rank()) + ": "
                        + Fabrics.FABRIC + " must be the same for all ranks", null);
            }
        }
    }

    /** Where a rank listens; nowhere if it came later and is not known. */
    private static InetSocketAddress address(Listening one, InetAddress root) {
        try {
            return one == null ? new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)
                    : new InetSocketAddress(
                            one.address().length == 0 ? root : InetAddress.getByAddress(one.address()), one.port());
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
