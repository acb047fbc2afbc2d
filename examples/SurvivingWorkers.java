// Rank 0 hands out ranges of numbers. When a worker dies, the others get its range. Kill a worker, or give a worker and
// how many tasks it does before it kills itself in the next one:
//     bin/rankwire run -n 4 --on-failure=continue examples/SurvivingWorkers.java 2 0
//     bin/rankwire run -n 4 examples/SurvivingWorkers.java
import io.rankwire.*;
import java.util.ArrayDeque;

record Task(int from, int to) {}

record Answer(Task task, int primes) {}

static final int LIMIT = 100_000;
static final int STEP = 2_345;
static final int PRIMES_BELOW_LIMIT = 9_592;

static final int TASK = 1;
static final int ANSWER = 2;

void main(String[] args) {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        if (all.rank() > 0) {
            boolean dies = args.length > 1 && Integer.parseInt(args[0]) == all.rank();
            work(all, dies ? Integer.parseInt(args[1]) : -1);
            return;
        }
        int primes = lead(all);
        if (primes != PRIMES_BELOW_LIMIT) {
            throw new IllegalStateException("found " + primes + " primes, not " + PRIMES_BELOW_LIMIT);
        }
        IO.println(primes + " primes below " + LIMIT);
    }
}

int lead(Communicator all) {
    ArrayDeque<Task> open = new ArrayDeque<>();
    for (int from = 0; from < LIMIT; from += STEP) {
        open.add(new Task(from, Math.min(from + STEP, LIMIT)));
    }
    // The task of each worker; a worker that is dead or has nothing to do has none.
    Task[] given = new Task[all.size()];
    for (int worker = 1; worker < all.size(); worker++) {
        assign(all, worker, open, given);
    }
    int primes = 0;
    while (isBusy(given)) {
        try {
            int worker = all.probe(Communicator.ANY_SOURCE, ANSWER).source();
            Answer answer = all.receiveObject(Answer.class, worker, ANSWER);
            // The task of a worker that has died after its answer is open again.
            if (answer.task().equals(given[worker])) {
                primes += answer.primes();
                given[worker] = null;
                assign(all, worker, open, given);
            }
        } catch (RankwireException e) {
            takeBack(all, e, open, given);
        }
    }
    for (Task left : open) {
        // There is no worker that lives.
        primes += solve(left).primes();
    }
    for (int worker = 1; worker < all.size(); worker++) {
        if (isAlive(all, worker)) {
            send(all, null, worker);
        }
    }
    return primes;
}

boolean isAlive(Communicator all, int worker) {
    return all.failed().rankOf(all.group().worldRank(worker)) < 0;
}

/** Gives a worker the next task, if there is one and the worker lives. */
void assign(Communicator all, int worker, ArrayDeque<Task> open, Task[] given) {
    if (!open.isEmpty() && isAlive(all, worker)) {
        given[worker] = open.remove();
        send(all, given[worker], worker);
    }
}

/** A worker that dies now is found out by the next receive. */
void send(Communicator all, Task task, int worker) {
    try {
        all.sendObject(task, worker, TASK);
    } catch (RankwireException e) {
        if (e.errorClass() != ErrorClass.PEER) {
            throw e;
        }
    }
}

/** The tasks of dead workers are open again, and workers without a task get them. */
void takeBack(Communicator all, RankwireException error, ArrayDeque<Task> open, Task[] given) {
    if (error.errorClass() != ErrorClass.PEER) {
        throw error;
    }
    Group dead = all.acknowledge();
    for (int i = 0; i < dead.size(); i++) {
        int worker = all.group().rankOf(dead.worldRank(i));
        if (given[worker] != null) {
            open.add(given[worker]);
            given[worker] = null;
        }
    }
    for (int worker = 1; worker < given.length && !open.isEmpty(); worker++) {
        if (given[worker] == null) {
            assign(all, worker, open, given);
        }
    }
}

boolean isBusy(Task[] given) {
    for (Task task : given) {
        if (task != null) {
            return true;
        }
    }
    return false;
}

void work(Communicator all, int tasks) {
    Task task = all.receiveObject(Task.class, 0, TASK);
    for (int done = 0; task != null; done++) {
        if (done == tasks) {
            Runtime.getRuntime().halt(1);
        }
        all.sendObject(solve(task), 0, ANSWER);
        task = all.receiveObject(Task.class, 0, TASK);
    }
}

Answer solve(Task task) {
    int primes = 0;
    for (int n = Math.max(2, task.from()); n < task.to(); n++) {
        primes += isPrime(n) ? 1 : 0;
    }
    return new Answer(task, primes);
}

boolean isPrime(int n) {
    for (int divisor = 2; divisor * divisor <= n; divisor++) {
        if (n % divisor == 0) {
            return false;
        }
    }
    return true;
}
