package layout;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/**
 * A class with the public and protected members of another one, for compilers and JVMs older than that is for. Every
 * method says what is needed to run it.
 */
final class StubClass {
    private static final String NEEDED = "Rankwire runs on Java 25 or newer, and this is Java ";
    private static final String COPIED =
            " (a jar with a copy of these classes also has to say Multi-Release: true in its manifest)";

    private static final ClassDesc ERROR = UnsupportedClassVersionError.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc TAKES_STRING =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);
    private static final MethodTypeDesc STRING_TO_STRING =
            MethodTypeDesc.of(ConstantDescs.CD_String, ConstantDescs.CD_String);
    private static final int OPEN = ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED;

    private StubClass() {}

    /** Whether programs can name a class. */
    static boolean isOpen(ClassModel model) {
        String name = model.thisClass().asInternalName();
        return inner(model).stream()
                .filter(each -> each.innerClass().asInternalName().equals(name)).findFirst()
                .map(each -> (each.flagsMask() & OPEN) != 0 && each.outerClass().isPresent())
                .orElse((model.flags().flagsMask() & ClassFile.ACC_PUBLIC) != 0);
    }

    private static List<InnerClassInfo> inner(ClassModel model) {
        return model.findAttribute(Attributes.innerClasses()).map(InnerClassesAttribute::classes).orElse(List.of());
    }

    static byte[] of(ClassModel model) {
        return ClassFile.of().build(model.thisClass().asSymbol(), stub -> {
            stub.withVersion(ClassFile.JAVA_8_VERSION, 0).withFlags(model.flags().flagsMask());
            model.superclass().ifPresent(stub::withSuperclass);
            stub.withInterfaces(model.interfaces());
            model.findAttribute(Attributes.signature()).ifPresent(stub::with);
            stub.with(InnerClassesAttribute.of(
                    inner(model).stream().filter(each -> (each.flagsMask() & OPEN) != 0).toList()));
            model.fields().stream().filter(each -> (each.flags().flagsMask() & OPEN) != 0)
                    .forEach(each -> field(stub, each));
            model.methods().stream().filter(each -> (each.flags().flagsMask() & OPEN) != 0)
                    .forEach(each -> method(stub, each));
            // What it would be for is to be had from its fields, without a call.
            if (model.thisClass().asInternalName().equals("mpi/MPI")) {
                stub.withMethodBody(ConstantDescs.CLASS_INIT_NAME, ConstantDescs.MTD_void, ClassFile.ACC_STATIC,
                        StubClass::fail);
            }
        });
    }

    private static void field(ClassBuilder stub, FieldModel field) {
        stub.withField(field.fieldName().stringValue(), field.fieldTypeSymbol(), copy -> {
            copy.withFlags(field.flags().flagsMask());
            field.findAttribute(Attributes.constantValue()).ifPresent(copy::with);
            field.findAttribute(Attributes.signature()).ifPresent(copy::with);
        });
    }

    private static void method(ClassBuilder stub, MethodModel method) {
        checkTypes(method);
        int flags = method.flags().flagsMask();
        stub.withMethod(method.methodName().stringValue(), method.methodTypeSymbol(), flags, copy -> {
            method.findAttribute(Attributes.exceptions()).ifPresent(copy::with);
            method.findAttribute(Attributes.signature()).ifPresent(copy::with);
            if ((flags & ClassFile.ACC_ABSTRACT) == 0) {
                copy.withCode(StubClass::fail);
            }
        });
    }

    /** A compiler that has to look at a class of this release would give up. */
    private static void checkTypes(MethodModel method) {
        if (method.methodType().stringValue().contains("Lio/rankwire/")) {
            throw new IllegalStateException(method.parent().orElseThrow().thisClass().asInternalName() + "."
                    + method.methodName() + method.methodType() + " is public and names a type of core");
        }
    }

    private static void fail(CodeBuilder code) {
        code.new_(ERROR).dup()
                .ldc(NEEDED)
                .ldc("java.specification.version")
                .invokestatic(ClassDesc.of("java.lang.System"), "getProperty", STRING_TO_STRING)
                .invokevirtual(ConstantDescs.CD_String, "concat", STRING_TO_STRING)
                .ldc(COPIED)
                .invokevirtual(ConstantDescs.CD_String, "concat", STRING_TO_STRING)
                .invokespecial(ERROR, ConstantDescs.INIT_NAME, TAKES_STRING)
                .athrow();
    }
}
