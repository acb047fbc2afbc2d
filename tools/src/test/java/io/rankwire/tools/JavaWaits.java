package io.rankwire.tools;

import java.io.IOException;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Selector;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.IntStream;

/** Ways of waiting for other threads of the same program, and for time to pass. */
final class JavaWaits {
    private JavaWaits() {}

    static void add() {
        threads();
        pools();
        timeLimits();
        locks();
        virtualThreads();
    }

    private static void threads() {
        WaitingPrograms.way("sleep", rank -> {
            rank.sleep();
            rank.send();
        });
        WaitingPrograms.way("compute", rank -> {
            long end = rank.deadline();
            double x = 0;
            while (rank.before(end)) {
                x = Math.sin(x + 1);
            }
            rank.send();
        });
        WaitingPrograms.way("yield", rank -> {
            long end = rank.deadline();
            while (rank.before(end)) {
                Thread.yield();
            }
            rank.send();
        });
        WaitingPrograms.way("spin", rank -> {
            boolean[] done = new boolean[1];
            rank.laterDo(() -> done[0] = true);
            while (!done[0]) {
                Thread.onSpinWait();
                synchronized (done) {
                    done.notifyAll();
                }
            }
            rank.send();
        });
        WaitingPrograms.way("threads that start the next and end", rank -> chain(rank, rank.deadline()));
        WaitingPrograms.way("join", rank -> {
            Thread other = Thread.ofPlatform().start(rank::sleep);
            other.join();
            rank.send();
        });
        WaitingPrograms.way("uncaught exception handler", rank -> {
            Thread dying = Thread.ofPlatform()
                    .uncaughtExceptionHandler((thread, thrown) -> rank.send())
                    .start(() -> {
                        rank.sleep();
                        throw new IllegalStateException("on purpose");
                    });
            dying.join();
        });
        WaitingPrograms.way("interrupted while it waits for ever", rank -> {
            Thread me = Thread.currentThread();
            rank.laterDo(me::interrupt);
            try {
                new LinkedBlockingQueue<Integer>().take();
            } catch (InterruptedException e) {
                rank.send();
            }
        });
        WaitingPrograms.way("a token through two threads", rank -> tokens(rank, 2));
        WaitingPrograms.way("a token through fifty threads", rank -> tokens(rank, 50));
        WaitingPrograms.way("garbage collected", rank -> {
            ReferenceQueue<Object> queue = new ReferenceQueue<>();
            PhantomReference<Object> gone = new PhantomReference<>(new Object(), queue);
            rank.laterDo(System::gc);
            if (queue.remove() == gone) {
                rank.send();
            }
        });
    }

    private static void chain(WaitingPrograms.Rank rank, long end) {
        Thread.ofPlatform().start(() -> {
            if (rank.before(end)) {
                chain(rank, end);
            } else {
                rank.send();
            }
        });
    }

    private static void tokens(WaitingPrograms.Rank rank, int count) {
        List<SynchronousQueue<Long>> queues =
                IntStream.range(0, count).mapToObj(i -> new SynchronousQueue<Long>()).toList();
        for (int i = 0; i < count; i++) {
            SynchronousQueue<Long> from = queues.get(i);
            SynchronousQueue<Long> to = queues.get((i + 1) % count);
            rank.thread(() -> {
                try {
                    for (long end = from.take(); ; end = from.take()) {
                        if (!rank.before(end)) {
                            rank.send();
                            return;
                        }
                        to.put(end);
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        try {
            queues.get(0).put(rank.deadline());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void pools() {
        WaitingPrograms.way("tasks of a pool, one after another", rank -> {
            try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
                long end = rank.deadline();
                while (rank.before(end)) {
                    pool.submit(() -> Math.sin(1)).get();
                }
                rank.send();
            }
        });
        WaitingPrograms.way("short tasks of a pool that sleep", rank -> {
            try (ExecutorService pool = Executors.newCachedThreadPool()) {
                long end = rank.deadline();
                while (rank.before(end)) {
                    pool.submit(() -> LockSupport.parkNanos(1000)).get();
                }
                rank.send();
            }
        });
        WaitingPrograms.way("parallel streams", rank -> {
            long end = rank.deadline();
            while (rank.before(end)) {
                IntStream.range(0, 1000).parallel().mapToDouble(Math::sin).sum();
            }
            rank.send();
        });
        WaitingPrograms.way("futures that hop over pools", rank -> {
            ExecutorService one = Executors.newSingleThreadExecutor(daemon());
            ExecutorService two = Executors.newSingleThreadExecutor(daemon());
            long end = rank.deadline();
            CompletableFuture<Void> hops = CompletableFuture.runAsync(() -> {}, one);
            while (rank.before(end)) {
                for (int i = 0; i < 100; i++) {
                    hops = hops.thenRunAsync(() -> {}, two).thenRunAsync(() -> {}, one);
                }
                hops.join();
            }
            hops.thenRunAsync(rank::send, two).join();
        });
        WaitingPrograms.way("scheduled executor", rank -> Executors.newScheduledThreadPool(1, daemon())
                .schedule(rank::send, rank.ms(), TimeUnit.MILLISECONDS));
        WaitingPrograms.way("scheduled at a fixed rate", rank -> {
            long end = rank.deadline();
            boolean[] sent = new boolean[1];
            Executors.newScheduledThreadPool(1, daemon()).scheduleAtFixedRate(() -> {
                if (!rank.before(end) && !sent[0]) {
                    sent[0] = true;
                    rank.send();
                }
            }, 0, 100, TimeUnit.MILLISECONDS);
        });
        WaitingPrograms.way("timer", rank -> new Timer(true).schedule(new TimerTask() {
            @Override
            public void run() {
                rank.send();
            }
        }, rank.ms()));
        WaitingPrograms.way("delayed executor", rank -> CompletableFuture.runAsync(
                rank::send, CompletableFuture.delayedExecutor(rank.ms(), TimeUnit.MILLISECONDS)));
        WaitingPrograms.way("future with a time-out", rank -> new CompletableFuture<Integer>()
                .completeOnTimeout(1, rank.ms(), TimeUnit.MILLISECONDS)
                .thenRun(rank::send));
        WaitingPrograms.way("future that fails by time-out", rank -> new CompletableFuture<Integer>()
                .orTimeout(rank.ms(), TimeUnit.MILLISECONDS)
                .whenComplete((value, thrown) -> rank.send()));
        WaitingPrograms.way("common pool", rank -> ForkJoinPool.commonPool().submit(() -> {
            rank.sleep();
            rank.send();
        }));
        WaitingPrograms.way("fork and join", rank -> {
            try (ForkJoinPool pool = new ForkJoinPool(2)) {
                pool.submit(() -> IntStream.range(0, 4).parallel().forEach(i -> rank.sleep())).join();
                rank.send();
            }
        });
        WaitingPrograms.way("publisher", rank -> {
            SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>();
            publisher.consume(item -> rank.send());
            rank.laterDo(() -> publisher.submit(1));
        });
    }

    private static ThreadFactory daemon() {
        return Thread.ofPlatform().daemon().factory();
    }

    private static void timeLimits() {
        WaitingPrograms.way("linked queue with a time limit", rank -> {
            new LinkedBlockingQueue<Integer>().poll(rank.ms(), TimeUnit.MILLISECONDS);
            rank.send();
        });
        WaitingPrograms.way("synchronous queue with a time limit", rank -> {
            new SynchronousQueue<Integer>().poll(rank.ms(), TimeUnit.MILLISECONDS);
            rank.send();
        });
        WaitingPrograms.way("object with a time limit", rank -> {
            Object lock = new Object();
            synchronized (lock) {
                lock.wait(rank.ms());
            }
            rank.send();
        });
        WaitingPrograms.way("join with a time limit", rank -> {
            Thread endless = Thread.ofPlatform().daemon().start(LockSupport::park);
            endless.join(rank.ms());
            rank.send();
        });
        WaitingPrograms.way("latch with a time limit", rank -> {
            new CountDownLatch(1).await(rank.ms(), TimeUnit.MILLISECONDS);
            rank.send();
        });
        WaitingPrograms.way("semaphore with a time limit", rank -> {
            new Semaphore(0).tryAcquire(rank.ms(), TimeUnit.MILLISECONDS);
            rank.send();
        });
        WaitingPrograms.way("barrier with a time limit", rank -> {
            try {
                new CyclicBarrier(2).await(rank.ms(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                rank.send();
            }
        });
        WaitingPrograms.way("phaser with a time limit", rank -> {
            try {
                Phaser phaser = new Phaser(1);
                phaser.awaitAdvanceInterruptibly(phaser.getPhase(), rank.ms(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                rank.send();
            }
        });
        WaitingPrograms.way("exchanger with a time limit", rank -> {
            try {
                new Exchanger<Integer>().exchange(1, rank.ms(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                rank.send();
            }
        });
        WaitingPrograms.way("condition with a time limit", rank -> {
            ReentrantLock lock = new ReentrantLock();
            lock.lock();
            try {
                lock.newCondition().await(rank.ms(), TimeUnit.MILLISECONDS);
            } finally {
                lock.unlock();
            }
            rank.send();
        });
        WaitingPrograms.way("parked with a time limit", rank -> {
            for (long end = rank.deadline(); rank.before(end); ) {
                LockSupport.parkNanos(50_000_000);
            }
            rank.send();
        });
        WaitingPrograms.way("parked until a time", rank -> {
            for (long end = rank.deadline(); rank.before(end); ) {
                LockSupport.parkUntil(System.currentTimeMillis() + 100);
            }
            rank.send();
        });
        WaitingPrograms.way("delay queue", rank -> {
            long end = rank.deadline();
            DelayQueue<Delayed> queue = new DelayQueue<>();
            queue.add(new Delayed() {
                @Override
                public long getDelay(TimeUnit unit) {
                    return unit.convert(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                }

                @Override
                public int compareTo(Delayed other) {
                    return 0;
                }
            });
            queue.take();
            rank.send();
        });
        WaitingPrograms.way("selector with a time limit", rank -> {
            try (Selector selector = Selector.open()) {
                selector.select(rank.ms());
            }
            rank.send();
        });
    }

    private static void locks() {
        WaitingPrograms.way("notified", rank -> {
            Object lock = new Object();
            boolean[] done = new boolean[1];
            rank.laterDo(() -> {
                synchronized (lock) {
                    done[0] = true;
                    lock.notifyAll();
                }
            });
            synchronized (lock) {
                while (!done[0]) {
                    lock.wait();
                }
            }
            rank.send();
        });
        WaitingPrograms.way("monitor that a sleeper holds", rank -> {
            Object lock = new Object();
            CountDownLatch held = new CountDownLatch(1);
            rank.thread(() -> {
                synchronized (lock) {
                    held.countDown();
                    rank.sleep();
                }
            });
            held.await();
            synchronized (lock) {
                rank.send();
            }
        });
        WaitingPrograms.way("lock that a sleeper holds", rank -> {
            ReentrantLock lock = new ReentrantLock();
            CountDownLatch held = new CountDownLatch(1);
            rank.thread(() -> {
                lock.lock();
                held.countDown();
                rank.sleep();
                lock.unlock();
            });
            held.await();
            lock.lock();
            rank.send();
        });
        WaitingPrograms.way("read lock behind a writer", rank -> {
            ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
            CountDownLatch held = new CountDownLatch(1);
            rank.thread(() -> {
                lock.writeLock().lock();
                held.countDown();
                rank.sleep();
                lock.writeLock().unlock();
            });
            held.await();
            lock.readLock().lock();
            rank.send();
        });
        WaitingPrograms.way("stamped lock", rank -> {
            StampedLock lock = new StampedLock();
            long stamp = lock.writeLock();
            rank.laterDo(() -> lock.unlockWrite(stamp));
            lock.readLock();
            rank.send();
        });
        WaitingPrograms.way("latch that a timer opens", rank -> {
            CountDownLatch latch = new CountDownLatch(1);
            new Timer(true).schedule(new TimerTask() {
                @Override
                public void run() {
                    latch.countDown();
                }
            }, rank.ms());
            latch.await();
            rank.send();
        });
    }

    private static void virtualThreads() {
        WaitingPrograms.way("virtual thread that sleeps", rank -> Thread.startVirtualThread(() -> {
            rank.sleep();
            rank.send();
        }));
        WaitingPrograms.way("virtual threads that hand on", rank -> {
            SynchronousQueue<Integer> queue = new SynchronousQueue<>();
            Thread.startVirtualThread(() -> {
                try {
                    queue.take();
                    rank.send();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            Thread.startVirtualThread(() -> {
                rank.sleep();
                queue.offer(1);
            });
        });
        WaitingPrograms.way("virtual thread that reads a socket", rank -> {
            ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            rank.later("exec 3<>/dev/tcp/127.0.0.1/" + server.getLocalPort() + "; echo x >&3");
            Thread.startVirtualThread(() -> {
                try (server; Socket socket = server.accept()) {
                    socket.getInputStream().read();
                    rank.send();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
        });
        WaitingPrograms.way("virtual threads one after another", rank -> {
            long end = rank.deadline();
            while (rank.before(end)) {
                Thread.startVirtualThread(() -> {}).join();
            }
            rank.send();
        });
        WaitingPrograms.way("executor of virtual threads", rank -> {
            try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
                pool.submit(rank::sleep).get();
                rank.send();
            }
        });
    }
}
