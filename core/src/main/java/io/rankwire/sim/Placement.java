package io.rankwire.sim;

/**
 * Which rank of which job each port of a fabric belongs to, and the node of each. The ports of a job follow those of
 * the job before it. A job's application id is the number of its first port: ports add it to the ranks that their
 * devices name, so no message leaves its job. Rank r of every job is on node r / ranksPerNode, so jobs share nodes.
 */
public final class Placement {
    private final int ranksPerNode;
    /** By job: its first port; and behind the last job the number of all ports. */
    private final int[] firsts;
    /** The ports below this are those of the first job. */
    private final int firstJob;
    private final int most;
    /** By rank behind those at the start: the rank at the start whose seat it has. */
    private final int[] seats;

    /** @param sizes the number of ranks of each job */
    public Placement(int ranksPerNode, int... sizes) {
        this(0, ranksPerNode, sizes);
    }

    /** @param later how many of the ranks of the first job come later */
    private Placement(int later, int ranksPerNode, int[] sizes) {
        this.ranksPerNode = ranksPerNode;
        firsts = new int[sizes.length + 1];
        int largest = 0;
        for (int job = 0; job < sizes.length; job++) {
            firsts[job + 1] = firsts[job] + sizes[job];
            largest = Math.max(largest, sizes[job]);
        }
        firstJob = sizes[0];
        most = largest - later;
        seats = new int[later];
    }

    /**
     * One job, to which ranks may come later.
     *
     * @param places the ports: one for each rank at the start, then one for each that may come
     */
    public static Placement growing(int ranksPerNode, int size, int places) {
        return new Placement(places - size, ranksPerNode, new int[] {places});
    }

    /** A rank that comes later takes the seat of another one. */
    public void take(int rank, int like) {
        seats[rank - most] = home(like);
    }

    /** The rank at the start whose node and seat a rank has. */
    public int home(int rank) {
        return seats.length == 0 || rank < most ? rank : seats[rank - most];
    }

    public int jobs() {
        return firsts.length - 1;
    }

    public int ports() {
        return firsts[jobs()];
    }

    /** The number of ranks of a job. */
    public int size(int job) {
        return firsts[job + 1] - firsts[job];
    }

    /** The first port of a job. */
    public int first(int job) {
        return firsts[job];
    }

    public int job(int port) {
        int job = 0;
        while (port >= firsts[job + 1]) {
            job++;
        }
        return job;
    }

    /** The rank that a port is in its job. */
    public int rank(int port) {
        return port < firstJob ? port : port - firsts[job(port)];
    }

    public int node(int port) {
        return home(rank(port)) / ranksPerNode;
    }

    /** The place of a port among those of its job and node. */
    int seat(int port) {
        return home(rank(port)) % ranksPerNode;
    }

    /** The number of nodes that have ranks. */
    public int nodes() {
        return (most + ranksPerNode - 1) / ranksPerNode;
    }

    public int ranksPerNode() {
        return ranksPerNode;
    }
}
