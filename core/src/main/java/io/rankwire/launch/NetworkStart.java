package io.rankwire.launch;

import io.rankwire.launch.cluster.Launcher;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The ways in which a process becomes a rank that finds the others over the network: at an address that all know, or
 * through a card of rank 0 that a launcher or a program passes on.
 */
final class NetworkStart {
    /** The job that this process was the last member of, or null. */
    private static NetworkJob member;

    private NetworkStart() {}

    /** Finds the other ranks at a root that all know; returns when all are there. */
    static NetworkJob join(NetworkSettings settings) {
        boolean isRoot = settings.rank() == 0 && !settings.goesOn();
        return join(settings, isRoot ? Root.listen(settings, Root.NOBODY) : null, null, false);
    }

    /** Finds the other ranks through a launcher; returns when all are there. */
    static NetworkJob join(Launcher launcher, Map<String, String> environment) {
        try {
            NetworkSettings settings = NetworkSettings.of(environment, launcher.rank(), launcher.size());
            long deadline = System.nanoTime() + settings.startNs();
            return meet(settings, card -> launcher.share(card, deadline), launcher, launcher.name());
        } catch (RuntimeException e) {
            // The launcher ends this process then, which has to report its error before.
            ProcessJob.atExit(new Thread(() -> NetworkJob.abort(launcher, 1, e.getMessage()), "rankwire-abort"));
            throw e;
        }
    }

    /**
     * Makes this process a rank for a time; returns when all ranks are there.
     *
     * @param cards how ranks find each other, or null if the settings say that
     */
    static NetworkJob member(NetworkSettings settings, Job.Cards cards) {
        synchronized (NetworkStart.class) {
            NetworkJob before = member;
            if (before != null && !before.isReleased()) {
                throw new IllegalStateException("this process is rank " + before.rank() + " of a job of "
                        + before.size() + " already: it can be a member of another one when that world is closed");
            }
            if (before != null) {
                before.end();
            }
            member = cards != null ? meet(settings, cards, null, "the given exchange")
                    : join(settings, settings.rank() == 0 ? Root.listen(settings, Root.NOBODY) : null, null, true);
            return member;
        }
    }

    /** Rank 0 listens anywhere, and the others get its card. */
    private static NetworkJob meet(NetworkSettings settings, Job.Cards cards, Launcher launcher, String through) {
        ServerSocketChannel listening = settings.rank() == 0 ? Root.bind(settings) : null;
        Root root;
        NetworkSettings met;
        try {
            byte[] card = listening == null ? null : WireUp.card(settings, listening.socket().getLocalPort()).encode();
            met = settings.at(RootCard.decode(cards.share(card)));
            root = listening == null ? null : Root.serve(met, listening, Root.NOBODY);
        } catch (Exception e) {
            Root.close(listening);
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            String why = e instanceof SocketTimeoutException ? "not all ranks have joined within "
                    + settings.startSeconds() + " s; " + NetworkSettings.START_TIMEOUT + " sets another limit"
                    : e instanceof IOException ? e.getMessage() : e.toString();
            throw new IllegalStateException("rank " + settings.rank() + " of " + settings.size()
                    + " cannot find the others through " + through + ": " + why, e);
        }
        return join(met, root, launcher, launcher == null);
    }

    private static NetworkJob join(NetworkSettings given, Root root, Launcher launcher, boolean embedded) {
        NetworkSettings settings = root == null ? given : root.settings();
        StallRule rule = StallRule.ofProperties();
        long began = System.nanoTime();
        long deadline = began + settings.startNs();
        NetworkJob job;
        try {
            WireUp wireUp = new WireUp(settings, root == null ? null : root.address(), deadline);
            AtomicReference<WireUp.Placed> placed = new AtomicReference<>();
            OwnThread.run("rankwire-join", () -> placed.set(wireUp.run()));
            job = new NetworkJob(settings, root, wireUp.link(), placed.get(), launcher, embedded);
        } catch (RuntimeException e) {
            if (root != null) {
                root.finish();
            }
            throw e;
        }
        job.begin(rule, began);
        return job;
    }
}
