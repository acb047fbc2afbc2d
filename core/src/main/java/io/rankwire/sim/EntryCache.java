package io.rankwire.sim;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The entries of work programs that a device has cached. The programs lie in the memory of the host; an entry that is
 * carried out and not cached has to be fetched, and takes the place of the one that was used longest ago.
 */
final class EntryCache {
    private final Map<Long, Boolean> used = new LinkedHashMap<>(16, 0.75f, true);

    /** Whether an entry is cached; it is from now on. */
    boolean contains(long entry, int places) {
        boolean was = used.put(entry, true) != null;
        if (used.size() > places) {
            used.remove(used.keySet().iterator().next());
        }
        return was;
    }
}
