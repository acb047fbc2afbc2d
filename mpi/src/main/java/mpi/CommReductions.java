package mpi;

/** Collective calls that combine data, below both dialects; the ways are those of {@link CommCollectives}. */
abstract class CommReductions extends CommExchanges {
    CommReductions() {}

    final void reduceInto(Object in, int inOffset, Object out, int outOffset, int count, Datatype type, Op op,
            int root) {
        try {
            boolean isRoot = isRoot(root);
            if (intra != null && isPlainOrInPlace(in, type) && (!isRoot || isPlain(out, type))) {
                intra.reduce(in, inOffset, isRoot ? out : null, outOffset, count, Op.core(op, type), root);
            } else if (isObject(type, null)) {
                ObjectReductions.reduce(this, in, inOffset, out, outOffset, count, type, op, root);
            } else if (intra == null) {
                InterReductions.reduce(this, in, inOffset, out, outOffset, count, type, op, root).complete();
            } else {
                io.rankwire.Datatype layout = Datatype.core(type);
                intra.reduce(Memory.base(in, type), Memory.at(in, inOffset, type), count, layout,
                        Memory.base(out, type), Memory.at(out, outOffset, type), count, layout, Op.core(op, type),
                        root);
            }
        } catch (RuntimeException e) {
            throw raisedOfRoot(e);
        }
    }

    final Request ireduceInto(Object in, Object out, int count, Datatype type, Op op, int root) {
        try {
            core();
            io.rankwire.Datatype layout = Datatype.core(type);
            return intra == null ? InterReductions.reduce(this, in, 0, out, 0, count, type, op, root)
                    : request(intra.ireduce(Memory.base(in, type), Memory.at(in, 0, type), count, layout,
                    Memory.base(out, type), Memory.at(out, 0, type), count, layout, Op.core(op, type), root));
        } catch (RuntimeException e) {
            throw raisedOfRoot(e);
        }
    }

    final void allreduceInto(Object in, int inOffset, Object out, int outOffset, int count, Datatype type, Op op) {
        try {
            if (intra != null && isPlain(out, type) && isPlainOrInPlace(in, type)) {
                intra.allreduce(in, inOffset, out, outOffset, count, Op.core(op, type));
            } else if (isObject(type, null)) {
                ObjectReductions.allreduce(this, in, inOffset, out, outOffset, count, type, op);
            } else if (core() == inter) {
                InterReductions.allreduce(this, in, inOffset, out, outOffset, count, type, op).complete();
            } else {
                io.rankwire.Datatype layout = Datatype.core(type);
                intra.allreduce(Memory.base(in, type), Memory.at(in, inOffset, type), count, layout,
                        Memory.base(out, type), Memory.at(out, outOffset, type), count, layout, Op.core(op, type));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request iallreduceInto(Object in, Object out, int count, Datatype type, Op op) {
        try {
            core();
            io.rankwire.Datatype layout = Datatype.core(type);
            return intra == null ? InterReductions.allreduce(this, in, 0, out, 0, count, type, op)
                    : request(intra.iallreduce(Memory.base(in, type), Memory.at(in, 0, type), count, layout,
                    Memory.base(out, type), Memory.at(out, 0, type), count, layout, Op.core(op, type)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final void reduceScatterInto(
            Object in, int inOffset, Object out, int outOffset, int[] counts, Datatype type, Op op) {
        try {
            int[] parts = first(counts, core().size());
            if (intra != null && inOffset == 0 && outOffset == 0 && isPlain(out, type) && isPlainOrInPlace(in, type)) {
                intra.reduceScatter(in, out, parts, Op.core(op, type));
            } else if (isObject(type, null)) {
                ObjectReductions.reduceScatter(this, in, inOffset, out, outOffset, parts, type, op);
            } else if (core() == inter) {
                InterReductions.reduceScatter(this, in, inOffset, out, outOffset, parts, type, op).complete();
            } else {
                io.rankwire.Datatype layout = Datatype.core(type);
                intra.reduceScatter(Memory.base(in, type), Memory.at(in, inOffset, type), parts, layout,
                        Memory.base(out, type), Memory.at(out, outOffset, type), own(parts), layout, Op.core(op, type));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request ireduceScatterInto(Object in, Object out, int[] counts, Datatype type, Op op) {
        try {
            core();
            int[] parts = first(counts, core.size());
            io.rankwire.Datatype layout = Datatype.core(type);
            return intra == null ? InterReductions.reduceScatter(this, in, 0, out, 0, parts, type, op)
                    : request(intra.ireduceScatter(Memory.base(in, type), Memory.at(in, 0, type), parts, layout,
                            Memory.base(out, type), Memory.at(out, 0, type), own(parts), layout, Op.core(op, type)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** This rank's count. */
    private int own(int[] counts) {
        if (counts == null || counts.length < core().size()) {
            throw new MPIException(MPI.ERR_ARG, "argument recvcounts: one for each of " + core().size()
                    + " ranks is needed");
        }
        return counts[core().rank()];
    }

    final void reduceScatterBlockInto(Object in, Object out, int count, Datatype type, Op op) {
        try {
            if (intra != null && isPlain(out, type) && isPlainOrInPlace(in, type)) {
                intra.reduceScatterBlock(in, 0, out, 0, count, Op.core(op, type));
            } else if (isObject(type, null)) {
                ObjectReductions.reduceScatterBlock(this, in, out, count, type, op);
            } else if (core() == inter) {
                InterReductions.reduceScatterBlock(this, in, out, count, type, op).complete();
            } else {
                io.rankwire.Datatype layout = Datatype.core(type);
                intra.reduceScatterBlock(Memory.base(in, type), Memory.at(in, 0, type), count, layout,
                        Memory.base(out, type), Memory.at(out, 0, type), count, layout, Op.core(op, type));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request ireduceScatterBlockInto(Object in, Object out, int count, Datatype type, Op op) {
        try {
            core();
            io.rankwire.Datatype layout = Datatype.core(type);
            return intra == null ? InterReductions.reduceScatterBlock(this, in, out, count, type, op)
                    : request(intra.ireduceScatterBlock(Memory.base(in, type), Memory.at(in, 0, type), count, layout,
                            Memory.base(out, type), Memory.at(out, 0, type), count, layout, Op.core(op, type)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final void scanInto(Object in, int inOffset, Object out, int outOffset, int count, Datatype type, Op op) {
        try {
            if (intra != null && isPlain(out, type) && isPlainOrInPlace(in, type)) {
                intra.scan(in, inOffset, out, outOffset, count, Op.core(op, type));
            } else if (isObject(type, null)) {
                ObjectReductions.scan(this, in, inOffset, out, outOffset, count, type, op);
            } else {
                io.rankwire.Datatype layout = Datatype.core(type);
                intra().scan(Memory.base(in, type), Memory.at(in, inOffset, type), count, layout,
                        Memory.base(out, type), Memory.at(out, outOffset, type), count, layout, Op.core(op, type));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request iscanInto(Object in, Object out, int count, Datatype type, Op op) {
        try {
            io.rankwire.Datatype layout = Datatype.core(type);
            return request(intra().iscan(Memory.base(in, type), Memory.at(in, 0, type), count, layout,
                    Memory.base(out, type), Memory.at(out, 0, type), count, layout, Op.core(op, type)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final void exscanInto(Object in, Object out, int count, Datatype type, Op op) {
        try {
            if (intra != null && isPlain(out, type) && isPlainOrInPlace(in, type)) {
                intra.exscan(in, 0, out, 0, count, Op.core(op, type));
            } else if (isObject(type, null)) {
                ObjectReductions.exscan(this, in, out, count, type, op);
            } else {
                io.rankwire.Datatype layout = Datatype.core(type);
                intra().exscan(Memory.base(in, type), Memory.at(in, 0, type), count, layout, Memory.base(out, type),
                        Memory.at(out, 0, type), count, layout, Op.core(op, type));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request iexscanInto(Object in, Object out, int count, Datatype type, Op op) {
        try {
            io.rankwire.Datatype layout = Datatype.core(type);
            return request(intra().iexscan(Memory.base(in, type), Memory.at(in, 0, type), count, layout,
                    Memory.base(out, type), Memory.at(out, 0, type), count, layout, Op.core(op, type)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }
}
