package io.rankwire.runtime;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Forces every running thread of this process through a full memory fence: the system call membarrier of Linux, where
 * native access is granted. {@link DeviceLock} uses it for visits. The first call of a native function takes the JVM a
 * tenth of a second, so a separate thread prepares it.
 */
final class ProcessFence {
    private static boolean prepared;
    private static volatile boolean works;

    private ProcessFence() {}

    /** Prepares the fence on another thread, if this system has it, and does not wait for that. */
    static synchronized void prepare() {
        if (prepared) {
            return;
        }
        prepared = true;
        if (Call.NUMBER >= 0 && ProcessFence.class.getModule().isNativeAccessEnabled()) {
            Thread thread = new Thread(null, ProcessFence::probe, "rankwire-progress-fence", 0, false);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void probe() {
        works = Function.make(Call.REGISTER_PRIVATE_EXPEDITED) && Function.make(Call.PRIVATE_EXPEDITED);
    }

    /** Passes the fence; returns false if it is not available or not ready. */
    static boolean pass() {
        return works && Function.make(Call.PRIVATE_EXPEDITED);
    }

    private static final class Call {
        static final long PRIVATE_EXPEDITED = 8;
        static final long REGISTER_PRIVATE_EXPEDITED = 16;
        /** The number of the system call; -1 where there is none. */
        static final long NUMBER = !System.getProperty("os.name").equals("Linux") ? -1
                : switch (System.getProperty("os.arch")) {
                    case "amd64" -> 324;
                    case "aarch64", "riscv64" -> 283;
                    default -> -1;
                };
    }

    /** The function that makes system calls; found when this class is first used. */
    private static final class Function {
        private static final MethodHandle SYSCALL = find();

        static boolean make(long command) {
            try {
                return (long) SYSCALL.invokeExact(Call.NUMBER, command, 0L, 0L) == 0;
            } catch (Throwable e) {
                return false;
            }
        }

        @SuppressWarnings("restricted")
        private static MethodHandle find() {
            try {
                Linker linker = Linker.nativeLinker();
                MemorySegment syscall = linker.defaultLookup().findOrThrow("syscall");
                FunctionDescriptor shape = FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG);
                return linker.downcallHandle(syscall, shape, Linker.Option.firstVariadicArg(1));
            } catch (RuntimeException | LinkageError e) {
                // DeviceLock then uses a handshake of the JVM.
                return null;
            }
        }
    }
}
