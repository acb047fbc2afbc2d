package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.DeviceConfig.Truncation;
import io.rankwire.fabric.HostsFabric;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.device.match.QueueHints;
import io.rankwire.memory.Rand;
import io.rankwire.sim.fault.MessageDriver;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** One to three devices on one thread, driven in random order, against two lists for each rank. */
@Execution(ExecutionMode.CONCURRENT)
final class DeviceModelTest {
    private static final long OPERATIONS = Long.getLong("rankwire.device.operations", 160_000);
    private static final long SEED = Long.getLong("rankwire.device.seed", 20_261_117);
    private static final int EPISODE = 2_000;
    /** Room for a few messages of each sender: nearly all of them wait for credit. */
    private static final long NARROW = 1 << 10;

    private int faults;
    private int cancelledSends;
    private int cancelledReceives;
    private int passing;

    @Test
    void shouldMatchLikeTwoListsOnRandomOperations() {
        run(SEED, OPERATIONS, false, false);
        if (OPERATIONS >= 100_000) {
            assertTrue(faults > 0 && cancelledSends > 100 && cancelledReceives > 100,
                    faults + " faults, " + cancelledSends + " sends and " + cancelledReceives + " receives cancelled");
        }
    }

    @Test
    void shouldMatchLikeTwoListsWhenSendersHaveNoCredit() {
        run(SEED, OPERATIONS / 2, true, false);
        if (OPERATIONS >= 100_000) {
            assertTrue(passing > OPERATIONS / 100, passing + " messages have passed others");
        }
    }

    /** Receives from any rank meet messages through shared memory and through a network in the order of each sender. */
    @Test
    void shouldMatchLikeTwoListsOnSeveralHosts() {
        run(SEED, OPERATIONS / 4, false, true);
        run(SEED, OPERATIONS / 8, true, true);
    }

    private void run(long first, long operations, boolean narrow, boolean onHosts) {
        for (long episode = 0; episode * EPISODE < operations; episode++) {
            long seed = first + episode;
            Rand rand = new Rand(seed);
            DeviceConfig config = narrow ? config(rand).withUnexpectedBytes(NARROW) : config(rand);
            int ranks = onHosts ? rand.between(2, 5) : rand.between(1, 3);
            int depth = narrow ? 60 : new int[] {4, 12, 60}[rand.below(3)];
            int lines = new int[] {64, 256, 2048}[rand.below(3)];
            int most = rand.chance(1, 10) ? 200 << 10 : 20 << 10;
            String drawn = "-Drankwire.device.seed=" + seed + ": " + ranks + " ranks, depth " + depth + ", lines "
                    + lines + ", " + config + ": ";
            IntFunction<Port> ports = onHosts ? new HostsFabric(ranks, rank -> rank % 2, lines, 256)::open
                    : new LocalFabric(ranks, lines)::open;
            MessageDriver driver = new MessageDriver(rand, config, ranks, depth, most, ports, rank -> {});
            try {
                episode(driver, rand, ranks);
            } catch (DeviceFault fault) {
                faults++;
                assertTrue(driver.mayFail(), () -> drawn + fault);
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError(drawn + failure, failure);
            }
            cancelledSends += driver.cancelledSends();
            cancelledReceives += driver.cancelledReceives();
            passing += driver.passing();
        }
    }

    private static DeviceConfig config(Rand rand) {
        boolean few = rand.chance(1, 2);
        DeviceConfig drawn = new DeviceConfig(
                new int[] {0, 64, 1024, 16 << 10}[rand.below(4)],
                new long[] {8 << 10, 64 << 10, 64 << 20}[rand.below(3)],
                new int[] {64, 128}[rand.below(2)],
                new int[] {4, 64, 4096}[rand.below(3)],
                few ? rand.between(1, 16) : 256,
                few ? 16 : 1 << 16,
                Overflow.values()[rand.below(rand.chance(1, 6) ? 3 : 2)],
                Truncation.values()[rand.below(2)],
                1 << 20,
                16,
                DeviceConfig.Large.values()[rand.below(5)],
                new long[] {64, 3_000, 64 << 20}[rand.below(3)]);
        return drawn.withHints(hints(rand, drawn.overflow() != Overflow.FAIL));
    }

    /** The driver knows when a store that is not divided may fail. */
    private static QueueHints hints(Rand rand, boolean mayDivide) {
        boolean divided = mayDivide && rand.chance(1, 2);
        return new QueueHints(divided ? rand.below(6) : 0, divided ? rand.below(6) : 0,
                QueueHints.By.values()[rand.below(2)], rand.chance(1, 2) ? rand.between(2, 5) : 1);
    }

    private static void episode(MessageDriver driver, Rand rand, int ranks) {
        for (int i = 0; i < EPISODE; i++) {
            driver.step(rand.below(ranks));
            if (rand.chance(2, 3)) {
                driver.progress(rand.below(ranks));
            }
            if (rand.chance(1, 100)) {
                driver.rest();
            }
        }
        driver.drain();
        driver.checkNothingLeft();
    }
}
