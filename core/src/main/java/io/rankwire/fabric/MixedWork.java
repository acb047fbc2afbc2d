package io.rankwire.fabric;

/** What the network of a {@link MixedPort} does by itself; frames to ranks of this host are not among it. */
record MixedWork(TriggeredWork between, boolean[] isInside) implements TriggeredWork {
    @Override
    public String obstacle() {
        return between.obstacle();
    }

    @Override
    public String obstacle(int rank) {
        return isInside[rank] ? "rank " + rank + " of the world is on this host" : between.obstacle(rank);
    }

    @Override
    public int mostBytes() {
        return between.mostBytes();
    }

    @Override
    public String name() {
        return between.name();
    }

    @Override
    public TriggeredProgram program(int counters, int entries) {
        return between.program(counters, entries);
    }
}
