package io.rankwire.launch;

import io.rankwire.launch.cluster.Launcher;
import io.rankwire.launch.cluster.Pmi;
import io.rankwire.launch.cluster.Pmix;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds out what has started this process as a rank, by its environment. Launchers that run inside each other leave
 * variables of the outer one, so the order matters, and not every variable proves something: the script of a Slurm job
 * has the number of a task and is none.
 */
enum Detection {
    /** {@code rankwire run}. */
    OURS,
    /** The variables that a user sets for each rank; a launcher may add those that are missing. */
    BY_HAND,
    /** A launcher with PMI, over an open file. */
    PMI_FD,
    /** A launcher with PMI, over TCP. */
    PMI_PORT,
    /** A launcher with PMIx. */
    PMIX,
    /** Slurm's {@code srun} without PMI or PMIx. */
    SRUN,
    /** A pod of an indexed job. */
    KUBERNETES,
    /** Nothing: a world of one. */
    ALONE;

    private static final String STEP = "SLURM_STEP_ID";
    private static final String TASKS = "SLURM_STEP_NUM_TASKS";
    private static final String TASK = "SLURM_PROCID";
    private static final String NODES = "SLURM_STEP_NODELIST";
    private static final String OPEN_MPI_SIZE = "OMPI_COMM_WORLD_SIZE";
    private static final String INDEX = "JOB_COMPLETION_INDEX";

    /** Ports below those that systems choose by themselves. */
    private static final int FIRST_PORT = 20_000;
    private static final int PORTS = 12_000;

    static Detection of(Map<String, String> environment) {
        if (has(environment, ProcessJob.DIRECTORY)) {
            return OURS;
        }
        if (has(environment, NetworkSettings.ROOT)) {
            return BY_HAND;
        }
        boolean isPod = has(environment, INDEX) && has(environment, ProcessJob.SIZE);
        if (has(environment, ProcessJob.RANK) || has(environment, ProcessJob.SIZE) && !isPod) {
            return OURS;
        }
        if (has(environment, "PMI_FD")) {
            return isOne(environment, "PMI_SIZE") ? ALONE : PMI_FD;
        }
        if (has(environment, "PMI_PORT")) {
            return PMI_PORT;
        }
        if (has(environment, "PMIX_NAMESPACE") || has(environment, OPEN_MPI_SIZE)) {
            return isOne(environment, OPEN_MPI_SIZE) ? ALONE : PMIX;
        }
        if (isTask(environment)) {
            return SRUN;
        }
        return isPod && !isOne(environment, ProcessJob.SIZE) ? KUBERNETES : ALONE;
    }

    private static boolean has(Map<String, String> environment, String variable) {
        return NetworkSettings.text(environment, variable) != null;
    }

    private static boolean isOne(Map<String, String> environment, String variable) {
        return "1".equals(environment.get(variable));
    }

    /** Whether this is one of several tasks of a step; the body of a batch script belongs to no step. */
    private static boolean isTask(Map<String, String> environment) {
        return has(environment, STEP) && has(environment, TASKS) && !isOne(environment, TASKS);
    }

    /** Whether a process that could not join may try once more; a launcher answers once. */
    boolean canBeAskedAgain() {
        return this != PMI_FD && this != PMI_PORT && this != PMIX;
    }

    /** Joins the job that this process belongs to. */
    Job join(Map<String, String> environment) {
        return switch (this) {
            case OURS -> ProcessJob.join();
            case ALONE -> new SoloJob();
            case PMI_FD, PMI_PORT, PMIX -> NetworkStart.join(launcher(environment), environment);
            default -> NetworkStart.join(settings(environment));
        };
    }

    private Launcher launcher(Map<String, String> environment) {
        long deadline = System.nanoTime() + NetworkSettings.startSeconds(environment) * 1_000_000_000L;
        String pmix = has(environment, OPEN_MPI_SIZE)
                ? "Open MPI's mpirun (" + OPEN_MPI_SIZE + " is " + environment.get(OPEN_MPI_SIZE) + ")"
                : "PMIx (PMIX_NAMESPACE is " + environment.get("PMIX_NAMESPACE") + ")";
        try {
            return switch (this) {
                case PMI_FD -> Pmi.inherited(environment, deadline);
                case PMI_PORT -> Pmi.connected(environment, deadline);
                default -> Pmix.open(pmix, deadline);
            };
        } catch (IOException e) {
            throw new IllegalStateException("this process was started as a rank by a launcher with "
                    + (this == PMIX ? pmix : "PMI (" + this + " is " + environment.get(name()) + ")")
                    + ", but cannot find the other ranks: "
                    + (e.getMessage() == null ? "the launcher does not answer" : e.getMessage()), e);
        }
    }

    /** The settings of a rank that meets the others at an address that all know from their environment. */
    NetworkSettings settings(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        if (isTask(environment) && !has(environment, ProcessJob.RANK)) {
            all.put(ProcessJob.RANK, environment.getOrDefault(TASK, ""));
            all.put(ProcessJob.SIZE, environment.get(TASKS));
        } else if (!has(environment, ProcessJob.RANK) && has(environment, INDEX)) {
            all.put(ProcessJob.RANK, environment.get(INDEX));
        }
        if (this == SRUN) {
            return ofTask(all);
        }
        if (this == KUBERNETES) {
            throw new IllegalStateException("Kubernetes has started this pod as one of " + all.get(ProcessJob.SIZE)
                    + " ranks (" + INDEX + " is " + all.get(INDEX) + "), but " + NetworkSettings.ROOT
                    + " is not set: it names rank 0, as <job>-0.<service>:7733");
        }
        return NetworkSettings.of(all);
    }

    /** All tasks know the first node. There is no private way to pass a secret, so a file has to be given. */
    private static NetworkSettings ofTask(Map<String, String> all) {
        String step = all.getOrDefault("SLURM_JOB_ID", "") + "." + all.get(STEP);
        String who = "srun has started this process as task " + all.get(ProcessJob.RANK) + " of "
                + all.get(ProcessJob.SIZE) + " in step " + step + ", ";
        if (!has(all, NetworkSettings.SECRET_FILE)) {
            throw new IllegalStateException(who + "but srun itself passes no secret on: use `srun --mpi=pmi2` or `srun"
                    + " --mpi=pmix`, or set " + NetworkSettings.SECRET_FILE + " to a file of mode 600 that all nodes"
                    + " see; for worlds of one rank, unset " + STEP);
        }
        String first = firstNode(all.getOrDefault(NODES, ""));
        if (first.isEmpty()) {
            throw new IllegalStateException(who + "but " + NODES + " is not set: set " + NetworkSettings.ROOT
                    + " to host:port of rank 0");
        }
        String here = NetworkSettings.text(all, "SLURMD_NODENAME");
        if (all.get(ProcessJob.RANK).equals("0") && here != null && !here.equals(first)) {
            throw new IllegalStateException(who + "on node " + here + ", but others look for rank 0 on " + first
                    + ", the first of " + NODES + ": set " + NetworkSettings.ROOT + " to " + here + ":port, or use"
                    + " `srun --mpi=pmi2`");
        }
        all.put(NetworkSettings.ROOT, first + ":" + port(all, step));
        NetworkSettings settings = NetworkSettings.of(all);
        // A file may serve several jobs; a rank of another one is then refused.
        return settings.at(settings.root(), settings.secret().with(("slurm " + step).getBytes()));
    }

    /** The first of the ports that Slurm has reserved, or else one by the number of the step. */
    private static int port(Map<String, String> all, String step) {
        String reserved = all.getOrDefault("SLURM_STEP_RESV_PORTS", "").split("[-,]")[0];
        try {
            return Integer.parseInt(reserved);
        } catch (NumberFormatException e) {
            return FIRST_PORT + Math.floorMod(step.hashCode() * 0x9e3779b1 >>> 8, PORTS);
        }
    }

    /** The first name of a list such as {@code n[1-2,5],gpu07-x}; several brackets may follow each other. */
    static String firstNode(String list) {
        StringBuilder first = new StringBuilder();
        boolean inside = false;
        boolean skips = false;
        for (char each : list.strip().toCharArray()) {
            if (each == '[' || each == ']') {
                inside = each == '[';
                skips = false;
            } else if (!inside && each == ',') {
                break;
            } else if (inside && (each == '-' || each == ',')) {
                skips = true;
            } else if (!skips) {
                first.append(each);
            }
        }
        return first.toString();
    }
}
