package io.rankwire.sim;

/**
 * What entries of work programs cost a device. The programs lie in the memory of the host; the device caches a part of
 * them.
 *
 * @param entryPs work for an entry
 * @param cached entries that the device caches; 0 for all
 * @param fetchPs what it takes to fetch another one from host memory
 */
public record EntryModel(long entryPs, int cached, long fetchPs) {
    /** Entries take no time. */
    public static final EntryModel FREE = new EntryModel(0, 0, 500_000);

    public EntryModel {
        if (entryPs < 0 || cached < 0 || fetchPs < 0) {
            throw new IllegalArgumentException("device: costs of entries, and cached ones, from 0: " + entryPs + " ps, "
                    + cached + ", " + fetchPs + " ps");
        }
    }

    /** Whether entries take time. */
    boolean costs() {
        return entryPs != 0 || cached != 0;
    }
}
