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
 * What of the two dialects is there, read from the class files. The two lists name what the libraries offered: public
 * fields, methods and constructors of each class where it declares them or inherits them from outside of the package
 * ({@code Class.member}), and what it extends ({@code Class extends Other}). A class has all members of those that it
 * extends, and each is looked for in each class. A member counts as there when the class or one above it declares it
 * with the same parameters, and as not yet when all it does is to say so.
 */
final class Coverage {
    enum State {
        YES,
        NOT_YET,
        MISSING
    }

    /** Members by class: {@code name(Types)} for methods, {@code name} for fields. */
    private final Map<String, Map<String, State>> members = new HashMap<>();
    private final Map<String, List<String>> parents = new HashMap<>();

    Coverage(Path classes) throws IOException {
        try (var files = Files.list(classes.resolve("mpi"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
                read(ClassFile.of().parse(file));
            }
        }
    }

    private void read(ClassModel model) {
        String name = simple(model.thisClass().asInternalName());
        List<String> above = parents.computeIfAbsent(name, any -> new ArrayList<>());
        model.superclass().ifPresent(parent -> above.add(simple(parent.asInternalName())));
        model.interfaces().forEach(parent -> above.add(simple(parent.asInternalName())));
        Map<String, State> own = members.computeIfAbsent(name, any -> new HashMap<>());
        model.fields().stream()
                .filter(field -> (field.flags().flagsMask() & ClassFile.ACC_PUBLIC) != 0)
                .forEach(field -> own.put(field.fieldName().stringValue(), State.YES));
        for (MethodModel method : model.methods()) {
            if ((method.flags().flagsMask() & (ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED)) != 0) {
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
        State own = members.getOrDefault(type, Map.of()).get(member);
        if (own != null || member.startsWith("new(")) {
            return own == null ? State.MISSING : own;
        }
        return parents.getOrDefault(type, List.of()).stream()
                .map(parent -> state(parent, member))
                .filter(state -> state != State.MISSING)
                .findFirst().orElse(State.MISSING);
    }

    /** Each line of a list. */
    static List<String> list(String dialect) throws IOException {
        try (var stream = Coverage.class.getResourceAsStream(dialect + ".txt")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** The classes of a dialect: what each declares, and what it extends. */
    private static final class Listed {
        final TreeSet<String> members = new TreeSet<>();
        final List<String> parents = new ArrayList<>();
    }

    private static Map<String, Listed> classes(String dialect) throws IOException {
        Map<String, Listed> classes = new TreeMap<>();
        for (String line : list(dialect)) {
            int extended = line.indexOf(" extends ");
            int dot = line.indexOf('.');
            String type = line.substring(0, extended < 0 ? dot : extended);
            Listed listed = classes.computeIfAbsent(type, any -> new Listed());
            if (extended < 0) {
                listed.members.add(line.substring(dot + 1));
            } else {
                listed.parents.add(line.substring(extended + " extends ".length()));
            }
        }
        return classes;
    }

    /** The members that a class has from those it extends, which have constructors of their own. */
    private static TreeSet<String> inherited(Map<String, Listed> classes, String type) {
        TreeSet<String> inherited = new TreeSet<>();
        for (String parent : classes.containsKey(type) ? classes.get(type).parents : List.<String>of()) {
            inherited.addAll(inherited(classes, parent));
            if (classes.containsKey(parent)) {
                classes.get(parent).members.stream()
                        .filter(member -> !member.startsWith("new(")).forEach(inherited::add);
            }
        }
        return inherited;
    }

    /** The table of a dialect, a row for each class; members that it inherits only where it does not have them. */
    String table(String dialect) throws IOException {
        Map<String, Listed> classes = classes(dialect);
        int[] total = new int[State.values().length];
        StringBuilder rows = new StringBuilder();
        classes.forEach((type, listed) -> {
            var row = List.of(new TreeSet<String>(), new TreeSet<String>(), new TreeSet<String>());
            for (String member : listed.members) {
                State state = state(type, member);
                total[state.ordinal()]++;
                row.get(state.ordinal()).add(state == State.YES ? shortened(member) : member);
            }
            for (String member : inherited(classes, type)) {
                if (!listed.members.contains(member)) {
                    State state = state(type, member);
                    total[state.ordinal()]++;
                    if (state == State.MISSING) {
                        row.get(state.ordinal()).add(member);
                    }
                }
            }
            rows.append("| ").append(type).append(" | ").append(names(row.get(0)))
                    .append(" | ").append(String.join(", ", listed.parents))
                    .append(" | ").append(names(row.get(1)))
                    .append(" | ").append(names(row.get(2))).append(" |\n");
        });
        return total[0] + " of " + (total[0] + total[1] + total[2]) + " members work, " + total[1] + " throw, "
                + total[2] + " are missing.\n\n"
                + "| class | works | and all of | not yet (throws) | missing |\n|---|---|---|---|---|\n" + rows;
    }

    private static String shortened(String member) {
        int open = member.indexOf('(');
        return open < 0 ? member : member.substring(0, open) + "()";
    }

    private static String names(TreeSet<String> names) {
        return names.isEmpty() ? "" : "`" + String.join("` `", names) + "`";
    }
}
