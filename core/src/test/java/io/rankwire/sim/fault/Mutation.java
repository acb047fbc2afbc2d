package io.rankwire.sim.fault;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.constant.ClassDesc;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * One wrong behaviour: an edit of one instruction of a method, or of all of a method's code.
 *
 * @param type the class, without {@code io.rankwire.}
 * @param method its only method of this name that holds what is edited
 */
public record Mutation(String type, String method, Edit edit, String what) {
    private static final String ROOT = "io.rankwire.";

    private static final Map<Opcode, Opcode> OPPOSITE = Map.ofEntries(
            Map.entry(Opcode.IFEQ, Opcode.IFNE), Map.entry(Opcode.IFNE, Opcode.IFEQ),
            Map.entry(Opcode.IFLT, Opcode.IFGE), Map.entry(Opcode.IFGE, Opcode.IFLT),
            Map.entry(Opcode.IFGT, Opcode.IFLE), Map.entry(Opcode.IFLE, Opcode.IFGT),
            Map.entry(Opcode.IF_ICMPEQ, Opcode.IF_ICMPNE), Map.entry(Opcode.IF_ICMPNE, Opcode.IF_ICMPEQ),
            Map.entry(Opcode.IF_ICMPLT, Opcode.IF_ICMPGE), Map.entry(Opcode.IF_ICMPGE, Opcode.IF_ICMPLT),
            Map.entry(Opcode.IF_ICMPGT, Opcode.IF_ICMPLE), Map.entry(Opcode.IF_ICMPLE, Opcode.IF_ICMPGT),
            Map.entry(Opcode.IF_ACMPEQ, Opcode.IF_ACMPNE), Map.entry(Opcode.IF_ACMPNE, Opcode.IF_ACMPEQ),
            Map.entry(Opcode.IFNULL, Opcode.IFNONNULL), Map.entry(Opcode.IFNONNULL, Opcode.IFNULL));

    private static final Map<Opcode, Opcode> NEIGHBOUR = Map.ofEntries(
            Map.entry(Opcode.IFLT, Opcode.IFLE), Map.entry(Opcode.IFLE, Opcode.IFLT),
            Map.entry(Opcode.IFGT, Opcode.IFGE), Map.entry(Opcode.IFGE, Opcode.IFGT),
            Map.entry(Opcode.IF_ICMPLT, Opcode.IF_ICMPLE), Map.entry(Opcode.IF_ICMPLE, Opcode.IF_ICMPLT),
            Map.entry(Opcode.IF_ICMPGT, Opcode.IF_ICMPGE), Map.entry(Opcode.IF_ICMPGE, Opcode.IF_ICMPGT));

    private static final Map<Opcode, Opcode> OTHER_OPERATOR = Map.of(
            Opcode.IADD, Opcode.ISUB, Opcode.ISUB, Opcode.IADD, Opcode.LADD, Opcode.LSUB, Opcode.LSUB, Opcode.LADD);

    /** What is written in the place of an element of the code; false leaves it. */
    @FunctionalInterface
    public interface Edit extends BiPredicate<CodeBuilder, CodeElement> {}

    String className() {
        return ROOT + type;
    }

    /** The class with the bug in it. */
    byte[] plant(byte[] clean) {
        // Names of local variables could be of variables that the changed code has no more.
        ClassFile file = ClassFile.of(
                ClassFile.StackMapsOption.GENERATE_STACK_MAPS, ClassFile.DebugElementsOption.DROP_DEBUG);
        ClassModel model = file.parse(clean);
        int[] edits = new int[1];
        CodeTransform code = (builder, element) -> {
            if (edits[0] == 0 && edit.test(builder, element)) {
                edits[0]++;
            } else {
                builder.with(element);
            }
        };
        byte[] planted = file.transformClass(model, ClassTransform.transformingMethodBodies(this::isMeant, code));
        if (edits[0] != 1) {
            throw new AssertionError("not to be planted: " + this);
        }
        return planted;
    }

    private boolean isMeant(MethodModel candidate) {
        return candidate.methodName().equalsString(method);
    }

    /** The n-th branch, from 0, goes the other way. */
    public static Edit branch(int n) {
        int[] left = {n};
        return (builder, element) -> element instanceof BranchInstruction branch
                && OPPOSITE.containsKey(branch.opcode()) && left[0]-- == 0
                && write(builder.branch(OPPOSITE.get(branch.opcode()), branch.target()));
    }

    /** The n-th branch is never taken. */
    public static Edit ignored(int n) {
        int[] left = {n};
        return (builder, element) -> element instanceof BranchInstruction branch
                && OPPOSITE.containsKey(branch.opcode()) && left[0]-- == 0 && write(popCompared(builder, branch));
    }

    /** The n-th branch is always taken. */
    public static Edit taken(int n) {
        int[] left = {n};
        return (builder, element) -> element instanceof BranchInstruction branch
                && OPPOSITE.containsKey(branch.opcode()) && left[0]-- == 0
                && write(popCompared(builder, branch).goto_(branch.target()));
    }

    private static CodeBuilder popCompared(CodeBuilder builder, BranchInstruction branch) {
        return branch.opcode().name().startsWith("IF_") ? builder.pop2() : builder.pop();
    }

    /** The n-th comparison is off by one: less becomes less or equal, and so on. */
    public static Edit edge(int n) {
        int[] left = {n};
        return (builder, element) -> element instanceof BranchInstruction branch
                && NEIGHBOUR.containsKey(branch.opcode()) && left[0]-- == 0
                && write(builder.branch(NEIGHBOUR.get(branch.opcode()), branch.target()));
    }

    /** The n-th call of this name is left out; what it would return is 0 or null. */
    public static Edit call(String name, int n) {
        int[] left = {n};
        return (builder, element) -> element instanceof InvokeInstruction call && call.name().equalsString(name)
                && left[0]-- == 0 && write(leaveOut(builder, call));
    }

    private static CodeBuilder leaveOut(CodeBuilder builder, InvokeInstruction call) {
        List<ClassDesc> parameters = call.typeSymbol().parameterList();
        for (int i = parameters.size() - 1; i >= 0; i--) {
            pop(builder, TypeKind.from(parameters.get(i)));
        }
        if (call.opcode() != Opcode.INVOKESTATIC) {
            builder.pop();
        }
        switch (TypeKind.from(call.typeSymbol().returnType()).asLoadable()) {
            case INT -> builder.iconst_0();
            case LONG -> builder.lconst_0();
            case REFERENCE -> builder.aconst_null();
            default -> { }
        }
        return builder;
    }

    /** The n-th store to this field is left out. */
    public static Edit store(String field, int n) {
        int[] left = {n};
        return (builder, element) -> element instanceof FieldInstruction store && store.opcode() == Opcode.PUTFIELD
                && store.name().equalsString(field) && left[0]-- == 0
                && write(pop(builder, TypeKind.from(store.typeSymbol())).pop());
    }

    private static CodeBuilder pop(CodeBuilder builder, TypeKind kind) {
        return kind.slotSize() == 2 ? builder.pop2() : builder.pop();
    }

    /** The n-th time this constant is another. */
    public static Edit constant(long was, long is, int n) {
        int[] left = {n};
        return (builder, element) -> element instanceof ConstantInstruction constant
                && constant.constantValue() instanceof Number number && number.longValue() == was && left[0]-- == 0
                && write(number instanceof Long ? builder.loadConstant(is) : builder.loadConstant((int) is));
    }

    /** The n-th addition is a subtraction, or the other way around. */
    public static Edit sign(int n) {
        int[] left = {n};
        return (builder, element) -> element instanceof OperatorInstruction operator
                && OTHER_OPERATOR.containsKey(operator.opcode()) && left[0]-- == 0
                && write(builder.with(OperatorInstruction.of(OTHER_OPERATOR.get(operator.opcode()))));
    }

    /** The method returns this at once. */
    public static Edit returns(int value) {
        return (builder, element) -> element instanceof Instruction && write(builder.loadConstant(value).ireturn());
    }

    private static boolean write(CodeBuilder ignored) {
        return true;
    }

    @Override
    public String toString() {
        return type + "." + method + ": " + what;
    }
}
