package io.rankwire.fabric.tcp;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.OutOfReach;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.PortTraits;
import io.rankwire.fabric.PrivateMemory;
import io.rankwire.fabric.SharedMemory;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;

/** Stand-in: a fabric that carries nothing. */
public final class TcpFabric {
    private TcpFabric() {}

    public static Port open(Members members, ServerSocketChannel listening) {
        return new Silent(members, listening, new PrivateMemory(members.self()));
    }

    private record Silent(Members members, ServerSocketChannel listening, SharedMemory memory) implements Port {
        @Override
        public int self() {
            return members.self();
        }

        @Override
        public int peers() {
            return members.size();
        }

        @Override
        public PortTraits traits() {
            return new PortTraits(1 << 14, true, true);
        }

        @Override
        public Outlet outlet(int peer) {
            throw new FabricException("no network to " + members.name(peer), null);
        }

        @Override
        public int poll(FrameSink sink, int limit) {
            return 0;
        }

        @Override
        public int pollAll(FrameSink sink, int limit) {
            return 0;
        }

        @Override
        public PeerMemory peerMemory() {
            return new OutOfReach("stand-in");
        }

        @Override
        public boolean mayHaveFrames() {
            return false;
        }

        @Override
        public void rest() {}

        @Override
        public void close() {
            try {
                listening.close();
            } catch (IOException e) {
                throw new FabricException(e.getMessage(), e);
            }
        }
    }
}
