package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.ControlMessage.Arrival;
import io.rankwire.launch.ControlMessage.Listening;
import io.rankwire.launch.ControlMessage.Seat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Seeded jobs against what a reader of the rules would expect. */
final class RosterModelTest {
    private static final long SECOND = 1_000_000_000;

    /** One job: ranks of some rooms claim some marks, and see each other's directories inside a room only. */
    private static final class Trial {
        final Random random;
        final String seed;
        final int size;
        final int[] mark;
        final int[] room;
        final Roster roster;
        final List<Roster.Outgoing> under = new ArrayList<>();
        final List<List<ControlMessage>> got = new ArrayList<>();

        Trial(int number) {
            random = new Random(number);
            seed = "seed " + number;
            size = 1 + random.nextInt(7);
            mark = random.ints(size, 0, 3).toArray();
            room = new int[size];
            for (int rank = 0; rank < size; rank++) {
                // Mostly the mark says all; sometimes ranks of one mark do not see each other.
                room[rank] = mark[rank] * 10 + (random.nextInt(4) == 0 ? random.nextInt(3) : 0);
                got.add(new ArrayList<>());
            }
            roster = new Roster(size, size, 0, "node0:1", 60 * SECOND, 60, false, Root.NOBODY);
        }

        void arrive() {
            List<Integer> order = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                order.add(rank);
            }
            Collections.shuffle(order, random);
            for (int i = 0; i < order.size(); i++) {
                int rank = order.get(i);
                assertNull(roster.obstacle(rank, size), seed);
                roster.arrive(rank, new Arrival("h", "mark " + mark[rank], rank));
                assertNotNull(roster.obstacle(rank, size), seed);
                if (i + 1 < size && random.nextInt(4) == 0) {
                    roster.lost(rank, "gone");
                    order.add(rank);
                    order.set(i--, -1);
                    order.remove(Integer.valueOf(-1));
                }
            }
        }

        /** Delivers messages of different ranks in any order, as ranks would answer them. */
        void deliver() {
            while (true) {
                for (Roster.Outgoing next = roster.take(); next != null; next = roster.take()) {
                    under.add(next);
                }
                if (under.isEmpty()) {
                    return;
                }
                int rank = under.get(random.nextInt(under.size())).rank();
                Roster.Outgoing first = under.stream().filter(each -> each.rank() == rank).findFirst().orElseThrow();
                under.remove(first);
                got.get(rank).add(first.message());
                switch (first.message()) {
                    case ControlMessage.MakeDirectory _ ->
                            roster.receive(rank, new ControlMessage.Directory("/" + room[rank] + "/" + rank, ""));
                    case ControlMessage.LookFor(String path) -> roster.receive(rank,
                            new ControlMessage.Looked(path.startsWith("/" + room[rank] + "/")));
                    default -> { }
                }
            }
        }

        ControlMessage last(int rank) {
            return got.get(rank).getLast();
        }

        void assertTable() {
            List<Integer> firsts = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                int lowest = 0;
                while (room[lowest] != room[rank] || mark[lowest] != mark[rank]) {
                    lowest++;
                }
                if (!firsts.contains(lowest)) {
                    firsts.add(lowest);
                }
                ControlMessage.Table table = (ControlMessage.Table) last(rank);
                Seat seat = table.seats().get(rank);
                assertEquals(firsts.indexOf(lowest), seat.host(), seed);
                assertEquals(seat.host() == 0 ? "h" : "h/" + (seat.host() + 1), seat.name(), seed);
                assertEquals(rank, seat.process(), seed);
                assertEquals("/" + room[rank] + "/" + lowest, table.directory(), seed);
                assertEquals(((ControlMessage.Table) last(0)).seats(), table.seats(), seed);
            }
        }
    }

    private static Trial started(int number) {
        Trial trial = new Trial(number);
        trial.arrive();
        trial.deliver();
        assertTrue(trial.roster.hasStarted(), trial.seed);
        return trial;
    }

    @Test
    void shouldGroupRanksThatSeeEachOther() {
        for (int seed = 0; seed < 2_000; seed++) {
            started(seed).assertTable();
        }
    }

    @Test
    void shouldAnnounceWorldsThatAllHaveClosedOrLeft() {
        for (int seed = 0; seed < 2_000; seed++) {
            Trial trial = started(seed);
            int[] closed = new int[trial.size];
            boolean[] left = new boolean[trial.size];
            int announced = 0;
            for (int step = 0; step < 30; step++) {
                int rank = trial.random.nextInt(trial.size);
                if (left[rank]) {
                    continue;
                }
                if (trial.random.nextInt(10) == 0) {
                    left[rank] = true;
                    trial.roster.receive(rank, new ControlMessage.Leave());
                    trial.roster.lost(rank, "connection closed");
                } else {
                    trial.roster.receive(rank, new ControlMessage.Closed(++closed[rank]));
                }
                int least = Integer.MAX_VALUE;
                for (int each = 0; each < trial.size; each++) {
                    least = left[each] ? least : Math.min(least, closed[each]);
                }
                trial.deliver();
                if (least > announced) {
                    announced = least;
                    for (int each = 0; each < trial.size; each++) {
                        assertEquals(new ControlMessage.AllClosed(least), trial.last(each), trial.seed);
                    }
                }
            }
        }
    }

    @Test
    void shouldExchangeAddressesOrSayWhoHasLeft() {
        for (int seed = 0; seed < 1_000; seed++) {
            Trial trial = started(seed);
            int leaver = trial.random.nextInt(2 * trial.size);
            List<Integer> order = new ArrayList<>();
            for (int rank = 0; rank < trial.size; rank++) {
                order.add(rank);
            }
            Collections.shuffle(order, trial.random);
            for (int rank : order) {
                trial.roster.receive(rank, rank == leaver ? new ControlMessage.Leave()
                        : new Listening(0, new byte[0], 100 + rank, new byte[16], new byte[0]));
                trial.deliver();
            }
            for (int rank : order) {
                if (leaver >= trial.size) {
                    List<Listening> ranks = ((ControlMessage.Addresses) trial.last(rank)).ranks();
                    assertEquals(trial.size, ranks.size(), trial.seed);
                    assertEquals(100 + rank, ranks.get(rank).port(), trial.seed);
                } else if (rank != leaver) {
                    assertTrue(trial.last(rank) instanceof ControlMessage.Refusal(String reason)
                            && reason.startsWith("rank " + leaver + " on h"), trial.seed);
                }
            }
        }
    }

    @Test
    void shouldAgreeOnTheMiddleOfWhatPairsOfHostsHaveMeasured() {
        for (int seed = 0; seed < 1_000; seed++) {
            Trial trial = started(seed);
            List<Seat> seats = ((ControlMessage.Table) trial.last(0)).seats();
            int hosts = seats.stream().mapToInt(Seat::host).max().orElseThrow() + 1;
            int pairs = Math.max(1, hosts / 2);
            List<Integer> rounds = new ArrayList<>();
            for (int pair = 0; pair < pairs; pair++) {
                assertFalse(trial.last(0) instanceof ControlMessage.Agreed, trial.seed);
                rounds.add(trial.random.nextInt(3) * 500);
                NetworkCost cost = new NetworkCost(rounds.get(pair), 2, 0.25, pair == 0 ? "1 2 3" : "");
                trial.roster.receive(trial.random.nextInt(trial.size), new ControlMessage.Measured(cost.text()));
                trial.deliver();
            }
            Collections.sort(rounds);
            rounds.removeIf(each -> each == 0);
            int middle = rounds.isEmpty() ? 0 : rounds.get(rounds.size() / 2);
            NetworkCost expected = new NetworkCost(middle, 2, 0.25, "1 2 3");
            for (int rank = 0; rank < trial.size; rank++) {
                assertEquals(new ControlMessage.Agreed(expected.text()), trial.last(rank), trial.seed);
            }
            assertEquals(expected, NetworkCost.parse(expected.text()));
            trial.roster.receive(0, new ControlMessage.Measured(expected.text()));
            trial.deliver();
            assertTrue(trial.last(0) instanceof ControlMessage.Abort, trial.seed);
        }
    }

    @Test
    void shouldEndTheJobForALostRankThatShouldBeThere() {
        for (int seed = 0; seed < 1_000; seed++) {
            Trial trial = started(seed);
            int by = trial.random.nextInt(trial.size);
            int gone = trial.random.nextInt(trial.size);
            boolean leaves = gone != by && trial.random.nextBoolean();
            int[] closed = {trial.random.nextInt(3), trial.random.nextInt(3)};
            if (gone != by) {
                trial.roster.receive(by, new ControlMessage.Closed(closed[0]));
                trial.roster.receive(gone, leaves ? new ControlMessage.Leave() : new ControlMessage.Closed(closed[1]));
            }
            trial.roster.receive(by, new ControlMessage.Lost(gone, "why"));
            trial.deliver();
            boolean ends = gone == by || !leaves && closed[1] <= closed[0];
            assertEquals(ends, trial.last(by).equals(new ControlMessage.Abort(1, "why")), trial.seed);
        }
    }

    @Test
    void shouldEndTheJobForCostsThatMakeNoSense() {
        for (String cost : new String[] {"", "1 2 3", "1 2 x ", "1 NaN 3 ", "-1 2 3 "}) {
            Trial trial = started(1);
            trial.roster.receive(0, new ControlMessage.Measured(cost));
            trial.deliver();
            assertTrue(trial.last(0) instanceof ControlMessage.Abort(int status, String reason)
                    && reason.contains("which makes no sense"), cost);
        }
    }

    @Test
    void shouldEndTheJobOnceForADeathOrAFailure() {
        for (int seed = 0; seed < 1_000; seed++) {
            Trial trial = started(seed);
            int victim = trial.random.nextInt(trial.size);
            boolean dies = trial.random.nextBoolean();
            if (dies) {
                trial.roster.lost(victim, "connection closed");
            } else {
                trial.roster.receive(victim, new ControlMessage.Failed(7, "why"));
            }
            trial.roster.receive((victim + 1) % trial.size, new ControlMessage.Failed(8, "later"));
            trial.deliver();
            String name = "rank " + victim + " on " + ((ControlMessage.Table) trial.got.get(0).stream()
                    .filter(ControlMessage.Table.class::isInstance).findFirst().orElseThrow()).seats().get(victim)
                    .name();
            ControlMessage expected = dies
                    ? new ControlMessage.Abort(1, name + " has ended (connection closed)")
                    : new ControlMessage.Abort(7, "why");
            for (int rank = 0; rank < trial.size; rank++) {
                assertEquals(expected, trial.last(rank), trial.seed);
                assertEquals(1, trial.got.get(rank).stream().filter(ControlMessage.Abort.class::isInstance).count());
            }
        }
    }

    @Test
    void shouldNameMissingRanksInTime() {
        Roster roster = new Roster(8, 8, 0, "node0:1", 60 * SECOND, 60, false, Root.NOBODY);
        for (int rank : new int[] {0, 2, 7}) {
            roster.arrive(rank, new Arrival("h", "m", 1));
        }
        roster.check(60 * SECOND - 1);
        assertNull(roster.take());
        roster.check(60 * SECOND);
        for (int rank : new int[] {0, 2, 7}) {
            Roster.Outgoing next = roster.take();
            assertEquals(rank, next.rank());
            assertEquals(new ControlMessage.Refusal("ranks 1, 3 to 6 of 8 did not come to rank 0 at node0:1"
                    + " within 60 s; RANKWIRE_START_TIMEOUT sets another limit"), next.message());
        }
        assertFalse(roster.hasStarted());
        assertNotNull(roster.obstacle(1, 8));
    }
}
