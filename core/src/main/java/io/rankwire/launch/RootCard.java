package io.rankwire.launch;

import io.rankwire.fabric.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * What all ranks need to meet at rank 0, where a launcher or a program passes it on: where rank 0 listens, and the
 * secret of the job. As bytes:
 *
 * <pre>
 * magic, version (4 bytes each), port (4), secret (32), name (length, bytes), count of addresses (4), each of them
 * (length, bytes), checksum of all before (4); a length has 4 bytes
 * </pre>
 *
 * @param host the name of the host, for people
 * @param addresses of that host; the first ones are the likeliest
 */
record RootCard(String host, int port, List<InetAddress> addresses, byte[] bits) {
    private static final int MAGIC = 0x52574344;
    private static final int VERSION = 1;
    private static final int BITS = 32;
    private static final int MOST_ADDRESSES = 64;
    private static final int MOST_NAME = 255;

    /** The card of a root with a new secret. */
    static RootCard of(String host, int port, List<InetAddress> addresses) {
        byte[] bits = new byte[BITS];
        new SecureRandom().nextBytes(bits);
        return new RootCard(host, port, addresses.stream().limit(MOST_ADDRESSES).toList(), bits);
    }

    /**
     * The secret of the job.
     *
     * @param own what ranks were given besides, or null
     */
    Secret secret(Secret own) {
        return own == null ? new Secret(bits) : own.with(bits);
    }

    byte[] encode() {
        byte[] name = host.getBytes(StandardCharsets.UTF_8);
        name = name.length > MOST_NAME ? new byte[] {'?'} : name;
        int length = 6 * Integer.BYTES + BITS + name.length;
        for (InetAddress each : addresses) {
            length += Integer.BYTES + each.getAddress().length;
        }
        ByteBuffer out = ByteBuffer.allocate(length).putInt(MAGIC).putInt(VERSION).putInt(port).put(bits)
                .putInt(name.length).put(name).putInt(addresses.size());
        for (InetAddress each : addresses) {
            out.putInt(each.getAddress().length).put(each.getAddress());
        }
        return out.putInt(checksum(out.array(), out.position())).array();
    }

    /**
     * Reads a card.
     *
     * @throws IOException if these bytes are no card
     */
    static RootCard decode(byte[] bytes) throws IOException {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            if (in.getInt() != MAGIC) {
                throw new IOException("what rank 0 has given is no card of Rankwire");
            }
            int version = in.getInt();
            if (version != VERSION) {
                throw new IOException("the card of rank 0 has version " + version + ", and this rank knows version "
                        + VERSION + ": all ranks need the same version of Rankwire");
            }
            if (bytes.length < 3 * Integer.BYTES
                    || in.getInt(bytes.length - Integer.BYTES) != checksum(bytes, bytes.length - Integer.BYTES)) {
                throw new IOException("the card of rank 0 was damaged on its way");
            }
            int port = in.getInt();
            byte[] bits = bytes(in, BITS);
            String host = new String(bytes(in, in.getInt()), StandardCharsets.UTF_8);
            int count = in.getInt();
            List<InetAddress> addresses = new ArrayList<>();
            for (int i = 0; i < count && i < MOST_ADDRESSES; i++) {
                addresses.add(InetAddress.getByAddress(bytes(in, in.getInt())));
            }
            if (port < 1 || port > PortRange.MOST || addresses.isEmpty() || in.remaining() != Integer.BYTES) {
                throw new IOException("the card of rank 0 makes no sense");
            }
            return new RootCard(host, port, addresses, bits);
        } catch (UnknownHostException e) {
            throw new IOException("the card of rank 0 has an address that makes no sense", e);
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new IOException("the card of rank 0 has " + bytes.length + " bytes, which is too short", e);
        }
    }

    private static byte[] bytes(ByteBuffer in, int length) throws IOException {
        if (length < 0 || length > MOST_NAME || length > in.remaining()) {
            throw new IOException("the card of rank 0 has a part of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32 sum = new CRC32();
        sum.update(bytes, 0, length);
        return (int) sum.getValue();
    }
}
