package io.rankwire.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.rankwire.Communicator;
import io.rankwire.RankwireException;
import io.rankwire.World;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.EventType;
import org.opentest4j.AssertionFailedError;

class OnRanksTest {
    private int prepared;

    private static EngineExecutionResults run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter").selectors(selectClass(tests))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
                .execute();
    }

    /** What came of each test, by the names of method and test. */
    private static Map<String, TestExecutionResult> results(Class<?> tests) {
        Map<String, TestExecutionResult> results = new TreeMap<>();
        for (Event each : run(tests).testEvents().filter(event -> event.getType() == EventType.FINISHED).toList()) {
            String method = each.getTestDescriptor().getParent().orElseThrow().getDisplayName();
            results.put(method.replaceAll("\\(.*", "") + ": " + each.getTestDescriptor().getDisplayName(),
                    each.getRequiredPayload(TestExecutionResult.class));
        }
        return results;
    }

    private static Throwable failure(Map<String, TestExecutionResult> results, String name) {
        TestExecutionResult result = results.get(name);
        assertEquals(Status.FAILED, result == null ? null : result.getStatus(), () -> name + " in " + results);
        return result.getThrowable().orElseThrow();
    }

    private static void assertHolds(Throwable failure, String... parts) {
        for (String part : parts) {
            assertTrue(failure.getMessage().contains(part), () -> part + " is missing in: " + failure.getMessage());
        }
    }

    @BeforeEach
    void prepare() {
        prepared++;
    }

    @OnRanks(value = {1, 2, 3}, as = {OnRanks.Kind.THREADS, OnRanks.Kind.SIMULATED})
    @UnderFaults(seeds = 3)
    void shouldRunOnRanks(Communicator all, World world) {
        assertEquals(all, world.communicator());
        assertEquals(1, prepared);
        Samples.add(all);
    }

    @Test
    void shouldNameTheRankThatFails() {
        Map<String, TestExecutionResult> results = results(Samples.Assertions.class);
        for (String name : List.of("shouldFailOnOneRank: 3 ranks", "shouldFailInAProcess: 2 ranks as processes")) {
            AssertionFailedError error = assertInstanceOf(AssertionFailedError.class, failure(results, name));
            assertTrue(error.getMessage().matches("rank 1 of [23]: the number ==> expected: <5> but was: <4>"),
                    error.getMessage());
            assertEquals(5, error.getExpected().getValue());
            assertEquals(4, error.getActual().getValue());
            AssertionFailedError cause = assertInstanceOf(AssertionFailedError.class, error.getCause());
            assertTrue(List.of(cause.getStackTrace()).stream()
                    .anyMatch(frame -> frame.getClassName().equals(Samples.Assertions.class.getName())), "its stack");
        }
        Throwable thrown = failure(results, "shouldThrow: 2 ranks");
        assertEquals("rank 0 of 2 failed: java.lang.UnsupportedOperationException: not this", thrown.getMessage());
        assertInstanceOf(UnsupportedOperationException.class, thrown.getCause());
        TestExecutionResult skipped = results.get("shouldBeSkipped: 2 ranks");
        assertEquals(Status.ABORTED, skipped.getStatus());
        assertHolds(skipped.getThrowable().orElseThrow(), "rank 1 of 2: ", "only rank 0 can do that");
    }

    @Test
    void shouldFailWithTheReportOfADeadlock() {
        Map<String, TestExecutionResult> results = results(Samples.Stuck.class);
        Throwable stalled = assertInstanceOf(RankwireException.class,
                failure(results, "shouldWaitForEver: 2 ranks"));
        assertHolds(stalled, "maybe a deadlock", "rank 0: receive from rank 1, tag 7, on world at Samples.java:",
                "cycle: 0 -> 1 -> 0");
        assertHolds(failure(results, "shouldWaitInASimulation: 2 ranks, simulated on crossbar"),
                "deadlock: every rank waits and nothing is on its way", "cycle: 0 -> 1 -> 0");
        assertHolds(failure(results, "shouldTakeTooLong: 1 rank"), "the ranks did not end within 0.5 s");
    }

    @Test
    void shouldNameTheSeedThatFails() {
        Map<String, TestExecutionResult> results = results(Samples.Hasty.class);
        assertEquals(14, results.size(), results::toString);
        long failed = results.values().stream().filter(each -> each.getStatus() == Status.FAILED).count();
        assertTrue(failed > 0 && failed < 13, results::toString);
        for (Map.Entry<String, TestExecutionResult> each : results.entrySet()) {
            if (each.getValue().getStatus() == Status.FAILED) {
                assertTrue(each.getKey().matches("shouldMeetRanksInOrder: 3 ranks under faults, seed \\d+"),
                        each.getKey());
                String seed = each.getKey().substring(each.getKey().indexOf(" under"));
                assertHolds(each.getValue().getThrowable().orElseThrow(), "rank 0 of 3" + seed + ": the next sender");
            }
        }
    }

    @Test
    void shouldTakeNumbersOfTheClass() {
        Map<String, TestExecutionResult> results = results(Samples.OfClass.class);
        assertEquals(List.of("shouldTakeItsOwn: 3 ranks", "shouldTakeNumbersOfItsClass: 1 rank",
                "shouldTakeNumbersOfItsClass: 2 ranks",
                "shouldTakeNumbersOfItsClass: 64 ranks, simulated on torus:4x4x4"), List.copyOf(results.keySet()));
        results.forEach((name, result) -> assertEquals(Status.SUCCESSFUL, result.getStatus(), name + ": " + result));
    }

    @Test
    void shouldRefuseATestWithoutNumbers() {
        List<Event> failed = run(Samples.Without.class).allEvents().failed().list();
        assertEquals(1, failed.size());
        assertHolds(failed.get(0).getRequiredPayload(TestExecutionResult.class).getThrowable().orElseThrow(),
                "@OnRanks of shouldHaveNumbers has no numbers of ranks");
    }

    @Test
    void shouldRunTestsSideBySide() {
        Map<String, TestExecutionResult> results = results(Samples.Parallel.class);
        assertEquals(2, results.size());
        results.forEach((name, result) -> assertEquals(Status.SUCCESSFUL, result.getStatus(), name + ": " + result));
    }

    @Test
    void shouldPrepareTheObjectOfEachProcess() {
        Samples.Prepared.OBJECTS.clear();
        Map<String, TestExecutionResult> results = results(Samples.Prepared.class);
        assertEquals(2, results.size());
        results.forEach((name, result) -> assertEquals(Status.SUCCESSFUL, result.getStatus(), name + ": " + result));
        assertEquals(1, Samples.Prepared.OBJECTS.size());
    }
}
