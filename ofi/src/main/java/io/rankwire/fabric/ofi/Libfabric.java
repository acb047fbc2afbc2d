package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FabricException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/**
 * The library itself, opened when it is first asked for, and never closed: libraries below it do not survive that.
 * Opening takes some tenths of a second.
 */
final class Libfabric {
    /** The name of a file, or its path, where the system does not find the one that is meant. */
    private static final String FILE = System.getProperty("rankwire.libfabric", "libfabric.so.1");
    private static final int MAJOR_AFTER = 3;
    /** Read when the library is opened: what the user has set stays. */
    private static final String[][] ENVIRONMENT = {
        {"IPATH_NO_BACKTRACE", "1"},
        {"HFI_NO_BACKTRACE", "1"},
        {"HFI_NO_CPUAFFINITY", "1"},
        {"FI_MR_CACHE_MONITOR", "disabled"},
        {"FI_EFA_ENABLE_SHM_TRANSFER", "0"},
        {"RDMAV_FORK_SAFE", "1"},
        {"FI_SOCKETS_PE_WAITTIME", "0"},
    };

    private static Libfabric opened;

    private final MemorySegment getinfo;
    private final MemorySegment freeinfo;
    private final MemorySegment dupinfo;
    private final MemorySegment fabric;
    private final MemorySegment strerror;
    private final MemorySegment strdup = Calls.system("strdup");
    private final Signals signals;
    private final int version;

    private Libfabric(Arena arena, String file) {
        signals = new Signals(arena);
        MemorySegment setenv = Calls.system("setenv");
        for (String[] pair : ENVIRONMENT) {
            Calls.call(setenv, Raw.allocate(arena, pair[0]), Raw.allocate(arena, pair[1]), 0);
        }
        SymbolLookup library = load(arena, file);
        signals.restore();
        version = (int) Calls.call(find(library, "fi_version"), 0);
        String refusal = refusal(version);
        if (refusal != null) {
            throw new FabricException(refusal, null);
        }
        getinfo = find(library, "fi_getinfo");
        freeinfo = find(library, "fi_freeinfo");
        dupinfo = find(library, "fi_dupinfo");
        fabric = find(library, "fi_fabric");
        strerror = find(library, "fi_strerror");
    }

    /** Why a version cannot be used; null if it can. */
    static String refusal(int version) {
        return version >= Abi.VERSION && version >>> 16 < MAJOR_AFTER ? null
                : FILE + " is libfabric " + text(version) + ", where 1.17 or later is needed, and 3 is not known:"
                        + " install another one (Debian package libfabric1), or choose --fabric=tcp";
    }

    @SuppressWarnings("restricted")
    private static SymbolLookup load(Arena arena, String file) {
        try {
            return SymbolLookup.libraryLookup(file, arena);
        } catch (IllegalArgumentException e) {
            throw new FabricException("there is no " + file
                    + " on this host: install libfabric 1.17 or later (Debian package libfabric1),"
                    + " or choose --fabric=tcp", e);
        }
    }

    private static MemorySegment find(SymbolLookup library, String name) {
        return library.find(name).orElseThrow(
                () -> new FabricException(FILE + " has no function " + name + ": it is not libfabric", null));
    }

    /**
     * Opens the library at the first call.
     *
     * @throws FabricException if it is absent or too old, with a sentence that says what to do
     */
    static synchronized Libfabric open() {
        if (opened == null) {
            opened = open(FILE);
        }
        return opened;
    }

    static Libfabric open(String file) {
        return new Libfabric(Arena.global(), file);
    }

    /** As {@code 1.17}. */
    String versionText() {
        return text(version);
    }

    private static String text(int version) {
        return (version >>> 16) + "." + (version & 0xFFFF);
    }

    /** What an error of the library means; its sign does not matter. */
    String text(long error) {
        String text = Raw.text(Calls.call(strerror, Math.abs((int) error)));
        return text == null ? "error " + (int) error : text;
    }

    /** Attributes without any wish. To be given back by {@link #free}. */
    long newHints() {
        long hints = Calls.call(dupinfo, 0);
        if (hints == 0) {
            throw new FabricException("libfabric has no memory for its attributes", null);
        }
        return hints;
    }

    /** A copy of a text which {@link #free} of the attributes that hold it frees too. */
    long ownedText(String text) {
        try (Arena arena = Arena.ofConfined()) {
            return Calls.call(strdup, Raw.allocate(arena, text));
        }
    }

    /**
     * Asks all providers for what the hints wish.
     *
     * @param node an address of this host, or null
     * @param out where the first of a list of attributes is stored, for {@link #free}
     * @return 0, or an error
     */
    int getInfo(String node, long hints, long out) {
        try (Arena arena = Arena.ofConfined()) {
            long flags = node == null ? 0 : Abi.FI_SOURCE;
            int error = (int) Calls.call(getinfo, Abi.VERSION, Raw.allocate(arena, node), 0, flags, hints, out);
            signals.restore();
            return error;
        }
    }

    /** A copy of one entry of a list, which outlives the list. */
    long copy(long info) {
        return Calls.call(dupinfo, info);
    }

    void free(long info) {
        Calls.call(freeinfo, info);
    }

    int openFabric(long attributes, long out) {
        return (int) Calls.call(fabric, attributes, out, 0);
    }

    /** To be called after everything that may have replaced signal handlers. */
    Signals signals() {
        return signals;
    }
}
