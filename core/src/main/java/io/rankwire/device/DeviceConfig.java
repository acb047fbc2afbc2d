package io.rankwire.device;

import io.rankwire.device.match.QueueHints;
import io.rankwire.device.match.Split;
import io.rankwire.wire.WordLayout;

/**
 * Sizes and policies of a device. All ranks of a job use the same one: senders count credit with it.
 *
 * @param eagerBytes messages up to this size travel whole at once; the fabric's largest frame bounds it
 * @param unexpectedBytes most that messages without a receive may take up here, headers included
 * @param fragmentBytes size of a fragment of the unexpected buffer, a power of two from 64 on
 * @param fragments fragments in device memory; beyond them payload spills to the heap
 * @param headers headers in the store at the start
 * @param maxHeaders most headers, posted and unexpected together, before {@code overflow} decides
 * @param overflow what happens then
 * @param truncation what happens to a message larger than its receive
 * @param bufferedBytes most that buffered sends may hold
 * @param doorbells datagrams that can be under way at once
 * @param large which way messages over {@code eagerBytes} go
 * @param putLimit an announced message up to this size is moved by the engine alone, a larger one in puts of this size
 *     that software makes one after another
 * @param split how matching is divided between a small device and software; null if the device does it all
 * @param hints those that each context starts with
 * @param words widths of the fields of match words, which bound ranks, tags and contexts
 * @param retries how often a message is sent again that its receiver refused for want of room, if {@code overflow} is
 *     to refuse
 */
public record DeviceConfig(
        int eagerBytes,
        long unexpectedBytes,
        int fragmentBytes,
        int fragments,
        int headers,
        int maxHeaders,
        Overflow overflow,
        Truncation truncation,
        long bufferedBytes,
        int doorbells,
        Large large,
        long putLimit,
        Split split,
        QueueHints hints,
        WordLayout words,
        int retries) {

    public DeviceConfig {
        if (fragmentBytes < UNIT || Integer.bitCount(fragmentBytes) != 1) {
            throw new IllegalArgumentException("fragmentBytes: " + fragmentBytes + " is no power of two from " + UNIT);
        }
        if (putLimit < UNIT) {
            throw new IllegalArgumentException("putLimit: " + putLimit);
        }
    }

    /** A device that does all matching itself. */
    public DeviceConfig(
            int eagerBytes, long unexpectedBytes, int fragmentBytes, int fragments, int headers, int maxHeaders,
            Overflow overflow, Truncation truncation, long bufferedBytes, int doorbells, Large large, long putLimit) {
        this(eagerBytes, unexpectedBytes, fragmentBytes, fragments, headers, maxHeaders, overflow, truncation,
                bufferedBytes, doorbells, large, putLimit, null);
    }

    /** A device whose senders try as often as usual. */
    public DeviceConfig(
            int eagerBytes, long unexpectedBytes, int fragmentBytes, int fragments, int headers, int maxHeaders,
            Overflow overflow, Truncation truncation, long bufferedBytes, int doorbells, Large large, long putLimit,
            Split split) {
        this(eagerBytes, unexpectedBytes, fragmentBytes, fragments, headers, maxHeaders, overflow, truncation,
                bufferedBytes, doorbells, large, putLimit, split, QueueHints.NONE, WordLayout.DEFAULT, RETRIES);
    }

    /** What to do when the header store is full. */
    public enum Overflow {
        /** Let the store grow. */
        GROW,
        /** Match in software, in host memory, until there is room again. */
        SOFTWARE,
        /** End the job with a message. */
        FAIL,
        /** Refuse messages, which their senders send again; software takes a queue over that a call waits for. */
        REFUSE
    }

    /** What to do with a message larger than its receive. */
    public enum Truncation {
        /** Deliver the part that fits and report it. */
        DELIVER,
        /** Deliver nothing; a sender that still waits gets an error too. */
        REFUSE
    }

    /** Which way a message goes that is too large for one frame. */
    public enum Large {
        /** Copied once where memory can be mapped, or read by a system call that pays; else as {@code TWO_ENDED}. */
        AUTO,
        /** In frames as credit allows, without waiting for the receiver. */
        EAGER,
        /** In frames, none before the receiver's answer. */
        RENDEZVOUS,
        /** In frames: a measured quota from the front at once, the rest from the back after the answer. */
        TWO_ENDED,
        /** Read from the sender's process by a system call, where that is possible; else as {@code TWO_ENDED}. */
        PROCESS
    }

    /** The bytes of payload that one unit of credit covers; a header takes a unit too. */
    static final int UNIT = 64;

    /** With pauses up to 10 ms, some ten seconds. */
    private static final int RETRIES = 1000;
    /** Where messages are refused, credit never ends. */
    private static final long NO_LIMIT = 1L << 40;

    public static final DeviceConfig DEFAULT = new DeviceConfig(
            16 << 10, 64L << 20, 64, 8192, 256, 1 << 20, Overflow.GROW, Truncation.DELIVER, 64L << 20, 1024,
            Large.AUTO, 64L << 20);

    /** Most bytes of a message that goes whole, on a fabric whose frames take this many. */
    public int mostEager(int maxPayload) {
        return Math.min(eagerBytes, maxPayload - lead());
    }

    /** The same to a peer to whom a fabric sends more than usual whole. A device that was made small stays small. */
    int mostEager(int maxPayload, int mostWhole) {
        int usual = mostEager(maxPayload);
        return eagerBytes < DEFAULT.eagerBytes ? usual : Math.max(usual, Math.min(mostWhole, maxPayload - lead()));
    }

    /** Bytes before a message that goes whole. */
    private int lead() {
        return mayRefuse() ? 2 * Outbound.ID : Outbound.ID;
    }

    /** Whether receivers may refuse messages, instead of giving their senders credit. */
    public boolean mayRefuse() {
        return overflow == Overflow.REFUSE;
    }

    public DeviceConfig withRetries(int most) {
        return new DeviceConfig(eagerBytes, unexpectedBytes, fragmentBytes, fragments, headers, maxHeaders, overflow,
                truncation, bufferedBytes, doorbells, large, putLimit, split, hints, words, most);
    }

    public DeviceConfig withUnexpectedBytes(long bytes) {
        return new DeviceConfig(eagerBytes, bytes, fragmentBytes, fragments, headers, maxHeaders, overflow,
                truncation, bufferedBytes, doorbells, large, putLimit, split, hints, words, retries);
    }

    public DeviceConfig withHeaders(int first, int most, Overflow policy) {
        return new DeviceConfig(eagerBytes, unexpectedBytes, fragmentBytes, fragments, first, most, policy,
                truncation, bufferedBytes, doorbells, large, putLimit, split, hints, words, retries);
    }

    public DeviceConfig withEagerBytes(int bytes) {
        return new DeviceConfig(bytes, unexpectedBytes, fragmentBytes, fragments, headers, maxHeaders, overflow,
                truncation, bufferedBytes, doorbells, large, putLimit, split, hints, words, retries);
    }

    public DeviceConfig withTruncation(Truncation policy) {
        return new DeviceConfig(eagerBytes, unexpectedBytes, fragmentBytes, fragments, headers, maxHeaders, overflow,
                policy, bufferedBytes, doorbells, large, putLimit, split, hints, words, retries);
    }

    public DeviceConfig withLarge(Large policy, long limit) {
        return new DeviceConfig(eagerBytes, unexpectedBytes, fragmentBytes, fragments, headers, maxHeaders, overflow,
                truncation, bufferedBytes, doorbells, policy, limit, split, hints, words, retries);
    }

    public DeviceConfig withSplit(Split division) {
        return new DeviceConfig(eagerBytes, unexpectedBytes, fragmentBytes, fragments, headers, maxHeaders, overflow,
                truncation, bufferedBytes, doorbells, large, putLimit, division, hints, words, retries);
    }

    public DeviceConfig withHints(QueueHints each) {
        return new DeviceConfig(eagerBytes, unexpectedBytes, fragmentBytes, fragments, headers, maxHeaders, overflow,
                truncation, bufferedBytes, doorbells, large, putLimit, split, each, words, retries);
    }

    public DeviceConfig withWords(WordLayout layout) {
        return new DeviceConfig(eagerBytes, unexpectedBytes, fragmentBytes, fragments, headers, maxHeaders, overflow,
                truncation, bufferedBytes, doorbells, large, putLimit, split, hints, layout, retries);
    }

    /** Whether a receive that met a message with this code takes nothing of it. */
    public boolean refuses(int code) {
        return code == Code.TYPE_MISMATCH || code == Code.NOT_ENABLED
                || code == Code.TRUNCATED && truncation == Truncation.REFUSE;
    }

    /** Units one peer may use before the receiver has sent it anything: half the cap, divided evenly. */
    long firstQuota(int peers) {
        return mayRefuse() ? NO_LIMIT : Math.max(4, capUnits() / 2 / Math.max(1, peers));
    }

    long capUnits() {
        return unexpectedBytes / UNIT;
    }
}
