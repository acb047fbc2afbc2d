package mpi;

import io.rankwire.Hints;
import java.util.Locale;

/** The hints of communicators as keys and values of an {@link Info}. */
final class HintKeys {
    private static final String NO_ANY_SOURCE = "mpi_assert_no_any_source";
    private static final String NO_ANY_TAG = "mpi_assert_no_any_tag";

    private static final String RECEIVES = "rankwire_expected_receives";
    private static final String MESSAGES = "rankwire_expected_messages";
    private static final String SPREAD = "rankwire_spread";
    private static final String NETWORK = "rankwire_matched_by_network";

    private HintKeys() {}

    /** Returns all hints of this library with their values. */
    static Info write(Hints hints) {
        Info info = new Info();
        info.set(NO_ANY_SOURCE, Boolean.toString(hints.noAnySource()));
        info.set(NO_ANY_TAG, Boolean.toString(hints.noAnyTag()));
        info.set(RECEIVES, Integer.toString(hints.receives()));
        info.set(MESSAGES, Integer.toString(hints.messages()));
        info.set(SPREAD, hints.spread().name().toLowerCase(Locale.ROOT) + ":" + hints.queues());
        info.set(NETWORK, Boolean.toString(hints.network()));
        return info;
    }

    /** Returns hints with the changes that an info object asks for. */
    static Hints read(Info info, Hints hints) {
        String spread = info.get(SPREAD);
        boolean bySource = spread != null && spread.startsWith("source:");
        if (spread != null && !bySource && !spread.startsWith("tag:")) {
            throw wrong(SPREAD, spread, "neither source:N nor tag:N");
        }
        Hints.Spread by = spread == null ? hints.spread() : bySource ? Hints.Spread.SOURCE : Hints.Spread.TAG;
        int queues = spread == null ? hints.queues()
                : number(SPREAD, spread, spread.substring(spread.indexOf(':') + 1), 1, 1 << 10);
        boolean noAnySource = flag(info, NO_ANY_SOURCE, hints.noAnySource());
        boolean noAnyTag = flag(info, NO_ANY_TAG, hints.noAnyTag());
        boolean network = flag(info, NETWORK, hints.network()) && noAnySource && noAnyTag;
        return new Hints(noAnySource, noAnyTag, depth(info, RECEIVES, hints.receives()),
                depth(info, MESSAGES, hints.messages()), by, queues, network);
    }

    private static int depth(Info info, String key, int otherwise) {
        String value = info.get(key);
        return value == null ? otherwise : number(key, value, value, 0, 1 << 20);
    }

    private static int number(String key, String value, String digits, int least, int most) {
        int number = digits.matches("[0-9]{1,7}") ? Integer.parseInt(digits) : -1;
        if (number < least || number > most) {
            throw wrong(key, value, "not a number from " + least + " to " + most);
        }
        return number;
    }

    private static MPIException wrong(String key, String value, String what) {
        return new MPIException(MPI.ERR_INFO_VALUE, "argument info: " + key + ": " + value + " is " + what);
    }

    private static boolean flag(Info info, String key, boolean otherwise) {
        String value = info.get(key);
        if (value == null) {
            return otherwise;
        }
        if (!value.equals("true") && !value.equals("false")) {
            throw wrong(key, value, "neither true nor false");
        }
        return value.equals("true");
    }
}
