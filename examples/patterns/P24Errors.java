// Errors: a wrong call throws a RankwireException with the class of the error, and a message that names the argument,
// the rank and the line. A handler sees it first. A program that catches it goes on: here all ranks still agree.
//     bin/rankwire run -n 4 examples/patterns/P24Errors.java
// Try next: ErrorHandler.ABORT as the handler; throw e in place of printing it.
import io.rankwire.*;

void main() {
    try (World world = World.join()) {
        // A communicator of its own, so that the handler is not that of all messages.
        Communicator all = world.communicator().duplicate();
        EnumMap<ErrorClass, Integer> seen = new EnumMap<>(ErrorClass.class);
        all.errorHandler((on, error) -> seen.merge(error.errorClass(), 1, Integer::sum));

        expect(all, ErrorClass.RANK, () -> all.send(new int[1], all.size(), 1));
        expect(all, ErrorClass.TAG, () -> all.send(new int[1], all.rank(), -5));
        expect(all, ErrorClass.BUFFER, () -> all.send("text", all.rank(), 1));
        // Three numbers into room for two. The message is used up, so the next one is received as usual.
        Request sent = all.isend(new int[] {1, 2, 3}, all.rank(), 1);
        expect(all, ErrorClass.TRUNCATE, () -> all.receive(new int[2], all.rank(), 1));
        sent.await();

        int[] sum = new int[1];
        all.allreduce(new int[] {seen.size()}, sum, Op.SUM);
        if (sum[0] != 4 * all.size()) {
            throw new IllegalStateException("the handlers saw " + sum[0] + " classes of errors: " + seen);
        }
        if (all.rank() == 0) {
            IO.println("all " + all.size() + " ranks go on after " + sum[0] + " errors");
        }
        all.free();
    }
}

void expect(Communicator all, ErrorClass expected, Runnable call) {
    try {
        call.run();
    } catch (RankwireException e) {
        if (e.errorClass() == expected) {
            if (all.rank() == 0) {
                IO.println(expected + "  " + e.getMessage());
            }
            return;
        }
        throw e;
    }
    throw new IllegalStateException("no error of class " + expected);
}
