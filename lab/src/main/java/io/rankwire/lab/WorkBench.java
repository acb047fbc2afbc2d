package io.rankwire.lab;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.device.work.WorkProgram;
import io.rankwire.device.work.WorkQueue;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.type.Combination;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The work-queue engine alone: two devices in one thread, so no cache line crosses cores. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(value = 1, jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseParallelGC"})
public class WorkBench {
    private static final int ENTRIES = 1000;
    private static final int HOPS = 1000;
    private static final int CHAIN = 200;

    private Device[] devices;
    private WorkProgram entries;
    private WorkProgram[] hops;
    private long[] bare;
    private WorkProgram chain;
    private Operation[] posted;

    /** Creates the devices and writes the programs. */
    public WorkBench() {}

    /** Writes the programs. */
    @Setup
    public void write() {
        LocalFabric fabric = new LocalFabric(2);
        devices = new Device[] {
            new Device(DeviceConfig.DEFAULT, fabric.open(0)), new Device(DeviceConfig.DEFAULT, fabric.open(1))};
        entries = new WorkProgram(1, 2);
        int buffer = entries.buffer(16);
        int sum = entries.combination(Combination.of(Reduction.SUM, ElementType.DOUBLE));
        int counter = entries.counter();
        WorkQueue queue = entries.queue(false);
        for (int i = 0; i < ENTRIES; i += 2) {
            queue.await(counter, 0).calc(sum, buffer, 0, buffer, 8, 8, false);
        }
        entries.bind(buffer, new double[2], 0);
        hops = new WorkProgram[] {hopper(0), hopper(1)};
        bare = new long[1];
        posted = new Operation[CHAIN];
        chain = new WorkProgram(4, 2);
        int one = chain.buffer(8);
        int gone = chain.counter();
        WorkQueue links = chain.queue(false);
        for (int i = 0; i < CHAIN; i++) {
            links.await(gone, i).send(1, one, 0, 8, ElementType.LONG, gone);
        }
        chain.bind(one, bare, 0);
    }

    private static WorkProgram hopper(int rank) {
        WorkProgram program = new WorkProgram(1, 2);
        int buffer = program.buffer(8);
        WorkQueue queue = program.queue(false);
        int sent = program.counter();
        for (int i = 0; i < HOPS / 2; i++) {
            int got = program.counter();
            if (rank == 0) {
                queue.send(1, buffer, 0, 8, ElementType.LONG, sent);
            }
            queue.receive(1 - rank, buffer, 0, 8, ElementType.LONG, got).await(got, 1);
            if (rank == 1) {
                queue.send(0, buffer, 0, 8, ElementType.LONG, sent);
            }
        }
        program.bind(buffer, new long[1], 0);
        return program;
    }

    /** Entries without messages: a wait that is satisfied, a sum of one element. */
    @Benchmark
    @OperationsPerInvocation(ENTRIES)
    public void entry() {
        devices[0].release(devices[0].start(entries, 1));
    }

    /** A message goes back and forth; each hop is an arrival, a match, a wait and a send. */
    @Benchmark
    @OperationsPerInvocation(HOPS)
    public void hop() {
        Operation one = devices[0].start(hops[0], 1);
        Operation other = devices[1].start(hops[1], 1);
        while (!one.isDone() || !other.isDone()) {
            devices[0].progress(0);
            devices[1].progress(0);
        }
        devices[0].release(one);
        devices[1].release(other);
    }

    /** Each send waits for the previous one: the time of the engine and of the receiving device. */
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public void waitThenSend() {
        for (int i = 0; i < CHAIN; i++) {
            posted[i] = devices[1].receive(4, 0, 1, bare, 0, 8, ElementType.LONG.code());
        }
        Operation whole = devices[0].start(chain, 1);
        while (!posted[CHAIN - 1].isDone() || !whole.isDone()) {
            devices[1].progress(0);
            devices[0].progress(0);
        }
        devices[0].release(whole);
        for (Operation each : posted) {
            devices[1].release(each);
        }
    }

    /** The messages of a hop without the engine, posted and awaited by hand: the difference is the engine's time. */
    @Benchmark
    @OperationsPerInvocation(HOPS)
    public void bareHop() {
        for (int i = 0; i < HOPS; i++) {
            int from = i & 1;
            Operation coming = devices[1 - from].receive(3, from, 1, bare, 0, 8, ElementType.LONG.code());
            devices[from].sendNow(3, 1 - from, 1, bare, 0, 8, ElementType.LONG.code());
            while (!coming.isDone()) {
                devices[1 - from].progress(0);
            }
            devices[1 - from].release(coming);
            devices[from].progress(0);
        }
    }
}
