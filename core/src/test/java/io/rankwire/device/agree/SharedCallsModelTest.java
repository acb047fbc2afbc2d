package io.rankwire.device.agree;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Violation;
import io.rankwire.memory.VotingLines;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Agreements in shared memory with deaths before any access to it. */
@Timeout(600)
class SharedCallsModelTest {
    private static final int SEEDS = Integer.getInteger("rankwire.test.shared.seeds", 10_000);

    @Test
    void shouldDecideAlikeWhateverDiesWhen() {
        int deaths = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            SharedCallsTrial trial = new SharedCallsTrial(seed, SharedCallsTrial.Bug.NONE);
            assertNull(trial.run(), "seed " + seed);
            deaths += trial.deaths;
        }
        assertTrue(deaths > SEEDS / 4, deaths + " deaths");
    }

    @Test
    void shouldRefuseADecisionOfNoMember() {
        for (int decider : new int[] {2, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            MemorySegment memory = MemorySegment.ofArray(new long[(int) VotingLines.bytes(2) / Long.BYTES]);
            memory.set(ValueLayout.JAVA_LONG, 0, 1L << 32 | decider & 0xFFFF_FFFFL);
            Members members = new Members(1, 0, new int[] {0, 1}, 0, List.of());
            SharedCalls calls = new SharedCalls(members, new VotingLines(memory));
            assertThrows(Violation.class, () -> calls.begin(0, new long[Vote.ALL], new Agreed(null)));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void shouldFindWhatIsWrong(SharedCallsTrial.Bug bug) {
        String found = null;
        for (int seed = 0; seed < SEEDS && found == null; seed++) {
            found = new SharedCallsTrial(seed, bug).run();
        }
        assertNotNull(found, bug::toString);
    }
}
