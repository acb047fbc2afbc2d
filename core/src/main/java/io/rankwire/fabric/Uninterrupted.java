package io.rankwire.fabric;

import java.nio.channels.ClosedByInterruptException;

/**
 * Work with files on threads that may be interrupted. A channel is closed under a thread that is interrupted: the
 * status of the thread is set aside meanwhile, and if another thread sets it then, the work is done again.
 */
public final class Uninterrupted {
    private Uninterrupted() {}

    /** What may be done twice. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T run() throws E;
    }

    /** Does it; the thread has its status again afterwards. */
    public static <T, E extends Exception> T run(Work<T, E> work) throws E {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return work.run();
                } catch (Exception e) {
                    if (!(e instanceof ClosedByInterruptException || e instanceof FabricException
                            && e.getCause() instanceof ClosedByInterruptException)) {
                        throw e;
                    }
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
