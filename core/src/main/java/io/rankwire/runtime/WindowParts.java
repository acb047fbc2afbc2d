package io.rankwire.runtime;

import io.rankwire.device.Operation.Mode;
import io.rankwire.type.ElementType;
import java.util.Arrays;

/** What the ranks of a window have told each other of their parts. */
public final class WindowParts {
    /** No shared memory: the part is reached by frames. */
    public static final long NOT_SHARED = -1;

    private static final int BYTES = 0;
    private static final int UNIT = 1;
    private static final int TYPE = 2;
    private static final int SHARED = 3;
    private static final int OFFSET = 4;
    private static final int CONTROL = 5;
    private static final int KEY = 6;
    private static final int WORDS = 7;
    private static final int TAG = 0;

    private final long[] words;

    private WindowParts(long[] words) {
        this.words = words;
    }

    /** All ranks call it, each with its own part; the first hears all and tells all. */
    public static WindowParts agree(Endpoint on, long bytes, int unit, ElementType type, long shared, long offset,
            long control, int key) {
        PointToPoint messages = new PointToPoint(on);
        long[] mine = {bytes, unit, type.code(), shared, offset, control, key};
        long[] all = Arrays.copyOf(mine, WORDS * on.size());
        if (on.rank() == 0) {
            for (int rank = 1; rank < on.size(); rank++) {
                messages.receive(all, WORDS * rank, WORDS, rank, TAG);
            }
            for (int rank = 1; rank < on.size(); rank++) {
                messages.send(Mode.STANDARD, all, rank, TAG);
            }
        } else {
            messages.send(Mode.STANDARD, mine, 0, TAG);
            messages.receive(all, 0, TAG);
        }
        return new WindowParts(all);
    }

    public long bytes(int rank) {
        return words[WORDS * rank + BYTES];
    }

    public long unit(int rank) {
        return words[WORDS * rank + UNIT];
    }

    public ElementType type(int rank) {
        return ElementType.of((int) words[WORDS * rank + TYPE]);
    }

    public boolean isShared(int rank) {
        return sharedId(rank) != NOT_SHARED;
    }

    public long sharedId(int rank) {
        return words[WORDS * rank + SHARED];
    }

    public long sharedOffset(int rank) {
        return words[WORDS * rank + OFFSET];
    }

    public long controlId(int rank) {
        return words[WORDS * rank + CONTROL];
    }

    public int key(int rank) {
        return (int) words[WORDS * rank + KEY];
    }
}
