// Solves a Laplace equation on a square by conjugate gradients, as ConjugateGradient does. When a rank dies, the others
// divide all rows anew and go on from the last checkpoint. Kill a rank, or give a rank and a step at which it kills
// itself:
//     bin/rankwire run -n 4 --on-failure=continue examples/SurvivingGradient.java 2 35
//     bin/rankwire run -n 4 examples/SurvivingGradient.java
import io.rankwire.*;
import java.util.SplittableRandom;

static final int SIDE = 48;
static final int MAX_STEPS = 400;
static final double TOLERANCE = 1e-11;
static final int STEPS_BETWEEN_SAVES = 10;

void main(String[] args) {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        boolean dies = args.length > 1 && Integer.parseInt(args[0]) == all.rank();
        int fatal = dies ? Integer.parseInt(args[1]) : -1;
        Checkpoint safe = Checkpoint.on(all);
        double[] solution = null;
        State state = null;
        while (solution == null) {
            try {
                state = state != null ? state : State.restored(safe, all);
                if (state.step() == fatal) {
                    Runtime.getRuntime().halt(1);
                }
                if (state.left() > TOLERANCE * TOLERANCE * state.first()) {
                    state.improve(all);
                    if (state.step() % STEPS_BETWEEN_SAVES == 0) {
                        safe.save("state", state.numbers, state.x, state.r, state.p);
                    }
                } else {
                    double[] whole = gathered(all, state.x);
                    // All have the result, or none.
                    solution = all.agree(1) == 1 ? whole : null;
                }
            } catch (RankwireException e) {
                if (e.errorClass() != ErrorClass.PEER && e.errorClass() != ErrorClass.REVOKED) {
                    throw e;
                }
                all.revoke();
                all = all.shrink();
                safe = safe.moveTo(all);
                state = null;
            }
        }
        if (all.rank() == 0) {
            check(solution);
            IO.println(SIDE * SIDE + " unknowns solved: ok");
        }
    }
}

static int from(int rank, int ranks) {
    return SIDE * rank / ranks * SIDE;
}

/** This rank's part of the vectors; the numbers are the same on all ranks. */
record State(double[] numbers, double[] x, double[] r, double[] p) {
    int step() {
        return (int) numbers[0];
    }

    /** The square of the error, now and at the start. */
    double left() {
        return numbers[1];
    }

    double first() {
        return numbers[2];
    }

    static State empty(int cells) {
        return new State(new double[3], new double[cells], new double[cells], new double[cells]);
    }

    /** Puts this rank's part together from what all ranks of the last checkpoint have saved; else begins. */
    static State restored(Checkpoint safe, Communicator all) {
        int from = from(all.rank(), all.size());
        State state = empty(from(all.rank() + 1, all.size()) - from);
        int ranks = safe.ranks("state");
        if (ranks == 0) {
            state.begin(all, from);
        }
        for (int old = 0; old < ranks; old++) {
            int oldFrom = from(old, ranks);
            State part = empty(from(old + 1, ranks) - oldFrom);
            safe.restoreOf("state", old, part.numbers, part.x, part.r, part.p);
            System.arraycopy(part.numbers, 0, state.numbers, 0, 3);
            int first = Math.max(from, oldFrom);
            int count = Math.min(from + state.x.length, oldFrom + part.x.length) - first;
            if (count > 0) {
                System.arraycopy(part.x, first - oldFrom, state.x, first - from, count);
                System.arraycopy(part.r, first - oldFrom, state.r, first - from, count);
                System.arraycopy(part.p, first - oldFrom, state.p, first - from, count);
            }
        }
        return state;
    }

    /** Every rank draws the same numbers and keeps its part. */
    void begin(Communicator all, int from) {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < from + r.length; i++) {
            double value = random.nextDouble() - 0.5;
            if (i >= from) {
                r[i - from] = value;
                p[i - from] = value;
            }
        }
        numbers[1] = dot(all, r, r);
        numbers[2] = numbers[1];
    }

    void improve(Communicator all) {
        if (step() == MAX_STEPS) {
            throw new IllegalStateException("no solution after " + MAX_STEPS + " steps: " + left() + " is left");
        }
        double[] q = multiplied(all);
        double alpha = left() / dot(all, p, q);
        for (int i = 0; i < x.length; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(all, r, r);
        for (int i = 0; i < x.length; i++) {
            p[i] = r[i] + next / left() * p[i];
        }
        numbers[0]++;
        numbers[1] = next;
    }

    double dot(Communicator all, double[] a, double[] b) {
        double[] sum = new double[1];
        for (int i = 0; i < a.length; i++) {
            sum[0] += a[i] * b[i];
        }
        if (all != null) {
            all.allreduce(Communicator.IN_PLACE, sum, Op.SUM);
        }
        return sum[0];
    }

    /** {@code A p}; with the neighbours' rows beside this part, and zeros outside the square. */
    double[] multiplied(Communicator all) {
        double[] above = new double[SIDE];
        double[] below = new double[SIDE];
        if (all != null) {
            int upper = all.rank() > 0 ? all.rank() - 1 : Communicator.NONE;
            int lower = all.rank() + 1 < all.size() ? all.rank() + 1 : Communicator.NONE;
            all.sendReceive(p, 0, SIDE, upper, 1, below, 0, SIDE, lower, 1);
            all.sendReceive(p, p.length - SIDE, SIDE, lower, 2, above, 0, SIDE, upper, 2);
        }
        double[] q = new double[p.length];
        for (int i = 0; i < q.length; i++) {
            int column = i % SIDE;
            double up = i >= SIDE ? p[i - SIDE] : above[column];
            double down = i + SIDE < q.length ? p[i + SIDE] : below[column];
            double left = column > 0 ? p[i - 1] : 0;
            double right = column + 1 < SIDE ? p[i + 1] : 0;
            q[i] = 4 * p[i] - up - down - left - right;
        }
        return q;
    }
}

double[] gathered(Communicator all, double[] x) {
    int[] counts = new int[all.size()];
    int[] offsets = new int[all.size()];
    for (int rank = 0; rank < all.size(); rank++) {
        offsets[rank] = from(rank, all.size());
        counts[rank] = from(rank + 1, all.size()) - offsets[rank];
    }
    double[] whole = new double[SIDE * SIDE];
    all.gatherv(x, 0, x.length, whole, counts, offsets, 0);
    return whole;
}

/** The order of summation depends on the number of ranks, so the solutions differ in their last bits. */
void check(double[] whole) {
    State serial = State.empty(SIDE * SIDE);
    serial.begin(null, 0);
    while (serial.left() > TOLERANCE * TOLERANCE * serial.first()) {
        serial.improve(null);
    }
    for (int i = 0; i < whole.length; i++) {
        if (!(Math.abs(whole[i] - serial.x[i]) < 1e-8)) {
            throw new IllegalStateException("unknown " + i + " is " + whole[i] + ", not " + serial.x[i]);
        }
    }
}
