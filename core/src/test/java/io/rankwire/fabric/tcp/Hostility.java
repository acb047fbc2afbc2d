package io.rankwire.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.Secret;
import io.rankwire.memory.Rand;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/** What strangers may do to a socket at which ranks are expected. None of them is let in. */
public enum Hostility {
    /** Connects and says nothing. */
    SILENT,
    /** Connects and closes the connection at once, as those that look for open ports. */
    GONE,
    /** The same with a reset. */
    RESET,
    /** Sends random bytes. */
    GARBAGE,
    /** Speaks another protocol. */
    FOREIGN,
    /** Sends a part of a right hello, and ends. */
    TRUNCATED,
    /** Sends a part of a right hello, and waits. */
    SLOW,
    /** Sends a right hello and much more. */
    OVERSIZED,
    /** Sends a hello of another version. */
    OTHER_VERSION,
    /** Proves another secret. */
    OTHER_SECRET,
    /** Sends back the proof that it gets. */
    REFLECTED,
    /** Sends what a rank has sent over another connection. */
    REPLAYED;

    /** Most connections that wait at a time. */
    private static final int HELD = 200;
    private static final Secret WRONG = new Secret("not the secret of the job".getBytes(StandardCharsets.UTF_8));

    /** The beginning of a connection that a rank would make. */
    public interface Dialed {
        byte[] hello();

        /** What follows the answer. */
        byte[] proof(byte[] answer);
    }

    /** What a socket expects. */
    public interface Protocol {
        /** Where the version is in a hello: the lowest byte of it. */
        int versionAt();

        int answerBytes();

        Dialed dial(Secret secret);

        /** What the side that accepts answers. */
        byte[] answer(Secret secret, byte[] hello);

        /** The proof in the place of that of a rank, with the proof that has come in an answer. */
        byte[] reflected(byte[] answer);
    }

    /** Connections that wait for their end. */
    public static final class Held implements AutoCloseable {
        private final Queue<Socket> sockets = new ArrayDeque<>();

        private void add(Socket socket) throws IOException {
            sockets.add(socket);
            if (sockets.size() > HELD) {
                sockets.remove().close();
            }
        }

        @Override
        public void close() throws IOException {
            for (Socket each : sockets) {
                each.close();
            }
        }
    }

    /**
     * Makes one connection, and checks that it gets no further than to an answer.
     *
     * @param secret that of the job: strangers do not know it, but may have seen what ranks send
     */
    public void attack(InetSocketAddress at, Protocol protocol, Secret secret, Rand rand, Held held)
            throws IOException {
        Socket socket = new Socket(at.getAddress(), at.getPort());
        Dialed own = protocol.dial(this == OTHER_SECRET ? WRONG : secret);
        byte[] hello = own.hello();
        switch (this) {
            case SILENT -> {
                held.add(socket);
                return;
            }
            case SLOW -> {
                socket.getOutputStream().write(hello, 0, 1 + rand.below(hello.length - 1));
                held.add(socket);
                return;
            }
            case RESET -> socket.setSoLinger(true, 0);
            default -> { }
        }
        try (socket) {
            int come = this == GONE || this == RESET ? 0 : talk(socket, protocol, own, hello, secret, rand);
            assertTrue(come <= protocol.answerBytes(), () -> this + " was let in: " + come + " bytes came");
        } catch (IOException e) {
            // It was dropped while it wrote or read.
        }
    }

    /** Returns how many bytes have come until the other side has ended the connection. */
    private int talk(Socket socket, Protocol protocol, Dialed own, byte[] hello, Secret secret, Rand rand)
            throws IOException {
        OutputStream out = socket.getOutputStream();
        InputStream in = socket.getInputStream();
        int before = 0;
        switch (this) {
            case GARBAGE -> out.write(random(rand, 100 + rand.below(5_000)));
            case FOREIGN -> out.write(("GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: a program that looks for"
                    + " servers\r\nAccept: */*\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            case TRUNCATED -> {
                out.write(hello, 0, 1 + rand.below(hello.length - 1));
                socket.shutdownOutput();
            }
            case OVERSIZED -> {
                out.write(hello);
                out.write(random(rand, 100_000));
            }
            case OTHER_VERSION -> {
                hello[protocol.versionAt()]++;
                out.write(hello);
            }
            case REPLAYED -> {
                out.write(hello);
                out.write(own.proof(protocol.answer(secret, hello)));
            }
            default -> {
                out.write(hello);
                byte[] answer = in.readNBytes(protocol.answerBytes());
                before = answer.length;
                if (before == protocol.answerBytes()) {
                    out.write(this == REFLECTED ? protocol.reflected(answer) : own.proof(answer));
                }
            }
        }
        return before + in.readAllBytes().length;
    }

    private static byte[] random(Rand rand, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) rand.below(256);
        }
        return bytes;
    }

    /** The protocol of ports: a stranger that says it is one rank, to another. */
    public static Protocol ofPorts(int dialer, int acceptor) {
        return new Protocol() {
            @Override
            public int versionAt() {
                return 8;
            }

            @Override
            public int answerBytes() {
                return Handshake.ANSWER;
            }

            @Override
            public Dialed dial(Secret secret) {
                Handshake handshake = new Handshake(LoopbackRanks.somewhere(dialer, secret), 0);
                return new Dialed() {
                    @Override
                    public byte[] hello() {
                        return bytes(handshake.hello(acceptor, 1));
                    }

                    @Override
                    public byte[] proof(byte[] answer) {
                        handshake.readAnswer(Handshake.message(answer.length).put(answer).flip());
                        return bytes(handshake.commitment(1, 0));
                    }
                };
            }

            @Override
            public byte[] answer(Secret secret, byte[] hello) {
                Handshake handshake = new Handshake(LoopbackRanks.somewhere(acceptor, secret), 0);
                handshake.readHello(Handshake.message(hello.length).put(hello).flip(), 2);
                return bytes(handshake.answer());
            }

            @Override
            public byte[] reflected(byte[] answer) {
                byte[] commitment = new byte[Handshake.COMMITMENT];
                System.arraycopy(answer, answer.length - Secret.PROOF, commitment, 16, Secret.PROOF);
                return commitment;
            }
        };
    }

    private static byte[] bytes(ByteBuffer message) {
        return Arrays.copyOf(message.array(), message.limit());
    }
}
