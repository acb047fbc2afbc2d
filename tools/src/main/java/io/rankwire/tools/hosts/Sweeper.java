package io.rankwire.tools.hosts;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A shell that outlives this process. When this process ends, however it does, the shell ends what ranks have started
 * and removes the directory: also if this process was killed and can do nothing itself. It finds processes by the
 * directory in their environment, which they inherit, so that it also finds those whose parent has ended.
 */
public final class Sweeper {
    /** The first line that it reads is the directory; the end of its input without a second one asks for a sweep. */
    private static final String SCRIPT = """
            trap "" 1 2 3 13 15; cd /;
            read -r d || exit 0; read -r x && exit 0;
            found() { grep -lsF "$0=$d" /proc/[0-9]*/environ | sed "s/[^0-9]//g"; };
            for i in 0 1 2 3 4 5 6 7 8 9; do
             p=$(found); if [ -z "$p" ]; then break; fi;
             case $i in 0) kill $p ;; 9) kill -9 $p ;; esac; sleep 0.1; done;
            for i in 0 1 2 3 4; do rm -rf "$d"; if [ ! -e "$d" ]; then exit 0; fi; sleep 0.2; done
            """.replace("\n", " ").strip();

    private final Process shell;

    /** @param variable of the environment that names the directory */
    public Sweeper(String variable) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", SCRIPT, variable);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.directory(new File("/"));
        try {
            shell = builder.start();
        } catch (IOException e) {
            // The rest of the message is about the JDK.
            throw new IOException(String.valueOf(e.getMessage()).split("\n")[0].strip(), e);
        }
    }

    /** Names the directory, best before that exists. */
    public void watch(Path directory) {
        write(directory.toString());
    }

    /** There is nothing to be swept. */
    public void dismiss() {
        write("done");
        close();
    }

    /** Sweeps now, and returns when that is done. */
    public void sweep(long ms) {
        close();
        try {
            shell.waitFor(ms, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(String line) {
        try {
            shell.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            shell.getOutputStream().flush();
        } catch (IOException e) {
            // It was killed; then this process has to do alone.
        }
    }

    private void close() {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            // As above.
        }
    }
}
