package io.rankwire.device.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.device.onesided.RegionTable;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Random programs of several ranks that send to each other, write into each other's memory, and wait for what they have
 * received, sent and written. Messages between two ranks go from one queue to one queue. A slot is sent on only where
 * its receive was waited for; one that was written, where a message came that was sent when the put was over. So all
 * results are the same in each order of events that is allowed.
 */
public final class DeferredEpisode {
    private static final int CONTEXT = 5;
    private static final int SLOT = 64;
    private static final int QUEUES = 3;

    /** The programs of one rank's part. */
    private static final class Part {
        WorkProgram program;
        MemorySegment memory;
        final List<WorkQueue> queues = new ArrayList<>();
        /** Counters: of sends to each rank, of receives from it, of messages from it that name a counter, of puts. */
        int[] sent;
        int[] got;
        int[] named;
        int[] put;
        long[] puts;
        long[] sends;
        long[] plain;
        int slots = 1;
        /** For each queue: slots whose bytes are known to be there. */
        final List<List<Integer>> known = new ArrayList<>();
        /** For each rank: the slots that each plain receive shows to be there, in order. */
        final List<List<List<Integer>>> received = new ArrayList<>();
        /** This rank's memory as others write to it, and for each other rank, whether its epoch is open. */
        final List<SwitchedPart> window = new ArrayList<>();
        Operation run;
    }

    private final Rand random;
    private final int ranks;
    private final Part[] parts;
    private final int messages;

    /** Writes programs for all ranks; the same seed gives the same programs. */
    public DeferredEpisode(long seed, int ranks, int messages) {
        this.random = new Rand(seed);
        this.ranks = ranks;
        this.messages = messages;
        this.parts = new Part[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            parts[rank] = part();
        }
        for (int i = 0; i < messages; i++) {
            message();
        }
    }

    private Part part() {
        Part part = new Part();
        part.program = new WorkProgram(CONTEXT, ranks);
        part.program.buffer((long) SLOT * (2 * messages + 1));
        part.put = new int[ranks];
        part.puts = new long[ranks];
        part.sent = new int[ranks];
        part.got = new int[ranks];
        part.named = new int[ranks];
        part.sends = new long[ranks];
        part.plain = new long[ranks];
        for (int peer = 0; peer < ranks; peer++) {
            part.sent[peer] = part.program.counter();
            part.got[peer] = part.program.counter();
            part.named[peer] = part.program.counter();
            part.put[peer] = part.program.counter();
            part.window.add(new SwitchedPart());
            part.received.add(new ArrayList<>());
        }
        for (int queue = 0; queue < QUEUES; queue++) {
            part.queues.add(part.program.queue(false));
            part.known.add(new ArrayList<>(List.of(0)));
        }
        return part;
    }

    private void message() {
        int from = random.below(ranks);
        int to = (from + 1 + random.below(ranks - 1)) % ranks;
        Part sender = parts[from];
        Part receiver = parts[to];
        int out = to % QUEUES;
        int in = (from + 1) % QUEUES;
        wait(sender, out);
        int slot = sender.known.get(out).get(random.below(sender.known.get(out).size()));
        int bytes = random.below(3) == 0 ? 0 : random.between(1, SLOT);
        List<Integer> shown = new ArrayList<>();
        if (random.chance(1, 2)) {
            int written = put(sender, receiver, from, to);
            if (random.chance(2, 3)) {
                sender.queues.get(out).await(sender.put[to], sender.puts[to]);
                shown.add(written);
            }
        }
        boolean isNamed = random.chance(1, 4);
        int place = receiver.slots++;
        shown.add(place);
        if (isNamed) {
            sender.queues.get(out).sendNaming(to, receiver.named[from], 0, (long) slot * SLOT, bytes, ElementType.BYTE,
                    sender.sent[to]);
            receiver.queues.get(in).receiveNamed(from, 0, (long) place * SLOT, bytes, ElementType.BYTE);
            receiver.known.get(in).addAll(shown);
        } else {
            sender.queues.get(out).send(to, 0, (long) slot * SLOT, bytes, ElementType.BYTE, sender.sent[to]);
            receiver.queues.get(in).receive(from, 0, (long) place * SLOT, bytes, ElementType.BYTE, receiver.got[from]);
            receiver.received.get(from).add(shown);
            receiver.plain[from]++;
        }
        sender.sends[to]++;
    }

    /** Writes a slot that the sender knows into a new one of the receiver, which is returned. */
    private int put(Part sender, Part receiver, int from, int to) {
        int out = to % QUEUES;
        int slot = sender.known.get(out).get(random.below(sender.known.get(out).size()));
        int place = receiver.slots++;
        int bytes = random.between(0, SLOT);
        sender.queues.get(out).put(receiver.window.get(from), (long) place * SLOT, 0, (long) slot * SLOT, bytes,
                ElementType.BYTE, sender.put[to]);
        sender.puts[to]++;
        return place;
    }

    /** Ends all epochs of a rank, and begins them again at once. */
    public void reopen(int rank, Device device) {
        open(rank, false);
        device.epochClosed();
        open(rank, true);
    }

    private void open(int rank, boolean isOpen) {
        for (Part part : parts) {
            part.window.get(rank).isOpen = isOpen;
        }
    }

    /** Some waits, or none, for what comes before in the order of all messages. */
    private void wait(Part part, int queue) {
        for (int waits = random.below(4); waits > 0; waits--) {
            int peer = random.below(ranks);
            if (random.chance(1, 3) && part.sends[peer] > 0) {
                part.queues.get(queue).await(part.sent[peer], random.between(0, (int) part.sends[peer]));
            } else if (random.chance(1, 3) && part.puts[peer] > 0) {
                part.queues.get(queue).await(part.put[peer], random.between(1, (int) part.puts[peer]));
            } else if (part.plain[peer] > 0) {
                int value = random.between(1, (int) part.plain[peer]);
                part.queues.get(queue).await(part.got[peer], value);
                part.received.get(peer).subList(0, value).forEach(part.known.get(queue)::addAll);
            }
        }
    }

    /** Starts all programs. */
    public void start(Device[] devices, int tag, boolean mayDefer) {
        for (int rank = 0; rank < ranks; rank++) {
            fill(rank, devices[rank], tag);
        }
        for (int rank = 0; rank < ranks; rank++) {
            parts[rank].program.deferring.isAllowed = mayDefer;
            parts[rank].run = devices[rank].start(parts[rank].program, tag);
        }
    }

    private void fill(int rank, Device device, int tag) {
        Part part = parts[rank];
        if (part.memory == null) {
            part.memory = device.memory().allocate((long) SLOT * (2 * messages + 1)).memory();
            part.program.bind(0, part.memory, 0);
            int key = device.oneSided().regions().add(part.memory, 0, part.memory.byteSize(),
                    ElementType.BYTE.code(), RegionTable.READ | RegionTable.WRITE);
            part.window.forEach(window -> window.at(rank, key));
        }
        for (long at = 0; at < part.memory.byteSize(); at++) {
            part.memory.set(ValueLayout.JAVA_BYTE, at, at < SLOT ? (byte) (31 * rank + at + tag) : 0);
        }
    }

    public boolean isDone() {
        boolean done = true;
        for (Part part : parts) {
            done &= part.run.isDone();
        }
        return done;
    }

    public boolean isDone(int rank) {
        return parts[rank].run.isDone();
    }

    /** Whether the network ran the program of a rank. */
    public boolean wasDeferred(int rank) {
        return parts[rank].program.deferring.obstacle() == null;
    }

    public String obstacle(int rank) {
        return parts[rank].program.deferring.obstacle();
    }

    public WorkProgram program(int rank) {
        return parts[rank].program;
    }

    /** The code of a rank's run that is over. */
    public int release(int rank, Device device) {
        int code = parts[rank].run.code();
        device.release(parts[rank].run);
        return code;
    }

    /** Everything that can be seen of a run that has ended well: memory and counters of all ranks. */
    public List<List<Long>> result(Device[] devices) {
        List<List<Long>> result = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            result.add(result(rank, devices[rank]));
        }
        return result;
    }

    public List<Long> result(int rank, Device device) {
        Part part = parts[rank];
        assertTrue(part.run.isDone(), "rank " + rank + " is not done");
        assertEquals(Code.OK, release(rank, device), "rank " + rank);
        List<Long> result = new ArrayList<>();
        for (long at = 0; at < part.memory.byteSize(); at++) {
            result.add((long) part.memory.get(ValueLayout.JAVA_BYTE, at));
        }
        for (int counter = 0; counter < 4 * ranks; counter++) {
            result.add(part.program.count(counter));
        }
        return result;
    }
}
