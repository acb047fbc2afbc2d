// Datatypes: a column of a matrix does not lie in one piece of memory. A datatype describes where its elements are,
// and the library picks them up and puts them down; no loop copies them.
//     bin/rankwire run -n 4 examples/patterns/P14Datatypes.java
// Try next: ROWS - 1 in the datatype; send ROWS elements without the datatype and see what arrives.
import io.rankwire.*;

static final int ROWS = 3;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int columns = all.size();
        // One block of one element in each row; from row to row it is as many elements as a row has.
        Datatype column = Datatype.vector(ROWS, 1, columns, Datatype.CHAR);
        char[] matrix = new char[ROWS * columns];
        char[] transposed = new char[matrix.length];
        List<Request> moving = new ArrayList<>();
        for (int c = 0; all.rank() == 0 && c < columns; c++) {
            for (int row = 0; row < ROWS; row++) {
                matrix[row * columns + c] = (char) ('a' + row * columns + c);
            }
            moving.add(all.isend(matrix, c, 1, column, c, 1));
            // A column comes back as a row: only the number and kind of the elements must be the same.
            moving.add(all.irecv(transposed, c * ROWS, ROWS, c, 2));
        }
        char[] own = new char[ROWS];
        all.receive(own, 0, 1);
        all.send(own, 0, 2);
        Request.awaitAll(moving.toArray(Request[]::new));

        if (all.rank() == 0) {
            for (int row = 0; row < ROWS; row++) {
                IO.println("matrix       " + new String(matrix, row * columns, columns));
            }
            for (int row = 0; row < columns; row++) {
                IO.println("transposed   " + new String(transposed, row * ROWS, ROWS) + "   by rank " + row);
            }
            for (int i = 0; i < matrix.length; i++) {
                if (transposed[i % columns * ROWS + i / columns] != matrix[i]) {
                    throw new IllegalStateException("element " + i + " is not where it belongs");
                }
            }
        }
    }
}
