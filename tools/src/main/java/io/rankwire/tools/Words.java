package io.rankwire.tools;

/** The words of a command, taken one after another. */
final class Words {
    private final String command;
    private final String[] all;
    private int at;
    /** What stood behind an equals sign; the next value asked for. */
    private String attached;

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

    /** Whether the next word begins with a digit, as no class does. */
    boolean isNumber() {
        return at < all.length && !all[at].isEmpty() && Character.isDigit(all[at].charAt(0));
    }

    /** Splits {@code --name=value}; returns the name alone. */
    String detach(String option) {
        int equals = option.startsWith("--") ? option.indexOf('=') : -1;
        attached = equals < 0 ? null : option.substring(equals + 1);
        return equals < 0 ? option : option.substring(0, equals);
    }

    /** The word after an option, or what is attached to it. */
    String valueOf(String option) {
        if (attached != null) {
            String value = attached;
            attached = null;
            return value;
        }
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
