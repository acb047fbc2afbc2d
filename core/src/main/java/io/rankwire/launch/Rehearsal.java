package io.rankwire.launch;

import java.lang.reflect.Method;

/**
 * A program of two ranks that takes the path every rank takes at its start: join, send, receive, close. Run once after
 * a build, so that the JVM can keep the classes it loaded in an archive. It calls the API by name because this package
 * is below it; and it is here because the archive may hold classes of this one jar only.
 */
final class Rehearsal {
    private Rehearsal() {}

    public static void main(String[] args) throws Exception {
        Class<?> type = Class.forName("io.rankwire.World");
        try (AutoCloseable world = (AutoCloseable) type.getMethod("join").invoke(null)) {
            Object all = type.getMethod("communicator").invoke(world);
            Method send = all.getClass().getMethod("send", Object.class, int.class, int.class);
            Method receive = all.getClass().getMethod("receive", Object.class, int.class, int.class);
            Job job = Job.current();
            int right = (job.rank() + 1) % job.size();
            int left = (job.rank() + job.size() - 1) % job.size();
            for (int bytes : new int[] {8, 4096}) {
                send.invoke(all, new byte[bytes], right, bytes);
                receive.invoke(all, new byte[bytes], left, bytes);
            }
        }
    }
}
