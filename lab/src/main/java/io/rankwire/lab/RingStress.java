package io.rankwire.lab;

import io.rankwire.memory.RingLayout;
import io.rankwire.memory.RingReader;
import io.rankwire.memory.RingWriter;
import io.rankwire.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A reader that sees a frame sees its complete body, for frames of one line and of several lines.
 * Run: {@code java -cp lab/target/classes:core/target/classes:… org.openjdk.jcstress.Main -t RingStress}.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "looked too early for both")
@Outcome(id = "7, 0", expect = Expect.ACCEPTABLE, desc = "the first frame, whole")
@Outcome(id = "7, 9", expect = Expect.ACCEPTABLE, desc = "both frames, whole and in order")
@Outcome(expect = Expect.FORBIDDEN, desc = "a frame without its body, or out of order")
@State
public class RingStress {
    private static final int LONG_BODY = 256;

    private final MemorySegment memory = Arena.ofAuto().allocate(RingLayout.bytes(64), 128);
    private final RingWriter writer = new RingWriter(memory);
    private final RingReader reader = new RingReader(memory);

    @Actor
    public void write() {
        Words.store(memory, writer.claim(8), 7);
        writer.commit(8, 1);
        Words.store(memory, writer.claim(LONG_BODY) + LONG_BODY - 8, 9);
        writer.commit(LONG_BODY, 1);
    }

    @Actor
    public void read(LL_Result result) {
        result.r1 = next(8);
        result.r2 = (long) result.r1 == 0 ? 0L : next(LONG_BODY);
    }

    private long next(int bodyBytes) {
        long word = reader.peek();
        if (word == 0) {
            return 0;
        }
        long value = Words.load(memory, reader.body() + bodyBytes - 8);
        reader.advance(word);
        return value;
    }
}
