package io.rankwire.fabric.ofi;

/**
 * Numbers of libfabric's C interface on 64-bit systems: offsets in its structures and function tables, flags and codes.
 * Structures grow at their end alone, so what is here holds from 1.17 to 2.x. {@code AbiTest} compares all of it with
 * the C headers.
 */
final class Abi {
    /** The version of the interface that this binding speaks: 1.17. */
    static final int VERSION = 1 << 16 | 17;

    // struct fid and the objects that begin with it
    static final int FID_OPS = 16;
    static final int OBJECT_OPS = 24;
    static final int DOMAIN_MR = 32;
    static final int EP_CM = 32;
    static final int EP_MSG = 40;
    static final int EP_RMA = 48;
    static final int EP_TAGGED = 56;
    static final int EP_ATOMIC = 64;
    static final int MR_DESC = 24;
    static final int MR_KEY = 32;

    // function tables, by object
    static final int FID_CLOSE = 8;
    static final int FID_BIND = 16;
    static final int FID_CONTROL = 24;
    static final int FABRIC_DOMAIN = 8;
    static final int DOMAIN_AV_OPEN = 8;
    static final int DOMAIN_CQ_OPEN = 16;
    static final int DOMAIN_ENDPOINT = 24;
    static final int DOMAIN_CNTR_OPEN = 40;
    static final int DOMAIN_QUERY_ATOMIC = 72;
    static final int MR_REG = 8;
    static final int AV_INSERT = 8;
    static final int AV_REMOVE = 32;
    static final int EP_CANCEL = 8;
    static final int EP_SETOPT = 24;
    static final int CM_GETNAME = 16;
    /** The same for messages with and without a tag. */
    static final int MSG_RECV = 8;
    static final int MSG_RECVMSG = 24;
    static final int MSG_SEND = 32;
    static final int MSG_SENDMSG = 48;
    static final int MSG_INJECT = 56;
    static final int RMA_READ = 8;
    static final int RMA_READMSG = 24;
    static final int RMA_WRITE = 32;
    static final int RMA_WRITEMSG = 48;
    static final int ATOMIC_WRITE = 8;
    static final int ATOMIC_READWRITE = 40;
    static final int ATOMIC_COMPWRITE = 64;
    static final int CQ_READ = 8;
    static final int CQ_READERR = 24;
    static final int CNTR_READ = 8;
    static final int CNTR_READERR = 16;
    static final int CNTR_ADD = 24;
    static final int CNTR_SET = 32;

    // struct fi_info and what it points to
    static final int INFO_NEXT = 0;
    static final int INFO_CAPS = 8;
    static final int INFO_MODE = 16;
    static final int INFO_ADDR_FORMAT = 24;
    static final int INFO_TX = 72;
    static final int INFO_RX = 80;
    static final int INFO_EP = 88;
    static final int INFO_DOMAIN = 96;
    static final int INFO_FABRIC = 104;
    static final int TX_OP_FLAGS = 16;
    static final int TX_MSG_ORDER = 24;
    static final int TX_INJECT_SIZE = 40;
    static final int TX_SIZE = 48;
    static final int TX_IOV_LIMIT = 56;
    static final int RX_MSG_ORDER = 24;
    static final int RX_SIZE = 48;
    static final int EP_TYPE = 0;
    static final int EP_PROTOCOL = 4;
    static final int EP_MAX_MSG_SIZE = 16;
    static final int DOMAIN_NAME = 8;
    static final int DOMAIN_THREADING = 16;
    static final int DOMAIN_CONTROL_PROGRESS = 20;
    static final int DOMAIN_DATA_PROGRESS = 24;
    static final int DOMAIN_RESOURCE_MGMT = 28;
    static final int DOMAIN_AV_TYPE = 32;
    static final int DOMAIN_MR_MODE = 36;
    static final int DOMAIN_MR_KEY_SIZE = 40;
    static final int FABRIC_NAME = 8;
    static final int FABRIC_PROV_NAME = 16;

    // attributes of what is opened
    static final int AV_ATTR = 48;
    static final int AV_ATTR_TYPE = 0;
    static final int AV_ATTR_COUNT = 8;
    static final int CQ_ATTR = 40;
    static final int CQ_ATTR_SIZE = 0;
    static final int CQ_ATTR_FORMAT = 16;
    static final int CQ_ATTR_WAIT_OBJ = 20;
    static final int CNTR_ATTR = 24;

    // entries of a completion queue
    static final int ENTRY = 48;
    static final int ENTRY_CONTEXT = 0;
    static final int ENTRY_FLAGS = 8;
    static final int ENTRY_LEN = 16;
    static final int ENTRY_BUF = 24;
    static final int ENTRY_DATA = 32;
    static final int ENTRY_TAG = 40;
    static final int ERROR_ERR = 56;
    static final int ERROR_PROV_ERRNO = 60;
    /** More than any version writes: the structure is 80 bytes long in 1.17. */
    static final int ERROR_BYTES = 128;

    // messages that are posted as structures
    static final int IOVEC = 16;
    static final int MSG = 48;
    static final int MSG_IOV = 0;
    static final int MSG_DESC = 8;
    static final int MSG_IOV_COUNT = 16;
    static final int MSG_ADDR = 24;
    static final int MSG_CONTEXT = 32;
    static final int MSG_DATA = 40;
    static final int TAGGED = 64;
    static final int TAGGED_TAG = 32;
    static final int TAGGED_IGNORE = 40;
    static final int TAGGED_CONTEXT = 48;
    static final int TAGGED_DATA = 56;
    static final int RMA = 64;
    static final int RMA_IOV = 32;
    static final int RMA_IOV_COUNT = 40;
    static final int RMA_CONTEXT = 48;
    static final int RMA_DATA = 56;
    static final int RMA_IOVEC = 24;
    static final int RMA_IOVEC_ADDR = 0;
    static final int RMA_IOVEC_LEN = 8;
    static final int RMA_IOVEC_KEY = 16;

    // deferred work
    static final int WORK = 104;
    static final int WORK_THRESHOLD = 64;
    static final int WORK_TRIGGERING = 72;
    static final int WORK_COMPLETION = 80;
    static final int WORK_TYPE = 88;
    static final int WORK_OP = 96;
    static final int OP_EP = 0;
    static final int OP_MSG = 8;
    static final int OP_MSG_FLAGS = 56;
    static final int OP_TAGGED_FLAGS = 72;
    static final int OP_RMA_FLAGS = 72;
    static final int OP_CNTR = 0;
    static final int OP_CNTR_VALUE = 8;
    static final int WORK_SEND = 1;
    static final int WORK_TSEND = 3;
    static final int WORK_READ = 4;
    static final int WORK_WRITE = 5;
    static final int WORK_CNTR_SET = 9;
    static final int WORK_CNTR_ADD = 10;

    // capabilities and flags of operations
    static final long FI_MSG = 1L << 1;
    static final long FI_RMA = 1L << 2;
    static final long FI_TAGGED = 1L << 3;
    static final long FI_ATOMIC = 1L << 4;
    static final long FI_READ = 1L << 8;
    static final long FI_WRITE = 1L << 9;
    static final long FI_RECV = 1L << 10;
    static final long FI_SEND = 1L << 11;
    static final long FI_REMOTE_READ = 1L << 12;
    static final long FI_REMOTE_WRITE = 1L << 13;
    static final long FI_MULTI_RECV = 1L << 16;
    static final long FI_TRIGGER = 1L << 20;
    static final long FI_COMPLETION = 1L << 24;
    static final long FI_INJECT = 1L << 25;
    static final long FI_TRANSMIT_COMPLETE = 1L << 27;
    static final long FI_DELIVERY_COMPLETE = 1L << 28;
    static final long FI_RMA_EVENT = 1L << 56;
    static final long FI_SOURCE = 1L << 57;
    /** Of a question whether an operation can return what was there before. */
    static final long FI_FETCH_ATOMIC = 1L << 58;
    static final long FI_CONTEXT = 1L << 59;
    static final long FI_CONTEXT2 = 1L << 52;
    static final long FI_ADDR_UNSPEC = -1;

    static final long FI_ORDER_RAW = 1L << 1;
    static final long FI_ORDER_SAW = 1L << 7;
    static final long FI_ORDER_SAS = 1L << 8;

    static final int FI_EP_RDM = 3;
    static final int FI_AV_TABLE = 2;
    static final int FI_CQ_FORMAT_TAGGED = 4;
    static final int FI_WAIT_NONE = 0;
    static final int FI_THREAD_DOMAIN = 3;
    static final int FI_PROGRESS_MANUAL = 2;
    static final int FI_SOCKADDR = 1;
    static final int FI_SOCKADDR_IN = 2;
    static final int FI_SOCKADDR_IN6 = 3;
    static final int FI_OPT_ENDPOINT = 0;
    static final int FI_OPT_MIN_MULTI_RECV = 0;
    static final int FI_ENABLE = 6;
    static final int FI_QUEUE_WORK = 11;
    static final int FI_CANCEL_WORK = 12;
    static final int FI_FLUSH_WORK = 13;

    static final int FI_MR_LOCAL = 1 << 2;
    static final int FI_MR_VIRT_ADDR = 1 << 4;
    static final int FI_MR_ALLOCATED = 1 << 5;
    static final int FI_MR_PROV_KEY = 1 << 6;
    static final int FI_MR_ENDPOINT = 1 << 9;

    // element types and operations of atomic accesses
    static final int FI_INT8 = 0;
    static final int FI_INT32 = 4;
    static final int FI_INT64 = 6;
    static final int FI_UINT64 = 7;
    static final int FI_FLOAT = 8;
    static final int FI_DOUBLE = 9;
    static final int FI_MIN = 0;
    static final int FI_MAX = 1;
    static final int FI_SUM = 2;
    static final int FI_ATOMIC_READ = 10;
    static final int FI_ATOMIC_WRITE = 11;
    static final int FI_CSWAP = 12;

    // errors, which functions return with a minus
    static final int FI_ENOENT = 2;
    static final int FI_EAGAIN = 11;
    static final int FI_EACCES = 13;
    static final int FI_EINVAL = 22;
    static final int FI_ENOSYS = 38;
    static final int FI_ENODATA = 61;
    static final int FI_ECANCELED = 125;
    static final int FI_ETOOSMALL = 257;
    static final int FI_EAVAIL = 259;
    static final int FI_ETRUNC = 265;

    /** Bytes of a context: what a provider with the mode {@code FI_CONTEXT2} may write to until the operation ends. */
    static final int CONTEXT = 64;

    private Abi() {}
}
