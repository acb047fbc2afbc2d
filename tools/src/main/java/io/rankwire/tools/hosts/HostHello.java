package io.rankwire.tools.hosts;

import java.util.List;

/**
 * What an agent reports about its host.
 *
 * @param cores that ranks can be bound to
 * @param client the address of the host from which ssh has reached this one; blank if it was not ssh
 * @param server the address at which ssh has reached this one; blank likewise
 * @param addresses of the host, those of the loopback interface last
 */
public record HostHello(int cores, String client, String server, List<String> addresses) {
    /** @param connection as in {@code SSH_CONNECTION}; may be null */
    public static HostHello of(int cores, String connection, List<String> addresses) {
        String[] ends = connection == null ? new String[0] : connection.split(" ");
        boolean isKnown = ends.length == 4;
        return new HostHello(cores, isKnown ? ends[0] : "", isKnown ? ends[2] : "", addresses);
    }

    public static HostHello of(Message message) {
        Body.Reader in = new Body.Reader(message);
        return new HostHello(in.number(), in.text(), in.text(), in.texts());
    }

    public Message message(int host) {
        return new Body().put(cores).put(client).put(server).put(addresses).to(Message.Kind.HELLO, host);
    }

    /**
     * The address at which all hosts can reach that of the root: the one by which ssh has reached it. If it is this
     * machine, the one from which ssh has come.
     *
     * @param locals how many of the first hosts are this machine
     * @param first the host of the root
     */
    public static String rootHost(List<HostHello> hosts, int locals, int first) {
        List<HostHello> others = hosts.subList(locals, hosts.size());
        if (others.isEmpty()) {
            return "127.0.0.1";
        }
        String found = first < locals ? others.get(0).client : hosts.get(first).server;
        boolean isOneMachine = others.stream().allMatch(each -> isLoopback(each.server));
        return found.isEmpty() || isLoopback(found) && !isOneMachine ? hosts.get(first).addresses.get(0) : found;
    }

    private static boolean isLoopback(String address) {
        return address.startsWith("127.") || address.equals("::1");
    }
}
