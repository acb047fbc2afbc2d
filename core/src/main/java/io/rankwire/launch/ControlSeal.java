package io.rankwire.launch;

import io.rankwire.fabric.Seal;
import io.rankwire.fabric.Secret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Encrypts the messages of a control connection: each is sealed behind its length. */
final class ControlSeal {
    private final Seal sealing;
    private final Seal opening;

    private ControlSeal(ControlProof proof, Secret secret, boolean ofRoot) {
        sealing = Seal.sealing(epoch -> proof.material(secret, ofRoot, epoch), Seal.RECORDS);
        opening = Seal.opening(epoch -> proof.material(secret, !ofRoot, epoch), Seal.RECORDS);
    }

    /** For one side of a connection; null if they do not both encrypt. */
    static ControlSeal of(ControlProof proof, Secret secret, boolean ofRoot) {
        return proof.isEncrypted() ? new ControlSeal(proof, secret, ofRoot) : null;
    }

    /** What is sent instead of a message with its length. */
    byte[] seal(byte[] message) {
        byte[] sealed = new byte[message.length + Seal.TAG];
        int bytes = sealing.seal(message, Integer.BYTES, message.length - Integer.BYTES, sealed, Integer.BYTES);
        ByteBuffer.wrap(sealed).putInt(bytes);
        return sealed;
    }

    /** The message that was sealed, without its length. */
    byte[] open(byte[] sealed) throws IOException {
        if (sealed.length <= Seal.TAG) {
            throw new IOException("sent a message that is not encrypted");
        }
        byte[] message = new byte[sealed.length];
        return Arrays.copyOf(message, opening.open(sealed, 0, sealed.length, message, 0));
    }
}
