package io.rankwire.lab;

import io.rankwire.memory.Words;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The lower bound of large messages between heap arrays: one process copies an array into shared memory chunk by chunk,
 * the other copies it out, in both directions, without any protocol. The arguments are geometries of that memory,
 * {@code CHUNKxSLOTS}, where the bytes of a chunk may end in {@code K}: {@code java -cp
 * lab/target/classes:core/target/classes io.rankwire.lab.BarePipe 16Kx8 16Kx128 16Kx128t}. With a {@code t} at the end
 * the reader takes the lines: it writes to each one that it has read. The program starts the other process itself, and
 * prints a table with a line for each geometry: microseconds of a half round trip, best of six.
 */
public final class BarePipe {
    private static final int[] SIZES = {8 << 10, 32 << 10, 128 << 10, 512 << 10, 2 << 20};
    private static final int ROUNDS = 6;
    private static final long BYTES_A_ROUND = 40_000_000;
    private static final int LINE = 64;
    /** Memory of one direction: the number of chunks taken, a flag line per slot, the slots. */
    private static final long TAKEN = 0;
    private static final long FLAGS = 2 * LINE;
    private static final String OTHER = "--other";

    private record Geometry(int chunk, int slots, boolean taken) {
        static Geometry parse(String text) {
            boolean taken = text.endsWith("t");
            String[] parts = (taken ? text.substring(0, text.length() - 1) : text).split("x");
            boolean kilo = parts[0].endsWith("K");
            int number = Integer.parseInt(kilo ? parts[0].substring(0, parts[0].length() - 1) : parts[0]);
            Geometry geometry = new Geometry(kilo ? number << 10 : number, Integer.parseInt(parts[1]), taken);
            if (geometry.chunk < LINE || geometry.chunk % LINE != 0 || geometry.slots < 2) {
                throw new IllegalArgumentException(text + ": a chunk is a multiple of 64 bytes, and there are two");
            }
            return geometry;
        }

        long data() {
            return FLAGS + (long) slots * LINE;
        }

        long direction() {
            return data() + (long) slots * chunk;
        }

        @Override
        public String toString() {
            long bytes = (long) chunk * slots;
            return size(chunk) + " × " + slots + " (" + size(bytes) + ")" + (taken ? ", lines taken" : "");
        }
    }

    private final MemorySegment memory;
    private final int chunk;
    private final int slots;
    private final boolean taken;
    private final long data;
    private final long direction;
    private final long[] written = new long[2];
    private final long[] read = new long[2];
    private final int[] nextOut = new int[2];
    private final int[] nextIn = new int[2];

    private BarePipe(MemorySegment memory, Geometry geometry) {
        this.memory = memory;
        chunk = geometry.chunk;
        slots = geometry.slots;
        taken = geometry.taken;
        data = geometry.data();
        direction = geometry.direction();
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length > 2 && args[0].equals(OTHER)) {
            // A process whose partner was killed would wait for ever.
            ProcessHandle.current().parent().orElseThrow().onExit().thenRun(() -> Runtime.getRuntime().halt(1));
            run(Path.of(args[1]), false, geometries(Arrays.copyOfRange(args, 2, args.length)));
            return;
        }
        List<Geometry> geometries = geometries(args.length == 0 ? new String[] {"16Kx8", "16Kx128", "16Kx128t"} : args);
        Path place = Path.of("/dev/shm");
        Path file = Files.isDirectory(place) ? Files.createTempFile(place, "pipe", "")
                : Files.createTempFile("pipe", "");
        file.toFile().deleteOnExit();
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"), "-cp",
                System.getProperty("java.class.path"), BarePipe.class.getName(), OTHER, file.toString()));
        for (Geometry each : geometries) {
            command.add(each.chunk + "x" + each.slots + (each.taken ? "t" : ""));
        }
        Process other = new ProcessBuilder(command).inheritIO().start();
        other.onExit().thenAccept(ended -> {
            if (ended.exitValue() != 0) {
                System.exit(1);
            }
        });
        run(file, true, geometries);
        other.waitFor();
    }

    private static List<Geometry> geometries(String[] args) {
        return Arrays.stream(args).map(Geometry::parse).toList();
    }

    private static void run(Path file, boolean first, List<Geometry> geometries) throws IOException {
        if (first) {
            StringBuilder head = new StringBuilder("| chunk × slots |");
            Arrays.stream(SIZES).forEach(bytes -> head.append(' ').append(size(bytes)).append(" |"));
            System.out.println(head + "\n|---" + "|---".repeat(SIZES.length) + "|");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long at = 0;
            for (Geometry geometry : geometries) {
                long bytes = 2 * geometry.direction();
                BarePipe pipe = new BarePipe(channel.map(FileChannel.MapMode.READ_WRITE, at, bytes, Arena.ofAuto()),
                        geometry);
                StringBuilder row = new StringBuilder("| " + geometry + " |");
                for (int size : SIZES) {
                    row.append(String.format(" %.2f |", pipe.best(first, size)));
                }
                if (first) {
                    System.out.println(row);
                }
                at += bytes;
            }
        }
    }

    private static String size(long bytes) {
        return bytes % (1 << 20) == 0 ? (bytes >> 20) + " MiB" : bytes % 1024 == 0 ? (bytes >> 10) + " KiB"
                : bytes + " B";
    }

    private double best(boolean first, int bytes) {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            best = Math.min(best, round(first, new byte[bytes], new byte[bytes]));
        }
        return best;
    }

    private double round(boolean first, byte[] out, byte[] in) {
        int turns = (int) Math.max(60, BYTES_A_ROUND / out.length);
        long taken = 0;
        for (int i = 0; i < turns; i++) {
            Arrays.fill(out, (byte) i);
            long start = System.nanoTime();
            if (first) {
                send(0, out);
                receive(1, in);
            } else {
                receive(0, in);
                send(1, out);
            }
            taken += System.nanoTime() - start;
            if (in[in.length - 1] != (byte) i) {
                throw new IllegalStateException("wrong data");
            }
        }
        return taken / 2e3 / turns;
    }

    private void send(int to, byte[] from) {
        long base = to * direction;
        int slot = nextOut[to];
        for (int at = 0; at < from.length; at += chunk) {
            long number = written[to]++;
            while (number - Words.acquire(memory, base + TAKEN) >= slots) {
                Thread.onSpinWait();
            }
            int length = Math.min(chunk, from.length - at);
            MemorySegment.copy(from, at, memory, ValueLayout.JAVA_BYTE, base + data + (long) slot * chunk, length);
            Words.release(memory, base + FLAGS + (long) slot * LINE, number + 1);
            slot = slot + 1 == slots ? 0 : slot + 1;
        }
        nextOut[to] = slot;
    }

    private void receive(int from, byte[] to) {
        long base = from * direction;
        int slot = nextIn[from];
        for (int at = 0; at < to.length; at += chunk) {
            long number = read[from]++;
            while (Words.acquire(memory, base + FLAGS + (long) slot * LINE) != number + 1) {
                Thread.onSpinWait();
            }
            int length = Math.min(chunk, to.length - at);
            long place = base + data + (long) slot * chunk;
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, place, to, at, length);
            for (int line = 0; taken && line < length; line += LINE) {
                Words.store(memory, place + line, 0);
            }
            Words.release(memory, base + TAKEN, number + 1);
            slot = slot + 1 == slots ? 0 : slot + 1;
        }
        nextIn[from] = slot;
    }
}
