package io.rankwire.tools;

import static io.rankwire.tools.MatrixRow.expect;

import io.rankwire.ByteCounter;
import io.rankwire.Communicator;
import io.rankwire.CompletionQueue;
import io.rankwire.ErrorClass;
import io.rankwire.Message;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.Status;
import io.rankwire.tools.MatrixRow.Promise;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

/** The ways to wait for requests, receives from any source, and messages between ranks that live. */
final class RequestRows {
    private static final int TAG = 5;

    private RequestRows() {}

    /** Waits for receives of two messages from the rank that dies. */
    private interface Wait {
        void until(MatrixStage stage, Request... requests) throws Exception;
    }

    static void addTo(List<MatrixRow> rows) {
        rows.add(waiting("Request.await", (stage, requests) -> {
            requests[0].await();
            requests[1].await();
        }));
        rows.add(waiting("Request.test", (stage, requests) -> {
            for (Request each : requests) {
                while (!each.test()) {
                    Thread.onSpinWait();
                }
                throwErrorOf(each);
            }
        }));
        rows.add(waiting("awaitAll", (stage, requests) -> Request.awaitAll(requests)));
        rows.add(waiting("testAll", (stage, requests) -> {
            while (!Request.testAll(requests)) {
                Thread.onSpinWait();
            }
        }));
        rows.add(waiting("awaitAny", (stage, requests) -> {
            Request.awaitAny(requests[1 - Request.awaitAny(requests)]);
        }));
        rows.add(waiting("testAny", (stage, requests) -> {
            for (Request[] left = requests; left.length > 0;) {
                int done = Request.testAny(left);
                if (done >= 0) {
                    left = without(left, done);
                }
            }
        }));
        rows.add(waiting("awaitSome", (stage, requests) -> {
            for (Request[] left = requests; left.length > 0;) {
                left = without(left, Request.awaitSome(left));
            }
        }));
        rows.add(waiting("testSome", (stage, requests) -> {
            for (Request[] left = requests; left.length > 0;) {
                left = without(left, Request.testSome(left));
            }
        }));
        rows.add(waiting("CompletionQueue.await", (stage, requests) -> {
            CompletionQueue<Integer> queue = new CompletionQueue<>(stage.world, 2);
            queue.add(requests[0], 0);
            queue.add(requests[1], 1);
            expect("numbers", 1, taken(queue.await()) + taken(queue.await()));
        }));
        rows.add(waiting("CompletionQueue.poll", (stage, requests) -> {
            CompletionQueue<Integer> queue = new CompletionQueue<>(stage.world, 2);
            queue.add(requests[0], 0);
            queue.add(requests[1], 1);
            for (int left = 2; left > 0;) {
                CompletionQueue.Completion<Integer> next = queue.poll();
                left -= next == null || taken(next) < 0 ? 0 : 1;
            }
        }));
        rows.add(waiting("ByteCounter.await", (stage, requests) -> {
            ByteCounter bytes = new ByteCounter(stage.world);
            bytes.add(requests[0]);
            bytes.add(requests[1]);
            bytes.await(0);
            expect("bytes", 0, bytes.left());
            Request.awaitAll(requests);
        }));
        rows.add(waiting("toFuture", (stage, requests) -> {
            for (Request each : requests) {
                try {
                    each.toFuture().get();
                } catch (ExecutionException e) {
                    throw (RankwireException) e.getCause();
                }
            }
        }));
        rows.add(waiting("whenDone", (stage, requests) -> {
            int[] done = new int[1];
            RankwireException[] errors = new RankwireException[2];
            for (Request request : requests) {
                request.whenDone(each -> errors[done[0]++] = each.error().orElse(null));
            }
            while (done[0] < 2) {
                stage.on.iprobe(stage.rank, TAG);
            }
            for (RankwireException error : errors) {
                if (error != null) {
                    throw error;
                }
            }
        }));
        rows.add(startedTogether());
        rows.add(cancelling("cancel of a receive", (on, victim) -> on.irecv(new int[1], victim, TAG)));
        rows.add(cancelling("cancel of a send", (on, victim) -> on.issend(new int[1], victim, TAG)));
        rows.add(cancelling("cancel of a send of 240 KB", (on, victim) -> on.isend(new int[60_000], victim, TAG)));
        anySource(rows);
        rows.add(ring());
        rows.add(cameBefore());
    }

    /** Throws the error of a request; the queue does not. */
    private static int taken(CompletionQueue.Completion<Integer> done) {
        throwErrorOf(done.request());
        return done.id();
    }

    private static void throwErrorOf(Request done) {
        done.error().ifPresent(error -> {
            throw error;
        });
    }

    private static Request[] without(Request[] requests, int... done) {
        return IntStream.range(0, requests.length).filter(i -> IntStream.of(done).noneMatch(each -> each == i))
                .mapToObj(i -> requests[i]).toArray(Request[]::new);
    }

    private static MatrixRow waiting(String name, Wait wait) {
        return new MatrixRow(name, Promise.PEER, stage -> {
            Communicator on = stage.on;
            if (stage.dies) {
                return round -> give(stage, round);
            }
            return round -> {
                int[] first = new int[1];
                int[] second = new int[1];
                wait.until(stage, on.irecv(first, stage.victim, TAG), on.irecv(second, stage.victim, TAG + 1));
                expect("first", round + 1, first[0]);
                expect("second", round + 2, second[0]);
            };
        });
    }

    /** The victim sends two messages to each other rank. */
    private static void give(MatrixStage stage, int round) {
        for (int to = 0; to < stage.size; to++) {
            if (to != stage.rank) {
                stage.on.send(new int[] {round + 1}, to, TAG);
                stage.on.send(new int[] {round + 2}, to, TAG + 1);
            }
        }
    }

    private static MatrixRow startedTogether() {
        return new MatrixRow("startAll", Promise.PEER, stage -> {
            if (stage.dies) {
                return round -> give(stage, round);
            }
            int[] got = new int[2];
            Request[] both = {stage.on.receiveInit(got, 0, 1, stage.victim, TAG),
                stage.on.receiveInit(got, 1, 1, stage.victim, TAG + 1)};
            return round -> {
                Request.startAll(both);
                Request.awaitAll(both);
                expect("first", round + 1, got[0]);
                expect("second", round + 2, got[1]);
            };
        });
    }

    /** Begins what the rank that dies never answers. */
    private interface Begin {
        Request with(Communicator on, int victim);
    }

    /** The answer to a cancelled send comes from its receiver. */
    private static MatrixRow cancelling(String name, Begin begin) {
        return new MatrixRow(name, Promise.PEER, stage -> round -> {
            if (stage.dies) {
                stage.on.iprobe(stage.rank, TAG);
                return;
            }
            Request request = begin.with(stage.on, stage.victim);
            request.cancel();
            if (!request.await().cancelled()) {
                throw new IllegalStateException("a request that nobody answers was not cancelled");
            }
        });
    }

    /** Receives one number. */
    private interface Receive {
        Status into(Communicator on, int... number) throws Exception;
    }

    private static void anySource(List<MatrixRow> rows) {
        any(rows, "receive from any", (on, number) -> on.receive(number, Communicator.ANY_SOURCE, TAG));
        any(rows, "irecv from any", (on, number) -> on.irecv(number, Communicator.ANY_SOURCE, TAG).await());
        any(rows, "probe any", (on, number) -> {
            Status status = on.probe(Communicator.ANY_SOURCE, TAG);
            on.receive(number, status.source(), TAG);
            return status;
        });
        any(rows, "iprobe any", (on, number) -> {
            while (true) {
                Status status = on.iprobe(Communicator.ANY_SOURCE, TAG).orElse(null);
                if (status != null) {
                    on.receive(number, status.source(), TAG);
                    return status;
                }
            }
        });
        any(rows, "mprobe any", (on, number) -> on.mprobe(Communicator.ANY_SOURCE, TAG).receive(number));
        any(rows, "improbe any", (on, number) -> {
            while (true) {
                Message message = on.improbe(Communicator.ANY_SOURCE, TAG).orElse(null);
                if (message != null) {
                    return message.receive(number);
                }
            }
        });
    }

    /** From the rank that dies; and around all that live, who acknowledge the death. */
    private static void any(List<MatrixRow> rows, String name, Receive receive) {
        rows.add(new MatrixRow(name, Promise.PEER, stage -> {
            if (stage.dies) {
                return round -> give(stage, round);
            }
            return round -> {
                int[] number = new int[1];
                Status status = receive.into(stage.on, number);
                expect("source", stage.victim, status.source());
                expect("number", round + 1, number[0]);
            };
        }));
        rows.add(new MatrixRow(name + ", acknowledged", Promise.GOES_ON, stage -> {
            if (stage.dies) {
                return round -> stage.idle();
            }
            int before = stage.liveBefore(stage.rank);
            return round -> {
                int[] number = {-1};
                Request sent = stage.on.isend(new int[] {round}, stage.liveAfter(stage.rank), TAG);
                try {
                    expect("source", before, receive.into(stage.on, number).source());
                } catch (RankwireException e) {
                    expect("class " + e, ErrorClass.PEER.ordinal(), e.errorClass().ordinal());
                    expect("dead", 1, stage.on.acknowledge().size());
                    expect("source", before, receive.into(stage.on, number).source());
                }
                sent.await();
                expect("number", round, number[0]);
            };
        }));
    }

    /** Long and short messages around those that live. */
    private static MatrixRow ring() {
        return new MatrixRow("messages of live ranks", Promise.GOES_ON, stage -> {
            if (stage.dies) {
                return round -> stage.idle();
            }
            int before = stage.liveBefore(stage.rank);
            int after = stage.liveAfter(stage.rank);
            return round -> {
                int[] give = new int[round % 2 == 0 ? 2 : 50_000];
                int[] got = new int[give.length];
                give[give.length - 1] = round + stage.rank;
                stage.on.sendReceive(give, after, TAG, got, before, TAG);
                expect("number", round + before, got[got.length - 1]);
            };
        });
    }

    /** Messages that came whole before the death are there afterwards. */
    private static MatrixRow cameBefore() {
        return new MatrixRow("receive of messages that came before", Promise.PEER_ONCE, stage -> {
            if (stage.dies) {
                give(stage, 0);
                give(stage, 1);
                stage.all.barrier();
                return round -> stage.idle();
            }
            stage.all.barrier();
            return round -> {
                while (!stage.isDeathKnown()) {
                    Thread.onSpinWait();
                }
                int[] number = new int[1];
                for (int i = 0; i < 2; i++) {
                    stage.on.receive(number, stage.victim, TAG);
                    expect("first", i + 1, number[0]);
                    stage.on.receive(number, stage.victim, TAG + 1);
                    expect("second", i + 2, number[0]);
                }
                stage.on.receive(number, stage.victim, TAG);
            };
        });
    }
}
