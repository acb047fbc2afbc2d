// A Fourier transform of one long vector of complex numbers. The vector is treated as a matrix, in four steps: the
// columns are transformed, each element is multiplied by a root of unity, the rows are transformed, and the matrix is
// transposed. The transposition exchanges data between all ranks.
//     bin/rankwire run -n 4 examples/Fft.java
import io.rankwire.*;
import java.util.SplittableRandom;

/** Powers of two; element {@code i} of the vector is in row {@code i / COLUMNS} of the matrix. */
static final int ROWS = 64;
static final int COLUMNS = 128;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        double[] whole = signal();
        int from = first(ROWS, all.rank(), all.size());
        int to = first(ROWS, all.rank() + 1, all.size());
        double[] mine = Arrays.copyOfRange(whole, 2 * COLUMNS * from, 2 * COLUMNS * to);

        double[] columns = transpose(all, mine, ROWS, COLUMNS);
        transformRows(columns, ROWS);
        turn(columns, first(COLUMNS, all.rank(), all.size()));
        double[] rows = transpose(all, columns, COLUMNS, ROWS);
        transformRows(rows, COLUMNS);
        double[] spectrum = transpose(all, rows, ROWS, COLUMNS);

        int[] counts = new int[all.size()];
        int[] offsets = new int[all.size()];
        for (int rank = 0; rank < all.size(); rank++) {
            offsets[rank] = 2 * ROWS * first(COLUMNS, rank, all.size());
            counts[rank] = 2 * ROWS * first(COLUMNS, rank + 1, all.size()) - offsets[rank];
        }
        double[] seen = new double[whole.length];
        all.gatherv(spectrum, 0, spectrum.length, seen, counts, offsets, 0);
        if (all.rank() == 0) {
            check(seen, whole);
            IO.println(ROWS * COLUMNS + " numbers transformed in four steps, as by one rank: ok");
        }
    }
}

/** A complex number is two elements. */
double[] signal() {
    return new SplittableRandom(11).doubles(2 * ROWS * COLUMNS).map(x -> 2 * x - 1).toArray();
}

/** The first of the {@code lines} of a rank; the number of ranks need not divide the number of lines. */
int first(int lines, int rank, int ranks) {
    return lines * rank / ranks;
}

/** Transposes the distributed matrix: each pair of ranks exchanges the block that they share. */
double[] transpose(Communicator all, double[] mine, int rows, int columns) {
    int ranks = all.size();
    int height = first(rows, all.rank() + 1, ranks) - first(rows, all.rank(), ranks);
    int width = first(columns, all.rank() + 1, ranks) - first(columns, all.rank(), ranks);
    int[] going = new int[ranks];
    int[] goingAt = new int[ranks];
    int[] coming = new int[ranks];
    int[] comingAt = new int[ranks];
    double[] out = new double[2 * height * columns];
    int at = 0;
    for (int rank = 0; rank < ranks; rank++) {
        goingAt[rank] = at;
        for (int column = first(columns, rank, ranks); column < first(columns, rank + 1, ranks); column++) {
            for (int row = 0; row < height; row++) {
                out[at++] = mine[2 * (row * columns + column)];
                out[at++] = mine[2 * (row * columns + column) + 1];
            }
        }
        going[rank] = at - goingAt[rank];
        comingAt[rank] = 2 * width * first(rows, rank, ranks);
        coming[rank] = 2 * width * first(rows, rank + 1, ranks) - comingAt[rank];
    }
    double[] in = new double[2 * width * rows];
    all.alltoallv(out, going, goingAt, in, coming, comingAt);

    double[] turned = new double[in.length];
    for (int rank = 0; rank < ranks; rank++) {
        int from = first(rows, rank, ranks);
        int block = first(rows, rank + 1, ranks) - from;
        for (int column = 0; column < width; column++) {
            System.arraycopy(in, comingAt[rank] + 2 * column * block, turned, 2 * (column * rows + from), 2 * block);
        }
    }
    return turned;
}

/** Multiplies element {@code k} of column {@code c}, now a row, by the root of unity with exponent {@code c k}. */
void turn(double[] columns, int first) {
    for (int i = 0; i < columns.length / 2; i++) {
        long power = (long) (first + i / ROWS) * (i % ROWS);
        double angle = -2 * Math.PI * power / (ROWS * COLUMNS);
        double re = columns[2 * i];
        double im = columns[2 * i + 1];
        columns[2 * i] = re * Math.cos(angle) - im * Math.sin(angle);
        columns[2 * i + 1] = re * Math.sin(angle) + im * Math.cos(angle);
    }
}

void transformRows(double[] rows, int length) {
    for (int at = 0; at < rows.length; at += 2 * length) {
        System.arraycopy(transform(Arrays.copyOfRange(rows, at, at + 2 * length)), 0, rows, at, 2 * length);
    }
}

/** On one rank: transforms the even and the odd elements separately, then combines them. */
double[] transform(double[] row) {
    int n = row.length / 2;
    if (n == 1) {
        return row;
    }
    double[] even = new double[n];
    double[] odd = new double[n];
    for (int i = 0; i < n; i++) {
        (i % 2 == 0 ? even : odd)[i / 2 * 2] = row[2 * i];
        (i % 2 == 0 ? even : odd)[i / 2 * 2 + 1] = row[2 * i + 1];
    }
    even = transform(even);
    odd = transform(odd);
    double[] all = new double[2 * n];
    for (int k = 0; k < n / 2; k++) {
        double cos = Math.cos(-2 * Math.PI * k / n);
        double sin = Math.sin(-2 * Math.PI * k / n);
        double re = cos * odd[2 * k] - sin * odd[2 * k + 1];
        double im = sin * odd[2 * k] + cos * odd[2 * k + 1];
        all[2 * k] = even[2 * k] + re;
        all[2 * k + 1] = even[2 * k + 1] + im;
        all[2 * k + n] = even[2 * k] - re;
        all[2 * k + n + 1] = even[2 * k + 1] - im;
    }
    return all;
}

/** The rounding errors of the four steps differ from those of one long transform. */
void check(double[] seen, double[] whole) {
    double[] serial = transform(whole);
    for (int i = 0; i < serial.length; i++) {
        if (!(Math.abs(seen[i] - serial[i]) < 1e-9)) {
            throw new IllegalStateException("part " + i % 2 + " of number " + i / 2 + " is " + seen[i] + ", not "
                    + serial[i]);
        }
    }
}
