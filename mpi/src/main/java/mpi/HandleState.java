package mpi;

import io.rankwire.Handle;
import io.rankwire.World;
import java.util.function.Supplier;

/** The common state of communicators and windows: error handler, name, info and attributes. */
abstract class HandleState {
    private Errhandler errhandler;
    private String name = "";
    private Info info;

    HandleState(Errhandler errhandler) {
        this.errhandler = errhandler;
    }

    /** Returns the object that calls are made on; throws if the handle is null. */
    abstract Handle core();

    /** Returns the keys of attributes of this kind of handle. */
    abstract Keyvals keys();

    /** Returns the value of an attribute, predefined or set by the program; null if the attribute has no value. */
    abstract Object attribute(int keyval);

    /** Returns an error of a call as the exception that the call throws, with rank, call and line. */
    abstract MPIException translated(RuntimeException e);

    /** Returns the exception that a failed call throws. A fatal error handler ends the job first. */
    final MPIException raised(RuntimeException e) {
        MPIException error = translated(e);
        World world = errhandler.isFatal() ? RankState.mine().world : null;
        if (world != null) {
            world.fail(error);
        }
        return error;
    }

    /** Makes a call that returns nothing and raises its error. */
    final void run(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Makes a call that returns a value and raises its error. */
    final <T> T get(Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Errhandler errhandler() {
        return errhandler;
    }

    final void errhandler(Errhandler handler) {
        if (handler == null) {
            throw raised(new MPIException(MPI.ERR_ARG, "setErrhandler: argument errhandler is null"));
        }
        errhandler = handler;
    }

    final void callErrhandler(int errorCode) {
        raised(new MPIException(errorCode, "error " + errorCode + " reported by the program"));
    }

    final String name() {
        return name;
    }

    final void name(String text) {
        if (text == null) {
            throw raised(new MPIException(MPI.ERR_ARG, "setName: argument name is null"));
        }
        name = text;
    }

    Info info() {
        return info == null ? new Info() : info.dup();
    }

    void info(Info given) {
        info = given == null || given.isNull() ? null : given.dup();
    }

    /** Returns whether the info object sets a key to true. */
    final boolean promises(String key) {
        return info != null && "true".equals(info.get(key));
    }

    final void setAttribute(int keyval, Object value) {
        run(() -> core().attribute(keys().key(keyval), value));
    }

    final Object getAttribute(int keyval) {
        return get(() -> attribute(keyval));
    }

    final void deleteAttribute(int keyval) {
        run(() -> core().removeAttribute(keys().key(keyval)));
    }
}
