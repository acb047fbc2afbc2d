package io.rankwire.tools;

import java.io.File;
import java.io.FileInputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.time.Duration;
import jdk.jfr.consumer.RecordingStream;

/** Ways of waiting for what comes from outside of the program, or from outside of Java. */
final class OutsideWaits {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private OutsideWaits() {}

    static void add() {
        processesAndFiles();
        sockets();
        outsideOfJava();
    }

    private static void processesAndFiles() {
        WaitingPrograms.way("child process", rank -> {
            rank.later("true").waitFor();
            rank.send();
        });
        WaitingPrograms.way("end of a child process", rank -> rank.later("true").onExit().thenRun(rank::send));
        WaitingPrograms.way("output of a child process", rank -> {
            rank.later("echo x").getInputStream().read();
            rank.send();
        });
        WaitingPrograms.way("watched directory", rank -> {
            Path directory = Files.createTempDirectory("rankwire-test");
            try (var watch = directory.getFileSystem().newWatchService()) {
                directory.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
                rank.later("touch " + directory + "/x");
                watch.take();
            }
            for (File file : directory.toFile().listFiles()) {
                file.delete();
            }
            Files.delete(directory);
            rank.send();
        });
        WaitingPrograms.way("standard input", rank -> {
            System.in.read();
            rank.send();
        });
        WaitingPrograms.way("named pipe", rank -> {
            Path pipe = Files.createTempFile("rankwire-test", "pipe");
            Files.delete(pipe);
            new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
            rank.later("echo x > " + pipe);
            try (FileInputStream in = new FileInputStream(pipe.toFile())) {
                in.read();
            }
            Files.delete(pipe);
            rank.send();
        });
    }

    private static void sockets() {
        WaitingPrograms.way("accepting socket", rank -> {
            try (ServerSocket server = new ServerSocket(0, 1, LOOPBACK)) {
                rank.later("exec 3<>/dev/tcp/127.0.0.1/" + server.getLocalPort());
                server.accept().close();
                rank.send();
            }
        });
        WaitingPrograms.way("asynchronous channel", rank -> {
            try (var server = AsynchronousServerSocketChannel.open().bind(new InetSocketAddress(LOOPBACK, 0))) {
                int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
                rank.later("exec 3<>/dev/tcp/127.0.0.1/" + port);
                server.accept().get().close();
                rank.send();
            }
        });
        WaitingPrograms.way("selector", rank -> {
            try (Selector selector = Selector.open();
                    ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(LOOPBACK, 0))) {
                server.configureBlocking(false);
                server.register(selector, SelectionKey.OP_ACCEPT);
                rank.later("exec 3<>/dev/tcp/127.0.0.1/" + server.socket().getLocalPort());
                selector.select();
                rank.send();
            }
        });
        WaitingPrograms.way("datagram socket", rank -> {
            try (DatagramSocket socket = new DatagramSocket(0, LOOPBACK)) {
                rank.later("echo x > /dev/udp/127.0.0.1/" + socket.getLocalPort());
                socket.receive(new DatagramPacket(new byte[8], 8));
                rank.send();
            }
        });
    }

    private static void outsideOfJava() {
        WaitingPrograms.way("stream of flight events", rank -> {
            RecordingStream stream = new RecordingStream();
            long end = rank.deadline();
            boolean[] sent = new boolean[1];
            stream.enable("jdk.CPULoad").withPeriod(Duration.ofMillis(200));
            stream.onEvent("jdk.CPULoad", event -> {
                if (!rank.before(end) && !sent[0]) {
                    sent[0] = true;
                    rank.send();
                    rank.thread(stream::close);
                }
            });
            stream.startAsync();
        });
        WaitingPrograms.way("signal handler", rank -> onSignal("USR2", rank));
        WaitingPrograms.way("handler of a signal that the JVM handles too", rank -> onSignal("HUP", rank));
        WaitingPrograms.way("call from native code", OutsideWaits::nativeTimer);
    }

    /** By reflection, since the compiler warns of these classes and warnings are errors here. */
    private static void onSignal(String name, WaitingPrograms.Rank rank) throws Exception {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        InvocationHandler send = (self, call, args) -> {
            rank.send();
            return null;
        };
        Object sends = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, send);
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), sends);
        rank.later("kill -" + name + " " + ProcessHandle.current().pid());
    }

    /** A timer of the C library: a thread that Java knows nothing of calls back when it is over. */
    @SuppressWarnings("restricted")
    private static void nativeTimer(WaitingPrograms.Rank rank) throws Exception {
        Linker linker = Linker.nativeLinker();
        MemorySegment callback = linker.upcallStub(
                MethodHandles.dropArguments(MethodHandles.lookup()
                        .findVirtual(WaitingPrograms.Rank.class, "send", MethodType.methodType(void.class))
                        .bindTo(rank), 0, MemorySegment.class),
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS),
                Arena.global());
        MemorySegment event = Arena.global().allocate(64, 8);
        event.set(ValueLayout.JAVA_INT, 12, 2);
        event.set(ValueLayout.ADDRESS, 16, callback);
        MemorySegment timer = Arena.global().allocate(8, 8);
        MemorySegment time = Arena.global().allocate(32, 8);
        time.set(ValueLayout.JAVA_LONG, 16, rank.ms() / 1000);
        time.set(ValueLayout.JAVA_LONG, 24, rank.ms() % 1000 * 1_000_000);
        try {
            var create = linker.downcallHandle(linker.defaultLookup().findOrThrow("timer_create"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
            var set = linker.downcallHandle(linker.defaultLookup().findOrThrow("timer_settime"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT,
                            ValueLayout.ADDRESS, ValueLayout.ADDRESS));
            int made = (int) create.invokeExact(1, event, timer);
            int begun = (int) set.invokeExact(
                    timer.get(ValueLayout.ADDRESS, 0), 0, time, MemorySegment.NULL);
            if (made != 0 || begun != 0) {
                throw new IllegalStateException("the C library has made no timer");
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
