package io.rankwire.device;

import io.rankwire.device.dma.Descriptor;
import io.rankwire.device.dma.EarlyQuota;
import io.rankwire.device.dma.InjectionFifos;
import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;

/**
 * The sending side of large messages. A message is announced and, by policy, pushed from its front at once; the
 * receiver's one answer says how much it wants and where, and the rest follows from the back (D2). Only that answer,
 * and the last byte gone, free the send buffer.
 *
 * <p>The four cases of H8, told apart by the answer: (a) receive posted, size within the limit: the engine alone puts
 * the rest; (b) posted, larger: software hands the engine one put after another; (c) not posted, within the limit: the
 * later receive comes as a remote get, which the engine serves alone; (d) not posted, larger: as (b).
 */
final class SendTransfers {
    private static final int ID = 8;
    private static final int ANNOUNCEMENT = 6 * ID;
    /** Frames one peer may get in one round of progress, so that no transfer holds up small messages. */
    private static final int QUANTUM = 4;
    private static final long ALL = Long.MAX_VALUE;
    private static final int CASES = 4;

    static final int UNANSWERED = 0;
    /** It wants the message in frames. */
    private static final int SEND = 1;
    /** It takes the message from where it lies. */
    private static final int TAKES = 2;
    /** It wants the message put into its memory. */
    private static final int PUT = 3;
    /** It has the message, or refuses it. */
    private static final int OVER = 4;

    private final Device device;
    private final DeviceConfig.Large policy;
    private final long putLimit;
    private final int chunkBytes;
    private final long mostEarly;
    private final long[] cases = new long[CASES];

    SendTransfers(Device device, int maxPayload) {
        this.device = device;
        this.policy = device.config().large();
        this.putLimit = device.config().putLimit();
        this.chunkBytes = maxPayload - Descriptor.LEAD & ~63;
        this.mostEarly = 4L * maxPayload;
    }

    EarlyQuota newQuota() {
        return new EarlyQuota(chunkBytes, mostEarly);
    }

    /** How often each case of H8 came up, (a) to (d). */
    long cases(int which) {
        return cases[which];
    }

    /** False if there is no room for the announcement; the caller knows that there is credit. */
    boolean announce(Peer peer, Operation operation) {
        long at = peer.outlet.claim(ANNOUNCEMENT);
        if (at < 0) {
            return false;
        }
        device.outbound().holdIfBuffered(operation);
        int way = open(peer, operation, at);
        long early = way != 0 || operation.bytes == 0 ? 0 : early(peer);
        commit(peer, operation, at, Frame.REQUEST_TO_SEND, early > 0 ? Frame.FLAG_EARLY : way);
        peer.used += 1;
        if (early > 0) {
            inject(peer, InjectionFifos.NORMAL, operation.transfer.early, operation, operation.index(), early);
            push(peer);
        }
        return true;
    }

    /** Announces a message that waits for credit, ahead of its turn; false if there is no room. */
    boolean offer(Peer peer, Operation operation, boolean foremost) {
        long at = peer.outlet.claim(ANNOUNCEMENT);
        if (at < 0) {
            return false;
        }
        int way = open(peer, operation, at);
        commit(peer, operation, at, Frame.OFFER, foremost ? way | Frame.FLAG_FOREMOST : way);
        operation.offered = true;
        operation.foremost = foremost;
        operation.pending = true;
        return true;
    }

    private int open(Peer peer, Operation operation, long at) {
        if (operation.transfer == null) {
            operation.transfer = new SendTransfer(operation);
        }
        operation.transfer.span.open(operation.bytes);
        return device.direct().offer(operation, peer, peer.outlet.memory(), at + 3 * ID);
    }

    private static void commit(Peer peer, Operation operation, long at, int kind, long flags) {
        Outlet outlet = peer.outlet;
        Words.plain(outlet.memory(), at, operation.index());
        Words.plain(outlet.memory(), at + ID, operation.bytes);
        Words.plain(outlet.memory(), at + 2 * ID, flags);
        outlet.commit(at, ANNOUNCEMENT, Frame.meta(kind, operation.elementType),
                Frame.header(operation.context, operation.tag));
        operation.announced = true;
    }

    /** The receiver does not take an offered message; it waits for its turn. */
    void declined(Operation operation) {
        operation.offered = false;
        operation.announced = false;
        operation.pending = false;
        giveClaims(operation);
    }

    private void giveClaims(Operation operation) {
        device.direct().giveClaims(operation.transfer.claims);
        operation.transfer.claims = DirectCopies.NO_CLAIMS;
    }

    private long early(Peer peer) {
        return switch (policy) {
            case RENDEZVOUS -> 0;
            case EAGER -> ALL;
            case AUTO, TWO_ENDED, PROCESS -> peer.early.bytes();
        };
    }

    private void inject(Peer peer, int priority, Descriptor descriptor, Operation operation, int id, long budget) {
        descriptor.fill(operation.buffer, operation.offset, operation.elementType, id, budget);
        peer.injection.add(priority, descriptor);
        device.outbound().markBusy(peer);
    }

    /** Moves a bounded number of chunks, the most urgent first; returns how many. */
    int push(Peer peer) {
        int work = 0;
        while (work < QUANTUM) {
            Descriptor descriptor = peer.injection.first();
            if (descriptor == null) {
                break;
            }
            long units = descriptor.isPut() ? 0 : device.units(descriptor.nextEarly(chunkBytes));
            if (peer.used + units > peer.allowedEager && units != 0) {
                endEarly(peer, descriptor);
                continue;
            }
            Operation operation = (Operation) descriptor.owner();
            try {
                if (!operation.hasEnded() && !descriptor.push(peer.outlet, chunkBytes)) {
                    break;
                }
            } catch (IllegalStateException e) {
                operation.checkEnded(e);
            }
            if (operation.hasEnded()) {
                memoryEnded(peer, operation);
                continue;
            }
            peer.used += units;
            work++;
            if (descriptor.exhausted()) {
                ended(peer, descriptor);
            }
        }
        return work;
    }

    /** Its memory has ended: the receiver that waits for the rest gets a frame that says so, once it has answered. */
    void memoryEnded(Peer peer, Operation operation) {
        endEarly(peer, operation.transfer.early);
        endEarly(peer, operation.transfer.put);
        if (operation.answer == SEND || operation.answer == PUT) {
            device.outbound().control(peer, Frame.MESSAGE_ENDED, Frame.header(operation.remoteId, 0), 0);
            finish(peer, operation);
        }
    }

    private void ended(Peer peer, Descriptor descriptor) {
        peer.injection.remove(descriptor);
        descriptor.clear();
        Operation operation = (Operation) descriptor.owner();
        if (operation.answer != SEND) {
            return;
        }
        if (operation.transfer.span.left() == 0) {
            finish(peer, operation);
        } else if (descriptor.isPut()) {
            inject(peer, InjectionFifos.NORMAL, descriptor, operation, operation.remoteId, putLimit);
        }
    }

    /** No more goes ahead of the answer. */
    private static void endEarly(Peer peer, Descriptor early) {
        if (early.queued()) {
            peer.injection.remove(early);
            early.clear();
        }
    }

    /** The receiver is known and wants so many bytes. */
    void cleared(Peer peer, int kind, Operation operation, int remoteId, long wanted) {
        noteAnswer(peer, operation);
        cases[kind == Frame.REMOTE_GET ? 2 : operation.pending ? 3 : operation.bytes <= putLimit ? 0 : 1]++;
        operation.remoteId = remoteId;
        operation.wanted = wanted;
        answered(peer, operation, SEND);
    }

    /** The receiver takes the message itself, and the sender helps it. */
    void shared(Peer peer, Operation operation, long wanted, long place, long offset) {
        device.direct().help(operation, peer, wanted, place, offset);
        answered(peer, operation, TAKES);
    }

    /** The receiver names its memory; the sender puts the message there, or sends it if it cannot reach that. */
    void invited(Peer peer, Operation operation, int remoteId, long wanted, long place, long offset) {
        noteAnswer(peer, operation);
        operation.remoteId = remoteId;
        operation.wanted = wanted;
        operation.place = place;
        operation.placeOffset = offset;
        answered(peer, operation, PUT);
    }

    /** The receiver has the message: one it took itself, or a synchronous one that went whole. */
    void received(Peer peer, Operation operation) {
        answered(peer, operation, OVER);
    }

    /** The receiver takes nothing. A send whose cancel is still unanswered ends with that answer, not before. */
    void refused(Peer peer, Operation operation) {
        operation.code = Code.REFUSED;
        answered(peer, operation, OVER);
    }

    private void answered(Peer peer, Operation operation, int answer) {
        if (operation.offered) {
            device.outbound().leaveLine(peer, operation);
        }
        operation.answer = answer;
        if (!operation.cancelling) {
            resume(peer, operation);
        }
    }

    private void resume(Peer peer, Operation operation) {
        if (operation.hasEnded() && operation.answer != OVER) {
            memoryEnded(peer, operation);
            return;
        }
        switch (operation.answer) {
            case SEND -> startPuts(peer, operation);
            case PUT -> {
                SendTransfer transfer = operation.transfer;
                transfer.span.cut(operation.wanted);
                if (transfer.span.left() > 0 && device.direct().put(operation, peer, transfer.span.front(),
                        operation.wanted, operation.place, operation.placeOffset)) {
                    transfer.span.cut(0);
                    endEarly(peer, transfer.early);
                } else {
                    operation.answer = SEND;
                    startPuts(peer, operation);
                }
            }
            case OVER -> {
                if (Copy.hasEnded(operation.buffer)) {
                    // The receiver may have taken it from where it lay, too late.
                    operation.buffer = Copy.NOWHERE;
                }
                finish(peer, operation);
            }
            default -> {
                // The receiver takes it.
            }
        }
    }

    private void startPuts(Peer peer, Operation operation) {
        SendTransfer transfer = operation.transfer;
        transfer.span.cut(operation.wanted);
        if (transfer.span.left() == 0) {
            finish(peer, operation);
            return;
        }
        boolean alone = operation.bytes <= putLimit;
        inject(peer, alone ? InjectionFifos.HIGH : InjectionFifos.NORMAL, transfer.put, operation,
                operation.remoteId, alone ? ALL : putLimit);
    }

    /** The message waits for its receive; what was pushed is kept there. */
    void pending(Peer peer, Operation operation) {
        if (operation.offered) {
            device.outbound().leaveLine(peer, operation);
        }
        noteAnswer(peer, operation);
        operation.pending = true;
        endEarly(peer, operation.transfer.early);
    }

    private static void noteAnswer(Peer peer, Operation operation) {
        if (!operation.pending) {
            peer.early.answered(operation.transfer.span.front(), operation.bytes);
        }
    }

    void finish(Peer peer, Operation operation) {
        SendTransfer transfer = operation.transfer;
        if (transfer != null) {
            endEarly(peer, transfer.early);
            endEarly(peer, transfer.put);
            giveClaims(operation);
        }
        device.outbound().finishSend(operation, operation.code);
    }

    /** Asks the receiver to forget an announced message, unless it has answered already. */
    void withdraw(Peer peer, Operation operation) {
        if (operation.cancelling || operation.answer != UNANSWERED) {
            return;
        }
        operation.cancelling = true;
        if (operation.transfer != null) {
            endEarly(peer, operation.transfer.early);
        }
        device.outbound().control(
                peer, Frame.CANCEL, Frame.header(operation.context, operation.tag), operation.index());
    }

    /**
     * The peer's answer to a cancel; a message that met its receive meanwhile goes on as if none had been asked for,
     * and one that was offered and declined had not gone yet.
     */
    void cancelAnswered(Peer peer, Operation operation, boolean withdrawn) {
        operation.cancelling = false;
        boolean declined = !operation.announced;
        if (declined || operation.offered) {
            device.outbound().leaveLine(peer, operation);
        }
        if (withdrawn || declined) {
            operation.code = Code.CANCELLED;
            finish(peer, operation);
        } else {
            resume(peer, operation);
        }
    }
}
