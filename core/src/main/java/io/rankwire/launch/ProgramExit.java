package io.rankwire.launch;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a program calls for {@link System#exit}, {@link Runtime#exit} and {@link Runtime#halt} where its ranks are
 * threads: these calls end all of them, and only here it can be seen which rank has made the call. Its classes are
 * changed as they are loaded.
 */
public final class ProgramExit {
    private static final ClassDesc HERE = ClassDesc.of(ProgramExit.class.getName());
    private static final ClassDesc RUNTIME = ClassDesc.of(Runtime.class.getName());
    private static final MethodTypeDesc OF_RUNTIME =
            MethodTypeDesc.of(ConstantDescs.CD_void, RUNTIME, ConstantDescs.CD_int);
    private static final StackWalker CALLER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    /** Classes that call none of these; found once for all ranks. */
    private static final Set<String> PLAIN = ConcurrentHashMap.newKeySet();

    /** Called just before the process ends; null for none. */
    private static volatile Listener listener;

    private ProgramExit() {}

    /** What is done before a rank ends the process. */
    @FunctionalInterface
    interface Listener {
        void exits(int rank, int status);
    }

    static void listen(Listener to) {
        listener = to;
    }

    public static void exit(int status) {
        before(CALLER.getCallerClass(), status);
        System.exit(status);
    }

    public static void exit(Runtime runtime, int status) {
        before(CALLER.getCallerClass(), status);
        runtime.exit(status);
    }

    public static void halt(Runtime runtime, int status) {
        before(CALLER.getCallerClass(), status);
        runtime.halt(status);
    }

    /** Each rank has its own class loader, so the calling class is of one rank whatever thread it runs on. */
    private static void before(Class<?> caller, int status) {
        Job.exit(status);
        Listener present = listener;
        if (present != null && caller.getClassLoader() instanceof RankLoader loader && loader.rank() >= 0) {
            present.exits(loader.rank(), status);
        }
    }

    /** The class there, changed; null when there is nothing to change. */
    static byte[] adapted(String name, URL place) {
        if (PLAIN.contains(name)) {
            return null;
        }
        byte[] bytes = RankLoader.read(place);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        boolean usesRuntime = text.contains("java/lang/Runtime");
        boolean mayExit = text.contains("exit") && (usesRuntime || text.contains("java/lang/System"));
        if (!mayExit && !(usesRuntime && text.contains("halt"))) {
            PLAIN.add(name);
            return null;
        }
        ClassFile files = ClassFile.of();
        return files.transformClass(files.parse(bytes), ClassTransform.transformingMethodBodies(ProgramExit::replace));
    }

    private static void replace(CodeBuilder code, CodeElement element) {
        if (element instanceof InvokeInstruction call && call.type().equalsString("(I)V")) {
            String name = call.name().stringValue();
            boolean ofSystem = call.opcode() == Opcode.INVOKESTATIC
                    && call.owner().asInternalName().equals("java/lang/System");
            boolean ofRuntime = call.opcode() == Opcode.INVOKEVIRTUAL
                    && call.owner().asInternalName().equals("java/lang/Runtime");
            if (ofSystem && name.equals("exit")) {
                code.invokestatic(HERE, name, call.typeSymbol());
                return;
            }
            if (ofRuntime && (name.equals("exit") || name.equals("halt"))) {
                code.invokestatic(HERE, name, OF_RUNTIME);
                return;
            }
        }
        code.with(element);
    }
}
