package io.rankwire.tools;

import static io.rankwire.tools.MatrixRow.expect;

import io.rankwire.CartesianCommunicator;
import io.rankwire.Communicator;
import io.rankwire.DistributedGraphCommunicator;
import io.rankwire.GraphCommunicator;
import io.rankwire.Group;
import io.rankwire.Intercommunicator;
import io.rankwire.Op;
import io.rankwire.tools.MatrixRow.Promise;
import java.util.List;
import java.util.stream.IntStream;

/** Communicators that are made of others, used once, and freed. */
final class MakingRows {
    private MakingRows() {}

    private interface Maker {
        Communicator from(MatrixStage stage) throws Exception;
    }

    static void addTo(List<MatrixRow> rows) {
        rows.add(making("duplicate", stage -> stage.on.duplicate()));
        rows.add(making("duplicateWithoutAttributes", stage -> stage.on.duplicateWithoutAttributes()));
        rows.add(making("split", stage -> stage.on.split(stage.rank % 2, stage.rank).orElseThrow()));
        rows.add(making("splitShared", stage -> stage.on.splitShared(stage.rank)));
        rows.add(making("create", stage -> stage.on.create(stage.on.group()).orElseThrow()));
        rows.add(making("createGroup", stage -> stage.on.createGroup(stage.on.group(), 3)));
        rows.add(new MatrixRow("createGroup of live ranks", Promise.GOES_ON, stage -> {
            if (stage.dies) {
                return round -> stage.idle();
            }
            Group part = stage.survivors();
            return round -> {
                Communicator made = stage.on.createGroup(part, 3);
                use(made);
                made.free();
            };
        }));
        rows.add(making("cartesian", stage ->
                stage.on.cartesian(new int[] {stage.size}, new boolean[] {true}).orElseThrow()));
        rows.add(making("cartesian, reordered", stage ->
                stage.on.cartesian(new int[] {stage.size}, new boolean[] {true}, true).orElseThrow()));
        rows.add(making("graph", stage -> stage.on.graph(MatrixCast.ring(stage.size)).orElseThrow()));
        int[] none = new int[0];
        rows.add(making("distributedGraph", stage -> stage.rank > 0 ? stage.on.distributedGraph(none, none, none)
                : stage.on.distributedGraph(all(stage), ones(stage), next(stage))));
        rows.add(making("distributedGraph with weights", stage -> stage.rank > 0
                ? stage.on.distributedGraph(none, none, none, none)
                : stage.on.distributedGraph(all(stage), ones(stage), next(stage), ones(stage))));
        rows.add(making("adjacentGraph", stage -> stage.on.adjacentGraph(before(stage), after(stage))));
        rows.add(making("adjacentGraph with weights", stage ->
                stage.on.adjacentGraph(before(stage), new int[] {1}, after(stage), new int[] {1})));
        rows.add(new MatrixRow("CartesianCommunicator.duplicate", Promise.PEER, stage -> {
            CartesianCommunicator grid = stage.on.cartesian(new int[] {stage.size}, new boolean[] {true}).orElseThrow();
            stage.atEnd(grid::free);
            return round -> {
                CartesianCommunicator made = round % 3 == 0 ? grid.duplicate()
                        : round % 3 == 1 ? grid.duplicateWithoutAttributes() : grid.sub(true);
                use(made);
                made.free();
            };
        }));
        rows.add(new MatrixRow("GraphCommunicator.duplicate", Promise.PEER, stage -> {
            GraphCommunicator graph = stage.on.graph(MatrixCast.ring(stage.size)).orElseThrow();
            stage.atEnd(graph::free);
            return round -> {
                GraphCommunicator made = round % 2 == 0 ? graph.duplicate() : graph.duplicateWithoutAttributes();
                use(made);
                made.free();
            };
        }));
        rows.add(new MatrixRow("DistributedGraphCommunicator.duplicate", Promise.PEER, stage -> {
            DistributedGraphCommunicator graph = stage.on.adjacentGraph(before(stage), after(stage));
            stage.atEnd(graph::free);
            return round -> {
                DistributedGraphCommunicator made =
                        round % 2 == 0 ? graph.duplicate() : graph.duplicateWithoutAttributes();
                use(made);
                made.free();
            };
        }));
        between(rows);
    }

    private static int[] all(MatrixStage stage) {
        return IntStream.range(0, stage.size).toArray();
    }

    private static int[] ones(MatrixStage stage) {
        return IntStream.range(0, stage.size).map(each -> 1).toArray();
    }

    private static int[] next(MatrixStage stage) {
        return IntStream.range(0, stage.size).map(each -> (each + 1) % stage.size).toArray();
    }

    private static int[] before(MatrixStage stage) {
        return new int[] {(stage.rank + stage.size - 1) % stage.size};
    }

    private static int[] after(MatrixStage stage) {
        return new int[] {(stage.rank + 1) % stage.size};
    }

    private static MatrixRow making(String name, Maker maker) {
        return new MatrixRow(name, name.equals("split") ? Promise.PEER_ONCE : Promise.PEER, stage -> round -> {
            Communicator made = maker.from(stage);
            try {
                use(made);
            } finally {
                made.free();
            }
            if (name.equals("split")) {
                // The other half may have no dead member.
                stage.on.barrier();
            }
        });
    }

    private static void use(Communicator made) {
        int[] sum = new int[1];
        made.allreduce(new int[] {made.rank()}, sum, Op.SUM);
        expect("sum", made.size() * (made.size() - 1) / 2, sum[0]);
    }

    private static void use(Intercommunicator made) {
        int[] sum = new int[1];
        made.allreduce(new int[] {made.rank()}, sum, Op.SUM);
        expect("sum", made.remoteSize() * (made.remoteSize() - 1) / 2, sum[0]);
    }

    private static void between(List<MatrixRow> rows) {
        rows.add(new MatrixRow("intercommunicator", Promise.PEER, stage -> {
            int side = MatrixStage.side(stage.rank);
            Communicator half = stage.on.split(side, stage.rank).orElseThrow();
            stage.atEnd(half::free);
            return round -> {
                Intercommunicator made = half.intercommunicator(0, stage.on, 1 - side, 7);
                try {
                    use(made);
                } finally {
                    made.free();
                }
            };
        }));
        rows.add(new MatrixRow("accept and connect", Promise.PEER, MakingRows::port));
        rows.add(new MatrixRow("Intercommunicator.duplicate", Promise.PEER, stage -> {
            Intercommunicator joined = stage.intercommunicator();
            return round -> {
                Intercommunicator made = joined.duplicate();
                try {
                    use(made);
                } finally {
                    made.free();
                }
            };
        }));
        rows.add(new MatrixRow("merge", Promise.PEER, stage -> {
            Intercommunicator joined = stage.intercommunicator();
            return round -> {
                Communicator made = joined.merge(MatrixStage.side(stage.rank) == 1);
                try {
                    use(made);
                } finally {
                    made.free();
                }
            };
        }));
    }

    /** The victim accepts. If it were the one that connects, the others would wait for the next one that does. */
    private static MatrixRow.Call port(MatrixStage stage) {
        boolean accepts = MatrixStage.side(stage.rank) == MatrixStage.side(stage.victim);
        Communicator half = stage.on.split(MatrixStage.side(stage.rank), stage.rank).orElseThrow();
        stage.atEnd(half::free);
        int connecting = 1 - MatrixStage.side(stage.victim);
        String port = null;
        if (stage.dies) {
            port = stage.world.openPort();
            stage.on.sendObject(port, connecting, 1);
        } else if (stage.rank == connecting) {
            port = stage.on.receiveObject(String.class, stage.victim, 1);
        }
        String there = port;
        return round -> {
            Intercommunicator made = accepts ? half.accept(there, stage.victim / 2) : half.connect(there, 0);
            try {
                use(made);
            } finally {
                made.free();
            }
        };
    }
}
