package io.rankwire.device.work;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.datagram.Datagrams;
import io.rankwire.type.Copy;
import java.util.ArrayList;
import java.util.List;

/** Datagrams that entries of programs have sent. Each has a doorbell from its start until the receiver has answered. */
final class DatagramSends {
    private static final int NO_QUEUE = -1;

    private static final class Sending {
        final WorkProgram program;
        final int run;
        final int counter;
        final int node;
        final int queue;
        final byte[] payload;
        int doorbell = Code.NO_DOORBELL;

        Sending(WorkProgram program, int counter, int node, int queue, byte[] payload) {
            this.program = program;
            this.run = program.runs;
            this.counter = counter;
            this.node = node;
            this.queue = queue;
            this.payload = payload;
        }
    }

    private final Device device;
    private final List<Sending> all = new ArrayList<>();

    DatagramSends(Device device) {
        this.device = device;
    }

    /** Datagrams that are not answered. */
    int count() {
        return all.size();
    }

    /** Sends a copy of the bytes, so that the buffer is free at once. */
    void add(WorkProgram program, int counter, int node, int queue, Object base, long offset, int bytes) {
        byte[] payload = new byte[bytes];
        Copy.toBytes(base, offset, payload);
        all.add(new Sending(program, counter, node, queue, payload));
        program.beside++;
        move();
    }

    /** Starts those that find a doorbell, and takes in answers; returns how many. */
    int move() {
        int moved = 0;
        Datagrams datagrams = device.datagrams();
        for (int i = 0; i < all.size(); i++) {
            Sending sending = all.get(i);
            if (sending.doorbell == Code.NO_DOORBELL) {
                sending.doorbell = datagrams.allocate();
                if (sending.doorbell == Code.NO_DOORBELL) {
                    return moved;
                }
                datagrams.ring(sending.doorbell, sending.payload, 0, sending.payload.length, sending.node,
                        sending.queue, NO_QUEUE);
            }
            int status = datagrams.status(sending.doorbell);
            if (status != Datagrams.PENDING) {
                datagrams.free(sending.doorbell);
                all.remove(i--);
                moved++;
                over(sending, status);
            }
        }
        return moved;
    }

    private static void over(Sending sending, int status) {
        WorkProgram program = sending.program;
        if (!program.active || program.runs != sending.run) {
            return;
        }
        program.beside--;
        if (status == Code.OK) {
            program.advance(sending.counter);
        } else if (status == Code.PEER_DEAD) {
            program.failed(sending.node, status);
        } else {
            program.fail(sending.node, "queue " + sending.queue + " there did not take a datagram of "
                    + sending.payload.length + " bytes: " + reason(status));
        }
        program.wake();
    }

    private static String reason(int status) {
        return switch (status) {
            case Code.UNKNOWN_QUEUE -> "there is no such queue";
            case Code.QUEUE_FULL -> "it is full";
            case Code.BAD_SIZE -> "it is too long for its entries";
            default -> "code " + status;
        };
    }
}
