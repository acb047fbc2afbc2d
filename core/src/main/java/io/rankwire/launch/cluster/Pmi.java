package io.rankwire.launch.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * A client of PMI-1, which Hydra (MPICH, Intel MPI), Slurm (pmi2) and Flux serve. Requests and answers are lines of
 * words {@code key=value}, of which the first is {@code cmd}. Servers differ in the order and number of the words.
 * Values that are too long are lost without an error, so no line has more than {@value #MOST_LINE} bytes, and the first
 * value begins with the length of the whole.
 */
public final class Pmi implements Launcher {
    /** Slurm reads a request with one read of 1,024 bytes. */
    static final int MOST_LINE = 1_000;
    /** Longer answers make no sense. */
    static final int MOST_ANSWER = 1 << 16;
    static final int MOST_RANKS = (1 << 19) - 1;
    /** Characters of a card. */
    static final int MOST_CARD = 1 << 20;
    private static final String KEY = "rankwire-";

    private final PmiWire wire;
    private final String name;
    private int rank;
    private int size;
    private String space;
    private final byte[] in = new byte[4096];
    /** Bytes of {@link #in} that belong to the next line. */
    private int from;
    private int to;

    Pmi(PmiWire wire, String name, int rank, int size) {
        this.wire = wire;
        this.name = name;
        this.rank = rank;
        this.size = size;
    }

    /**
     * Uses an open file that this process has inherited.
     *
     * @param environment has the variables {@code PMI_FD}, {@code PMI_RANK} and {@code PMI_SIZE}
     * @throws IOException if one of them makes no sense, or if the launcher does not answer as it should
     */
    public static Pmi inherited(Map<String, String> environment, long deadlineNs) throws IOException {
        int descriptor = number("PMI_FD", environment.get("PMI_FD"), 0, Integer.MAX_VALUE);
        int size = number("PMI_SIZE", environment.get("PMI_SIZE"), 1, MOST_RANKS);
        int rank = number("PMI_RANK", environment.get("PMI_RANK"), 0, size - 1);
        Pmi pmi = new Pmi(new DescriptorWire(descriptor), "PMI (PMI_FD is " + descriptor + ")", rank, size);
        pmi.begin(deadlineNs);
        return pmi;
    }

    /**
     * Connects to a server.
     *
     * @param environment has the variables {@code PMI_PORT} and {@code PMI_ID}
     * @throws IOException if one of them makes no sense, or if the launcher does not answer as it should
     */
    public static Pmi connected(Map<String, String> environment, long deadlineNs) throws IOException {
        String place = environment.get("PMI_PORT");
        int id = number("PMI_ID", environment.get("PMI_ID"), 0, Integer.MAX_VALUE);
        Pmi pmi = new Pmi(SocketWire.connect(place, deadlineNs), "PMI (PMI_PORT is " + place + ")", 0, 1);
        pmi.introduce(id, deadlineNs);
        pmi.begin(deadlineNs);
        return pmi;
    }

    private static int number(String what, String text, int least, int most) throws IOException {
        try {
            int value = text == null ? -1 : Integer.parseInt(text.strip());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // As for a number that is out of range.
        }
        throw new IOException(what + " is " + (text == null ? "not set" : "\"" + shown(text) + "\"")
                + ", not a number from " + least + " to " + most);
    }

    /** Says which of the launcher's processes this is; the launcher answers which rank that is. */
    void introduce(int id, long deadlineNs) throws IOException {
        ask("cmd=initack pmiid=" + id, "initack", deadlineNs);
        size = number("the launcher's size", answer("set", deadlineNs).get("size"), 1, MOST_RANKS);
        rank = number("the launcher's rank", answer("set", deadlineNs).get("rank"), 0, size - 1);
        answer("set", deadlineNs);
    }

    void begin(long deadlineNs) throws IOException {
        check(ask("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init", deadlineNs), "refuses version 1.1");
        space = ask("cmd=get_my_kvsname", "my_kvsname", deadlineNs).get("kvsname");
        if (space == null || space.length() > MOST_LINE / 2) {
            throw new IOException("the launcher has no place for values: " + shown(String.valueOf(space)));
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public byte[] share(byte[] card, long deadlineNs) throws IOException {
        if (card != null) {
            put(card, deadlineNs);
        }
        check(ask("cmd=barrier_in", "barrier_out", deadlineNs), "refuses a barrier");
        return get(deadlineNs);
    }

    private void put(byte[] card, long deadlineNs) throws IOException {
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(card);
        String rest = text.length() + "." + text;
        for (int part = 0; !rest.isEmpty(); part++) {
            String line = "cmd=put kvsname=" + space + " key=" + KEY + part + " value=";
            int count = Math.min(rest.length(), MOST_LINE - 1 - line.length());
            check(ask(line + rest.substring(0, count), "put_result", deadlineNs), "refuses a value");
            rest = rest.substring(count);
        }
    }

    private byte[] get(long deadlineNs) throws IOException {
        String first = get(0, deadlineNs);
        int dot = first.indexOf('.');
        int length = number("the length of rank 0's card", dot < 0 ? "" : first.substring(0, dot), 1, MOST_CARD);
        StringBuilder text = new StringBuilder(first.substring(dot + 1));
        for (int part = 1; text.length() < length; part++) {
            String more = get(part, deadlineNs);
            if (more.isEmpty()) {
                break;
            }
            text.append(more);
        }
        if (text.length() != length) {
            throw new IOException("the launcher gave " + text.length() + " characters of rank 0's card, not "
                    + length);
        }
        try {
            return Base64.getUrlDecoder().decode(text.toString());
        } catch (IllegalArgumentException e) {
            throw new IOException("the launcher has damaged rank 0's card: " + e.getMessage(), e);
        }
    }

    private String get(int part, long deadlineNs) throws IOException {
        Map<String, String> answer = ask("cmd=get kvsname=" + space + " key=" + KEY + part, "get_result", deadlineNs);
        // The answer for a missing key may have a value too.
        if (!isSuccess(answer) || answer.get("value") == null) {
            throw new IOException("the launcher does not have rank 0's card: rank 0 uses no Rankwire, or another"
                    + " version of it");
        }
        return answer.get("value");
    }

    @Override
    public void abort(int status, String reason) {
        try {
            // Another thread may wait for an answer; there is none to this request.
            send("cmd=abort exitcode=" + status);
        } catch (IOException e) {
            // The launcher has ended, and ends this process too.
        }
    }

    @Override
    public void finish() {
        try {
            ask("cmd=finalize", "finalize_ack", System.nanoTime() + 1_000_000_000L);
        } catch (IOException e) {
            // The launcher has ended the job itself.
        }
    }

    private static boolean isSuccess(Map<String, String> answer) {
        return answer.getOrDefault("rc", "0").equals("0");
    }

    private static void check(Map<String, String> answer, String what) throws IOException {
        if (!isSuccess(answer)) {
            throw new IOException("the launcher " + what + ": " + shown(answer.toString()));
        }
    }

    private Map<String, String> ask(String request, String answer, long deadlineNs) throws IOException {
        send(request);
        return answer(answer, deadlineNs);
    }

    private void send(String request) throws IOException {
        wire.write((request + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private Map<String, String> answer(String expected, long deadlineNs) throws IOException {
        String line = line(deadlineNs);
        Map<String, String> words = words(line);
        if (!expected.equals(words.get("cmd"))) {
            throw new IOException("the launcher answers \"" + shown(line) + "\", not cmd=" + expected);
        }
        return words;
    }

    /** The words of a line; one without an equals sign has an empty value. */
    static Map<String, String> words(String line) {
        Map<String, String> words = new HashMap<>();
        for (String word : line.split(" ")) {
            int equals = word.indexOf('=');
            words.putIfAbsent(equals < 0 ? word : word.substring(0, equals),
                    equals < 0 ? "" : word.substring(equals + 1));
        }
        return words;
    }

    private String line(long deadlineNs) throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            for (; from < to; from++) {
                if (in[from] == '\n') {
                    from++;
                    return line.toString();
                }
                line.append((char) (in[from] & 0xff));
            }
            if (line.length() > MOST_ANSWER) {
                throw new IOException("the launcher has sent a line of more than " + MOST_ANSWER + " bytes");
            }
            from = 0;
            to = Math.max(0, wire.read(in, deadlineNs));
            if (to == 0) {
                throw new IOException("the launcher has closed its connection");
            }
        }
    }

    /** What an unknown side has sent, fit for a message. */
    private static String shown(String text) {
        String plain = text.replaceAll("[^ -~]", "?");
        return plain.length() > 200 ? plain.substring(0, 200) + "…" : plain;
    }
}
