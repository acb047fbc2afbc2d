package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.World;
import io.rankwire.launch.Job;
import io.rankwire.memory.Rand;
import io.rankwire.tools.MatrixRow.Call;
import io.rankwire.tools.MatrixRow.Noticed;
import io.rankwire.tools.MatrixRow.Phase;
import io.rankwire.tools.MatrixRow.Promise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A job that walks through cells of the matrix. In each, one rank dies and the others shrink their communicator, with
 * which the next cell begins. The file {@code cells} in the given directory has a line for each cell: row, phase, seed.
 */
final class MatrixProgram {
    /** A row in a phase. The seed decides which rank dies and when. */
    record Cell(String row, Phase phase, long seed) {
        static Cell parse(String line) {
            String[] parts = line.split("\t");
            return new Cell(parts[0], Phase.valueOf(parts[1]), Long.parseLong(parts[2]));
        }

        @Override
        public String toString() {
            return row + "\t" + phase + "\t" + seed;
        }
    }

    /** Ends a rank that is a thread. */
    private static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Death() {
            super("killed");
        }
    }

    private final Job job = Job.current();
    private final boolean isThread;
    private final CellBoard board;
    private final Path place;
    private final World world;
    private Communicator all;
    /** Whether this rank replaces another, in a cell that the others have begun. */
    private boolean isNew;
    /** The cell, and what it needs at this rank. */
    private int number;
    private Cell cell;
    private MatrixRow row;
    private MatrixStage stage;
    private Rand random;
    /** The round that this rank is in, and how long the one before took. */
    private volatile int round;
    private volatile long begunNs;
    private volatile long tookNs;

    private MatrixProgram(Path place, int cells, boolean isThread) throws Exception {
        this.place = place;
        this.isThread = isThread;
        this.board = CellBoard.open(place.resolve("board"), cells);
        this.world = World.join();
        this.all = world.communicator();
        this.isNew = world.isReplacement();
    }

    public static void main(String[] args) throws Exception {
        Path place = Path.of(args[0]);
        List<Cell> cells = Files.readAllLines(place.resolve("cells")).stream().map(Cell::parse).toList();
        MatrixProgram program = new MatrixProgram(place, cells.size(), args[1].equals("threads"));
        program.walk(cells);
    }

    private void walk(List<Cell> cells) {
        if (isNew) {
            number = board.cell();
        }
        for (; number < cells.size(); number++) {
            cell = cells.get(number);
            board.cell(number);
            try {
                play();
            } catch (Death e) {
                throw e;
            } catch (Throwable e) {
                if (stage != null && stage.dies && job.board().failures().isDead(job.rank())) {
                    throw new Death();
                }
                if (e instanceof RankwireException other && other.errorClass() == ErrorClass.ABORTED) {
                    throw other;
                }
                System.out.println("WRONG\t" + number + "\trank " + job.rank() + ": " + e);
                e.printStackTrace(System.out);
                System.out.flush();
                world.abort(3, "cell " + cell + " at rank " + job.rank() + ": " + e);
            }
        }
        world.close();
    }

    private void play() throws Throwable {
        row = MatrixRow.named(cell.row);
        random = new Rand(cell.seed);
        if (isNew) {
            isNew = false;
            settle();
            return;
        }
        int victim = random.below(all.size());
        stage = new MatrixStage(world, all, victim, cell.seed, place);
        Call call = row.setup().on(stage);
        int twice = row.promise() == Promise.REPLACES && cell.phase.ordinal() >= Phase.MIDDLE.ordinal() ? 1 : 0;
        board.deaths(number, job.board().failures().count() + 1 + twice);
        board.awaitReady(number, all.size());
        if (row.promise() == Promise.REPLACES) {
            replace(twice > 0 && stage.rank == stage.liveAfter(victim));
            return;
        }
        if (stage.dies) {
            die(call);
        }
        int rounds = survive(call);
        if (row.promise() != Promise.CLOSES) {
            repair(rounds);
        }
    }

    /** One rank dies, and in later phases another one while the first is being replaced, or when it was. */
    private void replace(boolean diesToo) throws Exception {
        if (stage.dies) {
            if (cell.phase == Phase.EARLY) {
                board.awaitEntered(number, stage.size - 1);
                pause(random.below(2_000_000));
            }
            kill();
        }
        while (cell.phase != Phase.EARLY && !stage.isDeathKnown()) {
            LockSupport.parkNanos(100_000);
        }
        board.enter(number, job.rank());
        if (diesToo) {
            if (cell.phase == Phase.MIDDLE) {
                long ns = random.below(400_000_000);
                Thread.ofPlatform().daemon().start(() -> {
                    LockSupport.parkNanos(ns);
                    killFromAside();
                });
                settle();
            }
            all.replace();
            kill();
        }
        settle();
    }

    /** Repairs the communicator until all ranks of the cell have died that are to die. */
    private void settle() {
        int size = all.size();
        while (true) {
            boolean good = false;
            try {
                int[] sum = new int[1];
                all.allreduce(new int[] {1 << all.rank()}, sum, Op.SUM);
                MatrixRow.expect("sum", (1 << size) - 1, sum[0]);
                good = job.board().failures().count() >= board.deaths(number);
            } catch (RankwireException e) {
                if (e.errorClass() != ErrorClass.PEER && e.errorClass() != ErrorClass.REVOKED) {
                    throw e;
                }
                all.revoke();
            }
            if (all.agree(good ? 1 : 0) == 1) {
                break;
            }
            LockSupport.parkNanos(1_000_000);
            all = all.replace();
            MatrixRow.expect("members", size, all.size());
        }
        board.ended(number, job.rank(), 1);
        if (stage != null) {
            stage.end();
        }
    }

    private void die(Call call) throws Exception {
        int fatal = random.below(3);
        switch (cell.phase) {
            case BEFORE -> { }
            case EARLY -> {
                board.awaitEntered(number, stage.size - 1);
                pause(random.below(200_000));
            }
            case MIDDLE -> {
                round = -1;
                long share = random.below(1000);
                // A world closes once.
                int last = row.promise() == Promise.CLOSES ? 0 : fatal + 1;
                Thread.ofPlatform().daemon().start(() -> killInRound(last, share));
                for (int next = 0; true; next++) {
                    begin(next);
                    call.make(next);
                }
            }
            case COMPLETION -> {
                for (int next = 0; next <= (row.promise() == Promise.CLOSES ? 0 : fatal); next++) {
                    call.make(next);
                }
            }
        }
        kill();
    }

    private void kill() {
        board.died(number);
        if (!isThread) {
            Kill.now(ProcessHandle.current().pid());
        }
        throw new Death();
    }

    private void begin(int next) {
        long now = System.nanoTime();
        tookNs = now - begunNs;
        begunNs = now;
        round = next;
    }

    /** Kills this rank after a part of the time that a round takes. */
    private void killInRound(int fatal, long share) {
        while (round < fatal) {
            Thread.onSpinWait();
        }
        pause(fatal == 0 ? share * 1000 : begunNs + tookNs * share / 900 - System.nanoTime());
        killFromAside();
    }

    /** Kills this rank from another thread. */
    private void killFromAside() {
        board.died(number);
        if (isThread) {
            // Threads cannot be killed, but the launcher ends one that another cannot reach.
            job.board().failures().suspect(stage.placeOf(stage.liveAfter(stage.rank)), job.rank());
        } else {
            Kill.now(ProcessHandle.current().pid());
        }
    }

    private static void pause(long ns) {
        long end = System.nanoTime() + ns;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Makes calls until they end as promised; returns how many did. */
    private int survive(Call call) throws Exception {
        boolean before = cell.phase == Phase.BEFORE;
        while (before && !stage.isDeathKnown()) {
            LockSupport.parkNanos(100_000);
        }
        board.enter(number, job.rank());
        int made = 0;
        while (true) {
            long stop = board.stop(number);
            if (stop > 0 && made >= stop) {
                break;
            }
            try {
                call.make(made);
                made++;
            } catch (Noticed e) {
                break;
            } catch (RankwireException e) {
                check(e);
                board.ended(number, job.rank(), made);
                again(call, made);
                return made;
            }
            if (row.promise() == Promise.CLOSES) {
                break;
            } else if (row.promise() == Promise.GOES_ON && stop == 0 && stage.isDeathKnown()) {
                board.stop(number, made + 2L * stage.size + 3);
            } else if (before && row.promise() == Promise.PEER) {
                throw new IllegalStateException("the call went well without a member");
            }
        }
        board.ended(number, job.rank(), made);
        return made;
    }

    private void check(RankwireException e) {
        boolean right = switch (row.promise()) {
            case PEER, PEER_ONCE, UNIFORM -> e.errorClass() == ErrorClass.PEER;
            case REVOKED -> e.errorClass() == ErrorClass.PEER || e.errorClass() == ErrorClass.REVOKED;
            case GOES_ON, REPLACES, CLOSES -> false;
        };
        if (!right || e.errorClass() == ErrorClass.PEER && !e.getMessage().contains("rank ")) {
            throw e;
        }
    }

    /** A later call ends in the same way. */
    private void again(Call call, int made) throws Exception {
        if (row.promise() != Promise.PEER) {
            return;
        }
        while (!stage.isDeathKnown()) {
            LockSupport.parkNanos(100_000);
        }
        try {
            call.make(made + 1);
        } catch (RankwireException e) {
            check(e);
            return;
        } catch (Noticed e) {
            return;
        }
        throw new IllegalStateException("a later call went well");
    }

    private void repair(int rounds) {
        while (!stage.isDeathKnown()) {
            LockSupport.parkNanos(100_000);
        }
        // Ports need the communicator of the world.
        boolean revokes = random.below(2) == 0 && all != world.communicator();
        if (revokes && stage.rank == stage.firstLive()) {
            all.revoke();
        }
        Communicator less = all.shrink();
        MatrixRow.expect("members", all.size() - 1, less.size());
        int[] out = new int[3];
        int[] least = new int[2];
        less.allreduce(new int[] {1 << less.rank(), 1, job.rank()}, out, Op.SUM);
        MatrixRow.expect("sum", (1 << less.size()) - 1, out[0]);
        MatrixRow.expect("count", less.size(), out[1]);
        less.allreduce(new int[] {rounds, -rounds}, least, Op.MIN);
        if (row.promise() == Promise.UNIFORM) {
            MatrixRow.expect("rounds of another survivor", least[0], -least[1]);
        }
        stage.end();
        if (all != world.communicator()) {
            all.free();
        }
        all = less;
    }
}
