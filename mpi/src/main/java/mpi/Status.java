package mpi;

/** The result of a receive, a probe or a request. */
public final class Status {
    private static final int UNKNOWN = -1;

    /** The sender's rank. */
    public int source;
    /** The tag of the message. */
    public int tag;
    /** The index of the request among several. */
    public int index;
    /**
     * The number of elements of the receive's datatype, or after a probe of the sender's; {@link MPI#UNDEFINED} if it
     * is not whole, or too large, or not known: objects are counted by a receive or by {@link #Get_count}.
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
    /** Counts the objects of a message that was probed. */
    private ObjectMessages probedOn;

    /** Makes an empty status. */
    public Status() {
        source = MPI.ANY_SOURCE;
        tag = MPI.ANY_TAG;
        core = null;
    }

    /** Makes a copy. */
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

    /** Makes the status of a message that was received as elements of a type, or was probed if the type is null. */
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
        if (type != null && type.core != null && !Datatype.isObject(type)) {
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

    /** Makes the status of a request that is not active. */
    static Status empty() {
        return new Status();
    }

    static Status ofObjects(int source, int tag, int objects) {
        Status status = new Status();
        status.source = source;
        status.tag = tag;
        return status.withObjects(objects);
    }

    static Status probed(io.rankwire.Status core, ObjectMessages on) {
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

    /** Returns the number of whole elements of a type, or {@link MPI#UNDEFINED} (MPI_Get_count). */
    public int getCount(Datatype datatype) throws MPIException {
        try {
            long size = Datatype.core(datatype).size();
            long whole = Datatype.isObject(datatype) ? (long) objects() * Integer.BYTES : bytes;
            if (whole == 0 || size == 0) {
                return whole == 0 ? 0 : MPI.UNDEFINED;
            }
            return whole < 0 || whole % size != 0 || whole / size > Integer.MAX_VALUE ? MPI.UNDEFINED
                    : (int) (whole / size);
        } catch (RuntimeException e) {
            throw MPI.failed(e);
        }
    }

    /** Returns whether the request was cancelled (MPI_Test_cancelled). */
    public boolean isCancelled() throws MPIException {
        return cancelled;
    }

    /** Returns the number of elements of primitive types (MPI_Get_elements). */
    public int getElements(Datatype datatype) throws MPIException {
        return whole(elements(datatype));
    }

    /** As {@link #getElements}, for large counts (MPI_Get_elements_x). */
    public Count getElementsX(Datatype datatype) throws MPIException {
        return new Count(elements(datatype));
    }

    /** Sets the number of elements (MPI_Status_set_elements). */
    public void setElements(Datatype datatype, int count) throws MPIException {
        set(datatype, count);
    }

    /** Sets the number of elements (MPI_Status_set_elements_x). */
    public void setElementsX(Datatype datatype, Count count) throws MPIException {
        set(datatype, count.getCount());
    }

    /** Sets whether the request was cancelled (MPI_Status_set_cancelled). */
    public void setCancelled(boolean flag) throws MPIException {
        cancelled = flag;
    }

    /** Returns the sender's rank. */
    public int getSource() {
        return source;
    }

    /** Returns the tag. */
    public int getTag() {
        return tag;
    }

    /** Returns the error code. */
    public int getError() {
        return error;
    }

    /** Returns the index of the request among several. */
    public int getIndex() {
        return index;
    }

    // mpiJava

    /** As {@link #getCount}. */
    public int Get_count(Datatype datatype) throws MPIException {
        return getCount(datatype);
    }

    /** As {@link #getElements}. */
    public int Get_elements(Datatype datatype) throws MPIException {
        return getElements(datatype);
    }

    /** As {@link #isCancelled}. */
    public boolean Test_cancelled() throws MPIException {
        return cancelled;
    }

    /** Does nothing. */
    public void free() {}

    private long elements(Datatype datatype) {
        try {
            io.rankwire.Datatype of = Datatype.core(datatype);
            if (Datatype.isObject(datatype)) {
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
            if (Datatype.isObject(datatype)) {
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
            withObjects(probedOn.count(source, tag));
        }
        return objects == UNKNOWN && bytes == 0 ? 0 : objects;
    }

    @Override
    public String toString() {
        return core == null ? "source " + source + ", tag " + tag : core.toString();
    }
}
