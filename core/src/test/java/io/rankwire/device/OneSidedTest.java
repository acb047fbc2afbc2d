package io.rankwire.device;

import static io.rankwire.device.DevicePair.BYTE;
import static io.rankwire.device.DevicePair.INT;
import static io.rankwire.device.DevicePair.assertDone;
import static io.rankwire.device.DevicePair.assertPattern;
import static io.rankwire.device.DevicePair.pattern;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.onesided.OneSided;
import io.rankwire.device.onesided.RegionTable;
import io.rankwire.fabric.BadFrame;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory of a peer reached by frames, between two devices and within one. */
final class OneSidedTest {
    /** More than the 256 lines of the ring take, each with a chunk of the slab. */
    private static final int LARGE = 1_200_000;
    private static final int BOTH = RegionTable.READ | RegionTable.WRITE;

    private final DevicePair pair = new DevicePair(DeviceConfig.DEFAULT, 2, 256);
    private final OneSided from = pair.a.oneSided();

    private Channel to(int node, Object base, long bytes, int type, int rights) {
        return from.open(node, pair.devices[node].oneSided().regions().add(base, 0, bytes, type, rights));
    }

    private void flush(Channel channel) {
        from.flush(channel);
        pair.settle();
        assertTrue(channel.flushed());
    }

    private void assertRefused(int code, long offset, Channel channel) {
        flush(channel);
        assertEquals(code, channel.takeRefusal());
        assertEquals(offset, channel.refusedOffset());
        assertEquals(Code.OK, channel.takeRefusal());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldPutAndGetMoreThanTheRingHolds(int node) {
        byte[] there = new byte[LARGE];
        Channel channel = to(node, there, LARGE, BYTE, BOTH);
        Operation put = pair.a.begin(0, node, LARGE);
        from.put(channel, BYTE, pattern(1, LARGE), 0, LARGE, 0, put);
        assertEquals(node == 0, channel.localDone(), "a put larger than the ring waits");
        flush(channel);
        assertDone(Code.OK, pair.a, put);
        assertPattern(1, LARGE, there);
        byte[] here = new byte[LARGE];
        Operation get = pair.a.begin(0, node, LARGE);
        from.get(channel, BYTE, here, 0, LARGE, 0, get);
        pair.settle();
        assertDone(Code.OK, pair.a, get);
        assertPattern(1, LARGE, here);
        assertTrue(channel.localDone());
        pair.assertNothingLeft();
    }

    /** Both send each other more than fits, with small messages between; nobody may wait for the other. */
    @Test
    void shouldNotBlockWhenBothPushAtOnce() {
        byte[] atA = new byte[LARGE];
        byte[] atB = new byte[LARGE];
        Channel ab = to(1, atB, LARGE, BYTE, BOTH);
        OneSided back = pair.b.oneSided();
        Channel ba = back.open(0, from.regions().add(atA, 0, LARGE, BYTE, BOTH));
        byte[] gotA = new byte[LARGE];
        for (int i = 0; i < 3; i++) {
            from.put(ab, BYTE, pattern(2, LARGE), 0, LARGE, 0, null);
            back.put(ba, BYTE, pattern(3, LARGE), 0, LARGE, 0, null);
        }
        from.get(ab, BYTE, gotA, 0, LARGE, 0, null);
        from.flush(ab);
        back.flush(ba);
        pair.settle();
        assertTrue(ab.flushed() && ba.flushed());
        assertPattern(2, LARGE, atB);
        assertPattern(3, LARGE, atA);
        assertPattern(2, LARGE, gotA);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldCombineAndFetch(int node) {
        int[] there = new int[50_000];
        Arrays.setAll(there, i -> i);
        Channel channel = to(node, there, 4L * there.length, INT, BOTH);
        int[] ones = new int[there.length];
        Arrays.fill(ones, 5);
        from.accumulate(channel, INT, Reduction.SUM, ones, 0, 4L * ones.length, 0, null);
        int[] before = new int[there.length];
        from.fetch(channel, INT, Reduction.MAX, ones, 0, before, 0, 4L * ones.length, 0, null);
        pair.settle();
        assertTrue(channel.localDone());
        for (int i = 0; i < there.length; i++) {
            assertEquals(i + 5, before[i]);
        }
        assertArrayEquals(before, there);
        int[] result = new int[1];
        from.compareAndSwap(channel, INT, 6, -1 & 0xFFFF_FFFFL, result, 0, 4);
        pair.settle();
        assertEquals(6, result[0]);
        assertEquals(-1, there[1]);
        from.compareAndSwap(channel, INT, 6, 9, result, 0, 4);
        pair.settle();
        assertEquals(-1, result[0]);
        assertEquals(-1, there[1]);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldRefuseWhatIsWrongAndTouchNothing(int node) {
        int[] there = {1, 2, 3, 4};
        int[] kept = there.clone();
        Channel channel = to(node, there, 16, INT, BOTH);
        int[] data = {9, 9, 9, 9, 9, 9, 9, 9};
        from.put(channel, INT, data, 0, 20, 0, null);
        assertRefused(Code.OUT_OF_BOUNDS, 0, channel);
        from.put(channel, INT, data, 0, 4, -4, null);
        assertRefused(Code.OUT_OF_BOUNDS, -4, channel);
        from.put(channel, INT, data, 0, 8, 2, null);
        assertRefused(Code.BROKEN_ELEMENT, 2, channel);
        from.put(channel, ElementType.DOUBLE.code(), new double[2], 0, 8, 0, null);
        assertRefused(Code.TYPE_MISMATCH, 0, channel);
        from.accumulate(channel, INT, Reduction.SUM, data, 0, 8, 12, null);
        assertRefused(Code.OUT_OF_BOUNDS, 12, channel);
        from.fetch(channel, INT, Reduction.SUM, data, 0, data, 16, 8, 12, null);
        assertRefused(Code.OUT_OF_BOUNDS, 12, channel);
        from.compareAndSwap(channel, INT, 1, 7, data, 0, 16);
        assertRefused(Code.OUT_OF_BOUNDS, 16, channel);
        Operation get = pair.a.begin(0, node, 8);
        from.get(channel, INT, data, 0, 8, 12, get);
        pair.settle();
        assertDone(Code.OUT_OF_BOUNDS, pair.a, get);
        assertArrayEquals(kept, there);
        assertArrayEquals(new int[] {9, 9, 9, 9, 9, 9, 9, 9}, data);
        Channel stranger = from.open(node, 77);
        from.put(stranger, INT, data, 0, 4, 0, null);
        assertRefused(Code.UNKNOWN_REGION, 0, stranger);
        from.lock(stranger, true);
        pair.settle();
        assertTrue(stranger.lockAnswered());
        assertEquals(Code.UNKNOWN_REGION, stranger.takeRefusal());
        Channel readOnly = to(node, there, 16, INT, RegionTable.READ);
        from.put(readOnly, INT, data, 0, 4, 0, null);
        assertRefused(Code.NO_RIGHT, 0, readOnly);
        assertArrayEquals(kept, there);
    }

    /** No part of a large access may be written when its end lies outside. */
    @Test
    void shouldRefuseALargeAccessAsAWhole() {
        byte[] there = new byte[LARGE];
        Channel channel = to(1, there, LARGE - 1, BYTE, BOTH);
        from.put(channel, BYTE, pattern(1, LARGE), 0, LARGE, 0, null);
        assertRefused(Code.OUT_OF_BOUNDS, 0, channel);
        byte[] result = new byte[LARGE];
        from.fetch(channel, BYTE, Reduction.REPLACE, pattern(1, LARGE), 0, result, 0, LARGE, 0, null);
        assertRefused(Code.OUT_OF_BOUNDS, 0, channel);
        assertArrayEquals(new byte[LARGE], there);
        assertArrayEquals(new byte[LARGE], result);
    }

    @Test
    void shouldGiveLocksInTheOrderTheyAreAskedFor() {
        Device b = pair.b;
        int key = b.oneSided().regions().add(new byte[1], 0, 1, BYTE, BOTH);
        Channel[] all = new Channel[5];
        boolean[] exclusive = {false, false, true, false, true};
        for (int i = 0; i < all.length; i++) {
            OneSided origin = pair.devices[i % 2].oneSided();
            all[i] = origin.open(1, key);
            origin.lock(all[i], exclusive[i]);
            pair.settle();
        }
        assertGranted("11000", all);
        unlock(all, 0, false);
        assertGranted("01000", all);
        unlock(all, 1, false);
        assertGranted("00100", all);
        unlock(all, 2, true);
        assertGranted("00010", all);
        unlock(all, 3, false);
        assertGranted("00001", all);
        unlock(all, 4, true);
        assertGranted("00000", all);
    }

    private void unlock(Channel[] all, int i, boolean exclusive) {
        pair.devices[i % 2].oneSided().unlock(all[i], exclusive);
        pair.settle();
    }

    private static void assertGranted(String expected, Channel[] all) {
        StringBuilder seen = new StringBuilder();
        for (Channel channel : all) {
            seen.append(channel.lockAnswered() ? '1' : '0');
        }
        assertEquals(expected, seen.toString());
    }

    @Test
    void shouldStillRefuseAFrameOfNoKnownKind() {
        assertThrows(BadFrame.class, () -> pair.a.frame(1, 99, 0, null, 0, 0));
        assertThrows(BadFrame.class, () -> pair.a.frame(1, 31, 0, null, 0, 0));
        assertFalse(from.open(1, 5).lockAnswered());
    }
}
