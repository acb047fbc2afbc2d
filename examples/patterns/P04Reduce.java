// Collectives: calls that all ranks make together. Rank 0 broadcasts how fine to compute, every rank adds up its part
// of the area under 4 / (1 + x * x), which is pi, and reduce adds the parts, place by place of a vector.
//     bin/rankwire run -n 4 examples/patterns/P04Reduce.java
// Try next: --explain shows how the calls are done; Op.MAX in place of Op.SUM, and see what the check makes of it.
import io.rankwire.*;

void main() {
    try (World world = World.join()) {
        Communicator all = world.communicator();
        int[] steps = {all.rank() == 0 ? 1_000_000 : 0};
        all.broadcast(steps, 0);

        double part = 0;
        int end = (int) ((all.rank() + 1L) * steps[0] / all.size());
        for (int i = (int) ((long) all.rank() * steps[0] / all.size()); i < end; i++) {
            double x = (i + 0.5) / steps[0];
            part += 4 / (1 + x * x) / steps[0];
        }

        // A place for each rank, and a last one to which all add.
        double[] parts = new double[all.size() + 1];
        parts[all.rank()] = part;
        parts[all.size()] = part;
        double[] sums = new double[parts.length];
        all.reduce(parts, sums, Op.SUM, 0);
        if (all.rank() == 0) {
            print(sums);
        }
    }
}

void print(double[] sums) {
    int ranks = sums.length - 1;
    for (int rank = 0; rank < ranks; rank++) {
        IO.println(String.format("rank %d  %.6f  %s", rank, sums[rank], "#".repeat((int) Math.round(15 * sums[rank]))));
    }
    if (Math.abs(sums[ranks] - Math.PI) > 1e-9) {
        throw new IllegalStateException("the sum is " + sums[ranks] + ", not pi");
    }
    IO.println(String.format("sum     %.6f", sums[ranks]));
}
