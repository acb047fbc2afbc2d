package io.rankwire.launch;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The standard streams of a process that runs all ranks of a job, separated by the rank of the thread that uses them.
 */
final class RankStreams {
    private final RankOutput out;
    private final RankOutput err;

    /**
     * Takes the streams of the process over.
     *
     * @param tag whether each line begins with its rank; where there are several jobs, with those of job and rank
     * @param sizes the number of ranks of each job
     */
    RankStreams(boolean tag, int... sizes) {
        List<String> tags = new ArrayList<>();
        for (int job = 0; job < sizes.length; job++) {
            for (int rank = 0; rank < sizes[job]; rank++) {
                tags.add(!tag ? "" : sizes.length == 1 ? "[" + rank + "] " : "[" + (job + 1) + ":" + rank + "] ");
            }
        }
        tags.add("");
        out = new RankOutput(tags, FileDescriptor.out);
        err = new RankOutput(tags, FileDescriptor.err);
        System.setOut(out.printer(System.getProperty("stdout.encoding")));
        System.setErr(err.printer(System.getProperty("stderr.encoding")));
        System.setIn(new FirstRankInput());
    }

    /** From now on nothing is let out, and standard input is at its end. */
    void keep() {
        out.keep();
        err.keep();
        System.setIn(InputStream.nullInputStream());
    }

    /** What was kept since the last time: of each rank first its standard output, then its errors. */
    String taken() {
        StringBuilder text = new StringBuilder();
        for (int rank = 0; rank < out.kept.length; rank++) {
            text.append(out.taken(rank)).append(err.taken(rank));
        }
        return text.toString();
    }

    /** Lets out what stands in lines without an end. */
    void finish() {
        out.finish();
        err.finish();
    }

    /** Standard output or error, sorted by the rank of the thread that writes. */
    private static final class RankOutput extends OutputStream {
        private final Lines[] lines;
        private final String[] tags;
        /** By rank, when it is kept; else null. */
        private ByteArrayOutputStream[] kept;
        private Charset charset = Charset.defaultCharset();

        RankOutput(List<String> tags, FileDescriptor to) {
            Lines.Shared shared = new Lines.Shared(new FileOutputStream(to));
            this.tags = tags.toArray(String[]::new);
            lines = tags.stream().map(each -> new Lines(shared, each)).toArray(Lines[]::new);
        }

        PrintStream printer(String encoding) {
            charset = encoding == null ? Charset.defaultCharset() : Charset.forName(encoding);
            return new PrintStream(this, true, charset);
        }

        private int mine() {
            Job job = Job.ofThread();
            return job == null ? lines.length - 1 : job.outermostRank();
        }

        void keep() {
            kept = new ByteArrayOutputStream[lines.length];
            for (int i = 0; i < kept.length; i++) {
                kept[i] = new ByteArrayOutputStream();
            }
        }

        String taken(int rank) {
            String text = kept[rank].toString(charset);
            kept[rank].reset();
            return text.lines().map(line -> tags[rank] + line + "\n").collect(Collectors.joining());
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int rank = mine();
            if (kept != null) {
                kept[rank].write(bytes, offset, length);
            } else {
                lines[rank].write(bytes, offset, length);
            }
        }

        void finish() {
            try {
                for (Lines each : lines) {
                    each.finish();
                }
            } catch (IOException e) {
                // The reader of the output has gone.
            }
        }
    }

    /** Standard input for rank 0 only, as with processes. */
    private static final class FirstRankInput extends InputStream {
        private final InputStream real = new FileInputStream(FileDescriptor.in);

        private boolean isFirst() {
            Job job = Job.ofThread();
            return job == null || job.outermostRank() == 0;
        }

        @Override
        public int read() throws IOException {
            return isFirst() ? real.read() : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return isFirst() ? real.read(bytes, offset, length) : -1;
        }

        @Override
        public int available() throws IOException {
            return isFirst() ? real.available() : 0;
        }
    }
}
