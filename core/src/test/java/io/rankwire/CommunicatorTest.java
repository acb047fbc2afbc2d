package io.rankwire;

import static io.rankwire.Communicator.ANY_SOURCE;
import static io.rankwire.Communicator.ANY_TAG;
import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Communicators derived from others, and their groups. */
@Timeout(300)
final class CommunicatorTest {
    private static final int CYCLES = Integer.getInteger("rankwire.communicator.cycles", 10_000);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void shouldKeepMessagesOfDuplicatesApart(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Communicator one = all.duplicate();
            Communicator two = one.duplicate();
            assertEquals(all.rank(), two.rank());
            assertEquals(all.size(), two.size());
            assertNotEquals(one.endpoint().context(), two.endpoint().context());
            int[] in = new int[1];
            int to = Worlds.next(all);
            Request[] sent = {
                all.isend(new int[] {0}, to, 1), one.isend(new int[] {1}, to, 1), two.isend(new int[] {2}, to, 1)
            };
            two.receive(in, ANY_SOURCE, ANY_TAG);
            assertEquals(2, in[0]);
            all.receive(in, ANY_SOURCE, ANY_TAG);
            assertEquals(0, in[0]);
            one.receive(in, ANY_SOURCE, ANY_TAG);
            assertEquals(1, in[0]);
            Request.awaitAll(sent);
            one.free();
            two.free();
            assertFails(ErrorClass.COMMUNICATOR, () -> one.send(in, 0, 1), "was freed", one.name());
            assertFails(ErrorClass.COMMUNICATOR, () -> one.irecv(in, 0, 1), "was freed");
            assertFails(ErrorClass.COMMUNICATOR, one::duplicate, "was freed");
            assertFails(ErrorClass.COMMUNICATOR, one::free, "was freed");
            assertFails(ErrorClass.COMMUNICATOR, all::free, "ends with its world");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void shouldSplitByColourInTheOrderOfKeys(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            int colour = all.rank() % 3 == 2 ? -1 : all.rank() % 3;
            Optional<Communicator> part = all.split(colour, -all.rank());
            assertEquals(colour >= 0, part.isPresent());
            if (part.isEmpty()) {
                return;
            }
            Communicator mine = part.get();
            int size = 0;
            for (int rank = 0; rank < ranks; rank++) {
                size += rank % 3 == colour ? 1 : 0;
            }
            assertEquals(size, mine.size());
            assertEquals(size - 1 - all.rank() / 3, mine.rank(), "highest rank first");
            int[] in = new int[1];
            Status status =
                    mine.sendReceive(new int[] {all.rank()}, Worlds.next(mine), 1, in, Worlds.previous(mine), 1);
            assertEquals(Worlds.previous(mine), status.source(), "ranks of the part");
            assertEquals(mine.group().worldRank(Worlds.previous(mine)), in[0]);
            Communicator copy = mine.duplicate();
            copy.free();
            mine.free();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7})
    void shouldCreateFromAGroup(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Group group = all.group().include(ranks - 1, 0);
            Optional<Communicator> made = all.create(group);
            assertEquals(group.rankOf(all.rank()) >= 0, made.isPresent());
            if (made.isPresent()) {
                assertEquals(group, made.get().group());
                assertEquals(all.rank() == 0 ? 1 : 0, made.get().rank());
                int[] in = new int[1];
                int other = 1 - made.get().rank();
                made.get().sendReceive(new int[] {all.rank()}, other, 0, in, other, 0);
                assertEquals(ranks - 1 - all.rank(), in[0]);
            }
            assertEquals(Optional.empty(), all.create(all.group().include()));
            assertFails(ErrorClass.ARGUMENT, () -> all.create(null), "part is null");
            made.ifPresent(part -> {
                if (ranks > 2) {
                    assertFails(ErrorClass.COMMUNICATOR, () -> part.create(all.group()), "world rank 1", part.name());
                }
            });
        });
    }

    @Test
    void shouldMakeAndFreeManyWithoutGrowth() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int[] in = new int[1];
            int headers = 0;
            for (int i = 0; i < CYCLES; i++) {
                Communicator copy = all.duplicate();
                if (i % 64 == 0) {
                    copy.sendReceive(new int[] {i}, 1 - all.rank(), 0, in, 1 - all.rank(), 0);
                    assertEquals(i, in[0]);
                }
                copy.free();
                if (i == 100) {
                    headers = contexts(world);
                }
            }
            assertEquals(headers, contexts(world), "queues of freed communicators are kept");
        });
    }

    private static int contexts(World world) {
        world.session().host().lock();
        try {
            return world.session().host().device.contexts().length;
        } finally {
            world.session().host().unlock();
        }
    }

    @Test
    void shouldReportWhatAFreedCommunicatorStillHeld() {
        String told = Worlds.errors(() -> Worlds.run(2, world -> {
            Communicator copy = world.communicator().duplicate();
            if (copy.rank() == 0) {
                copy.send(new double[3], 1, 4);
            }
            Worlds.meet(copy);
            Request pending = copy.irecv(new byte[1], 1 - copy.rank(), 70);
            copy.free();
            assertTrue(pending.await().cancelled(), "a receive outlives its communicator");
        }));
        Worlds.assertHolds(told, "rank 1: 1 message was sent here and never received",
                "from rank 0, tag 4, 24 bytes of double, on world.duplicate");
        assertFalse(told.contains("rank 0: 1"), told);
    }

    @Test
    void shouldSayThatContextsHaveRunOut() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            assertFails(ErrorClass.RESOURCE, () -> {
                for (int i = 0; i < 5_000; i++) {
                    all.duplicate();
                }
            }, "4096", "free()");
        });
    }
}
