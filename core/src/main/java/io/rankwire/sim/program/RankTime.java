package io.rankwire.sim.program;

import io.rankwire.device.Device;
import io.rankwire.launch.Aborted;
import io.rankwire.launch.VirtualTime;
import io.rankwire.sim.Noise;
import io.rankwire.sim.SimPort;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The clock of one simulated rank, and its waiting. The clock is that of its processor: it may be ahead of the events
 * by work whose end no other rank could have seen. Its device works at the time of the events, when the model has it
 * work by itself.
 */
final class RankTime implements VirtualTime {
    enum State {
        READY,
        PAUSED,
        ASLEEP,
        ENDING,
        ENDED,
        /** Not started, or waiting for something to join. */
        SPARE,
        DEAD
    }

    private static final long PS_PER_NS = 1_000;
    /** No rank waits for the timer with this number. */
    private static final long NO_TIMER = -1;
    /** A clock is not called ahead for what only puts ranks in order. */
    private static final long TIE_PS = 1_000;

    /** Which of the jobs it belongs to, its rank there, and its place among the ranks of all jobs. */
    final int job;
    final int rank;
    final int place;
    State state = State.SPARE;
    /** Whether the rank has been asked to say what it waits for, and has not gone on since. */
    boolean asked;
    /** All ranks have ended their part, and nothing is on its way. */
    boolean allEnd;
    long doubted = -1;
    /** Before this it cannot go on, because it is slow. */
    long freeAt;

    private final Baton baton;
    private final SimPort port;
    /** When the layer between device and fabric has something to do, in nanoseconds; null without such a layer. */
    private final LongSupplier layer;
    private final HostModel host;
    private final Noise noise;
    private final boolean offload;
    /** What a nanosecond of real time is counted as; 0 for nothing. */
    private final double psPerNs;
    private final Thread thread;
    private boolean started;
    private Driven device;
    /** The number of its last timer, and whether that has gone off. */
    private long timer;
    private boolean due;
    /** The last time that was added for the device alone. */
    private long passedAt;
    /** When it looks after frames to be repeated, and after what crosses between device and software. */
    private long alarmAt = Long.MAX_VALUE;
    private boolean deferred;
    private boolean onCall;
    private long endPs = -1;
    /** When its part was over, and frames taken by then: afterwards it waits for the others, and for stale timers. */
    private long endingPs = -1;
    private long takenAtEnd;
    private Wake wake = Wake.LOOK;
    private boolean driving;
    /** Whether the device is driven while the processor is elsewhere. */
    private boolean beside;
    private boolean wakesByFrames;
    private boolean polled;
    private boolean looking;
    /** What it waits for or has looked for since something came, and looks since it looked for something new. */
    private final List<Wish> wishes = new ArrayList<>();
    private int looksAgain;
    private boolean named;
    /** The device has done something beside the program since the last pause; what is waited for may be there. */
    private boolean movedBeside;
    private long hostPs;
    /** When the device is done with what it combines. */
    private long devicePs;
    private long takenBefore;
    private long shownBefore;
    private long stampNs;

    RankTime(int place, Baton baton, SimPort port, LongSupplier layer, HostModel host, Noise noise, boolean offload,
            double computeFactor, Runnable body) {
        this.place = place;
        this.job = baton.fabric.placement().job(place);
        this.rank = port.self();
        this.baton = baton;
        this.port = port;
        this.layer = layer;
        this.host = host;
        this.noise = noise;
        this.offload = offload;
        this.psPerNs = computeFactor * PS_PER_NS;
        this.thread = Thread.ofVirtual().name("rank-" + rank).unstarted(() -> live(body));
        byProgram();
        if (psPerNs > 0) {
            port.workBefore(this::measuredPs);
        }
    }

    private void live(Runnable body) {
        baton.begin(this);
        stampNs = psPerNs > 0 ? System.nanoTime() : 0;
        try {
            body.run();
        } finally {
            end(State.ENDED);
            baton.leave();
        }
    }

    private void end(State how) {
        state = how;
        endPs = endingPs >= 0 ? endingPs : port.clockPs();
        baton.ends(this);
    }

    /** The rank, whose thread this is, ends in the middle of its program: nothing of it runs any more. */
    void stop(State how) {
        end(how);
        baton.leave();
        while (true) {
            LockSupport.park(this);
        }
    }

    /** Its thread never gets the baton again. */
    void die() {
        state = State.DEAD;
        endPs = baton.events.now();
    }

    /** Whether it was started, and has not ended. */
    boolean isThere() {
        return state == State.SPARE ? started : state != State.ENDED && state != State.DEAD;
    }

    /** Whether its thread has come to its end. */
    boolean hasEnded() {
        return state == State.ENDED;
    }

    /** Whether no rank has this place, or a spare that has joined nothing. */
    boolean isUnused() {
        return state == State.SPARE;
    }

    /** Whether it waits for something to join. */
    boolean isSpare() {
        return started && state == State.SPARE;
    }

    /** The launcher has something for it: true if it waits and goes on with that; else it looks before it waits. */
    boolean learns() {
        boolean isWaiting = state == State.PAUSED || state == State.ENDING;
        movedBeside |= !isWaiting;
        return isWaiting;
    }

    /** A rank that was not started, or waits for something to join, goes on; false if it has died. */
    boolean begins() {
        boolean isNeeded = state == State.SPARE;
        if (isNeeded) {
            baton.begins(this);
        }
        return isNeeded;
    }

    /** Waits until there is something to join. */
    void awaitPart() {
        baton.ends(this);
        wait(State.SPARE);
    }

    /** A rank whose clock has come to its death goes no further. */
    private void checkAlive() {
        if (baton.isDead(rank, port.clockPs())) {
            sleepTo(port.clockPs());
        }
    }

    /** Called by the thread that gives it the baton. */
    void wake() {
        if (started) {
            LockSupport.unpark(thread);
        } else {
            started = true;
            // An executor starts it: the JVM would keep a plainly started virtual thread reachable for ever.
            Executors.newThreadPerTaskExecutor(task -> thread).execute(() -> { });
        }
    }

    @Override
    public String toString() {
        return "rank " + rank + (baton.fabric.placement().jobs() == 1 ? "" : " of job " + (job + 1));
    }

    Thread thread() {
        return thread;
    }

    /** The rank is to go on. Others that go on at the same moment, before it, are a little ahead. */
    void picked(int ties) {
        if (ties > 0 && wake == Wake.LOOK) {
            port.spend(Math.min(ties, TIE_PS));
        }
    }

    /** Whether it looks for the same again and again, and nothing else. */
    boolean isLooking() {
        return state == State.ASLEEP && looking && looksAgain > wishes.size();
    }

    /** What a rank that waits, or looks again and again, could go on with. */
    List<Wish> wishes() {
        return wishes;
    }

    /** The device of a rank that has joined, for audits. */
    Device device() {
        return device.device();
    }

    /** The receives that are posted. */
    List<Wish> posted() {
        List<Wish> posted = new ArrayList<>();
        if (device != null) {
            device.posted((context, source, tag) -> posted.add(new Wish(context, source, tag)));
        }
        return posted;
    }

    /** Something has come for it. */
    void forget() {
        wishes.clear();
        looksAgain = 0;
    }

    private void looked(Wish what) {
        if (!baton.isOrdered()) {
            return;
        }
        if (wishes.contains(what)) {
            looksAgain++;
        } else {
            wishes.add(what);
            looksAgain = 0;
        }
    }

    boolean listens() {
        return state == State.PAUSED || state == State.ENDING || state == State.ASLEEP && wakesByFrames;
    }

    /** A timer has gone off; true if the rank waits for it. */
    boolean rings(long number) {
        if (number != timer) {
            return false;
        }
        due = true;
        return state == State.ASLEEP || state == State.PAUSED;
    }

    /** The alarm has gone off: true if there is something to look after now, and the device can do that. */
    boolean isAlarmed() {
        if (alarmAt > baton.events.now()) {
            return false;
        }
        alarmAt = Long.MAX_VALUE;
        long need = needNs();
        if (need == Long.MAX_VALUE || need * PS_PER_NS > baton.events.now()) {
            setAlarm();
            return false;
        }
        return listens();
    }

    /** When the layer, or a device that is divided from its software, has something to do. */
    private long needNs() {
        long need = layer == null ? Long.MAX_VALUE : layer.getAsLong();
        return device == null || !offload ? need : Math.max(0, Math.min(need, device.dueNs()));
    }

    private void setAlarm() {
        long need = needNs();
        if (need != Long.MAX_VALUE) {
            long at = Math.max(need * PS_PER_NS, baton.events.now() + PS_PER_NS);
            if (at < alarmAt) {
                alarmAt = at;
                baton.events.add(at, baton.fabric.actor(place), baton.fabric.actor(place), Baton.ALARM, 0, 0);
            }
        }
    }

    /** The rank cannot go on yet; false if an event that lets it go on is already pending. */
    boolean defer() {
        boolean before = deferred;
        deferred = true;
        return !before;
    }

    boolean resumes() {
        deferred = false;
        return state != State.DEAD;
    }

    /** Has the events come to a time at which the device has something to do, for a program that only looks. */
    private void passes(long at) {
        if (at > baton.events.now() && at != passedAt) {
            passedAt = at;
            baton.events.add(at, baton.fabric.actor(place), baton.fabric.actor(place), Baton.TIMER, NO_TIMER, 0);
        }
    }

    /** Whether it has something to look after at a time that is to come. */
    boolean hasAlarm() {
        return alarmAt != Long.MAX_VALUE;
    }

    private void setTimer(long at) {
        due = false;
        baton.events.add(at, baton.fabric.actor(place), baton.fabric.actor(place), Baton.TIMER, ++timer, 0);
    }

    /** How far the rank's time has come. */
    long timePs() {
        return endPs >= 0 ? endPs : state == State.SPARE ? 0 : port.clockPs();
    }

    void ask(boolean doubt) {
        wake = doubt ? Wake.DOUBT : Wake.TELL;
        asked = true;
        state = State.READY;
    }

    /** The program drives: frames cost its processor. */
    private void byProgram() {
        port.costs(host.sendPs(), offload ? 0 : host.receivePs(), true);
    }

    private long measuredPs() {
        if (psPerNs == 0 || driving) {
            return 0;
        }
        long before = stampNs;
        stampNs = System.nanoTime();
        return noise.end(rank, port.clockPs(), (long) ((stampNs - before) * psPerNs)) - port.clockPs();
    }

    @Override
    public void device(Driven driven) {
        device = driven;
    }

    @Override
    public Wishes waits() {
        forget();
        return (context, source, tag) -> wishes.add(new Wish(context, source, tag));
    }

    @Override
    public void looks(int context, int source, int tag) {
        if (baton.isOrdered()) {
            named = true;
            looked(new Wish(context, source, tag));
        }
    }

    @Override
    public long nowNs() {
        if (Thread.currentThread() != thread) {
            return port.clockPs() / PS_PER_NS;
        }
        checkAlive();
        port.pay();
        work(measuredPs());
        looked(Wish.OTHER);
        look(host.pollPs());
        return port.clockPs() / PS_PER_NS;
    }

    @Override
    public long readNs() {
        return port.clockPs() / PS_PER_NS;
    }

    @Override
    public long drive(boolean byCall) {
        if (byCall) {
            checkAborted();
            work(measuredPs());
            if (!named) {
                looked(Wish.OTHER);
            }
            named = false;
            look(polled ? host.pollPs() : 0);
        }
        onCall = byCall;
        driving = true;
        port.host(!beside, port.clockPs(), host.sendPs());
        takenBefore = port.taken();
        shownBefore = port.shown();
        if (!offload) {
            return port.clockPs() / PS_PER_NS;
        }
        hostPs = port.clockPs();
        port.clockPs(devicePs);
        port.costs(0, 0, false);
        return port.clockPs() / PS_PER_NS;
    }

    @Override
    public void driven(long dueNs) {
        driving = false;
        if (onCall && dueNs != Long.MAX_VALUE) {
            passes(dueNs * PS_PER_NS);
        }
        boolean found = port.taken() != takenBefore;
        if (onCall) {
            polled = !found && port.shown() == shownBefore;
        }
        if (offload) {
            devicePs = port.clockPs();
            port.clockPs(onCall || port.madePut() ? Math.max(hostPs, devicePs) : hostPs);
            byProgram();
            if (found) {
                port.owe(host.receivePs());
            }
        }
        if (psPerNs > 0) {
            stampNs = System.nanoTime();
        }
    }

    @Override
    public Wake pause(long dueNs) {
        if (baton.aborting()) {
            return Wake.TELL;
        }
        polled = false;
        port.pay();
        if (movedBeside) {
            movedBeside = false;
            return Wake.LOOK;
        }
        if (!asked) {
            forget();
        }
        if (dueNs != Long.MAX_VALUE && dueNs * PS_PER_NS > baton.events.now()) {
            setTimer(dueNs * PS_PER_NS);
        }
        wait(State.PAUSED);
        if (wake != Wake.LOOK) {
            Wake why = wake;
            wake = Wake.LOOK;
            return why;
        }
        asked = false;
        forget();
        if (baton.aborting()) {
            return Wake.TELL;
        }
        long free = noise.end(rank, port.clockPs(), 0);
        if (free - baton.events.now() > TIE_PS) {
            if (offload) {
                driveBeside();
            }
            sleepTo(free);
        }
        return Wake.LOOK;
    }

    @Override
    public boolean pauseAtEnd() {
        allEnd = false;
        if (layer != null && (endingPs < 0 || port.taken() != takenAtEnd)) {
            endingPs = port.clockPs();
            takenAtEnd = port.taken();
        }
        if (!baton.aborting()) {
            wait(State.ENDING);
        }
        return allEnd;
    }

    /** A rank that never waits learns of the end where it looks. */
    private void checkAborted() {
        checkAlive();
        if (baton.aborting()) {
            throw new Aborted(this + " was looking for something when the job ended", 1);
        }
    }

    @Override
    public void spend(long ns) {
        checkAborted();
        port.pay();
        polled = false;
        work(measuredPs());
        work(noise.end(rank, port.clockPs(), ns * PS_PER_NS) - port.clockPs());
    }

    @Override
    public void collective() {
        port.spend(host.collectivePs());
    }

    @Override
    public void sleep(long ns) {
        port.pay();
        work(measuredPs());
        sleepTo(port.clockPs() + ns * PS_PER_NS);
    }

    @Override
    public boolean isMine() {
        return Thread.currentThread() == thread;
    }

    private void look(long ps) {
        if (baton.aborting()) {
            throw new Aborted("the job has ended while " + this + " was looking for something", 1);
        }
        looking = true;
        work(ps);
        looking = false;
    }

    /** The processor works for so long, and others have their time meanwhile. */
    private void work(long ps) {
        if (ps > 0) {
            sleepTo(port.clockPs() + ps);
        }
    }

    private void sleepTo(long at) {
        port.clockPs(at);
        if (!baton.isAhead(at)) {
            return;
        }
        wakesByFrames = offload && device != null;
        setTimer(at);
        for (wait(State.ASLEEP); !due; wait(State.ASLEEP)) {
            driveBeside();
        }
        wakesByFrames = false;
    }

    /** The device goes on while the processor is elsewhere. */
    private void driveBeside() {
        boolean before = wakesByFrames;
        wakesByFrames = true;
        beside = true;
        while (device.progress() != 0) {
            movedBeside = true;
        }
        beside = false;
        wakesByFrames = before;
    }

    private void wait(State how) {
        state = how;
        setAlarm();
        baton.pass(this);
        state = State.READY;
        if (psPerNs > 0) {
            stampNs = System.nanoTime();
        }
    }
}
