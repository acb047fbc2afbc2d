package io.rankwire.fabric.tcp;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How connections adapt to the network, on Linux. BBR spreads what is written over time, at the rate that it has
 * measured. Messages with pauses between them let it measure too little: large ones take up to four times as long then.
 * So a connection whose default is BBR gets another way. Java has no option for that; the first such call of a process
 * takes tenths of a second, so a connection gets it when it carries many bytes.
 */
final class Congestion {
    private static final Path DEFAULT = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");
    /** What a process may choose depends on the system and its rights; the first that it may is taken. */
    private static final String[] INSTEAD = {"cubic", "reno"};
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_CONGESTION = 13;

    /** Whether the system spreads what is written; looked up once. */
    private static final boolean PACED = SocketNumber.KNOWN && isPaced();

    private Congestion() {}

    private static boolean isPaced() {
        try {
            return Files.readString(DEFAULT).startsWith("bbr");
        } catch (IOException e) {
            return false;
        }
    }

    /** Prepares a connection that is complete. What cannot be changed stays as it is. */
    static void prepare(SocketChannel channel) {
        if (PACED) {
            try {
                change(channel);
            } catch (IOException e) {
                // The connection works as it is, or its next use will show why not.
            }
        }
    }

    private static void change(SocketChannel channel) throws IOException {
        int number = SocketNumber.of(channel);
        if (number == SocketNumber.NONE) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            for (String way : INSTEAD) {
                if (SocketNumber.set(number, IPPROTO_TCP, TCP_CONGESTION, arena.allocateFrom(way), way.length())) {
                    return;
                }
            }
        }
    }
}
