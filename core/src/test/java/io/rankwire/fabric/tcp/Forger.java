package io.rankwire.fabric.tcp;

import io.rankwire.fabric.Seal;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.EnumSet;
import java.util.Set;

/** Passes encrypted connections on to a rank, and does to some of their records what one between two ranks can do. */
final class Forger extends Relay {
    enum Forgery { FLIP, LENGTH, REPEAT, LEAVE_OUT, SWAP, CUT, OF_ANOTHER_CONNECTION }

    /** One record in this number is forged. */
    private final int oneIn;
    private final Forgery[] kinds;
    private final Set<Forgery> done = EnumSet.noneOf(Forgery.class);
    private int forgeries;
    /** A record of an earlier connection. */
    private byte[] old;
    private boolean hasSeenText;

    Forger(InetSocketAddress to, long seed, int oneIn, Forgery... kinds) throws IOException {
        super(to, seed, 0);
        this.oneIn = oneIn;
        this.kinds = kinds;
    }

    /** Whether some record had bytes that count up, as frames of these tests have. */
    synchronized boolean hasSeenText() {
        return hasSeenText;
    }

    synchronized int forgeries() {
        return forgeries;
    }

    /** What was done at least once. */
    synchronized Set<Forgery> kinds() {
        return Set.copyOf(done);
    }

    @Override
    void pass(Socket from, Socket to, boolean ofDialer) {
        int handshake = ofDialer ? Handshake.HELLO + Handshake.COMMITMENT : Handshake.ANSWER + Handshake.WELCOME;
        try (from; to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            OutputStream out = to.getOutputStream();
            for (int left = handshake; left > 0; ) {
                byte[] some = new byte[left];
                int count = in.read(some);
                if (count < 0) {
                    return;
                }
                out.write(some, 0, count);
                left -= count;
            }
            boolean goesOn = true;
            while (goesOn) {
                goesOn = pass(in, out, record(in));
            }
        } catch (IOException e) {
            // One of the ends has closed the connection.
        }
    }

    private byte[] record(DataInputStream in) throws IOException {
        int length = Integer.reverseBytes(in.readInt());
        byte[] record = new byte[Pieces.HEAD + length + Seal.TAG];
        for (int i = 0; i < Pieces.HEAD; i++) {
            record[i] = (byte) (length >>> 8 * i);
        }
        in.readFully(record, Pieces.HEAD, length + Seal.TAG);
        look(record);
        return record;
    }

    private synchronized void look(byte[] record) {
        int up = 0;
        for (int i = Pieces.HEAD + 1; i < record.length; i++) {
            up = record[i] == (byte) (record[i - 1] + 1) ? up + 1 : 0;
            hasSeenText |= up == 8;
        }
    }

    private boolean pass(DataInputStream in, OutputStream out, byte[] record) throws IOException {
        if (isCalm || below(oneIn) != 0) {
            out.write(record);
            return true;
        }
        Forgery forgery = kinds[below(kinds.length)];
        boolean isPossible = forgery == Forgery.SWAP ? in.available() >= Pieces.HEAD
                : forgery != Forgery.OF_ANOTHER_CONNECTION || old != null;
        byte[] next = forgery == Forgery.SWAP && isPossible ? record(in) : null;
        synchronized (this) {
            if (isPossible) {
                done.add(forgery);
                forgeries++;
            }
        }
        if (!isPossible) {
            old = record;
            out.write(record);
            return true;
        }
        switch (forgery) {
            case FLIP -> record[Pieces.HEAD + below(record.length - Pieces.HEAD)] ^= (byte) (1 << below(8));
            case LENGTH -> record[below(Pieces.HEAD)] ^= (byte) (1 << below(8));
            case REPEAT -> out.write(record);
            case SWAP -> out.write(next);
            case OF_ANOTHER_CONNECTION -> out.write(old);
            default -> { }
        }
        if (forgery != Forgery.LEAVE_OUT) {
            out.write(record, 0, forgery == Forgery.CUT ? below(record.length) : record.length);
        }
        old = record;
        return forgery != Forgery.CUT;
    }
}
