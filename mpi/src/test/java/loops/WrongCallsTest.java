package loops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.IntBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Win;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** What a program hears of a wrong call: its rank, the call as it wrote it, the cause in its words, its line. */
@Timeout(300)
class WrongCallsTest {
    private Intracomm world;

    @BeforeEach
    void initialize() {
        MPI.Init(new String[0]);
        world = MPI.COMM_WORLD;
    }

    @AfterEach
    void end() {
        if (MPI.Initialized()) {
            MPI.Finalize();
        }
    }

    /** The call must begin on the line of this one, or soon after. */
    private static void assertSays(int errorClass, String text, Executable call) {
        int line = StackWalker.getInstance().walk(frames -> frames.skip(1).findFirst()).get().getLineNumber();
        MPIException error = assertThrows(MPIException.class, call);
        Matcher parts = Pattern.compile("(.*) at WrongCallsTest\\.java:(\\d+)").matcher(error.getMessage());
        assertTrue(parts.matches(), error.getMessage());
        assertEquals("rank 0: " + text, parts.group(1));
        int named = Integer.parseInt(parts.group(2));
        assertTrue(named >= line && named <= line + 2, () -> "line " + named + ", not " + line);
        assertEquals(errorClass, error.getErrorClass(), text);
    }

    @Test
    void shouldNameWhatIsNoBuffer() {
        double[][] rows = new double[2][2];
        String wants = "argument buf: a double[][] is an array of objects and goes with MPI.OBJECT,"
                + " not with MPI.DOUBLE, or row by row";
        assertSays(MPI.ERR_BUFFER, "Send: " + wants, () -> world.Send(rows, 0, 2, MPI.DOUBLE, 0, 1));
        assertSays(MPI.ERR_BUFFER, "Recv: " + wants, () -> world.Recv(rows, 0, 2, MPI.DOUBLE, 0, 1));
        assertSays(MPI.ERR_BUFFER, "send: " + wants, () -> world.send(rows, 2, MPI.DOUBLE, 0, 1));
        assertSays(MPI.ERR_BUFFER, "Bcast: " + wants, () -> world.Bcast(rows, 0, 2, MPI.DOUBLE, 0));
        assertSays(MPI.ERR_BUFFER, "Allreduce: " + wants, () -> world.Allreduce(
                rows, 0, rows, 0, 2, MPI.DOUBLE, MPI.SUM));
        assertSays(MPI.ERR_BUFFER, "Send: argument buf: a java.lang.String is no buffer; MPI.CHAR goes with a char[],"
                + " and objects in an Object[] with MPI.OBJECT", () -> world.Send("abc", 0, 3, MPI.CHAR, 0, 1));
        assertSays(MPI.ERR_TYPE, "Send: argument type: a boolean[] goes with MPI.BOOLEAN, not with MPI.INT",
                () -> world.Send(new boolean[4], 0, 4, MPI.INT, 0, 1));
        assertSays(MPI.ERR_TYPE, "Isend: argument type is null", () -> world.Isend(new int[4], 0, 4, null, 0, 1));
    }

    @Test
    void shouldNameABufferThatIsNull() {
        String isNull = "argument buf is null, and there are elements to move";
        assertSays(MPI.ERR_BUFFER, "Send: " + isNull, () -> world.Send(null, 0, 1, MPI.INT, 0, 1));
        assertSays(MPI.ERR_BUFFER, "iRecv: " + isNull, () -> world.iRecv(null, 1, MPI.INT, 0, 1));
        assertSays(MPI.ERR_BUFFER, "Bcast: " + isNull, () -> world.Bcast(null, 0, 1, MPI.INT, 0));
        assertSays(MPI.ERR_BUFFER, "Reduce: " + isNull,
                () -> world.Reduce(new int[1], 0, null, 0, 1, MPI.INT, MPI.SUM, 0));
        assertSays(MPI.ERR_BUFFER, "gather: " + isNull,
                () -> world.gather(new int[1], 1, MPI.INT, null, 1, MPI.INT, 0));
        world.Bcast(null, 0, 0, MPI.INT, 0);
        world.Sendrecv(null, 0, 0, MPI.INT, 0, 1, null, 0, 0, MPI.INT, 0, 1);
    }

    @Test
    void shouldNameElementsOutsideOfABuffer() {
        assertSays(MPI.ERR_COUNT, "Send: arguments offset 2 and count 3 do not fit an int[] of length 4",
                () -> world.Send(new int[4], 2, 3, MPI.INT, 0, 1));
        assertSays(MPI.ERR_COUNT, "Irecv: arguments offset 2 and count 3 do not fit an int[] of 16 bytes",
                () -> world.Irecv(new int[4], 2, 3, MPI.INT, 0, 1));
        assertSays(MPI.ERR_COUNT, "send: argument count: 5 does not fit an int[] of length 4",
                () -> world.send(new int[4], 5, MPI.INT, 0, 1));
        IntBuffer direct = MPI.newIntBuffer(4);
        assertSays(MPI.ERR_COUNT, "iSend: argument count: 5 does not fit a direct buffer of 16 bytes",
                () -> world.iSend(direct, 5, MPI.INT, 0, 1));
        assertSays(MPI.ERR_COUNT, "Allreduce: arguments offset 0 and count 3 do not fit an int[] of length 2",
                () -> world.Allreduce(new int[3], 0, new int[2], 0, 3, MPI.INT, MPI.SUM));
        assertSays(MPI.ERR_COUNT, "Send: arguments offset 1 and count 2 do not fit an array of 2 objects",
                () -> world.Send(new Object[2], 1, 2, MPI.OBJECT, 0, 1));
        Win win = new Win(direct, 4, 4, MPI.INFO_NULL, MPI.COMM_SELF);
        win.fence(0);
        assertSays(MPI.ERR_RANK, "put: argument rank: 4 is not a rank of the window, which has 1",
                () -> win.put(direct, 1, MPI.INT, 4, 0, 1, MPI.INT));
        win.fence(0);
        win.free();
    }

    @Test
    void shouldNameARankThatIsNone() {
        int[] one = new int[1];
        assertSays(MPI.ERR_RANK, "Send: argument dest: 7 is not a rank of MPI.COMM_WORLD, which has 1",
                () -> world.Send(one, 0, 1, MPI.INT, 7, 1));
        assertSays(MPI.ERR_RANK, "recv: argument source: 7 is not a rank of MPI.COMM_WORLD, which has 1",
                () -> world.recv(one, 1, MPI.INT, 7, 1));
        assertSays(MPI.ERR_TAG, "Ssend: argument tag: -9 is below zero", () -> world.Ssend(one, 0, 1, MPI.INT, 0, -9));
        assertSays(MPI.ERR_ROOT, "Bcast: argument root: 9 is not a rank of MPI.COMM_WORLD, which has 1",
                () -> world.Bcast(one, 0, 1, MPI.INT, 9));
        assertSays(MPI.ERR_ROOT, "iReduce: argument root: -1 is not a rank of MPI.COMM_WORLD, which has 1",
                () -> world.iReduce(MPI.newIntBuffer(1), MPI.newIntBuffer(1), 1, MPI.INT, MPI.SUM, -1));
        assertSays(MPI.ERR_ROOT, "gather: argument root: 5 is not a rank of MPI.COMM_WORLD, which has 1",
                () -> world.gather(one, 1, MPI.INT, one, 1, MPI.INT, 5));
        assertSays(MPI.ERR_TYPE, "free: INT is predefined", () -> MPI.INT.free());
    }

    @Test
    void shouldSayWithoutARankThatThereIsNone() {
        MPI.Finalize();
        MPIException error = assertThrows(MPIException.class, () -> world.Send(new int[1], 0, 1, MPI.INT, 0, 1));
        assertEquals("Send: MPI is not initialized: call MPI.Init first", error.getMessage().replaceAll(" at .*", ""));
    }
}
