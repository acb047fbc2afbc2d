package mpi;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What of the two dialects is there, read from the class files. The two lists name what the libraries offered; a member
 * counts as there when the class or one above it declares it with the same parameters, and as not yet when all it does
 * is to say so.
 */
final class Coverage {
    enum State {
        YES,
        NOT_YET,
        MISSING
    }

    /** Members by class: {@code name(Types)} for methods, {@code name} for fields. */
    private final Map<String, Map<String, State>> members = new HashMap<>();
    private final Map<String, String> parents = new HashMap<>();

    Coverage(Path classes) throws IOException {
        try (var files = Files.list(classes.resolve("mpi"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
                read(ClassFile.of().parse(file));
            }
        }
    }

    private void read(ClassModel model) {
        String name = simple(model.thisClass().asInternalName());
        model.superclass().ifPresent(parent -> parents.put(name, simple(parent.asInternalName())));
        Map<String, State> own = members.computeIfAbsent(name, any -> new HashMap<>());
        model.fields().stream()
                .filter(field -> (field.flags().flagsMask() & ClassFile.ACC_PUBLIC) != 0)
                .forEach(field -> own.put(field.fieldName().stringValue(), State.YES));
        boolean openClass = (model.flags().flagsMask() & ClassFile.ACC_ABSTRACT) != 0;
        for (MethodModel method : model.methods()) {
            boolean reachable = (method.flags().flagsMask() & (ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED)) != 0;
            if (reachable || openClass) {
                own.put(signature(method), throwsOnly(method) ? State.NOT_YET : State.YES);
            }
        }
    }

    private static String signature(MethodModel method) {
        List<String> types = new ArrayList<>();
        method.methodTypeSymbol().parameterList().forEach(type -> types.add(type.displayName().replace("mpi.", "")));
        String name = method.methodName().stringValue();
        return (name.equals("<init>") ? "new" : name) + "(" + String.join(",", types) + ")";
    }

    private static boolean throwsOnly(MethodModel method) {
        return method.code().stream()
                .flatMap(code -> code.elementStream())
                .anyMatch(each -> each instanceof InvokeInstruction call
                        && call.owner().asInternalName().equals("mpi/NotYet"));
    }

    private static String simple(String internalName) {
        return internalName.substring(internalName.lastIndexOf('/') + 1);
    }

    State state(String type, String member) {
        for (String at = type; at != null; at = parents.get(at)) {
            State state = members.getOrDefault(at, Map.of()).get(member);
            if (state != null) {
                return state;
            }
            if (member.startsWith("new(")) {
                return State.MISSING;
            }
        }
        return State.MISSING;
    }

    /** Each line of a list: {@code Class.member}. */
    static List<String> list(String dialect) throws IOException {
        try (var stream = Coverage.class.getResourceAsStream(dialect + ".txt")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** The table of a dialect, a row for each class. */
    String table(String dialect) throws IOException {
        Map<String, List<TreeSet<String>>> rows = new TreeMap<>();
        int[] total = new int[State.values().length];
        for (String line : list(dialect)) {
            int dot = line.indexOf('.');
            String type = line.substring(0, dot);
            String member = line.substring(dot + 1);
            State state = state(type, member);
            total[state.ordinal()]++;
            var row = rows.computeIfAbsent(type, any -> List.of(new TreeSet<>(), new TreeSet<>(), new TreeSet<>()));
            row.get(state.ordinal()).add(state == State.YES ? shortened(member) : member);
        }
        StringBuilder text = new StringBuilder();
        text.append(total[0]).append(" of ").append(total[0] + total[1] + total[2]).append(" members work, ")
                .append(total[1]).append(" throw, ").append(total[2]).append(" are missing.\n\n")
                .append("| class | works | not yet (throws) | missing |\n|---|---|---|---|\n");
        rows.forEach((type, row) -> text.append("| ").append(type)
                .append(" | ").append(names(row.get(0)))
                .append(" | ").append(names(row.get(1)))
                .append(" | ").append(names(row.get(2))).append(" |\n"));
        return text.toString();
    }

    private static String shortened(String member) {
        int open = member.indexOf('(');
        return open < 0 ? member : member.substring(0, open) + "()";
    }

    private static String names(TreeSet<String> names) {
        return names.isEmpty() ? "" : "`" + String.join("` `", names) + "`";
    }
}
