package io.rankwire.tools.hosts;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What the launcher and the agents of the hosts send to each other.
 *
 * @param host which agent it is for, or which has sent it; {@link #ALL} for all agents
 */
public record Message(Kind kind, int host, byte[] body) {
    public static final int ALL = -1;
    /** The longest piece of a file or of output in one message. */
    public static final int PIECE = 64 << 10;

    private static final int MOST_BYTES = 64 << 20;

    /** The first group goes to agents, the second one comes from them. */
    public enum Kind {
        /** The number of the agent, and the hosts under it. */
        BEGIN,
        /** The job. */
        JOB,
        /** A piece of a file. */
        PIECE,
        /** Start the ranks. */
        START,
        /** Where the root listens. */
        ROOT,
        /** Standard input of rank 0; no bytes for its end. */
        INPUT,
        /** What do the ranks do? */
        ASK,
        /** A rank is to be killed. */
        KILL,
        /** A rank is dead, as the launcher knows; for the agent with the root. */
        DEAD,
        /** The process of a rank has ended with status 0, as the launcher knows; for the agent with the root. */
        WELL,
        /** The process of a rank runs that replaces another, as the launcher knows; for the agent with the root. */
        ALIVE,
        /** Has the root anything to report? */
        SETTLE,
        /** Start a rank that replaces another. */
        MORE,
        /** The process of a spare is not needed any more. */
        DISMISS,

        /** The host as its agent sees it. */
        HELLO,
        /** Files that are not there, by number. */
        NEEDS,
        /** All is there to start ranks. */
        READY,
        /** An agent under this one cannot be started from here. */
        UNREACHED,
        /** Nothing can be started, with a sentence that says why. */
        FAILED,
        LISTENS,
        /** The ranks of a job that goes on have found each other. */
        STARTED,
        /** The process of a rank runs that replaces another; sent again and again. */
        RUNS,
        /** What the root had to report was sent before this. */
        SETTLED,
        /** The root has declared a rank dead. */
        DECLARED,
        /** The root wants a rank killed. */
        DOOMED,
        /** The root wants a rank started that replaces another. */
        WANTED,
        /** The root has given a part to a spare, or to a rank that is to be started. */
        GIVEN,
        /** The root has ended a job that goes on otherwise. */
        OVER,
        OUTPUT,
        ERROR_OUTPUT,
        /** So many bytes of the input have been taken. */
        TAKEN,
        /** The process of a rank has ended; its output and status follow. */
        GONE,
        /** How the process of a rank has ended. */
        ENDED,
        /** Where a rank is bound. */
        BOUND,
        /** What a rank does. */
        DOING,
        /** What a rank has counted. */
        COUNTED,
        /** What an agent has done, for a user who wants to know. */
        DONE,
        /** The port at which the JVM of a rank waits for a debugger. */
        WAITS
    }

    private static final Kind[] KINDS = Kind.values();

    public static Message of(Kind kind, int host) {
        return new Message(kind, host, new byte[0]);
    }

    /** Reads a message; null at the end. */
    public static Message read(DataInputStream in) throws IOException {
        int kind = in.read();
        if (kind < 0) {
            return null;
        }
        int host = in.readInt();
        int length = in.readInt();
        if (kind >= KINDS.length || length < 0 || length > MOST_BYTES) {
            throw new IOException("no message of an agent");
        }
        byte[] body = new byte[length];
        in.readFully(body);
        return new Message(KINDS[kind], host, body);
    }

    /** Writes it at once. */
    public void write(DataOutputStream out) throws IOException {
        out.write(kind.ordinal());
        out.writeInt(host);
        out.writeInt(body.length);
        out.write(body);
        out.flush();
    }
}
