package io.rankwire.tools;

import io.rankwire.tools.hosts.Message;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** Standard input on its way to rank 0, no faster than that reads it. */
final class JobInput {
    private static final int CREDIT = 4 * Message.PIECE;

    private final Semaphore credit = new Semaphore(CREDIT);

    /** Reads from now on; the last piece is empty. */
    void start(Consumer<byte[]> to) {
        if (isInBackground()) {
            // A read would stop the whole job.
            to.accept(new byte[0]);
            return;
        }
        Thread reader = new Thread(() -> read(to), "rankwire-input");
        reader.setDaemon(true);
        reader.start();
    }

    private void read(Consumer<byte[]> to) {
        byte[] buffer = new byte[Message.PIECE];
        try (InputStream in = new FileInputStream(FileDescriptor.in)) {
            for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                credit.acquire(count);
                to.accept(Arrays.copyOf(buffer, count));
            }
        } catch (IOException e) {
            // No input, as far as rank 0 is concerned.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        to.accept(new byte[0]);
    }

    /** Rank 0 has got this many more bytes. */
    void taken(int bytes) {
        credit.release(bytes);
    }

    /** Whether input is a terminal that another program has. */
    static boolean isInBackground() {
        try {
            String input = Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString();
            String stat = Files.readString(Path.of("/proc/self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            // State, parent, group, session, terminal, group of the terminal.
            return (input.startsWith("/dev/pts/") || input.startsWith("/dev/tty")) && !fields[2].equals(fields[5]);
        } catch (IOException e) {
            return false;
        }
    }
}
