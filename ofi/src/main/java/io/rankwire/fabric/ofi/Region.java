package io.rankwire.fabric.ofi;

/** Memory that the provider knows. */
final class Region {
    private final Fid fid;
    /** What is added to offsets in the memory where peers name it: its address, or nothing. */
    final long base;
    final long desc;
    final long key;

    Region(Fid fid, long base) {
        this.fid = fid;
        this.base = base;
        this.desc = Raw.word(fid.address + Abi.MR_DESC);
        this.key = Raw.word(fid.address + Abi.MR_KEY);
    }

    int close() {
        return fid.close();
    }
}
