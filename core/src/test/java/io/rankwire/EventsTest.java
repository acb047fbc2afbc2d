package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig;
import io.rankwire.sim.program.Settings;
import io.rankwire.sim.program.SimulatedRanks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Flight Recorder sees of ranks that are threads; see also {@code FlightRecorderTest} for processes. */
@Timeout(300)
final class EventsTest {
    private static final int LARGE = 1 << 20;
    private static final int NS_PER_MS = 1_000_000;
    /** Tests of other classes run beside this one, and the recording shows their messages too. */
    private static final int TAG = 70_000;

    @TempDir
    Path directory;

    private List<RecordedEvent> record(Runnable program) throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("rankwire.Call").withThreshold(Duration.ofMillis(1));
            recording.enable("rankwire.Sleep");
            recording.enable("rankwire.Transfer");
            recording.start();
            program.run();
            recording.stop();
            Path file = directory.resolve("events.jfr");
            recording.dump(file);
            return RecordingFile.readAllEvents(file);
        }
    }

    private static RecordedEvent one(List<RecordedEvent> events, String name, Predicate<RecordedEvent> which) {
        List<RecordedEvent> found = events.stream()
                .filter(event -> event.getEventType().getName().equals(name) && which.test(event)).toList();
        assertEquals(1, found.size(), () -> name + " in " + events);
        return found.getFirst();
    }

    @Test
    void shouldShowCallsThatWaitAndWhatTheyWaitFor() throws IOException {
        AtomicReference<Thread> receiver = new AtomicReference<>();
        List<RecordedEvent> events = record(() -> Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                Worlds.awaitSleep(receiver);
                all.send(new int[3], 1, TAG);
            } else {
                receiver.set(Thread.currentThread());
                all.receive(new int[3], 0, TAG);
            }
        }));
        RecordedEvent call = one(events, "rankwire.Call", event -> event.getInt("tag") == TAG);
        assertEquals(1, call.getInt("rank"));
        assertEquals("receive", call.getString("call"));
        assertEquals(0, call.getInt("peer"));
        assertEquals(12, call.getLong("bytes"));
        assertEquals("world", call.getString("communicator"));
        assertTrue(call.getString("line").matches("EventsTest\\.java:\\d+"), call.getString("line"));
        assertTrue(call.getDuration().toMillis() >= 1, call.toString());
        assertTrue(call.getDuration("rested").toNanos() > 0, call.toString());
        assertTrue(call.getStackTrace().getFrames().stream()
                .anyMatch(frame -> frame.getMethod().getType().getName().equals(EventsTest.class.getName())));
        assertTrue(events.stream().anyMatch(event -> event.getEventType().getName().equals("rankwire.Sleep")
                && event.getInt("rank") == 1 && event.getInt("peer") == 0 && event.getInt("steps") > 0),
                events::toString);
    }

    @Test
    void shouldShowLargeMessagesAtBothEnds() throws IOException {
        Worlds.assumeOneHost();
        List<RecordedEvent> events = record(() -> Worlds.run(2, DeviceConfig.DEFAULT, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                all.send(new byte[LARGE], 1, TAG + 1);
                all.send(world.allocate(LARGE), 1, TAG + 2);
            } else {
                all.receive(new byte[LARGE], 0, TAG + 1);
                all.receive(world.allocate(LARGE), 0, TAG + 2);
            }
        }));
        for (int tag = 1; tag <= 2; tag++) {
            for (int rank = 0; rank < 2; rank++) {
                int end = rank;
                int number = TAG + tag;
                RecordedEvent transfer = one(events, "rankwire.Transfer",
                        event -> event.getInt("tag") == number && event.getInt("rank") == end);
                assertEquals(1 - rank, transfer.getInt("peer"));
                assertEquals(rank == 0, transfer.getBoolean("sent"));
                assertEquals(LARGE, transfer.getLong("bytes"));
                assertEquals(tag == 1 ? "frames" : "mapped memory", transfer.getString("way"));
                assertEquals(tag == 1 && rank == 0, transfer.getLong("early") > 0);
            }
        }
    }

    @Test
    void shouldShowTheVirtualTimeOfWaits() throws IOException {
        List<RecordedEvent> events = record(() -> SimulatedRanks.run(Settings.DEFAULT, 2, job -> {
            try (World world = World.join()) {
                if (job.rank() == 0) {
                    world.spend(50_000L * NS_PER_MS);
                    Thread.sleep(1);
                    world.communicator().send(new byte[1], 1, TAG + 3);
                } else {
                    world.communicator().receive(new byte[1], 0, TAG + 3);
                }
            }
        }));
        RecordedEvent call = one(events, "rankwire.Call", event -> event.getInt("tag") == TAG + 3);
        assertTrue(call.getDuration("rested").toSeconds() >= 50, call.toString());
    }
}
