package io.rankwire.tools.hosts;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.hosts.HostList.Host;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of hosts in all their forms, and what is made of them. */
class HostListTest {
    @TempDir
    Path place;

    @Test
    void shouldReadAList() {
        assertEquals(List.of(new Host("a", 4), new Host("b.c-d", 0), new Host("fd00::1", 2), new Host("me@e", 1)),
                HostList.ofList("a:2, b.c-d,[fd00::1]:2,a:2,me@e:1"));
    }

    @Test
    void shouldReadTheFilesOfOpenMpiAndMpich() {
        assertEquals(List.of(new Host("a", 4), new Host("b", 8), new Host("c", 0), new Host("d", 1)),
                HostList.ofFile(List.of("# all", "", "a slots=4 max_slots=8  # big", "b:8", "c", "\td slots=1 ")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a:", "a:0", "a:x", "-oProxyCommand=x", "a b", "a;b", ":4", "a:1:2", "a,,b",
        "a:99999999"})
    void shouldRefuseWhatIsNoHost(String text) {
        assertThrows(IllegalArgumentException.class, () -> HostList.ofList(text));
    }

    @Test
    void shouldNameTheLineThatIsWrong() {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> HostList.ofFile(List.of("a", "b slot=3")));
        assertEquals("line 2: \"slot=3\" is not slots=N", refused.getMessage());
        assertThrows(IllegalArgumentException.class, () -> HostList.ofFile(List.of("# none")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "n1; n1",
        "n[1-2,5],gpu07-x; n1 n2 n5 gpu07-x",
        "n[008-011]; n008 n009 n010 n011",
        "r[1-2]n[3-4]; r1n3 r1n4 r2n3 r2n4",
        "a[1].cluster,b; a1.cluster b",
    })
    void shouldExpandBrackets(String list, String names) {
        assertEquals(List.of(names.split(" ")), HostList.expand(list));
    }

    @ParameterizedTest
    @ValueSource(strings = {"n[1-2", "n1-2]", "n[2-1]", "n[a-b]", "n[]", "n[1-99999999]", "n[1,]x[["})
    void shouldRefuseBracketsThatMakeNoSense(String list) {
        assertThrows(IllegalArgumentException.class, () -> HostList.ofSlurm(list, null));
    }

    @Test
    void shouldReadTheAllocationOfSlurm() {
        assertEquals(List.of(new Host("n1", 2), new Host("n2", 2), new Host("n3", 1)),
                HostList.ofSlurm("n[1-3]", "2(x2),1"));
        assertThrows(IllegalArgumentException.class, () -> HostList.ofSlurm("n[1-3]", "2(x2)"));
    }

    @Test
    void shouldPlaceRanks() {
        assertArrayEquals(new int[] {0, 0, 1, 1, 1}, Placement.of(5, List.of(2, 4), false, false));
        assertArrayEquals(new int[] {0, 1, 0, 1, 1}, Placement.of(5, List.of(2, 4), true, false));
        assertNull(Placement.of(7, List.of(2, 4), false, false));
        assertArrayEquals(new int[] {0, 0, 0, 0, 1, 1}, Placement.of(6, List.of(2, 1), false, true));
    }

    @Test
    void shouldRefuseChangedLists() {
        Random random = new Random(20261116);
        for (byte[] sample : HostListFuzz.samples()) {
            for (int i = 0; i < 1_000; i++) {
                byte[] changed = sample.clone();
                for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
                    changed[random.nextInt(changed.length)] = random.nextBoolean() ? (byte) random.nextInt(128)
                            : sample[random.nextInt(sample.length)];
                }
                HostListFuzz.fuzzerTestOneInput(changed);
            }
        }
    }

    /** Whatever the slots are: no host has more ranks than it should, and all ranks have one. */
    @Test
    void shouldPlaceAllRanksWithinTheSlots() {
        Random random = new Random(16);
        for (int round = 0; round < 500; round++) {
            List<Integer> slots = random.ints(1 + random.nextInt(5), 1, 6).boxed().toList();
            int total = slots.stream().mapToInt(Integer::intValue).sum();
            int ranks = 1 + random.nextInt(3 * total);
            int[] hosts = Placement.of(ranks, slots, random.nextBoolean(), true);
            int[] used = new int[slots.size()];
            for (int host : hosts) {
                used[host]++;
            }
            for (int host = 0; host < used.length; host++) {
                assertTrue(used[host] <= slots.get(host) * ((ranks + total - 1) / total), slots + " " + ranks);
            }
        }
    }

    @Test
    void shouldFindTheAddressOfRankZero() {
        HostHello here = HostHello.of(2, "10.9.9.9 1 10.0.0.9 22", List.of("10.0.0.9", "127.0.0.1"));
        HostHello there = HostHello.of(2, "10.0.0.9 1 10.0.0.1 22", List.of("10.5.0.1", "127.0.0.1"));
        HostHello tunnel = HostHello.of(2, "127.0.0.1 1 127.0.0.1 22", List.of("10.5.0.2"));
        HostHello other = HostHello.of(2, null, List.of("10.5.0.3"));
        assertEquals("127.0.0.1", HostHello.rootHost(List.of(here), 1, 0));
        assertEquals("10.0.0.9", HostHello.rootHost(List.of(here, there), 1, 0));
        assertEquals("10.0.0.1", HostHello.rootHost(List.of(here, there), 1, 1));
        assertEquals("10.5.0.2", HostHello.rootHost(List.of(tunnel, there), 0, 0));
        assertEquals("127.0.0.1", HostHello.rootHost(List.of(tunnel, tunnel), 0, 0));
        assertEquals("10.5.0.3", HostHello.rootHost(List.of(there, other), 0, 1));
    }

    @Test
    void shouldSumFilesAsTheCommandDoes() throws Exception {
        assertEquals("4294967295 0", AgentStart.sumOf(Files.createFile(place.resolve("empty")).toString()));
        assertEquals("930766865 9", AgentStart.sumOf(Files.writeString(place.resolve("f"), "123456789").toString()));
    }

    @Test
    void shouldSendAJobAsItIs() {
        HostsJob.Part part = new HostsJob.Part(2, "/d", List.of("-f"), List.of("-j", ""), new int[] {0, 1}, "Main",
                List.of("a b", "ü"), List.of("X=1"));
        HostsJob job = new HostsJob(3, 1, 9, 2, new byte[] {1, 2}, "auto", true, false, true, 1, 5005, true,
                List.of("Y=2"),
                List.of(new ClassFiles("/p", "d"), new ClassFiles("/q", "")), List.of(part, part));
        assertArrayEquals(job.message().body(), HostsJob.of(job.message()).message().body());
        assertEquals("Main", HostsJob.of(job.message()).programOf(2).mainClass());
    }
}
