package io.rankwire.runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * A call that is made over and over, as reports name it: what it is, with which arguments, and from which of the
 * program's lines. To find a line takes longer than a small call, so it is done for the first call of a kind, the
 * second, the fourth, the eighth …: nearly always all come from one line.
 */
public final class CallName {
    /** How a call is made. */
    public enum Form { BLOCKING, NONBLOCKING, PERSISTENT }

    private static final int MOST_LINES = 3;

    private final String kind;
    private final String arguments;
    private final List<String> lines = new ArrayList<>(1);
    private int uses;
    /** Of a persistent call: whether it was started. */
    public boolean started;

    /** @param text begins with the kind */
    public CallName(String kind, String text) {
        this.kind = kind;
        this.arguments = text.substring(kind.length());
    }

    /** The call is made once more; its caller is on the stack. */
    public void used() {
        if ((++uses & uses - 1) == 0) {
            from(CallSite.find());
        }
    }

    public boolean isUsed() {
        return uses > 0;
    }

    /** It is made from this line just now. */
    public void from(String line) {
        if (!line.isEmpty() && !lines.contains(line) && lines.size() < MOST_LINES) {
            lines.add(line);
        }
    }

    public String describe(Form form) {
        return name(form) + String.join(" or", lines);
    }

    /** The same without lines. */
    public String name(Form form) {
        return switch (form) {
            case BLOCKING -> kind + arguments;
            case NONBLOCKING -> "i" + kind + arguments;
            case PERSISTENT -> kind + "Init" + arguments;
        };
    }
}
