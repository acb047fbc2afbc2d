package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Datagram;
import io.rankwire.Request;
import io.rankwire.World;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/**
 * Right programs that look stuck for a while: rank 1 waits for rank 0, rank 0 waits for rank 1, and what lets them go
 * on is a thread, a process, a signal or a timer that {@link #WAYS} name. None may be ended.
 */
final class WaitingPrograms {
    private static final int FIRST = 1;
    private static final int SECOND = 2;
    private static final int OTHER = 3;

    /** Waits some time in its own way and then has the message sent that lets everything go on. */
    @FunctionalInterface
    interface Way {
        void take(Rank rank) throws Exception;
    }

    /** What a way of waiting may use: rank 0 of two. */
    record Rank(Communicator all, World world, long ms) {
        void send() {
            all.send(new byte[1], 1, FIRST);
        }

        long deadline() {
            return System.nanoTime() + ms * 1_000_000;
        }

        boolean before(long deadline) {
            return System.nanoTime() - deadline < 0;
        }

        void sleep() {
            try {
                Thread.sleep(ms);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Has a shell act after the time, from outside of this process. */
        Process later(String command) throws IOException {
            return new ProcessBuilder("bash", "-c", "sleep " + ms / 1000.0 + "; " + command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        }

        void thread(Runnable body) {
            Thread.ofPlatform().daemon().start(body);
        }

        void laterDo(Runnable body) {
            thread(() -> {
                sleep();
                body.run();
            });
        }
    }

    static final Map<String, Way> WAYS = new LinkedHashMap<>();

    private WaitingPrograms() {}

    static void way(String name, Way way) {
        if (WAYS.put(name, way) != null) {
            throw new IllegalStateException("two ways named " + name);
        }
    }

    /** Threads of the program around the world, made before it. */
    private static ExecutorService outer;
    private static final SynchronousQueue<Runnable> FEED = new SynchronousQueue<>();

    static {
        JavaWaits.add();
        OutsideWaits.add();
        callsOfOurs();
        names();
        way("pool of the surrounding program", rank -> outer.submit(() -> {
            rank.sleep();
            rank.send();
        }));
        way("tasks of a pool of the surrounding program", rank -> {
            long end = rank.deadline();
            while (rank.before(end)) {
                outer.submit(() -> Math.sin(1)).get();
            }
            rank.send();
        });
        way("fed by a thread outside of the world", rank -> {
            FEED.put(rank::sleep);
            FEED.take().run();
            rank.send();
        });
    }

    private static void startOuterThreads() {
        ThreadFactory daemons = Thread.ofPlatform().daemon().factory();
        outer = Executors.newFixedThreadPool(2, daemons);
        daemons.newThread(() -> {
            try {
                FEED.take().run();
                FEED.put(() -> {});
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }).start();
    }

    private static void callsOfOurs() {
        way("probes", rank -> {
            long end = rank.deadline();
            while (rank.before(end)) {
                rank.all().iprobe(1, OTHER);
            }
            rank.send();
        });
        way("probes with pauses", rank -> {
            long end = rank.deadline();
            while (rank.before(end)) {
                rank.all().iprobe(1, OTHER);
                LockSupport.parkNanos(100_000);
            }
            rank.send();
        });
        way("tests of a request", rank -> {
            Request request = rank.all().irecv(new byte[1], 0, OTHER);
            long end = rank.deadline();
            while (rank.before(end)) {
                request.test();
            }
            rank.send();
            rank.all().send(new byte[1], 0, OTHER);
            request.await();
        });
        way("tests of any request", rank -> {
            Request[] requests = {rank.all().irecv(new byte[1], 0, OTHER)};
            long end = rank.deadline();
            while (rank.before(end)) {
                Request.testAny(requests);
            }
            rank.send();
            rank.all().send(new byte[1], 0, OTHER);
            requests[0].await();
        });
        way("datagrams looked for", rank -> {
            try (Datagram socket = Datagram.open(rank.world())) {
                socket.bind(1);
                byte[] buffer = new byte[8];
                long end = rank.deadline();
                while (rank.before(end)) {
                    socket.tryReceiveFrom(buffer);
                }
                rank.send();
            }
        });
        way("a datagram awaited for some time", rank -> {
            try (Datagram socket = Datagram.open(rank.world(), 1, 1, 8)) {
                socket.receiveTimeout(Duration.ofMillis(rank.ms()));
                socket.receiveFrom(new byte[8]);
                rank.send();
            }
        });
        way("messages to itself", rank -> {
            long end = rank.deadline();
            byte[] word = new byte[8];
            while (rank.before(end)) {
                Request sent = rank.all().isend(word, 0, OTHER);
                rank.all().receive(word, 0, OTHER);
                sent.await();
            }
            rank.send();
        });
        way("a receive that another thread ends", rank -> {
            rank.laterDo(() -> rank.all().send(new byte[1], 0, OTHER));
            rank.all().receive(new byte[1], 0, OTHER);
            rank.send();
        });
    }

    private static void names() {
        for (String name : List.of("JFR Periodic Tasks", "rankwire-watch", "rankwire-progress-0", "Read-Poller",
                "Common-Cleaner", "GC Thread#0", "process reaper", "ForkJoinPool-1-worker-1", "DestroyJavaVM")) {
            way("thread called " + name, rank -> named(null, name, rank));
        }
        way("thread of the system's group", rank -> named(top(), "worker", rank));
        way("thread of the system's group called Signal Dispatcher", rank -> named(top(), "Signal Dispatcher", rank));
        way("thread with lines in its name", rank ->
                named(null, "x\"\n\"VM Thread\" os_prio=0 nid=1 runnable\n", rank));
    }

    private static ThreadGroup top() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    private static void named(ThreadGroup group, String name, Rank rank) {
        Thread thread = new Thread(group, () -> {
            rank.sleep();
            rank.send();
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits in the way that the first argument names, for as many milliseconds as the second says. */
    static final class Main {
        public static void main(String[] args) throws Exception {
            startOuterThreads();
            try (World world = World.join()) {
                goOnLater(world, args[0], Long.parseLong(args[1]));
            }
        }
    }

    /** The same in a world inside of a program. */
    static final class Embedded {
        public static void main(String[] args) {
            startOuterThreads();
            World.run(2, world -> goOnLater(world, args[0], Long.parseLong(args[1])));
        }
    }

    static void goOnLater(World world, String name, long ms) throws Exception {
        Communicator all = world.communicator();
        byte[] word = new byte[1];
        if (all.rank() == 0) {
            Way way = WAYS.get(name);
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    way.take(new Rank(all, world, ms));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            all.receive(word, 1, SECOND);
            System.out.println("went on");
        } else if (all.rank() == 1) {
            all.receive(word, 0, FIRST);
            all.send(word, 0, SECOND);
        }
    }
}
