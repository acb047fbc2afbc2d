package io.rankwire.device.match;

import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * Matching divided between a device with a short list and software with the rest of it: {@link DeviceList} below,
 * {@link Shadow} above, and between them a {@link DelayLine} each way, which takes its time. So a receive can be on its
 * way down while the message it should meet is on its way up; the two halves keep each other from losing, doubling or
 * reordering either. {@link #arrive} and {@link #append} are the device's side, all else is software's.
 *
 * <p>A receive that is handed down is not given back at once: {@link #removePosted} asks for it, and the answer comes
 * through {@link Side#cancelled}, or the message does.
 */
public final class SplitMatcher implements Matching {
    /** What happens here at other times than in a call. */
    public interface Side extends Met {
        /** A receive that {@link #removePosted} has asked for was removed. */
        void cancelled(int handle);

        /** Software's store is full: make room, or throw. */
        void full();

        /** There is something to {@link #pump}. */
        void wake();
    }

    /** The device's places for posted receives, shared by the matchers of all contexts. */
    public static final class Places {
        private int free;

        public Places(int places) {
            free = places;
        }

        boolean take() {
            if (free == 0) {
                return false;
            }
            free--;
            return true;
        }

        void give() {
            free++;
        }

        public int free() {
            return free;
        }
    }

    /** Marks entries that are still on their way up, and those that the device holds. */
    private static final int ON_ITS_WAY = 1 << 29;
    private static final int HELD = 1 << 28;
    private static final int POSITIONS = HELD - 1;

    final DelayLine commands;
    final DelayLine events;
    final Side side;
    DeviceList device;
    Shadow shadow;
    /** What observes the device's half, and the context there; null if that is not modelled. */
    final MatchWatch watch;
    final int context;
    private final long crossingNs;
    private final long softwareNs;

    public SplitMatcher(HeaderStore store, Split split, Places places, Side side) {
        this(store, split, places, side, null, 0);
    }

    /**
     * @param watch what observes the device's half of the matching of this context; null if that is not modelled
     */
    public SplitMatcher(HeaderStore store, Split split, Places places, Side side, MatchWatch watch, int context) {
        this.side = side;
        this.watch = watch;
        this.context = context;
        softwareNs = split.softwareNs();
        commands = new DelayLine(split.crossing());
        events = new DelayLine(split.crossing());
        crossingNs = split.crossingNs();
        device = new DeviceList(this, split);
        shadow = new Shadow(this, store, split, places);
    }

    /** Moves what is due, both ways; returns how much. */
    public int pump(long now) {
        int work = 0;
        commands.stamp(now + crossingNs);
        while (commands.isDue(now) && device.takeCommand()) {
            work++;
        }
        events.stamp(now + crossingNs, DeviceList.UNEXPECTED, softwareNs);
        while (events.isDue(now)) {
            shadow.takeEvent();
            work++;
        }
        int before = commands.count();
        shadow.command();
        return work + commands.count() - before;
    }

    /** Whether {@link #pump} has nothing to do until the next call. */
    public boolean isIdle() {
        return commands.count() + events.count() == 0 && !shadow.hasCommands();
    }

    /** The time of the next entry: before all times if it was not pumped yet, never if there is none. */
    public long due() {
        return Math.min(commands.due(), events.due());
    }

    /** Moves everything both ways, due or not, until nothing is left to move. */
    @Override
    public void settle() {
        while (!isIdle()) {
            if (!device.takeCommand()) {
                takeEvents();
            }
            shadow.command();
        }
    }

    /** The way up is full: the device interrupts software, which empties it at once. */
    void makeRoom() {
        if (events.room() == 0) {
            takeEvents();
        }
    }

    /** Software puts no events, so this ends. */
    private void takeEvents() {
        while (events.count() > 0) {
            shadow.takeEvent();
        }
    }

    @Override
    public int post(long word, int handle) {
        if (watch != null) {
            watch.posting(word);
        }
        int found = shadow.post(word, handle);
        wakeIfBusy();
        return found;
    }

    private void wakeIfBusy() {
        if (!isIdle()) {
            side.wake();
        }
    }

    /** Makes sure of room for what comes of it, the event of a match or of the {@link #append} that follows. */
    @Override
    public int arrive(long exactWord) {
        makeRoom();
        int handle = device.arrive(exactWord);
        if (handle >= 0) {
            side.wake();
        }
        return handle;
    }

    @Override
    public int earliestPosted(long exactWord) {
        return shadow.earliestPosted(exactWord);
    }

    /** The message is handed up; the entry it will have is not known yet. */
    @Override
    public int append(long exactWord, long description, long payload) {
        device.unexpected(exactWord, description, payload);
        side.wake();
        return ON_ITS_WAY;
    }

    @Override
    public int search(long word) {
        return shadow.all.search(word);
    }

    @Override
    public void take(int entry) {
        if (entry < ON_ITS_WAY) {
            shadow.all.take(entry);
        } else {
            way(entry).kind(at(entry), DeviceList.WITHDRAWN);
        }
    }

    private DelayLine way(int entry) {
        return (entry & HELD) == 0 ? events : device.held;
    }

    private int at(int entry) {
        return way(entry).at(entry & POSITIONS);
    }

    /** True if the receive is removed now; false if it is too late or if the device was asked. */
    @Override
    public boolean removePosted(int entry, int handle) {
        boolean removed = shadow.remove(entry, handle);
        wakeIfBusy();
        return removed;
    }

    @Override
    public void release(int entry) {
        if (entry < ON_ITS_WAY) {
            shadow.all.release(entry);
        }
    }

    @Override
    public long word(int entry) {
        return entry < ON_ITS_WAY ? shadow.all.word(entry) : way(entry).word(at(entry));
    }

    @Override
    public long description(int entry) {
        return entry < ON_ITS_WAY ? shadow.all.description(entry) : way(entry).description(at(entry));
    }

    @Override
    public long payload(int entry) {
        return entry < ON_ITS_WAY ? shadow.all.payload(entry) : way(entry).payload(at(entry));
    }

    /** As software knows it: a receive counts until the event of its match is here. */
    @Override
    public int posted() {
        return shadow.all.posted();
    }

    @Override
    public int unexpected() {
        int count = shadow.all.unexpected();
        for (int e = nextIn(events, events.first(), ON_ITS_WAY); e >= 0; e = nextUnexpected(e)) {
            count++;
        }
        return count;
    }

    /** Also those on their way: for withdrawing and reporting, not for receives. */
    @Override
    public int firstUnexpected() {
        int first = shadow.all.firstUnexpected();
        return first >= 0 ? first : nextIn(events, events.first(), ON_ITS_WAY);
    }

    @Override
    public int nextUnexpected(int entry) {
        if (entry < ON_ITS_WAY) {
            int next = shadow.all.nextUnexpected(entry);
            return next >= 0 ? next : nextIn(events, events.first(), ON_ITS_WAY);
        }
        DelayLine way = way(entry);
        int position = way.first() + (entry - way.first() & POSITIONS);
        return nextIn(way, position + 1, entry & ~POSITIONS);
    }

    /** The first message from this position on, here or in what the device holds; or {@link #NONE}. */
    private int nextIn(DelayLine way, int from, int mark) {
        for (int i = from; i != way.last(); i++) {
            if (way.kind(way.at(i)) == DeviceList.UNEXPECTED) {
                return i & POSITIONS | mark;
            }
        }
        return way == device.held ? NONE : nextIn(device.held, device.held.first(), ON_ITS_WAY | HELD);
    }

    @Override
    public void forEachPosted(IntConsumer handle) {
        shadow.forEach(handle);
    }

    @Override
    public void forEachWord(LongConsumer word) {
        shadow.all.forEachWord(word);
    }

    /** Posts that met a message on its way up, seen by the shadow before the device's refusal. */
    public long races() {
        return shadow.races;
    }

    /** Posts that the device has refused. */
    public long refusals() {
        return shadow.refusals;
    }

    @Override
    public void checkInvariants() {
        device.checkInvariants();
        shadow.checkInvariants();
    }
}
