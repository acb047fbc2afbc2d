package io.rankwire.device.match;

import static io.rankwire.device.match.HeaderStore.check;

import io.rankwire.device.match.Split.Closing;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Software's half of a {@link SplitMatcher}: the unexpected queue, and a shadow of all posted receives in the order
 * they were posted, the first of which are in the device. The rest wait and are promoted in order as places get free.
 *
 * <p>Why nothing is lost: a message that comes up was matched by the device against all receives that were there. If
 * the shadow has a match in the device all the same, that receive was on its way down; its post names an earlier
 * message as the last one seen, so the device is bound to refuse it, and it can be given to the message at once.
 */
class Shadow {
    private static final int NONE = -1;

    // where a receive is
    static final byte FREE = 0;
    static final byte WAITING = 1;
    /** In the device, or on its way there or back. */
    static final byte DOWN = 2;
    /** Given to a message while it was down; the refusal of its post is on its way. */
    static final byte RACED = 3;
    /** Over and out of the order; the answer to its removal is on its way. */
    static final byte OVER = 4;

    // whether it is to be removed
    static final byte WANTED = 1;
    static final byte ASKED = 2;

    /** A receive that was refused so often is posted with the handshake. */
    static final int PATIENCE = 2;

    private static final int RUNNING = 0;
    private static final int STOPPING = 1;
    private static final int STOPPED = 2;

    final MatchQueue all;
    private final SplitMatcher owner;
    private final DelayLine commands;
    private final DelayLine events;
    final SplitMatcher.Places places;
    private final boolean handshakes;

    // by slot
    private int[] handles = new int[16];
    private long[] words = new long[16];
    private int[] entries = new int[16];
    byte[] states = new byte[16];
    byte[] removals = new byte[16];
    private byte[] refused = new byte[16];
    private int[] placeOf = new int[16];
    private long[] posts = new long[16];
    /** The order of posting; of a free slot the next free one. */
    int[] next = new int[16];
    private int[] previous = new int[16];
    private int made;
    private int freeSlot = NONE;
    private int first = NONE;
    private int last = NONE;
    int firstWaiting = NONE;

    /** The slot of each place in the device, and the places that are free. */
    private final int[] slots;
    private final int[] freePlaces;
    private int freePlaceCount;
    private int removalsWanted;

    /** Number of the last message that came up. */
    long lastSeen;
    private int stop = RUNNING;
    private long posted;
    /** After a refusal every post up to this one comes back refused; nothing is promoted before. */
    private long refusedUpTo;
    private boolean refusalSeen;
    long races;
    long refusals;

    Shadow(SplitMatcher owner, HeaderStore store, Split split, SplitMatcher.Places places) {
        this.owner = owner;
        commands = owner.commands;
        events = owner.events;
        this.places = places;
        all = new MatchQueue(store);
        handshakes = split.closing() == Closing.HANDSHAKE;
        slots = new int[split.posted()];
        freePlaces = new int[split.posted()];
        for (int place = split.posted() - 1; place >= 0; place--) {
            freePlaces[freePlaceCount++] = place;
        }
    }

    /** As {@link Matching#post}; an entry is a slot. */
    int post(long word, int handle) {
        int slot = takeSlot();
        int found = all.post(word, slot);
        if (found >= 0 || found == Matching.FULL) {
            giveSlot(slot);
            return found;
        }
        handles[slot] = handle;
        words[slot] = word;
        entries[slot] = ~found;
        states[slot] = WAITING;
        removals[slot] = 0;
        refused[slot] = 0;
        next[slot] = NONE;
        previous[slot] = last;
        if (last < 0) {
            first = slot;
        } else {
            next[last] = slot;
        }
        last = slot;
        if (firstWaiting < 0) {
            firstWaiting = slot;
        }
        command();
        return ~slot;
    }

    /** True if the receive is gone; false if it is too late, or the device has to be asked. */
    boolean remove(int slot, int handle) {
        if (slot < 0 || slot >= made || states[slot] == FREE || handles[slot] != handle) {
            return false;
        }
        if (states[slot] == WAITING) {
            forget(slot);
            unlink(slot);
            giveSlot(slot);
            return true;
        }
        if (states[slot] == DOWN && removals[slot] == 0) {
            removals[slot] = WANTED;
            removalsWanted++;
            command();
        }
        return false;
    }

    private void forget(int slot) {
        check(all.removePosted(entries[slot], slot), "a receive is not in the shadow");
    }

    /** Sends down what may go down now. */
    void command() {
        if (removalsWanted > 0) {
            askRemovals();
        }
        while (mayPromote()) {
            if (stop == STOPPED) {
                finishHandshake();
            } else if (handshakes || refused[firstWaiting] >= PATIENCE) {
                commands.put(DeviceList.STOP, 0, 0, 0, 0, 0);
                stop = STOPPING;
            } else {
                promote(firstWaiting);
            }
        }
    }

    boolean hasCommands() {
        return removalsWanted > 0 && commands.room() > 0 || mayPromote();
    }

    private boolean mayPromote() {
        if (stop == STOPPED) {
            return commands.room() >= 2;
        }
        return stop == RUNNING && firstWaiting >= 0 && refusedUpTo == 0 && places.free() > 0 && freePlaceCount > 0
                && commands.room() > 0;
    }

    /** The device adds no unexpected messages, and all that it added were seen: what is posted now misses none. */
    private void finishHandshake() {
        while (firstWaiting >= 0 && commands.room() >= 2 && freePlaceCount > 0 && places.free() > 0) {
            promote(firstWaiting);
        }
        commands.put(DeviceList.RESUME, 0, 0, 0, 0, 0);
        stop = RUNNING;
    }

    void promote(int slot) {
        check(places.take(), "no place");
        int place = freePlaces[--freePlaceCount];
        slots[place] = slot;
        placeOf[slot] = place;
        states[slot] = DOWN;
        posts[slot] = ++posted;
        firstWaiting = next[slot];
        commands.put(DeviceList.POST, place, words[slot], handles[slot], refusalSeen ? 1 : 0, lastSeen);
        refusalSeen = false;
    }

    private void askRemovals() {
        for (int slot = first; slot >= 0 && removalsWanted > 0 && commands.room() > 0; slot = next[slot]) {
            if (removals[slot] == WANTED) {
                removals[slot] = ASKED;
                removalsWanted--;
                askRemoval(slot);
            }
        }
    }

    void askRemoval(int slot) {
        commands.put(DeviceList.REMOVE, placeOf[slot], 0, 0, 0, 0);
    }

    void takeEvent() {
        int at = events.take();
        int place = events.place(at);
        switch (events.kind(at)) {
            case DeviceList.MATCHED -> matched(slots[place]);
            case DeviceList.UNEXPECTED -> {
                lastSeen = events.number(at);
                unexpected(events.word(at), events.description(at), events.payload(at));
            }
            case DeviceList.WITHDRAWN -> lastSeen = events.number(at);
            case DeviceList.REFUSED -> refused(slots[place]);
            case DeviceList.REMOVED -> {
                int slot = slots[place];
                forget(slot);
                removals[slot] = 0;
                end(slot, true);
            }
            case DeviceList.TOO_LATE -> tooLate(slots[place]);
            default -> stop = STOPPED;
        }
    }

    private void matched(int slot) {
        check(states[slot] == DOWN, "the device matched a receive it does not have");
        forget(slot);
        end(slot, false);
    }

    private void tooLate(int slot) {
        check(states[slot] == OVER, "too late for a receive that is not over");
        givePlace(slot);
        giveSlot(slot);
    }

    void unexpected(long word, long description, long payload) {
        int slot = all.arrive(word);
        if (slot >= 0) {
            meet(slot, word, description, payload);
        } else if (all.append(word, description, payload) == Matching.FULL) {
            owner.side.full();
            check(all.append(word, description, payload) != Matching.FULL, "no room was made for a header");
        }
    }

    private void meet(int slot, long word, long description, long payload) {
        int handle = handles[slot];
        if (states[slot] == WAITING) {
            unlink(slot);
            giveSlot(slot);
        } else {
            raced(slot);
        }
        owner.side.met(handle, word, description, payload);
    }

    void raced(int slot) {
        races++;
        states[slot] = RACED;
    }

    /** After the first refusal the device refuses all posts that were sent since. */
    void refused(int slot) {
        refusals++;
        if (refusedUpTo == 0) {
            refusedUpTo = posted;
            firstWaiting = slot;
        }
        refusalSeen = true;
        if (posts[slot] == refusedUpTo) {
            refusedUpTo = 0;
        }
        if (states[slot] == RACED) {
            end(slot, false);
        } else if (removals[slot] != 0) {
            forget(slot);
            end(slot, true);
        } else {
            givePlace(slot);
            states[slot] = WAITING;
            refused[slot]++;
        }
    }

    /** A receive that was down is over. Its place is not free before the answer to its removal is here. */
    void end(int slot, boolean cancelled) {
        int handle = handles[slot];
        if (removals[slot] == WANTED) {
            removals[slot] = 0;
            removalsWanted--;
        }
        unlink(slot);
        if (removals[slot] == ASKED) {
            states[slot] = OVER;
        } else {
            givePlace(slot);
            giveSlot(slot);
        }
        if (cancelled) {
            owner.side.cancelled(handle);
        }
    }

    private void givePlace(int slot) {
        freePlaces[freePlaceCount++] = placeOf[slot];
        places.give();
    }

    private void unlink(int slot) {
        if (firstWaiting == slot) {
            firstWaiting = next[slot];
        }
        int before = previous[slot];
        int after = next[slot];
        if (before < 0) {
            first = after;
        } else {
            next[before] = after;
        }
        if (after < 0) {
            last = before;
        } else {
            previous[after] = before;
        }
    }

    private int takeSlot() {
        int slot = freeSlot;
        if (slot >= 0) {
            freeSlot = next[slot];
            return slot;
        }
        if (made == handles.length) {
            grow(2 * made);
        }
        return made++;
    }

    private void giveSlot(int slot) {
        states[slot] = FREE;
        next[slot] = freeSlot;
        freeSlot = slot;
    }

    private void grow(int length) {
        handles = Arrays.copyOf(handles, length);
        words = Arrays.copyOf(words, length);
        entries = Arrays.copyOf(entries, length);
        states = Arrays.copyOf(states, length);
        removals = Arrays.copyOf(removals, length);
        refused = Arrays.copyOf(refused, length);
        placeOf = Arrays.copyOf(placeOf, length);
        posts = Arrays.copyOf(posts, length);
        next = Arrays.copyOf(next, length);
        previous = Arrays.copyOf(previous, length);
    }

    int earliestPosted(long exactWord) {
        int slot = all.earliestPosted(exactWord);
        return slot < 0 ? NONE : handles[slot];
    }

    void forEach(IntConsumer handle) {
        for (int slot = first; slot >= 0; slot = next[slot]) {
            if (states[slot] == WAITING || states[slot] == DOWN) {
                handle.accept(handles[slot]);
            }
        }
    }

    void checkInvariants() {
        all.checkInvariants();
        int down = 0;
        int live = 0;
        int wanted = 0;
        boolean waiting = false;
        int before = NONE;
        for (int slot = first; slot >= 0; slot = next[slot]) {
            check(previous[slot] == before, "links of the shadow disagree");
            before = slot;
            live += states[slot] == WAITING || states[slot] == DOWN ? 1 : 0;
            wanted += removals[slot] == WANTED ? 1 : 0;
            if (states[slot] == WAITING) {
                check(waiting || slot == firstWaiting || refusedUpTo != 0, "not the first that waits");
                waiting = true;
            } else {
                down++;
                check(!waiting || refusedUpTo != 0, "a receive is in the device before an earlier one");
                check(slots[placeOf[slot]] == slot, "place of another");
            }
        }
        check(last == before && live == all.posted(), "receives of the shadow lost");
        check(waiting || firstWaiting < 0 || refusedUpTo != 0, "waits for nothing");
        check(wanted == removalsWanted, "removals miscounted");
        for (int slot = 0; slot < made; slot++) {
            down += states[slot] == OVER ? 1 : 0;
        }
        check(down + freePlaceCount == slots.length, "places lost");
    }
}
