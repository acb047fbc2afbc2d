package io.rankwire;

import io.rankwire.device.Counter;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a rank has counted since it joined its world, at the moment of {@link World#counters}. Messages of collective
 * calls and of the library's own agreements count like messages of the program. A simulated rank counts like any other.
 *
 * <pre>{@code
 * Counters before = world.counters();
 * step();
 * Counters step = world.counters().since(before);
 * IO.println(step.framesSent() + " frames, " + step.matchedUnexpected() + " receives came late");
 * }</pre>
 */
public final class Counters {
    private final long[] values;

    Counters(long[] values) {
        this.values = values;
    }

    private long get(Counter counter) {
        return values[counter.ordinal()];
    }

    /**
     * Returns the calls of the library that the program has made, except accesses to windows in shared memory.
     *
     * @return the number of calls
     */
    public long calls() {
        return get(Counter.CALLS);
    }

    /**
     * Returns the calls that could not end at once and waited.
     *
     * @return the number of waits
     */
    public long waits() {
        return get(Counter.WAITS);
    }

    /**
     * Returns how often a waiting call gave its processor away to sleep, after it had polled in vain.
     *
     * @return the number of sleeps
     */
    public long sleeps() {
        return get(Counter.SLEEPS);
    }

    /**
     * Returns the time in which waiting calls yielded or slept. The polling before is not part of it, because a clock
     * would cost more than a short wait. In a simulation it is the virtual time of all waits.
     *
     * @return nanoseconds
     */
    public long waitNanos() {
        return get(Counter.WAIT_NANOS);
    }

    /**
     * Returns the rounds of progress: how often the device was driven.
     *
     * @return the number of rounds
     */
    public long progressRounds() {
        return get(Counter.PROGRESS_ROUNDS);
    }

    /**
     * Returns how often a progress thread drove the device while the program was outside any call.
     *
     * @return the number of visits
     */
    public long progressVisits() {
        return get(Counter.PROGRESS_VISITS);
    }

    /**
     * Returns the collective calls that the program has begun, each start of a persistent one too.
     *
     * @return the number of collective calls
     */
    public long collectiveCalls() {
        return get(Counter.COLLECTIVE_CALLS);
    }

    /**
     * Returns the frames sent to other ranks.
     *
     * @return the number of frames
     */
    public long framesSent() {
        return get(Counter.FRAMES_SENT);
    }

    /**
     * Returns the frames that have come from other ranks.
     *
     * @return the number of frames
     */
    public long framesReceived() {
        return get(Counter.FRAMES_RECEIVED);
    }

    /**
     * Returns the payload of the frames sent, in bytes.
     *
     * @return the number of bytes
     */
    public long bytesSent() {
        return get(Counter.BYTES_SENT);
    }

    /**
     * Returns the payload of the frames that have come, in bytes.
     *
     * @return the number of bytes
     */
    public long bytesReceived() {
        return get(Counter.BYTES_RECEIVED);
    }

    /**
     * Returns the bytes that this rank, or the network for it, has copied between its memory and that of another rank,
     * without frames.
     *
     * @return the number of bytes
     */
    public long directBytes() {
        return get(Counter.DIRECT_BYTES);
    }

    /**
     * Returns the messages that were sent whole, without an answer of the receiver before.
     *
     * @return the number of messages
     */
    public long eagerSent() {
        return get(Counter.EAGER_SENT);
    }

    /**
     * Returns the messages that were announced and sent on the receiver's answer. One that was offered in vain counts
     * again.
     *
     * @return the number of messages
     */
    public long announcedSent() {
        return get(Counter.ANNOUNCED_SENT);
    }

    /**
     * Returns the messages that have come whole.
     *
     * @return the number of messages
     */
    public long eagerReceived() {
        return get(Counter.EAGER_RECEIVED);
    }

    /**
     * Returns the messages whose announcement has come.
     *
     * @return the number of messages
     */
    public long announcedReceived() {
        return get(Counter.ANNOUNCED_RECEIVED);
    }

    /**
     * Returns the messages that the rank has sent to itself.
     *
     * @return the number of messages
     */
    public long sentToItself() {
        return get(Counter.SENT_TO_ITSELF);
    }

    /**
     * Returns the sends that had to wait for room or for credit of the receiver.
     *
     * @return the number of sends
     */
    public long sendsDelayed() {
        return get(Counter.SENDS_DELAYED);
    }

    /**
     * Returns the bytes of announced messages that were sent ahead of the receiver's answer.
     *
     * @return the number of bytes
     */
    public long earlyBytes() {
        return get(Counter.EARLY_BYTES);
    }

    /**
     * Returns the messages that found their receive posted.
     *
     * @return the number of messages
     */
    public long matchedPosted() {
        return get(Counter.MATCHED_POSTED);
    }

    /**
     * Returns the messages that came before their receive was posted.
     *
     * @return the number of messages
     */
    public long matchedUnexpected() {
        return get(Counter.MATCHED_UNEXPECTED);
    }

    /**
     * Returns the messages that are here now and that no receive has matched.
     *
     * @return the number of messages
     */
    public long unexpected() {
        return get(Counter.UNEXPECTED);
    }

    /**
     * Returns the highest value of {@link #unexpected} so far.
     *
     * @return the number of messages
     */
    public long mostUnexpected() {
        return get(Counter.MOST_UNEXPECTED);
    }

    /**
     * Returns the memory that such messages take now, in whole fragments.
     *
     * @return the number of bytes
     */
    public long unexpectedBytes() {
        return get(Counter.UNEXPECTED_BYTES);
    }

    /**
     * Returns the highest value of {@link #unexpectedBytes} so far.
     *
     * @return the number of bytes
     */
    public long mostUnexpectedBytes() {
        return get(Counter.MOST_UNEXPECTED_BYTES);
    }

    /**
     * Returns the posted receives that are in the device now, or on their way there, where matching is divided ({@code
     * -Drankwire.match=optimistic:64}), and those in the matcher of the network ({@link Hints#matchedByNetwork}); 0
     * elsewhere.
     *
     * @return the number of receives
     */
    public long receivesInDevice() {
        return get(Counter.RECEIVES_IN_DEVICE);
    }

    /**
     * Returns the posted receives that wait in software for a place in the device; 0 where matching is not divided.
     *
     * @return the number of receives
     */
    public long receivesInSoftware() {
        return get(Counter.RECEIVES_IN_SOFTWARE);
    }

    /**
     * Returns the messages that the device passed to software and that met a posted receive there; 0 where matching is
     * not divided.
     *
     * @return the number of messages
     */
    public long matchedInSoftware() {
        return get(Counter.MATCHED_IN_SOFTWARE);
    }

    /**
     * Returns the receives that were on their way to the device while their message was on its way to software.
     *
     * @return the number of receives
     */
    public long races() {
        return get(Counter.RACES);
    }

    /**
     * Returns the receives that the device has refused, because a message on its way to software might match them.
     *
     * @return the number of refusals
     */
    public long refusedPosts() {
        return get(Counter.REFUSED_POSTS);
    }

    /**
     * Returns the frames that were sent again, over a fabric that may lose them.
     *
     * @return the number of frames
     */
    public long retransmissions() {
        return get(Counter.RETRANSMISSIONS);
    }

    /**
     * Returns the frames that found no room here and that their sender had to repeat.
     *
     * @return the number of frames
     */
    public long refusedFrames() {
        return get(Counter.REFUSED_FRAMES);
    }

    /**
     * Returns the accesses to windows that this rank has made. Those that several threads make at the same moment may
     * count as one.
     *
     * @return the number of accesses
     */
    public long oneSidedAccesses() {
        return get(Counter.ONE_SIDED_ACCESSES);
    }

    /**
     * Returns the accesses of other ranks to this rank's memory that went in frames.
     *
     * @return the number of accesses
     */
    public long oneSidedServed() {
        return get(Counter.ONE_SIDED_SERVED);
    }

    /**
     * Returns the datagrams that sockets of this rank have sent.
     *
     * @return the number of datagrams
     */
    public long datagramsSent() {
        return get(Counter.DATAGRAMS_SENT);
    }

    /**
     * Returns the datagrams that have reached a queue of this rank.
     *
     * @return the number of datagrams
     */
    public long datagramsReceived() {
        return get(Counter.DATAGRAMS_RECEIVED);
    }

    /**
     * Returns the datagrams that were refused here: their queue was full, unknown, or of smaller entries. Their senders
     * repeat the first kind.
     *
     * @return the number of datagrams
     */
    public long datagramsRefused() {
        return get(Counter.DATAGRAMS_REFUSED);
    }

    /**
     * Returns the active messages whose handlers have returned here.
     *
     * @return the number of messages
     */
    public long activeMessagesHandled() {
        return get(Counter.ACTIVE_MESSAGES_HANDLED);
    }

    /**
     * Returns what was counted after an earlier moment. States and highest values, such as {@link #unexpected} and
     * {@link #mostUnexpected}, are those of this moment.
     *
     * @param earlier an earlier snapshot of the same rank
     * @return the differences
     */
    public Counters since(Counters earlier) {
        if (earlier == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument earlier is null");
        }
        long[] differences = values.clone();
        for (Counter counter : Counter.LIST) {
            if (counter.kind() == Counter.Kind.SUM) {
                differences[counter.ordinal()] -= earlier.get(counter);
            }
        }
        return new Counters(differences);
    }

    /**
     * Returns all numbers by the names of their methods, for tools. Later versions may have more of them.
     *
     * @return an unmodifiable map in the order of the methods
     */
    public Map<String, Long> asMap() {
        Map<String, Long> map = new LinkedHashMap<>();
        for (Counter counter : Counter.LIST) {
            map.put(counter.key(), get(counter));
        }
        return Collections.unmodifiableMap(map);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Counters counters && Arrays.equals(values, counters.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    /** Returns the numbers that are not zero, as {@code framesSent=12, …}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("Counters[");
        asMap().forEach((name, value) -> {
            if (value != 0) {
                text.append(text.length() > "Counters[".length() ? ", " : "").append(name).append('=').append(value);
            }
        });
        return text.append(']').toString();
    }
}
