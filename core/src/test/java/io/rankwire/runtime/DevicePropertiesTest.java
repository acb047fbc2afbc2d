package io.rankwire.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.World;
import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.match.Split.Closing;
import io.rankwire.device.match.QueueHints;
import io.rankwire.device.match.Split;
import io.rankwire.wire.WordLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices that a property makes smaller; programs must behave the same. */
@Timeout(300)
final class DevicePropertiesTest {
    private static final int MESSAGES = 200;

    private final String before = System.getProperty("rankwire.match");

    @AfterEach
    void restore() {
        set(before);
    }

    private static void set(String way) {
        if (way == null) {
            System.clearProperty("rankwire.match");
        } else {
            System.setProperty("rankwire.match", way);
        }
    }

    private static DeviceConfig read(String way) {
        set(way);
        return DeviceProperties.read(DeviceConfig.DEFAULT);
    }

    @Test
    void shouldReadWhereToMatch() {
        assertEquals(new Split(4, Closing.OPTIMISTIC, 2, 64, 0), read("optimistic:4:2").split());
        assertEquals(new Split(16, Closing.OPTIMISTIC, 8, 64, 0), read("optimistic:16").split());
        assertEquals(new Split(1, Closing.HANDSHAKE, 0, 64, 0), read("handshake:1").split());
        assertEquals(DeviceConfig.DEFAULT.withHeaders(8, 8, Overflow.FAIL), read("fail:8"));
        assertEquals(DeviceConfig.DEFAULT.withHeaders(9, 9, Overflow.SOFTWARE), read("software:9"));
        assertEquals(DeviceConfig.DEFAULT.withHeaders(10, 10, Overflow.GROW), read("grow:10"));
        assertEquals(DeviceConfig.DEFAULT.withHeaders(7, 7, Overflow.REFUSE), read("refuse:7"));
        assertEquals(DeviceConfig.DEFAULT.withHeaders(7, 7, Overflow.REFUSE).withRetries(3), read("refuse:7:3"));
        assertEquals(DeviceConfig.DEFAULT, read(null));
        assertNull(DeviceConfig.DEFAULT.split());
    }

    @ParameterizedTest
    @CsvSource({"rankwire.headers,3:40,3,40,SOURCE,1", "rankwire.spread,source:7,0,0,SOURCE,7",
            "rankwire.spread,tag:2,0,0,TAG,2"})
    void shouldReadHowHeadersAreDivided(String name, String value, int receives, int messages, QueueHints.By by,
            int queues) {
        System.setProperty(name, value);
        try {
            assertEquals(new QueueHints(receives, messages, by, queues), Session.config().hints());
            for (String wrong : new String[] {"", "x:1", "1:2:3", "source:2000", "tag:0", "4:9999999", "tag", "-1:1"}) {
                System.setProperty(name, wrong);
                RankwireException refused = assertThrows(RankwireException.class, Session::config);
                assertTrue(refused.getMessage().contains(name + ": " + wrong + " is "), refused.getMessage());
            }
        } finally {
            System.clearProperty(name);
        }
        assertEquals(QueueHints.NONE, Session.config().hints());
    }

    @Test
    void shouldReadWhoMatches() {
        System.setProperty("rankwire.tags", "network");
        try {
            assertEquals(DeviceConfig.DEFAULT, Session.config());
            assertTrue(DeviceProperties.matchesByNetwork());
            System.setProperty("rankwire.tags", "both");
            RankwireException refused = assertThrows(RankwireException.class, Session::config);
            assertTrue(refused.getMessage().contains("rankwire.tags: both is none of"), refused.getMessage());
        } finally {
            System.clearProperty("rankwire.tags");
        }
    }

    @Test
    void shouldReadHowWideMatchWordsAre() {
        System.setProperty("rankwire.words", "10:20");
        try {
            assertEquals(new WordLayout(10, 20, 0), Session.config().words());
            System.setProperty("rankwire.words", "40:10");
            RankwireException refused = assertThrows(RankwireException.class, Session::config);
            assertTrue(refused.getMessage().contains("rankwire.words: 40:10 is not S:T"), refused.getMessage());
        } finally {
            System.clearProperty("rankwire.words");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "flat", "optimistic", "optimistic:0", "optimistic:4:-1", "optimistic:4:2:1",
            "handshake:1:1", "handshake:x", "software:", "fail:9999999", "grow:12345678901"})
    void shouldRefuseWhatItDoesNotKnow(String way) {
        RankwireException refused = assertThrows(RankwireException.class, () -> read(way));
        assertTrue(refused.getMessage().contains("rankwire.match: " + way), refused.getMessage());
    }

    @Test
    void shouldReadWhatToDoWithMessagesThatAreTooLong() {
        try {
            System.setProperty("rankwire.truncation", "refuse");
            assertEquals(DeviceConfig.DEFAULT.withTruncation(DeviceConfig.Truncation.REFUSE), Session.config());
            System.setProperty("rankwire.truncation", "deliver");
            assertEquals(DeviceConfig.DEFAULT, Session.config());
            System.setProperty("rankwire.truncation", "cut");
            RankwireException refused = assertThrows(RankwireException.class, Session::config);
            assertTrue(refused.getMessage().contains("rankwire.truncation: cut"), refused.getMessage());
        } finally {
            System.clearProperty("rankwire.truncation");
        }
    }

    @Test
    void shouldReadHowLargeMessagesGo() {
        String old = System.getProperty("rankwire.large");
        try {
            System.setProperty("rankwire.large", "twoended:65536");
            assertEquals(DeviceConfig.DEFAULT.withLarge(DeviceConfig.Large.TWO_ENDED, 65_536), read(null));
            System.setProperty("rankwire.large", "eager");
            assertEquals(DeviceConfig.DEFAULT.putLimit(), read(null).putLimit());
            for (String wrong : new String[] {"flat", "auto:", "auto:63", "auto:x", "auto:100:1", ":100"}) {
                System.setProperty("rankwire.large", wrong);
                RankwireException refused = assertThrows(RankwireException.class, () -> read(null));
                assertTrue(refused.getMessage().contains("rankwire.large: " + wrong), refused.getMessage());
            }
        } finally {
            if (old == null) {
                System.clearProperty("rankwire.large");
            } else {
                System.setProperty("rankwire.large", old);
            }
        }
    }

    /** Hundreds of receives and messages, alternately ahead of each other, some cancelled. */
    @ParameterizedTest
    @ValueSource(strings = {"optimistic:1:0", "optimistic:4:2", "handshake:1", "handshake:8", "software:4", "grow:4",
            "refuse:4"})
    void shouldRunAProgramOnASmallDevice(String way) {
        set(way);
        World.run(3, world -> {
            Communicator all = world.communicator();
            int right = (all.rank() + 1) % 3;
            int left = (all.rank() + 2) % 3;
            for (int round = 0; round < 4; round++) {
                int[][] in = new int[MESSAGES][1];
                Request[] receives = new Request[MESSAGES];
                boolean ahead = (round + all.rank()) % 2 == 0;
                if (ahead) {
                    post(all, receives, in, left);
                }
                for (int i = 0; i < MESSAGES; i++) {
                    all.send(new int[] {100_000 * all.rank() + i}, right, i % 7);
                }
                if (!ahead) {
                    post(all, receives, in, left);
                }
                Request never = all.irecv(new int[1], left, 99);
                never.cancel();
                assertTrue(never.await().cancelled());
                Request.awaitAll(receives);
                for (int i = 0; i < MESSAGES; i++) {
                    assertArrayEquals(new int[] {100_000 * left + i}, in[i]);
                }
                all.barrier();
            }
        });
    }

    private static void post(Communicator all, Request[] receives, int[][] in, int from) {
        for (int i = 0; i < receives.length; i++) {
            receives[i] = all.irecv(in[i], i % 3 == 0 ? Communicator.ANY_SOURCE : from, i % 7);
        }
    }

    @Test
    void shouldFailWithTheCountsWhenThePolicySaysSo() {
        set("fail:4");
        RankwireException failed = assertThrows(RankwireException.class, () -> World.run(1, world -> {
            for (int i = 0; i < 5; i++) {
                world.communicator().irecv(new int[1], 0, i);
            }
        }));
        assertTrue(failed.getMessage().contains("the header store is full: 4 receives"), failed.getMessage());
    }
}
