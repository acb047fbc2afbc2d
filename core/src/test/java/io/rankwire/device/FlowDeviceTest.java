package io.rankwire.device;

import static io.rankwire.device.DevicePair.assertDone;
import static io.rankwire.device.DevicePair.assertPattern;
import static io.rankwire.device.DevicePair.pattern;
import static io.rankwire.device.DevicePair.receive;
import static io.rankwire.device.DevicePair.send;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig.Large;
import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.DeviceConfig.Truncation;
import io.rankwire.device.Operation.Mode;
import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowRanks;
import io.rankwire.memory.Rand;
import io.rankwire.sim.fault.MessageDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Devices, unchanged, over the flow layer over a bad fabric. */
final class FlowDeviceTest {
    private static final long SEED = Long.getLong("rankwire.flow.seed", 70_000);
    private static final int EPISODES = Integer.getInteger("rankwire.flow.episodes", 60);
    private static final int STEPS = 800;
    private static final FlowConfig FLOW =
            new FlowConfig(16, 64, 256, 100_000, 10_000, 5_000_000, 40, 5_000, 2_000_000, 5_000);

    private static void spoil(FlowRanks ranks, Rand rand) {
        ranks.net.faults.drop = rand.below(1_500);
        ranks.net.faults.duplicate = rand.below(1_500);
        ranks.net.faults.corrupt = rand.below(800);
        ranks.net.faults.truncate = rand.below(500);
        ranks.net.faults.full = rand.below(1_500);
        ranks.net.faults.keep = rand.below(500);
        ranks.net.faults.haunt = rand.below(500);
        ranks.net.faults.maxDelay = 1_000 + rand.below(30_000);
    }

    @Test
    void shouldMatchLikeTwoListsOverABadFabric() {
        for (long seed = SEED; seed < SEED + EPISODES; seed++) {
            Rand rand = new Rand(seed);
            DeviceConfig config = config(rand);
            int size = rand.between(2, 3);
            FlowRanks ranks = new FlowRanks(rand, size, new int[] {1_400, 9_000}[rand.below(2)], FLOW);
            spoil(ranks, rand);
            MessageDriver driver = new MessageDriver(rand, config, size, 12, rand.chance(1, 10) ? 200 << 10 : 20 << 10,
                    ranks::port, rank -> ranks.pass(rank, 5_000));
            try {
                episode(driver, rand, size);
                driver.drain();
                for (int i = 0; !ranks.isQuiet(); i++) {
                    assertTrue(i < 100_000, "never quiet");
                    driver.progress(i % size);
                }
                driver.checkNothingLeft();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed + ", " + config + ": " + failure, failure);
            }
        }
    }

    private static DeviceConfig config(Rand rand) {
        return new DeviceConfig(
                new int[] {0, 64, 1024, 16 << 10}[rand.below(4)],
                new long[] {8 << 10, 64 << 10, 64 << 20}[rand.below(3)],
                64,
                new int[] {4, 64, 4096}[rand.below(3)],
                16,
                1 << 16,
                Overflow.GROW,
                Truncation.values()[rand.below(2)],
                1 << 20,
                16,
                Large.values()[rand.below(5)],
                new long[] {3_000, 64 << 20}[rand.below(2)]);
    }

    private static void episode(MessageDriver driver, Rand rand, int ranks) {
        for (int i = 0; i < STEPS; i++) {
            driver.step(rand.below(ranks));
            driver.progress(rand.below(ranks));
        }
    }

    @ParameterizedTest
    @EnumSource(Large.class)
    void shouldMoveLargeMessagesByteForByte(Large policy) {
        int bytes = 1_000_000;
        for (int seed = 0; seed < 4; seed++) {
            Rand rand = new Rand(SEED + seed);
            FlowRanks ranks = new FlowRanks(rand, 2, seed % 2 == 0 ? 1_400 : 9_000, FLOW);
            spoil(ranks, rand);
            DeviceConfig config = DeviceConfig.DEFAULT.withLarge(policy, 1 << 20);
            Device a = new Device(config, ranks.port(0));
            Device b = new Device(config, ranks.port(1));
            byte[] forth = new byte[bytes];
            byte[] back = new byte[bytes];
            Operation[] operations = {
                receive(b, 0, 1, forth), receive(a, 1, 2, back),
                send(a, Mode.STANDARD, 1, 1, pattern(3, bytes)), send(b, Mode.SYNCHRONOUS, 0, 2, pattern(4, bytes))};
            for (int i = 0; !allDone(operations); i++) {
                assertTrue(i < 200_000, "does not finish");
                ranks.pass(i & 1, 5_000);
                ((i & 1) == 0 ? a : b).progress(ranks.net.now);
            }
            for (int i = 0; i < operations.length; i++) {
                assertDone(Code.OK, i == 1 || i == 2 ? a : b, operations[i]);
            }
            assertPattern(3, bytes, forth);
            assertPattern(4, bytes, back);
            assertTrue(ranks.port(0).resent() + ranks.port(1).resent() > 0, "a fabric that was not bad");
        }
    }

    private static boolean allDone(Operation[] operations) {
        boolean done = true;
        for (Operation operation : operations) {
            done &= operation.isDone();
        }
        return done;
    }
}
