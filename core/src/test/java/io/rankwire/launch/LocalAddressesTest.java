package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.LocalAddresses.Candidate;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LocalAddressesTest {
    private static final List<Candidate> ALL = List.of(
            candidate("eth0", "10.1.2.3", 24), candidate("eth0", "fd00::3", 64),
            candidate("ib0", "10.200.0.3", 16), candidate("ib0", "10.201.0.3", 16), candidate("lo", "127.0.0.1", 8));
    private static final InetAddress FOUR = InetAddress.ofLiteral("10.1.2.3");
    private static final InetAddress SIX = InetAddress.ofLiteral("fd00::3");

    private static Candidate candidate(String of, String address, int bits) {
        return new Candidate(of, InetAddress.ofLiteral(address), bits);
    }

    private static String chosen(String interfaceName, String subnet, InetAddress reached) {
        return LocalAddresses.choose(ALL, interfaceName, subnet, reached, "-i", "-s").getHostAddress();
    }

    private static String refused(String interfaceName, String subnet) {
        return assertThrows(IllegalArgumentException.class, () -> chosen(interfaceName, subnet, FOUR)).getMessage();
    }

    @Test
    void shouldChooseByInterfaceOrSubnetOrBoth() {
        assertEquals("10.1.2.3", chosen("eth0", null, FOUR));
        assertEquals("fd00:0:0:0:0:0:0:3", chosen("eth0", null, SIX));
        assertEquals("10.1.2.3", chosen("eth0", null, null));
        assertEquals("10.200.0.3", chosen("ib0", null, SIX));
        assertEquals("10.201.0.3", chosen(null, "10.201.0.0/16", FOUR));
        assertEquals("10.201.0.3", chosen("ib0", "10.201.77.1/16", FOUR));
        assertEquals("fd00:0:0:0:0:0:0:3", chosen(null, "fd00::/64", FOUR));
        assertEquals("10.1.2.3", chosen(null, "0.0.0.0/0", FOUR));
        assertEquals("10.1.2.3", chosen(null, "10.1.2.3/32", FOUR));
        assertSame(SIX, LocalAddresses.choose(null, null, SIX, "-i", "-s"));
    }

    @Test
    void shouldHaveOneVersionForAllRanksWhereNamesNeedThat() {
        List<Candidate> all = List.of(candidate("eth0", "fd00::2", 64), candidate("eth0", "10.0.0.2", 24),
                candidate("ib0", "10.9.0.2", 24), candidate("six", "fd01::2", 64), candidate("lo", "127.0.0.1", 8));
        String[][] expected = {{"fd00::2", "10.0.0.2"}, {"10.0.0.2", "10.0.0.2"}, {"10.9.0.2", "10.9.0.2"},
            {"fd01::2", "fd01::2"}, {"127.0.0.1", "127.0.0.1"}, {"fd07::7", "fd07::7"}};
        for (String[] each : expected) {
            InetAddress own = InetAddress.ofLiteral(each[0]);
            assertEquals(InetAddress.ofLiteral(each[1]), WireUp.ofOneVersion(all, own, false, false), each[0]);
            assertTrue(WireUp.ofOneVersion(all, own, false, true).isLoopbackAddress());
        }
        InetAddress hidden = InetAddress.ofLiteral("::1");
        assertEquals(InetAddress.ofLiteral("10.0.0.2"), WireUp.ofOneVersion(all, hidden, true, false));
        assertEquals(InetAddress.ofLiteral("fd01::2"), WireUp.ofOneVersion(all.subList(3, 5), hidden, true, false));
        assertEquals(hidden, WireUp.ofOneVersion(List.of(), hidden, true, false));
    }

    @Test
    void shouldNameTheOptionAndWhatThereIs() {
        String has = "; this host has eth0 10.1.2.3/24 fd00:0:0:0:0:0:0:3/64, ib0 10.200.0.3/16 10.201.0.3/16,"
                + " lo 127.0.0.1/8";
        assertEquals("-i is \"eth9\", which is no interface with an address that other hosts can use" + has,
                refused("eth9", null));
        assertEquals("-s is \"10.2.0.0/16\", in which no address lies" + has, refused(null, "10.2.0.0/16"));
        assertEquals("-s is \"10.1.0.0/16\", in which no address of ib0 lies" + has, refused("ib0", "10.1.0.0/16"));
        for (String wrong : new String[] {"10.1.0.0", "10.1.0.0/33", "10.1.0.0/x", "fd00::/129", "node/8", "/8"}) {
            assertEquals("-s is \"" + wrong + "\", not an address and a number of bits such as 10.1.0.0/16 or"
                    + " fd00::/64", refused(null, wrong));
        }
    }

    @Test
    void shouldListTheAddressesOfThisHost() {
        List<Candidate> here = LocalAddresses.all();
        assertTrue(here.stream().anyMatch(each -> each.address().isLoopbackAddress()), here.toString());
        assertTrue(here.stream().noneMatch(each -> each.address().isLinkLocalAddress()), here.toString());
        String text = LocalAddresses.describe(here);
        assertTrue(text.contains("127.0.0.1/8"), text);
    }

    @Test
    void shouldReadPortRanges() {
        assertEquals(new PortRange(5000, 5099), PortRange.parse("5000-5099", "-p"));
        assertEquals(new PortRange(7, 7), PortRange.parse("7", "-p"));
        assertEquals(PortRange.ANY, PortRange.parse(null, "-p"));
        for (String wrong : new String[] {"", "0", "9-3", "1-65536", "a-b", "5000-", "-5"}) {
            assertEquals("-p is \"" + wrong + "\", not a port or a range of ports such as 5000-5099",
                    assertThrows(IllegalArgumentException.class, () -> PortRange.parse(wrong, "-p")).getMessage());
        }
    }
}
