// A world among worker processes that a program has started by itself, without a launcher. The workers find each other
// through cards, which the coordinator passes on over their standard input and output; no other process sees them.
// Frameworks such as Spark or Flink can pass the cards in the same way.
//
//     java -cp core/target/classes examples/Workers.java

import io.rankwire.*;
import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

static final int WORKERS = 3;
static final int STEPS = 3_000_000;

void main(String... args) throws Exception {
    if (args.length > 0) {
        work(Integer.parseInt(args[0]));
    } else {
        coordinate();
    }
}

/** A worker: writes its card, reads the cards of all, and then takes part in a world. */
void work(int rank) {
    Membership place = Membership.exchanging(rank, WORKERS, card -> {
        IO.println(Base64.getEncoder().encodeToString(card));
        List<byte[]> cards = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            cards.add(Base64.getDecoder().decode(IO.readln()));
        }
        return cards;
    });
    double[] pi = new double[1];
    try (World world = World.join(place)) {
        double[] part = new double[1];
        for (int i = rank; i < STEPS; i += WORKERS) {
            double x = (i + 0.5) / STEPS;
            part[0] += 4 / (1 + x * x) / STEPS;
        }
        world.communicator().allreduce(part, pi, Op.SUM);
    }
    IO.println(pi[0]);
}

/** Starts the workers by the command that has started this process, and the rank as one more word. */
void coordinate() throws Exception {
    List<Process> workers = new ArrayList<>();
    List<BufferedReader> outputs = new ArrayList<>();
    for (int rank = 0; rank < WORKERS; rank++) {
        ProcessHandle.Info self = ProcessHandle.current().info();
        List<String> command = new ArrayList<>(List.of(self.command().orElseThrow()));
        command.addAll(List.of(self.arguments().orElseThrow()));
        command.add(Integer.toString(rank));
        Process worker = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        workers.add(worker);
        outputs.add(worker.inputReader());
    }
    StringBuilder cards = new StringBuilder();
    for (BufferedReader output : outputs) {
        cards.append(output.readLine()).append('\n');
    }
    for (Process worker : workers) {
        worker.outputWriter().append(cards).flush();
    }
    for (int rank = 0; rank < WORKERS; rank++) {
        double pi = Double.parseDouble(outputs.get(rank).readLine());
        if (Math.abs(pi - Math.PI) > 1e-9 || workers.get(rank).waitFor() != 0) {
            throw new IllegalStateException("worker " + rank + " has found " + pi);
        }
    }
    IO.println(WORKERS + " workers have found pi");
}
