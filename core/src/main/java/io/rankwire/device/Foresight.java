package io.rankwire.device;

import io.rankwire.device.match.Matching;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;

/**
 * Whole messages that are about to come to many devices of one process. Each of them would wait for memory a dozen
 * times, one after another, as it goes from the device to its queue, the receive and the buffer. Here all of them go
 * that way first, one step at a time and reading only, so that they wait together.
 */
public final class Foresight {
    private final Device[] devices;
    private final int[] from;
    private final long[] headers;
    private final int[] handles;
    private int count;

    public Foresight(int most) {
        devices = new Device[most];
        from = new int[most];
        headers = new long[most];
        handles = new int[most];
    }

    /** Notes a frame that will come to a device; frames other than whole messages are ignored. */
    public void expect(Device device, int sender, int meta, long header) {
        if (Frame.kind(meta) == Frame.EAGER && count < devices.length) {
            devices[count] = device;
            from[count] = sender;
            headers[count++] = header;
        }
    }

    /** Reads what is expected, and expects nothing more. The result means nothing, but it must be used. */
    public long fetch() {
        int expected = count;
        count = 0;
        long sum = 0;
        for (int i = 0; i < expected; i++) {
            sum += devices[i].touch(from[i]);
        }
        for (int i = 0; i < expected; i++) {
            Matching queue = devices[i].queues().find(Frame.high(headers[i]));
            sum += queue == null ? 0 : queue.posted();
        }
        for (int i = 0; i < expected; i++) {
            Matching queue = devices[i].queues().find(Frame.high(headers[i]));
            handles[i] = queue == null ? Matching.NONE
                    : queue.foresee(MatchWord.exact(from[i], Frame.low(headers[i])));
        }
        for (int i = 0; i < expected; i++) {
            if (handles[i] >= 0) {
                sum += devices[i].operations().at(handles[i]).touch();
            }
        }
        return sum;
    }
}
