package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.Status;
import io.rankwire.World;
import io.rankwire.launch.ThreadRanks;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ExplorationTest {
    private final StringBuilder written = new StringBuilder();

    private Exploration explore(int ranks, int most, ThreadRanks.Body body) {
        Exploration exploration = new Exploration(Settings.DEFAULT, ranks);
        exploration.run(most, body, () -> {
            String text = written.toString();
            written.setLength(0);
            return text;
        });
        return exploration;
    }

    /** Rank 0 takes one message of each other rank in any order, and writes the order down. */
    private void takeAll(boolean probing, boolean late) {
        try (World world = World.join()) {
            Communicator all = world.communicator();
            int[] word = new int[1];
            if (all.rank() != 0) {
                all.send(word, 0, 5);
                return;
            }
            if (late) {
                world.spend(1_000_000);
            }
            for (int i = 1; i < all.size(); i++) {
                if (probing) {
                    while (all.iprobe(Communicator.ANY_SOURCE, 5) == null) {
                        Thread.onSpinWait();
                    }
                }
                Status status = all.receive(word, Communicator.ANY_SOURCE, 5);
                written.append(status.source());
            }
        }
    }

    @Test
    void shouldMeetEverySenderFirstOnce() {
        for (int way = 0; way < 4; way++) {
            boolean probing = (way & 1) != 0;
            boolean late = (way & 2) != 0;
            Exploration all = explore(4, 100, job -> takeAll(probing, late));
            Set<String> orders = new TreeSet<>();
            all.outcomes().keySet().forEach(outcome -> orders.add(outcome.output()));
            assertEquals(Set.of("123", "132", "213", "231", "312", "321"), orders);
            assertTrue(all.isComplete());
            assertEquals(1, all.status());
        }
    }

    @Test
    void shouldSayThatItHasNotSeenAll() {
        Exploration some = explore(5, 10, job -> takeAll(false, false));
        assertEquals(10, some.runs());
        assertFalse(some.isComplete());
        assertTrue(some.report().contains("there are more choices"), some.report());
    }

    @Test
    void shouldFindTheDeadlockThatOnlyOneOrderHas() {
        ThreadRanks.Body body = job -> {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                int[] word = new int[1];
                if (all.rank() == 0) {
                    all.receive(word, Communicator.ANY_SOURCE, 1);
                    all.receive(word, 2, 1);
                } else {
                    all.send(word, 0, 1);
                }
            }
        };
        Exploration all = explore(3, 100, body);
        assertEquals(2, all.runs());
        assertEquals(35, all.status());
        assertTrue(all.report().contains("(the first with --choices 1): status 35, deadlock"), all.report());
        assertEquals(1, Exploration.choices("1").length);
    }

    @Test
    void shouldNotTryOrdersThatNobodyCanSee() {
        Exploration all = explore(5, 100, job -> {
            try (World world = World.join()) {
                Communicator comm = world.communicator();
                int[] word = new int[1];
                for (int i = 1; i < comm.size(); i++) {
                    if (comm.rank() == 0) {
                        comm.receive(word, i, 1);
                    } else if (comm.rank() == i) {
                        comm.send(word, 0, 1);
                    }
                }
                comm.barrier();
            }
        });
        assertEquals(1, all.runs());
        assertEquals(0, all.status());
        assertTrue(all.report().contains("all end alike"), all.report());
    }

    /** Rank 0 asks who is done; the others have also left notes, of other tags and in another communicator. */
    private void takeAmongNotes() {
        try (World world = World.join()) {
            Communicator all = world.communicator();
            Communicator beside = all.duplicate();
            int[] word = new int[1];
            if (all.rank() != 0) {
                all.send(word, 0, 9);
                beside.send(word, 0, 5);
                if (all.rank() <= 2) {
                    all.send(word, 0, 5);
                }
            }
            for (int i = 1; i <= 2 && all.rank() == 0; i++) {
                written.append(all.receive(word, Communicator.ANY_SOURCE, 5).source());
            }
            for (int i = 1; i < all.size() && all.rank() == 0; i++) {
                all.receive(word, i, 9);
                beside.receive(word, i, 5);
            }
        }
    }

    @Test
    void shouldChooseOnlyAmongMessagesThatTheReceiveTakes() {
        Exploration all = explore(5, 2_000, job -> takeAmongNotes());
        assertEquals(2, all.runs());
        assertEquals(2, all.outcomes().size());
        assertTrue(all.isComplete());
    }

    @Test
    void shouldMeetASenderThatComesLater() {
        Exploration all = explore(4, 100, job -> {
            try (World world = World.join()) {
                Communicator comm = world.communicator();
                int[] word = new int[1];
                if (comm.rank() == 0) {
                    written.append(comm.receive(word, Communicator.ANY_SOURCE, 1).source());
                    comm.receive(word, Communicator.ANY_SOURCE, 1);
                } else if (comm.rank() == 2) {
                    comm.receive(word, Communicator.ANY_SOURCE, 1);
                    comm.send(word, 0, 1);
                } else {
                    comm.send(word, comm.rank() == 1 ? 0 : 2, 1);
                }
            }
        });
        Set<String> first = new TreeSet<>();
        all.outcomes().keySet().forEach(outcome -> first.add(outcome.output()));
        assertEquals(Set.of("1", "2"), first);
        assertEquals(2, all.runs());
    }

    @Test
    void shouldNotMeetWhatABarrierKeepsBack() {
        Exploration all = explore(5, 100, job -> {
            try (World world = World.join()) {
                Communicator comm = world.communicator();
                int[] word = new int[1];
                for (int phase = 0; phase < 2; phase++) {
                    for (int i = 0; i < 2 && comm.rank() == 0; i++) {
                        written.append(comm.receive(word, Communicator.ANY_SOURCE, 1).source());
                    }
                    if (comm.rank() > 2 * phase && comm.rank() <= 2 * phase + 2) {
                        comm.send(word, 0, 1);
                    }
                    comm.barrier();
                }
            }
        });
        assertEquals(4, all.runs());
        assertTrue(all.isComplete());
    }
}
