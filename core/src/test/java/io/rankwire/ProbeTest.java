package io.rankwire;

import static io.rankwire.Communicator.ANY_SOURCE;
import static io.rankwire.Communicator.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Probing messages, and matched probes. */
@Timeout(300)
final class ProbeTest {
    private static byte[] bytes(int length, int seed) {
        byte[] result = new byte[length];
        for (int i = 0; i < length; i++) {
            result[i] = (byte) (i * 7 + (i >> 9) + seed);
        }
        return result;
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 40_000})
    void shouldProbeWithoutTakingAndTakeWithMprobe(int size) {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                Request.awaitAll(all.isend(bytes(size, 1), 1, 1), all.isend(bytes(size, 2), 1, 1),
                        all.isend(bytes(size, 3), 1, 1));
                return;
            }
            assertEquals(Optional.empty(), all.iprobe(0, 2));
            assertEquals(Optional.empty(), all.improbe(0, 2));
            Status probed = all.probe(ANY_SOURCE, ANY_TAG);
            assertEquals(size, probed.count());
            assertEquals(1, probed.tag());
            assertTrue(all.iprobe(0, 1).isPresent());
            Message first = all.mprobe(0, 1);
            byte[] in = new byte[size];
            all.receive(in, 0, 1);
            assertArrayEquals(bytes(size, 2), in, "the first message was taken");
            Message third = all.improbe(ANY_SOURCE, 1).or(() -> Optional.of(all.mprobe(0, 1))).orElseThrow();
            all.mreceive(in, third);
            assertArrayEquals(bytes(size, 3), in);
            Status status = first.irecv(in).await();
            assertArrayEquals(bytes(size, 1), in);
            assertEquals(size, status.count());
            assertEquals(size, first.status().count());
            Worlds.assertFails(ErrorClass.REQUEST, () -> first.receive(in), "only once");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 5_000, 400_000})
    void shouldLendAMessageWhateverItsSize(int size) {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                Request.awaitAll(all.isend(bytes(size, 1), 1, 1), all.issend(bytes(size, 2), 1, 2));
                all.receive(new byte[1], 1, 3);
                return;
            }
            for (int tag = 1; tag <= 2; tag++) {
                Message message = all.mprobe(0, tag);
                MemorySegment view = message.view();
                assertArrayEquals(bytes(size, tag), view.toArray(ValueLayout.JAVA_BYTE));
                assertSame(view, message.view());
                assertTrue(view.isReadOnly());
                Worlds.assertFails(ErrorClass.REQUEST, () -> message.receive(new byte[size]), "only once");
                Worlds.assertFails(ErrorClass.REQUEST, () -> other(message::release), "another thread");
                message.release();
                assertFalse(view.scope().isAlive());
                Worlds.assertFails(ErrorClass.REQUEST, message::view, "only once");
                Worlds.assertFails(ErrorClass.REQUEST, message::release, "released before");
            }
            all.send(new byte[1], 0, 3);
            Worlds.assertFails(ErrorClass.REQUEST, () -> self(all).release(), "not lent");
        });
    }

    private static Message self(Communicator all) {
        all.send(new byte[3], all.rank(), 4);
        Message message = all.mprobe(all.rank(), 4);
        message.receive(new byte[3]);
        return message;
    }

    private static void other(Runnable call) {
        RuntimeException[] thrown = new RuntimeException[1];
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                call.run();
            } catch (RuntimeException e) {
                thrown[0] = e;
            }
        });
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        throw thrown[0];
    }

    @Test
    void shouldEndTheViewsThatAWorldCloses() {
        MemorySegment[] view = new MemorySegment[1];
        Message[] message = new Message[1];
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            all.send(bytes(100, 1), 0, 1);
            message[0] = all.mprobe(0, 1);
            view[0] = message[0].view();
            assertEquals(1, view[0].get(ValueLayout.JAVA_BYTE, 0));
            world.close();
            assertThrows(IllegalStateException.class, () -> view[0].get(ValueLayout.JAVA_BYTE, 0));
            Worlds.assertFails(ErrorClass.CLOSED, message[0]::view, "closed");
            Worlds.assertFails(ErrorClass.CLOSED, message[0]::release, "closed");
        });
    }

    @Test
    void shouldReceiveAnObjectMessageOnlyOnce() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            all.sendObject("text", 0, 1);
            Message message = all.mprobe(0, 1);
            assertEquals("text", all.receiveObject(String.class, message));
            Worlds.assertFails(ErrorClass.REQUEST, () -> all.receiveObject(String.class, message), "only once");
        });
    }
}
