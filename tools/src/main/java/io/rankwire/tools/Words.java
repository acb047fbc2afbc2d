package io.rankwire.tools;

/** The words of a command, taken one after another. */
final class Words {
    private final String command;
    private final String[] all;
    private int at;

    Words(String command, String[] all) {
        this.command = command;
        this.all = all;
    }

    boolean isEmpty() {
        return at == all.length;
    }

    String next() {
        return all[at++];
    }

    /** Whether the next word is an option rather than a name; a lone dash is a name. */
    boolean isOption() {
        return at < all.length && all[at].startsWith("-") && all[at].length() > 1;
    }

    /** The word after an option. */
    String valueOf(String option) {
        if (isEmpty()) {
            throw wrong("option " + option + " needs a value");
        }
        return next();
    }

    int numberOf(String option) {
        String text = valueOf(option);
        try {
            int value = Integer.parseInt(text);
            if (value >= 1) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw wrong("option " + option + " needs a number above 0, not " + text);
    }

    UsageException wrong(String what) {
        return new UsageException(command + ": " + what);
    }

    void say(String what) {
        System.err.println("rankwire: " + command + ": " + what);
    }
}
