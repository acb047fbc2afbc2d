package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The manifests under deploy: a small parser for the part of YAML that they use, and what has to fit together. */
class ManifestsTest {
    private static final Path DEPLOY = Path.of("..", "deploy");

    /** Lines that are no comment, from an indent on. */
    private static final class Parser {
        private final List<String> lines;
        private int at;

        Parser(String text) {
            lines = text.lines().filter(line -> !line.isBlank() && !line.strip().startsWith("#")).toList();
        }

        private int indent() {
            return at == lines.size() ? -1 : lines.get(at).length() - lines.get(at).stripLeading().length();
        }

        private boolean isItem() {
            return indent() >= 0 && lines.get(at).stripLeading().startsWith("- ");
        }

        /** A map, a list or a word that is indented by at least this much. */
        Object value(int least) {
            int indent = indent();
            if (indent < least) {
                throw new IllegalArgumentException("no value before line " + at + ": " + lines.get(Math.min(at,
                        lines.size() - 1)));
            }
            return isItem() ? list(indent) : map(indent, new LinkedHashMap<>());
        }

        private List<Object> list(int indent) {
            List<Object> all = new ArrayList<>();
            while (indent() == indent && isItem()) {
                String rest = lines.get(at).substring(indent + 2);
                if (rest.matches("[\\w./-]+:( .*)?")) {
                    all.add(entries(indent + 2, new LinkedHashMap<>(), rest));
                } else {
                    all.add(word(rest));
                    at++;
                }
            }
            return all;
        }

        private Map<String, Object> map(int indent, Map<String, Object> into) {
            while (indent() == indent && !isItem()) {
                entry(indent, into, lines.get(at).substring(indent));
            }
            if (indent() > indent) {
                throw new IllegalArgumentException("indented too far: " + lines.get(at));
            }
            return into;
        }

        private Map<String, Object> entries(int indent, Map<String, Object> into, String first) {
            entry(indent, into, first);
            return map(indent, into);
        }

        private void entry(int indent, Map<String, Object> into, String text) {
            int colon = text.indexOf(':');
            if (colon < 1 || into.containsKey(text.substring(0, colon))) {
                throw new IllegalArgumentException("no key, or one that comes twice: " + text);
            }
            at++;
            String rest = text.substring(colon + 1).strip();
            into.put(text.substring(0, colon), rest.isEmpty() ? value(indent + 1) : word(rest));
        }

        private static String word(String text) {
            boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
            if (!quoted && text.matches("[\\[{&*!|>'\"%@`].*")) {
                throw new IllegalArgumentException("a form that this parser does not know: " + text);
            }
            return quoted ? text.substring(1, text.length() - 1) : text;
        }
    }

    private static List<Object> documents(String name) throws IOException {
        List<Object> all = new ArrayList<>();
        for (String each : Files.readString(DEPLOY.resolve(name)).split("(?m)^---$")) {
            all.add(new Parser(each).value(0));
        }
        return all;
    }

    /** What lies at a path of keys and places in lists. */
    private static Object at(Object in, Object... path) {
        Object here = in;
        for (Object key : path) {
            here = key instanceof Integer place ? ((List<?>) here).get(place) : ((Map<?, ?>) here).get(key);
            assertTrue(here != null, () -> "no " + key + " in " + List.of(path));
        }
        return here;
    }

    private static Map<String, String> variables(Object container) {
        Map<String, String> all = new LinkedHashMap<>();
        for (Object each : (List<?>) at(container, "env")) {
            all.put((String) at(each, "name"), (String) at(each, "value"));
        }
        return all;
    }

    private static void assertVolumes(Object pod, Object container) {
        List<Object> names = new ArrayList<>();
        ((List<?>) at(pod, "volumes")).forEach(each -> names.add(at(each, "name")));
        List<Object> mounted = new ArrayList<>();
        ((List<?>) at(container, "volumeMounts")).forEach(each -> mounted.add(at(each, "name")));
        assertEquals(names, mounted);
    }

    @Test
    void shouldFitTogetherInAnIndexedJob() throws IOException {
        List<Object> documents = documents("indexed-job.yaml");
        Object service = documents.get(0);
        Object job = documents.get(1);
        assertEquals("None", at(service, "spec", "clusterIP"));
        assertEquals("true", at(service, "spec", "publishNotReadyAddresses"));
        assertEquals(at(job, "metadata", "name"), at(service, "spec", "selector", "job-name"));
        assertEquals("Indexed", at(job, "spec", "completionMode"));
        assertEquals("0", at(job, "spec", "backoffLimit"));
        Object pod = at(job, "spec", "template", "spec");
        assertEquals(at(service, "metadata", "name"), at(pod, "subdomain"));
        assertEquals("Never", at(pod, "restartPolicy"));
        Object rank = at(pod, "containers", 0);
        Map<String, String> variables = variables(rank);
        for (String count : List.of("completions", "parallelism")) {
            assertEquals(variables.get("RANKWIRE_SIZE"), at(job, "spec", count));
        }
        assertEquals(at(job, "metadata", "name") + "-0." + at(service, "metadata", "name") + ":7733",
                variables.get("RANKWIRE_ROOT"));
        assertEquals("secret", at(pod, "volumes", 0, "name"));
        assertEquals("0400", at(pod, "volumes", 0, "secret", "defaultMode"));
        assertEquals(at(rank, "volumeMounts", 0, "mountPath") + "/secret", variables.get("RANKWIRE_SECRET_FILE"));
        assertEquals("/dev/shm", at(rank, "volumeMounts", 1, "mountPath"));
        assertVolumes(pod, rank);
    }

    @Test
    void shouldFitTogetherInAJobOfTheOperator() throws IOException {
        Object job = documents("mpijob.yaml").getFirst();
        assertEquals("kubeflow.org/v2beta1", at(job, "apiVersion"));
        Object launcher = at(job, "spec", "mpiReplicaSpecs", "Launcher", "template", "spec", "containers", 0);
        Object pod = at(job, "spec", "mpiReplicaSpecs", "Worker", "template", "spec");
        Object worker = at(pod, "containers", 0);
        int slots = Integer.parseInt((String) at(job, "spec", "slotsPerWorker"));
        int workers = Integer.parseInt((String) at(job, "spec", "mpiReplicaSpecs", "Worker", "replicas"));
        assertEquals(List.of("mpiexec.hydra", "-n", Integer.toString(slots * workers), "java"),
                ((List<?>) at(launcher, "command")).subList(0, 4));
        assertTrue(variables(launcher).containsKey("HYDRA_LAUNCHER_EXTRA_ARGS"));
        String server = Files.readString(DEPLOY.resolve("sshd_config"));
        assertTrue(server.contains("Port " + at(worker, "readinessProbe", "tcpSocket", "port") + "\n"), server);
        assertTrue(server.contains("HostKey " + at(job, "spec", "sshAuthMountPath") + "/"), server);
        assertEquals(at(launcher, "image"), at(worker, "image"));
        assertVolumes(pod, worker);
    }

    /** The container has what the manifests start. */
    @Test
    void shouldHaveInTheImageWhatJobsUse() throws IOException {
        String file = Files.readString(DEPLOY.resolve("Containerfile"));
        String user = (String) at(documents("indexed-job.yaml").get(1), "spec", "template", "spec", "securityContext",
                "runAsUser");
        for (String part : List.of("mpich", "openssh-server", "--uid " + user + " ", "USER " + user + "\n",
                "/opt/app/rankwire.jar", "COPY deploy/sshd_config /home/mpiuser/.sshd_config",
                "--enable-native-access=ALL-UNNAMED")) {
            assertTrue(file.contains(part), part);
        }
    }

    @Test
    void shouldNoticeWhatIsNoManifest() {
        for (String wrong : List.of("a:\nb: 1", "a: 1\na: 2", "a: 1\n  b: 2", "a: {b: 1}", "a:\n  - b\n   - c")) {
            assertThrows(IllegalArgumentException.class, () -> {
                Parser parser = new Parser(wrong);
                parser.value(0);
                if (parser.at < parser.lines.size()) {
                    throw new IllegalArgumentException("something is left");
                }
            }, wrong);
        }
    }
}
