package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class HintKeysTest {
    private static final String NO_ANY_SOURCE = "mpi_assert_no_any_source";
    private static final String NO_ANY_TAG = "mpi_assert_no_any_tag";

    private static Info info(String... pairs) {
        Info info = new Info();
        for (int i = 0; i < pairs.length; i += 2) {
            info.set(pairs[i], pairs[i + 1]);
        }
        return info;
    }

    /** Sets hints, and breaks what they promise. */
    public static final class Promising implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            assertEquals("false", all.getInfo().get(NO_ANY_SOURCE));
            all.setInfo(info(NO_ANY_SOURCE, "true", "mpi_assert_exact_length", "true", "colour", "red"));
            all.setInfo(info(NO_ANY_TAG, "true"));
            assertEquals("true", all.getInfo().get(NO_ANY_SOURCE));
            assertEquals("true", all.getInfo().get(NO_ANY_TAG));
            assertNull(all.getInfo().get("colour"), "not a hint in force");
            int[] word = {all.getRank()};
            Jobs.assertFails(MPI.ERR_RANK, () -> all.recv(word, 1, MPI.INT, MPI.ANY_SOURCE, 3), "ANY_SOURCE");
            Jobs.assertFails(MPI.ERR_TAG, () -> all.Iprobe(0, MPI.ANY_TAG), "ANY_TAG", "rank " + word[0]);
            Jobs.assertFails(MPI.ERR_INFO_VALUE, () -> all.setInfo(info(NO_ANY_TAG, "maybe")), "maybe");
            assertEquals("true", all.getInfo().get(NO_ANY_TAG));
            all.setInfo(info("rankwire_expected_receives", "32", "rankwire_spread", "tag:4"));
            assertEquals("32", all.getInfo().get("rankwire_expected_receives"));
            assertEquals("0", all.getInfo().get("rankwire_expected_messages"));
            assertEquals("tag:4", all.getInfo().get("rankwire_spread"));
            Jobs.assertFails(MPI.ERR_INFO_VALUE, () -> all.setInfo(info("rankwire_spread", "rank:2")), "rank:2 is nei");
            Jobs.assertFails(MPI.ERR_INFO_VALUE, () -> all.setInfo(info("rankwire_spread", "tag:0")), "tag:0 is not a");
            all.setInfo(info("rankwire_matched_by_network", "true"));
            assertEquals("false", all.getInfo().get("rankwire_matched_by_network"), "shared memory has no matcher");
            all.sendRecvReplace(word, 1, MPI.INT, Jobs.next(), 3, Jobs.previous(), 3);
            assertEquals(Jobs.previous(), word[0]);
        }
    }

    @Test
    void shouldActOnPromisesAndReportWhatIsInForce() {
        Jobs.run(2, Promising.class);
    }

    /** Duplicates with and without hints. */
    public static final class Duplicating implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            all.setInfo(info(NO_ANY_SOURCE, "true"));
            Intracomm plain = all.dup();
            Intracomm hinted = all.dupWithInfo(info(NO_ANY_TAG, "true"));
            assertEquals("false", plain.getInfo().get(NO_ANY_SOURCE));
            assertEquals("false", hinted.getInfo().get(NO_ANY_SOURCE));
            assertEquals("true", hinted.getInfo().get(NO_ANY_TAG));
            assertEquals("false", all.dupWithInfo(MPI.INFO_NULL).getInfo().get(NO_ANY_TAG));
            int[] word = {all.getRank()};
            plain.send(word, 1, MPI.INT, Jobs.next(), 3);
            plain.recv(word, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            Jobs.assertFails(MPI.ERR_TAG, () -> hinted.iProbe(0, MPI.ANY_TAG), "ANY_TAG");
        }
    }

    @Test
    void shouldNotPassHintsOnToDuplicates() {
        Jobs.run(2, Duplicating.class);
    }
}
