package io.rankwire.launch;

/** Threads of this library, which a program does not interrupt by accident. */
public final class OwnThread {
    private OwnThread() {}

    /** The group above the program's: a program that interrupts all threads of its own group means others. */
    public static ThreadGroup group() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /**
     * Does work on channels that may block in a thread of its own, since an interrupt would close them. Returns or
     * throws when the work has ended. If the caller is interrupted meanwhile, it keeps that status.
     */
    static void run(String name, Runnable work) {
        Throwable[] thrown = new Throwable[1];
        Thread thread = Thread.ofPlatform().group(group()).daemon().name(name).start(() -> {
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
        // No switch over types, here and where messages are read: the first one of a process takes 20 ms.
        if (thrown[0] instanceof RuntimeException e) {
            throw e;
        }
        if (thrown[0] instanceof Error e) {
            throw e;
        }
    }
}
