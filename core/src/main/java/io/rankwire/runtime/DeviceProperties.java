package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.match.Split;
import io.rankwire.device.match.Split.Closing;
import java.util.Locale;

/**
 * The system properties that change the device. All ranks of a job must have the same.
 *
 * <ul>
 *   <li>{@code rankwire.large}: which way large messages go: auto, eager, rendezvous, twoended, process
 *   <li>{@code rankwire.match}: where receives and unexpected messages are matched, in a device smaller than usual:
 *       {@code optimistic:P:R} or {@code handshake:P} keep P receives in the device and all messages in software, and
 *       close the race between the two that way, R recent messages remembered; {@code grow:H}, {@code software:H} and
 *       {@code fail:H} give the device H headers for both, and say what happens when they are used up
 * </ul>
 */
public final class DeviceProperties {
    private static final int RECENT = 8;
    private static final int CROSSING = 64;

    private DeviceProperties() {}

    public static DeviceConfig read(DeviceConfig config) {
        return match(large(config));
    }

    private static DeviceConfig large(DeviceConfig config) {
        String way = System.getProperty("rankwire.large");
        if (way == null) {
            return config;
        }
        for (DeviceConfig.Large large : DeviceConfig.Large.values()) {
            if (way.equals(large.name().replace("_", "").toLowerCase(Locale.ROOT))) {
                return config.withLarge(large, config.putLimit());
            }
        }
        throw new RankwireException(ErrorClass.ARGUMENT, "property rankwire.large: " + way
                + " is none of auto, eager, rendezvous, twoended, process");
    }

    private static DeviceConfig match(DeviceConfig config) {
        String way = System.getProperty("rankwire.match");
        if (way == null) {
            return config;
        }
        String[] parts = way.split(":", -1);
        int most = parts[0].equals("optimistic") ? 3 : 2;
        if (parts.length >= 2 && parts.length <= most) {
            int size = number(parts[1], 1);
            int recent = parts.length == 3 ? number(parts[2], 0) : RECENT;
            if (size > 0 && recent >= 0) {
                switch (parts[0]) {
                    case "optimistic":
                        return config.withSplit(new Split(size, Closing.OPTIMISTIC, recent, CROSSING, 0));
                    case "handshake":
                        return config.withSplit(new Split(size, Closing.HANDSHAKE, 0, CROSSING, 0));
                    case "grow":
                        return config.withHeaders(size, size, Overflow.GROW);
                    case "software":
                        return config.withHeaders(size, size, Overflow.SOFTWARE);
                    case "fail":
                        return config.withHeaders(size, size, Overflow.FAIL);
                    default:
                        break;
                }
            }
        }
        throw new RankwireException(ErrorClass.ARGUMENT, "property rankwire.match: " + way
                + " is none of optimistic:P:R, handshake:P, grow:H, software:H, fail:H, with numbers up to 1048576");
    }

    /** The number, or -1. */
    private static int number(String digits, int least) {
        if (!digits.matches("[0-9]{1,7}")) {
            return -1;
        }
        int number = Integer.parseInt(digits);
        return number >= least && number <= 1 << 20 ? number : -1;
    }
}
