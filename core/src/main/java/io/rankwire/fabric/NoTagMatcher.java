package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/** The matcher of a port that has none. */
final class NoTagMatcher implements TagMatcher {
    @Override
    public int places() {
        return 0;
    }

    @Override
    public int window() {
        return 0;
    }

    @Override
    public boolean reaches(int rank) {
        return false;
    }

    @Override
    public void open(Sink sink) {
        throw none();
    }

    @Override
    public boolean post(int place, long tag, long ignored) {
        throw none();
    }

    @Override
    public void cancel(int place) {
        throw none();
    }

    @Override
    public long claim(int rank, int payloadBytes) {
        throw none();
    }

    @Override
    public MemorySegment memory() {
        throw none();
    }

    @Override
    public void commit(int rank, long at, int payloadBytes, int meta, long header, long tag) {
        throw none();
    }

    private static UnsupportedOperationException none() {
        return new UnsupportedOperationException("this port matches no tags");
    }
}
