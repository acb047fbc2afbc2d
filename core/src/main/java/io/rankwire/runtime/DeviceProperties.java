package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.DeviceConfig.Truncation;
import io.rankwire.device.match.QueueHints;
import io.rankwire.device.match.Split;
import io.rankwire.device.match.Split.Closing;
import io.rankwire.wire.WordLayout;
import java.util.Locale;

/**
 * Reads the system properties that configure the device, for {@link Session}. All ranks of a job must have the same
 * values.
 *
 * <ul>
 *   <li>{@code rankwire.large}: how large messages are transferred: auto, eager, rendezvous, twoended, process; {@code
 *       auto:65536} and the like also set the bytes of a message up to which the device sends the rest by itself when
 *       the receiver has answered; software sends a larger one in puts of that size, one after another
 *   <li>{@code rankwire.truncation}: what happens to a message larger than its receive: {@code deliver} delivers the
 *       part that fits, {@code refuse} delivers nothing; the receive fails in both cases, and with {@code refuse} the
 *       sender gets an error too
 *   <li>{@code rankwire.match}: where receives and unexpected messages are matched, in a device smaller than usual:
 *       {@code optimistic:P:R} and {@code handshake:P} keep P receives in the device and all messages in software, and
 *       name the way in which the race between the two is closed (the optimistic way remembers R recent messages);
 *       {@code grow:H}, {@code software:H}, {@code fail:H} and {@code refuse:H:N} give the device H headers for both,
 *       and name what happens when all headers are in use; refused messages are sent again N times
 *   <li>{@code rankwire.headers}: {@code R:M} sets R headers for receives and M for messages aside for each
 *       communicator, as if it had given these hints, and as many for the library's own messages on it
 *   <li>{@code rankwire.spread}: {@code source:N} or {@code tag:N} spreads the headers of each communicator over N
 *       queues
 *   <li>{@code rankwire.words}: {@code S:T} gives match words S bits for the source and T for the tag, which bounds the
 *       ranks of the job and the tags, as on a device with such words
 *   <li>{@code rankwire.tags}: {@code network} lets the matcher of the network hold the receives of each communicator
 *       that promises no wildcards, as if all had given this hint; {@code device}, which is usual, leaves it to hints
 * </ul>
 */
public final class DeviceProperties {
    private static final int RECENT = 8;
    private static final int CROSSING = 64;
    private static final int LEAST_PUT = 64;

    private DeviceProperties() {}

    /** Returns the configuration with the changes that the system properties ask for. */
    public static DeviceConfig read(DeviceConfig config) {
        matchesByNetwork();
        return words(spread(divided(match(truncation(large(config))))));
    }

    /** Whether the network is to match for all communicators that promise no wildcards. */
    static boolean matchesByNetwork() {
        String tags = System.getProperty("rankwire.tags", "device");
        if (!tags.equals("device") && !tags.equals("network")) {
            throw new RankwireException(ErrorClass.ARGUMENT, "property rankwire.tags: " + tags
                    + " is none of device, network");
        }
        return tags.equals("network");
    }

    private static DeviceConfig words(DeviceConfig config) {
        String widths = System.getProperty("rankwire.words");
        if (widths == null) {
            return config;
        }
        String[] parts = widths.split(":", -1);
        int source = parts.length == 2 ? number(parts[0], 1) : -1;
        int tag = parts.length == 2 ? number(parts[1], 1) : -1;
        try {
            return config.withWords(new WordLayout(source, tag, 0));
        } catch (IllegalArgumentException e) {
            throw new RankwireException(ErrorClass.ARGUMENT, "property rankwire.words: " + widths + " is not S:T, "
                    + e.getMessage(), e);
        }
    }

    private static DeviceConfig divided(DeviceConfig config) {
        String shares = System.getProperty("rankwire.headers");
        if (shares == null) {
            return config;
        }
        String[] parts = shares.split(":", -1);
        int receives = parts.length == 2 ? number(parts[0], 0) : -1;
        int messages = parts.length == 2 ? number(parts[1], 0) : -1;
        if (receives < 0 || messages < 0) {
            throw new RankwireException(ErrorClass.ARGUMENT, "property rankwire.headers: " + shares
                    + " is not R:M, with numbers up to 1048576");
        }
        QueueHints before = config.hints();
        return config.withHints(new QueueHints(receives, messages, before.by(), before.queues()));
    }

    private static DeviceConfig spread(DeviceConfig config) {
        String spread = System.getProperty("rankwire.spread");
        if (spread == null) {
            return config;
        }
        String[] parts = spread.split(":", -1);
        int queues = parts.length == 2 ? number(parts[1], 1) : -1;
        QueueHints.By by = parts[0].equals("source") ? QueueHints.By.SOURCE
                : parts[0].equals("tag") ? QueueHints.By.TAG : null;
        if (by == null || queues < 1 || queues > QueueHints.MOST_QUEUES) {
            throw new RankwireException(ErrorClass.ARGUMENT, "property rankwire.spread: " + spread
                    + " is none of source:N, tag:N, with numbers up to " + QueueHints.MOST_QUEUES);
        }
        QueueHints before = config.hints();
        return config.withHints(new QueueHints(before.receives(), before.messages(), by, queues));
    }

    private static DeviceConfig large(DeviceConfig config) {
        String way = System.getProperty("rankwire.large");
        if (way == null) {
            return config;
        }
        String[] parts = way.split(":", -1);
        long limit = parts.length == 1 ? config.putLimit()
                : parts.length == 2 && parts[1].matches("[0-9]{1,12}") ? Long.parseLong(parts[1]) : 0;
        for (DeviceConfig.Large large : DeviceConfig.Large.values()) {
            if (limit >= LEAST_PUT && parts[0].equals(large.name().replace("_", "").toLowerCase(Locale.ROOT))) {
                return config.withLarge(large, limit);
            }
        }
        throw new RankwireException(ErrorClass.ARGUMENT, "property rankwire.large: " + way
                + " is none of auto, eager, rendezvous, twoended, process, alone or with a number of bytes from "
                + LEAST_PUT + " on, as in auto:65536");
    }

    private static DeviceConfig truncation(DeviceConfig config) {
        String policy = System.getProperty("rankwire.truncation", "deliver");
        return switch (policy) {
            case "deliver" -> config;
            case "refuse" -> config.withTruncation(Truncation.REFUSE);
            default -> throw new RankwireException(ErrorClass.ARGUMENT, "property rankwire.truncation: " + policy
                    + " is none of deliver, refuse");
        };
    }

    private static DeviceConfig match(DeviceConfig config) {
        String way = System.getProperty("rankwire.match");
        if (way == null) {
            return config;
        }
        String[] parts = way.split(":", -1);
        int most = parts[0].equals("optimistic") || parts[0].equals("refuse") ? 3 : 2;
        if (parts.length >= 2 && parts.length <= most) {
            int size = number(parts[1], 1);
            int recent = parts.length == 3 ? number(parts[2], 0) : RECENT;
            int retries = parts.length == 3 ? recent : config.retries();
            DeviceConfig chosen = size < 1 || recent < 0 ? null : switch (parts[0]) {
                case "optimistic" -> config.withSplit(new Split(size, Closing.OPTIMISTIC, recent, CROSSING, 0));
                case "handshake" -> config.withSplit(new Split(size, Closing.HANDSHAKE, 0, CROSSING, 0));
                case "grow" -> config.withHeaders(size, size, Overflow.GROW);
                case "software" -> config.withHeaders(size, size, Overflow.SOFTWARE);
                case "refuse" -> config.withHeaders(size, size, Overflow.REFUSE).withRetries(retries);
                case "fail" -> config.withHeaders(size, size, Overflow.FAIL);
                default -> null;
            };
            if (chosen != null) {
                return chosen;
            }
        }
        throw new RankwireException(ErrorClass.ARGUMENT, "property rankwire.match: " + way
                + " is none of optimistic:P:R, handshake:P, grow:H, software:H, fail:H, refuse:H:N,"
                + " with numbers up to 1048576");
    }

    /** Returns the number, or -1 if it is no number in the allowed range. */
    private static int number(String digits, int least) {
        if (!digits.matches("[0-9]{1,7}")) {
            return -1;
        }
        int number = Integer.parseInt(digits);
        return number >= least && number <= 1 << 20 ? number : -1;
    }
}
