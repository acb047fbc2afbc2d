package io.rankwire.launch;

/** Work on channels that may block, which are closed if the thread that does it is interrupted. */
final class OwnThread {
    private OwnThread() {}

    /**
     * Does the work in a thread of its own, and returns or throws when that has ended. If the caller is interrupted
     * meanwhile, it keeps that status.
     */
    static void run(String name, Runnable work) {
        Throwable[] thrown = new Throwable[1];
        Thread thread = Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                thrown[0] = e;
            }
        });
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        switch (thrown[0]) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> { }
        }
    }
}
