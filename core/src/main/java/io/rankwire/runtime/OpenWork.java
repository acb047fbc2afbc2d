package io.rankwire.runtime;

import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.device.Unexpected;
import io.rankwire.device.work.HeldQueue;
import io.rankwire.launch.Board;
import io.rankwire.runtime.collective.CallLog;
import io.rankwire.trace.Trace;
import io.rankwire.type.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Describes what is under way at a rank: receives, messages that no call has received, sends, calls and programs. */
record OpenWork(Session session) implements Board.Caller {
    @Override
    public int calls() {
        return (int) session.host().counts.calls;
    }

    @Override
    public void counters(long[] into) {
        Trace.look();
        session.count(into);
    }

    @Override
    public String queues() {
        String text = session.host().visits.between(this::describe);
        return text == null ? "  makes calls all the time, and nothing could be read in between\n" : text;
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        List<String> posted = new ArrayList<>();
        session.host().device.forEachPosted(receive -> {
            if (receive.context() >= 0) {
                posted.add(describe(receive, "receive") + ", room for " + receive.bytes() + " bytes" + receive.line());
            }
        });
        add(text, "posted receives, in the order in which they match", posted);
        List<String> messages = new ArrayList<>();
        for (int context : session.host().device.contexts()) {
            if (context >= 0) {
                messages.addAll(unexpected(context));
            }
        }
        add(text, "messages that no call has received", messages);
        add(text, "sends under way",
                operations(one -> !one.isDone() && !one.isReceive() && one.peer() != Endpoint.NONE));
        add(text, "receives under way, which have met their message",
                operations(one -> !one.isDone() && one.isReceive() && one.peer() != Endpoint.NONE && isMet(one)));
        add(text, "collective calls and work programs under way",
                operations(one -> !one.isDone() && one.peer() == Endpoint.NONE));
        add(text, "requests that are done and not awaited", operations(one -> one.isDone() && one.context() >= 0));
        return text.toString();
    }

    private static void add(StringBuilder text, String what, List<String> lines) {
        if (!lines.isEmpty()) {
            text.append("  ").append(what).append(" (").append(lines.size()).append("):\n");
            lines.forEach(line -> text.append("    ").append(line).append('\n'));
        }
    }

    /** A receive that is no longer in a queue and not done. */
    private boolean isMet(Operation receive) {
        boolean[] queued = new boolean[1];
        session.host().device.forEachPosted(one -> queued[0] |= one == receive);
        return !queued[0];
    }

    private List<String> operations(Predicate<Operation> which) {
        List<String> lines = new ArrayList<>();
        Device device = session.host().device;
        device.forEachOperation(operation -> {
            if (which.test(operation) && (operation.context() >= 0 || operation.peer() == Endpoint.NONE)) {
                lines.add(describe(operation, operation.isReceive() ? "receive" : "send")
                        + (operation.peer() == Endpoint.NONE ? "" : ", " + operation.bytes() + " bytes")
                        + operation.line() + held(operation));
            }
        });
        return lines;
    }

    /** If the operation is the run of a user's work program: what each of its queues waits for, in lines. */
    private String held(Operation operation) {
        if (operation.peer() != Endpoint.NONE || (operation.tag() & CallLog.TAG_MARK) != 0) {
            return "";
        }
        return session.host().device.programs().stream().filter(program -> program.isRun(operation))
                .flatMap(program -> HeldQueue.of(program).stream()).map(one -> "\n      " + describe(one))
                .collect(Collectors.joining());
    }

    private static String describe(HeldQueue one) {
        return "entry " + one.entry() + " of queue " + one.queue() + switch (one.by()) {
            case COUNTER -> " waits for counter " + one.counter() + " to reach " + one.value() + "; it is " + one.now();
            case OTHER_COUNTER -> " waits for counter " + one.counter() + " of another program to reach " + one.value()
                    + "; it is " + one.now();
            case COMPLETIONS -> " waits for a completion queue; " + one.now() + " of " + one.value()
                    + " requests are done";
            case DISABLED -> " is not enabled";
            case ITSELF -> " is under way";
        };
    }

    /** The messages of a context that no call has received; the caller has the lock. */
    List<String> unexpected(int context) {
        Device device = session.host().device;
        List<String> lines = new ArrayList<>();
        for (int e = device.probes().first(context); e >= 0; e = device.probes().next(context, e)) {
            lines.add(describe(device.probes().look(context, e)));
        }
        return lines;
    }

    String describe(Unexpected message) {
        Endpoint on = session.contexts().of(message.context());
        String ofWindow = on == null ? null : on.unheard(message.tag());
        return ofWindow != null ? ofWindow + "rank " + on.rankOf(message.source()) + ", on " + on.name()
                : "from rank " + message.source() + ", tag " + message.tag() + ", " + message.bytes() + " bytes of "
                        + ElementType.of(message.elementType()) + ", on "
                        + (on == null ? "a communicator this rank never made" : on.name());
    }

    String describe(Operation operation) {
        return describe(operation, operation.isReceive() ? "irecv"
                : operation.mode() == Operation.Mode.SYNCHRONOUS ? "issend" : "isend");
    }

    private String describe(Operation operation, String call) {
        Endpoint on = session.contexts().of(operation.context());
        if (operation.peer() == Endpoint.NONE && on != null) {
            boolean isCall = (operation.tag() & CallLog.TAG_MARK) != 0;
            return on.collectives().nameOf(operation.tag(),
                    isCall ? "i" + CallLog.kindOf(operation.tag()) : "work program") + ", on " + on.name();
        }
        return on == null ? call : OperationWait.about(operation, call, on);
    }
}
