package mpi;

/** What came of a receive, a probe or a request. */
public final class Status {
    private static final int UNKNOWN = -1;

    /** The sender's rank. */
    public int source;
    public int tag;
    /** Which of several requests it is of. */
    public int index;
    /**
     * How many of the receive's datatype the message is, or elements of the sender's after a probe;
     * {@link MPI#UNDEFINED} if that is no whole number, too large for an {@code int}, or not known before the message
     * of objects is received or {@link #Get_count} is called.
     */
    public int count;
    /** Elements of primitive types, or objects; {@link MPI#UNDEFINED} as {@link #count}. */
    public int numEls;
    /** Size of the message; {@link MPI#UNDEFINED} above {@link Integer#MAX_VALUE}. */
    public int countInBytes;

    private int error;
    private boolean cancelled;
    private long bytes;
    /** Objects of a message of {@link MPI#OBJECT}, or {@link #UNKNOWN}. */
    private int objects = UNKNOWN;
    private final io.rankwire.Status core;
    /** Where a probe has seen the message. */
    private CommMessages probedOn;

    public Status() {
        source = MPI.ANY_SOURCE;
        tag = MPI.ANY_TAG;
        core = null;
    }

    /** A copy. */
    public Status(Status other) {
        core = other.core;
        source = other.source;
        tag = other.tag;
        index = other.index;
        count = other.count;
        numEls = other.numEls;
        countInBytes = other.countInBytes;
        error = other.error;
        cancelled = other.cancelled;
        bytes = other.bytes;
        objects = other.objects;
        probedOn = other.probedOn;
    }

    /** Of a message that was received as elements of a type, or was only seen if that is null. */
    Status(io.rankwire.Status core, Datatype type) {
        this.core = core;
        source = core.source();
        tag = core.tag();
        bytes = core.bytes();
        cancelled = core.cancelled();
        countInBytes = whole(bytes);
        if (type != null && type.array != null) {
            numEls = whole(bytes >> type.base.shift);
            count = numEls;
        } else if (bytes != 0) {
            count(type);
        }
    }

    private void count(Datatype type) {
        if (type != null && type.core != null && !type.isObject()) {
            numEls = getElements(type);
            count = getCount(type);
        } else {
            numEls = core.type().equals("object") ? MPI.UNDEFINED : whole(core.count());
            count = numEls;
        }
    }

    private static int whole(long number) {
        return number > Integer.MAX_VALUE ? MPI.UNDEFINED : (int) number;
    }

    /** Of a request that was under no way. */
    static Status empty() {
        return new Status();
    }

    static Status ofObjects(int source, int tag, int objects) {
        Status status = new Status();
        status.source = source;
        status.tag = tag;
        return status.withObjects(objects);
    }

    static Status probed(io.rankwire.Status core, CommMessages on) {
        Status status = new Status(core, null);
        status.probedOn = on;
        return status;
    }

    Status withIndex(int place) {
        index = place;
        return this;
    }

    Status withObjects(int number) {
        objects = number;
        numEls = number;
        count = number;
        return this;
    }

    // Open MPI

    /** How many of a type the message is; {@link MPI#UNDEFINED} if it ends within one. */
    public int getCount(Datatype datatype) throws MPIException {
        try {
            long size = Datatype.core(datatype).size();
            long whole = datatype.isObject() ? (long) objects() * Integer.BYTES : bytes;
            if (whole == 0 || size == 0) {
                return whole == 0 ? 0 : MPI.UNDEFINED;
            }
            return whole < 0 || whole % size != 0 || whole / size > Integer.MAX_VALUE ? MPI.UNDEFINED
                    : (int) (whole / size);
        } catch (RuntimeException e) {
            throw MPI.failed(e);
        }
    }

    public boolean isCancelled() throws MPIException {
        return cancelled;
    }

    /** How many elements of primitive types the message is. */
    public int getElements(Datatype datatype) throws MPIException {
        return whole(elements(datatype));
    }

    public Count getElementsX(Datatype datatype) throws MPIException {
        return new Count(elements(datatype));
    }

    public void setElements(Datatype datatype, int count) throws MPIException {
        set(datatype, count);
    }

    public void setElementsX(Datatype datatype, Count count) throws MPIException {
        set(datatype, count.getCount());
    }

    public void setCancelled(boolean flag) throws MPIException {
        cancelled = flag;
    }

    public int getSource() {
        return source;
    }

    public int getTag() {
        return tag;
    }

    public int getError() {
        return error;
    }

    public int getIndex() {
        return index;
    }

    // mpiJava

    public int Get_count(Datatype datatype) throws MPIException {
        return getCount(datatype);
    }

    public int Get_elements(Datatype datatype) throws MPIException {
        return getElements(datatype);
    }

    public boolean Test_cancelled() throws MPIException {
        return cancelled;
    }

    /** Nothing has to be given back. */
    public void free() {}

    private long elements(Datatype datatype) {
        try {
            io.rankwire.Datatype of = Datatype.core(datatype);
            if (datatype.isObject()) {
                return objects() < 0 ? MPI.UNDEFINED : objects();
            }
            if (core != null && core.bytes() == bytes) {
                long elements = core.elements(of);
                return elements < 0 ? MPI.UNDEFINED : elements;
            }
            long each = of.size() == 0 ? 0 : of.size() / of.elements();
            return bytes == 0 ? 0 : each == 0 || bytes % each != 0 ? MPI.UNDEFINED : bytes / each;
        } catch (RuntimeException e) {
            throw MPI.failed(e);
        }
    }

    private void set(Datatype datatype, long elements) {
        try {
            io.rankwire.Datatype of = Datatype.core(datatype);
            if (datatype.isObject()) {
                withObjects(Math.toIntExact(elements));
            } else {
                bytes = of.elements() == 0 ? 0 : elements * (of.size() / of.elements());
                countInBytes = whole(bytes);
                numEls = whole(elements);
                count = getCount(datatype);
            }
        } catch (RuntimeException e) {
            throw MPI.failed(e);
        }
    }

    private int objects() {
        if (objects == UNKNOWN && probedOn != null && core.type().equals("object")) {
            withObjects(probedOn.countObjects(source, tag));
        }
        return objects == UNKNOWN && bytes == 0 ? 0 : objects;
    }

    @Override
    public String toString() {
        return core == null ? "source " + source + ", tag " + tag : core.toString();
    }
}
