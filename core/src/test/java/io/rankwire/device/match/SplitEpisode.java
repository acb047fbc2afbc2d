package io.rankwire.device.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.match.Split.Closing;
import io.rankwire.memory.Rand;
import io.rankwire.wire.MatchWord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Random calls on matchers that share a tiny device, with device and software moved in random steps, all from one seed.
 *
 * <p>The judge is the standard's rule and nothing else. Whatever the delays, which message meets which receive depends
 * only on the order of the messages and the order of the receives: the first receive takes the first message that fits
 * it, the next one the first of the rest, and so on. Cancelled receives and withdrawn messages are as if they had never
 * been; a message taken by a probe is a receive at that point of the order.
 */
final class SplitEpisode {
    private static final int STEPS = 120;
    private static final int MOST_MOVES = 100_000;

    private static final class Recv {
        final long word;
        int entry;
        int met = -1;
        boolean asked;
        boolean cancelled;

        Recv(long word) {
            this.word = word;
        }
    }

    private static final class Msg {
        final long word;
        boolean met;
        boolean withdrawn;

        Msg(long word) {
            this.word = word;
        }
    }

    /** One context: a matcher and what was done to it, by order. */
    private final class Context implements SplitMatcher.Side {
        final SplitMatcher matcher = new SplitMatcher(store, split, places, this);
        final List<Recv> receives = new ArrayList<>();
        final List<Msg> messages = new ArrayList<>();

        @Override
        public void met(int handle, long word, long description, long payload) {
            assertEquals(messages.get((int) description).word, word, "word of the message met");
            assertEquals(~description, payload, "second word of the message met");
            meet(receives.get(handle), (int) description);
        }

        private void meet(Recv receive, int message) {
            assertEquals(-1, receive.met, "a receive met two messages");
            assertTrue(!receive.cancelled, "a cancelled receive met a message");
            assertTrue(!messages.get(message).met, "a message met two receives");
            assertTrue(!messages.get(message).withdrawn, "a withdrawn message met a receive");
            receive.met = message;
            messages.get(message).met = true;
        }

        @Override
        public void cancelled(int handle) {
            Recv receive = receives.get(handle);
            assertTrue(receive.asked && !receive.cancelled && receive.met < 0, "cancelled without need");
            receive.cancelled = true;
            cancelledLater++;
        }

        @Override
        public void full() {
            store.limit(2 * store.limit());
        }

        @Override
        public void wake() {
            woken = true;
        }

        void arrive() {
            long word = MatchWord.exact(rand.below(sources), rand.below(tags));
            int message = messages.size();
            messages.add(new Msg(word));
            int handle = matcher.arrive(word);
            if (handle >= 0) {
                meet(receives.get(handle), message);
            } else {
                matcher.append(word, message, ~message);
            }
        }

        void post() {
            Recv receive = new Recv(word());
            int handle = receives.size();
            receives.add(receive);
            int found = matcher.post(receive.word, handle);
            if (found == Matching.FULL) {
                full();
                found = matcher.post(receive.word, handle);
            }
            if (found >= 0) {
                int message = (int) matcher.description(found);
                matcher.release(found);
                meet(receive, message);
            } else {
                receive.entry = ~found;
            }
        }

        void cancel() {
            for (int tries = 0; tries < 4 && !receives.isEmpty(); tries++) {
                int handle = receives.size() - 1 - rand.below(Math.min(receives.size(), 12));
                Recv receive = receives.get(handle);
                if (receive.met < 0 && !receive.cancelled) {
                    if (matcher.removePosted(receive.entry, handle)) {
                        receive.cancelled = true;
                        cancelledNow++;
                    } else {
                        receive.asked = true;
                    }
                    return;
                }
            }
        }

        /** Looks for a message as a probe does, and takes it at times. */
        void probe() {
            Recv receive = new Recv(word());
            int entry = matcher.search(receive.word);
            if (entry >= 0 && rand.chance(1, 2)) {
                int message = (int) matcher.description(entry);
                matcher.take(entry);
                matcher.release(entry);
                receives.add(receive);
                meet(receive, message);
            }
        }

        /** A sender wants a message back that has met no receive. */
        void withdraw() {
            int wanted = messages.isEmpty() ? -1 : messages.size() - 1 - rand.below(Math.min(messages.size(), 8));
            for (int e = matcher.firstUnexpected(); e >= 0; e = matcher.nextUnexpected(e)) {
                if (matcher.description(e) == wanted) {
                    matcher.take(e);
                    matcher.release(e);
                    messages.get(wanted).withdrawn = true;
                    withdrawn++;
                    return;
                }
            }
        }

        /** Some commands reach the device, some events software. */
        void move(int most) {
            for (int n = rand.below(most + 1); n > 0 && matcher.device.takeCommand(); n--) {
                moves++;
            }
            for (int n = rand.below(most + 1); n > 0 && matcher.events.count() > 0; n--) {
                matcher.shadow.takeEvent();
                moves++;
            }
            if (rand.chance(1, 2)) {
                matcher.shadow.command();
            }
            held = Math.max(held, matcher.device.held.count());
        }

        void judge() {
            boolean[] taken = new boolean[messages.size()];
            for (int handle = 0; handle < receives.size(); handle++) {
                Recv receive = receives.get(handle);
                if (receive.cancelled) {
                    continue;
                }
                int expected = -1;
                for (int m = 0; m < taken.length && expected < 0; m++) {
                    Msg message = messages.get(m);
                    if (!taken[m] && !message.withdrawn && MatchWord.matches(receive.word, message.word)) {
                        expected = m;
                    }
                }
                if (expected >= 0) {
                    taken[expected] = true;
                }
                assertEquals(expected, receive.met, "message that met receive " + handle);
                assertTrue(!receive.asked || receive.met >= 0, "a cancel was never answered");
            }
        }

        int waiting() {
            return (int) receives.stream().filter(r -> !r.cancelled && r.met < 0).count();
        }
    }

    private final Rand rand;
    private final boolean checked;
    private final Split split;
    private final SplitMatcher.Places places;
    private final HeaderStore store = new HeaderStore(1, 4);
    private final List<Context> contexts = new ArrayList<>();
    private final int sources;
    private final int tags;
    private final int wild;
    private boolean woken;
    private int moves;

    int cancelledNow;
    int cancelledLater;
    int withdrawn;
    int held;

    /** @param planted changes a matcher into a wrong one; the insides are not checked then, only what comes of them */
    SplitEpisode(long seed, BiConsumer<SplitMatcher, Split> planted) {
        rand = new Rand(seed);
        checked = planted == null;
        split = new Split(rand.between(1, 4), Closing.values()[rand.below(2)], rand.below(4), rand.between(2, 6), 0);
        places = new SplitMatcher.Places(split.posted());
        sources = rand.between(1, 3);
        tags = rand.between(1, 3);
        wild = new int[] {0, 10, 40}[rand.below(3)];
        int count = rand.chance(1, 3) ? 2 : 1;
        for (int i = 0; i < count; i++) {
            Context context = new Context();
            if (!checked) {
                planted.accept(context.matcher, split);
            }
            contexts.add(context);
        }
    }

    private long word() {
        int source = rand.below(100) < wild ? MatchWord.ANY : rand.below(sources);
        return MatchWord.of(source, rand.below(100) < wild ? MatchWord.ANY : rand.below(tags));
    }

    void run() {
        int arrivals = rand.between(20, 50);
        int speed = rand.between(1, 4);
        for (int i = 0; i < STEPS; i++) {
            Context context = contexts.get(rand.below(contexts.size()));
            int what = rand.below(100);
            if (what < arrivals) {
                context.arrive();
            } else if (what < 75) {
                context.post();
            } else if (what < 90) {
                context.cancel();
            } else if (what < 95) {
                context.probe();
            } else {
                context.withdraw();
            }
            if (rand.chance(1, 2)) {
                contexts.get(rand.below(contexts.size())).move(speed);
            }
            check();
        }
        end();
    }

    private void check() {
        if (checked) {
            contexts.forEach(context -> context.matcher.checkInvariants());
            store.checkInvariants();
            int inDevice = contexts.stream().mapToInt(context -> context.matcher.device.posted()).sum();
            assertTrue(inDevice <= split.posted(), () -> inDevice + " receives in the device");
        }
    }

    private void end() {
        int before = moves;
        while (!contexts.stream().allMatch(context -> context.matcher.isIdle())) {
            for (Context context : contexts) {
                context.move(3);
                context.matcher.shadow.command();
            }
            check();
            assertTrue(moves - before < MOST_MOVES, "never comes to rest");
        }
        assertTrue(woken, "nobody was woken");
        int waiting = 0;
        int inDevice = 0;
        for (Context context : contexts) {
            context.judge();
            assertEquals(context.waiting(), context.matcher.posted(), "receives in the shadow");
            waiting += context.waiting();
            inDevice += context.matcher.device.posted();
        }
        assertEquals(Math.min(waiting, split.posted()), inDevice, "receives in the device at rest");
        assertEquals(split.posted() - inDevice, places.free(), "places free at rest");
    }

    long races() {
        return contexts.stream().mapToLong(context -> context.matcher.races()).sum();
    }

    long refusals() {
        return contexts.stream().mapToLong(context -> context.matcher.refusals()).sum();
    }

    @Override
    public String toString() {
        return contexts.size() + " contexts, " + sources + " sources, " + tags + " tags, " + split;
    }
}
