package io.rankwire.sim.share;

import java.util.Arrays;

/** Headers of receives or of messages, searched in order. */
final class HeaderList {
    private int[] sources = new int[8];
    private int[] tags = new int[8];
    private int[] ids = new int[8];
    private int size;

    void add(int source, int tag, int id) {
        if (size == ids.length) {
            sources = Arrays.copyOf(sources, 2 * size);
            tags = Arrays.copyOf(tags, 2 * size);
            ids = Arrays.copyOf(ids, 2 * size);
        }
        sources[size] = source;
        tags[size] = tag;
        ids[size++] = id;
    }

    /** The first place from one on that fits; a negative field on either side fits all. Or the size. */
    int find(int from, int source, int tag) {
        int place = from;
        while (place < size && !(fits(sources[place], source) && fits(tags[place], tag))) {
            place++;
        }
        return place;
    }

    private static boolean fits(int one, int other) {
        return one == other || one < 0 || other < 0;
    }

    int id(int place) {
        return ids[place];
    }

    int size() {
        return size;
    }

    void remove(int place) {
        int behind = size - place - 1;
        System.arraycopy(sources, place + 1, sources, place, behind);
        System.arraycopy(tags, place + 1, tags, place, behind);
        System.arraycopy(ids, place + 1, ids, place, behind);
        size--;
    }
}
