package io.rankwire.tools;

import static io.rankwire.tools.MatrixRow.expect;

import io.rankwire.AnyCommunicator;
import io.rankwire.Communicator;
import io.rankwire.Datatype;
import io.rankwire.Intercommunicator;
import io.rankwire.Message;
import io.rankwire.Parcel;
import io.rankwire.Request;
import io.rankwire.tools.MatrixRow.Call;
import io.rankwire.tools.MatrixRow.Promise;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Messages to and from the rank that dies, in a communicator and in an intercommunicator. */
final class MessageRows {
    static final int TAG = 3;
    private static final int READY = 4;
    private static final int SMALL = 4;
    private static final int EAGER = 2_000;
    private static final int LONG = 60_000;

    private MessageRows() {}

    /** Who talks with the victim, and how these address each other: the others have nobody. */
    record Talk(MatrixStage stage, AnyCommunicator way, int[] peers) {
        static Talk in(MatrixStage stage, boolean inter) {
            if (!inter) {
                int[] others = IntStream.range(0, stage.size).filter(each -> each != stage.victim)
                        .toArray();
                return new Talk(stage, stage.on, stage.dies ? others : new int[] {stage.victim});
            }
            Intercommunicator way = stage.intercommunicator();
            int[] others = IntStream.range(0, way.remoteSize()).toArray();
            boolean same = MatrixStage.side(stage.rank) == MatrixStage.side(stage.victim);
            return new Talk(stage, way, stage.dies ? others : same ? new int[0] : new int[] {stage.victim / 2});
        }

        int value(int round) {
            return valueOf(round, way.rank());
        }

        static int valueOf(int round, int sender) {
            return 1000 * round + sender + 1;
        }
    }

    /** Numbers that are sent or received, all the same. */
    interface Room {
        Object buffer();

        void set(int value);

        void check(int value);
    }

    private record Heap(int[] buffer, int step) implements Room {
        @Override
        public void set(int value) {
            Arrays.fill(buffer, value);
        }

        @Override
        public void check(int value) {
            for (int i = 0; i < buffer.length; i += step) {
                expect("element " + i, value, buffer[i]);
            }
        }
    }

    private record Allocated(MemorySegment buffer) implements Room {
        @Override
        public void set(int value) {
            for (long at = 0; at < buffer.byteSize(); at += 4) {
                buffer.set(ValueLayout.JAVA_INT, at, value);
            }
        }

        @Override
        public void check(int value) {
            for (long at = 0; at < buffer.byteSize(); at += 4) {
                expect("byte " + at, value, buffer.get(ValueLayout.JAVA_INT, at));
            }
        }
    }

    /** How many numbers a message has, and where they lie at the survivors. */
    private enum Kind {
        PLAIN(SMALL), MIDDLING(EAGER), LARGE(LONG), ALLOCATED(LONG), STRIDED(EAGER);

        final int count;

        Kind(int count) {
            this.count = count;
        }

        Datatype type() {
            return Datatype.vector(count, 1, 2, Datatype.INT);
        }

        Room room(MatrixStage stage) {
            if (this == ALLOCATED) {
                MemorySegment memory = stage.world.allocate(4L * count);
                stage.atEnd(() -> stage.world.free(memory));
                return new Allocated(memory);
            }
            return this == STRIDED ? new Heap(new int[2 * count], 2) : new Heap(new int[count], 1);
        }
    }

    /** What a survivor does in each round. */
    private interface Step {
        void make() throws Exception;
    }

    /** Makes a step of a buffer and the rank that dies. */
    private interface Op {
        Step with(AnyCommunicator way, Object buffer, Datatype type, int peer) throws Exception;
    }

    static void addTo(List<MatrixRow> rows) {
        for (boolean inter : new boolean[] {false, true}) {
            String where = inter ? " between groups" : "";
            sends(rows, inter, where);
            ready(rows, inter, where);
            receives(rows, inter, where);
            probes(rows, inter, where);
            both(rows, inter, where);
        }
    }

    private static Request run(Request request) {
        request.start();
        request.await();
        return request;
    }

    private static void sends(List<MatrixRow> rows, boolean inter, String where) {
        Op send = (way, buffer, type, to) -> () -> way.send(buffer, to, TAG);
        rows.add(to("send" + where, inter, Kind.PLAIN, send));
        rows.add(to("send of 8 KB" + where, inter, Kind.MIDDLING, send));
        rows.add(to("send of 240 KB" + where, inter, Kind.LARGE, send));
        rows.add(to("send of allocated memory" + where, inter, Kind.ALLOCATED, send));
        rows.add(to("send typed" + where, inter, Kind.STRIDED, (way, buffer, type, to) -> () ->
                way.send(buffer, 0L, 1L, type, to, TAG)));
        rows.add(to("ssend" + where, inter, Kind.PLAIN, (way, buffer, type, to) -> () -> way.ssend(buffer, to, TAG)));
        rows.add(to("ssend typed" + where, inter, Kind.STRIDED, (way, buffer, type, to) -> () ->
                way.ssend(buffer, 0L, 1L, type, to, TAG)));
        rows.add(to("bsend" + where, inter, Kind.PLAIN, (way, buffer, type, to) -> () -> way.bsend(buffer, to, TAG)));
        rows.add(to("bsend typed" + where, inter, Kind.STRIDED, (way, buffer, type, to) -> () ->
                way.bsend(buffer, 0L, 1L, type, to, TAG)));
        rows.add(to("isend" + where, inter, Kind.PLAIN, (way, buffer, type, to) -> () ->
                way.isend(buffer, to, TAG).await()));
        rows.add(to("isend of 240 KB" + where, inter, Kind.LARGE, (way, buffer, type, to) -> () ->
                way.isend(buffer, to, TAG).await()));
        rows.add(to("isend typed" + where, inter, Kind.STRIDED, (way, buffer, type, to) -> () ->
                way.isend(buffer, 0L, 1L, type, to, TAG).await()));
        rows.add(to("issend" + where, inter, Kind.PLAIN, (way, buffer, type, to) -> () ->
                way.issend(buffer, to, TAG).await()));
        rows.add(to("issend typed" + where, inter, Kind.STRIDED, (way, buffer, type, to) -> () ->
                way.issend(buffer, 0L, 1L, type, to, TAG).await()));
        rows.add(to("ibsend" + where, inter, Kind.PLAIN, (way, buffer, type, to) -> () ->
                way.ibsend(buffer, to, TAG).await()));
        rows.add(to("ibsend typed" + where, inter, Kind.STRIDED, (way, buffer, type, to) -> () ->
                way.ibsend(buffer, 0L, 1L, type, to, TAG).await()));
        rows.add(to("sendInit" + where, inter, Kind.PLAIN, (way, buffer, type, to) -> {
            Request request = way.sendInit(buffer, 0, SMALL, to, TAG);
            return () -> run(request);
        }));
        rows.add(to("sendInit typed" + where, inter, Kind.STRIDED, (way, buffer, type, to) -> {
            Request request = way.sendInit(buffer, 0L, 1L, type, to, TAG);
            return () -> run(request);
        }));
        rows.add(to("ssendInit" + where, inter, Kind.PLAIN, (way, buffer, type, to) -> {
            Request request = way.ssendInit(buffer, 0, SMALL, to, TAG);
            return () -> run(request);
        }));
        rows.add(to("ssendInit typed" + where, inter, Kind.STRIDED, (way, buffer, type, to) -> {
            Request request = way.ssendInit(buffer, 0L, 1L, type, to, TAG);
            return () -> run(request);
        }));
        rows.add(to("bsendInit" + where, inter, Kind.PLAIN, (way, buffer, type, to) -> {
            Request request = way.bsendInit(buffer, 0, SMALL, to, TAG);
            return () -> run(request);
        }));
        rows.add(to("bsendInit typed" + where, inter, Kind.STRIDED, (way, buffer, type, to) -> {
            Request request = way.bsendInit(buffer, 0L, 1L, type, to, TAG);
            return () -> run(request);
        }));
    }

    /** Sends in ready mode: the receiver says first that it has posted its receive. */
    private static void ready(List<MatrixRow> rows, boolean inter, String where) {
        rows.add(toReady("rsend" + where, inter, Kind.PLAIN, (way, buffer, type, to) -> () ->
                way.rsend(buffer, to, TAG)));
        rows.add(toReady("rsend typed" + where, inter, Kind.STRIDED, (way, buffer, type, to) -> () ->
                way.rsend(buffer, 0L, 1L, type, to, TAG)));
        rows.add(toReady("irsend" + where, inter, Kind.PLAIN, (way, buffer, type, to) -> () ->
                way.irsend(buffer, to, TAG).await()));
        rows.add(toReady("irsend typed" + where, inter, Kind.STRIDED, (way, buffer, type, to) -> () ->
                way.irsend(buffer, 0L, 1L, type, to, TAG).await()));
        rows.add(toReady("rsendInit" + where, inter, Kind.PLAIN, (way, buffer, type, to) -> {
            Request request = way.rsendInit(buffer, 0, SMALL, to, TAG);
            return () -> run(request);
        }));
        rows.add(toReady("rsendInit typed" + where, inter, Kind.STRIDED, (way, buffer, type, to) -> {
            Request request = way.rsendInit(buffer, 0L, 1L, type, to, TAG);
            return () -> run(request);
        }));
    }

    private static MatrixRow to(String name, boolean inter, Kind kind, Op op) {
        return sending(name, inter, kind, op, false);
    }

    private static MatrixRow toReady(String name, boolean inter, Kind kind, Op op) {
        return sending(name, inter, kind, op, true);
    }

    /** Survivors send to the victim, which may say first that it has posted its receive. */
    private static MatrixRow sending(String name, boolean inter, Kind kind, Op op, boolean saysReady) {
        return new MatrixRow(name, Promise.PEER, stage -> {
            Talk talk = Talk.in(stage, inter);
            if (stage.dies) {
                return taking(talk, kind, saysReady);
            }
            if (talk.peers.length == 0) {
                return round -> stage.idle();
            }
            Room room = kind.room(stage);
            Step step = op.with(talk.way, room.buffer(), kind.type(), talk.peers[0]);
            return round -> {
                room.set(talk.value(round));
                if (saysReady) {
                    talk.way.receive(new byte[1], talk.peers[0], READY);
                }
                step.make();
                if (name.contains("bsend")) {
                    // What has not left fills a buffer of limited size.
                    LockSupport.parkNanos(1_000_000);
                }
            };
        });
    }

    /** The victim takes a message of each peer. */
    private static Call taking(Talk talk, Kind kind, boolean saysReady) {
        int[][] rooms = new int[talk.peers.length][kind.count];
        return round -> {
            Request[] all = new Request[rooms.length];
            for (int i = 0; i < rooms.length; i++) {
                all[i] = talk.way.irecv(rooms[i], talk.peers[i], TAG);
                if (saysReady) {
                    talk.way.send(new byte[1], talk.peers[i], READY);
                }
            }
            Request.awaitAll(all);
            for (int i = 0; i < rooms.length; i++) {
                new Heap(rooms[i], 1).check(Talk.valueOf(round, talk.peers[i]));
            }
        };
    }

    private static void receives(List<MatrixRow> rows, boolean inter, String where) {
        Op receive = (way, buffer, type, from) -> () -> way.receive(buffer, from, TAG);
        rows.add(from("receive" + where, inter, Kind.PLAIN, receive));
        rows.add(from("receive of 8 KB" + where, inter, Kind.MIDDLING, receive));
        rows.add(from("receive of 240 KB" + where, inter, Kind.LARGE, receive));
        rows.add(from("receive into allocated memory" + where, inter, Kind.ALLOCATED, receive));
        rows.add(from("receive typed" + where, inter, Kind.STRIDED, (way, buffer, type, from) -> () ->
                way.receive(buffer, 0L, 1L, type, from, TAG)));
        rows.add(from("receive into a parcel" + where, inter, Kind.PLAIN, (way, buffer, type, from) -> () -> {
            Parcel parcel = new Parcel();
            way.receive(parcel, Datatype.INT, from, TAG);
            copy(parcel, (int[]) buffer);
        }));
        rows.add(from("irecv" + where, inter, Kind.PLAIN, (way, buffer, type, from) -> () ->
                way.irecv(buffer, from, TAG).await()));
        rows.add(from("irecv of 240 KB" + where, inter, Kind.LARGE, (way, buffer, type, from) -> () ->
                way.irecv(buffer, from, TAG).await()));
        rows.add(from("irecv typed" + where, inter, Kind.STRIDED, (way, buffer, type, from) -> () ->
                way.irecv(buffer, 0L, 1L, type, from, TAG).await()));
        rows.add(from("irecv into a parcel" + where, inter, Kind.PLAIN, (way, buffer, type, from) -> () -> {
            Parcel parcel = new Parcel();
            way.irecv(parcel, Datatype.INT, from, TAG).await();
            copy(parcel, (int[]) buffer);
        }));
        rows.add(from("receiveInit" + where, inter, Kind.PLAIN, (way, buffer, type, from) -> {
            Request request = way.receiveInit(buffer, 0, SMALL, from, TAG);
            return () -> run(request);
        }));
        rows.add(from("receiveInit typed" + where, inter, Kind.STRIDED, (way, buffer, type, from) -> {
            Request request = way.receiveInit(buffer, 0L, 1L, type, from, TAG);
            return () -> run(request);
        }));
    }

    private static void copy(Parcel parcel, int[] to) {
        ByteBuffer.wrap(parcel.bytes()).order(ByteOrder.nativeOrder()).asIntBuffer().get(to);
    }

    private static void probes(List<MatrixRow> rows, boolean inter, String where) {
        rows.add(from("probe" + where, inter, Kind.PLAIN, (way, buffer, type, from) -> () -> {
            way.probe(from, TAG);
            way.receive(buffer, from, TAG);
        }));
        rows.add(from("iprobe" + where, inter, Kind.PLAIN, (way, buffer, type, from) -> () -> {
            while (way.iprobe(from, TAG).isEmpty()) {
                Thread.onSpinWait();
            }
            way.receive(buffer, from, TAG);
        }));
        rows.add(from("mprobe" + where, inter, Kind.LARGE, (way, buffer, type, from) -> () ->
                way.mreceive(buffer, way.mprobe(from, TAG))));
        rows.add(from("mreceive typed" + where, inter, Kind.STRIDED, (way, buffer, type, from) -> () ->
                way.mreceive(buffer, 0L, 1L, type, way.mprobe(from, TAG))));
        rows.add(from("improbe" + where, inter, Kind.PLAIN, (way, buffer, type, from) -> () -> {
            while (true) {
                Message message = way.improbe(from, TAG).orElse(null);
                if (message != null) {
                    message.receive(buffer);
                    return;
                }
                Thread.onSpinWait();
            }
        }));
        rows.add(from("Message.irecv" + where, inter, Kind.LARGE, (way, buffer, type, from) -> () ->
                way.mprobe(from, TAG).irecv(buffer).await()));
        rows.add(from("Message.irecv typed" + where, inter, Kind.STRIDED, (way, buffer, type, from) -> () ->
                way.mprobe(from, TAG).irecv(buffer, 0L, 1L, type).await()));
        rows.add(from("Message.view" + where, inter, Kind.PLAIN, (way, buffer, type, from) -> () -> {
            Message message = way.mprobe(from, TAG);
            MemorySegment.copy(message.view(), ValueLayout.JAVA_INT_UNALIGNED, 0, buffer, 0, SMALL);
            message.release();
        }));
    }

    private static MatrixRow from(String name, boolean inter, Kind kind, Op op) {
        return new MatrixRow(name, Promise.PEER, stage -> {
            Talk talk = Talk.in(stage, inter);
            if (stage.dies) {
                return giving(talk, kind);
            }
            if (talk.peers.length == 0) {
                return round -> stage.idle();
            }
            Room room = kind.room(stage);
            Step step = op.with(talk.way, room.buffer(), kind.type(), talk.peers[0]);
            return round -> {
                room.set(-1);
                step.make();
                room.check(Talk.valueOf(round, talk.peers[0]));
            };
        });
    }

    /** The victim sends a message to each peer, all from one buffer. */
    private static Call giving(Talk talk, Kind kind) {
        Room room = kind == Kind.ALLOCATED ? kind.room(talk.stage) : new Heap(new int[kind.count], 1);
        return round -> {
            room.set(talk.value(round));
            Request[] all = new Request[talk.peers.length];
            for (int i = 0; i < all.length; i++) {
                all[i] = talk.way.isend(room.buffer(), talk.peers[i], TAG);
            }
            Request.awaitAll(all);
        };
    }

    /** An operation of a survivor that sends a number and gets one; the victim does the same with each peer. */
    private interface Exchange {
        int with(AnyCommunicator way, int value, int peer) throws Exception;
    }

    private static MatrixRow exchange(String name, boolean inter, Exchange exchange) {
        return new MatrixRow(name + (inter ? " between groups" : ""), Promise.PEER, stage -> {
            Talk talk = Talk.in(stage, inter);
            if (talk.peers.length == 0) {
                return round -> stage.idle();
            }
            return round -> {
                for (int peer : talk.peers) {
                    expect("from " + peer, Talk.valueOf(round, peer), exchange.with(talk.way, talk.value(round), peer));
                }
            };
        });
    }

    private static void both(List<MatrixRow> rows, boolean inter, String where) {
        rows.add(exchange("sendReceive", inter, (way, value, peer) -> {
            int[] got = new int[1];
            way.sendReceive(new int[] {value}, peer, TAG, got, peer, TAG);
            return got[0];
        }));
        rows.add(exchange("sendReceive of 240 KB", inter, (way, value, peer) -> {
            int[] give = new int[LONG];
            int[] got = new int[LONG];
            give[LONG - 1] = value;
            if (way instanceof Communicator in) {
                in.sendReceive(give, 0, LONG, peer, TAG, got, 0, LONG, peer, TAG);
            } else {
                ((Intercommunicator) way).sendReceive(give, 0, LONG, peer, TAG, got, 0, LONG, peer, TAG);
            }
            return got[LONG - 1];
        }));
        rows.add(exchange("sendReceive typed", inter, (way, value, peer) -> {
            Datatype type = Datatype.vector(2, 1, 2, Datatype.INT);
            int[] got = new int[3];
            int[] give = {value, 0, value};
            if (way instanceof Communicator in) {
                in.sendReceive(give, 0L, 1L, type, peer, TAG, got, 0L, 1L, type, peer, TAG);
            } else {
                ((Intercommunicator) way).sendReceive(give, 0L, 1L, type, peer, TAG, got, 0L, 1L, type, peer, TAG);
            }
            return got[2];
        }));
        rows.add(exchange("sendReceiveReplace", inter, (way, value, peer) -> {
            int[] both = new int[LONG];
            Arrays.fill(both, value);
            if (way instanceof Communicator in) {
                in.sendReceiveReplace(both, 0L, LONG, Datatype.INT, peer, TAG, peer, TAG);
            } else {
                ((Intercommunicator) way).sendReceiveReplace(both, 0L, LONG, Datatype.INT, peer, TAG, peer, TAG);
            }
            return both[LONG - 1];
        }));
        rows.add(exchange("sendObject", inter, (way, value, peer) -> {
            way.sendObject(value, peer, TAG);
            return way.receiveObject(Integer.class, peer, TAG);
        }));
        rows.add(exchange("isendObject", inter, (way, value, peer) -> {
            Request sent = way.isendObject("x".repeat(100_000) + value, peer, TAG);
            String text = way.receiveObject(String.class, way.mprobe(peer, TAG));
            sent.await();
            return Integer.parseInt(text.substring(100_000));
        }));
    }
}
