package mpi;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The call that a program made, by its name in the dialect, and its source line; error texts name both. */
final class CallSite {
    private static final Pattern RANK = Pattern.compile("^rank (\\d{1,9}): ");
    private static final Pattern ARTICLE = Pattern.compile("\\ba (?=int\\b|Object)");
    /** The buffer that {@link Memory} passes instead of null. */
    private static final Pattern NULL = Pattern.compile("^.*\\ba HeapByteBuffer of (length 0|0 bytes)(?!\\d).*$");
    /** Core's classes for memory. */
    private static final Pattern DIRECT =
            Pattern.compile("\\b(Native|Mapped)MemorySegmentImpl of (length )?(\\d+)( bytes)?");
    private static final Pattern HEAP = Pattern.compile("\\bOf(Byte|Char|Short|Int|Long|Float|Double)\\b");
    /** Elements of a primitive type that lie outside of a buffer. */
    private static final Pattern OUTSIDE = Pattern.compile(
            "offset (-?\\d+), count (\\d+) and type: \\w+ touches .* within (a [\\w\\[\\] ]+ of \\d+ bytes)");
    private static final Pattern OFFSET = Pattern.compile("arguments offset 0 and count (-?\\d+) do not fit");
    private static final Pattern CALL_OF_CORE = Pattern.compile("^\\w+: (?=arguments? )|^i?agreeOfLive, (?=on )");
    private static final Pattern ON_WORLD = Pattern.compile("\\b(of|on) world\\b(?!\\.)");

    /** Null outside calls of this package. */
    private String call;
    /** Empty if the program's line is not known. */
    private String line = "";

    private CallSite() {}

    static CallSite find() {
        CallSite site = new CallSite();
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.anyMatch(site::endsAt));
        return site;
    }

    /** Reads a stack frame and returns whether it belongs to the program. */
    private boolean endsAt(StackWalker.StackFrame frame) {
        String type = frame.getClassName();
        if (type.startsWith("java.") || type.startsWith("io.rankwire.")) {
            return false;
        }
        if (frame.getDeclaringClass().getPackageName().equals("mpi")) {
            String simple = type.substring(type.lastIndexOf('.') + 1);
            call = frame.getMethodName().equals("<init>") ? "new " + simple : frame.getMethodName();
            return false;
        }
        line = " at " + frame.getFileName() + ":" + frame.getLineNumber();
        return true;
    }

    /**
     * The text of an error with rank, call and line around it, in words of this package. A report of several lines has
     * all that, of several ranks.
     *
     * @param rank this process in {@link MPI#COMM_WORLD}; -1 if there is none
     * @param inCore what core calls this rank
     */
    String around(int rank, int inCore, String text) {
        if (text != null && text.indexOf('\n') >= 0) {
            return text;
        }
        Matcher named = RANK.matcher(String.valueOf(text));
        // Errors about a dead peer name this rank by its number in the world.
        boolean own = named.find() && List.of(inCore, rank).contains(Integer.parseInt(named.group(1)));
        String what = own ? text.substring(named.end()) : String.valueOf(text);
        what = line.isEmpty() ? what : what.replace(line + ":", ":");
        what = what.endsWith(line) ? what.substring(0, what.length() - line.length()) : what;
        return (rank < 0 ? "" : "rank " + rank + ": ") + (call == null ? what : call + ": " + words(withoutCall(what)))
                + line;
    }

    /** Core may have named the call too, after what it was made on. */
    private String withoutCall(String text) {
        if (text.startsWith(call + ": ") || text.startsWith(call + ", on ")) {
            return text.substring(call.length() + 2);
        }
        int at = text.indexOf(": " + call + ": ");
        return at < 0 ? text : text.substring(at + call.length() + 4);
    }

    /** Returns whether an error of core names the buffer that stands for null in this package. */
    static boolean isOfNull(String text) {
        return text != null && NULL.matcher(text).matches();
    }

    private String words(String text) {
        String what = isOfNull(text) ? "argument buf is null, and there are elements to move" : text;
        what = CALL_OF_CORE.matcher(what).replaceFirst("");
        what = DIRECT.matcher(what).replaceAll("direct buffer of $3 bytes");
        what = HEAP.matcher(what).replaceAll(kind -> kind.group(1).toLowerCase(Locale.ROOT) + "[]");
        what = OUTSIDE.matcher(what).replaceAll("offset $1 and count $2 do not fit $3");
        if (Character.isLowerCase(call.charAt(0))) {
            // Open MPI's calls have no offset.
            what = OFFSET.matcher(what).replaceFirst("argument count: $1 does not fit");
        }
        return ARTICLE.matcher(ON_WORLD.matcher(what).replaceAll("$1 MPI.COMM_WORLD")).replaceAll("an ");
    }
}
