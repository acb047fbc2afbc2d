package io.rankwire.launch;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;

/**
 * What a simulated program calls when it asks the machine for the time, sleeps or exits. Its classes are changed as
 * they are loaded: calls of the methods that have their counterpart here come here, what is a rank's own of a library
 * that ranks share is asked for, and all else stays.
 */
public final class ProgramClock {
    private static final ClassDesc HERE = ClassDesc.of(ProgramClock.class.getName());
    private static final Set<String> CALLS = Set.of(
            "java/lang/System.nanoTime()J",
            "java/lang/System.currentTimeMillis()J",
            "java/lang/System.exit(I)V",
            "java/lang/Runtime.exit(I)V",
            "java/lang/Runtime.halt(I)V",
            "java/lang/Thread.sleep(J)V",
            "java/lang/Thread.sleep(Ljava/time/Duration;)V");
    private static final Set<String> NAMES = Set.of("nanoTime", "currentTimeMillis", "sleep", "exit", "halt");
    /** The first of January 2026: simulated time has to begin at some date. */
    private static final long EPOCH_MS = 1_767_225_600_000L;
    private static final long NS_PER_MS = 1_000_000;

    private static volatile boolean catchesExit;

    private ProgramClock() {}

    /** A program has called {@link System#exit} where only its job is to end. */
    static final class Exited extends Error {
        private static final long serialVersionUID = 1;
        final int status;

        Exited(int status) {
            super("exited with status " + status, null, false, false);
            this.status = status;
        }
    }

    static void catchExit() {
        catchesExit = true;
    }

    public static void exit(int status) {
        if (Job.ofThread() instanceof SimulatedJob simulated) {
            simulated.exits(status);
        }
        Job.exit(status);
        if (catchesExit && Job.ofThread() != null) {
            throw new Exited(status);
        }
        System.exit(status);
    }

    /** Stands for {@link Runtime#exit}. */
    public static void exit(Runtime runtime, int status) {
        exit(status);
    }

    /** Stands for {@link Runtime#halt}. */
    public static void halt(Runtime runtime, int status) {
        if (Job.ofThread() instanceof SimulatedJob simulated) {
            simulated.halts(status);
        }
        runtime.halt(status);
    }

    public static long nanoTime() {
        VirtualTime time = time();
        return time == null ? System.nanoTime() : time.nowNs();
    }

    public static long currentTimeMillis() {
        VirtualTime time = time();
        return time == null ? System.currentTimeMillis() : EPOCH_MS + time.nowNs() / NS_PER_MS;
    }

    public static void sleep(long ms) throws InterruptedException {
        sleep(Duration.ofMillis(ms));
    }

    public static void sleep(Duration duration) throws InterruptedException {
        VirtualTime time = time();
        if (time == null || !time.isMine()) {
            Thread.sleep(duration);
            return;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("sleep interrupted");
        }
        if (duration.isPositive()) {
            time.sleep(duration.toNanos());
        }
    }

    private static VirtualTime time() {
        Job job = Job.ofThread();
        return job == null ? null : job.virtualTime();
    }

    /**
     * The class there, changed; null when there is nothing to change.
     *
     * @param library whose fields it may use; null for none
     */
    static byte[] adapted(URL place, SharedLibrary library) {
        byte[] bytes = RankLoader.read(place);
        return mayCall(bytes, library) ? adapted(bytes, library) : null;
    }

    /** A quick look at the names it uses. */
    private static boolean mayCall(byte[] bytes, SharedLibrary library) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        if (library != null && library.mayBeUsedBy(text)) {
            return true;
        }
        for (String name : NAMES) {
            if (text.contains(name)) {
                return true;
            }
        }
        return false;
    }

    static byte[] adapted(byte[] bytes, SharedLibrary library) {
        ClassFile files = ClassFile.of();
        return files.transformClass(files.parse(bytes),
                ClassTransform.transformingMethodBodies((code, element) -> replace(code, element, library)));
    }

    private static void replace(CodeBuilder code, CodeElement element, SharedLibrary library) {
        if (element instanceof InvokeInstruction call && CALLS.contains(call.owner().asInternalName() + "."
                + call.name().stringValue() + call.type().stringValue())) {
            MethodTypeDesc type = call.opcode() == Opcode.INVOKESTATIC ? call.typeSymbol()
                    : call.typeSymbol().insertParameterTypes(0, call.owner().asSymbol());
            code.invokestatic(HERE, call.name().stringValue(), type);
        } else if (library != null && element instanceof FieldInstruction access
                && access.opcode() == Opcode.GETSTATIC && library.has(access)) {
            code.invokestatic(library.counterpart(), access.name().stringValue(),
                    MethodTypeDesc.of(access.typeSymbol()));
        } else {
            code.with(element);
        }
    }
}
