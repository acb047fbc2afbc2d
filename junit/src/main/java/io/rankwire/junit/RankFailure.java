package io.rankwire.junit;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.World;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** What a rank has thrown in a test, on its way from that rank to JUnit. */
final class RankFailure extends Exception {
    private static final long serialVersionUID = 1;
    private final String rank;

    private RankFailure(World world, Throwable thrown) {
        super(thrown);
        rank = "rank " + world.communicator().rank() + " of " + world.communicator().size();
    }

    /** What a rank does. */
    @FunctionalInterface
    interface Call {
        void run() throws Throwable;
    }

    static void call(World world, Call call) throws RankFailure {
        try {
            call.run();
        } catch (Throwable e) {
            throw new RankFailure(world, e);
        }
    }

    /**
     * What JUnit is to see: of the same kind as what the rank has thrown, as far as JUnit distinguishes kinds.
     *
     * @param faults names the faults under which the test ran, since not every report shows names of tests; or empty
     */
    static Throwable translated(RankwireException e, String faults) {
        if (!(e.getCause() instanceof RankFailure failure)) {
            return faults.isEmpty() ? e
                    : new RankwireException(e.errorClass(), faults.strip() + ": " + e.getMessage(), e);
        }
        Throwable thrown = failure.getCause();
        String who = failure.rank + faults;
        String message = who + ": " + (thrown.getMessage() == null ? thrown : thrown.getMessage());
        if (thrown instanceof TestAbortedException) {
            return new TestAbortedException(message, thrown);
        }
        if (thrown instanceof AssertionFailedError of && of.isExpectedDefined() && of.isActualDefined()) {
            return new AssertionFailedError(message, of.getExpected(), of.getActual(), thrown);
        }
        if (thrown instanceof AssertionError) {
            return new AssertionFailedError(message, thrown);
        }
        return new RankwireException(
                thrown instanceof RankwireException ours ? ours.errorClass() : ErrorClass.ABORTED,
                who + " failed: " + thrown, thrown);
    }
}
