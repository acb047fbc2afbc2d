package io.rankwire.tools;

import io.rankwire.collective.Cost;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;

/**
 * What messages cost on this machine, measured by {@link CostRank} after a build and by {@code doctor --measure}, and
 * kept in a file beside the class archive. The launcher reads it at every start, so reading is kept plain. Nobody needs
 * it: without one, and with one that makes no sense, the estimates of {@link Cost} serve.
 *
 * <pre>
 *   rankwire costs 1
 *   near 150000 40000 150 80 50 100000
 *   crowded 4000000 100000 200 150 100 1500000
 * </pre>
 *
 * @param near of ranks that have a processor each
 * @param crowded of more ranks than processors
 */
record MeasuredCosts(Cost near, Cost crowded) {
    /** Tells the ranks of a job, all of them the same. */
    static final String VARIABLE = "RANKWIRE_COST";

    private static final String HEAD = "rankwire costs 1\n";
    private static final String NEAR = "near ";
    private static final String CROWDED = "crowded ";
    private static final int LONGEST = 512;
    /** Up to so many ranks are started to see how it is when they are more than the processors. */
    private static final int MOST_RANKS = 8;
    /** Ranks that take longer for a round have not had a processor each. */
    private static final double SLOWEST_NEAR_NS = 20_000;

    /** Where they are kept for this very jar and machine, or null: no jar, no place. */
    static File file() {
        return ClassArchive.beside("-".concat(host()).concat(".costs"));
    }

    private static String host() {
        String name = content(new File("/proc/sys/kernel/hostname"));
        StringBuilder plain = new StringBuilder();
        for (int i = 0; name != null && i < name.length() && name.charAt(i) != '\n'; i++) {
            char c = name.charAt(i);
            plain.append(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' ? c : '_');
        }
        return plain.isEmpty() ? "host" : plain.toString();
    }

    /** What the file holds; null when there is none, or nothing that makes sense. */
    static MeasuredCosts read(File file) {
        String text = file == null ? null : content(file);
        return text == null ? null : parse(text);
    }

    private static String content(File file) {
        if (!file.isFile()) {
            return null;
        }
        try (FileInputStream in = new FileInputStream(file)) {
            return new String(in.readNBytes(LONGEST), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return null;
        }
    }

    static MeasuredCosts parse(String text) {
        int second = text.indexOf('\n', HEAD.length()) + 1;
        if (!text.startsWith(HEAD + NEAR) || second == 0 || !text.startsWith(CROWDED, second) || !text.endsWith("\n")) {
            return null;
        }
        Cost near = Cost.parse(text.substring(HEAD.length() + NEAR.length(), second - 1));
        Cost crowded = Cost.parse(text.substring(second + CROWDED.length(), text.length() - 1));
        return near == null || crowded == null ? null : new MeasuredCosts(near, crowded);
    }

    String text() {
        return HEAD + NEAR + near.text() + "\n" + CROWDED + crowded.text() + "\n";
    }

    /** For a job of so many ranks, by what was measured or, where nothing was, by the estimates. */
    static Cost of(MeasuredCosts measured, int ranks) {
        boolean isCrowded = ranks > Runtime.getRuntime().availableProcessors();
        if (measured == null) {
            return isCrowded ? Cost.CROWDED : Cost.NEAR;
        }
        return isCrowded ? measured.crowded : measured.near;
    }

    /** Measures for some seconds and keeps the result; what came in the way, or null. */
    static String measure() {
        File file = file();
        if (file == null) {
            return "costs are kept beside the core jar, and core is no jar here";
        }
        int processors = Runtime.getRuntime().availableProcessors();
        // Where two ranks are too many for the processors, jobs of two are crowded, and no others are near.
        Cost near = processors < 2 ? Cost.NEAR : measure(2);
        if (near == null || near.roundNs() > SLOWEST_NEAR_NS) {
            return "the machine is too busy, or runs no jobs";
        }
        // With many processors it would take many JVMs to crowd them; what waiting for others adds is then guessed
        // to be as many times the near cost as in the estimates.
        Cost crowded = 2 * processors <= MOST_RANKS ? measure(2 * processors) : near.crowded();
        return new MeasuredCosts(near, crowded == null ? near.crowded() : crowded).keep(file);
    }

    private String keep(File file) {
        // Under another name until it is whole: a job may be about to read it.
        File draft = new File(file.getPath() + "." + ProcessHandle.current().pid());
        try {
            Files.writeString(draft.toPath(), text());
            Files.move(draft.toPath(), file.toPath(), StandardCopyOption.ATOMIC_MOVE);
            return null;
        } catch (IOException e) {
            draft.delete();
            return "cannot write " + file;
        }
    }

    /** Nothing when there were too few turns. */
    private static Cost measure(int ranks) {
        File result = null;
        try {
            result = File.createTempFile("rankwire", ".costs");
            String[] job = {"-n", Integer.toString(ranks), "--timeout", "30", "-x", VARIABLE + "=" + CostRank.COSTS,
                "-cp", Launch.locationOf(CostRank.class), CostRank.class.getName(), result.getPath()};
            if (RunCommand.run(job) != 0) {
                return null;
            }
            String text = content(result);
            return text == null ? null : Cost.parse(text);
        } catch (IOException e) {
            return null;
        } finally {
            if (result != null) {
                result.delete();
            }
        }
    }
}
