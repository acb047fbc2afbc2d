package io.rankwire.device.flow;

/**
 * The single decisions that reliability hangs on, each in a place of its own, so that tests can get one of them wrong
 * and see that it is noticed. Outside of tests there is no other class of this kind, and calls cost nothing.
 */
class FlowRules {
    boolean isIntact(int sum, int found) {
        return sum == found;
    }

    /** Streams of a sender only go up: an older one is over. */
    boolean isOver(long stream, long current) {
        return stream < current;
    }

    /** Whether the first frame of a stream of which nothing is known may be believed without a question. */
    boolean mayBelieve() {
        return false;
    }

    boolean fits(int token, int asked) {
        return token == asked;
    }

    boolean isRepeated(int sequence, int wanted) {
        return sequence < wanted;
    }

    /** What is acknowledged of a stream: all before. */
    int acknowledged(int wanted) {
        return wanted;
    }

    boolean isAcknowledged(int sequence, int wanted) {
        return sequence < wanted;
    }

    /** Whether a repeated frame is answered again: its acknowledgement may be what was lost. */
    boolean answersRepeated() {
        return true;
    }

    int nextStream(int last) {
        return last + 1;
    }

    /** A receiver that has seen the next stream forgets this one. */
    boolean mayMoveOn(int underWay) {
        return underWay == 0;
    }

    boolean isDead(int tries, int most) {
        return tries > most;
    }

    /** A peer that refuses is alive. */
    int triesAfterRefusal(int tries) {
        return 0;
    }

    boolean hasRestarted(int incarnation, int known) {
        return incarnation > known;
    }

    /** Whether a frame that was repeated once may be repeated again. */
    boolean repeats(int tries) {
        return true;
    }

    boolean releasesWhenAcknowledged() {
        return true;
    }
}
