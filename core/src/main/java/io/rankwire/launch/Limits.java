package io.rankwire.launch;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;

/** The limits of the system, and the messages for jobs that exceed them. */
public final class Limits {
    /** Both ends of the pipes from a process while it is started, and what that takes itself. */
    private static final int FILES_FOR_A_START = 10;
    /** The pipes of its output. */
    private static final int FILES_OF_A_PROCESS = 2;

    private Limits() {}

    /** The soft limit of one line of the system's table; empty where there is none. */
    public static String of(String name) {
        // No stream: its set-up would cost every job some milliseconds.
        try (BufferedReader lines = new BufferedReader(new FileReader("/proc/self/limits"))) {
            for (String line; (line = lines.readLine()) != null; ) {
                if (line.startsWith(name)) {
                    return line.substring(name.length()).strip().split(" ")[0];
                }
            }
        } catch (IOException e) {
            // Another system.
        }
        return "";
    }

    /** Why this many processes cannot be started with the files that may still be opened; null when they can. */
    public static String tooFewFiles(int processes) {
        String most = of("Max open files");
        String[] open = new File("/proc/self/fd").list();
        int needed = FILES_OF_A_PROCESS * (processes - 1) + FILES_FOR_A_START;
        return open == null || !isNumber(most) || open.length + needed <= Long.parseLong(most) ? null : noFile();
    }

    /** Why a process could not be started, in a sentence; the message of the JDK has ten lines. */
    public static String whyNotStarted(IOException e) {
        String message = String.valueOf(e.getMessage());
        if (message.contains("error: 11") || message.contains("error=11")) {
            return noThread();
        }
        if (message.contains("error: 24") || message.contains("error=24") || message.contains("Too many open files")) {
            return noFile();
        }
        int end = message.indexOf('\n');
        return (end < 0 ? message : message.substring(0, end).strip())
                + "; `rankwire doctor` shows the limits of this machine";
    }

    /** That no thread or process can be started, and what to do. */
    public static String noThread() {
        String most = of("Max processes");
        return "no more threads or processes can be started" + (isNumber(most) ? ": this user may have " + most : "")
                + "; raise the limit (ulimit -u), end others, or use fewer ranks";
    }

    private static String noFile() {
        String most = of("Max open files");
        return "no more files can be opened" + (isNumber(most) ? ": a process may have " + most : "")
                + "; raise the limit (ulimit -n), or use fewer ranks";
    }

    private static boolean isNumber(String limit) {
        return !limit.isEmpty() && Character.isDigit(limit.charAt(0));
    }
}
