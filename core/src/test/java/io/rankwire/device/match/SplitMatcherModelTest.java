package io.rankwire.device.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.rankwire.device.match.Split.Closing;
import io.rankwire.wire.MatchWord;
import java.lang.management.ManagementFactory;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A divided matcher against the standard's rule, from many seeds; and wrong ones, which the seeds must find. */
final class SplitMatcherModelTest {
    private static final long SEEDS = Long.getLong("rankwire.split.seeds", 20_000);
    private static final long SEED = Long.getLong("rankwire.split.seed", 20_261_115);
    private static final long MOST_SEEDS = 2_000;

    /** Bugs as somebody might write them. */
    enum Planted {
        RECENT_SET_NOT_CONSULTED {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.device = new DeviceList(matcher, split) {
                    @Override
                    boolean accepts(long word, long lastSeen) {
                        return number - lastSeen <= recent.length;
                    }
                };
            }
        },
        LAST_SEEN_NOT_CONSULTED {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.device = new DeviceList(matcher, split) {
                    @Override
                    boolean accepts(long word, long lastSeen) {
                        return true;
                    }
                };
            }
        },
        LATER_POST_PASSES_A_REFUSED_ONE {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.device = new DeviceList(matcher, split) {
                    @Override
                    boolean takeCommand() {
                        refusing = false;
                        return super.takeCommand();
                    }
                };
            }
        },
        MESSAGES_GO_UP_FROM_A_STOPPED_DEVICE {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.device = new DeviceList(matcher, split) {
                    @Override
                    void unexpected(long exactWord, long description, long payload) {
                        handUp(exactWord, description, payload);
                    }

                    @Override
                    boolean accepts(long word, long lastSeen) {
                        return split.closing() == Closing.HANDSHAKE || super.accepts(word, lastSeen);
                    }
                };
            }
        },
        HELD_MESSAGES_NOT_SEARCHED {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.device = new DeviceList(matcher, split) {
                    @Override
                    int firstHeld(long word) {
                        return -1;
                    }
                };
            }
        },
        REMOVED_THOUGH_TOO_LATE {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.device = new DeviceList(matcher, split) {
                    @Override
                    boolean remove(int place) {
                        super.remove(place);
                        return true;
                    }
                };
            }
        },
        PROMOTED_OUT_OF_ORDER {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.shadow = new Broken(matcher, split) {
                    @Override
                    void promote(int slot) {
                        int second = next[slot];
                        if (second >= 0 && places.free() > 1 && matcher.commands.room() > 2) {
                            super.promote(second);
                            super.promote(slot);
                            firstWaiting = next[second];
                        } else {
                            super.promote(slot);
                        }
                    }
                };
            }
        },
        LAST_SEEN_RUNS_AHEAD {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.shadow = new Broken(matcher, split) {
                    @Override
                    void promote(int slot) {
                        lastSeen += matcher.events.count();
                        super.promote(slot);
                        lastSeen -= matcher.events.count();
                    }
                };
            }
        },
        RACE_NOT_DETECTED {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.shadow = new Broken(matcher, split) {
                    @Override
                    void unexpected(long word, long description, long payload) {
                        if (all.append(word, description, payload) == Matching.FULL) {
                            matcher.side.full();
                            all.append(word, description, payload);
                        }
                    }
                };
            }
        },
        RACED_RECEIVE_POSTED_AGAIN {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.shadow = new Broken(matcher, split) {
                    @Override
                    void refused(int slot) {
                        boolean raced = states[slot] == RACED;
                        super.refused(slot);
                        if (raced && firstWaiting >= 0 && matcher.commands.room() > 0 && places.free() > 0) {
                            promote(slot);
                        }
                    }
                };
            }
        },
        REFUSED_POST_DROPPED {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.shadow = new Broken(matcher, split) {
                    @Override
                    void refused(int slot) {
                        super.refused(slot);
                        if (firstWaiting == slot) {
                            firstWaiting = next[slot];
                        }
                    }
                };
            }
        },
        CANCEL_LOST {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.shadow = new Broken(matcher, split) {
                    @Override
                    void askRemoval(int slot) {
                        // nobody tells the device
                    }
                };
            }
        },
        CANCEL_FORGOTTEN_WITH_A_REFUSAL {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.shadow = new Broken(matcher, split) {
                    @Override
                    void refused(int slot) {
                        if (states[slot] == DOWN && removals[slot] == ASKED) {
                            removals[slot] = 0;
                        }
                        super.refused(slot);
                    }
                };
            }
        },
        PLACE_USED_BEFORE_THE_ANSWER {
            @Override
            void plant(SplitMatcher matcher, Split split) {
                matcher.shadow = new Broken(matcher, split) {
                    @Override
                    void end(int slot, boolean cancelled) {
                        if (removals[slot] == ASKED) {
                            removals[slot] = 0;
                        }
                        super.end(slot, cancelled);
                    }
                };
            }
        };

        abstract void plant(SplitMatcher matcher, Split split);
    }

    /** The shadow of a matcher that was just made, to be changed. */
    private static class Broken extends Shadow {
        Broken(SplitMatcher matcher, Split split) {
            super(matcher, matcher.shadow.all.headers(), split, matcher.shadow.places);
        }
    }

    private static SplitEpisode run(long seed, BiConsumer<SplitMatcher, Split> planted) {
        SplitEpisode episode = new SplitEpisode(seed, planted);
        try {
            episode.run();
            return episode;
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("-Drankwire.split.seed=" + seed + ": " + episode + ": " + failure, failure);
        }
    }

    @Test
    void shouldMatchAsTheStandardSaysWhateverTheDelays() {
        long races = 0;
        long refusals = 0;
        long now = 0;
        long later = 0;
        long withdrawn = 0;
        int held = 0;
        for (long i = 0; i < SEEDS; i++) {
            SplitEpisode episode = run(SEED + i, null);
            races += episode.races();
            refusals += episode.refusals();
            now += episode.cancelledNow;
            later += episode.cancelledLater;
            withdrawn += episode.withdrawn;
            held = Math.max(held, episode.held);
        }
        if (SEEDS >= 1_000) {
            String seen = races + " races, " + refusals + " refusals, " + now + " and " + later + " cancelled, "
                    + withdrawn + " messages withdrawn, " + held + " held";
            assertTrue(races > SEEDS / 2 && refusals > SEEDS / 2 && now > SEEDS && later > SEEDS && withdrawn > SEEDS
                    && held > 2, seen);
        }
    }

    /** A message passed one that the device held, when it arrived between a post and the end of the handshake. */
    @ParameterizedTest
    @ValueSource(longs = 20_261_118)
    void shouldStayRightForSeedsThatFoundABug(long seed) {
        run(seed, null);
    }

    /** Matching leaves nothing for the collector once everything has grown. */
    @Test
    void shouldAllocateNothingInTheSteadyState() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (Closing closing : Closing.values()) {
            SplitMatcher matcher = idle(new Split(3, closing, 2, 4, 0));
            long least = Long.MAX_VALUE;
            for (int batch = 0; batch < 40; batch++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                steady(matcher);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertEquals(0, least, "bytes allocated, " + closing);
            assertEquals(0, matcher.posted() + matcher.unexpected());
        }
    }

    private static SplitMatcher idle(Split split) {
        return new SplitMatcher(new HeaderStore(64, 64), split, new SplitMatcher.Places(3), new SplitMatcher.Side() {
            @Override
            public void met(int handle, long word, long description, long payload) {
                // the counts tell
            }

            @Override
            public void cancelled(int handle) {
                throw new AssertionError("nothing was cancelled");
            }

            @Override
            public void full() {
                throw new AssertionError("the store is full");
            }

            @Override
            public void wake() {
                // pumped without being asked
            }
        });
    }

    /** Receives ahead of messages and messages ahead of receives, more than the device holds. */
    private static void steady(SplitMatcher matcher) {
        for (int round = 0; round < 200; round++) {
            boolean receivesFirst = round % 2 == 0;
            for (int i = 0; i < 40; i++) {
                long word = MatchWord.exact(1, i % 5);
                if (i < 20 == receivesFirst) {
                    int found = matcher.post(word, i);
                    if (found >= 0) {
                        matcher.release(found);
                    }
                } else if (matcher.arrive(word) < 0) {
                    matcher.append(word, 0, 0);
                }
                if (i % 3 == 0) {
                    matcher.pump(0);
                }
            }
            matcher.settle();
        }
    }

    /** A device that keeps no numbers: the handshake alone closes the race. */
    @Test
    void shouldNeedNothingButTheHandshake() {
        for (long i = 0; i < SEEDS / 4; i++) {
            run(SEED + i, (matcher, split) -> {
                if (split.closing() == Closing.HANDSHAKE) {
                    matcher.device = new DeviceList(matcher, split) {
                        @Override
                        boolean accepts(long word, long lastSeen) {
                            return true;
                        }
                    };
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFindThePlantedBug(Planted bug) {
        long seeds = 0;
        boolean found = false;
        while (!found && seeds < MOST_SEEDS) {
            try {
                run(SEED + seeds++, bug::plant);
            } catch (AssertionError failure) {
                found = true;
            }
        }
        assertEquals(true, found, "found within " + seeds + " seeds");
    }
}
