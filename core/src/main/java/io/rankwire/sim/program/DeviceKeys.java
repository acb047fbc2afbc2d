package io.rankwire.sim.program;

import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.DeviceConfig.Truncation;
import io.rankwire.device.match.Split;
import io.rankwire.device.match.Split.Closing;
import io.rankwire.sim.DeviceModel;
import io.rankwire.sim.DeviceModel.Limits;
import io.rankwire.sim.DevicePolicies;
import io.rankwire.sim.EntryModel;
import io.rankwire.sim.match.MatcherConfig;
import io.rankwire.sim.match.MatcherConfig.By;
import io.rankwire.wire.WordLayout;

/** The keys of a model file that describe a device and its matcher units. */
final class DeviceKeys {
    private static final long PS_PER_NS = 1_000;

    private DeviceKeys() {}

    static DeviceModel with(DeviceModel d, String key, String value) {
        long request = d.requestPs();
        int requesters = d.requesters();
        long respond = d.respondPs();
        int responders = d.responders();
        long copy = d.copyPsPerKib();
        int room = d.injectionBytes();
        int frame = d.maxPayload();
        boolean offload = d.offload();
        int headers = d.headers();
        Overflow overflow = d.overflow();
        long software = d.softwarePs();
        long unexpected = d.unexpectedBytes();
        long combine = d.combinePsPerKib();
        long rendezvous = d.limits().rendezvousBytes();
        int buffer = d.limits().bufferBytes();
        DevicePolicies policies = d.policies();
        switch (key) {
            case "device.send" -> request = Units.ps(value);
            case "device.requesters" -> requesters = threads(value);
            case "device.receive" -> respond = Units.ps(value);
            case "device.responders" -> responders = threads(value);
            case "device.copy" -> copy = Units.psPerKib(value);
            case "device.room" -> room = Units.bytes(value);
            case "device.frame" -> frame = Units.bytes(value);
            case "device.offload" -> offload = Units.yes(key, value);
            case "device.headers" -> headers = Units.from(key, value, 1);
            case "device.overflow" -> overflow = Units.choice(key, value, Overflow.values());
            case "device.software" -> software = Units.ps(value);
            case "device.unexpected" -> unexpected = Units.bytes(value);
            case "device.combine" -> combine = Units.psPerKib(value);
            case "device.rendezvous" -> rendezvous = Units.bytes(value);
            case "device.buffer" -> buffer = value.equals("ample") ? 0 : Math.max(1, Units.bytes(value));
            case "device.entry", "device.entries", "device.fetch" -> {
                return d.withEntries(with(d.entries(), key, value));
            }
            default -> policies = with(policies, key, value);
        }
        return new DeviceModel(request, requesters, respond, responders, copy, room, frame, offload, d.matcher(),
                headers, overflow, software, unexpected, combine, new Limits(rendezvous, buffer), policies, d.split(),
                d.entries());
    }

    private static EntryModel with(EntryModel e, String key, String value) {
        return switch (key) {
            case "device.entry" -> new EntryModel(Units.ps(value), e.cached(), e.fetchPs());
            case "device.entries" -> new EntryModel(
                    e.entryPs(), value.equals("all") ? 0 : Units.from(key, value, 1), e.fetchPs());
            default -> new EntryModel(e.entryPs(), e.cached(), Units.ps(value));
        };
    }

    private static DevicePolicies with(DevicePolicies p, String key, String value) {
        return switch (key) {
            case "device.spill" -> new DevicePolicies(Units.bytes(value), p.truncation(), p.retries());
            case "device.truncation" ->
                new DevicePolicies(p.spillBytes(), Units.choice(key, value, Truncation.values()), p.retries());
            case "device.refuse" ->
                new DevicePolicies(p.spillBytes(), p.truncation(), Units.from(key, value, 0));
            default -> throw Settings.unknown(key);
        };
    }

    private static int threads(String value) {
        return value.equals("unlimited") ? DeviceModel.UNLIMITED : Integer.parseInt(value);
    }

    private static String threads(int count) {
        return count == DeviceModel.UNLIMITED ? "unlimited" : "" + count;
    }

    static DeviceModel withMatcher(DeviceModel d, String key, String value) {
        if (key.equals("matcher.units") && value.equals("none")) {
            return withMatcher(d, null);
        }
        MatcherConfig m = d.matcher() != null || !key.equals("matcher.units") ? d.matcher() : MatcherConfig.DEFAULT;
        if (m == null) {
            throw new IllegalArgumentException(key + ": " + value + ": there are no units, matcher.units = none");
        }
        int units = m.matchers();
        int together = m.together();
        int banks = m.banks();
        int start = m.startCycles();
        int finish = m.finishCycles();
        int queues = m.parts();
        By by = m.by();
        long cycle = m.cyclePs();
        int sourceBits = m.words().sourceBits();
        int tagBits = m.words().tagBits();
        int contextBits = m.words().contextBits();
        int receives = m.receives();
        int messages = m.messages();
        switch (key) {
            case "matcher.units" -> units = Units.from(key, value, 1);
            case "matcher.together" -> together = Units.from(key, value, 1);
            case "matcher.banks" -> banks = Units.from(key, value, 1);
            case "matcher.cycle" -> cycle = Units.ps(value);
            case "matcher.start" -> start = Units.from(key, value, 0);
            case "matcher.finish" -> finish = Units.from(key, value, 0);
            case "matcher.queues" -> queues = Units.from(key, value, 1);
            case "matcher.by" -> by = Units.choice(key, value, By.values());
            case "matcher.source-bits" -> sourceBits = Units.from(key, value, 1);
            case "matcher.tag-bits" -> tagBits = Units.from(key, value, WordLayout.LEAST_TAG_BITS);
            case "matcher.context-bits" -> contextBits = Units.from(key, value, 0);
            case "matcher.receives" -> receives = Units.from(key, value, 0);
            case "matcher.messages" -> messages = Units.from(key, value, 0);
            default -> throw Settings.unknown(key);
        }
        if (together > units || cycle < 1) {
            throw new IllegalArgumentException(key + ": " + value + ": matcher.together is at most matcher.units, "
                    + together + " and " + units + ", and matcher.cycle from 1 ps");
        }
        return withMatcher(d, new MatcherConfig(units, together, banks, start, finish, m.headers(), queues, by, cycle,
                new WordLayout(sourceBits, tagBits, contextBits), receives, messages));
    }

    private static DeviceModel withMatcher(DeviceModel d, MatcherConfig matcher) {
        return new DeviceModel(d.requestPs(), d.requesters(), d.respondPs(), d.responders(), d.copyPsPerKib(),
                d.injectionBytes(), d.maxPayload(), d.offload(), matcher, d.headers(), d.overflow(), d.softwarePs(),
                d.unexpectedBytes(), d.combinePsPerKib(), d.limits(), d.policies(), d.split(),
                d.entries());
    }

    static DeviceModel withSplit(DeviceModel d, String key, String value) {
        Split s = d.split();
        return d.withSplit(switch (key) {
            case "split.posted" -> new Split(value.equals("all") ? DeviceModel.ALL_POSTED
                    : Units.from(key, value, 1), s.closing(), s.recent(), s.crossing(), s.crossingNs());
            case "split.closing" -> new Split(s.posted(), Units.choice(key, value, Closing.values()), s.recent(),
                    s.crossing(), s.crossingNs());
            case "split.recent" -> new Split(s.posted(), s.closing(), Units.from(key, value, 0), s.crossing(),
                    s.crossingNs());
            case "split.entries" -> new Split(s.posted(), s.closing(), s.recent(), Units.from(key, value, 2),
                    s.crossingNs());
            case "split.crossing" -> new Split(s.posted(), s.closing(), s.recent(), s.crossing(),
                    wholeNs(key, value));
            default -> throw Settings.unknown(key);
        });
    }

    private static long wholeNs(String key, String value) {
        long ps = Units.ps(value);
        if (ps % PS_PER_NS != 0) {
            throw new IllegalArgumentException(key + ": " + value + " is no number of whole nanoseconds");
        }
        return ps / PS_PER_NS;
    }

    static String text(DeviceModel device) {
        return "\n\ndevice.send = " + Units.time(device.requestPs())
                + "\ndevice.requesters = " + threads(device.requesters())
                + "\ndevice.receive = " + Units.time(device.respondPs())
                + "\ndevice.responders = " + threads(device.responders())
                + "\ndevice.copy = " + Units.rate(device.copyPsPerKib())
                + "\ndevice.combine = " + Units.rate(device.combinePsPerKib())
                + "\ndevice.entry = " + Units.time(device.entries().entryPs())
                + "\ndevice.entries = " + (device.entries().cached() == 0 ? "all" : device.entries().cached())
                + "\ndevice.fetch = " + Units.time(device.entries().fetchPs())
                + "\ndevice.buffer = " + (device.limits().bufferBytes() == 0 ? "ample"
                        : device.limits().bufferBytes() + " B")
                + "\ndevice.rendezvous = " + device.limits().rendezvousBytes() + " B"
                + "\ndevice.room = " + device.injectionBytes() + " B"
                + "\ndevice.frame = " + device.maxPayload() + " B"
                + "\ndevice.offload = " + (device.offload() ? "yes" : "no")
                + "\ndevice.headers = " + device.headers()
                + "\ndevice.overflow = " + Units.name(device.overflow())
                + "\ndevice.software = " + Units.time(device.softwarePs())
                + "\ndevice.unexpected = " + device.unexpectedBytes() + " B"
                + "\ndevice.spill = " + device.policies().spillBytes() + " B"
                + "\ndevice.truncation = " + Units.name(device.policies().truncation())
                + "\ndevice.refuse = " + device.policies().retries()
                + text(device.split())
                + text(device.matcher());
    }

    private static String text(Split split) {
        return "\n\nsplit.posted = " + (split.posted() == DeviceModel.ALL_POSTED ? "all" : split.posted())
                + "\nsplit.closing = " + Units.name(split.closing())
                + "\nsplit.recent = " + split.recent()
                + "\nsplit.entries = " + split.crossing()
                + "\nsplit.crossing = " + Units.time(split.crossingNs() * PS_PER_NS);
    }

    private static String text(MatcherConfig matcher) {
        return matcher == null ? "\n\nmatcher.units = none"
                : "\n\nmatcher.units = " + matcher.matchers()
                        + "\nmatcher.together = " + matcher.together()
                        + "\nmatcher.banks = " + matcher.banks()
                        + "\nmatcher.cycle = " + Units.time(matcher.cyclePs())
                        + "\nmatcher.start = " + matcher.startCycles()
                        + "\nmatcher.finish = " + matcher.finishCycles()
                        + "\nmatcher.queues = " + matcher.parts()
                        + "\nmatcher.by = " + Units.name(matcher.by())
                        + "\nmatcher.source-bits = " + matcher.words().sourceBits()
                        + "\nmatcher.tag-bits = " + matcher.words().tagBits()
                        + "\nmatcher.context-bits = " + matcher.words().contextBits()
                        + "\nmatcher.receives = " + matcher.receives()
                        + "\nmatcher.messages = " + matcher.messages();
    }
}
