package io.rankwire.device;

import static io.rankwire.device.DevicePair.assertDone;
import static io.rankwire.device.DevicePair.pattern;
import static io.rankwire.device.DevicePair.send;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Operation.Mode;
import io.rankwire.device.match.UnexpectedBuffer;
import io.rankwire.memory.Rand;
import io.rankwire.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that a matched probe lends where they lie. */
@Timeout(300)
final class LentMessagesTest {
    private static final DeviceConfig SMALL = new DeviceConfig(4096, 1 << 16, 64, 40, 16, 1 << 12,
            DeviceConfig.Overflow.GROW, DeviceConfig.Truncation.DELIVER, 1 << 16, 4, DeviceConfig.Large.AUTO, 1 << 20);

    private static Unexpected take(Device at, int from, int tag) {
        int entry = at.probes().find(0, from, tag);
        assertTrue(entry >= 0, "no message");
        return at.probes().take(0, entry);
    }

    private static void end(Device at, Lent lent) {
        lent.end().close();
        at.probes().giveBack(lent);
    }

    private static void sent(DevicePair pair, Mode mode, int id, int bytes) {
        Operation operation = send(pair.a, mode, 1, id, pattern(id, bytes));
        pair.settle();
        if (mode != Mode.SYNCHRONOUS) {
            assertDone(Code.OK, pair.a, operation);
        }
    }

    @Test
    void shouldLendTheFragmentItselfAndHoldCreditMeanwhile() {
        for (int bytes : new int[] {1, 64, 65, 1000}) {
            DevicePair pair = new DevicePair(SMALL);
            sent(pair, Mode.STANDARD, 3, bytes);
            Peer sender = pair.b.peers().get(0);
            long units = sender.held;
            long returned = sender.returned;
            assertTrue(units > 1);
            Unexpected taken = take(pair.b, 0, 3);
            Lent lent = pair.b.probes().lend(taken, Arena.ofConfined());
            MemorySegment view = lent.view();
            UnexpectedBuffer payloads = pair.b.payloads;
            assertEquals(payloads.memory().address() + payloads.offset(Unexpected.reference(taken.payload())),
                    view.address(), bytes + " bytes were copied");
            assertTrue(view.isReadOnly());
            assertArrayEquals(pattern(3, bytes), view.toArray(ValueLayout.JAVA_BYTE));
            assertEquals(units, sender.held, "credit was given back while the message is lent");
            assertEquals(1, pair.b.probes().lent().size());

            // The place is not used again while it is lent.
            sent(pair, Mode.STANDARD, 4, bytes);
            assertArrayEquals(pattern(3, bytes), view.toArray(ValueLayout.JAVA_BYTE));
            end(pair.b, pair.b.probes().lend(take(pair.b, 0, 4), Arena.ofConfined()));

            end(pair.b, lent);
            assertEquals(0, sender.held, "credit is not given back");
            assertEquals(returned + 2 * units, sender.returned);
            assertEquals(Words.reachAll(), !view.scope().isAlive());
            pair.b.probes().giveBack(lent);
            assertEquals(returned + 2 * units, sender.returned, "given back twice");
            assertEquals(List.of(), pair.b.probes().lent());
            pair.assertNothingLeft();
            assertNull(DeviceAudit.creditAtRest(pair.a, pair.b));
        }
    }

    /** Chains that were given back in order serve the next payload in one piece. */
    @Test
    void shouldKeepFragmentsInRowsWhenTheyAreUsedAgain() {
        DevicePair pair = new DevicePair(SMALL);
        for (int round = 0; round < 20; round++) {
            sent(pair, Mode.STANDARD, round, 700 - round);
            Lent lent = pair.b.probes().lend(take(pair.b, 0, round), Arena.ofConfined());
            assertNotNull(lent, "the fragments of round " + round + " are not in a row");
            end(pair.b, lent);
        }
        pair.assertNothingLeft();
    }

    @Test
    void shouldLendAMessageOfASynchronousSendAndAnswerIt() {
        DevicePair pair = new DevicePair(SMALL);
        Operation operation = send(pair.a, Mode.SYNCHRONOUS, 1, 1, pattern(1, 50));
        pair.settle();
        Unexpected taken = take(pair.b, 0, 1);
        pair.settle();
        assertFalse(operation.isDone(), "matched by a probe alone");
        Lent lent = pair.b.probes().lend(taken, Arena.ofConfined());
        pair.settle();
        assertDone(Code.OK, pair.a, operation);
        end(pair.b, lent);
        pair.assertNothingLeft();
    }

    @Test
    void shouldLendNothingThatIsNotHereInOnePiece() {
        DevicePair pair = new DevicePair(SMALL);
        byte[] large = pattern(2, 100_000);
        Operation operation = send(pair.a, Mode.STANDARD, 1, 2, large);
        pair.settle();
        Unexpected taken = take(pair.b, 0, 2);
        try (Arena end = Arena.ofConfined()) {
            assertNull(pair.b.probes().lend(taken, end));
        }
        byte[] in = new byte[large.length];
        Operation received = pair.b.probes().receive(taken, in, 0, in.length, DevicePair.BYTE);
        pair.settle();
        assertDone(Code.OK, pair.b, received);
        assertDone(Code.OK, pair.a, operation);
        assertArrayEquals(large, in);
        pair.assertNothingLeft();
    }

    /** Messages of many sizes, lent or received and given back in any order, beside others that come and go. */
    @Test
    void shouldLoseNothingHoweverMessagesAreTakenAndGivenBack() {
        for (int seed = 1; seed <= 30; seed++) {
            Rand rand = new Rand(seed);
            DevicePair pair = new DevicePair(SMALL);
            List<Lent> lent = new ArrayList<>();
            int[] lentCount = new int[2];
            int sent = 0;
            int taken = 0;
            while (taken < 200) {
                if (sent < 200 && rand.chance(1, 2)) {
                    Operation operation =
                            pair.a.send(Mode.STANDARD, 0, 1, sent, pattern(sent, size(sent)), 0, size(sent),
                                    DevicePair.BYTE);
                    pair.settle();
                    if (!operation.isDone()) {
                        sent++;
                        taken = drain(pair, lent, taken, sent);
                        pair.settle();
                    } else {
                        sent++;
                    }
                    assertDone(Code.OK, pair.a, operation);
                } else if (sent > taken) {
                    taken = takeOne(pair, rand, lent, lentCount, taken);
                }
                if (!lent.isEmpty() && rand.chance(1, 3)) {
                    end(pair.b, lent.remove(rand.below(lent.size())));
                }
                for (Lent one : lent) {
                    int id = one.message().tag();
                    assertArrayEquals(pattern(id, size(id)), one.view().toArray(ValueLayout.JAVA_BYTE),
                            "seed " + seed + ", message " + id);
                }
            }
            assertTrue(lentCount[0] > 10 && lentCount[1] > 5, "lent in place and spilled: " + lentCount[0] + ", "
                    + lentCount[1]);
            lent.forEach(one -> end(pair.b, one));
            pair.settle();
            pair.assertNothingLeft();
            assertNull(DeviceAudit.creditAtRest(pair.a, pair.b), "seed " + seed);
        }
    }

    private static int size(int id) {
        return id * 37 % 800;
    }

    private static int takeOne(DevicePair pair, Rand rand, List<Lent> lent, int[] counts, int id) {
        Unexpected message = take(pair.b, 0, id);
        Lent one = rand.chance(2, 3) ? pair.b.probes().lend(message, Arena.ofConfined()) : null;
        if (one != null) {
            lent.add(one);
            counts[one.view().isNative() ? 0 : 1]++;
        } else {
            receive(pair, message, id);
        }
        return id + 1;
    }

    private static void receive(DevicePair pair, Unexpected message, int id) {
        byte[] in = new byte[size(id)];
        assertDone(Code.OK, pair.b, pair.b.probes().receive(message, in, 0, in.length, DevicePair.BYTE));
        assertArrayEquals(pattern(id, size(id)), in);
    }

    /** Makes room: receives what is here and ends all views. */
    private static int drain(DevicePair pair, List<Lent> lent, int from, int to) {
        lent.forEach(one -> end(pair.b, one));
        lent.clear();
        for (int id = from; id < to; id++) {
            byte[] in = new byte[size(id)];
            Operation received = DevicePair.receive(pair.b, 0, id, in);
            pair.settle();
            assertDone(Code.OK, pair.b, received);
            assertArrayEquals(pattern(id, size(id)), in);
        }
        return to;
    }
}
