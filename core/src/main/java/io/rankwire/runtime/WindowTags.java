package io.rankwire.runtime;

/** Tags of the messages by which ranks of a window synchronise. */
public final class WindowTags {
    public static final int POST = 2;
    public static final int COMPLETE = 3;
    public static final int FENCE = 1;

    private WindowTags() {}
}
