package io.rankwire.launch.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;

/** A connection to a server of PMI over TCP, at the address that {@code PMI_PORT} names. */
final class SocketWire implements PmiWire {
    private final Socket socket;

    private SocketWire(Socket socket) {
        this.socket = socket;
    }

    static SocketWire connect(String place, long deadlineNs) throws IOException {
        int colon = place.lastIndexOf(':');
        int port;
        try {
            port = Integer.parseInt(place.substring(colon + 1));
        } catch (NumberFormatException e) {
            port = 0;
        }
        if (colon < 1 || port < 1 || port > 65_535) {
            throw new IOException("PMI_PORT is \"" + place + "\", not host:port");
        }
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(place.substring(0, colon), port), milliseconds(deadlineNs));
            socket.setTcpNoDelay(true);
            return new SocketWire(socket);
        } catch (IOException e) {
            socket.close();
            throw new IOException("cannot reach the launcher at " + place + ", which PMI_PORT names: "
                    + (e instanceof UnknownHostException ? "its name does not resolve" : e.getMessage()), e);
        }
    }

    private static int milliseconds(long deadlineNs) throws SocketTimeoutException {
        long left = (deadlineNs - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
            throw new SocketTimeoutException();
        }
        return (int) Math.min(left, Integer.MAX_VALUE);
    }

    @Override
    public void write(byte[] line) throws IOException {
        socket.getOutputStream().write(line);
    }

    @Override
    public int read(byte[] into, long deadlineNs) throws IOException {
        socket.setSoTimeout(milliseconds(deadlineNs));
        return socket.getInputStream().read(into);
    }
}
