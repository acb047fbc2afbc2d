package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Message;
import io.rankwire.Request;
import io.rankwire.World;
import java.util.Arrays;

/**
 * Every rank but 0 sends rank 0 more messages than it can hold, and behind them one of each kind. Rank 0 takes those
 * first, by every sort of receive, and then the others in their order. Argument: messages of each sender.
 */
final class BehindMany {
    private static final int FLOOD = 1;
    private static final int PLAIN = 2;
    private static final int FROM_ANY = 3;
    private static final int PROBED = 4;
    private static final int LOOKED_FOR = 5;
    private static final int TAKEN = 6;
    private static final int POSTED_BEFORE = 7;
    private static final int LARGE = 8;
    private static final int CONFIRMED = 9;
    private static final int BUFFERED = 10;
    private static final int LARGE_BYTES = 1_000_000;
    /** So large that few of them use up what a sender may leave at its receiver as whole messages. */
    private static final int FLOOD_BYTES = 2_000;
    /** The numbers of the messages in the flood begin again after this many. */
    private static final int NUMBERS = 100;

    private final Communicator all;
    private final Communicator aside;
    private final int messages;

    private BehindMany(Communicator all, int messages) {
        this.all = all;
        this.aside = all.duplicate();
        this.messages = messages;
    }

    public static void main(String[] args) {
        try (World world = World.join()) {
            BehindMany behind = new BehindMany(world.communicator(), Integer.parseInt(args[0]));
            if (world.communicator().rank() == 0) {
                behind.take();
            } else {
                behind.send();
            }
        }
    }

    private void send() {
        byte[][] numbers = new byte[NUMBERS][FLOOD_BYTES];
        for (int i = 0; i < NUMBERS; i++) {
            numbers[i][0] = (byte) i;
        }
        Request[] flood = new Request[messages];
        for (int i = 0; i < messages; i++) {
            flood[i] = all.isend(numbers[i % NUMBERS], 0, FLOOD);
        }
        int held = 0;
        for (Request request : flood) {
            held += request.test() ? 0 : 1;
        }
        byte[] large = new byte[LARGE_BYTES];
        Arrays.fill(large, (byte) all.rank());
        Request confirmed = all.issend(sign(), 0, CONFIRMED);
        all.ibsend(sign(), 0, BUFFERED);
        Request[] behind = {all.isend(sign(), 0, PLAIN), all.isend(sign(), 0, FROM_ANY), all.isend(sign(), 0, PROBED),
            all.isend(sign(), 0, LOOKED_FOR), all.isend(sign(), 0, TAKEN), all.isend(sign(), 0, POSTED_BEFORE),
            all.isend(large, 0, LARGE), aside.isend(sign(), 0, FLOOD)};
        Request.awaitAll(behind);
        confirmed.await();
        Request.awaitAll(flood);
        System.out.println("held back " + (held > 0));
    }

    private byte[] sign() {
        return new byte[] {(byte) all.rank()};
    }

    private void take() {
        int senders = all.size() - 1;
        byte[][] posted = new byte[senders][1];
        Request[] before = new Request[senders];
        for (int i = 0; i < senders; i++) {
            before[i] = all.irecv(posted[i], i + 1, POSTED_BEFORE);
        }
        byte[] one = new byte[1];
        for (int from = senders; from > 0; from--) {
            check(from, all.receive(one, from, PLAIN).source(), one);
            all.probe(from, PROBED);
            check(from, all.receive(one, from, PROBED).source(), one);
            while (all.iprobe(from, LOOKED_FOR).isEmpty()) {
                Thread.onSpinWait();
            }
            check(Communicator.ANY_SOURCE, all.receive(one, Communicator.ANY_SOURCE, FROM_ANY).source(), one);
            check(from, all.receive(one, from, LOOKED_FOR).source(), one);
            Message message = all.mprobe(from, TAKEN);
            check(from, message.receive(one).source(), one);
            byte[] large = new byte[LARGE_BYTES];
            check(from, all.receive(large, from, LARGE).source(), new byte[] {large[LARGE_BYTES - 1]});
            check(from, aside.receive(one, from, Communicator.ANY_TAG).source(), one);
            check(from, all.receive(one, from, BUFFERED).source(), one);
            check(from, all.receive(one, from, CONFIRMED).source(), one);
            check(from, before[from - 1].await().source(), posted[from - 1]);
        }
        byte[] flood = new byte[FLOOD_BYTES];
        for (int i = 0; i < messages; i++) {
            for (int from = 1; from <= senders; from++) {
                all.receive(flood, from, i % 2 == 0 ? FLOOD : Communicator.ANY_TAG);
                if (flood[0] != i % NUMBERS) {
                    throw new AssertionError("number " + flood[0] + " in the place of message " + i);
                }
            }
        }
        System.out.println("in order");
    }

    /** The message is its source's, and that is the rank that was named, if one was. */
    private static void check(int from, int source, byte[] sign) {
        if (sign[0] != source || from != Communicator.ANY_SOURCE && from != source) {
            throw new AssertionError("signed by rank " + sign[0] + ", from rank " + source + ", expected " + from);
        }
    }
}
