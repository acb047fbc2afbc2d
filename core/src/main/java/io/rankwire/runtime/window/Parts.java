package io.rankwire.runtime.window;

import io.rankwire.device.Operation.Mode;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.PointToPoint;
import io.rankwire.type.ElementType;
import java.util.Arrays;

/** The part of each rank: its size, type and unit, and how others reach it. */
final class Parts {
    /** No shared memory: the part is reached by frames. */
    static final long NOT_SHARED = -1;

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
    private final ElementType[] types;

    private Parts(long[] words) {
        this.words = words;
        this.types = new ElementType[words.length / WORDS];
        Arrays.setAll(types, rank -> ElementType.of((int) words[WORDS * rank + TYPE]));
    }

    /** All ranks call it, each with its own part; rank 0 collects all and sends them to all. */
    static Parts agree(Endpoint on, long bytes, int unit, ElementType type, long shared, long offset,
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
        return new Parts(all);
    }

    long bytes(int rank) {
        return words[WORDS * rank + BYTES];
    }

    long unit(int rank) {
        return words[WORDS * rank + UNIT];
    }

    ElementType type(int rank) {
        return types[rank];
    }

    boolean isShared(int rank) {
        return sharedId(rank) != NOT_SHARED;
    }

    long sharedId(int rank) {
        return words[WORDS * rank + SHARED];
    }

    long sharedOffset(int rank) {
        return words[WORDS * rank + OFFSET];
    }

    long controlId(int rank) {
        return words[WORDS * rank + CONTROL];
    }

    int key(int rank) {
        return (int) words[WORDS * rank + KEY];
    }
}
