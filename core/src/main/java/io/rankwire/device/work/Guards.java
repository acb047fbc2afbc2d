package io.rankwire.device.work;

import io.rankwire.device.Device;
import io.rankwire.device.Operation;
import io.rankwire.type.ElementType;
import java.util.ArrayList;
import java.util.List;

/**
 * Receives of a queue that refuses, which meet what comes too early: one that no message fits for each peer of a
 * disabled receive. They come after all real receives, so those are met first.
 */
final class Guards {
    private final List<Operation> posted = new ArrayList<>();

    /** Posts those that are missing. */
    void post(Device device, WorkProgram program, WorkQueue queue) {
        for (int i = posted.size() - 1; i >= 0; i--) {
            if (posted.get(i).isDone()) {
                device.release(posted.remove(i));
            }
        }
        for (int i = queue.head < queue.enabled ? queue.tail : queue.enabled; i < queue.tail; i++) {
            long head = queue.cells[i * Entry.WORDS];
            int peer = Entry.peer(head);
            while (Entry.isReceive(head) && !isPosted(peer)) {
                Operation guard = device.receive(program.context, peer, program.tag + queue.channel,
                        Operation.NOT_ENABLED, 0, 0, ElementType.OBJECT.code());
                if (guard.isDone()) {
                    device.release(guard);
                } else {
                    guard.noteEnd(program, 0);
                    posted.add(guard);
                }
            }
        }
    }

    private boolean isPosted(int peer) {
        for (int i = 0; i < posted.size(); i++) {
            if (posted.get(i).peer() == peer) {
                return true;
            }
        }
        return false;
    }

    void withdraw(WorkEngine engine) {
        // An iterator would be allocated at the end of every program until the second compiler has removed it.
        for (int i = 0; i < posted.size(); i++) {
            engine.giveUp(posted.get(i));
        }
        posted.clear();
    }
}
