package io.rankwire.device;

import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;

/**
 * A message that is here without a receive, as a probe sees it.
 *
 * @param word source and tag, see {@link MatchWord}
 * @param description bytes and meta
 * @param payload send id and reference of the stored payload
 */
public record Unexpected(int context, long word, long description, long payload) {
    /** The payload reference of a message that is not stored here. */
    static final int NOT_STORED = -1;

    static long description(long bytes, int meta) {
        return bytes << 16 | meta;
    }

    static long bytes(long description) {
        return description >>> 16;
    }

    static int meta(long description) {
        return (int) description & 0xFFFF;
    }

    static int kind(long description) {
        return Frame.kind(meta(description));
    }

    static long payload(int sendId, int reference) {
        return Frame.header(sendId, reference);
    }

    static int sendId(long payload) {
        return Frame.high(payload);
    }

    static int reference(long payload) {
        return Frame.low(payload);
    }

    /** Bytes of a message, by its description, that are stored here and copied when a receive meets it. */
    public static long storedBytes(long description) {
        int kind = kind(description);
        return kind == Frame.EAGER || kind == Frame.EAGER_SYNC ? bytes(description) : 0;
    }

    /** World rank of the sender. */
    public int source() {
        return MatchWord.source(word);
    }

    public int tag() {
        return MatchWord.tag(word);
    }

    public long bytes() {
        return bytes(description);
    }

    public int elementType() {
        return Frame.elementType(meta(description));
    }
}
