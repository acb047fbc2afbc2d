package io.rankwire.tools.bench;

import io.rankwire.Request;
import io.rankwire.World;

/** Windows of messages, each with its own place in memory, and an acknowledgement. */
final class StreamLoops extends Loops {
    private final Measure measure;
    private final boolean bothWays;

    StreamLoops(World world, String kind, Measure measure, boolean bothWays) {
        super(world, kind);
        this.measure = measure;
        this.bothWays = bothWays;
    }

    @Override
    void run(Cell cell) {
        int bytes = cell.bytes();
        Block out = bothWays || rank == 0 ? block(bytes * WINDOW) : null;
        Block in = bothWays || rank == 1 ? block(bytes * WINDOW) : null;
        Request[] requests = new Request[bothWays ? 2 * WINDOW : WINDOW];
        Loop loop = bothWays
                ? turns -> windowsBothWays(out, in, bytes, requests, turns)
                : turns -> windows(rank == 0 ? out : in, bytes, requests, turns);
        warmUp(loop, cell);
        if (cell.iterations() > 0) {
            double perUs = requests.length / turnNs(loop, cell.iterations()) * 1e3;
            report(cell, measure == Measure.RATE ? perUs : perUs * bytes);
        }
    }

    private void windows(Block block, int bytes, Request[] requests, int iterations) {
        int count = Block.words(bytes);
        int step = Block.stride(bytes);
        Object buffer = block.buffer();
        byte[] ack = new byte[1];
        for (int i = 0; i < iterations; i++) {
            long first = (long) i * WINDOW << 4;
            for (int w = 0; w < WINDOW; w++) {
                int at = w * bytes;
                if (rank == 0) {
                    block.stamp(at, count, step, first + (w << 4));
                    requests[w] = all.isend(buffer, at, bytes, other, TAG_STREAM);
                } else {
                    requests[w] = all.irecv(buffer, at, bytes, other, TAG_STREAM);
                }
            }
            Request.awaitAll(requests);
            if (rank == 0) {
                all.receive(ack, other, TAG_ACK);
                checkAck(ack, i);
            } else {
                checkWindow(block, bytes, first);
                ack[0] = (byte) i;
                all.send(ack, other, TAG_ACK);
            }
        }
    }

    /** Receives are posted first; each side acknowledges what it got. The way back carries the complements. */
    private void windowsBothWays(Block out, Block in, int bytes, Request[] requests, int iterations) {
        int count = Block.words(bytes);
        int step = Block.stride(bytes);
        byte[] ack = new byte[1];
        byte[] answer = new byte[1];
        for (int i = 0; i < iterations; i++) {
            long first = (long) i * WINDOW << 4;
            long mine = rank == 0 ? first : ~first;
            for (int w = 0; w < WINDOW; w++) {
                requests[w] = all.irecv(in.buffer(), w * bytes, bytes, other, TAG_STREAM);
            }
            for (int w = 0; w < WINDOW; w++) {
                out.stamp(w * bytes, count, step, mine + (w << 4));
                requests[WINDOW + w] = all.isend(out.buffer(), w * bytes, bytes, other, TAG_STREAM);
            }
            Request.awaitAll(requests);
            checkWindow(in, bytes, ~mine);
            ack[0] = (byte) i;
            all.sendReceive(ack, other, TAG_ACK, answer, other, TAG_ACK);
            checkAck(answer, i);
        }
    }

    private void checkWindow(Block block, int bytes, long first) {
        int count = Block.words(bytes);
        int step = Block.stride(bytes);
        for (int w = 0; w < WINDOW; w++) {
            check(block, w * bytes, count, step, first + (w << 4));
        }
    }

    private void checkAck(byte[] ack, int turn) {
        if (ack[0] != (byte) turn) {
            throw wrong("acknowledgement", turn);
        }
    }
}
