/**
 * Cross-channel work queues: programs of small fixed entries that the device runs by itself, from one posting to the
 * end, whenever it makes progress. {@link io.rankwire.device.work.WorkProgram} is what one writes, {@link
 * io.rankwire.device.work.WorkEngine} what runs it. No lock, clock or thread of its own, like all of the device.
 *
 * <p>Programs use these through {@code Communicator.work()}. A node of a tree that adds what two children send and
 * passes it on, twice, over the same buffers (the example TreeSum has it whole):
 *
 * <pre>{@code
 * WorkQueue receives = program.queue(true);               // disabled until the node is ready for them
 * WorkQueue queue = program.queue(false);
 * for (int round = 1; round <= 2; round++) {
 *     receives.receive(left, slotLeft, 0, bytes, DOUBLE, arrived).receive(right, slotRight, 0, bytes, DOUBLE, arrived);
 *     queue.enableReceives(receives.number(), 2 * round).await(arrived, 2 * round)
 *             .calc(sum, List.of(new Place(slotLeft, 0), new Place(slotRight, 0)), List.of(new Place(total, 0)),
 *                     bytes, DOUBLE, sent, parent)
 *             .await(sent, round);                        // the total may now be written again
 * }
 * }</pre>
 *
 * <p>A queue holds at a wait until a counter has come to a value; a counter advances with each send, receive, datagram
 * or access to memory of a peer that is over, with each chunk of a pipe, or with messages that name it. A wait may also
 * be for a counter of another program, or for the ends of operations in a completion table. Whatever ends a wait puts
 * the program on the engine's list of programs to visit; no program is visited in vain. All peers share the queues of a
 * program; only counters grow with what is under way. A program that could never end is refused when it is posted.
 */
package io.rankwire.device.work;
