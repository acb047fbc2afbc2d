package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.sim.program.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class FitCommandTest {
    @Test
    void shouldFindAModelThatPredictsWhatAnotherDid() {
        Settings machine = Settings.DEFAULT.with("device.offload", "no").with("link.latency", "150 ns")
                .with("host.send", "400 ns").with("host.receive", "100 ns").with("link.bandwidth", "3 GB/s")
                .with("device.frame", "4160 B").with("host.collective", "700 ns");
        FitCommand fit = new FitCommand(FitCommand.predicted(machine));
        assertEquals("", fit.soFar());
        Settings found = fit.search("4160 B");
        double median = FitCommand.median(fit.errors(FitCommand.predicted(found), false));
        assertTrue(fit.soFar().startsWith("# interrupted: the best model so far, mean error "), fit.soFar());
        assertTrue(fit.soFar().endsWith(found.text().stripTrailing()), fit.soFar());
        assertTrue(median < 0.05, "median error " + median);
    }
}
