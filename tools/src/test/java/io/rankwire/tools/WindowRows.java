package io.rankwire.tools;

import static io.rankwire.tools.MatrixRow.expect;

import io.rankwire.Datatype;
import io.rankwire.ErrorClass;
import io.rankwire.Group;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Window;
import io.rankwire.Window.Lock;
import io.rankwire.tools.MatrixRow.Promise;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Windows: how they are made, accesses to the rank that dies, and the ways to synchronise. */
final class WindowRows {
    private static final int INTS = 40_000;
    private static final Datatype PAIR = Datatype.vector(2, 1, 2, Datatype.INT);

    private WindowRows() {}

    /** An access to a rank's part: 40,000 numbers, all of which are 7, but the first ones. */
    private interface Access {
        void to(Window window, int at) throws Exception;
    }

    private interface Maker {
        Window on(MatrixStage stage) throws Exception;
    }

    static void addTo(List<MatrixRow> rows) {
        made(rows);
        plain(rows);
        typed(rows);
        epochs(rows);
        locks(rows);
        groups(rows);
        memory(rows);
    }

    private static void made(List<MatrixRow> rows) {
        making(rows, "window", stage -> stage.on.window(new int[8], 4));
        making(rows, "allocateWindow", stage -> stage.on.allocateWindow(32, 4));
        making(rows, "sharedWindow", stage -> stage.on.sharedWindow(32, 4));
        making(rows, "dynamicWindow", stage -> stage.on.dynamicWindow());
    }

    private static void making(List<MatrixRow> rows, String name, Maker maker) {
        rows.add(new MatrixRow(name, Promise.PEER, stage -> round -> {
            Window made = maker.on(stage);
            try {
                made.fence();
            } finally {
                made.free();
            }
        }));
    }

    /** Memory that others reach by themselves, or with the help of its owner. */
    private static Window window(MatrixStage stage, boolean heap) {
        Window made;
        if (heap) {
            int[] memory = new int[INTS];
            Arrays.fill(memory, 7);
            made = stage.on.window(memory, 4);
        } else {
            made = stage.on.allocateWindow(4L * INTS, 4);
            MemorySegment memory = made.memory();
            for (int i = 0; i < INTS; i++) {
                memory.setAtIndex(ValueLayout.JAVA_INT, i, 7);
            }
        }
        stage.atEnd(made::free);
        stage.on.barrier();
        return made;
    }

    private static void access(List<MatrixRow> rows, String name, Access access) {
        for (boolean heap : new boolean[] {false, true}) {
            rows.add(new MatrixRow(name + (heap ? ", window on an array" : ""), Promise.PEER, stage -> {
                Window window = window(stage, heap);
                return round -> {
                    if (stage.dies) {
                        stage.idle();
                        return;
                    }
                    window.lock(round % 3 == 0 ? Lock.EXCLUSIVE : Lock.SHARED, stage.victim);
                    try {
                        access.to(window, stage.victim);
                    } finally {
                        window.unlock(stage.victim);
                    }
                };
            }));
        }
    }

    private static void checkGot(Window window, int at, int... got) {
        window.flush(at);
        for (int each : got) {
            expect("element", 7, each);
        }
    }

    private static void plain(List<MatrixRow> rows) {
        access(rows, "put", (window, at) -> window.put(new int[] {1, 2}, at, 0));
        access(rows, "put of 120 KB", (window, at) -> window.put(new int[30_000], 0, 30_000, at, 4));
        access(rows, "get", (window, at) -> {
            int[] got = new int[2];
            window.get(got, at, 35_000);
            checkGot(window, at, got);
        });
        access(rows, "get of 20 KB", (window, at) -> {
            int[] got = new int[5_000];
            window.get(got, 0, 5_000, at, 35_000);
            checkGot(window, at, got);
        });
        access(rows, "accumulate", (window, at) -> window.accumulate(new int[] {1}, at, 3, Op.SUM));
        access(rows, "getAccumulate", (window, at) -> {
            int[] got = new int[1];
            window.getAccumulate(new int[] {0}, got, at, 35_000, Op.SUM);
            checkGot(window, at, got);
        });
        access(rows, "fetchAndOp", (window, at) -> {
            int[] got = new int[1];
            window.fetchAndOp(new int[] {0}, got, at, 35_000, Op.SUM);
            checkGot(window, at, got);
            expect("int", 7, window.fetchAndOp(0, at, 35_001, Op.SUM));
        });
        access(rows, "compareAndSwap", (window, at) -> {
            int[] got = new int[1];
            window.compareAndSwap(new int[] {7}, new int[] {7}, got, at, 35_000);
            checkGot(window, at, got);
            expect("int", 7, window.compareAndSwap(7, 7, at, 35_000));
        });
        access(rows, "rput", (window, at) -> window.rput(new int[10_000], 0, 10_000, at, 0).await());
        access(rows, "rget", (window, at) -> {
            int[] got = new int[5_000];
            window.rget(got, 0, 5_000, at, 35_000).await();
            checkGot(window, at, got);
        });
        access(rows, "raccumulate", (window, at) -> window.raccumulate(new int[9], 0, 9, at, 0, Op.SUM).await());
        access(rows, "rgetAccumulate", (window, at) -> {
            int[] got = new int[9];
            window.rgetAccumulate(new int[9], 0, got, 0, 9, at, 35_000, Op.SUM).await();
            checkGot(window, at, got);
        });
    }

    private static void typed(List<MatrixRow> rows) {
        int[] pair = {7, 0, 7};
        access(rows, "put typed", (window, at) -> window.put(pair, 0, 1, PAIR, at, 0, 1, PAIR));
        access(rows, "rput typed", (window, at) -> window.rput(pair, 0, 1, PAIR, at, 0, 1, PAIR).await());
        access(rows, "get typed", (window, at) -> {
            int[] got = {7, 7, 7};
            window.get(got, 0, 1, PAIR, at, 35_000, 1, PAIR);
            checkGot(window, at, got);
        });
        access(rows, "rget typed", (window, at) -> {
            int[] got = {7, 7, 7};
            window.rget(got, 0, 1, PAIR, at, 35_000, 1, PAIR).await();
            checkGot(window, at, got);
        });
        access(rows, "accumulate typed", (window, at) ->
                window.accumulate(pair, 0, 1, PAIR, at, 0, 1, PAIR, Op.SUM));
        access(rows, "raccumulate typed", (window, at) ->
                window.raccumulate(pair, 0, 1, PAIR, at, 0, 1, PAIR, Op.SUM).await());
        access(rows, "getAccumulate typed", (window, at) -> {
            int[] got = {7, 7, 7};
            window.getAccumulate(new int[3], 0, 1, PAIR, got, 0, 1, PAIR, at, 35_000, 1, PAIR, Op.SUM);
            checkGot(window, at, got);
        });
        access(rows, "rgetAccumulate typed", (window, at) -> {
            int[] got = {7, 7, 7};
            window.rgetAccumulate(new int[3], 0, 1, PAIR, got, 0, 1, PAIR, at, 35_000, 1, PAIR, Op.SUM).await();
            checkGot(window, at, got);
        });
        access(rows, "compareAndSwap typed", (window, at) -> {
            int[] got = new int[1];
            window.compareAndSwap(new int[] {7}, 0, new int[] {7}, 0, got, 0, Datatype.INT, at, 35_000);
            checkGot(window, at, got);
        });
    }

    private static void epochs(List<MatrixRow> rows) {
        for (boolean heap : new boolean[] {false, true}) {
            String where = heap ? ", window on an array" : "";
            rows.add(new MatrixRow("fence" + where, Promise.PEER, stage -> {
                Window window = window(stage, heap);
                window.fence();
                return round -> {
                    int next = (stage.rank + 1) % stage.size;
                    int[] got = new int[1];
                    window.put(new int[] {round}, next, 0);
                    window.get(got, next, 35_000);
                    window.fence();
                    expect("element", 7, got[0]);
                };
            }));
            rows.add(new MatrixRow("lockAll" + where, Promise.PEER, stage -> {
                Window window = window(stage, heap);
                return round -> {
                    window.lockAll();
                    try {
                        for (int at = 0; at < stage.size; at++) {
                            window.accumulate(new int[] {1}, at, 0, Op.SUM);
                        }
                        window.flushAll();
                    } finally {
                        window.unlockAll();
                    }
                };
            }));
            rows.add(flushing("flush" + where, heap, Window::flush));
            rows.add(flushing("flushLocal" + where, heap, Window::flushLocal));
            rows.add(flushing("flushAll" + where, heap, (window, at) -> window.flushAll()));
            rows.add(flushing("flushLocalAll" + where, heap, (window, at) -> window.flushLocalAll()));
        }
        rows.add(new MatrixRow("attach", Promise.PEER, stage -> {
            Window window = stage.on.dynamicWindow();
            stage.atEnd(window::free);
            int[] memory = {7, 7};
            expect("displacement", 0, window.attach(memory));
            stage.on.barrier();
            return round -> {
                if (stage.dies) {
                    stage.idle();
                    return;
                }
                window.lock(Lock.SHARED, stage.victim);
                try {
                    int[] got = new int[1];
                    window.get(got, stage.victim, 4);
                    checkGot(window, stage.victim, got);
                } finally {
                    window.unlock(stage.victim);
                }
            };
        }));
    }

    private interface Flush {
        void of(Window window, int at);
    }

    /** All are locked before the death; after it, accesses and flushes at the dead rank fail, and others work. */
    private static MatrixRow flushing(String name, boolean heap, Flush flush) {
        return new MatrixRow(name, Promise.PEER, stage -> {
            Window window = window(stage, heap);
            lockAll(stage, window);
            return round -> {
                if (stage.dies) {
                    stage.idle();
                    return;
                }
                int live = stage.liveAfter(stage.rank);
                int[] got = new int[1];
                window.get(got, live, 35_000);
                window.flush(live);
                expect("element", 7, got[0]);
                window.accumulate(new int[] {1}, stage.victim, 3, Op.SUM);
                flush.of(window, stage.victim);
            };
        });
    }

    /** All lock all, until the cell ends. */
    private static void lockAll(MatrixStage stage, Window window) {
        window.lockAll();
        stage.on.barrier();
        if (!stage.dies) {
            stage.atEnd(() -> {
                try {
                    window.unlockAll();
                    throw new IllegalStateException("unlockAll went well");
                } catch (RankwireException e) {
                    expect("class " + e, ErrorClass.PEER.ordinal(), e.errorClass().ordinal());
                }
            });
        }
    }

    /** The victim takes the same lock as the others, and may die with it. */
    private static void locks(List<MatrixRow> rows) {
        for (boolean heap : new boolean[] {false, true}) {
            rows.add(new MatrixRow("locks of the dead" + (heap ? ", window on an array" : ""), Promise.GOES_ON,
                    stage -> {
                Window window = window(stage, heap);
                int at = stage.firstLive();
                return round -> {
                    window.lock(Lock.EXCLUSIVE, at);
                    int[] twice = new int[2];
                    window.get(twice, at, 0);
                    window.flush(at);
                    if (twice[0] != twice[1]) {
                        // A rank died between its two writes.
                        expect("known deaths", 1, stage.all.failed().size());
                    }
                    window.put(new int[] {twice[0] + 1}, at, 0);
                    window.flush(at);
                    window.put(new int[] {twice[0] + 1}, at, 1);
                    window.unlock(at);
                };
            }));
        }
    }

    private static void groups(List<MatrixRow> rows) {
        for (boolean heap : new boolean[] {false, true}) {
            String where = heap ? ", window on an array" : "";
            rows.add(new MatrixRow("start and complete" + where, Promise.PEER, stage -> {
                Window window = window(stage, heap);
                Group survivors = stage.survivors();
                Group victim = stage.on.group().include(stage.victim);
                return round -> {
                    if (stage.dies) {
                        window.post(survivors);
                        window.await();
                        return;
                    }
                    try {
                        window.start(victim);
                        window.put(new int[] {round}, stage.victim, 0);
                    } finally {
                        window.complete();
                    }
                };
            }));
            rows.add(new MatrixRow("post and await" + where, Promise.PEER, stage -> {
                Window window = window(stage, heap);
                Group survivors = stage.survivors();
                Group victim = stage.on.group().include(stage.victim);
                return round -> {
                    if (stage.dies) {
                        window.start(survivors);
                        window.put(new int[] {round}, stage.firstLive(), 0);
                        window.complete();
                        return;
                    }
                    try {
                        window.post(victim);
                    } finally {
                        if (round % 2 == 0) {
                            window.await();
                        } else {
                            while (!window.test()) {
                                Thread.onSpinWait();
                            }
                        }
                    }
                };
            }));
        }
    }

    /** Loads from another part, if that is memory which can be reached. The call never waits, also if it fails. */
    private static boolean isShared(Window window, int of, Set<ErrorClass> errors) {
        try {
            expect("element", 7, window.shared(of).getAtIndex(ValueLayout.JAVA_INT, 35_000));
            return true;
        } catch (RankwireException e) {
            if (!errors.contains(e.errorClass())) {
                throw e;
            }
            return false;
        }
    }

    /** Parts that this rank uses as memory of its own. */
    private static void memory(List<MatrixRow> rows) {
        rows.add(new MatrixRow("Window.shared", Promise.GOES_ON, stage -> {
            Window window = window(stage, false);
            Set<ErrorClass> unmapped = Set.of(ErrorClass.WINDOW);
            boolean isMapped = isShared(window, stage.liveAfter(stage.rank), unmapped);
            Set<ErrorClass> dead = isMapped ? Set.of(ErrorClass.PEER) : Set.of(ErrorClass.PEER, ErrorClass.WINDOW);
            return round -> {
                if (stage.dies) {
                    stage.idle();
                    return;
                }
                for (int of = 0; of < stage.size; of++) {
                    boolean isShared = isShared(window, of, of == stage.victim ? dead : unmapped);
                    if (of != stage.victim && of != stage.rank && isShared != isMapped) {
                        throw new IllegalStateException("the part of rank " + of
                                + (isShared ? " can" : " cannot") + " be reached now");
                    }
                }
            };
        }));
        rows.add(new MatrixRow("Window.sync", Promise.GOES_ON, stage -> {
            Window window = window(stage, false);
            lockAll(stage, window);
            int before = stage.liveBefore(stage.rank);
            int after = stage.liveAfter(stage.rank);
            return round -> {
                if (stage.dies) {
                    stage.idle();
                    return;
                }
                // A rank may be some rounds ahead of the next one.
                int place = round % 100;
                window.put(new int[] {round}, after, place);
                window.flush(after);
                stage.on.sendReceive(new int[1], after, 1, new int[1], before, 1);
                window.sync();
                expect("element", round, window.memory().getAtIndex(ValueLayout.JAVA_INT, place));
            };
        }));
        rows.add(new MatrixRow("detach", Promise.GOES_ON, stage -> {
            Window window = stage.on.dynamicWindow();
            stage.atEnd(window::free);
            int[] memory = new int[2];
            return round -> {
                if (stage.dies) {
                    stage.idle();
                    return;
                }
                window.attach(memory);
                window.detach(memory);
            };
        }));
    }
}
