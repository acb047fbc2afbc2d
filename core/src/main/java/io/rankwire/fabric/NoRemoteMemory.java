package io.rankwire.fabric;

/** For ports that reach no memory of peers but by frames. */
final class NoRemoteMemory implements RemoteMemory {
    @Override
    public boolean reaches(int rank) {
        return false;
    }

    @Override
    public long worthFrom(int rank) {
        return Long.MAX_VALUE;
    }

    @Override
    public void offer(Shared shared) {}

    @Override
    public void withdraw(Shared shared) {}

    @Override
    public long read(int rank, long place, long offset, Shared to, long toOffset, long bytes) {
        throw new IllegalStateException("rank " + rank + " is out of reach");
    }

    @Override
    public long write(int rank, long place, long offset, Shared from, long fromOffset, long bytes) {
        throw new IllegalStateException("rank " + rank + " is out of reach");
    }

    @Override
    public int state(long ticket) {
        throw new IllegalStateException("no access " + ticket);
    }
}
