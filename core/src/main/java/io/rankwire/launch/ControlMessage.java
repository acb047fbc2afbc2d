package io.rankwire.launch;

import io.rankwire.fabric.Secret;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What ranks and the root of their job say to each other over control connections, once both have proven the secret:
 * four bytes of length, one of kind, and the fields in the order in which they are declared here.
 */
sealed interface ControlMessage {
    /** Longer messages are not accepted: a table of 2^19 ranks fits. */
    int MOST_BYTES = 1 << 27;
    /** The same, before the sender is a member of the job. */
    int MOST_BYTES_FIRST = 1 << 12;

    /** The sender is alive. */
    record Beat() implements ControlMessage {}

    /** A rank says where it runs. */
    record Arrival(String host, String mark, long process) implements ControlMessage {}

    /** The root will not have this rank, or cannot give it the world it waits for. */
    record Refusal(String reason) implements ControlMessage {}

    /** The root asks the lowest rank of a host for the job's directory there. */
    record MakeDirectory() implements ControlMessage {}

    /** The rank has made it, or could not. */
    record Directory(String path, String error) implements ControlMessage {}

    /** The root asks another rank whether it sees that directory. */
    record LookFor(String path) implements ControlMessage {}

    record Looked(boolean found) implements ControlMessage {}

    /** All ranks, by rank; the directory is that of the receiver's host. */
    record Table(String directory, List<Seat> seats) implements ControlMessage {}

    /**
     * Where a rank accepts connections in a world.
     *
     * @param address empty where the root is
     * @param random {@link Secret#challenge}: what is derived from those of all ranks is new in each world
     * @param name where the rank is on a network with addresses of its own; else empty
     */
    record Listening(int world, byte[] address, int port, byte[] random, byte[] name) implements ControlMessage {}

    /** The same of all ranks, by rank. */
    record Addresses(List<Listening> ranks) implements ControlMessage {}

    /** A rank has closed this number of worlds. */
    record Closed(int worlds) implements ControlMessage {}

    /** Every rank has closed this number of worlds, or has left. */
    record AllClosed(int worlds) implements ControlMessage {}

    /** A rank has failed, which ends the job. */
    record Failed(int status, String reason) implements ControlMessage {}

    /** A rank has failed, and the job goes on without it. */
    record FailedAlone(String reason) implements ControlMessage {}

    /**
     * A rank is dead.
     *
     * @param number how many were declared dead before
     */
    record Declared(int number, int rank, String cause) implements ControlMessage {}

    /** The job is over. */
    record Abort(int status, String reason) implements ControlMessage {}

    /** A rank, or the root, ends in good order. */
    record Leave() implements ControlMessage {}

    /** A rank has measured what the network to another host costs: {@link NetworkCost#text}. */
    record Measured(String cost) implements ControlMessage {}

    /**
     * A rank cannot reach another one any more. If that one should be there, the job ends, or goes on without it.
     */
    record Lost(int rank, String reason) implements ControlMessage {}

    /** A rank asks for ranks that replace dead ones: {@link Replacements.Request#text}. */
    record Ask(int number, String request) implements ControlMessage {}

    /** What came of it: {@link Replacements.Answer#text}. */
    record Answered(int number, String answer) implements ControlMessage {}

    /** A rank that came later is to replace another one. All ranks note where it is before it begins. */
    record NewRank(int rank, Seat seat, Listening at) implements ControlMessage {}

    record Noted(int rank) implements ControlMessage {}

    /**
     * What a rank that came later is to join: {@link Replacements.Part#text}.
     *
     * @param world the addresses of the world that its members are in; none if they share memory alone
     */
    record Given(String part, List<Listening> world) implements ControlMessage {}

    /** All ranks take these costs. */
    record Agreed(String cost) implements ControlMessage {}

    /**
     * The place of a rank.
     *
     * @param host its host, counted from zero in the order of their lowest ranks; -1 for a rank that is not there
     * @param name the name of that host
     */
    record Seat(int host, String name, long process) {}

    /** The message as it is sent, with its length. */
    default byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(0);
            write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] whole = bytes.toByteArray();
        int length = whole.length - Integer.BYTES;
        for (int i = 0; i < Integer.BYTES; i++) {
            whole[i] = (byte) (length >>> 24 - 8 * i);
        }
        return whole;
    }

    private void write(DataOutputStream out) throws IOException {
        switch (this) {
            case Beat _ -> out.writeByte(0);
            case Arrival(String host, String mark, long process) -> {
                texts(out, 1, host, mark);
                out.writeLong(process);
            }
            case Refusal(String reason) -> texts(out, 2, reason);
            case MakeDirectory _ -> out.writeByte(3);
            case Directory(String path, String error) -> texts(out, 4, path, error);
            case LookFor(String path) -> texts(out, 5, path);
            case Looked(boolean found) -> {
                out.writeByte(6);
                out.writeBoolean(found);
            }
            case Table(String directory, List<Seat> seats) -> {
                texts(out, 7, directory);
                out.writeInt(seats.size());
                for (Seat seat : seats) {
                    writeSeat(out, seat);
                }
            }
            case Listening one -> {
                out.writeByte(8);
                writeListening(out, one);
            }
            case Addresses(List<Listening> ranks) -> {
                out.writeByte(9);
                writeListenings(out, ranks);
            }
            case Closed(int worlds) -> numbers(out, 10, worlds);
            case AllClosed(int worlds) -> numbers(out, 11, worlds);
            case Failed(int status, String reason) -> numberAndText(out, 12, status, reason);
            case Abort(int status, String reason) -> numberAndText(out, 13, status, reason);
            case Leave _ -> out.writeByte(14);
            case Measured(String cost) -> texts(out, 15, cost);
            case Agreed(String cost) -> texts(out, 16, cost);
            case Lost(int rank, String reason) -> numberAndText(out, 17, rank, reason);
            case FailedAlone(String reason) -> texts(out, 18, reason);
            case Declared(int number, int rank, String cause) -> {
                numbers(out, 19, number, rank);
                text(out, cause);
            }
            case Ask(int number, String request) -> numberAndText(out, 20, number, request);
            case Answered(int number, String answer) -> numberAndText(out, 21, number, answer);
            case NewRank(int rank, Seat seat, Listening at) -> {
                numbers(out, 22, rank);
                writeSeat(out, seat);
                writeListening(out, at);
            }
            case Noted(int rank) -> numbers(out, 23, rank);
            case Given(String part, List<Listening> world) -> {
                texts(out, 24, part);
                writeListenings(out, world);
            }
        }
    }

    private static void numbers(DataOutputStream out, int kind, int... numbers) throws IOException {
        out.writeByte(kind);
        for (int each : numbers) {
            out.writeInt(each);
        }
    }

    private static void texts(DataOutputStream out, int kind, String... texts) throws IOException {
        out.writeByte(kind);
        for (String each : texts) {
            text(out, each);
        }
    }

    private static void numberAndText(DataOutputStream out, int kind, int number, String text) throws IOException {
        numbers(out, kind, number);
        text(out, text);
    }

    /**
     * Reads what {@link #encode} has written behind the length.
     *
     * @throws IOException if these bytes are no message
     */
    static ControlMessage decode(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int kind = in.readUnsignedByte();
        ControlMessage message = switch (kind) {
            case 0 -> new Beat();
            case 1 -> new Arrival(text(in), text(in), in.readLong());
            case 2 -> new Refusal(text(in));
            case 3 -> new MakeDirectory();
            case 4 -> new Directory(text(in), text(in));
            case 5 -> new LookFor(text(in));
            case 6 -> new Looked(in.readBoolean());
            case 7 -> {
                String directory = text(in);
                List<Seat> seats = new ArrayList<>();
                for (int left = count(in); left > 0; left--) {
                    seats.add(readSeat(in));
                }
                yield new Table(directory, seats);
            }
            case 8 -> readListening(in);
            case 9 -> new Addresses(readListenings(in));
            case 10 -> new Closed(in.readInt());
            case 11 -> new AllClosed(in.readInt());
            case 12 -> new Failed(in.readInt(), text(in));
            case 13 -> new Abort(in.readInt(), text(in));
            case 14 -> new Leave();
            case 15 -> new Measured(text(in));
            case 16 -> new Agreed(text(in));
            case 17 -> new Lost(in.readInt(), text(in));
            case 18 -> new FailedAlone(text(in));
            case 19 -> new Declared(in.readInt(), in.readInt(), text(in));
            case 20 -> new Ask(in.readInt(), text(in));
            case 21 -> new Answered(in.readInt(), text(in));
            case 22 -> new NewRank(in.readInt(), readSeat(in), readListening(in));
            case 23 -> new Noted(in.readInt());
            case 24 -> new Given(text(in), readListenings(in));
            default -> throw new IOException("a control message of kind " + kind);
        };
        if (in.available() != 0) {
            throw new IOException("a control message of kind " + kind + " with " + in.available() + " bytes too many");
        }
        return message;
    }

    private static void writeSeat(DataOutputStream out, Seat seat) throws IOException {
        out.writeInt(seat.host());
        text(out, seat.name());
        out.writeLong(seat.process());
    }

    private static Seat readSeat(DataInputStream in) throws IOException {
        return new Seat(in.readInt(), text(in), in.readLong());
    }

    private static void writeListenings(DataOutputStream out, List<Listening> ranks) throws IOException {
        out.writeInt(ranks.size());
        for (Listening one : ranks) {
            writeListening(out, one);
        }
    }

    private static List<Listening> readListenings(DataInputStream in) throws IOException {
        List<Listening> ranks = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            ranks.add(readListening(in));
        }
        return ranks;
    }

    private static void writeListening(DataOutputStream out, Listening one) throws IOException {
        out.writeInt(one.world());
        out.writeByte(one.address().length);
        out.write(one.address());
        out.writeShort(one.port());
        out.write(one.random());
        out.writeShort(one.name().length);
        out.write(one.name());
    }

    private static Listening readListening(DataInputStream in) throws IOException {
        int world = in.readInt();
        byte[] address = new byte[in.readUnsignedByte()];
        in.readFully(address);
        if (address.length != 0) {
            InetAddress.getByAddress(address);
        }
        int port = in.readUnsignedShort();
        byte[] random = new byte[Secret.CHALLENGE];
        in.readFully(random);
        int length = in.readUnsignedShort();
        if (length > Math.min(Backends.MOST_NAME, in.available())) {
            throw new IOException("a control message with a name of " + length + " bytes");
        }
        byte[] name = new byte[length];
        in.readFully(name);
        return new Listening(world, address, port, random, name);
    }

    /** A count of parts that need a byte each, at least. */
    private static int count(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > in.available()) {
            throw new IOException("a control message with " + count + " parts in " + in.available() + " bytes");
        }
        return count;
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        byte[] bytes = new byte[count(in)];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
