package io.rankwire.device.transfer;

/**
 * The bytes of a transfer that have not been moved yet. Early pushes claim from the front, puts to a known buffer from
 * the back; where the two meet the transfer ends, and no byte was claimed twice.
 */
final class Span {
    /** Chunks start at multiples of this, so that none cuts an element in two. */
    static final int GRAIN = 64;

    private long front;
    private long back;

    void open(long bytes) {
        front = 0;
        back = bytes;
    }

    /** Shortens the span to the bytes that the receiver wants. */
    void cut(long bytes) {
        back = Math.max(front, Math.min(back, bytes));
    }

    long left() {
        return back - front;
    }

    /** Bytes claimed from the front so far. */
    long front() {
        return front;
    }

    /** Claims bytes from the front, at least {@link #GRAIN} of them; they end at {@link #front} then. */
    int claimFront(long most) {
        int bytes = nextFront(most);
        front += bytes;
        return bytes;
    }

    /** What {@link #claimFront} would claim. */
    int nextFront(long most) {
        long left = back - front;
        return (int) (left <= most ? left : most & -GRAIN);
    }

    /** Claims bytes from the back, at least {@link #GRAIN} of them; they start at {@link #back} then. */
    int claimBack(long most) {
        long from = Math.max(front, back - most + GRAIN - 1 & -GRAIN);
        int bytes = (int) (back - from);
        back = from;
        return bytes;
    }

    long back() {
        return back;
    }
}
