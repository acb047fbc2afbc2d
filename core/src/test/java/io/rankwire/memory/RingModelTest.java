package io.rankwire.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Both ends of a ring on one thread, in random order, compared with a queue of byte arrays. */
final class RingModelTest {
    private static final long SEED = Long.getLong("rankwire.ring.seed", 20_261_116);
    private static final long STEPS = Long.getLong("rankwire.ring.steps", 400_000);
    private static final long SEQUENCES = 1L << 23;

    private record Frame(int meta, byte[] body) {}

    private final ArrayDeque<Frame> model = new ArrayDeque<>();
    private MemorySegment memory;
    private RingWriter writer;
    private RingReader reader;
    private Rand rand;
    private int lines;
    /** Lines claimed so far, including fillers, as the writer counts them. */
    private long position;
    private int fulls;
    private int fillers;
    private int together;
    private int added;
    private int addedLate;
    /** Meta, first word and length of the short bodies that are written next. */
    private int shape;
    /** The frame that the next one may repeat, or null. */
    private Frame last;

    private void open(int ringLines, long seed) {
        lines = ringLines;
        memory = Arena.ofAuto().allocate(RingLayout.bytes(ringLines), 128);
        writer = new RingWriter(memory);
        reader = new RingReader(memory);
        rand = new Rand(seed);
        position = 0;
        fulls = 0;
        fillers = 0;
        together = 0;
        added = 0;
        shape = 0;
        last = null;
        model.clear();
    }

    @Test
    void shouldBehaveLikeAQueueInRandomTurns() {
        for (int ringLines : new int[] {8, 16, 64, 512, 2048}) {
            open(ringLines, SEED + ringLines);
            play(STEPS / 5);
            assertTrue(fulls > 0, () -> "never full with " + ringLines + " lines, seed " + SEED);
            assertTrue(together > 100, () -> "no frames alike with " + ringLines + " lines, seed " + SEED);
            assertTrue(added > 100, () -> "no body added with " + ringLines + " lines, seed " + SEED);
            assertTrue(ringLines == 8 || fillers > 0, () -> "no filler with " + ringLines + " lines, seed " + SEED);
        }
        assertTrue(addedLate > 100, () -> "no body added to a frame that was read, seed " + SEED);
    }

    @Test
    void shouldCarryOnWhereTheSequenceWraps() {
        for (int ringLines : new int[] {8, 64, 2048}) {
            open(ringLines, SEED - ringLines);
            for (int wrap = 1; wrap <= 2; wrap++) {
                windUntil(wrap * SEQUENCES - 3L * lines);
                play(4_000);
                assertTrue(position > wrap * SEQUENCES, "the wrap was not crossed");
                while (!model.isEmpty()) {
                    read();
                }
            }
        }
    }

    /** Frames without contents, as fast as possible. */
    private void windUntil(long target) {
        while (position < target) {
            int body = target - position > 2L * lines ? writer.maxBody() : 0;
            track(writer.claim(body), body);
            writer.commit(body, 1);
            reader.advance(reader.peek());
        }
        assertEquals(0, reader.peek());
    }

    private void play(long steps) {
        long step = 0;
        int writePart = 50;
        try {
            for (; step < steps; step++) {
                if (step % 512 == 0) {
                    writePart = new int[] {10, 50, 50, 90, 99}[rand.below(5)];
                }
                int what = rand.below(104);
                if (what < writePart) {
                    write();
                } else if (what < 100) {
                    read();
                } else if (what < 102) {
                    reader.publish();
                } else {
                    reader.asleep(what == 102);
                    assertEquals(what == 102, writer.readerAsleep());
                }
            }
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("seed " + SEED + ", " + lines + " lines, step " + step + ": " + failure, failure);
        }
    }

    private void write() {
        int max = writer.maxBody();
        if (rand.chance(1, 3)) {
            writeShort();
            return;
        }
        if (last != null && rand.chance(1, 2)) {
            writeAlike();
            return;
        }
        int size = rand.chance(1, 8) ? max - rand.below(9) : rand.chance(1, 2) ? rand.below(57) : rand.below(max + 1);
        long at = writer.claim(size);
        if (at == RingWriter.FULL) {
            fulls++;
            assertTrue(model.size() > 0 || position > 0, "an empty new ring is full");
            mustBeFull(size);
            return;
        }
        track(at, size);
        byte[] body = new byte[size];
        fill(body, at);
        int meta = rand.between(1, 0xFFFF);
        commit(at, meta, body);
        last = size >= 8 && size <= 56 ? new Frame(meta, body) : null;
    }

    /** A frame that equals the last one in length and first word. */
    private void writeAlike() {
        byte[] body = last.body.clone();
        long at = writer.claim(body.length);
        if (at == RingWriter.FULL) {
            last = null;
            return;
        }
        track(at, body.length);
        if (body.length > 8) {
            body[rand.between(8, body.length - 1)]++;
        }
        commit(at, last.meta, body);
    }

    /** One of a few short bodies, which are often added to the frame before. */
    private void writeShort() {
        if (rand.chance(1, 4)) {
            shape = rand.below(32);
        }
        int meta = 1 + (shape & 1);
        long first = shape >>> 1 & 1;
        byte[] body = new byte[8 + new int[] {0, 3, 8, 8, 16, 24, 25, 48}[shape >>> 2]];
        for (int i = 8; i < body.length; i++) {
            body[i] = (byte) rand.nextLong();
        }
        MemorySegment.ofArray(body).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, first);
        long at = writer.claimMore(body.length, meta, first);
        boolean more = at != RingWriter.FULL;
        if (!more) {
            long start = writer.claim(body.length);
            if (start == RingWriter.FULL) {
                mustBeFull(body.length);
                return;
            }
            track(start, body.length);
            at = start + 8;
        }
        MemorySegment.copy(body, 8, writer.memory(), ValueLayout.JAVA_BYTE, at, body.length - 8);
        assertEquals(more, writer.isMore(at));
        if (more) {
            writer.commitMore();
            added++;
            addedLate += model.isEmpty() ? 1 : 0;
        } else {
            writer.commit(body.length, meta, first);
        }
        model.add(new Frame(meta, body));
        last = null;
    }

    private void commit(long at, int meta, byte[] body) {
        MemorySegment.copy(body, 0, writer.memory(), ValueLayout.JAVA_BYTE, at, body.length);
        writer.commit(body.length, meta);
        model.add(new Frame(meta, body));
    }

    /** A claim may fail only while more than half of the ring is in use or not yet released. */
    private void mustBeFull(int size) {
        long needed = RingLayout.linesOf(size);
        long held = lines / 4;
        for (Frame frame : model) {
            held += RingLayout.linesOf(frame.body.length);
        }
        assertTrue(held + 2L * lines / 8 + needed > lines, () -> "full with " + model.size() + " frames in it");
    }

    private void track(long at, int size) {
        assertNotEquals(RingWriter.FULL, at, "no room where there must be some");
        long line = at - Words.origin(memory) - RingLayout.WORD - RingLayout.LINES >>> RingLayout.LINE_SHIFT;
        long skipped = line - position & lines - 1;
        fillers += skipped > 0 ? 1 : 0;
        position += skipped + RingLayout.linesOf(size);
    }

    /** Contents that look like frames: ring words of this line in this lap, the next and the previous one. */
    private void fill(byte[] body, long at) {
        MemorySegment view = MemorySegment.ofArray(body);
        long start = position - RingLayout.linesOf(body.length);
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) rand.nextLong();
        }
        for (int i = 0; i + 8 <= body.length; i += 8) {
            long line = start + (i + RingLayout.WORD >>> RingLayout.LINE_SHIFT);
            long lap = rand.between(-1, 1) * (long) lines;
            if (rand.chance(7, 8)) {
                long word = RingLayout.word(line + lap, rand.below(writer.maxBody() + 1), rand.below(3));
                view.set(ValueLayout.JAVA_LONG_UNALIGNED, i, word);
            }
        }
    }

    private void read() {
        long word = reader.peek();
        Frame expected = model.poll();
        if (expected == null) {
            assertEquals(0, word, () -> "a frame out of nowhere: " + Long.toHexString(word));
            return;
        }
        assertNotEquals(0, word, "a frame is missing");
        assertEquals(expected.meta, RingLayout.meta(word), "meta");
        assertEquals(expected.body.length, RingLayout.body(word), "length");
        int length = expected.body.length;
        if (RingLayout.bodies(word) != 0) {
            readBodies(word, expected);
            return;
        }
        byte[] found = bodyAt(reader.body(), length);
        assertArrayEquals(expected.body, found);
        int alike = reader.alike(word, rand.between(1, 8));
        if (alike == 1 || rand.chance(1, 4)) {
            reader.advance(word);
            return;
        }
        for (int i = 1; i < alike; i++) {
            Frame next = model.poll();
            assertTrue(next != null, "a frame alike out of nowhere");
            assertEquals(expected.meta, next.meta, "meta of a frame alike");
            assertArrayEquals(next.body, bodyAt(reader.body() + i * RingLayout.LINE, length));
            assertEquals(-1, Arrays.mismatch(expected.body, 0, 8, next.body, 0, 8), "first word of a frame alike");
        }
        together += alike;
        reader.advance(word, alike);
    }

    /** Some of the bodies that were not read of a frame with several. */
    private void readBodies(long word, Frame first) {
        int left = reader.bodiesLeft(word);
        int count = rand.between(1, left);
        int stride = RingLayout.stride(RingLayout.body(word));
        Frame expected = first;
        for (int i = 0; i < count; i++) {
            assertEquals(first.meta, expected.meta, "meta of a body");
            assertArrayEquals(Arrays.copyOf(expected.body, 8), bodyAt(reader.body(), 8), "first word");
            assertArrayEquals(Arrays.copyOfRange(expected.body, 8, expected.body.length),
                    bodyAt(reader.rest(word) + (long) i * stride, expected.body.length - 8));
            if (i + 1 < count) {
                expected = model.poll();
                assertTrue(expected != null, "a body out of nowhere");
            }
        }
        reader.take(word, count);
    }

    private byte[] bodyAt(long at, int length) {
        return reader.memory().asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void shouldGiveSpaceBackOnlyWhenPublished() {
        open(64, 1);
        int written = 0;
        while (writer.claim(56) != RingWriter.FULL) {
            writer.commit(56, 1);
            written++;
        }
        assertEquals(64, written);
        for (int i = 0; i < 15; i++) {
            reader.advance(reader.peek());
        }
        assertEquals(RingWriter.FULL, writer.claim(56), "less than a quarter is not published by itself");
        reader.publish();
        for (int i = 0; i < 15; i++) {
            assertNotEquals(RingWriter.FULL, writer.claim(56));
            writer.commit(56, 1);
        }
        assertEquals(RingWriter.FULL, writer.claim(56));
    }

    @Test
    void shouldPublishAQuarterByItself() {
        open(64, 1);
        for (int i = 0; i < 64; i++) {
            writer.claim(0);
            writer.commit(0, 1);
        }
        for (int i = 0; i < 16; i++) {
            assertEquals(RingWriter.FULL, writer.claim(0));
            reader.advance(reader.peek());
        }
        assertNotEquals(RingWriter.FULL, writer.claim(0));
    }

    @Test
    void shouldRefuseARingOfAnotherSize() {
        for (long bytes : new long[] {0, RingLayout.bytes(4), RingLayout.bytes(48)}) {
            MemorySegment odd = Arena.ofAuto().allocate(Math.max(bytes, 8), 128);
            assertThrows(IllegalArgumentException.class, () -> new RingWriter(odd));
            assertThrows(IllegalArgumentException.class, () -> new RingReader(odd));
        }
    }
}
