package io.rankwire.launch.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The client of PMI against servers with the habits of Hydra and Slurm, and against bytes that make no sense. */
final class PmiTest {
    private static final long MINUTES = 180_000_000_000L;

    /** A server of one rank. Answers differ as those of real servers do, and come in pieces. */
    private static final class Server implements PmiWire {
        private final Random random = new Random(3);
        private final boolean slurm;
        private final Map<String, String> values = new HashMap<>();
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private int given;
        /** Longer values are cut. */
        int most = 1023;

        Server(boolean slurm) {
            this.slurm = slurm;
        }

        @Override
        public void write(byte[] line) throws IOException {
            String text = new String(line, StandardCharsets.US_ASCII);
            assertTrue(line.length <= 1_000 && text.indexOf('\n') == line.length - 1, text);
            Map<String, String> words = Pmi.words(text.strip());
            String rc = slurm ? " rc=0" : "";
            out.write((switch (words.get("cmd")) {
                case "initack" -> "cmd=initack\ncmd=set size=5\ncmd=set rank=3\ncmd=set debug=0";
                case "init" -> slurm ? "cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1"
                        : "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0";
                case "get_my_kvsname" -> "cmd=my_kvsname" + rc + " kvsname=" + (slurm ? "3.0" : "kvs_1_0_2_host");
                case "put" -> {
                    String value = words.get("value");
                    values.put(words.get("key"), value.substring(0, Math.min(most, value.length())));
                    yield "cmd=put_result rc=0" + (slurm ? "" : " msg=success");
                }
                case "barrier_in" -> "cmd=barrier_out" + rc;
                case "get" -> {
                    String value = values.get(words.get("key"));
                    yield value != null ? "cmd=get_result rc=0 value=" + value
                            : slurm ? "cmd=get_result rc=1" : "cmd=get_result rc=-1 msg=key_not_found value=unknown";
                }
                default -> "cmd=finalize_ack" + rc;
            } + "\n").getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public int read(byte[] into, long deadlineNs) throws IOException {
            int left = out.size() - given;
            if (left == 0) {
                throw new SocketTimeoutException();
            }
            int count = 1 + random.nextInt(Math.min(left, into.length));
            System.arraycopy(out.toByteArray(), given, into, 0, count);
            given += count;
            return count;
        }
    }

    private static long soon() {
        return System.nanoTime() + MINUTES;
    }

    @Test
    void shouldShareCardsOfAnyLengthThroughBothKindsOfServers() throws IOException {
        for (boolean slurm : new boolean[] {false, true}) {
            for (int length : new int[] {1, 100, 700, 5_000}) {
                Pmi pmi = new Pmi(new Server(slurm), "test", 0, 2);
                pmi.begin(soon());
                byte[] card = new byte[length];
                new Random(length).nextBytes(card);
                assertArrayEquals(card, pmi.share(card, soon()));
                pmi.finish();
            }
        }
    }

    @Test
    void shouldLearnItsRankFromTheServer() throws IOException {
        Pmi pmi = new Pmi(new Server(false), "test", 0, 1);
        pmi.introduce(3, soon());
        assertEquals(3, pmi.rank());
        assertEquals(5, pmi.size());
    }

    @Test
    void shouldNoticeValuesThatAreLostOrCut() throws IOException {
        for (boolean slurm : new boolean[] {false, true}) {
            Pmi none = new Pmi(new Server(slurm), "test", 1, 2);
            none.begin(soon());
            String seen = assertThrows(IOException.class, () -> none.share(null, soon())).getMessage();
            assertTrue(seen.contains("does not have rank 0's card"), seen);
            Server cuts = new Server(slurm);
            cuts.most = 100;
            Pmi cut = new Pmi(cuts, "test", 0, 2);
            cut.begin(soon());
            assertThrows(IOException.class, () -> cut.share(new byte[200], soon()));
        }
    }

    @Test
    void shouldEndWithADeclaredErrorWhateverTheServerSends() {
        String[] pieces = {"cmd=", "response_to_init", "my_kvsname", "get_result", "barrier_out", "put_result", " rc=0",
            " rc=1", "kvsname=", " value=", "9999999999.", "12.", "=", "\n", "\n", " size=", " rank=", "cmd=set", "-1"};
        for (int seed = 0; seed < 5_000; seed++) {
            Random random = new Random(seed);
            int[] left = {random.nextInt(60)};
            Pmi pmi = new Pmi(new PmiWire() {
                @Override
                public void write(byte[] line) {}

                @Override
                public int read(byte[] into, long deadlineNs) {
                    byte[] some = pieces[random.nextInt(pieces.length)].getBytes(StandardCharsets.US_ASCII);
                    if (random.nextInt(4) == 0) {
                        random.nextBytes(some);
                    }
                    System.arraycopy(some, 0, into, 0, some.length);
                    return left[0]-- > 0 ? some.length : -1;
                }
            }, "test", 0, 2);
            assertThrows(IOException.class, () -> {
                pmi.introduce(1, soon());
                pmi.begin(soon());
                pmi.share(new byte[] {1, 2, 3}, soon());
                throw new IOException("by chance everything made sense");
            }, "seed " + seed);
        }
    }

    @Test
    void shouldNotTakeALineWithoutAnEnd() {
        Pmi pmi = new Pmi(new PmiWire() {
            @Override
            public void write(byte[] line) {}

            @Override
            public int read(byte[] into, long deadlineNs) {
                return into.length;
            }
        }, "test", 0, 2);
        String seen = assertThrows(IOException.class, () -> pmi.begin(soon())).getMessage();
        assertTrue(seen.contains("a line of more than"), seen);
    }
}
