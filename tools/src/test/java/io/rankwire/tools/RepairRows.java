package io.rankwire.tools;

import static io.rankwire.tools.MatrixRow.expect;

import io.rankwire.AnyCommunicator;
import io.rankwire.Checkpoint;
import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.Intercommunicator;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.Request;
import io.rankwire.tools.MatrixRow.Noticed;
import io.rankwire.tools.MatrixRow.Promise;
import java.util.Arrays;
import java.util.List;

/** Agreement, shrinking, revocation and checkpoints. */
final class RepairRows {
    private RepairRows() {}

    static void addTo(List<MatrixRow> rows) {
        rows.add(new MatrixRow("agree", Promise.UNIFORM, stage -> round ->
                noticeZero(3, stage.on.agree(3 | 4 << stage.rank))));
        rows.add(new MatrixRow("iagree", Promise.UNIFORM, stage -> round -> {
            int[] flags = {3 | 4 << stage.rank};
            stage.on.iagree(flags).await();
            noticeZero(3, flags[0]);
        }));
        rows.add(new MatrixRow("agree, acknowledged", Promise.UNIFORM, stage -> round -> {
            int flags = stage.on.agree(3 | 4 << stage.rank);
            if (flags == 0) {
                while (stage.on.acknowledge().size() == 0) {
                    Thread.onSpinWait();
                }
                expect("flags", 3, stage.on.agree(3 | 4 << stage.rank));
                throw new Noticed();
            }
            expect("flags", 3, flags);
        }));
        rows.add(ofLive("agreeOfLive", stage -> stage.on, AnyCommunicator::agreeOfLive));
        rows.add(ofLive("iagreeOfLive", stage -> stage.on, (on, flags) -> on.iagreeOfLive(flags).await()));
        betweenGroups(rows);
        rows.add(new MatrixRow("shrink", Promise.UNIFORM, stage -> round -> shrink(stage)));
        rows.add(new MatrixRow("replace", Promise.REPLACES, stage -> round -> { }));
        rows.add(new MatrixRow("World.close", Promise.CLOSES, stage -> round -> stage.world.close()));
        rows.add(revoke());
        rows.add(revokeByTheDying());
        rows.add(save(0));
        rows.add(save(100_000));
        rows.add(restore("restore"));
        rows.add(restore("restoreOf"));
    }

    /** Makes an agreement with flags. */
    private interface Agreement {
        void make(AnyCommunicator on, int[] flags);
    }

    /** What a row uses of its stage. */
    private interface Choice {
        AnyCommunicator of(MatrixStage stage);
    }

    private static MatrixRow ofLive(String name, Choice choice, Agreement agreement) {
        return new MatrixRow(name, Promise.UNIFORM, stage -> {
            AnyCommunicator on = choice.of(stage);
            return round -> {
                int[] flags = {3 | 4 << stage.rank};
                try {
                    agreement.make(on, flags);
                } catch (RankwireException e) {
                    if (e.errorClass() != ErrorClass.PEER) {
                        throw e;
                    }
                    throw new Noticed();
                }
                expect("flags", 3, flags[0] & 3);
            };
        });
    }

    private static void betweenGroups(List<MatrixRow> rows) {
        String where = " between groups";
        rows.add(ofLive("agreeOfLive" + where, MatrixStage::intercommunicator, AnyCommunicator::agreeOfLive));
        rows.add(ofLive("iagreeOfLive" + where, MatrixStage::intercommunicator,
                (on, flags) -> on.iagreeOfLive(flags).await()));
        rows.add(new MatrixRow("agree" + where, Promise.UNIFORM, stage -> {
            Intercommunicator on = stage.intercommunicator();
            return round -> noticeZero(3, on.agree(3));
        }));
        rows.add(new MatrixRow("iagree" + where, Promise.UNIFORM, stage -> {
            Intercommunicator on = stage.intercommunicator();
            return round -> {
                int[] flags = {3};
                on.iagree(flags).await();
                noticeZero(3, flags[0]);
            };
        }));
        rows.add(new MatrixRow("shrink" + where, Promise.UNIFORM, stage -> {
            Intercommunicator on = stage.intercommunicator();
            return round -> shrink(stage, on);
        }));
        rows.add(new MatrixRow("revoke" + where, Promise.REVOKED, stage -> {
            Intercommunicator on = stage.intercommunicator();
            return round -> revoke(stage, on);
        }));
        rows.add(new MatrixRow("acknowledge" + where, Promise.GOES_ON, stage -> {
            Intercommunicator on = stage.intercommunicator();
            return round -> {
                if (stage.dies) {
                    stage.idle();
                    return;
                }
                int known = stage.all.failed().size();
                int here = on.failed().size();
                if (here < known || on.acknowledge().size() < here) {
                    throw new IllegalStateException("a death is not known on both sides");
                }
            };
        }));
    }

    private static void shrink(MatrixStage stage, Intercommunicator on) {
        Intercommunicator less = on.shrink();
        boolean isSmaller = less.size() + less.remoteSize() < stage.size;
        if (isSmaller) {
            expect("members", stage.size - 1, less.size() + less.remoteSize());
            int[] sum = new int[1];
            less.allreduce(new int[] {1}, sum, Op.SUM);
            expect("members of the other side", less.remoteSize(), sum[0]);
        }
        less.free();
        if (isSmaller) {
            throw new Noticed();
        }
    }

    /** The first survivor revokes when it knows of the death; the others of both sides wait for messages. */
    private static void revoke(MatrixStage stage, Intercommunicator on) {
        if (stage.dies) {
            stage.idle();
        } else if (stage.rank != stage.firstLive()) {
            on.receive(new int[1], stage.rank % on.remoteSize(), 1);
            throw new IllegalStateException("a message of nobody");
        } else if (stage.isDeathKnown()) {
            on.revoke();
            expect("revoked", 1, on.isRevoked() ? 1 : 0);
            on.send(new int[1], 0, 1);
            throw new IllegalStateException("a call on a revoked communicator went well");
        }
    }

    private static void noticeZero(int expected, int flags) {
        if (flags == 0) {
            throw new Noticed();
        }
        expect("flags", expected, flags);
    }

    private static void shrink(MatrixStage stage) {
        Communicator less = stage.on.shrink();
        int size = less.size();
        if (size < stage.size) {
            int[] sum = new int[1];
            less.allreduce(new int[] {1}, sum, Op.SUM);
            expect("members", stage.size - 1, sum[0]);
        }
        less.free();
        if (size < stage.size) {
            throw new Noticed();
        }
    }

    /** The first survivor revokes when it knows of the death; the others wait for it in calls of several kinds. */
    private static MatrixRow revoke() {
        return new MatrixRow("revoke", Promise.REVOKED, stage -> {
            int first = stage.firstLive();
            return round -> {
                if (stage.dies) {
                    stage.idle();
                } else if (stage.rank == first) {
                    if (stage.isDeathKnown()) {
                        stage.on.revoke();
                        expect("revoked", 1, stage.on.isRevoked() ? 1 : 0);
                        stage.on.send(new int[1], stage.lastLive(), 1);
                        throw new IllegalStateException("a call on a revoked communicator went well");
                    }
                } else {
                    wait(stage, first);
                }
            };
        });
    }

    private static void wait(MatrixStage stage, int first) {
        switch (stage.rank % 5) {
            case 0 -> stage.on.receive(new int[1], first, 1);
            case 1 -> stage.on.ssend(new int[1], first, 2);
            case 2 -> stage.on.irecv(new int[100_000], first, 3).await();
            case 3 -> stage.on.probe(first, 4);
            default -> {
                Request request = stage.on.sendInit(new int[100_000], 0, 100_000, first, 5);
                request.start();
                request.await();
            }
        }
        throw new IllegalStateException("a message of nobody");
    }

    /** The victim revokes in its second round; it may die within. */
    private static MatrixRow revokeByTheDying() {
        return new MatrixRow("revoke by the dying", Promise.REVOKED, stage -> round -> {
            if (!stage.dies) {
                stage.on.receive(new int[1], stage.victim, 1);
            } else if (round == 1) {
                stage.on.revoke();
            } else {
                stage.idle();
            }
        });
    }

    private static MatrixRow save(int count) {
        return new MatrixRow("save of " + count, Promise.UNIFORM, stage -> {
            Checkpoint safe = Checkpoint.on(stage.on).partners(1 + (int) (stage.seed % 2));
            int[] state = new int[count];
            int[] made = new int[1];
            return round -> {
                Arrays.fill(state, 10_000 * (round + 1) + stage.rank);
                try {
                    expect("epoch", round + 1, safe.save("state", new int[] {round}, state));
                    made[0] = round + 1;
                } catch (RankwireException e) {
                    expect("class " + e, ErrorClass.PEER.ordinal(), e.errorClass().ordinal());
                    check(stage, safe, made[0], state);
                    throw new Noticed();
                }
            };
        });
    }

    /** After a failed save there is the state before it. */
    private static void check(MatrixStage stage, Checkpoint safe, int epoch, int... state) {
        Communicator less = stage.on.shrink();
        Checkpoint moved = safe.moveTo(less);
        int[] round = new int[1];
        for (int of : new int[] {stage.rank, stage.victim}) {
            Arrays.fill(state, -1);
            expect("restored epoch", epoch, moved.restoreOf("state", of, round, state));
            int expected = epoch == 0 ? -1 : 10_000 * epoch + of;
            if (!Arrays.stream(state).allMatch(each -> each == expected)) {
                throw new IllegalStateException("a state of another epoch or rank: " + Arrays.toString(
                        Arrays.stream(state).distinct().toArray()) + " in place of " + expected);
            }
        }
        less.free();
    }

    private static MatrixRow restore(String name) {
        return new MatrixRow(name, Promise.UNIFORM, stage -> {
            Checkpoint safe = Checkpoint.on(stage.on);
            int[] state = new int[50_000];
            Arrays.fill(state, 10_000 + stage.rank);
            safe.save("state", new int[1], state);
            return round -> {
                int of = name.equals("restore") ? stage.rank : (stage.rank + 1 + round) % stage.size;
                Arrays.fill(state, -1);
                try {
                    expect("epoch", 1, name.equals("restore") ? safe.restore("state", new int[1], state)
                            : safe.restoreOf("state", of, new int[1], state));
                } catch (RankwireException e) {
                    expect("class " + e, ErrorClass.PEER.ordinal(), e.errorClass().ordinal());
                    expect("changed", -1, state[0]);
                    check(stage, safe, 1, state);
                    throw new Noticed();
                }
                expect("state", 10_000 + of, state[49_999]);
            };
        });
    }
}
