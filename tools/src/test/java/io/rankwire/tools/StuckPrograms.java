package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Datagram;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.Window;
import io.rankwire.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** Programs of two to four ranks that never end: each must be proven to be deadlocked, or reported. */
final class StuckPrograms {
    /** What one rank does. */
    @FunctionalInterface
    interface Body {
        void run(World world, Communicator all) throws Exception;
    }

    static final Map<String, Body> BODIES = new LinkedHashMap<>();

    private static final int LARGE = 4 << 20;

    private StuckPrograms() {}

    private static void stuck(String name, Body body) {
        if (BODIES.put(name, body) != null) {
            throw new IllegalStateException("two programs named " + name);
        }
    }

    /** Waits for the rank before it, which does the same. */
    private static void ring(Communicator all) {
        all.receive(new byte[8], (all.rank() + all.size() - 1) % all.size(), 7);
    }

    static {
        messages();
        collectives();
        windows();
        withOtherThreads();
    }

    private static void messages() {
        stuck("all receive", (world, all) -> ring(all));
        stuck("all send synchronously", (world, all) -> all.ssend(new byte[8], (all.rank() + 1) % all.size(), 7));
        stuck("all send much", (world, all) -> all.send(new byte[LARGE], (all.rank() + 1) % all.size(), 7));
        stuck("all probe", (world, all) -> all.probe(Communicator.ANY_SOURCE, 7));
        stuck("all probe for a message to take", (world, all) -> all.mprobe(Communicator.ANY_SOURCE, 7));
        stuck("any of two requests", (world, all) -> Request.awaitAny(
                all.irecv(new byte[1], Communicator.ANY_SOURCE, 1), all.irecv(new byte[1], 0, 2)));
        stuck("all of two requests", (world, all) -> {
            Request sent = all.isend(new byte[1], (all.rank() + 1) % all.size(), 1);
            Request.awaitAll(sent, all.irecv(new byte[1], Communicator.ANY_SOURCE, 2));
        });
        stuck("another tag", (world, all) -> {
            all.send(new byte[1], (all.rank() + 1) % all.size(), 1);
            all.receive(new byte[1], Communicator.ANY_SOURCE, 2);
        });
        stuck("one rank has ended", (world, all) -> {
            if (all.rank() != 1) {
                all.receive(new byte[1], 1, 7);
            }
        });
        stuck("a message to itself that it never sends", (world, all) -> all.receive(new byte[1], all.rank(), 7));
        stuck("persistent receive", (world, all) -> {
            Request request = all.receiveInit(new byte[8], 0, 8, Communicator.ANY_SOURCE, 7);
            request.start();
            request.await();
        });
        stuck("datagrams", (world, all) -> {
            try (Datagram socket = Datagram.open(world)) {
                socket.bind(3);
                socket.receiveFrom(new byte[8]);
            }
        });
        stuck("object", (world, all) -> all.receiveObject(String.class, Communicator.ANY_SOURCE, 7));
    }

    private static void collectives() {
        stuck("barrier without one", (world, all) -> {
            if (all.rank() != 1) {
                all.barrier();
            }
        });
        stuck("broadcast without its root", (world, all) -> {
            if (all.rank() != 0) {
                all.broadcast(new double[100], 0);
            }
        });
        stuck("large reduction without one", (world, all) -> {
            if (all.rank() != 0) {
                all.allreduce(new double[100_000], new double[100_000], Op.SUM);
            } else {
                all.receive(new byte[1], 1, 7);
            }
        });
        stuck("non-blocking barrier without one", (world, all) -> {
            if (all.rank() != 0) {
                all.ibarrier().await();
            }
        });
        stuck("split without one", (world, all) -> {
            if (all.rank() != 0) {
                all.split(0, 0);
            }
        });
        stuck("barriers of two communicators in different order", (world, all) -> {
            Communicator other = all.duplicate();
            (all.rank() == 0 ? other : all).barrier();
            (all.rank() == 0 ? all : other).barrier();
        });
    }

    private static void windows() {
        stuck("lock that is never given back", (world, all) -> {
            Window window = all.allocateWindow(64, 1);
            if (all.rank() == 0) {
                window.lock(Window.Lock.EXCLUSIVE, 1);
                all.send(new byte[1], 1, 1);
                all.receive(new byte[1], 1, 2);
            } else if (all.rank() == 1) {
                all.receive(new byte[1], 0, 1);
                window.lock(Window.Lock.EXCLUSIVE, 1);
            }
        });
        stuck("fence without one", (world, all) -> {
            Window window = all.allocateWindow(64, 1);
            if (all.rank() != 0) {
                window.fence();
            } else {
                all.receive(new byte[1], 1, 7);
            }
        });
        stuck("start without post", (world, all) -> {
            Window window = all.allocateWindow(64, 1);
            if (all.rank() == 0) {
                window.start(all.group().include(1));
                window.put(new byte[8], 1, 0);
                window.complete();
            } else {
                all.receive(new byte[1], 0, 7);
            }
        });
        stuck("post without start", (world, all) -> {
            Window window = all.allocateWindow(64, 1);
            if (all.rank() == 0) {
                window.post(all.group().include(1));
                window.await();
            } else {
                all.receive(new byte[1], 0, 7);
            }
        });
    }

    private static void withOtherThreads() {
        stuck("idle pool", (world, all) -> {
            ExecutorService pool = Executors.newFixedThreadPool(3);
            pool.submit(() -> 1).get();
            ring(all);
        });
        stuck("idle pool whose threads end after a while", (world, all) -> {
            ExecutorService pool = Executors.newCachedThreadPool();
            pool.submit(() -> 1).get();
            ring(all);
        });
        stuck("idle scheduled pool", (world, all) -> {
            Executors.newScheduledThreadPool(2).submit(() -> 1).get();
            ring(all);
        });
        stuck("idle common pool", (world, all) -> {
            IntStream.range(0, 1000).parallel().sum();
            CompletableFuture.runAsync(() -> {}).join();
            ring(all);
        });
        stuck("idle timer", (world, all) -> {
            new Timer(true);
            ring(all);
        });
        stuck("virtual threads that park", (world, all) -> {
            Thread.startVirtualThread(LockSupport::park);
            ring(all);
        });
        stuck("a thread behind a monitor of the one that waits", (world, all) -> {
            Object lock = new Object();
            synchronized (lock) {
                Thread.ofPlatform().start(() -> {
                    synchronized (lock) {
                        all.send(new byte[1], 0, 7);
                    }
                });
                ring(all);
            }
        });
        stuck("a thread behind a lock of the one that waits", (world, all) -> {
            ReentrantLock lock = new ReentrantLock();
            lock.lock();
            Thread.ofPlatform().start(lock::lock);
            ring(all);
        });
        stuck("a thread that joins the one that waits", (world, all) -> {
            Thread me = Thread.currentThread();
            Thread.ofPlatform().start(() -> {
                try {
                    me.join();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            ring(all);
        });
        stuck("a thread behind a latch", (world, all) -> {
            CountDownLatch latch = new CountDownLatch(1);
            Thread.ofPlatform().start(() -> {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            ring(all);
        });
        stuck("two threads that receive", (world, all) -> {
            Thread.ofPlatform().start(() -> all.receive(new byte[1], Communicator.ANY_SOURCE, 8));
            ring(all);
        });
        stuck("main waits for a thread that receives", (world, all) -> {
            Thread other = Thread.ofPlatform().start(() -> ring(all));
            other.join();
        });
        stuck("a virtual thread that receives", (world, all) -> Thread.startVirtualThread(() -> ring(all)).join());
        stuck("a thread that sleeps for ever", (world, all) -> {
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    Thread.sleep(Long.MAX_VALUE);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            ring(all);
        });
        stuck("a server that nobody calls", (world, all) -> {
            ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            Thread.ofPlatform().daemon().start(() -> {
                try (server) {
                    server.accept();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            ring(all);
        });
        stuck("one rank waits for a latch outside of any call", (world, all) -> {
            if (all.rank() == 0) {
                new CountDownLatch(1).await();
            }
            ring(all);
        });
    }

    /** Runs the program that the argument names. */
    static final class Main {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                BODIES.get(args[0]).run(world, world.communicator());
            }
        }
    }

    /** The same in a world inside of a program. */
    static final class Embedded {
        public static void main(String[] args) {
            try {
                World.run(2, world -> BODIES.get(args[0]).run(world, world.communicator()));
            } catch (RankwireException e) {
                // Threads that the program has left waiting would keep the process.
                System.err.println(e.getMessage());
                System.exit(35);
            }
        }
    }
}
