package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Environments as launchers leave them; those inside each other too. */
final class DetectionTest {
    @TempDir
    Path directory;

    private static final String PMI = "PMI_FD=13 PMI_RANK=2 PMI_SIZE=4 ";
    private static final String TASK = "SLURM_JOB_ID=3 SLURM_STEP_ID=0 SLURM_PROCID=2 SLURM_NTASKS=4"
            + " SLURM_STEP_NUM_TASKS=4 SLURM_STEP_NODELIST=n[1-2] SLURMD_NODENAME=n2 ";
    private static final String MPIRUN = "PMIX_NAMESPACE=x PMIX_RANK=2 OMPI_COMM_WORLD_RANK=2 ";

    private static Map<String, String> environment(String words) {
        Map<String, String> all = new HashMap<>();
        for (String word : words.strip().split(" +")) {
            if (!word.isEmpty()) {
                all.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
            }
        }
        return all;
    }

    private static void assertFound(Detection expected, String words) {
        assertEquals(expected, Detection.of(environment(words)), words);
    }

    @Test
    void shouldFindWhatHasStartedARank() {
        assertFound(Detection.ALONE, "");
        assertFound(Detection.OURS, "RANKWIRE_JOB=/dev/shm/x RANKWIRE_RANK=0 RANKWIRE_SIZE=2 " + PMI + TASK);
        assertFound(Detection.OURS, "RANKWIRE_RANK=0");
        assertFound(Detection.BY_HAND, "RANKWIRE_ROOT=a:1 RANKWIRE_RANK=0 RANKWIRE_SIZE=2 " + PMI);
        assertFound(Detection.PMI_FD, PMI);
        assertFound(Detection.PMI_FD, PMI + TASK);
        assertFound(Detection.PMI_PORT, "PMI_PORT=host:4711 PMI_ID=2");
        assertFound(Detection.PMIX, MPIRUN + "OMPI_COMM_WORLD_SIZE=4");
        assertFound(Detection.PMIX, "OMPI_COMM_WORLD_SIZE=4");
        assertFound(Detection.PMIX, "PMIX_NAMESPACE=slurm.pmix.4.0 PMIX_RANK=2 " + TASK);
        assertFound(Detection.SRUN, TASK);
        assertFound(Detection.KUBERNETES, "JOB_COMPLETION_INDEX=2 RANKWIRE_SIZE=4");
        assertFound(Detection.BY_HAND, "JOB_COMPLETION_INDEX=2 RANKWIRE_SIZE=4 RANKWIRE_ROOT=job-0.svc:7733");
    }

    @Test
    void shouldBeAloneWhereAVariableProvesNothing() {
        // The body of a batch script, the shell of salloc, a step of one task, a pod of an indexed job without a size.
        assertFound(Detection.ALONE, "SLURM_JOB_ID=3 SLURM_PROCID=0 SLURM_LOCALID=0 SLURM_NTASKS=4");
        assertFound(Detection.ALONE, "SLURM_JOB_ID=3 SLURM_NTASKS=4");
        assertFound(Detection.ALONE, "SLURM_JOB_ID=3 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1 SLURM_NTASKS=4");
        assertFound(Detection.ALONE, "JOB_COMPLETION_INDEX=2");
        assertFound(Detection.ALONE, "PMI_FD=13 PMI_RANK=0 PMI_SIZE=1");
        assertFound(Detection.ALONE, "PMIX_NAMESPACE=x OMPI_COMM_WORLD_SIZE=1");
        // Open MPI inside of a batch script, on the second node.
        assertFound(Detection.PMIX, MPIRUN + "OMPI_COMM_WORLD_SIZE=4 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1");
    }

    private String secret() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "0123456789abcdef0123456789abcdef");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return "RANKWIRE_SECRET_FILE=" + file + " ";
    }

    private static NetworkSettings settings(String words) {
        Map<String, String> environment = environment(words);
        return Detection.of(environment).settings(environment);
    }

    private static void assertRefused(String words, String... parts) {
        String seen = assertThrows(IllegalStateException.class, () -> settings(words)).getMessage();
        for (String part : parts) {
            assertTrue(seen.contains(part), seen);
        }
    }

    @Test
    void shouldMeetOnTheFirstNodeUnderPlainSrun() throws IOException {
        NetworkSettings reserved = settings(TASK + secret() + "SLURM_STEP_RESV_PORTS=17101-17103");
        assertEquals("n1:17101", reserved.root());
        assertEquals(2, reserved.rank());
        assertEquals(4, reserved.size());
        NetworkSettings derived = settings(TASK + secret());
        assertTrue(derived.rootPort() >= 20_000 && derived.rootPort() < 32_000, derived.root());
        assertEquals(derived.root(), settings(TASK + secret()).root());
        // The same file serves another step, whose ranks are strangers.
        byte[] proof = derived.secret().proof("test");
        assertTrue(settings(TASK + secret()).secret().isProof(proof, "test"));
        assertTrue(!settings(TASK + secret() + "SLURM_STEP_ID=1").secret().isProof(proof, "test"));
        assertRefused(TASK, "srun has started this process as task 2 of 4 in step 3.0", "--mpi=pmi2",
                "RANKWIRE_SECRET_FILE");
        assertRefused(TASK + secret() + "SLURM_PROCID=0", "on node n2, but others look for rank 0 on n1");
    }

    @Test
    void shouldTakeWhatKubernetesSays() throws IOException {
        NetworkSettings pod = settings("JOB_COMPLETION_INDEX=3 RANKWIRE_SIZE=4 RANKWIRE_ROOT=job-0.svc:7733 "
                + secret());
        assertEquals(3, pod.rank());
        assertEquals("job-0.svc:7733", pod.root());
        assertRefused("JOB_COMPLETION_INDEX=3 RANKWIRE_SIZE=4", "Kubernetes has started this pod as one of 4 ranks",
                "RANKWIRE_ROOT is not set");
        assertRefused("JOB_COMPLETION_INDEX=4 RANKWIRE_SIZE=4 RANKWIRE_ROOT=job-0.svc:7733 " + secret(),
                "RANKWIRE_RANK is \"4\", not a number from 0 to 3");
    }

    @Test
    void shouldFindTheFirstNodeOfAList() {
        for (String[] each : new String[][] {{"n[1-2]", "n1"}, {"n[01-03,5],gpu07-x", "n01"}, {"gpu07-x,n1", "gpu07-x"},
            {"r[2-3]n[4,6]", "r2n4"}, {"a[7]-ib,b", "a7-ib"}, {"solo", "solo"}, {"", ""}, {"n[", "n"}, {"]]", ""}}) {
            assertEquals(each[1], Detection.firstNode(each[0]), each[0]);
        }
    }
}
