package io.rankwire.sim.fault;

import io.rankwire.device.Code;
import io.rankwire.device.datagram.Datagrams;
import io.rankwire.device.Device;
import io.rankwire.device.datagram.ReceiveQueue;
import io.rankwire.memory.Rand;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Datagrams: each comes once, whole, and its sender is told that it has. */
final class DatagramLoad implements Load {
    private static final int QUEUE = 7;
    private static final int NO_QUEUE = 8;
    private static final int HEAD = 8;

    /** A datagram under way. */
    private record Ringing(int doorbell, int target, int id, byte[] buffer, int expected) {}

    private final int rank;
    private final Rand rand;
    private final DatagramLoad[] all;
    private final Datagrams datagrams;
    private final ReceiveQueue queue;
    private final int entryBytes;
    private final List<Ringing> ringing = new ArrayList<>();
    /** By id: whether it came here. */
    private boolean[] came = new boolean[16];
    private int sent;
    private int received;
    /** The peer that this rank has lost, or -1. */
    private int lost = -1;

    DatagramLoad(int rank, Rand rand, Device device, DatagramLoad[] all, int entries, int entryBytes) {
        this.rank = rank;
        this.rand = rand;
        this.all = all;
        this.datagrams = device.datagrams();
        this.entryBytes = Math.min(entryBytes, datagrams.maxBytes() - 1);
        this.queue = datagrams.open(QUEUE, entries, this.entryBytes);
    }

    @Override
    public void step() {
        if (rand.chance(1, 3)) {
            read();
        }
        int doorbell = datagrams.allocate();
        if (doorbell == Code.NO_DOORBELL) {
            return;
        }
        int target = rand.below(all.length);
        int what = rand.below(20);
        boolean large = what == 0;
        boolean nowhere = what == 1;
        int id = large || nowhere ? -1 : all[target].sent++;
        byte[] bytes = new byte[large ? entryBytes + 1 : HEAD + rand.below(entryBytes - HEAD + 1)];
        for (int i = HEAD; i < bytes.length; i++) {
            bytes[i] = Message.at(id, i);
        }
        ByteBuffer.wrap(bytes).putInt(0, id).putInt(4, rank);
        datagrams.ring(doorbell, bytes, 0, bytes.length, target, nowhere ? NO_QUEUE : QUEUE, QUEUE);
        ringing.add(new Ringing(doorbell, target, id, bytes,
                nowhere ? Code.UNKNOWN_QUEUE : large ? Code.BAD_SIZE : Code.OK));
    }

    private void read() {
        if (queue.isEmpty()) {
            return;
        }
        byte[] bytes = new byte[queue.length()];
        queue.read(0, bytes, 0, bytes.length);
        int node = queue.node();
        queue.advance();
        int id = ByteBuffer.wrap(bytes).getInt(0);
        if (id < 0 || id >= sent || ByteBuffer.wrap(bytes).getInt(4) != node) {
            throw new Violation("rank " + rank + " got datagram " + id + " of " + sent + " from rank " + node);
        }
        if (id >= came.length) {
            came = Arrays.copyOf(came, 2 * id);
        }
        if (came[id]) {
            throw new Violation("rank " + rank + " got datagram " + id + " from rank " + node + " again");
        }
        came[id] = true;
        received++;
        for (int i = HEAD; i < bytes.length; i++) {
            if (bytes[i] != Message.at(id, i)) {
                throw new Violation("byte " + i + " of datagram " + id + " at rank " + rank + " is wrong");
            }
        }
    }

    @Override
    public void sweep() {
        for (int i = ringing.size() - 1; i >= 0; i--) {
            Ringing one = ringing.get(i);
            int status = datagrams.status(one.doorbell);
            if (status == Datagrams.PENDING) {
                continue;
            }
            boolean lostIt = one.target == lost && status == Code.PEER_DEAD;
            if (status != one.expected && !lostIt) {
                throw new Violation("datagram " + one.id + " of rank " + rank + " to rank " + one.target
                        + " ended with " + status + ", expected " + one.expected);
            }
            Arrays.fill(one.buffer, (byte) 0x55);
            if (!datagrams.free(one.doorbell)) {
                throw new Violation("a doorbell of rank " + rank + " cannot be given back");
            }
            ringing.remove(i);
        }
    }

    @Override
    public void drain() {
        read();
        sweep();
    }

    @Override
    public void lose(int peer) {
        lost = peer;
        for (Ringing one : ringing) {
            if (one.target == peer && datagrams.status(one.doorbell) == Datagrams.PENDING) {
                throw new Violation("datagram " + one.id + " of rank " + rank + " waits for rank " + peer
                        + ", which is lost");
            }
        }
    }

    @Override
    public Object waitsFor(Faults faults) {
        if (!ringing.isEmpty()) {
            return "datagram " + ringing.getFirst().id + " to rank " + ringing.getFirst().target;
        }
        return queue.isEmpty() ? null : "datagrams to be read";
    }

    @Override
    public void finish(Faults faults) {
        sweep();
        if (!faults.anyDead() && received != sent) {
            throw new Violation("rank " + rank + " got " + received + " datagrams of " + sent);
        }
    }
}
