package io.rankwire.device.work;

import io.rankwire.device.Device;
import io.rankwire.device.NetworkSends;
import java.util.ArrayList;
import java.util.List;

/** The programs that the network runs, as far as it can, and what is left there of those that have failed. */
final class Deferrals {
    private final WorkEngine engine;
    private final Device device;
    private final NetworkSends sends;
    private final List<WorkProgram> running = new ArrayList<>();
    private final List<Deferral> left = new ArrayList<>();

    Deferrals(WorkEngine engine, Device device) {
        this.engine = engine;
        this.device = device;
        this.sends = device.networkSends;
    }

    /** Gives a run to the network if the network can run all of it. */
    void begin(WorkProgram program) {
        String obstacle = sends.work().obstacle();
        if (obstacle == null && program.deferring.plan == null) {
            program.deferring.plan = new DeferralPlan(program);
        }
        obstacle = obstacle == null ? program.deferring.plan.obstacle() : obstacle;
        if (obstacle == null) {
            Deferral deferral = new Deferral(program, device, program.deferring.plan);
            obstacle = deferral.begin(engine);
            if (obstacle == null) {
                program.deferral = deferral;
                running.add(program);
            } else if (deferral.isLeft()) {
                left.add(deferral);
            }
        }
        program.deferring.obstacle = obstacle;
    }

    /** Programs that run, and what is left of others. */
    int count() {
        return running.size() + left.size();
    }

    /** Takes in what the network has done; wakes programs that may go on, or have to end. */
    void progress() {
        for (int i = 0; i < running.size(); i++) {
            WorkProgram program = running.get(i);
            if (program.deferral.pull() | program.deferral.isLost()) {
                program.wake();
            }
        }
        for (int i = left.size() - 1; i >= 0; i--) {
            if (!left.get(i).isLeft()) {
                left.remove(i);
            }
        }
    }

    /** An epoch of a window has ended. */
    void epochClosed() {
        for (int i = 0; i < running.size(); i++) {
            running.get(i).deferral.epochClosed();
        }
    }

    /** A run is over, in order or not. */
    void end(WorkProgram program) {
        Deferral deferral = program.deferral;
        program.deferral = null;
        running.remove(program);
        deferral.end(engine);
        if (deferral.isLeft()) {
            left.add(deferral);
        }
    }
}
