package io.rankwire.sim.program;

import io.rankwire.launch.VirtualTime;
import io.rankwire.sim.SimFabric;
import io.rankwire.wire.Frame;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Messages of the program that are kept back, each sender's in order. Frames of the library's own calls pass them, and
 * so may a message that is handed over pass one before it that its receive does not take: to the program it is as if
 * that one had lain there unexpected.
 */
final class KeptMessages {
    /** A message that would meet a wish if it were handed over now: the place of the first of some that takes it. */
    record Arrival(KeptMessage message, Wish met, int place) {}

    private final SimFabric fabric;
    private final TreeMap<Integer, TreeMap<Integer, List<KeptMessage>>> byReceiver = new TreeMap<>();
    private int count;

    KeptMessages(SimFabric fabric) {
        this.fabric = fabric;
    }

    int count() {
        return count;
    }

    /** The ranks that have a message kept back for them. */
    List<Integer> receivers() {
        return List.copyOf(byReceiver.keySet());
    }

    /** The message that begins with this frame, which is kept from now on; null if it is not a message's first. */
    KeptMessage begin(int frame, int from, int to, int meta, long header, BitSet causes) {
        int kind = Frame.kind(meta);
        boolean isNamed = kind == Frame.EAGER_SYNC || kind == Frame.REQUEST_TO_SEND;
        boolean isDatagram = kind == Frame.DATAGRAM;
        boolean isMessage = isNamed || kind == Frame.EAGER || kind == Frame.READY;
        if (!isDatagram && !(isMessage && Frame.high(header) >= 0)) {
            return null;
        }
        KeptMessage message = isDatagram
                ? new KeptMessage(from, to, VirtualTime.DATAGRAMS, Frame.high(header), -1, true, causes)
                : new KeptMessage(from, to, Frame.high(header), Frame.low(header),
                        isNamed ? fabric.firstWord(frame) : -1, isNamed, causes);
        message.frames.add(frame);
        count++;
        line(from, to).add(message);
        return message;
    }

    /** Whether a frame that is no message's first belongs to one that is kept, and so is kept too. */
    boolean follows(int frame, int from, int to, int meta, long header) {
        KeptMessage message = switch (Frame.kind(meta)) {
            case Frame.EARLY -> named(from, to, Frame.high(header));
            case Frame.CANCEL -> named(from, to, fabric.firstWord(frame));
            default -> null;
        };
        if (message == null) {
            return false;
        }
        message.isWithdrawn |= Frame.kind(meta) == Frame.CANCEL;
        message.frames.add(frame);
        return true;
    }

    private KeptMessage named(int from, int to, long id) {
        TreeMap<Integer, List<KeptMessage>> toIt = byReceiver.get(to);
        if (toIt != null) {
            for (KeptMessage message : toIt.getOrDefault(from, List.of())) {
                if (message.id == id) {
                    return message;
                }
            }
        }
        return null;
    }

    private List<KeptMessage> line(int from, int to) {
        return byReceiver.computeIfAbsent(to, r -> new TreeMap<>()).computeIfAbsent(from, s -> new ArrayList<>());
    }

    /**
     * The messages that could be handed over to a rank now: no receive before takes them, and no message before of
     * the same sender could meet the same.
     *
     * @param wishes what the rank has posted, in order, and waits for
     * @param worth which of them are to be met
     */
    List<Arrival> arrivals(int to, List<Wish> wishes, Predicate<Wish> worth) {
        List<Arrival> arrivals = new ArrayList<>();
        for (List<KeptMessage> line : byReceiver.getOrDefault(to, new TreeMap<>()).values()) {
            for (int i = 0; i < line.size(); i++) {
                int place = first(wishes, line.get(i));
                if (place >= 0 && worth.test(wishes.get(place)) && !takesOneOf(wishes.get(place), line, i)) {
                    arrivals.add(new Arrival(line.get(i), wishes.get(place), place));
                }
            }
        }
        return arrivals;
    }

    private static int first(List<Wish> wishes, KeptMessage message) {
        for (int place = 0; place < wishes.size(); place++) {
            if (message.isTakenBy(wishes.get(place))) {
                return place;
            }
        }
        return -1;
    }

    private static boolean takesOneOf(Wish wish, List<KeptMessage> line, int before) {
        for (int i = 0; i < before; i++) {
            if (line.get(i).isTakenBy(wish)) {
                return true;
            }
        }
        return false;
    }

    /** Hands a message over. */
    void deliver(KeptMessage message) {
        line(message.from, message.to).remove(message);
        if (line(message.from, message.to).isEmpty()) {
            byReceiver.get(message.to).remove(message.from);
        }
        if (byReceiver.get(message.to).isEmpty()) {
            byReceiver.remove(message.to);
        }
        count--;
        message.frames.forEach(fabric::deliver);
    }

    /** All that is kept, or all that its sender wants back if there is any such. */
    List<KeptMessage> leftOver() {
        List<KeptMessage> all = new ArrayList<>();
        byReceiver.values().forEach(toIt -> toIt.values().forEach(all::addAll));
        List<KeptMessage> withdrawn = all.stream().filter(message -> message.isWithdrawn).toList();
        return withdrawn.isEmpty() ? all : withdrawn;
    }

    /** Nothing of it will ever be handed over. */
    void drop() {
        byReceiver.clear();
        count = 0;
    }
}
