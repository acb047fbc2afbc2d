package io.rankwire.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The debugger of the JDK, attached to a rank. */
final class Jdb implements AutoCloseable {

    private final Process process;
    private final StringBuffer seen = new StringBuffer();
    private int found;

    private Jdb(Process process) {
        this.process = process;
        Thread.ofPlatform().daemon().start(this::read);
    }

    static Jdb attach(int port) throws IOException {
        String program = Path.of(System.getProperty("java.home"), "bin", "jdb").toString();
        return new Jdb(new ProcessBuilder(program, "-attach", Integer.toString(port)).redirectErrorStream(true)
                .start());
    }

    private void read() {
        byte[] buffer = new byte[4096];
        try (InputStream in = process.getInputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                seen.append(new String(buffer, 0, count, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            // It has ended.
        }
    }

    /** Waits for the prompt of the thread that it has stopped: a line typed before that ends jdb's event handler. */
    Jdb untilStopped(String reason) throws Exception {
        return until(reason).until("[1] ");
    }

    /** Waits until it has printed this, behind what was waited for before. */
    Jdb until(String words) throws Exception {
        try {
            Command.await("jdb has printed " + words, () -> seen.indexOf(words, found) >= 0);
            found = seen.indexOf(words, found) + words.length();
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + ", but\n" + seen, e);
        }
        return this;
    }

    Jdb type(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        return this;
    }

    String seen() {
        return seen.toString();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
