package io.rankwire.tools;

import io.rankwire.launch.Debugger;
import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;

/**
 * Which ranks wait for a debugger before they run the program, and where.
 *
 * @param rank -1 for all
 * @param port of that rank, or of rank 0, and the next rank has the next one; 0 for any
 */
record DebugPlan(int rank, int port) {
    private static final int MOST_PORT = 65_535;

    /** All ranks, as MPJ Express does it. */
    static DebugPlan ofAll(int firstPort) {
        return new DebugPlan(-1, firstPort);
    }

    /** As users write it: RANK or RANK:PORT. */
    static DebugPlan of(Given given, Option option, String text) {
        int colon = text.indexOf(':');
        int rank = number(colon < 0 ? text : text.substring(0, colon));
        int port = colon < 0 ? -1 : number(text.substring(colon + 1));
        if (rank < 0 || colon >= 0 && (port < 1 || port > MOST_PORT)) {
            throw given.wrong("option " + option + " needs a rank, or a rank and a port such as 2:"
                    + Debugger.USUAL_PORT + ", not " + text);
        }
        return new DebugPlan(rank, Math.max(0, port));
    }

    private static int number(String text) {
        return text.matches("[0-9]{1,7}") ? Integer.parseInt(text) : -1;
    }

    boolean has(int of) {
        return rank < 0 || rank == of;
    }

    /** The port of a rank that has one, 0 for any. */
    int port(int of) {
        return port == 0 ? 0 : rank < 0 ? port + of : port;
    }

    /** The same where a user has named no port: the usual one of this host if it is free. */
    DebugPlan here() {
        return port == 0 ? new DebugPlan(rank, Debugger.freePort()) : this;
    }

    /** How to attach to a rank whose JVM listens at this port of its host. */
    static String attach(int port) {
        return "jdb -attach " + port + ", or another debugger at 127.0.0.1:" + port;
    }
}
