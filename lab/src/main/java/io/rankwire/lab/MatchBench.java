package io.rankwire.lab;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The time of a match: one post and one arrival, in either order, while {@code depth} others wait. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseTransparentHugePages")
public class MatchBench {
    @Param({"1", "16", "1024", "32768", "1048576"})
    int depth;

    @Param
    MatchLoad.Shape shape;

    @Param
    MatchLoad.Order order;

    private MatchLoad load;

    /** Creates and fills the queue. */
    public MatchBench() {}

    /** Fills the queue. */
    @Setup
    public void fill() {
        load = new MatchLoad(shape, order, depth);
    }

    /** An invocation has hundreds of pairs, so the timer costs little and the computation of words is not timed. */
    @Setup(Level.Invocation)
    public void prepare() {
        load.prepare();
    }

    /** Runs the prepared pairs. */
    @Benchmark
    @OperationsPerInvocation(MatchLoad.PAIRS)
    public void match() {
        load.run();
    }
}
