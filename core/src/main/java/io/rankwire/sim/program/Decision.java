package io.rankwire.sim.program;

import java.util.List;
import java.util.TreeSet;

/**
 * Which message met a receive (or which of several, that a rank waits for, came first), and which others could have:
 * those that were there, and those of senders that had none there but have sent one since, without needing to know how
 * this was decided. A number below {@link #count} is one of the first, and any other is {@link #count} and the rank of
 * one of the second.
 */
final class Decision {
    final int rank;
    final int choice;
    private final List<Wish> wishes;
    private final List<KeptMessages.Arrival> options;
    private final TreeSet<Integer> others = new TreeSet<>();
    private boolean isOpen;

    Decision(int rank, List<KeptMessages.Arrival> options, int choice) {
        this.rank = rank;
        this.wishes = options.stream().map(KeptMessages.Arrival::met).distinct().toList();
        this.options = options;
        this.choice = choice;
        this.isOpen = choice >= options.size();
    }

    /** The number of options there were. */
    int count() {
        return options.size();
    }

    /** What was chosen of those that were there; null if it was not there. */
    KeptMessages.Arrival chosen() {
        return choice < options.size() ? options.get(choice) : null;
    }

    /** Whether it waits for a message that has yet to be sent. */
    boolean isOpen() {
        return isOpen;
    }

    void close() {
        isOpen = false;
    }

    /** Whether this decides what meets the wish. */
    boolean isAbout(Wish wish) {
        return wishes.contains(wish);
    }

    /** Whether a message is the one it waits for. */
    boolean awaits(KeptMessages.Arrival arrival) {
        return arrival.message().from == choice - options.size() && isAbout(arrival.met())
                && !wasThere(arrival.message());
    }

    private boolean wasThere(KeptMessage message) {
        for (KeptMessages.Arrival option : options) {
            if (option.message().from == message.from && message.isTakenBy(option.met())) {
                return true;
            }
        }
        return false;
    }

    /** A message has been sent since, not in consequence of this. */
    void sees(KeptMessage message) {
        if (!wasThere(message) && wishes.stream().anyMatch(message::isTakenBy)) {
            others.add(options.size() + message.from);
        }
    }

    /** The numbers of those that came later. */
    TreeSet<Integer> others() {
        return others;
    }
}
