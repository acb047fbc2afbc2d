package io.rankwire.tools.bench;

/**
 * One measurement inside a run: message size, queue depth, turns before the clock runs and while it does. Without any
 * of the latter it only warms up.
 */
record Cell(int bytes, int depth, int warmup, int iterations) {
    static Cell parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 4) {
            throw new IllegalArgumentException("not a cell: " + text);
        }
        return new Cell(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                Integer.parseInt(parts[2]),
                Integer.parseInt(parts[3]));
    }

    /** As both programs read it. */
    @Override
    public String toString() {
        return bytes + ":" + depth + ":" + warmup + ":" + iterations;
    }
}
