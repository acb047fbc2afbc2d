package io.rankwire.runtime;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Makes every running thread of this process pass a full memory fence: Linux's system call membarrier, where native
 * access is granted. The first call of a native function takes the JVM a tenth of a second, so it is prepared aside.
 */
public final class ProcessFence {
    private static boolean asked;
    private static volatile boolean works;

    private ProcessFence() {}

    /** Makes ready, if it can be had here, and does not wait for it. */
    public static synchronized void prepare() {
        if (asked) {
            return;
        }
        asked = true;
        if (Call.NUMBER >= 0 && ProcessFence.class.getModule().isNativeAccessEnabled()) {
            Thread thread = new Thread(null, ProcessFence::probe, "rankwire-progress-fence", 0, false);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void probe() {
        works = Function.make(Call.REGISTER_PRIVATE_EXPEDITED) && Function.make(Call.PRIVATE_EXPEDITED);
    }

    /** False, and no fence, where it cannot be had or is not ready. */
    public static boolean pass() {
        return works && Function.make(Call.PRIVATE_EXPEDITED);
    }

    private static final class Call {
        static final long PRIVATE_EXPEDITED = 8;
        static final long REGISTER_PRIVATE_EXPEDITED = 16;
        /** Of the system call; -1 where there is none. */
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
                // Without it the JVM's own way is taken.
                return null;
            }
        }
    }
}
