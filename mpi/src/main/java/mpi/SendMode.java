package mpi;

import io.rankwire.TypedCollectives;

/** The four modes of a send, each with the calls of core that send, start a send and make a persistent send. */
enum SendMode {
    STANDARD(TypedCollectives::send, TypedCollectives::isend, TypedCollectives::sendInit),
    BUFFERED(TypedCollectives::bsend, TypedCollectives::ibsend, TypedCollectives::bsendInit),
    SYNCHRONOUS(TypedCollectives::ssend, TypedCollectives::issend, TypedCollectives::ssendInit),
    READY(TypedCollectives::rsend, TypedCollectives::irsend, TypedCollectives::rsendInit);

    /** A blocking send of elements that a datatype describes. */
    @FunctionalInterface
    interface Blocking {
        void send(TypedCollectives on, Object base, long at, long count, io.rankwire.Datatype type, int dest, int tag);
    }

    /** A send of the same elements that returns a request. */
    @FunctionalInterface
    interface Requested {
        io.rankwire.Request send(
                TypedCollectives on, Object base, long at, long count, io.rankwire.Datatype type, int dest, int tag);
    }

    final Blocking blocking;
    final Requested immediate;
    final Requested persistent;

    SendMode(Blocking blocking, Requested immediate, Requested persistent) {
        this.blocking = blocking;
        this.immediate = immediate;
        this.persistent = persistent;
    }
}
