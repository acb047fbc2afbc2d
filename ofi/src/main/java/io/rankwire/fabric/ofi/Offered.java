package io.rankwire.fabric.ofi;

import io.rankwire.fabric.Shared;
import java.util.BitSet;

/** Memory of this rank that peers may read and write. */
final class Offered {
    final Shared shared;
    /** Known to the provider, from the first use on. */
    Region region;
    /** Why the provider does not take it. */
    int refusal;
    /** Parts of accesses of this rank under way that read or fill it. */
    int users;
    /** Ranks that were given its key. */
    final BitSet holders = new BitSet();
    /** Whether it ends as soon as it is not used any more. */
    boolean isEnding;

    Offered(Shared shared) {
        this.shared = shared;
    }

    boolean isUnused() {
        return users == 0 && holders.isEmpty();
    }
}
