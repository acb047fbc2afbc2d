package io.rankwire.device;

import java.util.Arrays;

/**
 * A large message whose sender pushes parts of it ahead of the answer. While there is no receive the parts wait in the
 * unexpected buffer. They come in order and without gaps, so a length tells where each belongs.
 */
final class EarlyArrival {
    /** The receive it has met, or null. */
    Operation operation;
    int count;
    int[] references = new int[4];
    int[] lengths = new int[4];

    void add(int reference, int length) {
        if (count == references.length) {
            references = Arrays.copyOf(references, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        references[count] = reference;
        lengths[count++] = length;
    }
}
