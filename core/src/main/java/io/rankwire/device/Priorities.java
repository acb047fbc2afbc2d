package io.rankwire.device;

import java.util.HashMap;
import java.util.Map;

/**
 * How urgent the messages of each context are. Only messages that have to wait are asked for: one that waits for room
 * or credit stands before less urgent ones of other contexts, and the parts of a large message go before theirs.
 */
public final class Priorities {
    public static final int HIGH = 0;
    public static final int NORMAL = 1;
    public static final int LOW = 2;

    /** Contexts that are not {@link #NORMAL}. */
    private final Map<Integer, Integer> byContext = new HashMap<>();

    public void set(int context, int priority) {
        if (priority == NORMAL) {
            byContext.remove(context);
        } else {
            byContext.put(context, priority);
        }
    }

    int of(int context) {
        return byContext.isEmpty() ? NORMAL : byContext.getOrDefault(context, NORMAL);
    }
}
