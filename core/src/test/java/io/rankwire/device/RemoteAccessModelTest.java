package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.onesided.RegionTable;
import io.rankwire.fabric.RemoteFabric;
import io.rankwire.fabric.RemoteFabric.Bug;
import io.rankwire.fabric.Shared;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Accesses of devices to memory of a peer that is killed, or frees its memory, at a random moment. */
@Timeout(300)
final class RemoteAccessModelTest {
    private static final int SEEDS = 300;
    private static final int BYTES = 40_000;
    private static final int ROUNDS = 20_000;
    private static final int RAW = ElementType.RAW.code();

    /** A get into memory of its own. */
    private record Get(Shared into, Operation operation) {}

    @Test
    void shouldLetGoOfBuffersBeforeAccessesEnd() {
        int lost = 0;
        int refused = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            int[] ends = episode(seed);
            lost += ends[0];
            refused += ends[1];
        }
        assertTrue(lost > SEEDS / 4, lost + " accesses were lost");
        assertTrue(refused > SEEDS / 4, refused + " accesses were refused");
    }

    /** What the network refuses is made in frames, and a flush that passed it does not count. */
    @Test
    void shouldFlushWhatWasRefused() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            RemoteFabric fabric = new RemoteFabric(2, seed, Bug.NONE, 2);
            Device a = new Device(DeviceConfig.DEFAULT, fabric.open(0));
            Device b = new Device(DeviceConfig.DEFAULT, fabric.open(1));
            Shared there = b.memory().allocate(BYTES);
            Shared here = a.memory().allocate(BYTES);
            here.memory().fill((byte) 3);
            int key = b.oneSided().regions().add(there.memory(), 0, BYTES, RAW, RegionTable.WRITE);
            Channel channel = a.oneSided().open(1, key);
            channel.byEngine(there.id(), 0);
            a.oneSided().putByEngine(channel, RAW, here.memory(), 0, BYTES, 0, null);
            a.oneSided().flush(channel);
            Rand rand = new Rand(seed);
            for (int round = 0; round < ROUNDS && !channel.flushed(); round++) {
                (rand.chance(1, 2) ? a : b).progressAll(round * 1_000L);
            }
            assertTrue(channel.flushed(), "seed " + seed + " does not end");
            assertEquals(Code.OK, channel.takeRefusal());
            assertEquals(-1, here.memory().mismatch(there.memory()), "seed " + seed + ": the first byte that differs");
        }
    }

    private static int[] episode(long seed) {
        Rand rand = new Rand(seed);
        boolean kills = rand.chance(1, 2);
        RemoteFabric fabric = new RemoteFabric(2, seed, Bug.NONE, rand.chance(1, 3) ? 10 : 0);
        Device a = new Device(DeviceConfig.DEFAULT, fabric.open(0));
        Device b = new Device(DeviceConfig.DEFAULT, fabric.open(1));
        Shared there = b.memory().allocate(BYTES);
        there.memory().fill((byte) 1);
        int key = b.oneSided().regions().add(there.memory(), 0, BYTES, RAW, RegionTable.READ | RegionTable.WRITE);
        Channel channel = a.oneSided().open(1, key);
        channel.byEngine(there.id(), 0);
        List<Get> gets = new ArrayList<>();
        int end = rand.below(60);
        int[] ends = new int[2];
        int asked = 0;
        boolean ended = false;
        for (int round = 0; round < ROUNDS && (asked < 20 || !gets.isEmpty() || !channel.flushed()); round++) {
            String about = "seed " + seed + ", round " + round;
            if (asked < 20 && rand.chance(1, 4)) {
                asked++;
                begin(a, channel, gets);
            }
            if (round == end) {
                ended = true;
                if (kills) {
                    fabric.kill(1);
                } else {
                    b.oneSided().withdraw(key);
                    b.remote().free(there);
                }
            }
            a.advance(round * 1_000L);
            a.progressAll(round * 1_000L);
            if (!kills || !ended) {
                b.progressAll(round * 1_000L);
            }
            look(a, gets, ended, ends, about);
        }
        assertTrue(gets.isEmpty() && channel.flushed(), "seed " + seed + " does not end");
        a.oneSided().close(channel);
        return ends;
    }

    private static void begin(Device a, Channel channel, List<Get> gets) {
        Shared into = a.memory().allocate(BYTES);
        Operation operation = a.begin(0, 1, BYTES);
        if (!a.oneSided().getByEngine(channel, RAW, into.memory(), 0, BYTES, 0, operation)) {
            a.oneSided().get(channel, RAW, into.memory(), 0, BYTES, 0, operation);
        }
        gets.add(new Get(into, operation));
        a.oneSided().flush(channel);
    }

    /** The fabric fails if memory is freed that it still uses. */
    private static void look(Device a, List<Get> gets, boolean ended, int[] ends, String about) {
        for (int i = gets.size() - 1; i >= 0; i--) {
            Get get = gets.get(i);
            if (get.operation.isDone()) {
                int code = get.operation.code();
                a.release(get.operation);
                assertTrue(code == Code.OK || ended && (code == Code.PEER_DEAD || code == Code.UNKNOWN_REGION),
                        () -> about + ": code " + code);
                ends[0] += code == Code.PEER_DEAD ? 1 : 0;
                ends[1] += code == Code.UNKNOWN_REGION ? 1 : 0;
                for (long at = 0; code == Code.OK && at < BYTES; at += BYTES / 16) {
                    assertEquals(1, get.into.memory().get(ValueLayout.JAVA_BYTE, at), about);
                }
                a.memory().free(get.into);
                gets.remove(i);
            }
        }
    }
}
