// Heat in a rod, divided into one piece per rank. In each step neighbours exchange the cells at their borders.
//     bin/rankwire run -n 4 examples/Halo.java
import io.rankwire.*;

static final int CELLS = 1_000;
static final int STEPS = 500;

static final int TO_LEFT = 1;
static final int TO_RIGHT = 2;
static final int PIECE = 3;

void main(String[] args) {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int first = first(all.rank(), all.size());
        int cells = first(all.rank() + 1, all.size()) - first;
        double[] rod = heat(first, cells);
        for (int step = 0; step < STEPS; step++) {
            exchange(all, rod, cells);
            rod = warmed(rod, first, cells);
        }
        if (all.rank() > 0) {
            all.send(rod, 1, cells, 0, PIECE);
        } else {
            check(collect(all, rod, cells));
            IO.println(CELLS + " cells, " + STEPS + " steps: the pieces agree with the whole");
        }
    }
}

/** Pieces differ by one cell if the number of ranks does not divide the number of cells. */
int first(int rank, int ranks) {
    return (int) ((long) CELLS * rank / ranks);
}

/** A piece has an additional cell on each side, for the neighbour's border cell. */
double[] heat(int first, int cells) {
    double[] rod = new double[cells + 2];
    for (int i = 1; i <= cells; i++) {
        int cell = first + i - 1;
        rod[i] = cell % 97 + (cell == 0 ? 1000 : 0);
    }
    return rod;
}

void exchange(Communicator all, double[] rod, int cells) {
    List<Request> moving = new ArrayList<>();
    int left = all.rank() - 1;
    int right = all.rank() + 1;
    if (left >= 0) {
        moving.add(all.irecv(rod, 0, 1, left, TO_RIGHT));
        moving.add(all.isend(rod, 1, 1, left, TO_LEFT));
    }
    if (right < all.size()) {
        moving.add(all.irecv(rod, cells + 1, 1, right, TO_LEFT));
        moving.add(all.isend(rod, cells, 1, right, TO_RIGHT));
    }
    Request.awaitAll(moving.toArray(new Request[0]));
}

/** The ends of the rod keep their temperature. */
double[] warmed(double[] rod, int first, int cells) {
    double[] next = rod.clone();
    for (int i = 1; i <= cells; i++) {
        int cell = first + i - 1;
        if (cell > 0 && cell < CELLS - 1) {
            next[i] = rod[i] + 0.25 * (rod[i - 1] - 2 * rod[i] + rod[i + 1]);
        }
    }
    return next;
}

double[] collect(Communicator all, double[] rod, int cells) {
    double[] whole = new double[CELLS];
    System.arraycopy(rod, 1, whole, 0, cells);
    for (int rank = 1; rank < all.size(); rank++) {
        int from = first(rank, all.size());
        double[] piece = new double[first(rank + 1, all.size()) - from];
        Status status = all.receive(piece, rank, PIECE);
        if (status.count() != piece.length) {
            throw new IllegalStateException("rank " + rank + " sent " + status.count() + " cells, not " + piece.length);
        }
        System.arraycopy(piece, 0, whole, from, piece.length);
    }
    return whole;
}

/** The same steps on one rank give the same numbers to the last bit. */
void check(double[] whole) {
    double[] serial = heat(0, CELLS);
    for (int step = 0; step < STEPS; step++) {
        serial = warmed(serial, 0, CELLS);
    }
    for (int cell = 0; cell < CELLS; cell++) {
        if (serial[cell + 1] != whole[cell]) {
            throw new IllegalStateException("cell " + cell + " is " + whole[cell] + ", not " + serial[cell + 1]);
        }
    }
}
