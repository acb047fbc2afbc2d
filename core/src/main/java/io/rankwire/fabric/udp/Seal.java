package io.rankwire.fabric.udp;

import io.rankwire.fabric.Members;
import io.rankwire.fabric.Secret;
import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Closes and opens datagrams by AES-GCM. The key is that from one rank to another, and the nonce is the rest of the
 * head, so nothing of a datagram can be changed, cut, lengthened or sent to another rank. A sender gives no number
 * twice.
 *
 * <pre>
 *   0  number of the datagram (64), from 1 on
 *   8  kind (32) | rank of the sender (32)
 *  16  content, encrypted
 *      tag (128)
 * </pre>
 */
final class Seal {
    /** Bytes before the content, and behind it. */
    static final int HEAD = 16;
    static final int TAG = 16;
    /** Bytes of a datagram that are not content. */
    static final int BESIDE = HEAD + TAG;

    /** Kinds: whole frames, a piece of such a datagram, is there a way for datagrams of this size, and there is. */
    static final int FRAMES = 1;
    static final int PIECE = 2;
    static final int PROBE = 3;
    static final int PROBED = 4;

    /**
     * The bits of a number below its epoch, each of which has a key of its own. 2^23 datagrams of 64 KiB with one key
     * keep the chance to find out anything about their content below 2^-57.
     */
    static final int EPOCH_SHIFT = 22;

    private static final int KIND_AND_SENDER = 8;
    private static final int NONCE = 12;
    private static final int KEY = 16;
    private static final String LABEL = "rankwire udp datagram";
    /** Ranks whose numbers differ by less have ciphers of their own, which keep their keys ready. */
    private static final int CIPHERS = 32;

    private final int self;
    private final Secret secret;
    private final int epochShift;
    private final Cipher[] closing = new Cipher[CIPHERS];
    private final Cipher[] opening = new Cipher[CIPHERS];
    private final Area opened = Area.of(UdpSocket.LONGEST);
    private final ByteBuffer nonce = ByteBuffer.allocate(NONCE);
    /** The last key that was tried for a datagram and is not that of its sender now. */
    private EpochKey tried;
    private int triedRank = -1;

    Seal(Members members, int epochShift) {
        this.self = members.self();
        this.secret = members.secret();
        this.epochShift = epochShift;
    }

    /**
     * Closes a datagram of this many bytes, whose content is in the array behind room for the head.
     *
     * @param area gets it at the same place
     */
    void close(UdpPeer to, byte[] content, int at, int bytes, int kind, Area area) {
        long number = ++to.sent;
        long epoch = number >>> epochShift;
        if (to.sealing == null || to.sealing.epoch() != epoch) {
            to.sealing = key(self, to.rank, epoch);
        }
        try {
            begin(closing, Cipher.ENCRYPT_MODE, to.rank, to.sealing, kind, number)
                    .doFinal(content, at + HEAD, bytes - BESIDE, area.array(), at + HEAD);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        Words.storeUnaligned(area.memory(), at, number);
        Words.storeUnaligned(area.memory(), at + KIND_AND_SENDER, (long) kind << 32 | self);
    }

    /**
     * Opens a datagram that says to be from this rank; false if it is not what that rank has closed for this one.
     *
     * @param known null if nothing has come from that rank, and nothing was sent to it
     * @param content gets the content
     */
    boolean open(UdpPeer known, int rank, Area area, int at, int bytes, MemorySegment content) {
        long number = number(area, at);
        EpochKey key = keyOf(known, rank, number >>> epochShift);
        try {
            begin(opening, Cipher.DECRYPT_MODE, rank, key, kind(area, at), number)
                    .doFinal(area.array(), at + HEAD, bytes - HEAD, opened.array(), 0);
        } catch (AEADBadTagException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        MemorySegment.copy(opened.memory(), 0, content, 0, bytes - BESIDE);
        return true;
    }

    /** A datagram with this number was opened: if it begins an epoch, its key is that of the peer from now on. */
    void accept(UdpPeer peer, long number) {
        long epoch = number >>> epochShift;
        if (peer.opening == null || peer.opening.epoch() < epoch) {
            peer.opening = keyOf(peer, peer.rank, epoch);
        }
    }

    /** Keeps a key that is not yet, or no more, that of a peer: a stranger can name any rank and number. */
    private EpochKey keyOf(UdpPeer known, int rank, long epoch) {
        if (known != null && known.opening != null && known.opening.epoch() == epoch) {
            return known.opening;
        }
        if (triedRank != rank || tried.epoch() != epoch) {
            tried = key(rank, self, epoch);
            triedRank = rank;
        }
        return tried;
    }

    private EpochKey key(int from, int to, long epoch) {
        byte[] parts = ByteBuffer.allocate(16).putInt(from).putInt(to).putLong(epoch).array();
        return new EpochKey(epoch, new SecretKeySpec(secret.key(LABEL, KEY, parts), "AES"));
    }

    private Cipher begin(Cipher[] ciphers, int mode, int rank, EpochKey key, int kind, long number)
            throws GeneralSecurityException {
        int place = rank % CIPHERS;
        if (ciphers[place] == null) {
            ciphers[place] = Cipher.getInstance("AES/GCM/NoPadding");
        }
        nonce.putInt(0, kind).putLong(Integer.BYTES, number);
        ciphers[place].init(mode, key.key(), new GCMParameterSpec(Byte.SIZE * TAG, nonce.array()));
        return ciphers[place];
    }

    static long number(Area area, int at) {
        return Words.loadUnaligned(area.memory(), at);
    }

    static int kind(Area area, int at) {
        return (int) (Words.loadUnaligned(area.memory(), at + KIND_AND_SENDER) >>> 32);
    }

    static int sender(Area area, int at) {
        return (int) Words.loadUnaligned(area.memory(), at + KIND_AND_SENDER);
    }
}
