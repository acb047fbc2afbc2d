package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.Request;
import io.rankwire.Status;
import io.rankwire.World;
import io.rankwire.memory.Rand;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random programs, explored, against a naive model that tries every order. */
@Timeout(300)
class ExplorationModelTest {
    private static final int PROGRAMS = 500;

    private String[] logs;

    private void live(EveryOrder of) {
        try (World world = World.join()) {
            Communicator all = world.communicator();
            int rank = all.rank();
            List<EveryOrder.Step> steps = of.program.get(rank);
            List<int[]> words = new ArrayList<>();
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < steps.size(); i++) {
                EveryOrder.Step step = steps.get(i);
                int[] word = {EveryOrder.id(rank, i)};
                switch (step.kind()) {
                    case SEND -> all.send(word, step.peer(), step.tag());
                    case SSEND -> all.ssend(word, step.peer(), step.tag());
                    case IRECV -> {
                        words.add(word);
                        requests.add(all.irecv(word, step.peer(), step.tag()));
                    }
                    case RECEIVE -> {
                        all.receive(word, step.peer(), step.tag());
                        logs[rank] += word[0] + " ";
                    }
                    case AWAIT -> {
                        requests.removeFirst().await();
                        logs[rank] += words.removeFirst()[0] + " ";
                    }
                    case AWAIT_ANY -> {
                        int done = Request.awaitAny(requests.toArray(new Request[0]));
                        requests.remove(done);
                        logs[rank] += words.remove(done)[0] + " ";
                    }
                    case PROBE -> {
                        Status status = all.probe(step.peer(), step.tag());
                        logs[rank] += "p" + status.source() + "," + status.tag() + " ";
                    }
                    case BARRIER -> all.barrier();
                }
            }
        }
    }

    private Exploration explore(EveryOrder of) {
        int ranks = of.program.size();
        Exploration exploration = new Exploration(Settings.DEFAULT, ranks);
        logs = new String[ranks];
        Arrays.fill(logs, "");
        exploration.run(20_000, job -> live(of), () -> {
            String text = String.join("|", logs);
            Arrays.fill(logs, "");
            return text;
        });
        return exploration;
    }

    @Test
    void shouldFindEveryEndAndNoOther() {
        PrintStream before = System.err;
        // Most of these programs leave messages that nobody receives, and each run says so.
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        try {
            for (int seed = 1; seed <= PROGRAMS; seed++) {
                check(seed);
            }
        } finally {
            System.setErr(before);
        }
    }

    private void check(int seed) {
        EveryOrder program = EveryOrder.random(new Rand(seed));
        Set<String> all = program.ends();
        Exploration found = explore(program);
        Set<String> seen = new TreeSet<>();
        found.outcomes().keySet().forEach(
                outcome -> seen.add(outcome.output() + (outcome.status() == 35 ? " stuck" : "")));
        String about = "seed " + seed + " " + program.program;
        assertTrue(found.isComplete(), about);
        if (program.has(EveryOrder.Kind.AWAIT_ANY)) {
            // A request that is done already is taken at once, though another might have been done too.
            assertTrue(all.containsAll(seen), about + ": " + seen + " and not only " + all);
        } else {
            assertEquals(all, seen, about);
        }
    }
}
