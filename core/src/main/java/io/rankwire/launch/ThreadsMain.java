package io.rankwire.launch;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.nio.charset.Charset;
import java.util.Arrays;

/**
 * Main class of a job whose ranks are threads of one process. The arguments are whether to tag output ({@code tag} or
 * {@code plain}), the user's main class and its arguments; the launcher that started it watches over the board as it
 * does for processes.
 */
public final class ThreadsMain {
    private ThreadsMain() {}

    public static void main(String[] args) {
        JobDirectory directory;
        Board board;
        int size;
        try {
            size = ProcessJob.number(ProcessJob.SIZE, 1, Integer.MAX_VALUE);
            directory = ProcessJob.directoryFromEnvironment();
            board = ProcessJob.boardOf(directory, size);
        } catch (IllegalStateException e) {
            System.err.println("rankwire: " + e.getMessage());
            System.exit(2);
            return;
        }
        ThreadJob.claimProcess();
        for (int rank = 0; rank < size; rank++) {
            board.started(rank, ProcessHandle.current().pid());
        }
        new RankWatch(directory, board).start();
        boolean tag = args[0].equals("tag");
        RankOutput out = new RankOutput(size, tag, FileDescriptor.out);
        RankOutput err = new RankOutput(size, tag, FileDescriptor.err);
        System.setOut(out.printer(System.getProperty("stdout.encoding")));
        System.setErr(err.printer(System.getProperty("stderr.encoding")));
        System.setIn(new FirstRankInput());
        ThreadRanks ranks = new ThreadRanks(size, board);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            int exiting = ranks.rankInside("java.lang.Runtime", "exit");
            if (exiting >= 0) {
                board.left(exiting);
            }
            out.finish();
            err.finish();
        }));
        URL[] classPath = RankLoader.classPath();
        String[] programArgs = Arrays.copyOfRange(args, 2, args.length);
        ranks.start(job -> runProgram(job, args[1], programArgs, classPath), (rank, thrown) -> {
            Failure.tell(directory, board, rank, thrown);
            System.exit(Aborted.status(thrown));
        });
        ranks.awaitAll(false);
    }

    private static void runProgram(Job job, String mainClass, String[] args, URL[] classPath) throws Throwable {
        job.programName(mainClass);
        // Never closed: threads that the program leaves running may load classes until the process ends.
        @SuppressWarnings("resource")
        RankLoader loader = new RankLoader(classPath, ThreadsMain.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        ProgramEntry.of(mainClass, loader).run(args.clone());
    }

    /** Standard output or error, sorted by the rank of the thread that writes. */
    private static final class RankOutput extends OutputStream {
        private final Lines[] lines;

        RankOutput(int size, boolean tag, FileDescriptor to) {
            Lines.Shared shared = new Lines.Shared(new FileOutputStream(to));
            lines = new Lines[size + 1];
            for (int rank = 0; rank < size; rank++) {
                lines[rank] = new Lines(shared, tag ? "[" + rank + "] " : "");
            }
            lines[size] = new Lines(shared, "");
        }

        PrintStream printer(String encoding) {
            Charset charset = encoding == null ? Charset.defaultCharset() : Charset.forName(encoding);
            return new PrintStream(this, true, charset);
        }

        private Lines mine() {
            ThreadJob job = ThreadJob.ofThread();
            return lines[job == null ? lines.length - 1 : job.rank()];
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            mine().write(bytes, offset, length);
        }

        void finish() {
            try {
                for (Lines each : lines) {
                    each.finish();
                }
            } catch (IOException e) {
                // Whoever read the output has gone.
            }
        }
    }

    /** Standard input for rank 0 only, as with processes. */
    private static final class FirstRankInput extends InputStream {
        private final InputStream real = new FileInputStream(FileDescriptor.in);

        private boolean isFirst() {
            ThreadJob job = ThreadJob.ofThread();
            return job == null || job.rank() == 0;
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
