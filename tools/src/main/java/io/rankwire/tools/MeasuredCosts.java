package io.rankwire.tools;

import io.rankwire.collective.Cost;
import io.rankwire.fabric.Geometry;
import io.rankwire.launch.Fabrics;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What messages cost on this machine, measured by {@link CostRank}, and which geometry is fastest, measured by {@link
 * GeometryRank}: after a build, by {@code doctor --measure}, and again at a start on a calm machine when they were
 * measured on a busy one. Kept in a file beside the class archive. The launcher reads it at every start, so reading is
 * kept plain. Without one, and with one that makes no sense, the estimates of {@link Cost} and the default of {@link
 * Geometry} serve.
 *
 * <pre>
 *   rankwire costs 3
 *   near 150000 40000 150 80 50 100000
 *   crowded 4000000 100000 200 150 100 1500000
 *   geometry 1024 524288
 *   state CALM
 *   measured 1794771000000 31 112
 *   tried 1794771000000 0
 *   machine 2 x Some Processor, Java 25.0.3+9
 * </pre>
 *
 * @param near of ranks that have a processor each
 * @param crowded of more ranks than processors
 */
public record MeasuredCosts(Cost near, Cost crowded, Geometry geometry, CostConditions conditions) {
    /** The environment variable with the costs, the same for all ranks of a job. */
    static final String VARIABLE = Fabrics.COST;

    private static final String HEAD = "rankwire costs 3\n";
    private static final String NEAR = "near ";
    private static final String CROWDED = "crowded ";
    private static final String GEOMETRY = "geometry ";
    private static final int LONGEST = 1024;
    /** The most ranks that are started to measure a crowded machine, with more ranks than processors. */
    private static final int MOST_RANKS = 8;
    /** Ranks that take longer for a round have not had a processor each. */
    private static final double SLOWEST_NEAR_NS = 20_000;

    private static File file;

    /** Where they are kept for this very jar and machine, or null: no jar, no place. */
    static File file() {
        if (file == null) {
            file = ClassArchive.beside("-".concat(host()).concat(".costs"));
        }
        return file;
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

    static String content(File file) {
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
        int third = text.indexOf('\n', second) + 1;
        int fourth = text.indexOf('\n', third) + 1;
        if (!text.startsWith(GEOMETRY, third) || fourth == 0) {
            return null;
        }
        Cost near = Cost.parse(text.substring(HEAD.length() + NEAR.length(), second - 1));
        Cost crowded = Cost.parse(text.substring(second + CROWDED.length(), third - 1));
        Geometry geometry = Geometry.parse(text.substring(third + GEOMETRY.length(), fourth - 1));
        CostConditions conditions = CostConditions.parse(text.substring(fourth));
        return near == null || crowded == null || geometry == null || conditions == null ? null
                : new MeasuredCosts(near, crowded, geometry, conditions);
    }

    String text() {
        return HEAD + NEAR + near.text() + "\n" + CROWDED + crowded.text() + "\n" + GEOMETRY + geometry.text() + "\n"
                + conditions.text();
    }

    /** Whether they were measured at all: a file may also say that it could not be done. */
    boolean areMeasured() {
        return conditions.state() != CostConditions.State.FAILED;
    }

    /** Whether jobs use estimates, since nothing was measured. */
    public static boolean areEstimates() {
        MeasuredCosts kept = read(file());
        return kept == null || !kept.areMeasured();
    }

    /** The costs for a job of this size: measured ones, or estimates where nothing was measured. */
    static Cost of(MeasuredCosts measured, int ranks) {
        boolean isCrowded = ranks > Runtime.getRuntime().availableProcessors();
        if (measured == null) {
            return isCrowded ? Cost.CROWDED : Cost.NEAR;
        }
        return isCrowded ? measured.crowded : measured.near;
    }

    /** Called before a job: measures again what was measured on a busy or on another machine, if this one is calm. */
    static void again() {
        File file = file();
        MeasuredCosts kept = read(file);
        if (kept != null && kept.conditions.areToBeMeasuredAgain()) {
            again(file, load());
        }
    }

    /** @param load of the machine at this moment */
    static void again(File file, double load) {
        if (load > CostConditions.calmLoad()) {
            return;
        }
        MeasuredCosts kept = claim(file);
        if (kept != null) {
            System.err.println("rankwire: measuring what messages cost here for some seconds, since " + (
                    kept.areMeasured() && kept.conditions.state() == CostConditions.State.CALM
                            ? "the processor or the JDK has changed" : "the machine was busy the last time"));
            measure(file, kept, what -> { });
        }
    }

    /** The costs to measure again, once no other start can measure them too; null if there are none. */
    private static MeasuredCosts claim(File file) {
        try (RandomAccessFile open = new RandomAccessFile(file, "rw"); FileLock lock = open.getChannel().tryLock()) {
            MeasuredCosts kept = lock == null ? null : read(file);
            if (kept == null || !kept.conditions.areToBeMeasuredAgain()
                    || System.currentTimeMillis() < kept.conditions.nextTryMs()) {
                return null;
            }
            MeasuredCosts tried = new MeasuredCosts(kept.near, kept.crowded, kept.geometry,
                    kept.conditions.triedNow());
            return tried.keep(file) == null ? kept : null;
        } catch (IOException e) {
            // The directory cannot be written to; the costs stay as they are.
            return null;
        }
    }

    /** The load of the last minute; 0 where the system does not say. */
    private static double load() {
        String text = content(new File("/proc/loadavg"));
        return text == null ? 0 : Double.parseDouble(text.substring(0, text.indexOf(' ')));
    }

    /** Measures for some seconds and keeps the result; returns what prevented it, or null. */
    static String measure(Consumer<String> doing) {
        File file = file();
        return file == null ? "costs are kept beside the core jar, and core is no jar here"
                : measure(file, read(file), doing);
    }

    /**
     * @param before what was kept until now, or null
     * @param doing gets what is being measured
     */
    private static String measure(File file, MeasuredCosts before, Consumer<String> doing) {
        CostConditions last = before == null ? null : before.conditions;
        int processors = Runtime.getRuntime().availableProcessors();
        boolean isAlone = processors < 2;
        doing.accept("sizes of rings and slabs");
        // Where two ranks are too many for the processors, jobs of two are crowded, and no others are near.
        Disturbed fastest = isAlone ? new Disturbed(Geometry.DEFAULT.text(), -1, 100)
                : measure(2, GeometryRank.class, "--progress=none");
        Geometry geometry = fastest == null ? null : Geometry.parse(fastest.result);
        doing.accept("what messages cost between two ranks");
        Disturbed pair = isAlone ? new Disturbed(Cost.NEAR.text(), -1, 100)
                : geometry == null ? null : measureCosts(2, geometry);
        Cost near = pair == null ? null : Cost.parse(pair.result);
        if (near == null || near.roundNs() > SLOWEST_NEAR_NS) {
            MeasuredCosts kept = new MeasuredCosts(before == null ? Cost.NEAR : before.near,
                    before == null ? Cost.CROWDED : before.crowded,
                    before == null ? Geometry.DEFAULT : before.geometry, CostConditions.failed(last));
            String obstacle = kept.keep(file);
            return "the machine is too busy, or runs no jobs" + (obstacle == null ? "" : "; " + obstacle);
        }
        // With many processors it would take many JVMs to crowd them; what waiting for others adds is then guessed
        // to be as many times the near cost as in the estimates.
        doing.accept("what messages cost between more ranks than processors");
        Disturbed many = 2 * processors <= MOST_RANKS ? measureCosts(2 * processors, geometry) : null;
        Cost crowded = many == null ? null : Cost.parse(many.result);
        long other = Math.max(fastest.otherMilli, Math.max(pair.otherMilli, many == null ? -1 : many.otherMilli));
        long spread = Math.max(fastest.spreadPercent, pair.spreadPercent);
        return new MeasuredCosts(near, crowded == null ? near.crowded() : crowded, geometry,
                CostConditions.now(other, spread, last)).keep(file);
    }

    /** What one program measured, and how much it was disturbed meanwhile. */
    private record Disturbed(String result, long otherMilli, long spreadPercent) {
        static Disturbed parse(String text) {
            String[] lines = text.split("\n");
            return lines.length != 3 ? null
                    : new Disturbed(lines[0], Long.parseLong(lines[1]), Long.parseLong(lines[2]));
        }
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

    private static Disturbed measureCosts(int ranks, Geometry geometry) {
        return measure(ranks, CostRank.class, "-x", Fabrics.GEOMETRY + "=" + geometry.text());
    }

    /** Nothing when there were too few turns. */
    private static Disturbed measure(int ranks, Class<?> program, String... options) {
        File result = null;
        try {
            result = File.createTempFile("rankwire", ".costs");
            result.deleteOnExit();
            List<String> job = new ArrayList<>(List.of("-n", Integer.toString(ranks), "--timeout", "30", "-x",
                    VARIABLE + "=" + CostRank.COSTS));
            job.addAll(List.of(options));
            job.addAll(List.of("-cp", Launch.locationOf(program), program.getName(), result.getPath()));
            if (new RunCommand(RunOptions.parse(job.toArray(new String[0]))).run() != 0) {
                return null;
            }
            String text = content(result);
            return text == null ? null : Disturbed.parse(text);
        } catch (IOException e) {
            return null;
        } finally {
            if (result != null) {
                result.delete();
            }
        }
    }
}
