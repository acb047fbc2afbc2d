package io.rankwire.sim.program;

import static io.rankwire.sim.fault.Violation.check;

import io.rankwire.Communicator;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceAudit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks the ranks of a program that goes on when some of them die. Each rank notes, under a name, every result that is
 * promised to be the same at all members; two ranks that note different results under one name are a violation, even if
 * one of them dies later.
 */
final class SurvivorAudit {
    private final Map<String, String> uniform = new HashMap<>();

    /** The name of a communicator: its members, who are never the same again after a repair with a death. */
    static String name(Communicator on, List<String> before) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < on.size(); i++) {
            text.append(i == 0 ? "" : " ").append(on.group().worldRank(i));
        }
        String members = text.toString();
        long earlier = before.stream().filter(each -> each.startsWith(members + "#")).count();
        return members + "#" + earlier;
    }

    /** What is to be the same at all ranks that get there. */
    void same(String what, Object value) {
        String text = String.valueOf(value);
        String other = uniform.putIfAbsent(what, text);
        check(other == null || other.equals(text), what + ": " + text + " at one rank, and " + other + " at another");
    }

    /** Nothing is left at a rank whose program is done but its communicators. */
    void atEnd(int rank, Device device) {
        List<String> left = new ArrayList<>();
        device.forEachOperation(operation -> left.add("an operation of context " + operation.context() + " with rank "
                + operation.peer() + ", tag " + operation.tag()));
        for (int context : device.contexts()) {
            int unexpected = DeviceAudit.unexpected(device, context);
            // Messages stay of communicators that this rank has no part in, since its call that makes them has failed.
            if (unexpected > 0 && device.agreements().isKnown(context & Integer.MAX_VALUE)) {
                left.add(unexpected + " messages of context " + context);
            }
        }
        if (device.agreements().undecided() > 0) {
            left.add(device.agreements().undecided() + " agreements");
        }
        DeviceAudit.structures(device);
        check(left.isEmpty(), "rank " + rank + " has left " + left);
    }
}
