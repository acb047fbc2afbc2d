package io.rankwire.fabric.tcp;

import io.rankwire.memory.Rand;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes connections on to a rank, and resets, closes or stalls each of them after some bytes. */
class Relay implements AutoCloseable {
    private static final int STALL_MS = 20;

    private final ServerSocket listening;
    private final InetSocketAddress to;
    private final Rand rand;
    /** Most bytes of a connection in one direction before something happens to it; 0 for nothing. */
    private final int mostBytes;
    private final List<Socket> sockets = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    final AtomicInteger cuts = new AtomicInteger();
    volatile boolean isCalm;
    private boolean isClosed;

    Relay(InetSocketAddress to, long seed, int mostBytes) throws IOException {
        this.to = to;
        this.rand = new Rand(seed);
        this.mostBytes = mostBytes;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** From now on connections go on as they are. */
    void calm() {
        isCalm = true;
    }

    private synchronized void start(Runnable work) {
        Thread thread = new Thread(work, "relay");
        threads.add(thread);
        thread.start();
    }

    final synchronized int below(int bound) {
        return rand.below(bound);
    }

    private synchronized boolean keep(Socket socket) throws IOException {
        if (isClosed) {
            socket.close();
        }
        sockets.add(socket);
        return !isClosed;
    }

    private void accept() {
        try {
            while (true) {
                Socket near = listening.accept();
                Socket far = new Socket(to.getAddress(), to.getPort());
                if (keep(near) & keep(far)) {
                    start(() -> pass(near, far, true));
                    start(() -> pass(far, near, false));
                }
            }
        } catch (IOException e) {
            // The relay is closed.
        }
    }

    /** Passes on what comes in one direction, and closes both at the end. */
    void pass(Socket from, Socket to, boolean ofDialer) {
        byte[] bytes = new byte[16 << 10];
        int left = 1 + below(mostBytes);
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count; (count = in.read(bytes)) >= 0; ) {
                int passed = isCalm ? count : Math.min(count, left);
                out.write(bytes, 0, passed);
                left -= passed;
                if (left == 0 && !isCalm) {
                    left = 1 + below(mostBytes);
                    if (below(3) == 0) {
                        Thread.sleep(below(STALL_MS));
                        out.write(bytes, passed, count - passed);
                    } else {
                        cuts.incrementAndGet();
                        from.setSoLinger(below(2) == 0, 0);
                        to.setSoLinger(below(2) == 0, 0);
                        break;
                    }
                }
            }
        } catch (IOException | InterruptedException e) {
            // The other direction has ended.
        } finally {
            close(from);
            close(to);
        }
    }

    static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        List<Thread> all;
        synchronized (this) {
            isClosed = true;
            sockets.forEach(Relay::close);
            all = List.copyOf(threads);
        }
        try {
            for (Thread thread : all) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
