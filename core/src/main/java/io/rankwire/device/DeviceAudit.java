package io.rankwire.device;

import io.rankwire.device.match.Matching;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Looks into a device whether it fits together. For the simulator; nothing here changes anything. */
public final class DeviceAudit {
    private DeviceAudit() {}

    public static int posted(Device device, int context) {
        return device.queue(context).posted();
    }

    public static int unexpected(Device device, int context) {
        return device.queue(context).unexpected();
    }

    /** Receives of a context that wait, in the order they were posted. */
    public static List<Operation> postedInOrder(Device device, int context) {
        List<Operation> found = new ArrayList<>();
        device.queue(context).forEachPosted(handle -> found.add(device.operation(handle)));
        return found;
    }

    /** Messages of a context that wait, in the order they came. */
    public static List<Unexpected> unexpectedInOrder(Device device, int context) {
        List<Unexpected> found = new ArrayList<>();
        Matching queue = device.queue(context);
        for (int e = queue.firstUnexpected(); e >= 0; e = queue.nextUnexpected(e)) {
            found.add(device.look(context, e));
        }
        return found;
    }

    /** Whether the message that a peer is sending in pieces has met its receive with the first of them. */
    public static boolean isMetInPieces(Device device, int from) {
        return device.peer(from).pieces.operation != null;
    }

    /** The structures of a device by themselves. */
    public static void structures(Device device) {
        device.headers().checkInvariants();
        device.payloads().checkInvariants();
        for (int context : device.contexts()) {
            device.queue(context).checkInvariants();
        }
    }

    /** Ids of the sends that a peer keeps and has offered; null if it keeps none for want of credit. */
    public static Set<Integer> offered(Device device, int from) {
        Holder holder = device.peer(from).holder;
        return holder == null ? null : Set.copyOf(holder.offers.keySet());
    }

    /** What is wrong with the credit that one device has at another, or null. */
    public static String credit(Device sender, Device receiver) {
        Peer there = sender.peer(receiver.self());
        Peer here = receiver.peer(sender.self());
        if (there.used > there.allowed || there.allowed > here.told || here.returned > there.used) {
            return "rank " + sender.self() + " has used " + there.used + " units of credit of " + there.allowed
                    + " at rank " + receiver.self() + ", which has told " + here.told + " and got back "
                    + here.returned;
        }
        return null;
    }

    /** What is wrong with the credit between two devices when nothing is under way, or null. */
    public static String creditAtRest(Device sender, Device receiver) {
        long used = sender.peer(receiver.self()).used;
        long returned = receiver.peer(sender.self()).returned;
        return used == returned ? null : "rank " + sender.self() + " has used " + used + " units of credit at rank "
                + receiver.self() + ", which has given back " + returned;
    }

    /** What still waits for a peer that is lost, or null; receives from any rank do not. */
    public static String waitingFor(Device device, int peer) {
        List<Operation> posted = new ArrayList<>();
        for (int context : device.contexts()) {
            posted.addAll(postedInOrder(device, context));
        }
        List<String> found = new ArrayList<>();
        device.forEachOperation(operation -> {
            boolean matched = operation.receive && !posted.contains(operation) && operation.source() == peer;
            if (operation.active() && (operation.peer == peer && !operation.isDone() || matched)) {
                found.add((operation.receive ? "a receive" : "a send") + " in context " + operation.context);
            }
        });
        return found.isEmpty() ? null : "rank " + device.self() + " has lost rank " + peer
                + ", for which still waits: " + String.join(", ", found);
    }

    public static int operations(Device device) {
        return device.operations().inUse();
    }

    /** What a device still holds, in words; null if that is nothing but so many operations. */
    public static String left(Device device, int operations) {
        if (device.operations().inUse() != operations) {
            return device.operations().inUse() + " operations, not " + operations;
        }
        if (device.headers().inUse() != 0) {
            return device.headers().inUse() + " headers";
        }
        if (device.payloads().bytesHeld() != 0) {
            return device.payloads().bytesHeld() + " bytes of payload";
        }
        if (device.bufferedHeld() != 0) {
            return device.bufferedHeld() + " bytes of buffered sends";
        }
        return null;
    }
}
