package mpi;

import io.rankwire.Communicator;
import io.rankwire.RankwireException;
import io.rankwire.World;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The begin and the end, what is predefined, and the clock, in both dialects. A program may be initialized again after
 * it was finalized, if all ranks do so.
 */
public final class MPI extends NioBuffers {
    public static final Errhandler ERRORS_ARE_FATAL = new Errhandler("ERRORS_ARE_FATAL", true);
    public static final Errhandler ERRORS_ABORT = new Errhandler("ERRORS_ABORT", true);
    public static final Errhandler ERRORS_RETURN = new Errhandler("ERRORS_RETURN", false);

    public static final Datatype NULL = Datatype.special(Datatype.Base.NULL, "NULL");
    public static final Datatype DATATYPE_NULL = NULL;
    public static final Datatype BYTE = Datatype.basic(Datatype.Base.BYTE, "BYTE");
    public static final Datatype CHAR = Datatype.basic(Datatype.Base.CHAR, "CHAR");
    public static final Datatype SHORT = Datatype.basic(Datatype.Base.SHORT, "SHORT");
    public static final Datatype BOOLEAN = Datatype.basic(Datatype.Base.BOOLEAN, "BOOLEAN");
    public static final Datatype INT = Datatype.basic(Datatype.Base.INT, "INT");
    public static final Datatype LONG = Datatype.basic(Datatype.Base.LONG, "LONG");
    public static final Datatype FLOAT = Datatype.basic(Datatype.Base.FLOAT, "FLOAT");
    public static final Datatype DOUBLE = Datatype.basic(Datatype.Base.DOUBLE, "DOUBLE");
    /** Bytes that were packed; meets all other types. */
    public static final Datatype PACKED = Datatype.special(Datatype.Base.PACKED, "PACKED");
    /** Objects that can be serialized, in an array of objects. */
    public static final Datatype OBJECT = Datatype.special(Datatype.Base.OBJECT, "OBJECT");
    public static final Datatype LB = Datatype.special(Datatype.Base.LOWER, "LB");
    public static final Datatype UB = Datatype.special(Datatype.Base.UPPER, "UB");

    /** Pairs for {@link #MINLOC} and {@link #MAXLOC}. Of this one Open MPI counts bytes, mpiJava elements. */
    public static final Datatype INT2 = Datatype.row(2, Datatype.Base.INT, 1, "INT2");
    public static final Datatype SHORT2 = Datatype.row(2, Datatype.Base.SHORT, Short.BYTES, "SHORT2");
    public static final Datatype LONG2 = Datatype.row(2, Datatype.Base.LONG, Long.BYTES, "LONG2");
    public static final Datatype FLOAT2 = Datatype.row(2, Datatype.Base.FLOAT, Float.BYTES, "FLOAT2");
    public static final Datatype DOUBLE2 = Datatype.row(2, Datatype.Base.DOUBLE, Double.BYTES, "DOUBLE2");
    public static final Datatype FLOAT_COMPLEX = Datatype.row(2, Datatype.Base.FLOAT, Float.BYTES, "FLOAT_COMPLEX");
    public static final Datatype DOUBLE_COMPLEX =
            Datatype.row(2, Datatype.Base.DOUBLE, Double.BYTES, "DOUBLE_COMPLEX");

    public static final Datatype SHORT_INT = pair(Datatype.Base.SHORT, 4, 8, "SHORT_INT");
    public static final Datatype LONG_INT = pair(Datatype.Base.LONG, 8, 16, "LONG_INT");
    public static final Datatype FLOAT_INT = pair(Datatype.Base.FLOAT, 4, 8, "FLOAT_INT");
    public static final Datatype DOUBLE_INT = pair(Datatype.Base.DOUBLE, 8, 16, "DOUBLE_INT");
    public static final Int2 int2 = new Int2(INT2);
    public static final ShortInt shortInt = new ShortInt(SHORT_INT);
    public static final LongInt longInt = new LongInt(LONG_INT);
    public static final FloatInt floatInt = new FloatInt(FLOAT_INT);
    public static final DoubleInt doubleInt = new DoubleInt(DOUBLE_INT);

    public static final Op MAX = new Op("MAX", io.rankwire.Op.MAX, 1);
    public static final Op MIN = new Op("MIN", io.rankwire.Op.MIN, 2);
    public static final Op SUM = new Op("SUM", io.rankwire.Op.SUM, 3);
    public static final Op PROD = new Op("PROD", io.rankwire.Op.PROD, 4);
    public static final Op LAND = new Op("LAND", io.rankwire.Op.LAND, 5);
    public static final Op BAND = new Op("BAND", io.rankwire.Op.BAND, 6);
    public static final Op LOR = new Op("LOR", io.rankwire.Op.LOR, 7);
    public static final Op BOR = new Op("BOR", io.rankwire.Op.BOR, 8);
    public static final Op LXOR = new Op("LXOR", io.rankwire.Op.LXOR, 9);
    public static final Op BXOR = new Op("BXOR", io.rankwire.Op.BXOR, 10);
    public static final Op REPLACE = new Op("REPLACE", io.rankwire.Op.REPLACE, Op.NO_CODE);
    public static final Op NO_OP = new Op("NO_OP", io.rankwire.Op.NO_OP, Op.NO_CODE);
    public static final Op MINLOC = new Op("MINLOC", io.rankwire.Op.MINLOC, 12);
    public static final Op MAXLOC = new Op("MAXLOC", io.rankwire.Op.MAXLOC, 11);

    public static final Request REQUEST_NULL = new Request(null, null, null);
    public static final Group GROUP_NULL = new Group(Group.NONE);
    public static final Info INFO_NULL = Info.none();
    // Those of PerRank, which inside this package stands for them.
    public static final Status EMPTY_STATUS = PerRank.EMPTY_STATUS();
    public static final Group GROUP_EMPTY = PerRank.GROUP_EMPTY();
    public static final Info INFO_ENV = PerRank.INFO_ENV();

    /** All ranks; null before {@link #Init} and after {@link #Finalize}. */
    public static final Intracomm COMM_WORLD = PerRank.COMM_WORLD();
    /** This rank alone. */
    public static final Intracomm COMM_SELF = PerRank.COMM_SELF();
    /** What mpiJava gives a rank that is not in a new communicator. */
    public static final Comm COMM_NULL = null;

    /** As in MPJ Express, where a program may set it to choose flat trees; here each call chooses its algorithm. */
    public static boolean isOldSelected;

    /** Set by launchers that stand in for those of another library. */
    private static final String DIALECT = "RANKWIRE_DIALECT";
    /** Rank, size and device, which the launcher of MPJ Express puts before a program's own arguments. */
    private static final int PREPENDED = 3;

    public MPI() {}

    /** A value and an {@code int}, where a C compiler would put them. */
    private static Datatype pair(Datatype.Base value, int index, int extent, String name) {
        io.rankwire.Datatype[] types = {value.core, Datatype.Base.INT.core};
        io.rankwire.Datatype struct =
                io.rankwire.Datatype.struct(new int[] {1, 1}, new long[] {0, index}, types);
        return Datatype.struct(io.rankwire.Datatype.resized(0, extent, struct), name);
    }

    /** Joins the job; returns the program's own arguments. */
    public static String[] Init(String[] args) throws MPIException {
        RankState mine = RankState.mine();
        if (mine.world != null) {
            throw failed(new MPIException(ERR_OTHER, "Init: MPI is initialized already"));
        }
        String dialect = System.getenv(DIALECT);
        try {
            mine.world = World.join();
        } catch (RankwireException | IllegalStateException e) {
            throw new MPIException(e);
        }
        Communicator all = mine.world.communicator();
        Errhandler handler = "openmpi".equals(dialect) ? ERRORS_ARE_FATAL : ERRORS_RETURN;
        mine.all.open(all, handler);
        mine.all.label("MPI_COMM_WORLD");
        mine.self.open(all.createGroup(all.group().include(all.rank()), 0), handler);
        mine.self.label("MPI_COMM_SELF");
        mine.emptyGroup.open(all.group().include());
        mine.initializer = Thread.currentThread();
        mine.finalized = false;
        boolean strips = "mpj".equals(dialect) && args != null && args.length >= PREPENDED
                && args[0].equals(Integer.toString(all.rank())) && args[1].equals(Integer.toString(all.size()));
        return strips ? Arrays.copyOfRange(args, PREPENDED, args.length) : args;
    }

    /** As {@link #Init}; any number of threads may make calls, whatever is asked for. */
    public static int InitThread(String[] args, int required) throws MPIException {
        Init(args);
        return THREAD_MULTIPLE;
    }

    public static int Init_thread(String[] args, int required) throws MPIException {
        return InitThread(args, required);
    }

    public static String[] initThread(int required, int provided, String[] argv) throws MPIException {
        return Init(argv);
    }

    public static int queryThread() throws MPIException {
        return THREAD_MULTIPLE;
    }

    public static boolean isThreadMain() throws MPIException {
        return Thread.currentThread() == check().initializer;
    }

    public static boolean isMainThread() {
        return isThreadMain();
    }

    /** Ends this rank's part. Init may follow, if all ranks call it. */
    public static void Finalize() throws MPIException {
        RankState mine = check();
        try {
            endLeft(mine.left);
            mine.attached = null;
            mine.attachedBuffer = null;
            mine.world.close();
        } catch (RankwireException e) {
            throw failed(e);
        } finally {
            mine.world = null;
            mine.finalized = true;
            mine.all.open(null, ERRORS_RETURN);
            mine.self.open(null, ERRORS_RETURN);
            mine.emptyGroup.open(null);
        }
    }

    public static boolean isInitialized() throws MPIException {
        RankState mine = RankState.mine();
        return mine.world != null || mine.finalized;
    }

    public static boolean Initialized() throws MPIException {
        return RankState.mine().world != null;
    }

    public static boolean isFinalized() throws MPIException {
        return RankState.mine().finalized;
    }

    public static boolean Finalized() throws MPIException {
        return RankState.mine().finalized;
    }

    /** A request was freed while it was under way: sends go on, and are awaited at the end. */
    static void leave(Request request) {
        List<Request> left = RankState.mine().left;
        synchronized (left) {
            left.removeIf(Request::isComplete);
            left.add(request);
        }
    }

    /** Sends that were freed arrive before the end; receives that nobody can hear of any more are withdrawn. */
    private static void endLeft(List<Request> left) {
        synchronized (left) {
            for (Request request : left) {
                if (request.isReceive() && !request.isComplete()) {
                    request.cancel();
                }
                request.complete();
            }
            left.clear();
        }
    }

    private static RankState check() {
        RankState mine = RankState.mine();
        if (mine.world == null) {
            throw failed(new MPIException(ERR_OTHER, mine.finalized ? "MPI is finalized: call MPI.Init again"
                    : "MPI is not initialized: call MPI.Init first"));
        }
        return mine;
    }

    /** An error of a call on no communicator: that of all ranks has it. */
    static MPIException failed(RuntimeException e) {
        return RankState.mine().all.raised(e);
    }

    public static double wtime() throws MPIException {
        World world = RankState.mine().world;
        return (world == null ? System.nanoTime() : world.time()) * 1e-9;
    }

    public static double Wtime() throws MPIException {
        return wtime();
    }

    public static double wtick() throws MPIException {
        return 1e-9;
    }

    public static double Wtick() throws MPIException {
        return wtick();
    }

    public static Version getVersion() {
        return new Version(VERSION, SUBVERSION);
    }

    public static String getLibVersion() {
        String version = MPI.class.getPackage().getImplementationVersion();
        return version == null ? "Rankwire" : "Rankwire " + version;
    }

    public static String getProcessorName() throws MPIException {
        return hostName();
    }

    public static String Get_processor_name() throws MPIException {
        return hostName();
    }

    static String hostName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            return InetAddress.getLoopbackAddress().getHostName();
        }
    }

    /** Nothing of a profiler is here to be told. */
    public static void pControl(int level, Object obj) {}

    public static void Pcontrol(int level, Object obj) {}

    /** Buffered sends have room of their own; a program's is kept until it is asked back. */
    public static void attachBuffer(byte[] buffer) throws MPIException {
        RankState mine = check();
        if (buffer == null || mine.attached != null || mine.attachedBuffer != null) {
            throw failed(new MPIException(ERR_BUFFER, buffer == null ? "attachBuffer: argument buffer is null"
                    : "attachBuffer: there is a buffer already"));
        }
        mine.attached = buffer;
    }

    /** The buffer attached last; null if there is none. */
    public static byte[] detachBuffer() throws MPIException {
        RankState mine = check();
        byte[] buffer = mine.attached;
        mine.attached = null;
        mine.attachedBuffer = null;
        return buffer;
    }

    public static void Buffer_attach(byte[] buffer) throws MPIException {
        attachBuffer(buffer);
    }

    public static void Buffer_attach(ByteBuffer userBuffer) throws MPIException {
        check().attachedBuffer = userBuffer;
    }

    public static byte[] Buffer_detach() throws MPIException {
        return detachBuffer();
    }

    public static void Errorhandler_set(Errhandler errhandler) throws MPIException {
        PerRank.COMM_WORLD().setErrhandler(errhandler);
    }

    public static Errhandler Errorhandler_get() throws MPIException {
        return PerRank.COMM_WORLD().getErrhandler();
    }
}
