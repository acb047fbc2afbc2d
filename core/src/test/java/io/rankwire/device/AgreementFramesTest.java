package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.agree.Agreed;
import io.rankwire.device.agree.Vote;
import io.rankwire.fabric.BadFrame;
import io.rankwire.fabric.PeerLost;
import io.rankwire.memory.Rand;
import io.rankwire.wire.Frame;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Agreements and revocations of devices. */
final class AgreementFramesTest {
    private static final int RANKS = 20;
    private static final int CONTEXT = 4097;

    private final BoundedFabric fabric = new BoundedFabric(RANKS);
    private final Device[] devices = new Device[RANKS];
    private final BitSet dead = new BitSet();
    private final int[] ranks = new int[RANKS];

    AgreementFramesTest() {
        Arrays.setAll(ranks, i -> i);
        for (int rank = 0; rank < RANKS; rank++) {
            devices[rank] = new Device(DeviceConfig.DEFAULT, fabric.open(rank));
            devices[rank].agreements().join(CONTEXT, 0, ranks, rank);
        }
    }

    @AfterEach
    void close() {
        fabric.close();
    }

    private int progress(int rank) {
        return dead.get(rank) ? 0 : devices[rank].progress(0);
    }

    private void settle() {
        int work = 1;
        for (int rounds = 0; work != 0; rounds++) {
            assertTrue(rounds < 100_000, "never comes to rest");
            work = 0;
            for (int rank = 0; rank < RANKS; rank++) {
                work += progress(rank);
            }
        }
    }

    private void lose(int rank, int lost) {
        if (rank != lost && !dead.get(rank)) {
            devices[rank].lose(new PeerLost(lost, "rank " + lost + " has ended"));
        }
    }

    private static long[] vote(int rank, int call) {
        return new long[] {~(1L << rank), 100 + rank + call, rank, 7, 1L << rank};
    }

    @Test
    void shouldAgreeThoughFramesFindNoRoom() {
        int calls = 300;
        List<List<Agreed>> all = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            all.add(new ArrayList<>());
        }
        for (int call = 0; call < calls; call++) {
            for (int rank = RANKS - 1; rank >= 0; rank--) {
                all.get(rank).add(devices[rank].agreements().begin(CONTEXT, call, vote(rank, call)));
            }
        }
        assertFalse(devices[RANKS - 1].flushed(), "all frames found room");
        settle();
        long bits = (1L << RANKS) - 1;
        for (int rank = 0; rank < RANKS; rank++) {
            for (int call = 0; call < calls; call++) {
                Agreed agreed = all.get(rank).get(call);
                assertTrue(agreed.operation().isDone());
                assertEquals(Code.OK, agreed.operation().code());
                assertArrayEquals(new long[] {~bits, 100 + call, RANKS - 1, 7, bits},
                        Arrays.copyOf(agreed.value(), Vote.WORDS));
                devices[rank].release(agreed.operation());
            }
            assertNull(DeviceAudit.left(devices[rank], 0));
            assertTrue(devices[rank].flushed());
        }
    }

    @Test
    void shouldAgreeThoughRootsDie() {
        for (long seed = 1; seed <= 50; seed++) {
            AgreementFramesTest world = new AgreementFramesTest();
            world.agreeThoughRootsDie(new Rand(seed), seed);
            world.close();
        }
    }

    private void agreeThoughRootsDie(Rand rand, long seed) {
        Agreed[] calls = new Agreed[RANKS];
        for (int rank = 0; rank < RANKS; rank++) {
            calls[rank] = devices[rank].agreements().begin(CONTEXT, 0, vote(rank, 0));
        }
        for (int victim = 0; victim < 4; victim++) {
            for (int turns = rand.below(80); turns > 0; turns--) {
                progress(rand.below(RANKS));
            }
            dead.set(victim);
            for (int rank = 0; rank < RANKS; rank++) {
                lose(rank, victim);
                progress(rand.below(RANKS));
            }
        }
        settle();
        for (int rank = 4; rank < RANKS; rank++) {
            assertTrue(calls[rank].operation().isDone(), "seed " + seed + ", rank " + rank);
            assertArrayEquals(calls[4].value(), calls[rank].value(), "seed " + seed);
        }
    }

    @Test
    void shouldRevokeThoughTheRankThatBeganDies() {
        List<Integer> heard = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            int at = rank;
            devices[rank].agreements().onRevoked(context -> heard.add(at));
        }
        devices[3].agreements().revoke(CONTEXT);
        devices[3].agreements().revoke(CONTEXT);
        progress(0);
        // One of those that live gets it from rank 0, before that dies, too.
        progress(8);
        dead.set(0);
        dead.set(3);
        for (int rank = RANKS - 1; rank >= 0; rank--) {
            lose(rank, 3);
            lose(rank, 0);
        }
        settle();
        assertEquals(RANKS, heard.stream().distinct().count(), heard::toString);
        assertEquals(RANKS, heard.size(), heard::toString);
        for (Device device : devices) {
            assertTrue(device.agreements().isRevoked(CONTEXT));
            device.agreements().drop(CONTEXT);
            assertFalse(device.agreements().isRevoked(CONTEXT));
        }
    }

    @Test
    void shouldEndCallsOfAGroupThatIsDropped() {
        Agreed call = devices[1].agreements().begin(CONTEXT, 0, vote(1, 0));
        devices[1].agreements().drop(CONTEXT);
        assertTrue(call.operation().isDone());
        assertEquals(Code.CANCELLED, call.operation().code());
        assertNull(call.value());
    }

    @Test
    void shouldRefuseFramesThatCannotBeTrue() {
        long[][] bad = {
            {Frame.AGREE_VOTE, 0, RANKS, 0, -1}, {Frame.AGREE_VOTE, 0, -1, 0, -1}, {Frame.AGREE_VOTE, 0, 0, 0, 1},
            {Frame.AGREE_VOTE, 0, 0, 0, -2}, {Frame.AGREE_VOTE, 0, 0, -1, -1}, {Frame.AGREE_PREPARE, 19, 0, 0, 0},
            {Frame.AGREE_ACK, 0, 0, 0, 0}};
        for (long[] each : bad) {
            int kind = (int) each[0];
            int bytes = kind == Frame.AGREE_VOTE ? 64 : kind == Frame.AGREE_PREPARE ? 56 : 8;
            var payload = BoundedFabric.payload(bytes);
            payload.set(ValueLayout.JAVA_LONG, 0, each[3]);
            if (bytes > 8) {
                payload.set(ValueLayout.JAVA_LONG, 8, each[4]);
            }
            // A vote of rank 1 at rank 0 with bad numbers; a proposal from behind; an answer from before.
            int to = kind == Frame.AGREE_ACK ? 5 : kind == Frame.AGREE_PREPARE ? 2 : 0;
            int from = kind == Frame.AGREE_PREPARE ? 9 : 1;
            fabric.way(from, to).add(new BoundedFabric.Sent(Frame.meta(kind, 0),
                    Frame.header(CONTEXT, (int) each[2]), payload));
            devices[to] = new Device(DeviceConfig.DEFAULT, fabric.open(to));
            devices[to].agreements().join(CONTEXT, 0, ranks, to);
            devices[to].progress(0);
            PeerLost lost = devices[to].lost(from);
            assertNotNull(lost, Arrays.toString(each));
            assertTrue(lost instanceof BadFrame, lost.getMessage());
        }
    }
}
