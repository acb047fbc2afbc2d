package io.rankwire.fabric.local;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Gives pages of native memory back to the system, by {@code madvise} of Linux where native access is granted. The
 * first call of a native function takes the JVM a tenth of a second, so a separate thread prepares it.
 */
final class Pages {
    /** Memory to be released begins and ends at multiples of this: no page is larger. */
    static final long ALIGNMENT = 64 << 10;

    private static final int DONT_NEED = 4;

    private static boolean prepared;
    private static volatile MethodHandle function;

    private Pages() {}

    /**
     * Releases memory whose contents are of no use any more; it reads as zeros then.
     *
     * @return false if the function is not available, or not ready
     */
    static boolean release(MemorySegment memory) {
        if (memory.address() % ALIGNMENT != 0 || memory.byteSize() % ALIGNMENT != 0) {
            throw new IllegalArgumentException("not whole pages: " + memory);
        }
        MethodHandle madvise = function;
        if (madvise == null) {
            prepare();
            return false;
        }
        try {
            return (int) madvise.invokeExact(memory, memory.byteSize(), DONT_NEED) == 0;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static synchronized void prepare() {
        if (!prepared && System.getProperty("os.name").equals("Linux")
                && Pages.class.getModule().isNativeAccessEnabled()) {
            Thread thread = new Thread(null, Pages::find, "rankwire-pages", 0, false);
            thread.setDaemon(true);
            thread.start();
        }
        prepared = true;
    }

    @SuppressWarnings("restricted")
    private static void find() {
        try {
            Linker linker = Linker.nativeLinker();
            function = linker.downcallHandle(linker.defaultLookup().findOrThrow("madvise"),
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
        } catch (RuntimeException | LinkageError e) {
            // Slabs then keep their memory.
        }
    }
}
