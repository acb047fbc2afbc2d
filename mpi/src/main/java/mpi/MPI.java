package mpi;

import io.rankwire.Communicator;
import io.rankwire.Intercommunicator;
import io.rankwire.World;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Initialization and finalization, predefined objects and constants, the clock, and buffers of {@code java.nio}, in
 * both dialects. A program may call {@link #Init} again after {@link #Finalize} if all ranks do.
 */
public final class MPI {
    // Error classes, see MPIException.getErrorClass

    /** No error. */
    public static final int SUCCESS = 0;
    /** A buffer is not valid. */
    public static final int ERR_BUFFER = 1;
    /** A count is not valid. */
    public static final int ERR_COUNT = 2;
    /** A datatype is not valid. */
    public static final int ERR_TYPE = 3;
    /** A tag is not valid. */
    public static final int ERR_TAG = 4;
    /** A communicator is not valid. */
    public static final int ERR_COMM = 5;
    /** A rank is not valid. */
    public static final int ERR_RANK = 6;
    /** A request is not valid. */
    public static final int ERR_REQUEST = 7;
    /** A root is not valid. */
    public static final int ERR_ROOT = 8;
    /** A group is not valid. */
    public static final int ERR_GROUP = 9;
    /** An operation is not valid. */
    public static final int ERR_OP = 10;
    /** A topology is not valid. */
    public static final int ERR_TOPOLOGY = 11;
    /** Dimensions are not valid. */
    public static final int ERR_DIMS = 12;
    /** Another argument is not valid. */
    public static final int ERR_ARG = 13;
    /** The cause is unknown. */
    public static final int ERR_UNKNOWN = 14;
    /** A message is longer than its buffer. */
    public static final int ERR_TRUNCATE = 15;
    /** Any other error. */
    public static final int ERR_OTHER = 16;
    /** An error inside the library. */
    public static final int ERR_INTERN = 17;
    /** The status has the error. */
    public static final int ERR_IN_STATUS = 18;
    /** A request is not complete yet. */
    public static final int ERR_PENDING = 19;
    /** Access to a file is denied. */
    public static final int ERR_ACCESS = 20;
    /** An access mode is not valid. */
    public static final int ERR_AMODE = 21;
    /** An assertion is not valid. */
    public static final int ERR_ASSERT = 22;
    /** A file name is not valid. */
    public static final int ERR_BAD_FILE = 23;
    /** The base of a window is not valid. */
    public static final int ERR_BASE = 24;
    /** Data cannot be converted. */
    public static final int ERR_CONVERSION = 25;
    /** A displacement is not valid. */
    public static final int ERR_DISP = 26;
    /** A data representation exists already. */
    public static final int ERR_DUP_DATAREP = 27;
    /** A file exists already. */
    public static final int ERR_FILE_EXISTS = 28;
    /** A file is in use. */
    public static final int ERR_FILE_IN_USE = 29;
    /** A file handle is not valid. */
    public static final int ERR_FILE = 30;
    /** The key of an info object is not valid. */
    public static final int ERR_INFO_KEY = 31;
    /** An info object does not have the key. */
    public static final int ERR_INFO_NOKEY = 32;
    /** The value of an info object is not valid. */
    public static final int ERR_INFO_VALUE = 33;
    /** An info object is not valid. */
    public static final int ERR_INFO = 34;
    /** Another I/O error. */
    public static final int ERR_IO = 35;
    /** The key of an attribute is not valid. */
    public static final int ERR_KEYVAL = 36;
    /** The type of a lock is not valid. */
    public static final int ERR_LOCKTYPE = 37;
    /** A service name is not known. */
    public static final int ERR_NAME = 38;
    /** Memory is exhausted. */
    public static final int ERR_NO_MEM = 39;
    /** Ranks passed different arguments to a collective call. */
    public static final int ERR_NOT_SAME = 40;
    /** The disk is full. */
    public static final int ERR_NO_SPACE = 41;
    /** A file does not exist. */
    public static final int ERR_NO_SUCH_FILE = 42;
    /** A port is not valid. */
    public static final int ERR_PORT = 43;
    /** Another rank has ended. */
    public static final int ERR_PROC_ABORTED = 44;
    /** A quota is exceeded. */
    public static final int ERR_QUOTA = 45;
    /** A file or file system cannot be written. */
    public static final int ERR_READ_ONLY = 46;
    /** Accesses to a window conflict. */
    public static final int ERR_RMA_CONFLICT = 47;
    /** The synchronization of a window is wrong. */
    public static final int ERR_RMA_SYNC = 48;
    /** A service name is not valid. */
    public static final int ERR_SERVICE = 49;
    /** A size is not valid. */
    public static final int ERR_SIZE = 50;
    /** Processes cannot be started. */
    public static final int ERR_SPAWN = 51;
    /** A data representation is not supported. */
    public static final int ERR_UNSUPPORTED_DATAREP = 52;
    /** An operation is not supported. */
    public static final int ERR_UNSUPPORTED_OPERATION = 53;
    /** A window is not valid. */
    public static final int ERR_WIN = 54;
    /** A resource of the system is exhausted. */
    public static final int ERR_SYSRESOURCE = 55;
    /** A process that the call needs has failed (MPIX_ERR_PROC_FAILED). */
    public static final int ERR_PROC_FAILED = 75;
    /** A possible source of a receive has failed; the receive is still active (MPIX_ERR_PROC_FAILED_PENDING). */
    public static final int ERR_PROC_FAILED_PENDING = 76;
    /** A process has revoked the communicator (MPIX_ERR_REVOKED). */
    public static final int ERR_REVOKED = 77;
    /** The largest predefined error code. */
    public static final int ERR_LASTCODE = 92;

    // Other numbers

    /** Only one thread runs. */
    public static final int THREAD_SINGLE = 0;
    /** Only the main thread makes calls. */
    public static final int THREAD_FUNNELED = 1;
    /** One thread at a time makes calls. */
    public static final int THREAD_SERIALIZED = 2;
    /** Any number of threads make calls at the same time. */
    public static final int THREAD_MULTIPLE = 3;

    /** The topology is a graph. */
    public static final int GRAPH = 1;
    /** The topology is a grid. */
    public static final int CART = 2;
    /** The topology is a distributed graph. */
    public static final int DIST_GRAPH = 3;

    // The same numbers as in core, so that calls need no translation.
    /** Matches messages from any rank. */
    public static final int ANY_SOURCE = Communicator.ANY_SOURCE;
    /** Matches messages with any tag. */
    public static final int ANY_TAG = Communicator.ANY_TAG;
    /** The rank of no process: messages to it and from it are empty. */
    public static final int PROC_NULL = Communicator.NONE;
    /** The root of a call between two groups passes this as the root. */
    public static final int ROOT = Intercommunicator.ROOT;
    /** A value that is not defined. */
    public static final int UNDEFINED = -32766;

    /** Both are the same. */
    public static final int IDENT = 0;
    /** Same ranks in the same order, in different communicators. */
    public static final int CONGRUENT = 1;
    /** Same ranks in another order. */
    public static final int SIMILAR = 2;
    /** Different ranks. */
    public static final int UNEQUAL = 3;

    /** Key of an attribute: the largest tag. */
    public static final int TAG_UB = 0;
    /** Key of an attribute: the rank of the host process. */
    public static final int HOST = 1;
    /** Key of an attribute: a rank that can do I/O. */
    public static final int IO = 2;
    /** Key of an attribute: whether the clocks of all ranks agree. */
    public static final int WTIME_IS_GLOBAL = 3;
    /** Key of an attribute: the number of the program within its job. */
    public static final int APPNUM = 4;
    /** Key of an attribute: the largest error code in use. */
    public static final int LASTUSEDCODE = 5;
    /** Key of an attribute: the number of processes that can run. */
    public static final int UNIVERSE_SIZE = 6;
    /** Key of an attribute: this rank's memory of a window. */
    public static final int WIN_BASE = 7;
    /** Key of an attribute: the bytes of this rank's memory of a window. */
    public static final int WIN_SIZE = 8;
    /** Key of an attribute: the bytes of a displacement unit of a window. */
    public static final int WIN_DISP_UNIT = 9;
    /** No key. */
    public static final int KEYVAL_INVALID = -1;

    /** The version of the standard. */
    public static final int VERSION = 3;
    /** The subversion of the standard. */
    public static final int SUBVERSION = 1;

    /** Bytes that a buffered send needs beside its data. */
    public static final int BSEND_OVERHEAD = 128;
    /** Bytes that a send needs beside its data. */
    public static final int SEND_OVERHEAD = 128;
    /** Bytes that a receive needs beside its data. */
    public static final int RECV_OVERHEAD = 128;

    /** The longest name of a machine. */
    public static final int MAX_PROCESSOR_NAME = 255;
    /** The longest name of an object. */
    public static final int MAX_OBJECT_NAME = 63;
    /** The longest name of a port. */
    public static final int MAX_PORT_NAME = 1023;
    /** The longest name of a data representation. */
    public static final int MAX_DATAREP_STRING = 127;
    /** The longest key of an info object. */
    public static final int MAX_INFO_KEY = 35;
    /** The longest value of an info object. */
    public static final int MAX_INFO_VAL = 255;

    /** The last index of an array varies fastest. */
    public static final int ORDER_C = 0;
    /** The first index of an array varies fastest. */
    public static final int ORDER_FORTRAN = 1;
    /** A dimension is distributed in blocks. */
    public static final int DISTRIBUTE_BLOCK = 0;
    /** A dimension is distributed cyclically. */
    public static final int DISTRIBUTE_CYCLIC = 1;
    /** A dimension is not distributed. */
    public static final int DISTRIBUTE_NONE = 2;
    /** The default argument of a distribution. */
    public static final int DISTRIBUTE_DFLT_DARG = -1;

    /** Creates the file if it does not exist. */
    public static final int MODE_CREATE = 1;
    /** Opens a file to read. */
    public static final int MODE_RDONLY = 2;
    /** Opens a file to write. */
    public static final int MODE_WRONLY = 4;
    /** Opens a file to read and write. */
    public static final int MODE_RDWR = 8;
    /** Deletes the file when it is closed. */
    public static final int MODE_DELETE_ON_CLOSE = 16;
    /** No other program opens the file. */
    public static final int MODE_UNIQUE_OPEN = 32;
    /** Fails if the file exists. */
    public static final int MODE_EXCL = 64;
    /** Begins at the end of the file. */
    public static final int MODE_APPEND = 128;
    /** Reads or writes the file in order. */
    public static final int MODE_SEQUENTIAL = 256;
    /** The current position of a file. */
    public static final int DISPLACEMENT_CURRENT = -54278278;
    /** An offset from the start of a file. */
    public static final int SEEK_SET = 600;
    /** An offset from the current position. */
    public static final int SEEK_CUR = 602;
    /** An offset from the end of a file. */
    public static final int SEEK_END = 604;

    /** Assertion: the calls of the other side match. */
    public static final int MODE_NOCHECK = 1;
    /** Assertion: no access precedes the fence. */
    public static final int MODE_NOPRECEDE = 2;
    /** Assertion: no rank writes this rank's memory. */
    public static final int MODE_NOPUT = 4;
    /** Assertion: this rank did not write its memory. */
    public static final int MODE_NOSTORE = 8;
    /** Assertion: no access follows the fence. */
    public static final int MODE_NOSUCCEED = 16;
    /** A lock that one rank at a time holds. */
    public static final int LOCK_EXCLUSIVE = 1;
    /** A lock that several ranks can hold. */
    public static final int LOCK_SHARED = 2;

    /** A switch of MPJ Express for its own output; nothing reads it here. */
    public static final boolean DEBUG = true;

    /** The processors of this machine. */
    public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

    // Predefined objects

    /** Ends the job on an error. */
    public static final Errhandler ERRORS_ARE_FATAL = new Errhandler("ERRORS_ARE_FATAL", true);
    /** Ends the job on an error. */
    public static final Errhandler ERRORS_ABORT = new Errhandler("ERRORS_ABORT", true);
    /** Only throws the error. */
    public static final Errhandler ERRORS_RETURN = new Errhandler("ERRORS_RETURN", false);

    /** The null datatype. */
    public static final Datatype NULL = Datatype.special(Datatype.Base.NULL, "NULL");
    /** The null datatype. */
    public static final Datatype DATATYPE_NULL = NULL;
    /** Elements of type {@code byte}. */
    public static final Datatype BYTE = Datatype.basic(Datatype.Base.BYTE, "BYTE");
    /** Elements of type {@code char}. */
    public static final Datatype CHAR = Datatype.basic(Datatype.Base.CHAR, "CHAR");
    /** Elements of type {@code short}. */
    public static final Datatype SHORT = Datatype.basic(Datatype.Base.SHORT, "SHORT");
    /** Elements of type {@code boolean}. */
    public static final Datatype BOOLEAN = Datatype.basic(Datatype.Base.BOOLEAN, "BOOLEAN");
    /** Elements of type {@code int}. */
    public static final Datatype INT = Datatype.basic(Datatype.Base.INT, "INT");
    /** Elements of type {@code long}. */
    public static final Datatype LONG = Datatype.basic(Datatype.Base.LONG, "LONG");
    /** Elements of type {@code float}. */
    public static final Datatype FLOAT = Datatype.basic(Datatype.Base.FLOAT, "FLOAT");
    /** Elements of type {@code double}. */
    public static final Datatype DOUBLE = Datatype.basic(Datatype.Base.DOUBLE, "DOUBLE");
    /** Packed bytes; they match elements of any type. */
    public static final Datatype PACKED = Datatype.special(Datatype.Base.PACKED, "PACKED");
    /** Serializable objects in an array of objects. */
    public static final Datatype OBJECT = Datatype.special(Datatype.Base.OBJECT, "OBJECT");
    /** Marks the lower bound in {@link Datatype#Struct}. */
    public static final Datatype LB = Datatype.special(Datatype.Base.LOWER, "LB");
    /** Marks the upper bound in {@link Datatype#Struct}. */
    public static final Datatype UB = Datatype.special(Datatype.Base.UPPER, "UB");

    /** Pairs of {@code int}s; Open MPI's methods count their bytes, mpiJava's their elements. */
    public static final Datatype INT2 = Datatype.row(2, Datatype.Base.INT, 1, "INT2");
    /** Pairs of {@code short}s. */
    public static final Datatype SHORT2 = Datatype.row(2, Datatype.Base.SHORT, Short.BYTES, "SHORT2");
    /** Pairs of {@code long}s. */
    public static final Datatype LONG2 = Datatype.row(2, Datatype.Base.LONG, Long.BYTES, "LONG2");
    /** Pairs of {@code float}s. */
    public static final Datatype FLOAT2 = Datatype.row(2, Datatype.Base.FLOAT, Float.BYTES, "FLOAT2");
    /** Pairs of {@code double}s. */
    public static final Datatype DOUBLE2 = Datatype.row(2, Datatype.Base.DOUBLE, Double.BYTES, "DOUBLE2");
    /** Complex numbers of two {@code float}s. */
    public static final Datatype FLOAT_COMPLEX = Datatype.row(2, Datatype.Base.FLOAT, Float.BYTES, "FLOAT_COMPLEX");
    /** Complex numbers of two {@code double}s. */
    public static final Datatype DOUBLE_COMPLEX =
            Datatype.row(2, Datatype.Base.DOUBLE, Double.BYTES, "DOUBLE_COMPLEX");

    /** Pairs of a {@code short} and an {@code int}. */
    public static final Datatype SHORT_INT = pair(Datatype.Base.SHORT, 4, 8, "SHORT_INT");
    /** Pairs of a {@code long} and an {@code int}. */
    public static final Datatype LONG_INT = pair(Datatype.Base.LONG, 8, 16, "LONG_INT");
    /** Pairs of a {@code float} and an {@code int}. */
    public static final Datatype FLOAT_INT = pair(Datatype.Base.FLOAT, 4, 8, "FLOAT_INT");
    /** Pairs of a {@code double} and an {@code int}. */
    public static final Datatype DOUBLE_INT = pair(Datatype.Base.DOUBLE, 8, 16, "DOUBLE_INT");
    /** The struct of {@link #INT2}. */
    public static final Int2 int2 = new Int2(INT2);
    /** The struct of {@link #SHORT_INT}. */
    public static final ShortInt shortInt = new ShortInt(SHORT_INT);
    /** The struct of {@link #LONG_INT}. */
    public static final LongInt longInt = new LongInt(LONG_INT);
    /** The struct of {@link #FLOAT_INT}. */
    public static final FloatInt floatInt = new FloatInt(FLOAT_INT);
    /** The struct of {@link #DOUBLE_INT}. */
    public static final DoubleInt doubleInt = new DoubleInt(DOUBLE_INT);

    /** The larger element. */
    public static final Op MAX = new Op("MAX", io.rankwire.Op.MAX, 1);
    /** The smaller element. */
    public static final Op MIN = new Op("MIN", io.rankwire.Op.MIN, 2);
    /** The sum. */
    public static final Op SUM = new Op("SUM", io.rankwire.Op.SUM, 3);
    /** The product. */
    public static final Op PROD = new Op("PROD", io.rankwire.Op.PROD, 4);
    /** Logical and. */
    public static final Op LAND = new Op("LAND", io.rankwire.Op.LAND, 5);
    /** Bitwise and. */
    public static final Op BAND = new Op("BAND", io.rankwire.Op.BAND, 6);
    /** Logical or. */
    public static final Op LOR = new Op("LOR", io.rankwire.Op.LOR, 7);
    /** Bitwise or. */
    public static final Op BOR = new Op("BOR", io.rankwire.Op.BOR, 8);
    /** Logical exclusive or. */
    public static final Op LXOR = new Op("LXOR", io.rankwire.Op.LXOR, 9);
    /** Bitwise exclusive or. */
    public static final Op BXOR = new Op("BXOR", io.rankwire.Op.BXOR, 10);
    /** Replaces the element in a window. */
    public static final Op REPLACE = new Op("REPLACE", io.rankwire.Op.REPLACE, Op.NO_CODE);
    /** Leaves the element in a window unchanged. */
    public static final Op NO_OP = new Op("NO_OP", io.rankwire.Op.NO_OP, Op.NO_CODE);
    /** The pair with the smaller value. */
    public static final Op MINLOC = new Op("MINLOC", io.rankwire.Op.MINLOC, 12);
    /** The pair with the larger value. */
    public static final Op MAXLOC = new Op("MAXLOC", io.rankwire.Op.MAXLOC, 11);

    /** The null request. */
    public static final Request REQUEST_NULL = new Request(null, null);
    /** The null group. */
    public static final Group GROUP_NULL = new Group(Group.NONE);
    /** The null info object. */
    public static final Info INFO_NULL = Info.none();
    // The objects of PerRank, which code of this package uses instead.
    /** The status of a request that is not active. */
    public static final Status EMPTY_STATUS = PerRank.EMPTY_STATUS();
    /** The group without ranks. */
    public static final Group GROUP_EMPTY = PerRank.GROUP_EMPTY();
    /** Information about the program that runs. */
    public static final Info INFO_ENV = PerRank.INFO_ENV();

    /** All ranks; null before {@link #Init} and after {@link #Finalize}. */
    public static final Intracomm COMM_WORLD = PerRank.COMM_WORLD();
    /** This rank alone. */
    public static final Intracomm COMM_SELF = PerRank.COMM_SELF();
    /** The result of mpiJava's calls for a rank that is not in a new communicator. */
    public static final Comm COMM_NULL = null;

    /** A switch of MPJ Express that chooses flat trees; nothing reads it here. */
    public static boolean isOldSelected;

    /** Makes an instance, which has no members. */
    public MPI() {}

    /** Makes a type of a value and an {@code int}, placed as a C compiler would. */
    private static Datatype pair(Datatype.Base value, int index, int extent, String name) {
        io.rankwire.Datatype[] types = {value.core, Datatype.Base.INT.core};
        io.rankwire.Datatype struct =
                io.rankwire.Datatype.struct(new int[] {1, 1}, new long[] {0, index}, types);
        return Datatype.struct(io.rankwire.Datatype.resized(0, extent, struct), name);
    }

    // Initialization and finalization

    /** Joins the job and returns the program's own arguments (MPI_Init). */
    public static String[] Init(String[] args) throws MPIException {
        return RankState.mine().init(args);
    }

    /** As {@link #Init}; any number of threads may make calls, whatever is required (MPI_Init_thread). */
    public static int InitThread(String[] args, int required) throws MPIException {
        Init(args);
        return THREAD_MULTIPLE;
    }

    /** As {@link #InitThread}. */
    public static int Init_thread(String[] args, int required) throws MPIException {
        return InitThread(args, required);
    }

    /** As {@link #Init}; any number of threads may make calls. */
    public static String[] initThread(int required, int provided, String[] argv) throws MPIException {
        return Init(argv);
    }

    /** Returns {@link #THREAD_MULTIPLE} (MPI_Query_thread). */
    public static int queryThread() throws MPIException {
        return THREAD_MULTIPLE;
    }

    /** Returns whether the calling thread called {@link #Init} (MPI_Is_thread_main). */
    public static boolean isThreadMain() throws MPIException {
        return RankState.mine().isMainThread();
    }

    /**
     * Returns whether this process has the rank of one that has failed, after {@link Intracomm#replace}: then
     * {@link #COMM_WORLD} is the repaired communicator. This is an extension of Rankwire.
     */
    public static boolean isReplacement() throws MPIException {
        return RankState.mine().isReplacement();
    }

    /** As {@link #isThreadMain}. */
    public static boolean isMainThread() {
        return isThreadMain();
    }

    /** Leaves the job (MPI_Finalize). */
    public static void Finalize() throws MPIException {
        RankState.mine().finish();
    }

    /** Returns whether {@link #Init} was ever called (MPI_Initialized). */
    public static boolean isInitialized() throws MPIException {
        RankState mine = RankState.mine();
        return mine.world != null || mine.finalized;
    }

    /** Returns whether calls can be made now. */
    public static boolean Initialized() throws MPIException {
        return RankState.mine().world != null;
    }

    /** Returns whether {@link #Finalize} was called, and {@link #Init} not again (MPI_Finalized). */
    public static boolean isFinalized() throws MPIException {
        return RankState.mine().finalized;
    }

    /** As {@link #isFinalized}. */
    public static boolean Finalized() throws MPIException {
        return RankState.mine().finalized;
    }

    /** Raises an error of a call that is not made on a communicator: {@link #COMM_WORLD} handles it. */
    static MPIException failed(RuntimeException e) {
        return RankState.mine().all.on.raised(e);
    }

    // The clock and the machine

    /** Returns the time in seconds (MPI_Wtime). */
    public static double wtime() throws MPIException {
        World world = RankState.mine().world;
        return (world == null ? System.nanoTime() : world.time()) * 1e-9;
    }

    /** As {@link #wtime}. */
    public static double Wtime() throws MPIException {
        return wtime();
    }

    /** Returns the resolution of {@link #wtime} in seconds (MPI_Wtick). */
    public static double wtick() throws MPIException {
        return 1e-9;
    }

    /** As {@link #wtick}. */
    public static double Wtick() throws MPIException {
        return wtick();
    }

    /** Returns the version of the standard (MPI_Get_version). */
    public static Version getVersion() {
        return new Version(VERSION, SUBVERSION);
    }

    /** Returns the name and version of this library (MPI_Get_library_version). */
    public static String getLibVersion() {
        String version = MPI.class.getPackage().getImplementationVersion();
        return version == null ? "Rankwire" : "Rankwire " + version;
    }

    /** Returns the name of the machine (MPI_Get_processor_name). */
    public static String getProcessorName() throws MPIException {
        return hostName();
    }

    /** As {@link #getProcessorName}. */
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

    /** Does nothing: there is no profiler (MPI_Pcontrol). */
    public static void pControl(int level, Object obj) {}

    /** As {@link #pControl}. */
    public static void Pcontrol(int level, Object obj) {}

    // Buffered sends have memory of their own; a program's buffer is kept until it is detached

    /** Attaches a buffer for buffered sends, which do not need it (MPI_Buffer_attach). */
    public static void attachBuffer(byte[] buffer) throws MPIException {
        RankState.mine().attach(buffer);
    }

    /** Returns the array that was attached, or null (MPI_Buffer_detach). */
    public static byte[] detachBuffer() throws MPIException {
        return RankState.mine().detach();
    }

    /** As {@link #attachBuffer}. */
    public static void Buffer_attach(byte[] buffer) throws MPIException {
        attachBuffer(buffer);
    }

    /** As {@link #attachBuffer}, for a buffer of {@code java.nio}. */
    public static void Buffer_attach(ByteBuffer userBuffer) throws MPIException {
        RankState.mine().attach(userBuffer);
    }

    /** As {@link #detachBuffer}. */
    public static byte[] Buffer_detach() throws MPIException {
        return detachBuffer();
    }

    /** Sets the error handler of {@link #COMM_WORLD}. */
    public static void Errorhandler_set(Errhandler errhandler) throws MPIException {
        PerRank.COMM_WORLD().setErrhandler(errhandler);
    }

    /** Returns the error handler of {@link #COMM_WORLD}. */
    public static Errhandler Errorhandler_get() throws MPIException {
        return PerRank.COMM_WORLD().getErrhandler();
    }

    // Direct buffers in the byte order of this machine, and parts of buffers and arrays

    /** Allocates a direct buffer of bytes. */
    public static ByteBuffer newByteBuffer(int capacity) {
        return DirectMemory.remembered(ByteBuffer.allocateDirect(capacity)).order(ByteOrder.nativeOrder());
    }

    /** Allocates a direct buffer of chars. */
    public static CharBuffer newCharBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Character.BYTES)).asCharBuffer();
    }

    /** Allocates a direct buffer of shorts. */
    public static ShortBuffer newShortBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Short.BYTES)).asShortBuffer();
    }

    /** Allocates a direct buffer of ints. */
    public static IntBuffer newIntBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Integer.BYTES)).asIntBuffer();
    }

    /** Allocates a direct buffer of longs. */
    public static LongBuffer newLongBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Long.BYTES)).asLongBuffer();
    }

    /** Allocates a direct buffer of floats. */
    public static FloatBuffer newFloatBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Float.BYTES)).asFloatBuffer();
    }

    /** Allocates a direct buffer of doubles. */
    public static DoubleBuffer newDoubleBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Double.BYTES)).asDoubleBuffer();
    }

    /** Resets position and limit, and returns the buffer from an offset on. */
    public static ByteBuffer slice(ByteBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice().order(ByteOrder.nativeOrder());
    }

    /** Resets position and limit, and returns the buffer from an offset on. */
    public static CharBuffer slice(CharBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice();
    }

    /** Resets position and limit, and returns the buffer from an offset on. */
    public static ShortBuffer slice(ShortBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice();
    }

    /** Resets position and limit, and returns the buffer from an offset on. */
    public static IntBuffer slice(IntBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice();
    }

    /** Resets position and limit, and returns the buffer from an offset on. */
    public static LongBuffer slice(LongBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice();
    }

    /** Resets position and limit, and returns the buffer from an offset on. */
    public static FloatBuffer slice(FloatBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice();
    }

    /** Resets position and limit, and returns the buffer from an offset on. */
    public static DoubleBuffer slice(DoubleBuffer buf, int offset) {
        return DirectMemory.remembered(buf.clear()).position(offset).slice();
    }

    /** Returns a buffer over an array from an offset on. */
    public static ByteBuffer slice(byte[] buf, int offset) {
        return ByteBuffer.wrap(buf, offset, buf.length - offset).slice().order(ByteOrder.nativeOrder());
    }

    /** Returns a buffer over an array from an offset on. */
    public static CharBuffer slice(char[] buf, int offset) {
        return CharBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** Returns a buffer over an array from an offset on. */
    public static ShortBuffer slice(short[] buf, int offset) {
        return ShortBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** Returns a buffer over an array from an offset on. */
    public static IntBuffer slice(int[] buf, int offset) {
        return IntBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** Returns a buffer over an array from an offset on. */
    public static LongBuffer slice(long[] buf, int offset) {
        return LongBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** Returns a buffer over an array from an offset on. */
    public static FloatBuffer slice(float[] buf, int offset) {
        return FloatBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** Returns a buffer over an array from an offset on. */
    public static DoubleBuffer slice(double[] buf, int offset) {
        return DoubleBuffer.wrap(buf, offset, buf.length - offset).slice();
    }
}
