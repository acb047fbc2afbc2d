package io.rankwire.sim.schedule;

import io.rankwire.collective.Schedule;
import io.rankwire.collective.Step;
import java.util.List;

/** A schedule in columns, with bytes for units: what remains of it when nothing but its course counts. */
final class Steps {
    static final byte SEND = 0;
    static final byte RECEIVE = 1;
    static final byte RECEIVE_COMBINE = 2;
    static final byte WAIT = 3;
    /** A copy or a combination. */
    static final byte LOCAL = 4;

    final byte[] kinds;
    final int[] ids;
    final int[] peers;
    final long[] bytes;
    final int transfers;

    Steps(Schedule schedule, long unitBytes) {
        List<Step> steps = schedule.steps();
        int size = steps.size();
        kinds = new byte[size];
        ids = new int[size];
        peers = new int[size];
        bytes = new long[size];
        transfers = schedule.transfers();
        for (int i = 0; i < size; i++) {
            Step step = steps.get(i);
            kinds[i] = switch (step.kind()) {
                case SEND -> SEND;
                case RECEIVE -> RECEIVE;
                case RECEIVE_COMBINE -> RECEIVE_COMBINE;
                case WAIT -> WAIT;
                case COMBINE, COPY -> LOCAL;
                case PIPE -> throw new IllegalArgumentException("no pattern has a pipe: " + step);
                case TREE -> throw new IllegalArgumentException("no message: " + step);
            };
            ids[i] = step.id();
            peers[i] = step.peer();
            bytes[i] = step.target() == null ? 0 : Math.multiplyExact(step.target().units(), unitBytes);
        }
    }
}
