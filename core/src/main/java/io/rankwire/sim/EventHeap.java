package io.rankwire.sim;

import static io.rankwire.sim.EventBins.ACTORS;
import static io.rankwire.sim.EventBins.FIRST;
import static io.rankwire.sim.EventBins.NUMBER;
import static io.rankwire.sim.EventBins.SECOND;
import static io.rankwire.sim.EventBins.TIME;
import static io.rankwire.sim.EventBins.WORDS;

import java.util.Arrays;

/** Events of which the first is at hand; four children a node. */
final class EventHeap {
    /** The first event lies in front. */
    long[] words = new long[64 * WORDS];
    private int end;

    boolean isEmpty() {
        return end == 0;
    }

    int size() {
        return end / WORDS;
    }

    /** The time of the first event. */
    long time() {
        return words[TIME];
    }

    void add(long time, long actors, long number, long first, long second) {
        if (end == words.length) {
            words = Arrays.copyOf(words, Math.multiplyExact(2, end));
        }
        long[] words = this.words;
        int hole = end;
        end += WORDS;
        words[hole + TIME] = time;
        words[hole + ACTORS] = actors;
        words[hole + NUMBER] = number;
        while (hole > 0) {
            int parent = (hole / WORDS - 1 >> 2) * WORDS;
            if (!(time < words[parent + TIME] || time == words[parent + TIME]
                    && beforeAtOnce(actors, number, words, parent))) {
                break;
            }
            System.arraycopy(words, parent, words, hole, WORDS);
            hole = parent;
        }
        words[hole + TIME] = time;
        words[hole + ACTORS] = actors;
        words[hole + NUMBER] = number;
        words[hole + FIRST] = first;
        words[hole + SECOND] = second;
    }

    private static boolean beforeAtOnce(long actors, long number, long[] words, int other) {
        return actors != words[other + ACTORS] ? actors < words[other + ACTORS]
                : (int) (number >>> 8) - (int) (words[other + NUMBER] >>> 8) < 0;
    }

    /** Removes the first event. */
    void drop() {
        long[] words = this.words;
        int last = end - WORDS;
        end = last;
        int hole = 0;
        while (true) {
            int child = 4 * hole + WORDS;
            if (child >= last) {
                break;
            }
            int least = child;
            int limit = Math.min(child + 4 * WORDS, last);
            for (int other = child + WORDS; other < limit; other += WORDS) {
                if (EventBins.order(words, other, words, least) < 0) {
                    least = other;
                }
            }
            if (EventBins.order(words, least, words, last) >= 0) {
                break;
            }
            System.arraycopy(words, least, words, hole, WORDS);
            hole = least;
        }
        System.arraycopy(words, last, words, hole, WORDS);
    }
}
