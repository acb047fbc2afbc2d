package io.rankwire.fabric.tcp;

import io.rankwire.memory.Rand;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Connections in memory that behave as badly as real ones may: they take and give any part of what they could, arrive
 * late, and break at any byte, for one side sooner than for the other.
 */
final class ModelNetwork {
    private static final int CAPACITY = 100_000;

    private final Rand rand;
    private final List<Host> hosts = new ArrayList<>();
    /** Directions that will break by themselves, soon. */
    private final List<Pipe> breaking = new ArrayList<>();
    private final List<End> ends = new ArrayList<>();
    long now;
    /** Whether connections may break, arrive late and give parts only. */
    boolean isBad = true;
    int dials;
    int breaks;

    ModelNetwork(Rand rand, int ranks) {
        this.rand = rand;
        for (int rank = 0; rank < ranks; rank++) {
            hosts.add(new Host(rank));
        }
    }

    Network host(int rank) {
        return hosts.get(rank);
    }

    private static void unreadable() throws IOException {
        throw new IOException("Connection reset");
    }

    /** Bytes from one end to the other. */
    private static final class Pipe {
        private byte[] bytes = new byte[256];
        private int from;
        private int to;
        boolean isEnded;
        boolean isReset;
        /** Nothing comes any more, not even the end. */
        boolean isForgotten;
        /** What was written, and the end, comes not before this time. */
        long slowUntil;

        int size() {
            return to - from;
        }

        void put(ByteBuffer source, int count) {
            if (to + count > bytes.length) {
                byte[] next = new byte[Math.max(bytes.length, 2 * (size() + count))];
                System.arraycopy(bytes, from, next, 0, size());
                to -= from;
                from = 0;
                bytes = next;
            }
            source.get(bytes, to, count);
            to += count;
        }

        void take(ByteBuffer target, int count) {
            target.put(bytes, from, count);
            from += count;
        }

        /** What is under way is lost from some byte on. */
        void reset(Rand rand) {
            if (!isReset) {
                isReset = true;
                to = from + rand.below(size() + 1);
            }
        }
    }

    /** One end of a connection. */
    private final class End implements ByteChannel, GatheringByteChannel, ScatteringByteChannel, ArrayChannel {
        final Host host;
        final int other;
        final Pipe in;
        final Pipe out;
        final long ready;
        Connection connection;
        private boolean isOpen = true;

        End(Host host, int other, Pipe in, Pipe out, long ready) {
            this.host = host;
            this.other = other;
            this.in = in;
            this.out = out;
            this.ready = ready;
        }

        boolean isCut() {
            return host.isCut || hosts.get(other).isCut;
        }

        private boolean isBlocked() {
            return isCut() || in.isForgotten || isBad && now < in.slowUntil;
        }

        boolean mayRead() {
            return !isBlocked() && (in.size() > 0 || in.isEnded || in.isReset);
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            check();
            if (isBlocked()) {
                return 0;
            }
            int count = part(Math.min(in.size(), target.remaining()));
            in.take(target, count);
            if (count == 0 && in.size() == 0 && target.hasRemaining()) {
                if (in.isReset) {
                    unreadable();
                }
                return in.isEnded ? -1 : 0;
            }
            return count;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            check();
            if (out.isReset && rand.chance(1, 2)) {
                throw new IOException("Broken pipe");
            }
            int count = part(Math.min(CAPACITY - Math.min(CAPACITY, out.size()), source.remaining()));
            if (rand.chance(1, 16)) {
                out.slowUntil = now + rand.below(100_000_000);
            }
            if (out.isReset) {
                source.position(source.position() + count);
            } else {
                out.put(source, count);
            }
            return count;
        }

        @Override
        public long write(ByteBuffer[] sources, int from, int count) throws IOException {
            long total = 0;
            for (int i = from; i < from + count; i++) {
                total += write(sources[i]);
                if (sources[i].hasRemaining()) {
                    break;
                }
            }
            return total;
        }

        @Override
        public long write(ByteBuffer[] sources) throws IOException {
            return write(sources, 0, sources.length);
        }

        @Override
        public long read(ByteBuffer[] targets, int from, int count) throws IOException {
            long total = read(targets[from]);
            for (int i = from + 1; i < from + count && total > 0 && !targets[i - 1].hasRemaining(); i++) {
                int more = in.size() == 0 ? 0 : read(targets[i]);
                total += more;
            }
            return total;
        }

        @Override
        public long read(ByteBuffer[] targets) throws IOException {
            return read(targets, 0, targets.length);
        }

        /** Some connections have no way for arrays. */
        @Override
        public boolean isUsable() {
            return ready % 5 != 0;
        }

        @Override
        public int write(MemorySegment from, long offset, int bytes, boolean more) throws IOException {
            return write(from.asSlice(offset, bytes).asByteBuffer());
        }

        @Override
        public int read(MemorySegment to, long offset, int bytes) throws IOException {
            return read(to.asSlice(offset, bytes).asByteBuffer());
        }

        private void check() throws ClosedChannelException {
            if (!isOpen) {
                throw new ClosedChannelException();
            }
        }

        private int part(int most) {
            return !isBad || most == 0 || rand.chance(1, 2) ? most : rand.below(most + 1);
        }

        @Override
        public boolean isOpen() {
            return isOpen;
        }

        @Override
        public void close() {
            isOpen = false;
            out.isEnded = true;
            in.reset(rand);
            ends.remove(this);
        }
    }

    /** The connections of one rank. */
    private final class Host implements Network {
        final int rank;
        final Deque<End> arriving = new ArrayDeque<>();
        boolean isCut;
        boolean isDead;

        Host(int rank) {
            this.rank = rank;
        }

        @Override
        public ByteChannel dial(int to, Connection connection) {
            dials++;
            Pipe there = new Pipe();
            Pipe back = new Pipe();
            long ready = now + (isBad ? rand.below(3_000_000) : 0);
            long late = isBad && rand.chance(1, 4) ? rand.below(60_000_000) : 0;
            End near = new End(this, to, back, there, ready);
            near.connection = connection;
            ends.add(near);
            hosts.get(to).arriving.add(new End(hosts.get(to), rank, there, back, ready + late));
            return near;
        }

        @Override
        public boolean finish(ByteChannel channel) throws IOException {
            End end = (End) channel;
            if (end.isCut() || now < end.ready) {
                return false;
            }
            if (hosts.get(end.other).isDead) {
                throw new ConnectException("Connection refused");
            }
            return true;
        }

        @Override
        public ByteChannel accept(Connection connection) {
            for (int i = arriving.size(); i > 0; i--) {
                End end = arriving.remove();
                if (now >= end.ready && !end.isCut()) {
                    end.connection = connection;
                    ends.add(end);
                    return end;
                }
                arriving.add(end);
            }
            return null;
        }

        @Override
        public ArrayChannel arrays(ByteChannel channel) {
            return (End) channel;
        }

        @Override
        public void awaitRoom(ByteChannel channel, boolean wanted) {}

        @Override
        public void look(Events events) {
            for (End end : List.copyOf(ends)) {
                if (end.host == this && end.isOpen && (end.mayRead() || now >= end.ready)) {
                    events.ready(end.connection);
                }
            }
            if (!arriving.isEmpty()) {
                events.arriving();
            }
        }

        @Override
        public boolean mayHaveWork() {
            return true;
        }

        @Override
        public void sleep(long ns) {}

        @Override
        public boolean isAsleep() {
            return false;
        }

        @Override
        public void wake() {}

        @Override
        public void close() {}
    }

    /** Breaks a connection: in both directions at once, or in one of them later. */
    void breakOne() {
        if (ends.isEmpty()) {
            return;
        }
        breaks++;
        // The newest are about to be agreed on.
        End end = rand.chance(1, 2) ? ends.getLast() : ends.get(rand.below(ends.size()));
        end.in.reset(rand);
        if (rand.chance(1, 2)) {
            end.out.reset(rand);
        } else {
            breaking.add(end.out);
        }
    }

    /** Nothing passes on any connection that there is now, and no side is informed. */
    void forgetAll() {
        for (End end : ends) {
            end.in.isForgotten = true;
            end.out.isForgotten = true;
        }
    }

    void cut(int rank, boolean isCut) {
        hosts.get(rank).isCut = isCut;
    }

    boolean isCut(int rank) {
        return hosts.get(rank).isCut;
    }

    /** The process of a rank has ended: new connections are refused. */
    void end(int rank) {
        hosts.get(rank).isDead = true;
    }

    /** The process of a rank ends, and its connections are reset. */
    void kill(int rank) {
        end(rank);
        for (End end : List.copyOf(ends)) {
            if (end.host.rank == rank || end.other == rank) {
                end.in.reset(rand);
                end.out.reset(rand);
            }
        }
    }

    /** Lets time pass. */
    void pass(long ns) {
        now += ns;
        breaking.removeIf(pipe -> {
            boolean breaksNow = !isBad || rand.chance(1, 100);
            if (breaksNow) {
                pipe.reset(rand);
            }
            return breaksNow;
        });
    }

    /** The ends that are open. */
    int open() {
        return ends.size();
    }
}
