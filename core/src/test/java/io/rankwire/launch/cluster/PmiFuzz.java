package io.rankwire.launch.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a server of PMI answers, from the first line to rank 0's card. */
public final class PmiFuzz {
    private PmiFuzz() {}

    public static List<byte[]> samples() {
        String start = "cmd=initack rc=0\ncmd=set size=4\ncmd=set rank=1\ncmd=set debug=0\n"
                + "cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1\ncmd=my_kvsname kvsname=kvs_7\n";
        String card = "cmd=barrier_out rc=0\ncmd=get_result rc=0 value=8.AAEC\ncmd=get_result rc=0 value=AwQF\n";
        return List.of((start + card).getBytes(StandardCharsets.US_ASCII),
                (start + "cmd=barrier_out\ncmd=get_result rc=-1 msg=key_not_found value=unknown\n")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    public static void fuzzerTestOneInput(byte[] data) {
        ByteArrayInputStream answers = new ByteArrayInputStream(data);
        PmiWire wire = new PmiWire() {
            @Override
            public void write(byte[] line) {}

            @Override
            public int read(byte[] into, long deadlineNs) throws IOException {
                return answers.read(into);
            }
        };
        Pmi pmi = new Pmi(wire, "PMI", 0, 1);
        try {
            pmi.introduce(1, 0);
            pmi.begin(0);
            pmi.share(null, 0);
        } catch (IOException e) {
            // This is how answers are refused that make no sense.
        }
        if (pmi.rank() < 0 || pmi.rank() >= pmi.size()) {
            throw new AssertionError("rank " + pmi.rank() + " of " + pmi.size());
        }
    }
}
