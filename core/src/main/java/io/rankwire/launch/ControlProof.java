package io.rankwire.launch;

import io.rankwire.fabric.Seal;
import io.rankwire.fabric.Secret;
import java.nio.ByteBuffer;

/**
 * The beginning of a control connection, in which both sides prove the secret of the job:
 *
 * <pre>
 * rank to root   magic, version, rank, size, way, mode (4 bytes each), challenge (16)
 * root to rank   magic, version, size, mode (4 bytes each), challenge (16), proof (32)
 * rank to root   proof (32)
 * </pre>
 *
 * Magic and version are the same in every version. A proof covers all numbers and both challenges, and names the side
 * that gives it. Nothing else is read from a side that has not proven the secret. Messages behind that are encrypted if
 * both sides encrypt ({@link ControlSeal}).
 *
 * @param rank what the rank claims to be
 * @param size the number of ranks, as the rank has it
 * @param rootSize the same, as the root has it
 * @param way {@link #UP} or {@link #DOWN}
 * @param mode 1 if the rank encrypts what it sends to others, else 0
 * @param rootMode the same of rank 0
 */
record ControlProof(int rank, int size, int rootSize, int way, int mode, int rootMode, byte[] challenge,
        byte[] rootChallenge) {
    static final int MAGIC = 0x52574354;
    static final int VERSION = 4;
    /** The rank sends, and the root sends nothing after its proof. */
    static final int UP = 0;
    /** The root sends, and the rank sends nothing after its proof. */
    static final int DOWN = 1;

    /** Bytes of magic and version. */
    static final int PREFIX = 2 * Integer.BYTES;
    /** Bytes of what a rank sends first. */
    static final int GREETING = 6 * Integer.BYTES + Secret.CHALLENGE;
    /** Bytes of what the root answers. */
    static final int ANSWER = 4 * Integer.BYTES + Secret.CHALLENGE + Secret.PROOF;

    private static final String OF_ROOT = "rankwire control: root to rank";
    private static final String OF_RANK = "rankwire control: rank to root";

    /** What a rank sends first. */
    static byte[] greeting(int rank, int size, int way, int mode, byte[] challenge) {
        return ByteBuffer.allocate(GREETING)
                .putInt(MAGIC).putInt(VERSION).putInt(rank).putInt(size).putInt(way).putInt(mode).put(challenge)
                .array();
    }

    /** What the root knows after a greeting; magic and version were looked at before. */
    static ControlProof ofGreeting(ByteBuffer greeting, int rootSize, int rootMode) {
        ByteBuffer in = greeting.duplicate().position(PREFIX);
        int rank = in.getInt();
        int size = in.getInt();
        int way = in.getInt();
        int mode = in.getInt();
        byte[] challenge = new byte[Secret.CHALLENGE];
        in.get(challenge);
        return new ControlProof(rank, size, rootSize, way, mode, rootMode, challenge, Secret.challenge());
    }

    byte[] answer(Secret secret) {
        return ByteBuffer.allocate(ANSWER)
                .putInt(MAGIC).putInt(VERSION).putInt(rootSize).putInt(rootMode).put(rootChallenge)
                .put(secret.proof(OF_ROOT, parts())).array();
    }

    /** What a rank knows after the answer, or null if the root has another secret. */
    static ControlProof ofAnswer(byte[] answer, int rank, int size, int way, int mode, byte[] challenge,
            Secret secret) {
        ByteBuffer in = ByteBuffer.wrap(answer).position(PREFIX);
        int rootSize = in.getInt();
        int rootMode = in.getInt();
        byte[] rootChallenge = new byte[Secret.CHALLENGE];
        in.get(rootChallenge);
        byte[] proof = new byte[Secret.PROOF];
        in.get(proof);
        ControlProof both = new ControlProof(rank, size, rootSize, way, mode, rootMode, challenge, rootChallenge);
        return secret.isProof(proof, OF_ROOT, both.parts()) ? both : null;
    }

    byte[] proofOfRank(Secret secret) {
        return secret.proof(OF_RANK, parts());
    }

    boolean isProofOfRank(byte[] given, Secret secret) {
        return secret.isProof(given, OF_RANK, parts());
    }

    /** Whether both sides encrypt. */
    boolean isEncrypted() {
        return mode == 1 && rootMode == 1;
    }

    /** The material of an epoch, for messages of one side. */
    byte[] material(Secret secret, boolean ofRoot, int epoch) {
        byte[] number = ByteBuffer.allocate(Integer.BYTES).putInt(epoch).array();
        byte[][] parts = parts();
        return secret.key(ofRoot ? OF_ROOT : OF_RANK, Seal.MATERIAL, parts[0], parts[1], parts[2], number);
    }

    private byte[][] parts() {
        byte[] numbers = ByteBuffer.allocate(8 * Integer.BYTES)
                .putInt(MAGIC).putInt(VERSION).putInt(rank).putInt(size).putInt(rootSize).putInt(way)
                .putInt(mode).putInt(rootMode).array();
        return new byte[][] {numbers, challenge, rootChallenge};
    }
}
