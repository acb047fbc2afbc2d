package io.rankwire.launch;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A library whose classes are the same for all ranks of a simulation: it keeps what a rank has of its own in
 * {@link RankLocal}s. Its file {@value #MARK} names two of its classes: one with public static fields, and one whose
 * static methods give, under the same names, what the fields are for the rank that asks. Programs, as they are loaded,
 * are made to call these.
 */
final class SharedLibrary {
    static final String MARK = "META-INF/rankwire/per-rank";

    private final URL place;
    private final RankLoader loader;
    private final String names;
    private final String owner;
    private final ClassDesc counterpart;
    /** The methods, by name. */
    private final Map<String, MethodTypeDesc> fields = new HashMap<>();

    private SharedLibrary(URL place, RankLoader loader, String[] words) {
        this.place = place;
        this.loader = loader;
        owner = words[0];
        names = owner.substring(0, owner.lastIndexOf('/') + 1).replace('/', '.');
        counterpart = ClassDesc.ofInternalName(words[1]);
        ClassModel methods = ClassFile.of().parse(RankLoader.read(loader.findResource(words[1] + ".class")));
        for (MethodModel method : methods.methods()) {
            if (method.flags().has(AccessFlag.STATIC) && method.flags().has(AccessFlag.PUBLIC)) {
                fields.put(method.methodName().stringValue(), method.methodTypeSymbol());
            }
        }
    }

    /** The one in a class path, if it has the names of its package to itself; else null. */
    static SharedLibrary find(URL[] classPath) {
        for (URL place : classPath) {
            RankLoader loader = RankLoader.ofAllRanks(place);
            URL mark = loader.findResource(MARK);
            if (mark == null) {
                continue;
            }
            String[] words = new String(RankLoader.read(mark), StandardCharsets.UTF_8).strip().split("\\s+");
            SharedLibrary library = new SharedLibrary(place, loader, words);
            return library.isAlone(classPath) ? library : null;
        }
        return null;
    }

    private boolean isAlone(URL[] classPath) {
        for (URL other : without(classPath)) {
            if (RankLoader.ofAllRanks(other).findResource(names.replace('.', '/')) != null) {
                return false;
            }
        }
        return true;
    }

    /** The rest of a class path. */
    URL[] without(URL[] classPath) {
        return Arrays.stream(classPath).filter(each -> !each.equals(place)).toArray(URL[]::new);
    }

    boolean has(String className) {
        return className.startsWith(names);
    }

    Class<?> load(String className) throws ClassNotFoundException {
        return loader.loadClass(className);
    }

    /** A quick look whether a class could use one of the fields. */
    boolean mayBeUsedBy(String constants) {
        return constants.contains(owner) && fields.keySet().stream().anyMatch(constants::contains);
    }

    boolean has(FieldInstruction access) {
        MethodTypeDesc method = fields.get(access.name().stringValue());
        return method != null && access.owner().asInternalName().equals(owner)
                && method.returnType().equals(access.typeSymbol());
    }

    /** Where the value of a field is asked for. */
    ClassDesc counterpart() {
        return counterpart;
    }
}
