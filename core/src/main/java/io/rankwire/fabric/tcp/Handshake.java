package io.rankwire.fabric.tcp;

import io.rankwire.fabric.Secret;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The messages before the frames of a connection, which dialer and acceptor send in turn: hello, answer, commitment,
 * welcome. Both sides have proven that they know the secret of the job, and the numbers of their ranks, before either
 * believes another byte.
 */
final class Handshake {
    /** "rankwire" as a little-endian number. */
    private static final long MAGIC = 0x6572_6977_6B6E_6172L;
    static final int VERSION = 1;
    static final int HELLO = 48;
    static final int ANSWER = 16 + Secret.CHALLENGE + Secret.PROOF;
    static final int COMMITMENT = 16 + Secret.PROOF;
    static final int WELCOME = 16;
    static final int MOST = ANSWER + 64;
    /** Instead of a version in an answer: the acceptor is in another world of the job. */
    private static final int OTHER_WORLD = -1;

    private static final String DIALER = "rankwire tcp dialer";
    private static final String ACCEPTOR = "rankwire tcp acceptor";

    private final Secret secret;
    private final int self;
    private final int world;
    private final byte[] own = Secret.challenge();
    /** World, dialer, acceptor, attempt; then the challenges of both. */
    private byte[] names;
    private byte[] other;
    int attempt;
    /** Of the last commitment or welcome that was read. */
    long generation;
    long delivered;
    boolean isOtherWorld;

    Handshake(Secret secret, int self, int world) {
        this.secret = secret;
        this.self = self;
        this.world = world;
    }

    private static ByteBuffer message(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void name(int dialer, int acceptor) {
        names = message(16).putInt(world).putInt(dialer).putInt(acceptor).putInt(attempt).array();
    }

    ByteBuffer hello(int acceptor, int number) {
        attempt = number;
        name(self, acceptor);
        return message(HELLO).putLong(MAGIC).putInt(VERSION).putInt(0).put(names).put(own).flip();
    }

    /** Returns the rank that the dialer claims to have, or -1 for a stranger. */
    int readHello(ByteBuffer in, int ranks) {
        if (in.getLong() != MAGIC || in.getInt() != VERSION || in.getInt() != 0) {
            return -1;
        }
        isOtherWorld = in.getInt() != world;
        int dialer = in.getInt();
        int acceptor = in.getInt();
        attempt = in.getInt();
        other = new byte[Secret.CHALLENGE];
        in.get(other);
        name(dialer, self);
        return acceptor == self && dialer >= 0 && dialer < ranks && dialer != self ? dialer : -1;
    }

    ByteBuffer answer() {
        ByteBuffer out = message(ANSWER).putLong(MAGIC).putInt(isOtherWorld ? OTHER_WORLD : VERSION).putInt(0);
        byte[] proof = isOtherWorld ? new byte[Secret.PROOF] : secret.proof(ACCEPTOR, names, other, own);
        return out.put(own).put(proof).flip();
    }

    /** Returns null if the acceptor has proven itself, else what is wrong. */
    String readAnswer(ByteBuffer in) {
        long magic = in.getLong();
        int version = in.getInt();
        if (magic != MAGIC || in.getInt() != 0) {
            return "no rank answers at its address";
        }
        isOtherWorld = version == OTHER_WORLD;
        if (isOtherWorld) {
            return "it is in another world of the job";
        }
        if (version != VERSION) {
            return "it speaks version " + version + " of the protocol, this rank version " + VERSION;
        }
        other = new byte[Secret.CHALLENGE];
        in.get(other);
        byte[] proof = new byte[Secret.PROOF];
        in.get(proof);
        return secret.isProof(proof, ACCEPTOR, names, own, other) ? null : "it does not know the secret of the job";
    }

    ByteBuffer commitment(long number, long position) {
        byte[] state = message(16).putLong(number).putLong(position).array();
        return message(COMMITMENT).put(state).put(secret.proof(DIALER, names, own, other, state)).flip();
    }

    /** Whether the dialer has proven itself. */
    boolean readCommitment(ByteBuffer in) {
        byte[] state = new byte[16];
        in.get(state);
        byte[] proof = new byte[Secret.PROOF];
        in.get(proof);
        readWelcome(ByteBuffer.wrap(state).order(ByteOrder.LITTLE_ENDIAN));
        return secret.isProof(proof, DIALER, names, other, own, state);
    }

    static ByteBuffer welcome(long number, long position) {
        return message(WELCOME).putLong(number).putLong(position).flip();
    }

    void readWelcome(ByteBuffer in) {
        generation = in.getLong();
        delivered = in.getLong();
    }
}
