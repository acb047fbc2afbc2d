package io.rankwire.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.Stream;

/**
 * Whether classes keep anything that one rank could see of another: then each rank needs its own copy. Whatever is in
 * doubt does: only constants of the class file, enum constants without fields that change, and what the compiler makes
 * for assertions and switches do not, and no class that is locked as a whole.
 */
final class Statics {
    /** More classes are not looked at: looking would take longer than loading those that are used. */
    private static final int MOST_CLASSES = 2_000;

    private Statics() {}

    static boolean areConstant(URL[] classPath) {
        int[] left = {MOST_CLASSES};
        try {
            for (URL place : classPath) {
                Path path = Path.of(place.toURI());
                if (Files.exists(path) && !areConstant(path, left)) {
                    return false;
                }
            }
            return true;
        } catch (IOException | UncheckedIOException | URISyntaxException | IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean areConstant(Path place, int[] left) throws IOException {
        if (Files.isDirectory(place)) {
            return areConstantBelow(place, left);
        }
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            return areConstantBelow(jar.getPath("/"), left);
        }
    }

    private static boolean areConstantBelow(Path root, int[] left) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Iterator<Path> each = files.iterator(); each.hasNext(); ) {
                Path file = each.next();
                if (!file.toString().endsWith(".class") || !Files.isRegularFile(file)) {
                    continue;
                }
                if (--left[0] < 0 || !areConstant(Files.readAllBytes(file))) {
                    return false;
                }
            }
        }
        return true;
    }

    static boolean areConstant(byte[] classFile) {
        ClassModel type = ClassFile.of().parse(classFile);
        boolean isEnum = type.flags().has(AccessFlag.ENUM);
        for (FieldModel field : type.fields()) {
            boolean fixed = field.flags().has(AccessFlag.FINAL);
            boolean constant = fixed && (field.findAttribute(Attributes.constantValue()).isPresent()
                    || field.flags().has(AccessFlag.SYNTHETIC) || field.flags().has(AccessFlag.ENUM));
            if (field.flags().has(AccessFlag.STATIC) ? !constant : isEnum && !fixed) {
                return false;
            }
        }
        for (MethodModel method : type.methods()) {
            boolean locks = method.flags().has(AccessFlag.STATIC) && method.flags().has(AccessFlag.SYNCHRONIZED);
            if (locks || method.code().isPresent() && locksItsClass(method.code().get())) {
                return false;
            }
        }
        return true;
    }

    /** Whether it may lock a class, which one rank could hold while another wants it. */
    private static boolean locksItsClass(CodeModel code) {
        boolean locks = false;
        boolean names = false;
        for (CodeElement element : code) {
            locks |= element instanceof MonitorInstruction;
            names |= element instanceof ConstantInstruction constant && constant.constantValue() instanceof ClassDesc;
        }
        return locks && names;
    }
}
