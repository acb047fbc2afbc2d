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
import io.rankwire.launch.ControlMessage.Arrival;
import io.rankwire.launch.ControlMessage.Closed;
import io.rankwire.launch.ControlMessage.Declared;
import io.rankwire.launch.ControlMessage.FailedAlone;
import io.rankwire.launch.ControlMessage.Leave;
import io.rankwire.launch.ControlMessage.Listening;
import io.rankwire.launch.ControlMessage.Lost;
import io.rankwire.launch.ControlMessage.Measured;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Seeded jobs that go on while ranks die, against what a reader of the rules would expect. */
final class RosterDeathsTest {
    private static final int SEEDS = Integer.getInteger("rankwire.test.seeds", 5_000);
    private static final int STEPS = 40;

    /** A job, and beside it what is to be expected. */
    private static final class Trial implements Root.Watcher {
        final Random random;
        final String seed;
        final int size;
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

        Trial(int number) {
            random = new Random(number * 0x9E3779B97F4A7C15L);
            seed = "seed " + number;
            size = 2 + random.nextInt(6);
            dead = new boolean[size];
            left = new boolean[size];
            doom = new String[size];
            doomed = new long[size];
            closed = new int[size];
            roster = new Roster(size, "node0:1", Long.MAX_VALUE, 60, true, this);
            int hosts = 1 + random.nextInt(3);
            for (int rank = 0; rank < size; rank++) {
                got.add(new ArrayList<>());
                roster.arrive(rank, new Arrival("h" + rank % hosts, "mark " + rank % hosts, rank));
            }
            deliver();
            assertEquals(1, starts, seed);
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
            return !dead[rank] && doom[rank] == null;
        }

        /** Something happens to one rank, in time or late. */
        void step(int number) {
            int rank = random.nextInt(size);
            int other = random.nextInt(size);
            String why = "event " + number;
            switch (random.nextInt(8)) {
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
                    roster.receive(rank, new Closed(closed[rank] + 1));
                    closed[rank] += isHeard(rank) ? 1 : 0;
                }
                case 6 -> {
                    now += random.nextInt(400) * 1_000_000L;
                    roster.check(now);
                    for (int each = 0; each < size; each++) {
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

        String name(int rank) {
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
            for (int rank = 0; rank < size; rank++) {
                assertEquals(expected, got(rank, Declared.class), seed + ", rank " + rank);
            }
        }

        int closedByAll() {
            int least = Integer.MAX_VALUE;
            for (int rank = 0; rank < size; rank++) {
                least = left[rank] || dead[rank] ? least : Math.min(least, closed[rank]);
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
}
