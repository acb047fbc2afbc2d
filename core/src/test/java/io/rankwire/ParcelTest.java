package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ParcelTest {
    /** Empty messages, messages in pieces, and messages that wait for their receiver. */
    private static final int[] SIZES = {0, 1, 48, 49, 1024, 1025, 5000, 16_360, 16_361, 20_000, 70_000, 1_000_000};

    private static byte[] content(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    @Test
    void shouldTakeMessagesOfEverySizePostedBeforeAndAfter() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            for (int size : SIZES) {
                for (boolean posted : new boolean[] {true, false}) {
                    if (all.rank() == 0) {
                        if (posted) {
                            all.receive(new byte[0], 1, 9);
                        }
                        all.send(content(size), 0, size, Datatype.OBJECT, 1, 3);
                        all.receive(new byte[0], 1, 9);
                        continue;
                    }
                    Parcel parcel = new Parcel();
                    assertNull(parcel.bytes());
                    if (!posted) {
                        all.probe(0, 3);
                    }
                    Request request = all.irecv(parcel, Datatype.OBJECT, 0, Communicator.ANY_TAG);
                    if (posted) {
                        all.send(new byte[0], 0, 9);
                    }
                    Status status = request.await();
                    assertEquals(size, status.bytes());
                    assertEquals(3, status.tag());
                    assertArrayEquals(content(size), parcel.bytes());
                    all.send(new byte[0], 0, 9);
                }
            }
        });
    }

    @Test
    void shouldTakeMessagesToItselfAndRefuseOtherTypes() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            for (int size : SIZES) {
                Parcel parcel = new Parcel();
                Request request = all.irecv(parcel, Datatype.BYTE, 0, 3);
                all.ssend(content(size), 0, 3);
                request.await();
                assertArrayEquals(content(size), parcel.bytes());
            }
            all.send(new int[1], 0, 4);
            Worlds.assertFails(ErrorClass.TYPE, () -> all.receive(new Parcel(), Datatype.OBJECT, 0, 4), "int");
            Parcel unused = new Parcel();
            Request request = all.irecv(unused, Datatype.BYTE, 0, 5);
            assertFalse(request.test());
            request.cancel();
            assertTrue(request.await().cancelled());
            assertNull(unused.bytes());
            assertEquals(Communicator.NONE, all.receive(unused, Datatype.BYTE, Communicator.NONE, 5).source());
        });
    }

    @Test
    void shouldExchangeElementsInPlace() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            int[] row = {all.rank(), -1, all.rank() + 10};
            Datatype ends = Datatype.vector(2, 1, 2, Datatype.INT);
            all.sendReceiveReplace(row, 0, 1, ends, Worlds.next(all), 1, Worlds.previous(all), 1);
            assertArrayEquals(new int[] {Worlds.previous(all), -1, Worlds.previous(all) + 10}, row);
        });
    }
}
