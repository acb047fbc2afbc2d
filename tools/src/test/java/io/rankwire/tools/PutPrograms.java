package io.rankwire.tools;

import static io.rankwire.tools.Programs.check;

import io.rankwire.Communicator;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.Window;
import io.rankwire.Work;
import io.rankwire.WorkBuffer;
import io.rankwire.WorkQueue;
import io.rankwire.WorkTarget;
import io.rankwire.World;
import java.lang.foreign.ValueLayout;

/** Work programs with puts that tests run as ranks. Each checks its own results. */
final class PutPrograms {
    private static final int TAG = 4;

    private PutPrograms() {}

    static String name(String program) {
        return PutPrograms.class.getName() + "$" + program;
    }

    /**
     * A token goes around all ranks: each writes it into the window of the next rank, and sends to it when it is there.
     * In each second run the epoch of all ranks but the first ends and begins again before the token comes.
     */
    static final class PutRelay {
        private static final int ROUNDS = 5;

        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                Window window = all.allocateWindow(8, 8);
                int right = (all.rank() + 1) % all.size();
                Work work = relay(all, window, right);
                for (int run = 0; run < 10; run++) {
                    window.memory().set(ValueLayout.JAVA_LONG, 0, all.rank() == 0 ? 1000 + run : 0);
                    all.barrier();
                    window.lock(Window.Lock.SHARED, right);
                    boolean reopens = run % 2 == 1 && all.rank() != 0;
                    if (all.rank() == 0) {
                        all.barrier();
                    }
                    Request request = work.start(TAG);
                    if (reopens) {
                        window.unlock(right);
                        window.lock(Window.Lock.SHARED, right);
                    }
                    if (all.rank() != 0) {
                        all.barrier();
                    }
                    request.await();
                    window.unlock(right);
                    all.barrier();
                    long came = window.memory().get(ValueLayout.JAVA_LONG, 0);
                    check(came == 1000 + run, "run " + run + ": rank " + all.rank() + " has " + came);
                }
                window.free();
            }
        }

        private static Work relay(Communicator all, Window window, int right) {
            int left = (all.rank() + all.size() - 1) % all.size();
            Work work = all.work();
            WorkBuffer token = work.buffer(window.memory());
            WorkBuffer nothing = work.buffer(new byte[0]);
            WorkTarget target = work.target(window, right, 0);
            int arrived = work.counter();
            int sent = work.counter();
            int written = work.counter();
            WorkQueue queue = work.queue();
            for (int round = 1; round <= ROUNDS; round++) {
                if (all.rank() != 0) {
                    queue.receive(left, nothing, arrived).await(arrived, round);
                }
                queue.put(token, target, written).await(written, round).send(right, nothing, sent);
                if (all.rank() == 0) {
                    queue.receive(left, nothing, arrived).await(arrived, round);
                }
            }
            return work;
        }
    }

    /**
     * A program of rank 0 waits for rank 1 and then writes to rank 2. The epoch ends before rank 1 sends, in each way
     * in which epochs end: the program has to fail, and to write nothing.
     */
    static final class PutAfterEpoch {
        private static final int WAYS = 4;

        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                Window window = all.allocateWindow(8, 8);
                window.memory().set(ValueLayout.JAVA_LONG, 0, 7 + all.rank());
                Work work = all.rank() == 0 ? write(all, window) : all.rank() == 1 ? send(all) : null;
                for (int way = 0; way < WAYS; way++) {
                    open(window, way, all);
                    Request request = null;
                    if (all.rank() == 0) {
                        request = work.start(TAG);
                        close(window, way);
                    }
                    all.barrier();
                    if (all.rank() == 1) {
                        work.start(TAG).await();
                    } else if (all.rank() == 0) {
                        String failure = failure(request);
                        check(failure.contains("rank 2: no epoch of world.window is open towards it"),
                                "way " + way + ": " + failure);
                    }
                    all.barrier();
                    check(window.memory().get(ValueLayout.JAVA_LONG, 0) == 7 + all.rank(), "way " + way);
                    end(window, way, all);
                }
                window.free();
            }
        }

        private static Work write(Communicator all, Window window) {
            Work work = all.work();
            int arrived = work.counter();
            work.queue().receive(1, work.buffer(new byte[0]), arrived).await(arrived, 1)
                    .put(work.buffer(window.memory()), work.target(window, 2, 0), work.counter());
            return work;
        }

        private static Work send(Communicator all) {
            Work work = all.work();
            work.queue().send(0, work.buffer(new byte[0]), work.counter());
            return work;
        }

        private static void open(Window window, int way, Communicator all) {
            if (way == 3) {
                window.fence();
            } else if (way == 2 && all.rank() == 2) {
                window.post(all.group().include(0));
            } else if (all.rank() == 0 && way == 2) {
                window.start(all.group().include(2));
            } else if (all.rank() == 0 && way == 1) {
                window.lockAll();
            } else if (all.rank() == 0) {
                window.lock(Window.Lock.SHARED, 2);
            }
        }

        private static void close(Window window, int way) {
            switch (way) {
                case 0 -> window.unlock(2);
                case 1 -> window.unlockAll();
                case 2 -> window.complete();
                // The epoch of a fence that was not used gives way.
                default -> window.lock(Window.Lock.SHARED, 1);
            }
        }

        private static void end(Window window, int way, Communicator all) {
            if (way == 2 && all.rank() == 2) {
                window.await();
            } else if (way == 3 && all.rank() == 0) {
                window.unlock(1);
            }
        }

        private static String failure(Request request) {
            try {
                request.await();
                return "none";
            } catch (RankwireException e) {
                return e.getMessage();
            }
        }
    }
}
