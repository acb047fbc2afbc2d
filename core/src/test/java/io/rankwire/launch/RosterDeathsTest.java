package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.Secret;
import io.rankwire.launch.ControlMessage.Abort;
import io.rankwire.launch.ControlMessage.Addresses;
import io.rankwire.launch.ControlMessage.Agreed;
import io.rankwire.launch.ControlMessage.AllClosed;
import io.rankwire.launch.ControlMessage.Answered;
import io.rankwire.launch.ControlMessage.Arrival;
import io.rankwire.launch.ControlMessage.Ask;
import io.rankwire.launch.ControlMessage.Closed;
import io.rankwire.launch.ControlMessage.Declared;
import io.rankwire.launch.ControlMessage.FailedAlone;
import io.rankwire.launch.ControlMessage.Given;
import io.rankwire.launch.ControlMessage.Leave;
import io.rankwire.launch.ControlMessage.Listening;
import io.rankwire.launch.ControlMessage.Lost;
import io.rankwire.launch.ControlMessage.Measured;
import io.rankwire.launch.ControlMessage.NewRank;
import io.rankwire.launch.ControlMessage.Noted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Seeded jobs that go on while ranks die, against what a reader of the rules would expect. */
final class RosterDeathsTest {
    private static final int SEEDS = Integer.getInteger("rankwire.test.seeds", 5_000);
    private static final int STEPS = 60;

    /** A job, and beside it what is to be expected. */
    private static final class Trial implements Root.Watcher {
        final Random random;
        final String seed;
        final int size;
        /** The number of ranks, with spares and those that are started later. */
        final int places;
        final int spares;
        final Roster roster;
        final List<List<ControlMessage>> got = new ArrayList<>();
        final List<Declared> declared = new ArrayList<>();
        final List<Integer> killed = new ArrayList<>();
        int starts;
        String over;
        long now = 1_000_000_000;

        final List<Declared> expected = new ArrayList<>();
        final List<Integer> expectedKills = new ArrayList<>();
        final boolean[] dead;
        final boolean[] left;
        /** When a rank that is to be killed counts as dead, once the clock was read; 0 before, -1 for not at all. */
        final long[] doomed;
        final String[] doom;
        final int[] closed;

        /** Of ranks that come later: whether they have arrived and have a part, and who has not noted them yet. */
        final boolean[] arrived;
        final boolean[] given;
        final List<Set<Integer>> unheard = new ArrayList<>();
        final int[] host;
        int next;
        /** The members of a communicator, repaired again and again, and the answer to each request. */
        List<Integer> members = new ArrayList<>();
        final List<Replacements.Request> requests = new ArrayList<>();
        final List<Replacements.Answer> answers = new ArrayList<>();
        final List<String> started = new ArrayList<>();
        final List<String> expectedStarts = new ArrayList<>();
        final Map<Integer, Integer> origins = new HashMap<>();
        /** What ranks have got and not noted yet: the rank, and the new one. */
        final List<int[]> toNote = new ArrayList<>();
        /** Ranks that came later and have their places. */
        final Set<Integer> seated = new TreeSet<>();
        int asked;

        Trial(int number) {
            random = new Random(number * 0x9E3779B97F4A7C15L);
            seed = "seed " + number;
            size = 2 + random.nextInt(6);
            spares = random.nextInt(3);
            places = size + spares + 4;
            next = size + spares;
            dead = new boolean[places];
            left = new boolean[places];
            doom = new String[places];
            doomed = new long[places];
            closed = new int[places];
            arrived = new boolean[places];
            given = new boolean[places];
            host = new int[places];
            roster = new Roster(size, places, spares, "node0:1", Long.MAX_VALUE, 60, true, this);
            int hosts = 1 + random.nextInt(3);
            for (int rank = 0; rank < places; rank++) {
                got.add(new ArrayList<>());
                unheard.add(null);
                // One that comes later may come from a host without ranks.
                host[rank] = rank < size ? rank % hosts : random.nextInt(hosts + 1);
            }
            for (int rank = 0; rank < size; rank++) {
                members.add(rank);
                arrive(rank);
            }
            deliver();
            assertEquals(1, starts, seed);
        }

        void checkAfter(int seconds) {
            now += seconds * 1_000_000_000L;
            roster.check(now);
        }

        void arrive(int rank) {
            arrived[rank] = true;
            assertNull(roster.obstacle(rank, size), seed);
            roster.arrive(rank, new Arrival("h" + host[rank], "mark " + host[rank], rank));
        }

        @Override
        public void started() {
            starts++;
        }

        @Override
        public void declared(int rank, String cause) {
            declared.add(new Declared(declared.size(), rank, cause));
        }

        @Override
        public void kill(int rank) {
            killed.add(rank);
        }

        @Override
        public void start(int rank, int like, int dead) {
            started.add(rank + " like " + like + " for " + dead);
        }

        @Override
        public void given(int rank) {
            assertTrue(given[rank], seed);
        }

        @Override
        public void over(int status, String reason) {
            over = reason;
        }

        void deliver() {
            for (Roster.Outgoing next = roster.take(); next != null; next = roster.take()) {
                int rank = next.rank();
                got.get(rank).add(next.message());
                switch (next.message()) {
                    case ControlMessage.MakeDirectory _ ->
                            roster.receive(rank, new ControlMessage.Directory("/d", ""));
                    case ControlMessage.LookFor _ -> roster.receive(rank, new ControlMessage.Looked(true));
                    case ControlMessage.Table _ when rank >= size -> {
                        if (isHeard(rank)) {
                            arrivedHere(rank);
                        }
                        roster.receive(rank, listening(0, rank));
                    }
                    case NewRank one -> toNote.add(new int[] {rank, one.rank()});
                    default -> { }
                }
            }
        }

        void expect(int rank, String cause) {
            if (!dead[rank]) {
                dead[rank] = true;
                expected.add(new Declared(expected.size(), rank, cause));
            }
        }

        boolean isHeard(int rank) {
            return arrived[rank] && !dead[rank] && doom[rank] == null;
        }

        /** A rank that came later has its place: it is a spare, or becomes known. */
        void arrivedHere(int rank) {
            seated.add(rank);
            if (given[rank]) {
                makeKnown(rank);
            }
        }

        void makeKnown(int rank) {
            Set<Integer> all = new TreeSet<>();
            for (int other = 0; other < places; other++) {
                if (other != rank && (other < size || seated.contains(other)) && !dead[other] && !left[other]) {
                    all.add(other);
                }
            }
            unheard.set(rank, all);
        }

        /** A rank asks for replacements of all that are dead, or once more for those of an earlier call. */
        void ask(int rank) {
            boolean isNew = requests.isEmpty() || random.nextInt(3) > 0;
            if (isNew) {
                List<Integer> missing = members.stream().filter(each -> dead[each]).toList();
                if (missing.isEmpty()) {
                    return;
                }
                requests.add(new Replacements.Request("call " + requests.size(), 0, 7, "all", members, missing));
                answers.add(expected(missing));
                members = answers.getLast().members() == null ? members : answers.getLast().members();
            }
            int which = isNew ? requests.size() - 1 : random.nextInt(requests.size());
            roster.receive(rank, new Ask(asked, requests.get(which).text()));
            deliver();
            assertEquals(List.of(new Answered(asked, answers.get(which).text())),
                    got(rank, Answered.class).stream().filter(each -> each.number() == asked).toList(), seed);
            asked++;
        }

        /** A spare of the same host, else one of another host, else a new rank. */
        Replacements.Answer expected(List<Integer> missing) {
            List<Integer> free = new ArrayList<>();
            for (int rank = size; rank < places; rank++) {
                if (seated.contains(rank) && isHeard(rank) && !left[rank] && !given[rank]) {
                    free.add(rank);
                }
            }
            if (next + missing.size() - free.size() > places) {
                return new Replacements.Answer(null, "the job may start " + places + " ranks in all and has started "
                        + next + ", so it cannot start " + (missing.size() - free.size())
                        + " more: call shrink() to go on with fewer");
            }
            Map<Integer, Integer> found = new HashMap<>();
            for (int one : missing) {
                int home = one < size || seated.contains(one) ? host[one] : -1;
                Integer best = free.stream().filter(each -> host[each] == home).findFirst()
                        .orElse(free.isEmpty() ? null : free.getFirst());
                if (best == null) {
                    best = next++;
                    expectedStarts.add(best + " like " + origins.getOrDefault(one, one) + " for " + one);
                }
                free.remove(best);
                found.put(one, best);
                given[best] = true;
            }
            found.forEach((one, best) -> {
                origins.put(best, origins.getOrDefault(one, one));
                if (seated.contains(best)) {
                    makeKnown(best);
                }
            });
            return new Replacements.Answer(
                    members.stream().map(each -> found.getOrDefault(each, each)).toList(), null);
        }

        /** A rank that was started, or is a spare, comes; some die while they get their place. */
        void comeLater(int rank) {
            if (rank < size || rank >= next || arrived[rank] || dead[rank]) {
                return;
            }
            arrive(rank);
            if (random.nextInt(6) == 0) {
                roster.lost(rank, "connection closed");
                expect(rank, "rank " + rank + " on h" + host[rank] + " has ended (connection closed)");
            }
            deliver();
        }

        void note() {
            if (!toNote.isEmpty()) {
                int[] one = toNote.remove(random.nextInt(toNote.size()));
                if (isHeard(one[0]) && unheard.get(one[1]) != null) {
                    unheard.get(one[1]).remove(one[0]);
                }
                roster.receive(one[0], new Noted(one[1]));
            }
        }

        /** Something happens to one rank, in time or late. */
        void step(int number) {
            int rank = someArrived();
            int other = someArrived();
            String why = "event " + number;
            switch (random.nextInt(14)) {
                case 8, 9 -> {
                    if (isHeard(rank) && !left[rank] && (rank < size || given[rank])) {
                        ask(rank);
                    }
                }
                case 10, 11 -> comeLater(size + random.nextInt(places - size));
                case 12, 13 -> note();
                case 0 -> {
                    roster.lost(rank, "connection closed");
                    if (!left[rank]) {
                        expect(rank, doom[rank] != null ? doom[rank] : "rank " + rank + " on "
                                + name(rank) + " has ended (connection closed)");
                    }
                }
                case 1 -> {
                    roster.receive(rank, new FailedAlone(why));
                    if (isHeard(rank)) {
                        expect(rank, why);
                    }
                }
                case 2, 3 -> {
                    roster.receive(rank, new Lost(other, why));
                    if (isHeard(rank) && isHeard(other) && !left[other] && closed[other] <= closed[rank]) {
                        doom[other] = why;
                        expectedKills.add(other);
                    }
                }
                case 4 -> {
                    roster.declare(rank, why);
                    expect(rank, why);
                }
                case 5 -> {
                    if (rank < size || given[rank]) {
                        roster.receive(rank, new Closed(closed[rank] + 1));
                        closed[rank] += isHeard(rank) ? 1 : 0;
                    }
                }
                case 6 -> {
                    now += random.nextInt(400) * 1_000_000L;
                    roster.check(now);
                    for (int each = 0; each < places; each++) {
                        if (doom[each] != null && !dead[each]) {
                            doomed[each] = doomed[each] == 0 ? now + 500_000_000 : doomed[each];
                            if (now >= doomed[each]) {
                                expect(each, doom[each]);
                            }
                        }
                    }
                }
                default -> {
                    if (random.nextInt(4) == 0 && !left[rank]) {
                        roster.receive(rank, new Leave());
                        left[rank] |= isHeard(rank);
                    }
                }
            }
        }

        int someArrived() {
            int rank = random.nextInt(places);
            return arrived[rank] ? rank : random.nextInt(size);
        }

        String name(int rank) {
            if (rank >= size) {
                return "h" + host[rank];
            }
            return ((ControlMessage.Table) got.get(0).stream().filter(ControlMessage.Table.class::isInstance)
                    .findFirst().orElseThrow()).seats().get(rank).name();
        }

        <T> List<T> got(int rank, Class<T> kind) {
            return got.get(rank).stream().filter(kind::isInstance).map(kind::cast).toList();
        }

        void check() {
            deliver();
            assertEquals(expected, declared, seed);
            assertEquals(expectedKills, killed, seed);
            assertEquals(expectedStarts, started, seed);
            for (int rank = 0; rank < places; rank++) {
                boolean isPlaced = rank < size || seated.contains(rank);
                assertEquals(isPlaced ? expected : List.of(), got(rank, Declared.class), seed + ", rank " + rank);
                Set<Integer> missing = unheard.get(rank) == null ? null : new TreeSet<>(unheard.get(rank));
                if (missing != null) {
                    missing.removeIf(each -> dead[each] || left[each]);
                }
                boolean begins = missing != null && missing.isEmpty();
                assertEquals(begins ? 1 : 0, got(rank, Given.class).size(), seed + ", rank " + rank);
            }
        }

        int closedByAll() {
            int least = Integer.MAX_VALUE;
            for (int rank = 0; rank < places; rank++) {
                boolean counts = !left[rank] && !dead[rank] && (rank < size || given[rank]);
                least = counts ? Math.min(least, closed[rank]) : least;
            }
            return least;
        }
    }

    @Test
    void shouldDeclareEachDeadRankOnceAndInOneOrderForAll() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Trial trial = new Trial(seed);
            int announced = 0;
            for (int step = 0; step < STEPS; step++) {
                trial.step(step);
                trial.check();
                announced = Math.max(announced, trial.closedByAll());
                List<AllClosed> said = trial.got(0, AllClosed.class);
                assertEquals(announced, said.isEmpty() ? 0 : said.getLast().worlds(), trial.seed);
            }
            assertNull(trial.over, trial.seed);
        }
    }

    @Test
    void shouldKillNeitherOfTwoThatSuspectEachOtherAfterTheFirst() {
        Trial trial = new Trial(1);
        trial.roster.receive(0, new Lost(1, "first"));
        trial.roster.receive(1, new Lost(0, "second"));
        assertEquals(List.of(1), trial.killed);
        trial.roster.lost(1, "connection closed");
        assertEquals(List.of(new Declared(0, 1, "first")), trial.declared);
    }

    @Test
    void shouldOpenLaterWorldsWithoutTheDead() {
        for (int seed = 0; seed < SEEDS / 5; seed++) {
            Trial trial = new Trial(seed);
            for (int rank = 0; rank < trial.size; rank++) {
                trial.roster.receive(rank, listening(0, rank));
            }
            int victims = trial.random.nextInt(trial.size);
            List<Integer> order = new ArrayList<>();
            for (int rank = 0; rank < trial.size; rank++) {
                order.add(rank);
            }
            Collections.shuffle(order, trial.random);
            // Some die before they would come, and some after.
            for (int i = 0; i < trial.size; i++) {
                int rank = order.get(i);
                if (i >= victims || trial.random.nextBoolean()) {
                    trial.roster.receive(rank, listening(1, rank));
                }
                if (i < victims) {
                    trial.roster.lost(rank, "connection closed");
                }
            }
            trial.deliver();
            for (int rank : order.subList(victims, trial.size)) {
                Addresses last = trial.got(rank, Addresses.class).getLast();
                for (int each = 0; each < trial.size; each++) {
                    Listening one = last.ranks().get(each);
                    assertEquals(1, one.world(), trial.seed);
                    assertEquals(order.indexOf(each) < victims ? 0 : 100 + each, one.port(), trial.seed);
                }
            }
        }
    }

    @Test
    void shouldRefuseALaterWorldWhenItIsClearThatARankHasLeftWell() {
        Trial trial = new Trial(5);
        trial.roster.receive(1, new Leave());
        trial.roster.receive(0, listening(1, 0));
        trial.checkAfter(600);
        trial.checkAfter(600);
        trial.deliver();
        assertEquals(List.of(), trial.got(0, ControlMessage.Refusal.class));
        trial.roster.endedWell(1);
        trial.deliver();
        assertEquals(1, trial.got(0, ControlMessage.Refusal.class).size());
        trial.roster.receive(0, listening(1, 0));
        trial.deliver();
        assertEquals(2, trial.got(0, ControlMessage.Refusal.class).size());
    }

    @Test
    void shouldRefuseALaterWorldAlsoIfTheEndOfAProcessIsKnownFirst() {
        Trial trial = new Trial(5);
        trial.roster.receive(0, listening(1, 0));
        trial.roster.endedWell(1);
        trial.deliver();
        assertEquals(List.of(), trial.got(0, ControlMessage.Refusal.class));
        trial.roster.receive(1, new Leave());
        trial.deliver();
        assertEquals(1, trial.got(0, ControlMessage.Refusal.class).size());
    }

    @Test
    void shouldRefuseARequestThatMakesNoSense() {
        Trial trial = new Trial(6);
        trial.roster.receive(0, new Ask(1, "key\n0\n7\nworld\n0 1\n"));
        assertTrue(trial.over.contains("which makes no sense"), trial.over);
    }

    @Test
    void shouldEndAJobThatCannotStartWithoutTheDead() {
        for (boolean before : new boolean[] {true, false}) {
            Trial trial = new Trial(2);
            if (before) {
                trial.roster.lost(1, "connection closed");
            }
            trial.roster.receive(0, listening(0, 0));
            if (!before) {
                trial.roster.lost(1, "connection closed");
            }
            trial.deliver();
            assertTrue(trial.over.contains("was lost before all ranks had joined"), trial.over);
            assertInstanceOf(Abort.class, trial.got.get(0).getLast());
            trial.roster.lost(0, "connection closed");
            assertEquals(1, trial.declared.size());
        }
    }

    @Test
    void shouldAgreeOnEstimatesIfARankDiesInTheMidstOfMeasuring() {
        Trial trial = new Trial(3);
        trial.roster.lost(0, "connection closed");
        trial.roster.receive(1, new Measured("5000.000 500.000 0.300000 "));
        trial.deliver();
        for (int rank = 0; rank < trial.size; rank++) {
            assertEquals(List.of(new Agreed(NetworkCost.unknown("").text())), trial.got(rank, Agreed.class));
        }
        assertNull(trial.over);
    }

    @Test
    void shouldStillEndTheJobForAnAbort() {
        Trial trial = new Trial(4);
        trial.roster.declare(1, "why");
        trial.roster.receive(0, new ControlMessage.Failed(7, "abort"));
        trial.roster.lost(0, "connection closed");
        trial.deliver();
        assertEquals("abort", trial.over);
        assertEquals(1, trial.declared.size());
        assertEquals(new Abort(7, "abort"), trial.got.get(0).getLast());
    }

    private static Listening listening(int world, int rank) {
        return new Listening(world, new byte[0], 100 + rank, new byte[Secret.CHALLENGE], new byte[0]);
    }

    /** A program may do something for minutes before it joins. */
    @Test
    void shouldGiveUpNewRankOnlyWhenNothingIsHeardOfItForMinute() {
        Trial trial = new Trial(7);
        int late = trial.next;
        trial.given[late] = true;
        trial.roster.declare(1, "lost");
        trial.roster.receive(0, new Ask(0,
                new Replacements.Request("call", 0, 7, "all", trial.members, List.of(1)).text()));
        assertEquals(List.of(late + " like 1 for 1"), trial.started);
        trial.checkAfter(1);
        for (int i = 0; i < 5; i++) {
            trial.roster.late.runs(late);
            trial.checkAfter(59);
            trial.checkAfter(59);
        }
        assertEquals(List.of(), trial.killed);
        trial.checkAfter(2);
        assertEquals(List.of(late), trial.killed);
        assertEquals(late, trial.declared.getLast().rank());
    }
}
