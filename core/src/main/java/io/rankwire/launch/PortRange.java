package io.rankwire.launch;

import io.rankwire.fabric.FabricException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

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
    private static final int BACKLOG = 1024;

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
     * Listens at the first port that is free.
     *
     * @param at an address of this host, or null for all
     */
    ServerSocketChannel listen(InetAddress at) {
        IOException last = null;
        for (int port = first; port <= this.last; port++) {
            ServerSocketChannel channel = null;
            try {
                channel = ServerSocketChannel.open();
                return channel.bind(new InetSocketAddress(at, port), BACKLOG);
            } catch (IOException e) {
                Root.close(channel);
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
