package io.rankwire.tools;

import static io.rankwire.tools.MatrixRow.expect;

import io.rankwire.ActiveMessages;
import io.rankwire.Datagram;
import io.rankwire.ErrorClass;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Window;
import io.rankwire.Work;
import io.rankwire.WorkBuffer;
import io.rankwire.WorkQueue;
import io.rankwire.tools.MatrixRow.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Datagrams, active messages and work queues. */
final class AsideRows {
    private static final int QUEUE = 9;

    private AsideRows() {}

    static void addTo(List<MatrixRow> rows) {
        datagrams(rows);
        active(rows);
        work(rows);
    }

    private static Datagram socket(MatrixStage stage) {
        Datagram socket = Datagram.open(stage.world, QUEUE, 256, 64);
        stage.atEnd(socket::close);
        stage.on.barrier();
        return socket;
    }

    /** Sends to a rank of the world. */
    private interface Send {
        void to(Datagram socket, int node, int... number) throws Exception;
    }

    /** Receives a number if one comes. */
    private interface Take {
        Optional<Datagram.Received> from(Datagram socket, int... number) throws Exception;
    }

    private static void datagrams(List<MatrixRow> rows) {
        Send send = (socket, node, number) -> socket.sendTo(number, node, QUEUE);
        Send trySend = (socket, node, number) -> {
            while (!socket.trySendTo(number, node, QUEUE)) {
                Thread.onSpinWait();
            }
            awaitSent(socket);
        };
        sending(rows, "sendTo", send);
        sending(rows, "sendMessage", (socket, node, number) ->
                socket.sendMessage(new Object[] {number, new byte[3]}, node, QUEUE));
        sending(rows, "trySendTo", trySend);
        sending(rows, "trySendMessage", (socket, node, number) -> {
            while (!socket.trySendMessage(new Object[] {number}, node, QUEUE)) {
                Thread.onSpinWait();
            }
            awaitSent(socket);
        });
        taking(rows, "receiveFrom", send, (socket, number) -> socket.receiveFrom(number));
        taking(rows, "receiveMessage", send, (socket, number) -> socket.receiveMessage((Object) number));
        taking(rows, "receiveAt", trySend, (socket, number) -> socket.receiveAt(QUEUE, number));
        taking(rows, "tryReceiveFrom", trySend, (socket, number) -> socket.tryReceiveFrom(number));
        taking(rows, "tryReceiveMessage", trySend, (socket, number) -> socket.tryReceiveMessage((Object) number));
        taking(rows, "tryReceiveAt", trySend, (socket, number) -> socket.tryReceiveAt(QUEUE, number));
        taking(rows, "awaitAny of datagrams", send, (socket, number) ->
                Datagram.awaitAny(Duration.ofSeconds(1), socket).flatMap(each -> each.receiveFrom(number)));
    }

    private static void awaitSent(Datagram socket) {
        while (!socket.sendDone()) {
            Thread.onSpinWait();
        }
    }

    private static void sending(List<MatrixRow> rows, String name, Send send) {
        rows.add(new MatrixRow(name, Promise.PEER, stage -> {
            Datagram socket = socket(stage);
            int victim = stage.placeOf(stage.victim);
            return round -> {
                if (!stage.dies) {
                    send.to(socket, victim, round);
                } else if (socket.tryReceiveFrom(new int[2]).isEmpty()) {
                    stage.idle();
                }
            };
        }));
    }

    /** Around those that live, one after the other. */
    private static void taking(List<MatrixRow> rows, String name, Send send, Take take) {
        rows.add(new MatrixRow(name, Promise.GOES_ON, stage -> {
            Datagram socket = socket(stage);
            int before = stage.placeOf(stage.liveBefore(stage.rank));
            int after = stage.placeOf(stage.liveAfter(stage.rank));
            return round -> {
                if (stage.dies) {
                    stage.idle();
                    return;
                }
                send.to(socket, after, round);
                int[] number = new int[1];
                Optional<Datagram.Received> came = take.from(socket, number);
                while (came.isEmpty()) {
                    came = take.from(socket, number);
                }
                expect("sender", before, came.get().node());
                expect("number", round, number[0]);
            };
        }));
    }

    private static void active(List<MatrixRow> rows) {
        rows.add(new MatrixRow("ActiveMessages.post", Promise.PEER, stage -> {
            ActiveMessages active = ActiveMessages.open(stage.on);
            stage.atEnd(active::free);
            active.handle(1, (source, payload) -> { });
            return round -> {
                if (stage.dies) {
                    stage.idle();
                } else {
                    active.post(1, stage.victim, new int[] {round});
                }
            };
        }));
        rows.add(new MatrixRow("ActiveMessages.await", Promise.PEER_ONCE, stage -> {
            ActiveMessages active = ActiveMessages.open(stage.on);
            stage.atEnd(active::free);
            int[] came = new int[1];
            active.handle(1, (source, payload) -> came[0]++);
            return round -> {
                if (stage.dies) {
                    for (int to = 0; to < stage.size; to++) {
                        active.post(1, to, new int[] {round});
                    }
                } else {
                    active.await(() -> came[0] > round);
                }
            };
        }));
        rows.add(new MatrixRow("active messages of live ranks", Promise.GOES_ON, stage -> {
            ActiveMessages active = ActiveMessages.open(stage.on);
            stage.atEnd(active::free);
            int[] came = new int[1];
            active.handle(1, (source, payload) -> came[0]++);
            return round -> {
                if (stage.dies) {
                    stage.idle();
                    return;
                }
                active.post(1, stage.liveAfter(stage.rank), new int[] {round});
                while (came[0] <= round) {
                    try {
                        active.await(() -> came[0] > round);
                    } catch (RankwireException e) {
                        expect("class " + e, ErrorClass.PEER.ordinal(), e.errorClass().ordinal());
                    }
                }
            };
        }));
        rows.add(new MatrixRow("ActiveMessages.fence", Promise.PEER, stage -> {
            ActiveMessages active = ActiveMessages.open(stage.on);
            stage.atEnd(active::free);
            int[] came = new int[1];
            active.handle(1, (source, payload) -> came[0]++);
            return round -> {
                active.post(1, (stage.rank + 1) % stage.size, new int[] {round});
                active.fence();
                if (came[0] <= round) {
                    throw new IllegalStateException(came[0] + " messages after fence " + round);
                }
            };
        }));
        rows.add(new MatrixRow("ActiveMessages.open", Promise.PEER, stage -> round -> {
            ActiveMessages active = ActiveMessages.open(stage.on);
            active.handle(1, (source, payload) -> { });
            try {
                active.fence();
            } finally {
                active.free();
            }
        }));
    }

    /** Appends entries that talk with a rank. */
    private interface Entries {
        void add(Work work, WorkQueue queue, int rank, WorkBuffer give, WorkBuffer got, int sent, int came);
    }

    private static void work(List<MatrixRow> rows) {
        talking(rows, "work of send and receive", (work, queue, rank, give, got, sent, came) ->
                queue.send(rank, give, sent).receive(rank, got, came).await(came, 1).await(sent, 1));
        talking(rows, "work of sendConfirmed", (work, queue, rank, give, got, sent, came) ->
                queue.receive(rank, got, came).sendConfirmed(rank, give, sent).await(came, 1).await(sent, 1));
        talking(rows, "work of sendTo and receiveFrom", (work, queue, rank, give, got, sent, came) -> {
            WorkBuffer to = work.buffer(new int[] {rank});
            queue.sendTo(to, give, sent).receiveFrom(to, got, came).await(came, 1).await(sent, 1);
        });
        talking(rows, "work of sendNaming and receiveNamed", (work, queue, rank, give, got, sent, came) ->
                queue.sendNaming(rank, came, give, sent).receiveNamed(rank, got).await(came, 1).await(sent, 1));
        talking(rows, "work of receiveCombine", (work, queue, rank, give, got, sent, came) ->
                queue.send(rank, give, sent).receiveCombine(rank, got, work.buffer(new long[1]), Op.SUM, false, came)
                        .await(came, 1).await(sent, 1));
        talking(rows, "work of a pair", (work, queue, rank, give, got, sent, came) -> {
            work.pair(rank, 3).send(give, sent).receive(got, came);
            queue.await(came, 1).await(sent, 1);
        });
        rows.add(new MatrixRow("work of a pipe", Promise.PEER, AsideRows::pipe));
        accessing(rows);
        rows.add(new MatrixRow("work of live ranks", Promise.GOES_ON, stage -> {
            int before = stage.liveBefore(stage.rank);
            Work work = stage.on.work();
            int came = work.counter();
            int sent = work.counter();
            long[] give = new long[1];
            long[] got = new long[1];
            work.queue().send(stage.liveAfter(stage.rank), work.buffer(give), sent)
                    .receive(before, work.buffer(got), came).await(came, 1).await(sent, 1);
            return round -> {
                if (stage.dies) {
                    stage.idle();
                    return;
                }
                give[0] = round + stage.rank;
                work.start(4).await();
                expect("number", round + before, got[0]);
            };
        }));
    }

    /** Survivors and the victim run a program each round that sends a number to the other and gets one. */
    private static void talking(List<MatrixRow> rows, String name, Entries entries) {
        rows.add(new MatrixRow(name, Promise.PEER, stage -> {
            long[] give = new long[1];
            long[][] got = new long[stage.size][1];
            Work[] works = new Work[stage.size];
            for (int other = 0; other < stage.size; other++) {
                if (other != stage.rank && (stage.dies || other == stage.victim)) {
                    works[other] = stage.on.work();
                    entries.add(works[other], works[other].queue(), other, works[other].buffer(give),
                            works[other].buffer(got[other]), works[other].counter(), works[other].counter());
                }
            }
            return round -> {
                give[0] = 100L * round + stage.rank;
                for (int other = 0; other < stage.size; other++) {
                    if (works[other] != null) {
                        works[other].start(6).await();
                        expect("number", 100L * round + other, got[other][0]);
                    }
                }
            };
        }));
    }

    /** The victim passes a long message on, from the first to the last survivor. */
    private static MatrixRow.Call pipe(MatrixStage stage) {
        int chunks = 20;
        int[] message = new int[1000 * chunks];
        int first = stage.firstLive();
        int last = stage.lastLive();
        Work work = stage.on.work();
        WorkBuffer whole = work.buffer(message);
        WorkQueue queue = work.queue();
        int done = work.counter();
        boolean takesPart = stage.dies || stage.rank == first || stage.rank == last;
        if (stage.dies) {
            queue.pipe(first, last, work.buffer(new int[4000]), 1000, 4, message.length, done);
        }
        for (int chunk = 0; chunk < chunks && !stage.dies && takesPart; chunk++) {
            WorkBuffer part = whole.slice(1000L * chunk, 1000);
            if (stage.rank == first) {
                queue.send(stage.victim, part, done);
            } else {
                queue.receive(stage.victim, part, done);
            }
        }
        queue.await(done, chunks);
        return round -> {
            if (!takesPart) {
                stage.idle();
                return;
            }
            message[message.length - 1] = stage.rank == first ? round : -1;
            work.start(7).await();
            if (stage.rank == last) {
                expect("number", round, message[message.length - 1]);
            }
        };
    }

    private static void accessing(List<MatrixRow> rows) {
        rows.add(new MatrixRow("work of accesses", Promise.PEER, stage -> {
            Window window = stage.on.allocateWindow(32, 8);
            stage.atEnd(() -> {
                try {
                    window.unlockAll();
                } catch (RankwireException e) {
                    expect("class " + e, ErrorClass.PEER.ordinal(), e.errorClass().ordinal());
                }
                window.free();
            });
            window.lockAll();
            stage.on.barrier();
            Work work = stage.on.work();
            int done = work.counter();
            WorkBuffer one = work.buffer(new long[] {1});
            WorkBuffer got = work.buffer(new long[1]);
            work.queue().put(one, work.target(window, stage.victim, 0), done)
                    .get(work.target(window, stage.victim, 1), got, done)
                    .accumulate(one, work.target(window, stage.victim, 2), Op.SUM, done)
                    .fetch(one, work.target(window, stage.victim, 3), Op.SUM, got, done)
                    .compareAndSwap(one, one, work.target(window, stage.victim, 0), got, done).await(done, 5);
            return round -> {
                if (stage.dies) {
                    stage.idle();
                } else {
                    work.start(8).await();
                }
            };
        }));
        rows.add(new MatrixRow("work of datagrams", Promise.PEER, stage -> {
            Datagram socket = socket(stage);
            Work work = stage.on.work();
            int done = work.counter();
            work.queue().datagram(stage.victim, QUEUE, work.buffer(new int[] {1}), done).await(done, 1);
            return round -> {
                if (!stage.dies) {
                    work.start(8).await();
                } else if (socket.tryReceiveFrom(new int[2]).isEmpty()) {
                    stage.idle();
                }
            };
        }));
    }
}
