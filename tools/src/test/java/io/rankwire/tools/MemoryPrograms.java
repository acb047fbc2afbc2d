package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.World;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;

/** Programs whose ranks have several threads, for {@link MemoryJobTest}. */
final class MemoryPrograms {
    private static final int LARGE = 3_000_000;

    private MemoryPrograms() {}

    static String name(String program) {
        return MemoryPrograms.class.getName() + "$" + program;
    }

    private static void check(boolean good, String what) {
        if (!good) {
            throw new IllegalStateException(what);
        }
    }

    private static String error(Runnable call, ErrorClass expected) {
        try {
            call.run();
        } catch (RankwireException e) {
            check(e.errorClass() == expected, e.getMessage());
            return e.getMessage();
        }
        throw new IllegalStateException("no error");
    }

    /** One thread waits for a message while the other receives into memory of its own. */
    static final class Innocent {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                if (all.rank() == 1) {
                    for (int i = 0; i < 20; i++) {
                        byte[] message = new byte[i % 2 == 0 ? 16 : 100_000];
                        message[15] = (byte) i;
                        all.send(message, 0, 1);
                    }
                    all.receive(new byte[1], 0, 2);
                    all.send(new byte[] {7}, 0, 55);
                    return;
                }
                byte[] late = new byte[1];
                Thread other = new Thread(() -> all.receive(late, 1, 55));
                other.start();
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment memory = arena.allocate(100_000);
                    for (int i = 0; i < 20; i++) {
                        all.receive(memory, 1, 1);
                        check(memory.get(ValueLayout.JAVA_BYTE, 15) == i, "message " + i);
                    }
                }
                all.send(new byte[1], 1, 2);
                other.join();
                check(late[0] == 7, "the late message");
                System.out.println("all came");
            }
        }
    }

    /** Memory of a large message is closed, at its sender or at its receiver; the next message is whole. */
    static final class ClosesMemory {
        public static void main(String[] args) {
            boolean sender = args[0].equals("sender");
            try (World world = World.join()) {
                Communicator all = world.communicator();
                Arena arena = Arena.ofShared();
                MemorySegment lost = arena.allocate(LARGE);
                MemorySegment good = Arena.ofAuto().allocate(LARGE);
                Request first = all.rank() == 0
                        ? all.isend(sender ? lost : good, 1, 1) : all.irecv(sender ? good : lost, 0, 1);
                if (all.rank() == (sender ? 0 : 1)) {
                    arena.close();
                    System.out.println(error(first::await, ErrorClass.BUFFER));
                } else {
                    try {
                        first.await();
                    } catch (RankwireException e) {
                        System.out.println(e.getMessage());
                    }
                }
                if (all.rank() == 0) {
                    good.fill((byte) 3);
                    all.send(good, 1, 2);
                } else {
                    all.receive(good, 0, 2);
                    check(good.get(ValueLayout.JAVA_BYTE, LARGE - 1) == 3, "the next message");
                    System.out.println("the next came");
                }
            }
        }
    }

    /** Worlds one after another, each closed while a thread waits in it. */
    static final class ClosesUnderWaits {
        private interface Call {
            void make(Communicator all);
        }

        private static final Call[] CALLS = {
            all -> all.receive(new byte[8], 1, 5),
            all -> all.ssend(new byte[8], 1, 5),
            all -> all.send(new byte[LARGE], 1, 5),
            all -> all.probe(1, 5),
            all -> Request.awaitAny(all.irecv(new byte[8], 1, 5), all.irecv(new byte[8], 1, 6)),
            all -> all.barrier(),
            all -> all.allreduce(new double[LARGE], new double[LARGE], Op.SUM),
        };

        public static void main(String[] args) throws Exception {
            for (Call call : CALLS) {
                World world = World.join();
                Communicator all = world.communicator();
                if (all.rank() == 0) {
                    CompletableFuture<String> told = new CompletableFuture<>();
                    Thread waiter = new Thread(
                            () -> told.complete(error(() -> call.make(all), ErrorClass.CLOSED)), "waiter");
                    waiter.start();
                    while (waiter.getState() != Thread.State.TIMED_WAITING) {
                        Thread.sleep(1);
                    }
                    world.close();
                    System.out.println(told.get());
                }
                world.close();
            }
        }
    }
}
