package io.rankwire.launch;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Secret;
import io.rankwire.launch.ControlMessage.Arrival;
import io.rankwire.launch.ControlMessage.Directory;
import io.rankwire.launch.ControlMessage.Listening;
import io.rankwire.launch.ControlMessage.LookFor;
import io.rankwire.launch.ControlMessage.Looked;
import io.rankwire.launch.ControlMessage.MakeDirectory;
import io.rankwire.launch.ControlMessage.Refusal;
import io.rankwire.launch.ControlMessage.Seat;
import io.rankwire.launch.ControlMessage.Table;
import java.io.EOFException;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The start of one rank: it finds the root, and gets its place among the ranks of its host and the table of all. */
final class WireUp {
    /** The place of a rank. */
    record Placed(JobDirectory directory, Board board, List<Seat> seats) {}

    private final NetworkSettings settings;
    private final InetSocketAddress known;
    private final long deadlineNs;
    private RootLink link;
    private JobDirectory made;

    /**
     * @param known where the root is, for rank 0 itself; else null
     * @param deadlineNs until when the root is looked for
     */
    WireUp(NetworkSettings settings, InetSocketAddress known, long deadlineNs) {
        this.settings = settings;
        this.known = known;
        this.deadlineNs = deadlineNs;
    }

    RootLink link() {
        return link;
    }

    /**
     * Returns when all ranks are there.
     *
     * @throws IllegalStateException with one sentence for the user when that does not come to be
     */
    Placed run() {
        // The root's own limit began at another time, and it knows more about the reason.
        long patience = deadlineNs + settings.startNs();
        while (true) {
            String cause;
            link = RootLink.connect(settings, known, deadlineNs);
            try {
                return takePlace(patience);
            } catch (SocketTimeoutException e) {
                giveUp();
                throw RootLink.unreachable(settings, "it does not answer any more");
            } catch (EOFException e) {
                cause = "it dropped the connection";
            } catch (IOException e) {
                cause = e.getMessage();
            } catch (RuntimeException e) {
                giveUp();
                throw e;
            }
            giveUp();
            if (System.nanoTime() - deadlineNs >= 0) {
                throw RootLink.unreachable(settings, cause);
            }
        }
    }

    private void giveUp() {
        link.close();
        if (made != null) {
            made.delete();
            made = null;
        }
    }

    private Placed takePlace(long patienceNs) throws IOException {
        HostIdentity here = HostIdentity.here(settings.host());
        link.send(new Arrival(here.name(), here.mark(), ProcessHandle.current().pid()));
        while (true) {
            ControlMessage message = link.next(patienceNs);
            if (message instanceof MakeDirectory) {
                link.send(makeDirectory());
            } else if (message instanceof LookFor(String path)) {
                link.send(new Looked(sees(path)));
            } else if (message instanceof Refusal(String reason)) {
                throw new IllegalStateException("rank " + settings.rank() + ": " + reason);
            } else if (message instanceof Table(String path, List<Seat> seats)) {
                JobDirectory directory = JobDirectory.at(Path.of(path));
                return new Placed(directory, ProcessJob.boardOf(directory, settings.size()), seats);
            }
        }
    }

    private Directory makeDirectory() {
        try {
            Path root = JobDirectory.root();
            JobDirectory.sweep(root);
            made = JobDirectory.create(root);
            made.createBoard(settings.places(), settings.size());
            if (settings.goesOn()) {
                made.openBoard().failures().goOn();
            }
            return new Directory(made.path().toString(), "");
        } catch (IOException e) {
            return new Directory("", e.getMessage());
        }
    }

    /** Whether the directory that another rank has made is one that this rank can use. */
    private boolean sees(String path) {
        try {
            JobDirectory directory = JobDirectory.at(Path.of(path));
            return Files.isDirectory(directory.path()) && JobDirectory.isMine(directory.path())
                    && directory.openBoard().size() == settings.places();
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /**
     * Opens what other ranks connect to, where they can reach it.
     *
     * @param oneHost whether all ranks are on this host
     */
    static RankSocket listen(NetworkSettings settings, RootLink link, boolean oneHost) {
        InetAddress own = link.ownAddress();
        if (!settings.choosesAddress()) {
            return settings.ports().bind(settings.fabric(), reached(settings, own, oneHost));
        }
        InetAddress chosen = settings.address(own);
        if (chosen.isLoopbackAddress() && !oneHost && !link.rootAddress().isLoopbackAddress()) {
            throw new FabricException((settings.interfaceName() != null ? LocalAddresses.INTERFACE
                    : LocalAddresses.SUBNET) + " chooses " + chosen.getHostAddress()
                    + ", which ranks on other hosts cannot reach; this host has "
                    + LocalAddresses.describe(LocalAddresses.all()), null);
        }
        return settings.ports().bind(settings.fabric(), chosen);
    }

    /** Where others may reach this rank; null for all addresses of this host. */
    private static InetAddress reached(NetworkSettings settings, InetAddress own, boolean oneHost) {
        // A rank that reaches a named root by loopback is on its host, which others reach by another address.
        boolean isHidden = settings.isByName() && own.isLoopbackAddress();
        return Fabrics.isOfi(settings.fabric()) ? ofOneVersion(LocalAddresses.all(), own, isHidden, oneHost)
                : isHidden ? null : own;
    }

    /**
     * The address of a rank on a network whose names have one version of addresses: 4 wherever that is there, although
     * ranks may have found the root by addresses of either version.
     *
     * @param own the address by which this rank has found the root
     * @param isHidden whether other hosts do not reach that
     */
    static InetAddress ofOneVersion(List<LocalAddresses.Candidate> all, InetAddress own, boolean isHidden,
            boolean oneHost) {
        if (oneHost) {
            return InetAddress.getLoopbackAddress();
        }
        if (own instanceof Inet4Address && !isHidden) {
            return own;
        }
        String interfaceName = all.stream().filter(each -> each.address().equals(own)).findFirst()
                .map(LocalAddresses.Candidate::of).orElse(null);
        InetAddress first = null;
        for (LocalAddresses.Candidate each : all) {
            boolean suits = isHidden ? !each.address().isLoopbackAddress() : each.of().equals(interfaceName);
            if (suits && each.address() instanceof Inet4Address) {
                return each.address();
            }
            first = suits && first == null ? each.address() : first;
        }
        return isHidden && first != null ? first : own;
    }

    /** Describes the root that listens at this port of this host: by the chosen address, or by all. */
    static RootCard card(NetworkSettings settings, int port) {
        List<InetAddress> addresses = settings.choosesAddress()
                ? List.of(settings.address(InetAddress.getLoopbackAddress()))
                : LocalAddresses.all().stream().map(LocalAddresses.Candidate::address).toList();
        return RootCard.of(HostIdentity.here(settings.host()).name(), port,
                addresses.isEmpty() ? List.of(InetAddress.getLoopbackAddress()) : addresses);
    }

    /** What other ranks need to know about it. */
    static Listening listening(int world, RankSocket socket) {
        InetAddress at = socket.address().getAddress();
        return new Listening(world, at.isAnyLocalAddress() ? new byte[0] : at.getAddress(), socket.address().getPort(),
                Secret.challenge(), socket.name());
    }
}
