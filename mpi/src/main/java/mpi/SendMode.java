package mpi;

import io.rankwire.AnyCommunicator;

/** The four modes of a send, each with the calls of core that send, start a send and make a persistent send. */
enum SendMode {
    STANDARD(AnyCommunicator::send, AnyCommunicator::isend, AnyCommunicator::sendInit),
    BUFFERED(AnyCommunicator::bsend, AnyCommunicator::ibsend, AnyCommunicator::bsendInit),
    SYNCHRONOUS(AnyCommunicator::ssend, AnyCommunicator::issend, AnyCommunicator::ssendInit),
    READY(AnyCommunicator::rsend, AnyCommunicator::irsend, AnyCommunicator::rsendInit);

    /** A blocking send of elements that a datatype describes. */
    @FunctionalInterface
    interface Blocking {
        void send(AnyCommunicator on, Object base, long at, long count, io.rankwire.Datatype type, int dest, int tag);
    }

    /** A send of the same elements that returns a request. */
    @FunctionalInterface
    interface Requested {
        io.rankwire.Request send(
                AnyCommunicator on, Object base, long at, long count, io.rankwire.Datatype type, int dest, int tag);
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
