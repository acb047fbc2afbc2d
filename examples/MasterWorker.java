// Rank 0 hands out ranges of numbers; the first worker to finish gets the next range. Tasks and answers are records.
//     bin/rankwire run -n 4 examples/MasterWorker.java
import io.rankwire.*;

record Task(int from, int to) {}

record Answer(Task task, int primes) {}

static final int LIMIT = 100_000;
static final int STEP = 4_321;
static final int PRIMES_BELOW_LIMIT = 9_592;

static final int TASK = 1;
static final int ANSWER = 2;

void main(String[] args) {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        if (all.rank() > 0) {
            work(all);
            return;
        }
        int primes = all.size() == 1 ? solve(new Task(0, LIMIT)).primes() : lead(all);
        if (primes != PRIMES_BELOW_LIMIT) {
            throw new IllegalStateException("found " + primes + " primes, not " + PRIMES_BELOW_LIMIT);
        }
        IO.println(primes + " primes below " + LIMIT);
    }
}

int lead(Communicator all) {
    int next = 0;
    int primes = 0;
    int busy = 0;
    for (int worker = 1; worker < all.size(); worker++) {
        next = assign(all, worker, next);
        busy++;
    }
    while (busy > 0) {
        Status waiting = all.probe(Communicator.ANY_SOURCE, ANSWER);
        Answer answer = all.receiveObject(Answer.class, waiting.source(), ANSWER);
        // A worker without a task answers null and ends.
        if (answer == null) {
            busy--;
            continue;
        }
        primes += answer.primes();
        next = assign(all, waiting.source(), next);
    }
    return primes;
}

int assign(Communicator all, int worker, int next) {
    Task task = next < LIMIT ? new Task(next, Math.min(next + STEP, LIMIT)) : null;
    all.sendObject(task, worker, TASK);
    return task == null ? next : task.to();
}

void work(Communicator all) {
    Task task;
    do {
        task = all.receiveObject(Task.class, 0, TASK);
        all.sendObject(task == null ? null : solve(task), 0, ANSWER);
    } while (task != null);
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
