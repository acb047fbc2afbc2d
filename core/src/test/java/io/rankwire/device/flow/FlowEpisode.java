package io.rankwire.device.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.memory.Rand;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;

/**
 * Ranks that send numbered frames to each other over a bad fabric, all drawn from one seed, beside the simplest model:
 * the frames of a pair arrive with the numbers 0, 1, 2 and so on. A sender that starts anew, or is told that the peer
 * has, counts from 0 again, in a new generation; within one, numbers go on even where the receiver was another before.
 */
final class FlowEpisode {
    private static final int LIMIT = 32;

    final LossyNet net;
    final FlowConfig config;
    final Rand rand;
    final int ranks;
    final FlowPort[] ports;
    private final int[] lives;
    /** By pair: generation, frames sent in it, and at the receiver the last generation seen and the number expected. */
    private final int[][] generation;
    final int[][] sent;
    private final int[][] seen;
    final int[][] expected;
    private final Set<Long> delivered = new HashSet<>();
    private final boolean[][] dead;
    private final String drawn;
    int restarts;
    int restartsTold;
    int deaths;
    /** Whether a peer that is found dead is a failure. */
    boolean mayDie;
    private long pauses;
    /** Whether frames are sometimes answered from inside their delivery, as devices do. */
    private boolean answers;

    /**
     * @param congestionControl whether windows follow the fabric, and may be longer than a word of a report
     */
    FlowEpisode(long seed, boolean congestionControl) {
        this.rand = new Rand(seed);
        this.ranks = rand.between(2, 4);
        this.config = congestionControl ? controlled(draw()) : draw();
        int maxPayload = rand.chance(1, 2) ? 200 : 5_000;
        this.net = new LossyNet(rand, ranks, maxPayload);
        this.ports = new FlowPort[ranks];
        this.lives = new int[ranks];
        this.generation = new int[ranks][ranks];
        this.sent = new int[ranks][ranks];
        this.seen = new int[ranks][ranks];
        this.expected = new int[ranks][ranks];
        this.dead = new boolean[ranks][ranks];
        for (int rank = 0; rank < ranks; rank++) {
            start(rank);
        }
        drawFaults();
        answers = rand.chance(1, 2);
        drawn = "seed " + seed + ": " + ranks + " ranks, " + maxPayload + " bytes, " + config + ": ";
    }

    private FlowConfig draw() {
        int window = new int[] {3, 8, 64}[rand.below(3)];
        return new FlowConfig(
                rand.chance(1, 8) ? 2 : 16, window, new int[] {8, 16, 256}[rand.below(3)],
                40_000, 5_000, 2_000_000, 60, rand.below(8_000), new int[] {40_000, 400_000}[rand.below(2)],
                rand.chance(1, 2) ? window + rand.below(30) : 1 << 30);
    }

    private FlowConfig controlled(FlowConfig drawn) {
        int window = drawn.window() == 64 ? 300 : drawn.window();
        return new FlowConfig(
                drawn.peers(), window, drawn.frames(), drawn.firstTimeoutNs(), drawn.minTimeoutNs(),
                drawn.maxTimeoutNs(), drawn.tries(), drawn.ackDelayNs(), drawn.idleNs(),
                Math.max(window, drawn.streamFrames()), true, rand.chance(1, 2) ? 0 : rand.between(1, 200));
    }

    private void drawFaults() {
        LossyNet.Faults faults = net.faults;
        // Where much is lost a long window does not stay long.
        int rare = config.window() > 64 ? 10 : 1;
        faults.drop = some(3_000 / rare);
        faults.duplicate = some(3_000);
        faults.corrupt = some(1_500 / rare);
        faults.truncate = some(1_000 / rare);
        faults.misroute = some(500);
        faults.full = some(3_000 / rare);
        faults.keep = some(1_000);
        faults.haunt = some(2_000);
        faults.minDelay = 100 + rand.below(3_000);
        faults.maxDelay = faults.minDelay + (rand.chance(1, 3) ? 0 : rand.below(60_000));
    }

    private int some(int most) {
        return rand.chance(1, 3) ? 0 : rand.below(most);
    }

    private void start(int rank) {
        lives[rank]++;
        ports[rank] = new FlowPort(net.open(rank), config, lives[rank] * 3, net.now);
    }

    AssertionError failure(Throwable cause) {
        return new AssertionError(drawn + cause, cause);
    }

    /** All of it: faults, then calm until all is there, silence until all is forgotten, and ghosts of all that was. */
    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
        }
        calm();
        finish();
        forget();
        net.hauntWithAll();
        for (int i = 0; i < 20; i++) {
            passTime();
        }
        forget();
        sendAll();
        finish();
        assertTrue(restarts > 0 || restartsTold == 0, "told of a restart that was none");
    }

    private void step() {
        int rank = rand.below(ranks);
        int what = rand.below(1_000);
        if (what < 500) {
            send(rank, rand.below(ranks), rand.between(1, config.window() > 64 ? 60 : 6));
        } else if (what < 505) {
            net.cut(rank, rand.below(ranks), rand.chance(1, 3));
        } else if (what < 507) {
            ports[rank].ready(rand.chance(1, 2));
        } else if (what < 509 && pauses++ < 3) {
            net.now += config.idleNs() * rand.between(1, 4);
        } else if (what == 510 && restarts < 2) {
            restart(rank);
        }
        drive(rand.below(ranks));
        net.now += rand.chance(1, 20) ? rand.below(100_000) : rand.below(3_000);
    }

    private void restart(int rank) {
        restarts++;
        start(rank);
        for (int other = 0; other < ranks; other++) {
            generation[rank][other]++;
            sent[rank][other] = 0;
        }
    }

    void send(int from, int to, int count) {
        if (from == to || dead[from][to]) {
            return;
        }
        Outlet outlet = ports[from].outlet(to);
        for (int i = 0; i < count; i++) {
            int number = sent[from][to];
            int bytes = bytes(from, to, number);
            long at = outlet.claim(bytes);
            if (at == Outlet.FULL) {
                return;
            }
            if (rand.chance(1, 10)) {
                continue;
            }
            for (int b = 0; b < bytes; b++) {
                outlet.memory().set(ValueLayout.JAVA_BYTE, at + b, (byte) (number * 31 + b));
            }
            outlet.commit(at, bytes, meta(number), word(generation[from][to], number));
            sent[from][to]++;
        }
    }

    private int bytes(int from, int to, int number) {
        int most = ports[from].traits().maxPayload();
        int mixed = (number * 31 + from * 7 + to) * 0x9E37_79B9 >>> 4;
        return (mixed & 3) == 0 ? mixed % (most + 1) : mixed % 60;
    }

    private static int meta(int number) {
        return number % 0xFFFF + 1;
    }

    private static long word(int generation, int number) {
        return (long) generation << 40 | number;
    }

    void drive(int rank) {
        advance(rank);
        ports[rank].poll((from, meta, header, memory, payload, bytes) ->
                arrived(rank, from, meta, header, memory, payload, bytes), LIMIT);
        ports[rank].checkInvariants();
        advance(rank);
        ports[rank].checkInvariants();
    }

    private void advance(int rank) {
        for (int i = 0; i < 2 * ranks; i++) {
            PeerLost lost = ports[rank].advance(net.now);
            if (lost == null) {
                return;
            }
            tell(rank, lost);
        }
        throw new AssertionError("losses without an end");
    }

    private void tell(int rank, PeerLost lost) {
        int peer = lost.rank();
        if (lost.getMessage().startsWith("rank " + peer + " has started anew")) {
            restartsTold++;
            assertTrue(lives[peer] > 1, "rank " + peer + " has not started anew");
            generation[rank][peer]++;
            sent[rank][peer] = 0;
            dead[rank][peer] = false;
        } else {
            assertTrue(lost.getMessage().startsWith("rank " + peer + " did not answer"), lost.getMessage());
            assertTrue(mayDie, lost.getMessage());
            deaths++;
            dead[rank][peer] = true;
        }
    }

    private void arrived(int rank, int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        int life = (int) (header >>> 40);
        int number = (int) header;
        assertTrue(delivered.add(((long) from << 8 | rank) << 52 ^ header << 4),
                () -> "frame " + number + " came twice");
        assertTrue(life >= seen[from][rank], "a frame of a generation that was over");
        if (life > seen[from][rank]) {
            seen[from][rank] = life;
            expected[from][rank] = 0;
        }
        assertEquals(expected[from][rank]++, number, () -> "number of the frame from " + from + " to " + rank);
        assertEquals(meta(number), meta, "meta");
        assertEquals(bytes(from, rank, number), bytes, "bytes");
        for (int b = 0; b < bytes; b++) {
            assertEquals((byte) (number * 31 + b), memory.get(ValueLayout.JAVA_BYTE, payload + b), "a byte changed");
        }
        assertTrue(number < sent[from][rank] || life < generation[from][rank], "a frame that was never sent");
        if (answers && rand.chance(1, 4)) {
            send(rank, from, 1);
        }
    }

    /** No more faults but frames from long ago. */
    void calm() {
        answers = false;
        LossyNet.Faults faults = net.faults;
        faults.drop = 0;
        faults.duplicate = 0;
        faults.corrupt = 0;
        faults.truncate = 0;
        faults.misroute = 0;
        faults.full = 0;
        faults.maxDelay = faults.minDelay;
        for (int a = 0; a < ranks; a++) {
            ports[a].ready(true);
            for (int b = 0; b < ranks; b++) {
                net.cut(a, b, false);
            }
        }
    }

    private void sendAll() {
        net.faults.haunt = 0;
        for (int from = 0; from < ranks; from++) {
            for (int to = 0; to < ranks; to++) {
                if (from != to) {
                    int before = sent[from][to];
                    for (int i = 0; sent[from][to] == before; i++) {
                        if (i == 20_000) {
                            throw new AssertionError("no frame can be sent from " + from + " to " + to);
                        }
                        send(from, to, 3);
                        passTime();
                    }
                }
            }
        }
    }

    /** Drives all until everything sent has arrived. */
    void finish() {
        for (int i = 0; !allArrived(); i++) {
            assertTrue(i < 20_000, this::missing);
            passTime();
        }
    }

    /** To the next moment at which anything can happen. */
    void passTime() {
        long next = net.nextArrival();
        for (FlowPort port : ports) {
            next = Math.min(next, port.nextDeadline());
        }
        net.now = next == Long.MAX_VALUE ? net.now + 1_000 : Math.max(next, net.now + 1);
        for (int rank = 0; rank < ranks; rank++) {
            drive(rank);
        }
    }

    private boolean allArrived() {
        for (int from = 0; from < ranks; from++) {
            if (ports[from].underWay() > 0) {
                return false;
            }
            for (int to = 0; to < ranks; to++) {
                if (from != to && !dead[from][to] && !arrivedAll(from, to)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** All of a pair's current generation; before its first frame the receiver still counts in the one before. */
    private boolean arrivedAll(int from, int to) {
        return sent[from][to] == 0 || seen[from][to] == generation[from][to] && expected[from][to] == sent[from][to];
    }

    private String missing() {
        StringBuilder text = new StringBuilder("does not finish:");
        for (int from = 0; from < ranks; from++) {
            for (int to = 0; to < ranks; to++) {
                if (from != to && !arrivedAll(from, to)) {
                    text.append(' ').append(expected[from][to]).append(" of ").append(sent[from][to])
                            .append(" from ").append(from).append(" to ").append(to);
                }
            }
        }
        return text.toString();
    }

    /** Waits until the ranks have forgotten each other. */
    void forget() {
        net.faults.haunt = 0;
        for (int i = 0; i < 20_000; i++) {
            int known = 0;
            for (FlowPort port : ports) {
                known += port.activePeers();
            }
            if (known == 0) {
                return;
            }
            passTime();
        }
        throw new AssertionError("peers are not forgotten");
    }
}
