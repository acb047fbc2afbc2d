package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.World;
import io.rankwire.device.Counter;
import io.rankwire.tools.Command.Result;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The table of {@code run --stats}, and what Flight Recorder sees of ranks that are processes. */
@Timeout(600)
class StatsTest {
    private static final String CLASSES = Launch.locationOf(StatsTest.class);

    @TempDir
    Path jobs;

    /** Rank 1 gets five messages and answers once; the argument says how it ends. */
    static final class Counting {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                for (int i = 0; i < 5; i++) {
                    if (all.rank() == 0) {
                        all.send(new long[1], 1, i);
                    } else {
                        all.receive(new long[1], 0, i);
                    }
                }
                if (all.rank() == 1) {
                    Thread.sleep(200);
                    all.send(new long[1], 0, 9);
                } else {
                    all.receive(new long[1], 1, 9);
                }
                if (args[0].equals("deadlock")) {
                    all.receive(new long[1], 1 - all.rank(), 10);
                }
                if (args[0].equals("fail") && all.rank() == 0) {
                    throw new IllegalStateException("as asked");
                }
            }
        }
    }

    private static void assertCounted(Result result, int status) {
        assertEquals(status, result.status(), result.err());
        String err = result.err();
        assertTrue(err.contains("rankwire: counters of 2 ranks\n"), err);
        assertTrue(err.matches("(?s).*\\n +rank 0 +rank 1 +all\\n.*"), err);
        assertTrue(err.matches("(?s).*\\n  eagerSent +5 +1 +6\\n.*"), err);
        assertTrue(err.matches("(?s).*\\n  eagerReceived +1 +5 +6\\n.*"), err);
        assertTrue(err.matches("(?s).*\\n  bytesSent +40 +8 +48\\n.*"), err);
    }

    @Test
    void shouldPrintTheTableWhenARankFailsAndLoadNoClassesOfEvents(@TempDir Path files) throws Exception {
        Result failed = Command.run(jobs, "run", "-n", "2", "--stats", "--jvm", "-Xlog:class+load:file=" + files
                + "/%p.txt", "-cp", CLASSES, Counting.class.getName(), "fail");
        assertCounted(failed, 1);
        assertTrue(failed.err().indexOf("as asked") > failed.err().indexOf("eagerSent"), "the failure comes last");
        assertEquals(2, filesOf(files).size());
        for (Path file : filesOf(files)) {
            String loaded = Files.readString(file);
            assertTrue(loaded.contains("io.rankwire.trace.Trace "), "the log names no classes");
            assertFalse(loaded.contains("io.rankwire.trace.CallEvent "), "event classes were loaded");
            assertFalse(loaded.contains("jdk.jfr.Event "), "event classes were loaded");
        }
    }

    @Test
    void shouldPrintTheTableOfRanksThatAreThreadsOrOnHosts() throws Exception {
        assertCounted(Command.run(jobs, "run", "-n", "2", "--threads", "--stats", "-cp", CLASSES,
                Counting.class.getName(), "well"), 0);
        assertCounted(Command.run(jobs, "run", "-n", "2", "--hosts", "localhost:2", "--stats", "-cp", CLASSES,
                Counting.class.getName(), "well"), 0);
    }

    @Test
    void shouldPrintTheTableOfASimulationThatEndsInADeadlock() throws Exception {
        assertCounted(Command.run(jobs, "sim", "run", "-n", "2", "--stats", "-cp", CLASSES, Counting.class.getName(),
                "deadlock"), 35);
    }

    @Test
    void shouldRecordEventsOfProcesses(@TempDir Path files) throws Exception {
        Result recorded = Command.run(jobs, "run", "-n", "2", "--jvm", "-XX:StartFlightRecording:filename=" + files
                + "/%p.jfr,settings=none,rankwire.Call#enabled=true,rankwire.Call#threshold=1ms -Xlog:jfr*=off"
                + " -XX:TieredStopAtLevel=1", "-cp", CLASSES, Counting.class.getName(),
                "well");
        assertEquals(0, recorded.status(), recorded.err());
        List<RecordedEvent> events = new ArrayList<>();
        for (Path file : filesOf(files)) {
            for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
                if (event.getEventType().getName().equals("rankwire.Call")) {
                    events.add(event);
                }
            }
        }
        assertTrue(events.stream().anyMatch(event -> event.getInt("rank") == 0 && event.getInt("tag") == 9
                && event.getString("call").equals("receive") && event.getInt("peer") == 1
                && event.getString("line").startsWith("StatsTest.java:")
                && event.getDuration().toMillis() >= 1), events::toString);
    }

    private static List<Path> filesOf(Path directory) throws IOException {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            files.forEach(all::add);
        }
        return all;
    }

    @Test
    void shouldShowTheSpreadOfManyRanks() {
        StatsTable table = new StatsTable(64);
        for (int rank = 0; rank < 63; rank++) {
            long[] counters = new long[Counter.COUNT];
            counters[Counter.CALLS.ordinal()] = 1_000L * (rank + 1);
            counters[Counter.MOST_UNEXPECTED.ordinal()] = rank == 7 ? 9 : 1;
            table.put(rank, StatsTable.text(counters));
        }
        assertEquals("""
                counters of 64 ranks, 1 of which have shown none
                                  least    mean    most  of rank        all
                  calls           1,000  32,000  63,000       62  2,016,000
                  mostUnexpected      1       1       9        7          9
                """, table.toString());
    }
}
