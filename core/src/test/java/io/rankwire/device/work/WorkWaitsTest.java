package io.rankwire.device.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.CompletionTable;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What programs wait for wakes them, and the engine looks at no others. */
class WorkWaitsTest {
    private static final int CONTEXT = 5;
    private static final int PROGRAMS = 1_000;
    private static final ElementType LONG = ElementType.LONG;

    private final LocalFabric fabric = new LocalFabric(2);
    private final Device here = new Device(DeviceConfig.DEFAULT, fabric.open(0));
    private final Device there = new Device(DeviceConfig.DEFAULT, fabric.open(1));
    private final WorkEngine engine = new WorkEngine(here, null, () -> { });

    /** Sends a word to this engine's device; returns how many programs the engine has looked at for it. */
    private long visitsFor(int tag) {
        assertTrue(there.sendNow(CONTEXT, 0, tag, new long[] {tag}, 0, 8, LONG.code()));
        for (int i = 0; i < 10; i++) {
            here.progressAll(i);
            there.progressAll(i);
        }
        long before = engine.visits();
        engine.progress(1);
        return engine.visits() - before;
    }

    @Test
    void shouldVisitOneOfAThousandThatWaitForMessages() {
        Operation[] runs = new Operation[PROGRAMS];
        for (int i = 0; i < PROGRAMS; i++) {
            WorkProgram program = new WorkProgram(CONTEXT, 2);
            int cell = program.buffer(8);
            program.bind(cell, new long[1], 0);
            int counter = program.counter();
            program.queue(false).receive(1, cell, 0, 8, LONG, counter).await(counter, 1);
            program.queue(false).await(counter, 1);
            runs[i] = engine.start(program, i);
        }
        assertFalse(engine.isDue());
        for (int i : new int[] {500, 0, 999, 3}) {
            assertEquals(1, visitsFor(i));
            assertTrue(runs[i].isDone());
            assertFalse(engine.isDue());
        }
        assertEquals(PROGRAMS - 4, engine.active());
    }

    /** One program receives; each other program waits for another counter of it, or another value. */
    @Test
    void shouldVisitOneOfAThousandThatWaitForCounters() {
        int half = PROGRAMS / 2;
        WorkProgram counting = new WorkProgram(CONTEXT, 2);
        int cell = counting.buffer(8);
        counting.bind(cell, new long[1], 0);
        WorkQueue queue = counting.queue(false);
        for (int i = 0; i < half; i++) {
            counting.counter();
        }
        for (int i = 0; i < half - 1; i++) {
            queue.receive(1, cell, 0, 8, LONG, i).await(i, 1);
        }
        int last = half - 1;
        for (int i = 1; i <= half; i++) {
            queue.receive(1, cell, 0, 8, LONG, last).await(last, i);
        }
        Operation counted = engine.start(counting, 0);
        Operation[] runs = new Operation[half - 1 + half];
        for (int i = 0; i < runs.length; i++) {
            WorkProgram program = new WorkProgram(CONTEXT, 2);
            program.queue(false).await(counting, Math.min(i, last), i < last ? 1 : i - last + 1);
            runs[i] = engine.start(program, 1);
        }
        for (int i = 0; i < runs.length; i++) {
            assertFalse(runs[i].isDone());
            assertEquals(2, visitsFor(0), "the one that counts, and the one that waits for it");
            assertTrue(runs[i].isDone(), "run " + i);
        }
        assertTrue(counted.isDone());
        assertEquals(0, engine.active());
    }

    /** Programs wait for numbers of ends in a completion table; a list says who may go on. */
    @Test
    void shouldGoOnWithTheEndsOfACompletionTable() {
        for (long seed = 1; seed <= 20; seed++) {
            Rand rand = new Rand(seed);
            CompletionTable<Integer> table = new CompletionTable<>(64);
            List<WorkProgram> programs = new ArrayList<>();
            List<Operation> runs = new ArrayList<>();
            List<Long> due = new ArrayList<>();
            long produced = 0;
            for (int step = 0; step < 200; step++) {
                if (rand.below(2) == 0) {
                    WorkProgram program = new WorkProgram(CONTEXT, 2);
                    int first = 1 + rand.below(4);
                    int second = 1 + rand.below(4);
                    program.queue(false).await(table, first).await(table, second);
                    programs.add(program);
                    runs.add(engine.start(program, step));
                    due.add(produced + first + second);
                } else {
                    table.add(step, null);
                    table.take();
                    produced++;
                    engine.progress(step);
                }
                assertEquals(produced, table.produced());
                for (int i = 0; i < runs.size(); i++) {
                    if (runs.get(i) != null) {
                        assertEquals(due.get(i) <= produced, runs.get(i).isDone(), "seed " + seed + ", program " + i);
                    }
                    if (runs.get(i) != null && runs.get(i).isDone()) {
                        here.release(runs.get(i));
                        // A second run goes on counting where the first one ended.
                        runs.set(i, null);
                    }
                }
            }
            WorkProgram again = programs.get(0);
            if (!again.active()) {
                Operation run = engine.start(again, 0);
                boolean enough = produced >= 2 * due.get(0);
                assertEquals(enough, run.isDone(), "seed " + seed);
            }
        }
    }
}
