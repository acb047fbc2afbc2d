package io.rankwire.tools.sim;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.device.match.Split;
import io.rankwire.device.match.Split.Closing;
import io.rankwire.memory.Rand;
import io.rankwire.sim.DeviceModel;
import io.rankwire.sim.Devices;
import io.rankwire.sim.net.Crossbar;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.tools.plot.Panel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** Time of a message against the share of the posted receives that the device holds. */
final class SplitFigure {
    private static final int[] PERCENT = {2, 5, 10, 20, 35, 50, 75, 100};
    private static final int POSTED = 128;
    private static final int CONTEXT = 1;
    private static final int BYTES = 8;
    private static final long GAP_PS = 250_000;
    private static final long CROSSING_NS = 300;

    private final Devices devices;
    private final boolean inOrder;
    private final Rand rand = new Rand(1);
    /** Tags of receives for which no message was sent, in the order in which they were posted. */
    private final List<Integer> open = new ArrayList<>();
    private final List<Operation> receives = new ArrayList<>();
    private final long[] sentAt;
    private final int posted;
    private int postedTags;
    private int sent;
    private int met;
    private long totalPs;

    private SplitFigure(Devices devices, boolean inOrder, int posted, int messages) {
        this.devices = devices;
        this.inOrder = inOrder;
        this.posted = posted;
        this.sentAt = new long[messages];
    }

    static Figure make(Extent extent) {
        int posted = Math.min(POSTED, 8 * extent.depth());
        int messages = 8 * posted;
        List<Panel> panels = new ArrayList<>();
        long hash = 0;
        for (boolean inOrder : new boolean[] {true, false}) {
            List<Panel.Curve> curves = new ArrayList<>();
            for (Closing closing : new Closing[] {Closing.OPTIMISTIC, Closing.HANDSHAKE}) {
                SortedMap<Long, Double> values = new TreeMap<>();
                for (int percent : PERCENT) {
                    int inDevice = Math.max(1, posted * percent / 100);
                    SplitFigure run = run(new Split(inDevice, closing, 8, 64, CROSSING_NS), inOrder, posted, messages);
                    hash = Figure.mixed(hash, run.devices.events().hash());
                    values.put((long) percent, run.totalPs / 1e6 / messages);
                }
                curves.add(new Panel.Curve(closing == Closing.OPTIMISTIC ? "optimistic post" : "stop, check, post",
                        closing == Closing.OPTIMISTIC, values));
            }
            panels.add(new Panel(inOrder ? "Messages in the order of receives" : "Messages in random order",
                    "µs from send to match", Panel.Across.SHARES, curves));
        }
        Figure.Text text = new Figure.Text("8-split", "Match time against the share of receives in the device",
                shows(panels), "the device holds the head of the posted list and software a shadow of all of it; a"
                        + " receive that races with its message is found out by a check, or kept out by a stop.",
                posted + " receives are always posted; a message of " + BYTES + " B every 250 ns; " + CROSSING_NS
                        + " ns between device and software; " + DeviceModel.MATCHING.softwarePs() / 1_000
                        + " ns for a message in software; the device remembers 8 messages.", hash);
        return Figure.of(text, panels);
    }

    private static String shows(List<Panel> panels) {
        SortedMap<Long, Double> orderedPost = panels.get(0).curves().get(0).values();
        SortedMap<Long, Double> orderedStop = panels.get(0).curves().get(1).values();
        SortedMap<Long, Double> randomPost = panels.get(1).curves().get(0).values();
        SortedMap<Long, Double> randomStop = panels.get(1).curves().get(1).values();
        long least = PERCENT[0];
        long few = PERCENT[1];
        return String.format(Locale.ROOT, "If messages come in the order of receives, %d %% of the receives in the"
                + " device are enough for %s µs with optimistic posts and %s µs with stops, as all of them are; with %d"
                + " %% receives come too late, and a message takes %s and %s µs. In random order it takes %s and %s µs"
                + " with %d %%, %s and %s µs with half, and %s and %s µs with all of the receives in the device.", few,
                Figure.digits(orderedPost.get(few)), Figure.digits(orderedStop.get(few)), least,
                Figure.digits(orderedPost.get(least)), Figure.digits(orderedStop.get(least)),
                Figure.digits(randomPost.get(few)), Figure.digits(randomStop.get(few)), few,
                Figure.digits(randomPost.get(50L)), Figure.digits(randomStop.get(50L)),
                Figure.digits(randomPost.get(100L)), Figure.digits(randomStop.get(100L)));
    }

    private static SplitFigure run(Split split, boolean inOrder, int posted, int messages) {
        Devices devices = new Devices(new Crossbar(2), LinkModel.DEFAULT, DeviceModel.MATCHING.withSplit(split),
                DeviceConfig.DEFAULT, 2);
        SplitFigure run = new SplitFigure(devices, inOrder, posted, messages);
        devices.wake(1, 0);
        for (int i = 0; i < messages; i++) {
            devices.wake(0, (400 + i) * GAP_PS);
        }
        devices.run(run::turn);
        if (run.met != messages) {
            throw new IllegalStateException(run.met + " of " + messages + " messages came");
        }
        return run;
    }

    private void turn(int rank) {
        if (rank == 0) {
            send();
        } else {
            receive();
        }
    }

    /** A turn comes for each message, and for frames that give credit back. */
    private void send() {
        if (sent < sentAt.length && devices.events().now() >= (400 + sent) * GAP_PS) {
            int tag = open.remove(inOrder ? 0 : rand.below(open.size()));
            sentAt[tag] = devices.events().now();
            sent++;
            Device device = devices.device(0);
            device.release(device.send(Operation.Mode.STANDARD, CONTEXT, 1, tag, new byte[BYTES], 0, BYTES, 1));
        }
    }

    private void receive() {
        Device device = devices.device(1);
        for (int i = receives.size() - 1; i >= 0; i--) {
            Operation receive = receives.get(i);
            if (receive.isDone()) {
                totalPs += devices.events().now() - sentAt[receive.tag()];
                met++;
                device.release(receive);
                receives.remove(i);
            }
        }
        while (receives.size() < posted && postedTags < sentAt.length) {
            receives.add(device.receive(CONTEXT, 0, postedTags, new byte[BYTES], 0, BYTES, 1));
            open.add(postedTags++);
        }
    }
}
