// Heat on a square plate, divided into a grid of pieces that are as square as the number of ranks allows. In each step
// neighbours on the grid exchange the cells at their borders: rows directly, columns gathered into buffers.
//     bin/rankwire run -n 4 examples/Heat2D.java
import io.rankwire.*;

static final int CELLS = 60;
static final int STEPS = 100;

static final int PIECE = 1;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int[] dims = CartesianCommunicator.balanced(all.size(), 0, 0);
        CartesianCommunicator grid = all.cartesian(dims, new boolean[] {false, true}).orElseThrow();
        Piece piece = Piece.of(grid, grid.rank());
        double[] heat = start(piece);
        for (int step = 0; step < STEPS; step++) {
            exchange(grid, piece, heat);
            heat = warmed(piece, heat);
        }
        if (grid.rank() > 0) {
            grid.send(heat, 0, PIECE);
        } else {
            check(grid, heat);
            IO.println(CELLS + " × " + CELLS + " cells on a grid of " + dims[0] + " × " + dims[1]
                    + ", " + STEPS + " steps: the pieces agree with the whole");
        }
        grid.free();
    }
}

/** A part of the plate; its array has a border one cell wide on all sides, for the neighbours' cells. */
record Piece(int top, int left, int height, int width) {
    static Piece of(CartesianCommunicator grid, int rank) {
        int[] at = grid.coordinates(rank);
        int[] dims = grid.dims();
        int top = CELLS * at[0] / dims[0];
        int left = CELLS * at[1] / dims[1];
        return new Piece(top, left, CELLS * (at[0] + 1) / dims[0] - top, CELLS * (at[1] + 1) / dims[1] - left);
    }

    int at(int row, int column) {
        return row * (width + 2) + column;
    }
}

double[] start(Piece piece) {
    double[] heat = new double[(piece.height + 2) * (piece.width + 2)];
    for (int row = 1; row <= piece.height; row++) {
        for (int column = 1; column <= piece.width; column++) {
            heat[piece.at(row, column)] = (piece.top + row) * 31 % 17 + (piece.left + column) * 7 % 13;
        }
    }
    return heat;
}

/** The left and right sides of the plate are connected. Above and below there is no neighbour to exchange with. */
void exchange(CartesianCommunicator grid, Piece piece, double[] heat) {
    int height = piece.height;
    int width = piece.width;
    var down = grid.shift(0, 1);
    grid.sendReceive(heat, piece.at(height, 1), width, down.dest(), 1, heat, piece.at(0, 1), width, down.source(), 1);
    var up = grid.shift(0, -1);
    grid.sendReceive(heat, piece.at(1, 1), width, up.dest(), 2, heat, piece.at(height + 1, 1), width, up.source(), 2);
    double[] in = new double[height];
    var right = grid.shift(1, 1);
    grid.sendReceive(column(piece, heat, width), right.dest(), 3, in, right.source(), 3);
    setColumn(piece, heat, 0, in);
    var left = grid.shift(1, -1);
    grid.sendReceive(column(piece, heat, 1), left.dest(), 4, in, left.source(), 4);
    setColumn(piece, heat, width + 1, in);
}

double[] column(Piece piece, double[] heat, int column) {
    double[] out = new double[piece.height];
    for (int row = 1; row <= piece.height; row++) {
        out[row - 1] = heat[piece.at(row, column)];
    }
    return out;
}

void setColumn(Piece piece, double[] heat, int column, double[] in) {
    for (int row = 1; row <= piece.height; row++) {
        heat[piece.at(row, column)] = in[row - 1];
    }
}

/** The first and the last row of the plate keep their temperature. */
double[] warmed(Piece piece, double[] heat) {
    double[] next = heat.clone();
    for (int row = 1; row <= piece.height; row++) {
        if (piece.top + row == 1 || piece.top + row == CELLS) {
            continue;
        }
        for (int column = 1; column <= piece.width; column++) {
            int at = piece.at(row, column);
            int above = piece.at(row - 1, column);
            int below = piece.at(row + 1, column);
            next[at] = heat[at]
                    + 0.125 * (heat[above] + heat[below] + heat[at - 1] + heat[at + 1] - 4 * heat[at]);
        }
    }
    return next;
}

/** The same steps on one rank give the same numbers to the last bit. */
void check(CartesianCommunicator grid, double[] first) {
    Piece plate = new Piece(0, 0, CELLS, CELLS);
    double[] serial = start(plate);
    for (int step = 0; step < STEPS; step++) {
        setColumn(plate, serial, 0, column(plate, serial, CELLS));
        setColumn(plate, serial, CELLS + 1, column(plate, serial, 1));
        serial = warmed(plate, serial);
    }
    for (int rank = 0; rank < grid.size(); rank++) {
        Piece piece = Piece.of(grid, rank);
        double[] heat = first;
        if (rank > 0) {
            heat = new double[(piece.height + 2) * (piece.width + 2)];
            grid.receive(heat, rank, PIECE);
        }
        for (int row = 1; row <= piece.height; row++) {
            for (int column = 1; column <= piece.width; column++) {
                double expected = serial[plate.at(piece.top + row, piece.left + column)];
                double seen = heat[piece.at(row, column)];
                if (seen != expected) {
                    throw new IllegalStateException("row " + row + ", column " + column + " of rank " + rank + " is "
                            + seen + ", not " + expected);
                }
            }
        }
    }
}
