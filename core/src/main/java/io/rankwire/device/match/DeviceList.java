package io.rankwire.device.match;

import static io.rankwire.device.match.HeaderStore.check;

import io.rankwire.wire.MatchWord;

/**
 * The device's half of a {@link SplitMatcher}: a short list of posted receives. A message that meets none of them is
 * numbered and handed up. It knows of software only what the commands say, and answers with events; commands and events
 * keep their order.
 *
 * <p>A post says which message software had seen last. A later one that is still on its way up may match; the device
 * looks it up in its set of recent ones, and refuses the post if it finds one or does not remember enough. It then
 * refuses every post behind it too, until one says that software knows: else a later receive would be here before an
 * earlier one.
 */
class DeviceList {
    // commands
    static final int POST = 1;
    static final int REMOVE = 2;
    static final int STOP = 3;
    static final int RESUME = 4;

    // events
    static final int MATCHED = 5;
    static final int UNEXPECTED = 6;
    /** Was a message on its way up, or held; its sender has withdrawn it, or it has met a receive. */
    static final int WITHDRAWN = 7;
    static final int REFUSED = 8;
    static final int REMOVED = 9;
    static final int TOO_LATE = 10;
    static final int STOPPED = 11;

    private final DelayLine commands;
    private final DelayLine events;
    private final SplitMatcher owner;
    private final MatchQueue posted;
    /** Header and handle of each place. */
    private final int[] entries;
    private final int[] handles;
    /** Words of the last unexpected messages, by number. */
    final long[] recent;
    /** Messages that met no receive while the device was stopped, not numbered. */
    final DelayLine held = DelayLine.growing();
    /** Number of the last message handed up. */
    long number;
    private boolean stopped;
    boolean refusing;

    DeviceList(SplitMatcher owner, Split split) {
        this.owner = owner;
        commands = owner.commands;
        events = owner.events;
        posted = new MatchQueue(new HeaderStore(split.posted(), split.posted()));
        entries = new int[split.posted()];
        handles = new int[split.posted()];
        recent = new long[split.recent()];
    }

    /** The handle of the receive the message meets, or {@link Matching#NONE}. */
    int arrive(long exactWord) {
        int place = posted.arrive(exactWord);
        int handle = place < 0 ? Matching.NONE : handles[place];
        if (owner.watch != null) {
            owner.watch.arrived(owner.context, exactWord, handle);
        }
        if (place >= 0) {
            events.put(MATCHED, place, 0, 0, 0, 0);
        }
        return handle;
    }

    /** A message that met no receive goes up, or waits here while the device is stopped. */
    void unexpected(long exactWord, long description, long payload) {
        if (stopped) {
            held.put(UNEXPECTED, 0, exactWord, description, payload, 0);
        } else {
            handUp(exactWord, description, payload);
        }
    }

    void handUp(long exactWord, long description, long payload) {
        number++;
        if (recent.length > 0) {
            recent[(int) (number % recent.length)] = exactWord;
        }
        events.put(UNEXPECTED, 0, exactWord, description, payload, number);
    }

    /** Takes a command, if there is room for its answer. */
    boolean takeCommand() {
        if (commands.count() == 0 || events.room() == 0) {
            return false;
        }
        int at = commands.take();
        int place = commands.place(at);
        switch (commands.kind(at)) {
            case POST -> post(place, commands.word(at), (int) commands.description(at), commands.payload(at) != 0,
                    commands.number(at));
            case REMOVE -> events.put(remove(place) ? REMOVED : TOO_LATE, place, 0, 0, 0, 0);
            case STOP -> {
                stopped = true;
                events.put(STOPPED, 0, 0, 0, 0, number);
            }
            default -> resume();
        }
        return true;
    }

    private void post(int place, long word, int handle, boolean told, long lastSeen) {
        refusing &= !told;
        if (refusing || !accepts(word, lastSeen)) {
            refusing = true;
            events.put(REFUSED, place, 0, 0, 0, 0);
            return;
        }
        int at = firstHeld(word);
        if (at >= 0) {
            held.kind(at, WITHDRAWN);
            events.put(MATCHED, place, 0, 0, 0, 0);
            owner.side.met(handle, held.word(at), held.description(at), held.payload(at));
            return;
        }
        handles[place] = handle;
        entries[place] = posted.appendPosted(word, place);
        check(entries[place] != ~Matching.FULL, "software posted more receives than the device holds");
        if (owner.watch != null) {
            owner.watch.posted(owner.context, word, handle);
        }
    }

    /** Whether no message after that one, all of which software has not seen yet, would meet this receive. */
    boolean accepts(long word, long lastSeen) {
        if (number - lastSeen > recent.length) {
            return false;
        }
        for (long unseen = lastSeen + 1; unseen <= number; unseen++) {
            if (MatchWord.matches(word, recent[(int) (unseen % recent.length)])) {
                return false;
            }
        }
        return true;
    }

    boolean remove(int place) {
        boolean removed = posted.removePosted(entries[place], place);
        if (removed && owner.watch != null) {
            owner.watch.cancelled(owner.context, handles[place]);
        }
        return removed;
    }

    /** Where the first message lies that a stopped device holds for this receive, or -1. */
    int firstHeld(long word) {
        for (int i = held.first(); i != held.last(); i++) {
            int at = held.at(i);
            if (held.kind(at) == UNEXPECTED && MatchWord.matches(word, held.word(at))) {
                return at;
            }
        }
        return -1;
    }

    /** What is still held meets no receive here: each post since has looked. */
    private void resume() {
        stopped = false;
        while (held.count() > 0) {
            int at = held.take();
            if (held.kind(at) == UNEXPECTED) {
                owner.makeRoom();
                handUp(held.word(at), held.description(at), held.payload(at));
            }
        }
    }

    int posted() {
        return posted.posted();
    }

    void checkInvariants() {
        posted.checkInvariants();
        check(held.count() == 0 || stopped, "messages held by a device that runs");
    }
}
