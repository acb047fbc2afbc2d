package io.rankwire.device;

import io.rankwire.device.match.HeaderShare;
import io.rankwire.device.match.HeaderStore;
import io.rankwire.device.match.QueueHints;
import java.util.HashMap;
import java.util.Map;

/**
 * How the headers of the store are divided among the queues of contexts, and for each between posted receives and
 * unexpected messages. A context with hints has two shares of its own. What is set aside for it stays there; beyond
 * that, headers that are not in use go to the share that needs them.
 */
final class HeaderDivision {
    private record Part(QueueHints hints, HeaderShare receives, HeaderShare messages) {}

    private final HeaderStore headers;
    private final QueueHints usual;
    private final boolean grows;
    private final Part common;
    private final Map<Integer, Part> parts = new HashMap<>();

    HeaderDivision(HeaderStore headers, DeviceConfig config) {
        this.headers = headers;
        this.usual = config.hints();
        this.grows = config.overflow() == DeviceConfig.Overflow.GROW;
        this.common = new Part(QueueHints.NONE, headers.common(), headers.common());
    }

    private Part part(int context) {
        return parts.getOrDefault(context, common);
    }

    QueueHints hints(int context) {
        return part(context).hints;
    }

    HeaderShare receives(int context) {
        return part(context).receives;
    }

    HeaderShare messages(int context) {
        return part(context).messages;
    }

    /** Gives a context that is new the share that each context has. */
    void open(int context) {
        if (!usual.areNone() && !parts.containsKey(context)) {
            give(context, usual, 0, 0);
        }
    }

    /**
     * Divides the headers anew for a context none of whose headers is in use now.
     *
     * @param receives that it is going to have at once; there must be headers for them
     * @param messages the same
     */
    void give(int context, QueueHints wish, int receives, int messages) {
        drop(context);
        if (wish.areNone()) {
            return;
        }
        QueueHints granted = wish;
        HeaderShare forReceives = common.receives;
        HeaderShare forMessages = common.messages;
        if (wish.receives() + wish.messages() > 0) {
            forReceives = share(receives);
            forMessages = share(messages);
            enlarge(forReceives, wish.receives());
            enlarge(forMessages, wish.messages());
            forReceives.guarantee(wish.receives());
            forMessages.guarantee(wish.messages());
            headers.prepare();
            granted = new QueueHints(forReceives.guaranteed(), forMessages.guaranteed(), wish.by(), wish.queues());
        }
        parts.put(context, new Part(granted, forReceives, forMessages));
    }

    private HeaderShare share(int needed) {
        HeaderShare share = headers.divide();
        headers.redivide(share, needed);
        share.guarantee(needed);
        return share;
    }

    /** Gives a share headers up to the number that is wished for, or as many as there are. */
    private void enlarge(HeaderShare share, int wish) {
        headers.redivide(share, Math.max(0, wish - share.limit()));
        if (grows && share.limit() < wish) {
            headers.extend(wish - share.limit());
            headers.redivide(share, wish - share.limit());
        }
        share.guarantee(Math.max(wish, share.guaranteed()));
    }

    /** Forgets a context none of whose headers is in use. */
    void drop(int context) {
        Part part = parts.remove(context);
        if (part != null && part.receives != common.receives) {
            headers.unite(part.receives);
            headers.unite(part.messages);
        }
    }

    /** Gives a full share some headers that others have and do not use. False if there are none. */
    boolean enlarge(HeaderShare full) {
        return headers.redivide(full, Math.max(1, full.limit() / 2)) > 0;
    }

    /** Whether a context would use at most half of the headers that are free for it. */
    boolean hasAmpleRoom(int context, int receives, int messages) {
        Part part = part(context);
        int free = part.messages.limit() - part.messages.inUse();
        return part.receives == part.messages ? receives + messages <= free / 2
                : messages <= free / 2 && receives <= (part.receives.limit() - part.receives.inUse()) / 2;
    }
}
