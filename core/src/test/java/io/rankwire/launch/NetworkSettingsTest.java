package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NetworkSettingsTest {
    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void setAll() throws IOException {
        environment.put("RANKWIRE_RANK", "1");
        environment.put("RANKWIRE_SIZE", "2");
        environment.put("RANKWIRE_ROOT", "node0:7733");
        environment.put("RANKWIRE_SECRET_FILE", secret("0123456789abcdef", "rw-------").toString());
    }

    private Path secret(String text, String mode) throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private void assertRefused(String message) {
        String seen = assertThrows(IllegalStateException.class, () -> NetworkSettings.of(environment)).getMessage();
        assertTrue(seen.contains(message), seen);
    }

    @Test
    void shouldReadAllVariables() {
        environment.put("RANKWIRE_PORTS", "5000-5009");
        environment.put("RANKWIRE_START_TIMEOUT", "7");
        environment.put("RANKWIRE_SILENCE", "10");
        assertFalse(NetworkSettings.of(environment).encrypted());
        environment.put("RANKWIRE_ENCRYPT", "1");
        NetworkSettings settings = NetworkSettings.of(environment);
        assertTrue(settings.encrypted());
        assertEquals(1, settings.rank());
        assertEquals(2, settings.size());
        assertEquals("node0:7733", settings.root());
        assertTrue(settings.isByName());
        assertEquals(new PortRange(5000, 5009), settings.ports());
        assertEquals(7, settings.startSeconds());
        assertEquals(10, settings.silenceSeconds());
        environment.put("RANKWIRE_ROOT", "[fd00::1]:7733");
        settings = NetworkSettings.of(environment);
        assertEquals("fd00::1", settings.rootHost());
        assertEquals("[fd00::1]:7733", settings.root());
        assertFalse(settings.isByName());
        environment.put("RANKWIRE_ROOT", "localhost:7733");
        assertFalse(NetworkSettings.of(environment).isByName());
    }

    @Test
    void shouldBePresentWithARootAndWithoutALauncher() {
        assertTrue(NetworkSettings.isPresent(environment));
        environment.put("RANKWIRE_JOB", "/dev/shm/x");
        assertFalse(NetworkSettings.isPresent(environment));
    }

    @Test
    void shouldNameTheVariableThatIsWrong() {
        for (String[] wrong : new String[][] {
            {"RANKWIRE_RANK", "2", "RANKWIRE_RANK is \"2\", not a number from 0 to 1"},
            {"RANKWIRE_SIZE", "x", "RANKWIRE_SIZE is \"x\", not a number from 1"},
            {"RANKWIRE_ROOT", "node0", "RANKWIRE_ROOT is \"node0\", not host:port"},
            {"RANKWIRE_ROOT", "node0:70000", "not host:port"},
            {"RANKWIRE_PORTS", "9-3", "RANKWIRE_PORTS is \"9-3\", not a port or a range of ports"},
            {"RANKWIRE_INTERFACE", "none7", "RANKWIRE_INTERFACE is \"none7\", which is no interface with an address"},
            {"RANKWIRE_SUBNET", "198.18.0.0/31", "RANKWIRE_SUBNET is \"198.18.0.0/31\", in which no address lies;"},
            {"RANKWIRE_SUBNET", "10.0.0.0", "RANKWIRE_SUBNET is \"10.0.0.0\", not an address and a number of bits"},
            {"RANKWIRE_FABRIC", "smoke", "RANKWIRE_FABRIC is \"smoke\", not auto, shm, tcp, udp, shm+udp,"
                    + " ofi[:PROVIDER] or shm+ofi[:PROVIDER]"},
            {"RANKWIRE_FABRIC", "tcp:net", "RANKWIRE_FABRIC is \"tcp:net\", not auto, "},
            {"RANKWIRE_FABRIC", "ofi:", "RANKWIRE_FABRIC is \"ofi:\", not auto, "},
            {"RANKWIRE_FABRIC", "ofi:a b", "RANKWIRE_FABRIC is \"ofi:a b\", not auto, "},
            {"RANKWIRE_SILENCE", "1", "RANKWIRE_SILENCE is \"1\", not a number from 2 to 127"},
            {"RANKWIRE_ENCRYPT", "yes", "RANKWIRE_ENCRYPT is \"yes\", not a number from 0 to 1"},
            {"RANKWIRE_START_TIMEOUT", "0", "RANKWIRE_START_TIMEOUT is \"0\""},
            {"RANKWIRE_SECRET_FILE", directory.toString(), "which is no regular file"},
            {"RANKWIRE_SECRET_FILE", directory + "/none", "which does not exist"},
        }) {
            String before = environment.put(wrong[0], wrong[1]);
            assertRefused(wrong[2]);
            if (before == null) {
                environment.remove(wrong[0]);
            } else {
                environment.put(wrong[0], before);
            }
        }
        environment.remove("RANKWIRE_SECRET_FILE");
        assertRefused("RANKWIRE_SECRET_FILE is not set");
    }

    @Test
    void shouldRefuseToSealWhatLibfabricCarries() {
        for (String fabric : new String[] {"ofi", "shm+ofi", "ofi:tcp;ofi_rxm"}) {
            environment.put("RANKWIRE_FABRIC", fabric);
            environment.put("RANKWIRE_ENCRYPT", "0");
            NetworkSettings settings = NetworkSettings.of(environment);
            assertEquals(fabric, settings.fabric());
            assertThrows(IllegalStateException.class, settings::sealed);
            environment.put("RANKWIRE_ENCRYPT", "1");
            assertRefused("RANKWIRE_ENCRYPT does not go with fabric " + fabric + ": what libfabric carries is not"
                    + " encrypted; choose auto, tcp or udp");
        }
    }

    @Test
    void shouldRefuseASecretThatOthersMayReadOrGuess() throws IOException {
        secret("0123456789abcdef", "rw-r-----");
        assertRefused("which needs mode 600: others may use it ([GROUP_READ])");
        secret("short", "rw-------");
        assertRefused("a file of 5 bytes, not 16 to ");
        secret("0123456789abcdef", "rw-------");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefused("but any user may put another file there: " + directory + " is writable by all");
        Files.setAttribute(directory, "unix:mode", 01777);
        assertEquals(1, NetworkSettings.of(environment).rank());
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        // A mounted secret of Kubernetes is a link; what it leads to counts.
        Path link = Files.createSymbolicLink(directory.resolve("link"), secret("0123456789abcdef", "rw-r--r--"));
        environment.put("RANKWIRE_SECRET_FILE", link.toString());
        assertRefused("which needs mode 600: others may use it ([GROUP_READ, OTHERS_READ])");
        secret("0123456789abcdef", "r--------");
        assertEquals(2, NetworkSettings.of(environment).size());
    }
}
