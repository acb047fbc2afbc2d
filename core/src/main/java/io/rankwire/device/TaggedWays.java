package io.rankwire.device;

import io.rankwire.device.match.NetworkList;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.TagMatcher;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The ways of messages to one peer through the network's matcher, one for each context that the peer has invited to it.
 * A way is open, or paused: then messages go as frames. In between it ends, and messages of its context wait until the
 * peer has taken all that went this way out of the network, so that none is overtaken.
 *
 * <p>Messages that wait in the network are not in the memory that their credit stands for, so they have a bound of
 * their own. At the bound, before messages are kept for want of credit, and before a message is withdrawn, all ways
 * end.
 */
final class TaggedWays {
    /** Messages of a context that go as frames after too many had waited in the network, over those that may. */
    private static final int PAUSE = 4;

    /** More communicators than a peer will ever have at once. */
    private static final int MOST_WAYS = 1 << 16;

    private static final int PAUSED = 0;
    private static final int OPEN = 1;
    private static final int ENDING = 2;

    private final Peer peer;
    private final TagMatcher matcher;
    private final ControlFrames control;
    private final List<Way> ways = new ArrayList<>();
    /** Messages that went to the peer by all ways, and those that it has taken. */
    private long sent;
    private long taken;

    TaggedWays(Peer peer, TagMatcher matcher, ControlFrames control) {
        this.peer = peer;
        this.matcher = matcher;
        this.control = control;
    }

    /** The messages of one context. */
    private final class Way implements Outlet {
        private final int context;
        private final int channel;
        private int state = PAUSED;
        private int pause;
        private boolean isLast;
        private long count;

        Way(int context, int channel) {
            this.context = context;
            this.channel = channel;
        }

        @Override
        public MemorySegment memory() {
            return matcher.memory();
        }

        @Override
        public long claim(int payloadBytes) {
            return matcher.claim(peer.rank, payloadBytes);
        }

        @Override
        public void commit(long at, int payloadBytes, int meta, long header) {
            matcher.commit(peer.rank, at, payloadBytes, meta, header, NetworkList.key(channel, Frame.low(header)));
            count++;
            sent++;
        }

        void end(boolean last) {
            isLast |= last;
            if (state == OPEN) {
                state = ENDING;
                pause = isFull() ? PAUSE * matcher.window() : 0;
                control.send(peer, Frame.TAG_END, Frame.header(channel, isLast ? 1 : 0), count);
            }
        }
    }

    /** What the next message of a context is written to. */
    Outlet outlet(int context) {
        Way way = find(context);
        if (way == null) {
            return peer.outlet;
        }
        if (way.state == PAUSED) {
            if (peer.isHolding() || peer.backlog != null || --way.pause >= 0) {
                return peer.outlet;
            }
            way.pause = 0;
            way.state = OPEN;
            control.send(peer, Frame.TAG_BEGIN, Frame.header(way.channel, 0));
        }
        if (way.state == OPEN && isFull()) {
            endAll(false);
        }
        return way.state == OPEN ? way : Losses.NOWHERE;
    }

    private boolean isFull() {
        return sent - taken >= matcher.window();
    }

    private Way find(int context) {
        for (int i = 0; i < ways.size(); i++) {
            if (ways.get(i).context == context) {
                return ways.get(i);
            }
        }
        return null;
    }

    private Way named(int channel) {
        for (Way way : ways) {
            if (way.channel == channel) {
                return way;
            }
        }
        return null;
    }

    /** The peer lets messages of a context come this way. */
    void invited(int context, int channel) {
        if (channel < 0 || named(channel) != null || ways.size() == MOST_WAYS) {
            throw new Violation("channel " + channel);
        }
        ways.add(new Way(context, channel));
    }

    /** The peer wants messages as frames. */
    void stop(int channel) {
        Way way = named(channel);
        if (way == null) {
            control.send(peer, Frame.TAG_END, Frame.header(channel, 1), -1);
        } else if (way.state == PAUSED) {
            ways.remove(way);
            control.send(peer, Frame.TAG_END, Frame.header(channel, 1), way.count);
        } else {
            way.end(true);
        }
    }

    /** The peer has all messages that went this way, and may have closed it. */
    void ended(int channel, boolean closed) {
        Way way = named(channel);
        if (way == null) {
            return;
        }
        if (way.state == ENDING) {
            way.state = PAUSED;
        }
        if (way.isLast || closed) {
            ways.remove(way);
        }
    }

    void taken(long count) {
        if (count < taken || count > sent) {
            throw new Violation(count + " messages with tags, where " + sent + " were sent");
        }
        taken = count;
    }

    /**
     * Ends all ways.
     *
     * @param last whether for good
     * @return whether none is open or ending
     */
    boolean endAll(boolean last) {
        boolean over = true;
        for (Way way : ways) {
            way.end(last);
            over &= way.state == PAUSED;
        }
        return over;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(" " + taken + " taken of " + sent);
        ways.forEach(way -> text.append(", channel ").append(way.channel).append(" context ").append(way.context)
                .append(" state ").append(way.state).append(" count ").append(way.count));
        return text.toString();
    }

    /** This rank sends no more messages of a context. */
    void drop(int context) {
        ways.forEach(way -> {
            if (way.context == context) {
                way.end(true);
            }
        });
        ways.removeIf(way -> way.context == context);
    }
}
