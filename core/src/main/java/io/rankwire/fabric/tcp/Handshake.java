package io.rankwire.fabric.tcp;

import io.rankwire.fabric.Members;
import io.rankwire.fabric.Seal;
import io.rankwire.fabric.Secret;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The messages before the frames of a connection, which dialer and acceptor send in turn: hello, answer, commitment,
 * welcome. Both sides have proven that they know the secret of the job, and the numbers of their ranks, before either
 * believes another byte. A proof covers all that both have said, and is good for one side of one connection.
 */
final class Handshake {
    /** "rankwire" as a little-endian number. */
    private static final long MAGIC = 0x6572_6977_6B6E_6172L;
    static final int VERSION = 2;
    static final int HELLO = 48;
    static final int ANSWER = 16 + Secret.CHALLENGE + Secret.PROOF;
    static final int COMMITMENT = 16 + Secret.PROOF;
    static final int WELCOME = 16 + Secret.PROOF;
    static final int MOST = ANSWER + 64;
    /** Instead of a version in an answer: the acceptor is in another world of the job. */
    private static final int OTHER_WORLD = -1;
    /** The same: one of both encrypts, and the other does not. */
    private static final int OTHER_MODE = -2;

    private static final String DIALER = "rankwire tcp dialer";
    private static final String ACCEPTOR = "rankwire tcp acceptor";
    private static final String WELCOMING = "rankwire tcp welcome";
    private static final String OF_DIALER = "rankwire tcp dialer to acceptor";
    private static final String OF_ACCEPTOR = "rankwire tcp acceptor to dialer";

    private final Secret secret;
    private final int self;
    private final int world;
    /** 1 if frames are encrypted, else 0. */
    private final int mode;
    private final byte[] own = Secret.challenge();
    /** Version, mode, world, dialer, acceptor, attempt; then the challenges of both. */
    private byte[] names;
    private byte[] other;
    int attempt;
    /** Of the last commitment or welcome that was read. */
    long generation;
    long delivered;
    boolean isOtherWorld;
    private boolean isOtherMode;

    Handshake(Members members, int world) {
        this.secret = members.secret();
        this.self = members.self();
        this.world = world;
        this.mode = members.encrypted() ? 1 : 0;
    }

    /** Whether the answer to the hello says why there will be no connection. */
    boolean isRefusal() {
        return isOtherWorld || isOtherMode;
    }

    static ByteBuffer message(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void name(int dialer, int acceptor) {
        names = message(24).putInt(VERSION).putInt(mode).putInt(world).putInt(dialer).putInt(acceptor).putInt(attempt)
                .array();
    }

    ByteBuffer hello(int acceptor, int number) {
        attempt = number;
        name(self, acceptor);
        return message(HELLO).putLong(MAGIC).put(names).put(own).flip();
    }

    /** Returns the rank that the dialer claims to have, or -1 for a stranger. */
    int readHello(ByteBuffer in, int ranks) {
        if (in.getLong() != MAGIC || in.getInt() != VERSION) {
            return -1;
        }
        isOtherMode = in.getInt() != mode;
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
        int version = isOtherWorld ? OTHER_WORLD : isOtherMode ? OTHER_MODE : VERSION;
        ByteBuffer out = message(ANSWER).putLong(MAGIC).putInt(version).putInt(0);
        byte[] proof = isRefusal() ? new byte[Secret.PROOF] : secret.proof(ACCEPTOR, names, other, own);
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
        if (version == OTHER_MODE) {
            return "it " + (mode == 1 ? "does not encrypt, and this rank does" : "encrypts, and this rank does not")
                    + ": RANKWIRE_ENCRYPT must be the same for all ranks";
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
        return secret.isProof(proof, DIALER, names, other, own, state) && read(state);
    }

    ByteBuffer welcome(long number, long position) {
        byte[] state = message(16).putLong(number).putLong(position).array();
        return message(WELCOME).put(state).put(secret.proof(WELCOMING, names, other, own, state)).flip();
    }

    /** Whether the acceptor has sent it. */
    boolean readWelcome(ByteBuffer in) {
        byte[] state = new byte[16];
        in.get(state);
        byte[] proof = new byte[Secret.PROOF];
        in.get(proof);
        return secret.isProof(proof, WELCOMING, names, own, other, state) && read(state);
    }

    private boolean read(byte[] state) {
        ByteBuffer in = ByteBuffer.wrap(state).order(ByteOrder.LITTLE_ENDIAN);
        generation = in.getLong();
        delivered = in.getLong();
        return true;
    }

    /**
     * The material of an epoch, for frames in one direction.
     *
     * @param isDialed whether this side has dialed
     * @param isSealing whether this side sends the frames
     */
    byte[] material(boolean isDialed, boolean isSealing, int epoch) {
        byte[] number = message(4).putInt(epoch).array();
        byte[] first = isDialed ? own : other;
        byte[] second = isDialed ? other : own;
        return secret.key(isDialed == isSealing ? OF_DIALER : OF_ACCEPTOR, Seal.MATERIAL, names, first, second, number);
    }
}
