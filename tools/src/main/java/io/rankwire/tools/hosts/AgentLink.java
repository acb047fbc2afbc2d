package io.rankwire.tools.hosts;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The connection to the agent of one host: the input and output of a process that runs there. */
public final class AgentLink extends Thread {
    /** Called on the thread of the connection. */
    public interface Listener {
        void received(Message message);

        /** The agent has ended before it should. */
        void lost(int host, String why);

        /** The agent could not be started. */
        void unreached(int host, String why);
    }

    private static final int MOST_TEXT = 4 << 10;
    private static final int MOST_LINES = 1000;
    private static final int EXIT_MS = 2000;
    /** The status of ssh if it fails itself. */
    private static final int FAILED = 255;
    private static final int SIGNALLED = 128;

    private final int host;
    private final String name;
    private final boolean local;
    private final AgentStart start;
    private final Listener listener;
    private final StringBuilder errors = new StringBuilder();
    private final Thread errorReader = new Thread(this::readErrors, "rankwire-ssh");
    /** Held by a thread that sends, which may take until the agent reads; so nothing else waits for it. */
    private final Object sending = new Object();
    /** What is to be sent once the agent runs; null from then on. */
    private List<Message> waiting = new ArrayList<>();
    private Process process;
    private DataOutputStream out;
    private boolean ending;

    public AgentLink(int host, String name, boolean local, AgentStart start, Listener listener) {
        super("rankwire-agent-" + name);
        this.host = host;
        this.name = name;
        this.local = local;
        this.start = start;
        this.listener = listener;
        setDaemon(true);
    }

    @Override
    public void run() {
        try {
            if (!begin()) {
                return;
            }
            errorReader.setDaemon(true);
            errorReader.start();
            DataInputStream in = new DataInputStream(new BufferedInputStream(process.getInputStream(), 1 << 17));
            String refusal = awaitAgent(in);
            if (refusal == null) {
                connected();
                for (Message next = Message.read(in); next != null; next = Message.read(in)) {
                    listener.received(next);
                }
            }
            lost(refusal);
        } catch (IOException e) {
            lost(e.getMessage() == null ? null : name + ": " + e.getMessage());
        }
    }

    private synchronized boolean begin() throws IOException {
        if (ending) {
            return false;
        }
        List<String> command = start.command(name, local);
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new IOException("cannot start `" + command.get(0) + "`: install an ssh client, or name another"
                    + " command by --ssh", e);
        }
        out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 17));
        return true;
    }

    /** Follows the script until the agent speaks; returns why it will not, or null. */
    private String awaitAgent(DataInputStream in) throws IOException {
        for (int lines = 0; lines < MOST_LINES; lines++) {
            String line = readLine(in);
            if (line == null) {
                return notStarted();
            }
            if (!line.startsWith(AgentStart.MARK)) {
                continue;
            }
            String[] words = line.substring(AgentStart.MARK.length()).split(" ", 2);
            String value = words.length < 2 ? "" : words[1];
            switch (words[0]) {
                case "want" -> {
                    OutputStream to = process.getOutputStream();
                    Files.copy(start.jar(value), to);
                    to.flush();
                }
                case "ready" -> { }
                case AgentStart.SPEAKS -> {
                    return null;
                }
                case "jdk" -> {
                    int needed = Runtime.version().feature();
                    return name + (value.equals("none") ? " has no JDK" : " has Java " + value) + ": install a JDK "
                            + needed + " or newer there, or set JAVA_HOME for shells that are not interactive";
                }
                case "jar" -> {
                    return name + " has not the same file " + value + ": put it there, or do without --copy=never";
                }
                default -> {
                    return name + " cannot store Rankwire in its directory for temporary files: make room there,"
                            + " or set TMPDIR for shells that are not interactive";
                }
            }
        }
        return name + " prints too much before a command runs: quieten its shell's start-up files";
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return null;
            }
            if (line.length() < MOST_TEXT) {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /** What ssh has said about it. */
    private String notStarted() {
        int status = exitStatus();
        String said = said(status);
        if (status != FAILED || local) {
            return name + " does not start the agent: " + (said.isEmpty() ? "exit status " + status : said);
        }
        if (said.contains("Permission denied")) {
            return name + " refuses the login (" + said + "): `" + String.join(" ", start.ssh()) + " " + name
                    + " true` must work without a password";
        }
        if (said.contains("Host key verification failed")) {
            return name + " has a key that ssh does not know: type `" + String.join(" ", start.ssh()) + " " + name
                    + "` once and accept it";
        }
        return said.isEmpty() ? "the connection to " + name + " was lost before its agent ran: that or ssh was killed"
                : name + " cannot be reached by ssh: " + said;
    }

    private int exitStatus() {
        try {
            return process.waitFor(EXIT_MS, TimeUnit.MILLISECONDS) ? process.exitValue() : -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    /** Why the process has ended, as far as it is known. */
    private String said(int status) {
        return status > SIGNALLED && status < FAILED
                ? "it" + (local ? "" : " or `" + start.ssh().get(0) + "`") + " was killed by signal "
                        + (status - SIGNALLED)
                : lastError();
    }

    /** The last line on standard error, once that has ended. */
    private String lastError() {
        try {
            errorReader.join(EXIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (errors) {
            String[] lines = errors.toString().strip().split("\n");
            return lines[lines.length - 1].strip();
        }
    }

    private void readErrors() {
        byte[] buffer = new byte[1024];
        try (InputStream in = process.getErrorStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                synchronized (errors) {
                    errors.append(new String(buffer, 0, count, StandardCharsets.UTF_8));
                    errors.delete(0, Math.max(0, errors.length() - MOST_TEXT));
                }
            }
        } catch (IOException e) {
            // The process has ended.
        }
    }

    private void lost(String why) {
        if (isEnding()) {
            return;
        }
        String said = why != null ? why : said(exitStatus());
        String reason = why != null ? why
                : "the agent on " + name + " has ended" + (said.isEmpty() ? "" : ": " + said);
        if (speaks()) {
            listener.lost(host, reason);
        } else {
            listener.unreached(host, reason);
        }
    }

    private synchronized boolean isEnding() {
        return ending;
    }

    /** Whether the agent has begun to run. */
    private boolean speaks() {
        synchronized (sending) {
            return waiting == null;
        }
    }

    private void connected() throws IOException {
        synchronized (sending) {
            for (Message each : waiting) {
                each.write(out);
            }
            waiting = null;
        }
    }

    /** Sends when the agent runs; one that has ended is reported by the thread that reads. */
    public void send(Message message) {
        synchronized (sending) {
            try {
                if (waiting != null) {
                    waiting.add(message);
                } else {
                    message.write(out);
                }
            } catch (IOException e) {
                // As said.
            }
        }
    }

    /** Closes the input of the agent, which ends it and all that it has started. */
    public void end() {
        Process of;
        synchronized (this) {
            ending = true;
            of = process;
        }
        try {
            if (of != null) {
                of.getOutputStream().close();
            }
        } catch (IOException e) {
            // It has ended.
        }
    }

    /** Ends the connection to a host that does not answer. */
    public void drop() {
        Process of;
        synchronized (this) {
            ending = true;
            of = process;
        }
        if (of != null) {
            of.destroyForcibly();
        }
    }

    /** Waits for the end of the agent, and ends the connection if that takes too long. */
    public void awaitEnd(long deadlineNs) {
        Process of;
        synchronized (this) {
            of = process;
        }
        try {
            long ns = deadlineNs - System.nanoTime();
            // What runs there without an agent ends by itself.
            long most = speaks() ? ns : Math.min(ns, EXIT_MS * 1_000_000L);
            if (of != null && !of.waitFor(Math.max(0, most), TimeUnit.NANOSECONDS)) {
                of.destroyForcibly();
            }
            join(EXIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
