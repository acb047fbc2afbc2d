package io.rankwire.type;

/**
 * The element types of a datatype in the order of its type map, without their places: what two sides of a transfer
 * must have in common. Kept as a tree, so that a million alike take no room; the hash is that of the sequence, however
 * it was put together.
 *
 * @param only the type of all elements; null if they are of several, or none
 * @param hash equal for equal sequences
 * @param power the factor of the hash to the power of the number of elements
 */
public record Signature(
        ElementType only, Signature[] parts, long times, long elements, long bytes, long hash, long power) {
    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final int MOST_TOLD = 200;

    public static final Signature EMPTY = new Signature(null, new Signature[0], 1, 0, 0, 0, 1);

    public static Signature of(ElementType element) {
        return new Signature(element, new Signature[0], 1, 1, element.bytes(), element.code() + 1, FACTOR);
    }

    /** One after another. */
    public static Signature of(Signature... parts) {
        Signature all = EMPTY;
        boolean alike = true;
        ElementType element = null;
        for (Signature part : parts) {
            if (part.elements > 0) {
                alike &= part.only != null && (element == null || element == part.only);
                element = part.only;
                all = joined(all, part);
            }
        }
        if (all.elements == 0) {
            return EMPTY;
        }
        return new Signature(alike ? element : null, alike ? all.parts : parts, 1, all.elements, all.bytes, all.hash,
                all.power);
    }

    public Signature repeated(long count) {
        if (count == 1 || elements == 0) {
            return this;
        }
        Signature all = EMPTY;
        Signature doubled = this;
        for (long left = count; left > 0; left >>>= 1) {
            if ((left & 1) != 0) {
                all = joined(all, doubled);
            }
            doubled = joined(doubled, doubled);
        }
        if (all.elements == 0) {
            return EMPTY;
        }
        return only != null
                ? new Signature(only, parts, 1, all.elements, all.bytes, all.hash, all.power)
                : new Signature(null, new Signature[] {this}, count, all.elements, all.bytes, all.hash, all.power);
    }

    private static Signature joined(Signature a, Signature b) {
        return new Signature(null, EMPTY.parts, 1, a.elements + b.elements, a.bytes + b.bytes,
                a.hash * b.power + b.hash, a.power * b.power);
    }

    /** The type that messages carry: that of all elements, or mixed; raw if there are none, which meets every type. */
    public ElementType element() {
        return only != null ? only : elements == 0 ? ElementType.RAW : ElementType.MIXED;
    }

    public boolean matches(Signature other) {
        return elements == other.elements && bytes == other.bytes && hash == other.hash;
    }

    /** How many elements the first bytes of the packed stream hold; -1 if they end within one. */
    public long elementsIn(long packedBytes) {
        if (packedBytes == bytes) {
            return elements;
        }
        if (only != null) {
            return packedBytes % only.bytes() == 0 ? packedBytes / only.bytes() : -1;
        }
        long once = bytes / times;
        long count = packedBytes / once * (elements / times);
        long left = packedBytes % once;
        for (int i = 0; left > 0; i++) {
            long inPart = parts[i].elementsIn(Math.min(left, parts[i].bytes));
            if (inPart < 0) {
                return -1;
            }
            count += inPart;
            left -= Math.min(left, parts[i].bytes);
        }
        return count;
    }

    /** As {@code 3 int, 2 (byte, double)}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        describe(text);
        return text.length() > MOST_TOLD ? text.substring(0, MOST_TOLD) + " …" : text.toString();
    }

    private void describe(StringBuilder text) {
        if (elements == 0) {
            text.append("nothing");
        } else if (only != null) {
            text.append(elements == 1 ? "" : elements + " ").append(only);
        } else {
            text.append(times == 1 ? "" : times + " (");
            String between = "";
            for (int i = 0; i < parts.length && text.length() <= MOST_TOLD; i++) {
                if (parts[i].elements > 0) {
                    text.append(between);
                    parts[i].describe(text);
                    between = ", ";
                }
            }
            text.append(times == 1 ? "" : ")");
        }
    }
}
