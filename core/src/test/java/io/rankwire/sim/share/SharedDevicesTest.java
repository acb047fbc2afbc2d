package io.rankwire.sim.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import io.rankwire.sim.share.SharedDevices.Model;
import io.rankwire.sim.share.SharedDevices.Sharing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedDevicesTest {
    private record Request(int rank, int source, int tag) {
        boolean fits(Request message) {
            return rank == message.rank && (source < 0 || source == message.source) && (tag < 0 || tag == message.tag);
        }
    }

    @Test
    void shouldGiveEachReceiveToOneMessageInOrder() {
        for (int seed = 1; seed <= 600; seed++) {
            for (Sharing sharing : Sharing.values()) {
                exchange(sharing, seed);
            }
        }
    }

    private static void exchange(Sharing sharing, int seed) {
        Rand rand = new Rand(seed);
        int count = 150;
        List<Request> posted = new ArrayList<>();
        List<Request> sent = new ArrayList<>();
        int[] messageOf = new int[count];
        int[] receiveOf = new int[count];
        Arrays.fill(messageOf, -1);
        Arrays.fill(receiveOf, -1);
        Model model = new Model(1 + rand.below(4), rand.below(50), rand.below(10), rand.below(10));
        SharedDevices devices = new SharedDevices(sharing, model, 3, (receive, message, at) -> {
            assertEquals(-1, messageOf[receive], "a receive is given once");
            assertEquals(-1, receiveOf[message], "a message is given once");
            messageOf[receive] = message;
            receiveOf[message] = receive;
        });
        boolean any = sharing != Sharing.BY_SOURCE;
        long now = 0;
        while (posted.size() < count || sent.size() < count) {
            now += rand.below(60);
            if (sent.size() == count || posted.size() < count && rand.chance(1, 2)) {
                Request post = new Request(rand.below(3), any && rand.chance(1, 3) ? -1 : rand.below(5),
                        rand.chance(1, 4) ? -1 : rand.below(3));
                devices.post(now, post.rank, post.source, post.tag, posted.size());
                posted.add(post);
            } else {
                Request message = new Request(rand.below(3), rand.below(5), rand.below(3));
                devices.arrive(now, message.rank, message.source, message.tag, sent.size());
                sent.add(message);
            }
        }
        devices.run();
        audit(posted, sent, messageOf, receiveOf);
    }

    private static void audit(List<Request> posted, List<Request> sent, int[] messageOf, int[] receiveOf) {
        for (int message = 0; message < sent.size(); message++) {
            Request one = sent.get(message);
            int receive = receiveOf[message];
            for (int other = 0; other < posted.size(); other++) {
                boolean open = messageOf[other] < 0;
                assertTrue(receive >= 0 || !open || !posted.get(other).fits(one), "both wait though they fit");
            }
            if (receive < 0) {
                continue;
            }
            assertTrue(posted.get(receive).fits(one));
            for (int later = message + 1; later < sent.size(); later++) {
                Request two = sent.get(later);
                if (two.source == one.source && two.rank == one.rank && receiveOf[later] >= 0) {
                    boolean both = posted.get(receive).fits(two) && posted.get(receiveOf[later]).fits(one);
                    assertTrue(!both || receive < receiveOf[later], "a message was overtaken");
                }
            }
        }
    }

    /** All for one rank: by its one device, by four of the sources, by four with flags. */
    @Test
    void shouldServeOneRankFasterByAllDevices() {
        Model model = new Model(4, 100, 10, 20);
        long pinned = rate(Sharing.PINNED, model, false);
        long bySource = rate(Sharing.BY_SOURCE, model, false);
        long claimed = rate(Sharing.CLAIMED, model, false);
        long claimedAny = rate(Sharing.CLAIMED, model, true);
        assertTrue(pinned > 3.9 * bySource, pinned + ", " + bySource);
        assertTrue(claimed < 1.3 * bySource && claimed >= bySource, claimed + ", " + bySource);
        assertTrue(claimedAny > bySource, "copies cost: " + claimedAny + ", " + bySource);
    }

    private static long rate(Sharing sharing, Model model, boolean any) {
        SharedDevices devices = new SharedDevices(sharing, model, 1, (receive, message, at) -> { });
        for (int i = 0; i < 1_000; i++) {
            devices.post(0, 0, any ? SharedDevices.ANY : i % 8, 0, i);
            devices.arrive(1_000_000, 0, i % 8, 0, i);
        }
        long took = devices.run() - 1_000_000;
        assertTrue(any ? devices.staleCopies() > 0 : devices.staleCopies() == 0);
        return took;
    }

    @Test
    void shouldRefuseAnySourceWithoutFlags() {
        SharedDevices devices = new SharedDevices(Sharing.BY_SOURCE, new Model(2, 1, 1, 1), 1, (r, m, at) -> { });
        assertThrows(IllegalArgumentException.class, () -> devices.post(0, 0, SharedDevices.ANY, 0, 0));
    }
}
