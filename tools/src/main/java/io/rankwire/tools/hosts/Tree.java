package io.rankwire.tools.hosts;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The agents that the launcher or an agent starts itself, and the way to all others. The launcher starts the first
 * ones, and each of these as many more, so that a few steps reach hundreds of hosts.
 */
public final class Tree {
    /** The number of the launcher. */
    public static final int LAUNCHER = -1;

    private final int self;
    private final int fanOut;
    private final List<String> names;
    private final int locals;
    private final AgentStart start;
    private final Map<Integer, AgentLink> children = new LinkedHashMap<>();
    /** Hosts that seem not to answer. */
    private final BitSet doubted = new BitSet();
    private boolean ended;

    /**
     * @param self the number of this agent, or {@link #LAUNCHER}
     * @param fanOut how many agents one of them starts
     * @param names of all hosts
     * @param locals how many of the first hosts are this machine, which the launcher starts without ssh
     */
    public Tree(int self, int fanOut, List<String> names, int locals, AgentStart start) {
        this.self = self;
        this.fanOut = Math.max(fanOut, locals);
        this.names = names;
        this.locals = locals;
        this.start = start;
    }

    /** The place of the agent in the tree that a message has given. */
    public static Tree of(Message begin, String javaHome, String tools, String core) {
        Body.Reader in = new Body.Reader(begin);
        return new Tree(in.number(), in.number(), in.texts(), in.number(),
                new AgentStart(in.texts(), javaHome, tools, core, in.text(), in.text()));
    }

    private Message begin(int host) {
        return new Body().put(host).put(fanOut).put(names).put(locals).put(start.ssh()).put(start.archive())
                .put(start.copy()).to(Message.Kind.BEGIN, host);
    }

    /** Starts all children, side by side. */
    public void start(AgentLink.Listener listener) {
        int first = fanOut * (self + 1);
        for (int host = first; host < Math.min(names.size(), first + fanOut); host++) {
            start(host, listener);
        }
    }

    /** Starts one agent, also one that its parent in the tree cannot reach. */
    public void start(int host, AgentLink.Listener listener) {
        AgentLink link = new AgentLink(host, names.get(host), host < locals, start, listener);
        link.send(begin(host));
        synchronized (children) {
            if (ended) {
                return;
            }
            children.put(host, link);
        }
        link.start();
    }

    /** An agent could not be started from here. */
    public void forget(int host) {
        synchronized (children) {
            children.remove(host);
        }
    }

    /** Whether messages for a host pass through another one, or that is the same. */
    public boolean isUnder(int host, int other) {
        synchronized (children) {
            int each = host;
            while (each > self && each != other && !children.containsKey(each)) {
                each = parent(each);
            }
            return each == other;
        }
    }

    /** A host does not answer: its agent is not waited for. */
    public void drop(int host) {
        AgentLink link;
        synchronized (children) {
            link = children.remove(host);
        }
        if (link != null) {
            link.drop();
        }
    }

    /** A host seems not to answer, or does so again: at the end its agent is not waited for. */
    public void doubt(int host, boolean isSilent) {
        synchronized (children) {
            doubted.set(host, isSilent);
        }
    }

    public int self() {
        return self;
    }

    public String name(int host) {
        return names.get(host);
    }

    private int parent(int host) {
        return host / fanOut - 1;
    }

    /** Sends a message to the agents under this one that it is for. */
    public void send(Message message) {
        if (message.host() == Message.ALL) {
            all().forEach(link -> link.send(message));
            return;
        }
        AgentLink link = null;
        synchronized (children) {
            for (int child = message.host(); child > self && link == null; child = parent(child)) {
                link = children.get(child);
            }
        }
        if (link != null) {
            link.send(message);
        }
    }

    private List<AgentLink> all() {
        synchronized (children) {
            return new ArrayList<>(children.values());
        }
    }

    /** Ends all agents under this one; returns when they have ended, or the time is over. */
    public void end(long ms) {
        long deadline = System.nanoTime() + ms * 1_000_000;
        List<AgentLink> links;
        synchronized (children) {
            ended = true;
            doubted.stream().forEach(this::drop);
            links = all();
        }
        links.forEach(AgentLink::end);
        links.forEach(link -> link.awaitEnd(deadline));
    }
}
