package io.rankwire.launch;

import io.rankwire.fabric.FabricException;
import java.io.IOException;
import java.net.InetAddress;

/**
 * The ports at which ranks may listen.
 *
 * @param first the lowest, or 0 for any port that is free
 * @param last the highest
 */
public record PortRange(int first, int last) {
    /** The environment variable with the range. */
    public static final String VARIABLE = "RANKWIRE_PORTS";
    /** Any port that is free. */
    public static final PortRange ANY = new PortRange(0, 0);

    static final int MOST = 65_535;

    /** Binds a socket at a port. */
    interface Binding<S> {
        S at(int port) throws IOException;
    }

    /**
     * Reads one port or a range such as {@code 5000-5099}.
     *
     * @param text null for any port
     * @param option what it was given by, for errors
     * @throws IllegalArgumentException naming the option and what was given
     */
    public static PortRange parse(String text, String option) {
        if (text == null) {
            return ANY;
        }
        String[] parts = text.split("-", 2);
        try {
            int first = Integer.parseInt(parts[0].strip());
            int last = parts.length < 2 ? first : Integer.parseInt(parts[1].strip());
            if (first >= 1 && last >= first && last <= MOST) {
                return new PortRange(first, last);
            }
        } catch (NumberFormatException e) {
            // As for numbers that make no range.
        }
        throw new IllegalArgumentException(
                option + " is \"" + text + "\", not a port or a range of ports such as 5000-5099");
    }

    /**
     * Binds a socket at the first port that is free.
     *
     * @param at the address of this host at which it is bound, or null for all; for errors
     */
    <S> S bind(InetAddress at, Binding<S> binding) {
        IOException last = null;
        for (int port = first; port <= this.last; port++) {
            try {
                return binding.at(port);
            } catch (IOException e) {
                last = e;
            }
        }
        throw new FabricException("cannot listen at " + (at == null ? "any address" : at.getHostAddress()) + ", "
                + this + ": " + (last == null ? "no port" : last.getMessage()), last);
    }

    @Override
    public String toString() {
        return first == 0 ? "any port" : VARIABLE + "=" + first + "-" + last;
    }
}
