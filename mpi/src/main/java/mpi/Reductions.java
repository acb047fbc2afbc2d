package mpi;

/** Collective calls that combine data, for both dialects. Buffers reach core as in {@link Collectives}. */
final class Reductions {
    private static final Object IN_PLACE = Collectives.IN_PLACE;

    private final CommHandle on;
    private final ObjectReductions objects;

    Reductions(CommHandle on, ObjectCollectives objects) {
        this.on = on;
        this.objects = new ObjectReductions(on, objects);
    }

    /** Returns the memory of an input buffer; between two groups a buffer cannot be both read and written. */
    private Object input(Object in, Datatype type) {
        if (in == IN_PLACE && on.intra == null) {
            throw new MPIException(MPI.ERR_BUFFER, "a call between two groups cannot work in place");
        }
        return Memory.base(in, type);
    }

    /** Returns whether a rank takes no part in a call between two groups. */
    private boolean isIdle(int root) {
        return on.intra == null && root == MPI.PROC_NULL;
    }

    /** At the root the buffer is input and output; elsewhere it is the input. */
    void reduce(Object buf, int count, Datatype type, Op op, int root) {
        if (on.get(() -> on.isRoot(root))) {
            reduce(IN_PLACE, 0, buf, 0, count, type, op, root);
        } else {
            reduce(buf, 0, null, 0, count, type, op, root);
        }
    }

    void reduce(Object in, int inOffset, Object out, int outOffset, int count, Datatype type, Op op, int root) {
        try {
            boolean isRoot = on.isRoot(root);
            if (on.intra != null && Collectives.isPlainOrInPlace(in, type) && (!isRoot || Memory.isPlain(out, type))) {
                on.intra.reduce(in, inOffset, isRoot ? out : null, outOffset, count, Op.core(op, type), root);
            } else if (Datatype.isObject(type)) {
                objects.reduce(in, inOffset, out, outOffset, count, type, op, root);
            } else {
                io.rankwire.Datatype layout = Collectives.layout(!isIdle(root), type);
                on.core.reduce(Memory.base(in, type), Memory.at(in, inOffset, type), count, layout,
                        Memory.base(out, type), Memory.at(out, outOffset, type), count, layout,
                        isIdle(root) ? null : Op.core(op, type), root);
            }
        } catch (RuntimeException e) {
            throw on.raisedOfRoot(e);
        }
    }

    /** As {@link #reduce(Object, int, Datatype, Op, int)}. */
    Request ireduce(Object buf, int count, Datatype type, Op op, int root) {
        return on.get(() -> on.isRoot(root)) ? ireduce(IN_PLACE, buf, count, type, op, root)
                : ireduce(buf, null, count, type, op, root);
    }

    Request ireduce(Object in, Object out, int count, Datatype type, Op op, int root) {
        try {
            on.core();
            io.rankwire.Datatype layout = Collectives.layout(!isIdle(root), type);
            return new Request(on, on.core.ireduce(Memory.base(in, type), Memory.at(in, 0, type), count, layout,
                    Memory.base(out, type), Memory.at(out, 0, type), count, layout,
                    isIdle(root) ? null : Op.core(op, type), root));
        } catch (RuntimeException e) {
            throw on.raisedOfRoot(e);
        }
    }

    void allreduce(Object in, int inOffset, Object out, int outOffset, int count, Datatype type, Op op) {
        try {
            if (on.intra != null && Memory.isPlain(out, type) && Collectives.isPlainOrInPlace(in, type)) {
                on.intra.allreduce(in, inOffset, out, outOffset, count, Op.core(op, type));
            } else if (Datatype.isObject(type)) {
                objects.allreduce(in, inOffset, out, outOffset, count, type, op);
            } else {
                io.rankwire.Datatype layout = Datatype.core(type);
                on.core().allreduce(input(in, type), Memory.at(in, inOffset, type), count, layout,
                        Memory.base(out, type), Memory.at(out, outOffset, type), count, layout, Op.core(op, type));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request iallreduce(Object in, Object out, int count, Datatype type, Op op) {
        return on.get(() -> new Request(on, on.core().iallreduce(input(in, type), Memory.at(in, 0, type), count,
                Datatype.core(type), Memory.base(out, type), Memory.at(out, 0, type), count, Datatype.core(type),
                Op.core(op, type))));
    }

    void reduceScatter(Object in, int inOffset, Object out, int outOffset, int[] counts, Datatype type, Op op) {
        try {
            int[] parts = CommHandle.first(counts, on.core().size());
            if (on.intra != null && inOffset == 0 && outOffset == 0 && Memory.isPlain(out, type)
                    && Collectives.isPlainOrInPlace(in, type)) {
                on.intra.reduceScatter(in, out, parts, Op.core(op, type));
            } else if (Datatype.isObject(type)) {
                objects.reduceScatter(in, inOffset, out, outOffset, parts, type, op);
            } else {
                io.rankwire.Datatype layout = Datatype.core(type);
                on.core.reduceScatter(input(in, type), Memory.at(in, inOffset, type), parts, layout,
                        Memory.base(out, type), Memory.at(out, outOffset, type), own(parts), layout, Op.core(op, type));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request ireduceScatter(Object in, Object out, int[] counts, Datatype type, Op op) {
        return on.get(() -> {
            int[] parts = CommHandle.first(counts, on.core().size());
            io.rankwire.Datatype layout = Datatype.core(type);
            return new Request(on, on.core.ireduceScatter(input(in, type), Memory.at(in, 0, type), parts, layout,
                    Memory.base(out, type), Memory.at(out, 0, type), own(parts), layout, Op.core(op, type)));
        });
    }

    /** Returns the count of this rank. */
    private int own(int[] counts) {
        int ranks = on.core.size();
        if (counts == null || counts.length < ranks) {
            throw new MPIException(MPI.ERR_ARG, "argument recvcounts: one for each of " + ranks + " ranks is needed");
        }
        return counts[on.core.rank()];
    }

    void reduceScatterBlock(Object in, Object out, int count, Datatype type, Op op) {
        try {
            if (on.intra != null && Memory.isPlain(out, type) && Collectives.isPlainOrInPlace(in, type)) {
                on.intra.reduceScatterBlock(in, 0, out, 0, count, Op.core(op, type));
            } else if (Datatype.isObject(type)) {
                objects.reduceScatterBlock(in, out, count, type, op);
            } else {
                io.rankwire.Datatype layout = Datatype.core(type);
                on.core().reduceScatterBlock(input(in, type), Memory.at(in, 0, type), count, layout,
                        Memory.base(out, type), Memory.at(out, 0, type), count, layout, Op.core(op, type));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request ireduceScatterBlock(Object in, Object out, int count, Datatype type, Op op) {
        return on.get(() -> new Request(on, on.core().ireduceScatterBlock(input(in, type), Memory.at(in, 0, type),
                count, Datatype.core(type), Memory.base(out, type), Memory.at(out, 0, type), count,
                Datatype.core(type), Op.core(op, type))));
    }

    void scan(Object in, int inOffset, Object out, int outOffset, int count, Datatype type, Op op) {
        try {
            if (on.intra != null && Memory.isPlain(out, type) && Collectives.isPlainOrInPlace(in, type)) {
                on.intra.scan(in, inOffset, out, outOffset, count, Op.core(op, type));
            } else if (Datatype.isObject(type)) {
                objects.scan(in, inOffset, out, outOffset, count, type, op);
            } else {
                io.rankwire.Datatype layout = Datatype.core(type);
                on.intra().scan(Memory.base(in, type), Memory.at(in, inOffset, type), count, layout,
                        Memory.base(out, type), Memory.at(out, outOffset, type), count, layout, Op.core(op, type));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request iscan(Object in, Object out, int count, Datatype type, Op op) {
        return on.get(() -> new Request(on, on.intra().iscan(Memory.base(in, type), Memory.at(in, 0, type), count,
                Datatype.core(type), Memory.base(out, type), Memory.at(out, 0, type), count, Datatype.core(type),
                Op.core(op, type))));
    }

    void exscan(Object in, Object out, int count, Datatype type, Op op) {
        try {
            if (on.intra != null && Memory.isPlain(out, type) && Collectives.isPlainOrInPlace(in, type)) {
                on.intra.exscan(in, 0, out, 0, count, Op.core(op, type));
            } else if (Datatype.isObject(type)) {
                objects.exscan(in, out, count, type, op);
            } else {
                io.rankwire.Datatype layout = Datatype.core(type);
                on.intra().exscan(Memory.base(in, type), Memory.at(in, 0, type), count, layout, Memory.base(out, type),
                        Memory.at(out, 0, type), count, layout, Op.core(op, type));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request iexscan(Object in, Object out, int count, Datatype type, Op op) {
        return on.get(() -> new Request(on, on.intra().iexscan(Memory.base(in, type), Memory.at(in, 0, type), count,
                Datatype.core(type), Memory.base(out, type), Memory.at(out, 0, type), count, Datatype.core(type),
                Op.core(op, type))));
    }

    /** Combines two buffers of this rank. */
    static void local(Object in, Object inOut, int count, Datatype type, Op op) {
        try {
            if (Datatype.isObject(type)) {
                ObjectReductions.combine(in, inOut, count, type, op);
            } else {
                Op.core(op, type).combine(Memory.base(in, type), Memory.at(in, 0, type), Memory.base(inOut, type),
                        Memory.at(inOut, 0, type), count, Datatype.core(type));
            }
        } catch (RuntimeException e) {
            throw MPI.failed(e);
        }
    }
}
