package mpi;

/** The numbers that {@link MPI} has names for, but for the classes of errors. */
abstract class Constants extends ErrorCodes {
    public static final int THREAD_SINGLE = 0;
    public static final int THREAD_FUNNELED = 1;
    public static final int THREAD_SERIALIZED = 2;
    public static final int THREAD_MULTIPLE = 3;

    public static final int GRAPH = 1;
    public static final int CART = 2;
    public static final int DIST_GRAPH = 3;

    // These are what core calls them, so that calls need not translate.
    public static final int ANY_SOURCE = io.rankwire.Communicator.ANY_SOURCE;
    public static final int ANY_TAG = io.rankwire.Communicator.ANY_TAG;
    public static final int PROC_NULL = io.rankwire.Communicator.NONE;
    public static final int ROOT = io.rankwire.Intercommunicator.ROOT;
    public static final int UNDEFINED = -32766;

    public static final int IDENT = 0;
    public static final int CONGRUENT = 1;
    public static final int SIMILAR = 2;
    public static final int UNEQUAL = 3;

    /** Key of an attribute, as those that follow. */
    public static final int TAG_UB = 0;
    public static final int HOST = 1;
    public static final int IO = 2;
    public static final int WTIME_IS_GLOBAL = 3;
    public static final int APPNUM = 4;
    public static final int LASTUSEDCODE = 5;
    public static final int UNIVERSE_SIZE = 6;
    public static final int WIN_BASE = 7;
    public static final int WIN_SIZE = 8;
    public static final int WIN_DISP_UNIT = 9;
    public static final int KEYVAL_INVALID = -1;

    public static final int VERSION = 3;
    public static final int SUBVERSION = 1;

    public static final int BSEND_OVERHEAD = 128;
    public static final int SEND_OVERHEAD = 128;
    public static final int RECV_OVERHEAD = 128;

    public static final int MAX_PROCESSOR_NAME = 255;
    public static final int MAX_OBJECT_NAME = 63;
    public static final int MAX_PORT_NAME = 1023;
    public static final int MAX_DATAREP_STRING = 127;
    public static final int MAX_INFO_KEY = 35;
    public static final int MAX_INFO_VAL = 255;

    public static final int ORDER_C = 0;
    public static final int ORDER_FORTRAN = 1;
    public static final int DISTRIBUTE_BLOCK = 0;
    public static final int DISTRIBUTE_CYCLIC = 1;
    public static final int DISTRIBUTE_NONE = 2;
    public static final int DISTRIBUTE_DFLT_DARG = -1;

    public static final int MODE_CREATE = 1;
    public static final int MODE_RDONLY = 2;
    public static final int MODE_WRONLY = 4;
    public static final int MODE_RDWR = 8;
    public static final int MODE_DELETE_ON_CLOSE = 16;
    public static final int MODE_UNIQUE_OPEN = 32;
    public static final int MODE_EXCL = 64;
    public static final int MODE_APPEND = 128;
    public static final int MODE_SEQUENTIAL = 256;
    public static final int DISPLACEMENT_CURRENT = -54278278;
    public static final int SEEK_SET = 600;
    public static final int SEEK_CUR = 602;
    public static final int SEEK_END = 604;

    public static final int MODE_NOCHECK = 1;
    public static final int MODE_NOPRECEDE = 2;
    public static final int MODE_NOPUT = 4;
    public static final int MODE_NOSTORE = 8;
    public static final int MODE_NOSUCCEED = 16;
    public static final int LOCK_EXCLUSIVE = 1;
    public static final int LOCK_SHARED = 2;

    /** As in MPJ Express, which has it for messages of its own. */
    public static final boolean DEBUG = true;

    public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

    Constants() {}
}
