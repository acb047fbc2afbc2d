package io.rankwire.fabric.ofi;

import io.rankwire.fabric.TriggeredProgram;
import io.rankwire.fabric.TriggeredWork;
import java.util.ArrayList;
import java.util.List;

/** Deferred work of a port: counters of the provider, places for entries, and the programs that have some of them. */
final class OfiWork implements TriggeredWork {
    private static final int MOST_ENTRIES = 1 << 10;
    private static final int MOST_COUNTERS = 1 << 10;
    /** A message that has a head, bytes and a filling has this many parts. */
    private static final int PARTS = 3;
    /** After this many polls, the provider tries entries again that it could not begin when their counter came. */
    private static final int NUDGED = 64;

    private final OfiPort port;
    private final Engine engine;
    final DeferredWork entries;
    /**
     * Whether a send that ends may not let another begin. The provider {@code sockets} counts a send as ended while it
     * holds the lock that it needs to begin one, and so waits for itself. So entries wait for other counters than those
     * that sends advance, and the thread that drives the port passes the values on.
     */
    private final boolean passesOn;
    private final List<Counter> free = new ArrayList<>();
    private final List<OfiProgram> programs = new ArrayList<>();
    private int counters;
    private int polls;

    OfiWork(OfiPort port, Engine engine) {
        this.port = port;
        this.engine = engine;
        this.passesOn = engine.provider.core().equals("sockets");
        this.entries = new DeferredWork(engine, Math.clamp(engine.provider.sends() / 2, 16, MOST_ENTRIES));
    }

    /** Why a provider has none; null if it has. */
    static String obstacleOf(Engine engine) {
        String name = "provider " + engine.provider.name() + " of libfabric ";
        if (engine.provider.needs(Abi.FI_MR_LOCAL)) {
            return name + "sends registered memory only";
        }
        return DeferredWork.isTaken(engine) ? null : name + "takes no deferred work";
    }

    @Override
    public String obstacle() {
        return null;
    }

    @Override
    public String obstacle(int rank) {
        OfiPeer peer = port.peer(rank);
        port.progress();
        return peer.isGone() ? "the rank has left" : peer.head != null || peer.open != null && !peer.open.isEmpty()
                ? "messages to it wait" : null;
    }

    @Override
    public int mostBytes() {
        return engine.provider.parts() < PARTS ? 0 : OfiPort.MOST_WHOLE;
    }

    @Override
    public String name() {
        return "provider " + engine.provider.name() + " of libfabric";
    }

    @Override
    public TriggeredProgram program(int ofProgram, int most) {
        int wanted = passesOn ? 2 * ofProgram : ofProgram;
        if (most > entries.left()) {
            return null;
        }
        while (free.size() < wanted && counters < MOST_COUNTERS) {
            Counter counter = engine.counter();
            if (counter == null) {
                break;
            }
            counters++;
            free.add(counter);
        }
        if (free.size() < wanted) {
            return null;
        }
        Counter[] taken = take(ofProgram);
        OfiProgram program = new OfiProgram(port, this, taken, passesOn ? take(ofProgram) : taken, most);
        programs.add(program);
        return program;
    }

    private Counter[] take(int count) {
        Counter[] taken = new Counter[count];
        for (int i = 0; i < count; i++) {
            taken[i] = free.removeLast();
            taken[i].set(0);
        }
        return taken;
    }

    /** A program has ended. */
    void ended(OfiProgram program, Counter[] taken, Counter[] ended) {
        programs.remove(program);
        free.addAll(List.of(taken));
        if (ended != taken) {
            free.addAll(List.of(ended));
        }
    }

    /** Entries that the provider may begin at any time. */
    int pending() {
        int pending = 0;
        for (int i = 0; i < programs.size(); i++) {
            pending += programs.get(i).sends();
        }
        return pending;
    }

    /** An entry that finds the provider full stays until its counter moves: from time to time, each is moved by 0. */
    void progress() {
        polls++;
        for (int i = 0; i < programs.size(); i++) {
            programs.get(i).passOn();
            if (polls % NUDGED == 0) {
                programs.get(i).nudge();
            }
        }
    }

    /** Withdraws what has not begun: the provider keeps entries that never begin, also when a counter is closed. */
    void withdraw() {
        for (OfiProgram program : programs) {
            if (!program.isSettled()) {
                program.withdraw();
            }
        }
    }

    /** Closes all counters; the endpoint is closed. */
    void close() {
        for (OfiProgram program : List.copyOf(programs)) {
            program.abandon();
        }
        free.forEach(Counter::close);
        entries.close();
    }
}
