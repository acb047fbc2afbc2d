package io.rankwire.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * How a debugger finds the JVM of a rank. The JVM waits for one before it runs the program, or it listens from the
 * moment at which a rank of the job has failed. It listens at the loopback address alone, at a given port or at one
 * that the system chooses. The agent of the JVM then runs a script, which leaves the port in the job's directory:
 * otherwise it would print a line among the output of the program.
 */
public final class Debugger {
    /** Where debuggers look if they are not given a port. */
    public static final int USUAL_PORT = 5005;

    /** Set in ranks that stay for a debugger when they fail. */
    private static final String STAYS = "rankwire.pauseOnError";
    private static final String SCRIPT = "debugger";
    private static final String PORT = "port.";

    /** The agent begins to listen when this is thrown. */
    static final class Wanted extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Wanted() {
            super(null, null, false, false);
        }
    }

    private Debugger() {}

    /** Options of a JVM that waits for a debugger at this port, 0 for any, before it runs the program. */
    public static List<String> waiting(Path directory, int port) throws IOException {
        return List.of(agent(directory, port) + ",suspend=y");
    }

    /** Options of a JVM that listens for a debugger once a rank of the job has failed. */
    public static List<String> onFailure(Path directory) throws IOException {
        return List.of(agent(directory, 0) + ",suspend=n,onthrow=" + Wanted.class.getName(), "-D" + STAYS + "=true");
    }

    private static String agent(Path directory, int port) throws IOException {
        String place = directory.toString();
        if (place.indexOf(',') >= 0 || place.indexOf(' ') >= 0) {
            throw new IOException("a debugger needs a directory for jobs without blanks and commas in its name, not "
                    + directory.getParent() + ": set " + JobDirectory.ROOT_VARIABLE + " to another one");
        }
        Path script = directory.resolve(SCRIPT);
        if (!Files.exists(script)) {
            String file = place + "/" + PORT + "${" + ProcessJob.RANK + ":-0}";
            // Under another name until it is whole: the launcher may be looking for it.
            String text = "echo \"$2\" > " + file + ".draft && mv " + file + ".draft " + file + "\n";
            JobDirectory.write(script, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }
        return "-agentlib:jdwp=transport=dt_socket,server=y,address=127.0.0.1:" + port + ",launch=/bin/sh " + script;
    }

    /** The port at which the JVM of a rank listens for a debugger; 0 while it does not. */
    public static int port(Path directory, int rank) {
        try {
            String text = Files.readString(directory.resolve(PORT + rank)).strip();
            return Integer.parseInt(text.substring(text.lastIndexOf(':') + 1));
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    /** The usual port if nothing listens there, or else 0 for any. */
    public static int freePort() {
        return isFree(USUAL_PORT) ? USUAL_PORT : 0;
    }

    /** Whether nothing listens at this port of this host. */
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Has the agent of this JVM listen, if it was started for that. */
    static void listen() {
        try {
            throw new Wanted();
        } catch (Wanted seen) {
            // The agent has seen it.
        }
    }

    /** Keeps the calling thread where it is after a failure, if the job stays for a debugger; a signal ends it. */
    static void stay() {
        while (Boolean.getBoolean(STAYS)) {
            LockSupport.park();
        }
    }
}
