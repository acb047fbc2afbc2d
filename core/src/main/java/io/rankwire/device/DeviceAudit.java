package io.rankwire.device;

import io.rankwire.device.match.Matching;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks the state of a device without changing it. For the simulator and tests. */
public final class DeviceAudit {
    private DeviceAudit() {}

    public static int posted(Device device, int context) {
        return device.queues().get(context).posted();
    }

    public static int unexpected(Device device, int context) {
        return device.queues().get(context).unexpected();
    }

    /** Receives of a context that wait, in the order they were posted. */
    public static List<Operation> postedInOrder(Device device, int context) {
        List<Operation> found = new ArrayList<>();
        device.queues().get(context).forEachPosted(handle -> found.add(device.operations().at(handle)));
        return found;
    }

    /** Messages of a context that wait, in the order they came. */
    public static List<Unexpected> unexpectedInOrder(Device device, int context) {
        List<Unexpected> found = new ArrayList<>();
        Matching queue = device.queues().get(context);
        for (int e = queue.firstUnexpected(); e >= 0; e = queue.nextUnexpected(e)) {
            found.add(device.probes().look(context, e));
        }
        return found;
    }

    /** Most bytes of unexpected messages that the device held at a time. */
    public static long unexpectedHighWater(Device device) {
        return device.payloads.highWater();
    }

    /** The structures of a device by themselves. */
    public static void structures(Device device) {
        device.headers.checkInvariants();
        device.payloads.checkInvariants();
        for (int context : device.contexts()) {
            device.queues().get(context).checkInvariants();
        }
    }

    /** Ids of the sends that a peer keeps and has offered; null if it keeps none for want of credit. */
    public static Set<Integer> offered(Device device, int from) {
        Holder holder = device.peers().get(from).holder;
        return holder == null ? null : Set.copyOf(holder.offers.keySet());
    }

    /** What is wrong with the credit that one device has at another, or null. */
    public static String credit(Device sender, Device receiver) {
        Peer used = sender.peers().get(receiver.self());
        Peer given = receiver.peers().get(sender.self());
        if (used.used > used.allowed || used.allowed > given.granted || given.returned > used.used) {
            return "rank " + sender.self() + " has used " + used.used + " units of credit of " + used.allowed
                    + " at rank " + receiver.self() + ", which has granted " + given.granted + " and got back "
                    + given.returned;
        }
        return null;
    }

    /** What is wrong with the credit between two devices when nothing is under way, or null. */
    public static String creditAtRest(Device sender, Device receiver) {
        long used = sender.peers().get(receiver.self()).used;
        long returned = receiver.peers().get(sender.self()).returned;
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

    /** Describes what a device still holds; null if it holds no more than this number of operations. */
    public static String left(Device device, int operations) {
        if (device.operations().inUse() != operations) {
            return device.operations().inUse() + " operations, not " + operations;
        }
        if (device.headers.inUse() != 0) {
            return device.headers.inUse() + " headers";
        }
        if (device.payloads.bytesHeld() != 0) {
            return device.payloads.bytesHeld() + " bytes of payload";
        }
        if (device.bufferedHeld() != 0) {
            return device.bufferedHeld() + " bytes of buffered sends";
        }
        return null;
    }
}
