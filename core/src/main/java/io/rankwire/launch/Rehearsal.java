package io.rankwire.launch;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;

/**
 * A program of three ranks that takes the paths of most programs: join, messages of several sizes, the commonest
 * collectives, close; and then the start as two hosts. The last rank dies before that, since all others load the
 * classes for it at the same moment, and notice a death late without them. Run once after a build, so that the JVM can
 * keep the classes it loaded in an archive: without them the first collective call of a program takes a tenth of a
 * second, and so does the start over a network. It calls the API by name because this package is below it; and it is
 * here because the archive may hold classes of this one jar only.
 */
final class Rehearsal {
    private Rehearsal() {}

    public static void main(String[] args) throws Exception {
        if (System.getenv(ProcessJob.DIRECTORY) == null) {
            // A rehearsal of an agent, whose ranks need not join.
            return;
        }
        Class<?> type = Class.forName("io.rankwire.World");
        Path directory = Path.of(System.getenv(ProcessJob.DIRECTORY));
        Path secret = directory.resolve("rehearsal.secret");
        if (Job.current().rank() == 0) {
            JobDirectory.write(secret, ByteBuffer.allocate(32));
        }
        try (AutoCloseable world = (AutoCloseable) type.getMethod("join").invoke(null)) {
            Object all = type.getMethod("communicator").invoke(world);
            sendAll(all, Job.current());
            collectives(all);
            survive(all, Job.current());
        }
        network(Job.current(), directory, secret);
    }

    /** The last rank dies, and the others go on without it. */
    private static void survive(Object all, Job job) throws Exception {
        if (job.rank() == job.worldSize() - 1) {
            Runtime.getRuntime().halt(1);
        }
        try {
            method(all, "barrier").invoke(all);
        } catch (InvocationTargetException e) {
            // The error that all others get.
        }
        Object fewer = method(all, "shrink").invoke(all);
        method(fewer, "agree", int.class).invoke(fewer, 1);
        method(all, "revoke").invoke(all);
        method(all, "failed").invoke(all);
        method(fewer, "free").invoke(fewer);
    }

    /** The other ranks find each other as those of two hosts, whose network they measure. */
    private static void network(Job job, Path directory, Path secret) throws ReflectiveOperationException {
        Class.forName(AgentRank.Ending.class.getName());
        Detection.of(System.getenv());
        NetworkJob there = NetworkStart.join(NetworkSettings.of(Map.of(
                ProcessJob.RANK, Integer.toString(job.rank()), ProcessJob.SIZE, Integer.toString(job.worldSize() - 1),
                NetworkSettings.ROOT, "127.0.0.1@" + directory.resolve("rehearsal.root"),
                NetworkSettings.SECRET_FILE, secret.toString(),
                NetworkSettings.HOST, "rehearsal " + job.rank())));
        Device device = there.openDevice(DeviceConfig.DEFAULT, 0);
        device.close();
        there.closed();
    }

    private static void sendAll(Object all, Job job) throws Exception {
        Method send = method(all, "send", Object.class, int.class, int.class);
        Method receive = method(all, "receive", Object.class, int.class, int.class);
        int right = (job.rank() + 1) % job.worldSize();
        int left = (job.rank() + job.worldSize() - 1) % job.worldSize();
        for (int bytes : new int[] {8, 4096}) {
            send.invoke(all, new byte[bytes], right, bytes);
            receive.invoke(all, new byte[bytes], left, bytes);
        }
        // Too long to go whole: a send of both ranks at the same time would not return.
        byte[] large = new byte[100_000];
        method(all, "sendReceive", Object.class, int.class, int.class, Object.class, int.class, int.class)
                .invoke(all, large, right, 1, large.clone(), left, 1);
        Object sent = method(all, "isend", Object.class, int.class, int.class).invoke(all, large, right, 2);
        Object received = method(all, "irecv", Object.class, int.class, int.class)
                .invoke(all, large.clone(), left, 2);
        for (Object request : new Object[] {received, sent}) {
            method(request, "await").invoke(request);
        }
    }

    private static void collectives(Object all) throws Exception {
        Class<?> op = Class.forName("io.rankwire.Op");
        Object sum = op.getField("SUM").get(null);
        method(all, "barrier").invoke(all);
        method(all, "broadcast", Object.class, int.class).invoke(all, new double[1], 0);
        // Short ones go through shared lines, long ones by messages.
        for (int count : new int[] {1, 100_000}) {
            method(all, "allreduce", Object.class, Object.class, op)
                    .invoke(all, new double[count], new double[count], sum);
        }
        method(all, "reduce", Object.class, Object.class, op, int.class)
                .invoke(all, new double[1], new double[1], sum, 0);
        method(all, "allgather", Object.class, Object.class).invoke(all, new int[1], new int[3]);
        // Ranks that wait long, and those of a job that ends when a rank fails, compare their calls; here none may.
        // Nor does a rank here sleep in a wait for certain, or replace the dead one.
        for (String each : new String[] {"collective.Mismatch", "collective.CallLog$Said", "OperationWait", "TimedWait",
            "Consensus$Outside"}) {
            Class.forName("io.rankwire.runtime." + each);
        }
        Class.forName(Replacements.Request.class.getName());
        Class.forName(Replacements.Answer.class.getName());
    }

    private static Method method(Object of, String name, Class<?>... parameters) throws ReflectiveOperationException {
        return of.getClass().getMethod(name, parameters);
    }
}
