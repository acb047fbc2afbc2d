package io.rankwire.device.match;

/**
 * How the queue of a context is expected to be used, for {@code Device.hint}.
 *
 * @param receives headers that are set aside for its posted receives
 * @param messages headers that are set aside for its unexpected messages
 * @param by what picks the queue of a header, if there are several
 * @param queues over which its headers are spread; 1 for a single queue
 */
public record QueueHints(int receives, int messages, By by, int queues) {
    /** Nothing is set aside, and nothing is spread. */
    public static final QueueHints NONE = new QueueHints(0, 0, By.SOURCE, 1);

    /** Most headers that can be set aside for one list. */
    public static final int MOST_HEADERS = 1 << 20;
    /** Most queues of one context. */
    public static final int MOST_QUEUES = 1024;

    /** The field of a match word that picks one of several queues. */
    public enum By { SOURCE, TAG }

    public boolean isSpread() {
        return queues > 1;
    }

    /** Whether these are like {@link #NONE}. Each rank asks this early, and a record's equals is made when it runs. */
    public boolean areNone() {
        return receives == 0 && messages == 0 && by == By.SOURCE && queues == 1;
    }
}
