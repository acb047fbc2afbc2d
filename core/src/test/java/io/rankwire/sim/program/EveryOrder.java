package io.rankwire.sim.program;

import io.rankwire.memory.Rand;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A small program, and all the ways in which it can end by the rules of matching: a naive model that tries every match
 * at every moment and remembers only where it has been.
 */
final class EveryOrder {
    enum Kind {
        SEND,
        SSEND,
        RECEIVE,
        IRECV,
        AWAIT,
        AWAIT_ANY,
        PROBE,
        BARRIER
    }

    /** Peer and tag may be any (-1) where something is received. */
    record Step(Kind kind, int peer, int tag) {}

    private record Message(int from, int tag, int id, boolean isSync) {
        boolean isTakenBy(Step step) {
            return (step.peer < 0 || step.peer == from) && (step.tag < 0 || step.tag == tag);
        }
    }

    /** A receive that was posted; the message, once it has one. */
    private static final class Posted {
        final Step step;
        Message met;

        Posted(Step step) {
            this.step = step;
        }

        Posted copy() {
            Posted copy = new Posted(step);
            copy.met = met;
            return copy;
        }
    }

    /** One rank. */
    private static final class Place {
        int next;
        boolean entered;
        /** Receives that have not been awaited, in order. */
        final List<Posted> posted = new ArrayList<>();
        final List<Message> underWay = new ArrayList<>();
        /** Seen by a probe. */
        final List<Message> here = new ArrayList<>();
        String log = "";

        Place copy() {
            Place copy = new Place();
            copy.next = next;
            copy.entered = entered;
            posted.forEach(each -> copy.posted.add(each.copy()));
            copy.underWay.addAll(underWay);
            copy.here.addAll(here);
            copy.log = log;
            return copy;
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder().append(next).append(entered).append(underWay).append(here);
            posted.forEach(each -> text.append(each.step).append(each.met));
            return text.append(log).toString();
        }
    }

    final List<List<Step>> program = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private final TreeSet<String> ends = new TreeSet<>();

    private EveryOrder(List<List<Step>> program) {
        this.program.addAll(program);
    }

    /** Some messages, and about as many receives where they go. */
    static EveryOrder random(Rand rand) {
        int ranks = 3 + rand.below(2);
        int tags = 1 + rand.below(2);
        boolean any = rand.below(4) == 0;
        List<List<Step>> program = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            program.add(new ArrayList<>());
        }
        for (int left = 3 + rand.below(4); left > 0; left--) {
            int to = rand.below(2) == 0 ? 0 : rand.below(ranks);
            int from = (to + 1 + rand.below(ranks - 1)) % ranks;
            int tag = rand.below(tags);
            insert(rand, program.get(from), new Step(rand.below(4) == 0 ? Kind.SSEND : Kind.SEND, to, tag));
            if (rand.below(12) != 0) {
                Kind kind = rand.below(2) == 0 ? Kind.IRECV : Kind.RECEIVE;
                Step receive = new Step(kind, rand.below(4) == 0 ? from : -1, rand.below(3) == 0 ? -1 : tag);
                insert(rand, program.get(to), receive);
                if (rand.below(8) == 0) {
                    insert(rand, program.get(to), new Step(Kind.PROBE, receive.peer, receive.tag));
                }
            }
        }
        boolean barrier = rand.below(4) == 0;
        for (List<Step> steps : program) {
            if (barrier) {
                insert(rand, steps, new Step(Kind.BARRIER, -1, -1));
            }
            awaitAll(rand, steps, any);
        }
        return new EveryOrder(program);
    }

    private static void insert(Rand rand, List<Step> steps, Step step) {
        steps.add(rand.below(steps.size() + 1), step);
    }

    /** Each request that is started is awaited, somewhere behind. */
    private static void awaitAll(Rand rand, List<Step> steps, boolean any) {
        int open = 0;
        for (int i = 0; i <= steps.size(); i++) {
            boolean over = i == steps.size();
            if (open > 0 && (over || rand.below(3) == 0)) {
                steps.add(i, new Step(any && rand.below(2) == 0 ? Kind.AWAIT_ANY : Kind.AWAIT, -1, -1));
                open--;
            } else if (!over && steps.get(i).kind == Kind.IRECV) {
                open++;
            }
        }
    }

    boolean has(Kind kind) {
        return program.stream().anyMatch(steps -> steps.stream().anyMatch(step -> step.kind == kind));
    }

    static int id(int rank, int step) {
        return 100 * rank + step;
    }

    /** What the ranks have written in the end, and whether one of them could not get there. */
    Set<String> ends() {
        List<Place> start = new ArrayList<>();
        program.forEach(steps -> start.add(new Place()));
        walk(start);
        return ends;
    }

    private void walk(List<Place> places) {
        goOn(places);
        if (!seen.add(places.toString())) {
            return;
        }
        boolean isEnd = true;
        for (int rank = 0; rank < places.size(); rank++) {
            for (int m = 0; m < places.get(rank).underWay.size(); m++) {
                List<Place> then = new ArrayList<>();
                places.forEach(place -> then.add(place.copy()));
                if (arrives(then, rank, m)) {
                    isEnd = false;
                    walk(then);
                }
            }
        }
        if (isEnd) {
            boolean stuck = false;
            List<String> logs = new ArrayList<>();
            for (int rank = 0; rank < places.size(); rank++) {
                stuck |= places.get(rank).next < program.get(rank).size();
                logs.add(places.get(rank).log);
            }
            ends.add(String.join("|", logs) + (stuck ? " stuck" : ""));
        }
    }

    /** Lets a message meet what it can meet; false if that is nothing, or not its turn. */
    private boolean arrives(List<Place> places, int rank, int number) {
        Place place = places.get(rank);
        Message message = place.underWay.get(number);
        for (Posted posted : place.posted) {
            if (posted.met == null && message.isTakenBy(posted.step)) {
                if (isPassed(place, number, posted.step)) {
                    return false;
                }
                posted.met = place.underWay.remove(number);
                return true;
            }
        }
        Step step = step(places, rank);
        if (step == null || step.kind != Kind.PROBE || !message.isTakenBy(step) || isPassed(place, number, step)) {
            return false;
        }
        place.here.add(place.underWay.remove(number));
        return true;
    }

    /** Whether one that was sent before it by the same rank could meet the same. */
    private static boolean isPassed(Place place, int number, Step step) {
        for (Message before : place.underWay.subList(0, number)) {
            if (before.from == place.underWay.get(number).from && before.isTakenBy(step)) {
                return true;
            }
        }
        return false;
    }

    private Step step(List<Place> places, int rank) {
        int next = places.get(rank).next;
        return next < program.get(rank).size() ? program.get(rank).get(next) : null;
    }

    private void goOn(List<Place> places) {
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int rank = 0; rank < places.size(); rank++) {
                Step step = step(places, rank);
                if (step != null && isDone(places, rank, step)) {
                    places.get(rank).next++;
                    places.get(rank).entered = false;
                    moved = true;
                }
            }
        }
    }

    private boolean isDone(List<Place> places, int rank, Step step) {
        Place place = places.get(rank);
        boolean first = !place.entered;
        place.entered = true;
        int id = id(rank, place.next);
        switch (step.kind) {
            case SEND, SSEND -> {
                Place to = places.get(step.peer);
                Message message = new Message(rank, step.tag, id, step.kind == Kind.SSEND);
                if (first) {
                    to.underWay.add(message);
                }
                return step.kind == Kind.SEND || !to.underWay.contains(message) && !to.here.contains(message);
            }
            case IRECV -> {
                post(place, step);
                return true;
            }
            case RECEIVE -> {
                if (first) {
                    post(place, step);
                }
                return took(place, place.posted.getLast());
            }
            case AWAIT -> {
                return took(place, place.posted.getFirst());
            }
            case AWAIT_ANY -> {
                int count = place.posted.size();
                int start = startOfAny(rank, place.next);
                for (int i = 0; i < count; i++) {
                    if (took(place, place.posted.get((start + i) % count))) {
                        return true;
                    }
                }
                return false;
            }
            case PROBE -> {
                for (Message message : place.here) {
                    if (message.isTakenBy(step)) {
                        place.log += "p" + message.from + "," + message.tag + " ";
                        return true;
                    }
                }
                return false;
            }
            default -> {
                for (int other = 0; other < places.size(); other++) {
                    int barrier = program.get(other).indexOf(step);
                    int at = places.get(other).next;
                    if (at < barrier || at == barrier && !places.get(other).entered) {
                        return false;
                    }
                }
                return true;
            }
        }
    }

    /** Which request an awaitAny looks at first: each rank draws a number for each that has a choice. */
    private int startOfAny(int rank, int at) {
        Rand turns = new Rand(rank);
        int open = 0;
        int start = 0;
        for (Step step : program.get(rank).subList(0, at + 1)) {
            switch (step.kind) {
                case IRECV -> open++;
                case AWAIT -> open--;
                case AWAIT_ANY -> start = open-- < 2 ? 0 : turns.below(open + 1);
                default -> { }
            }
        }
        return start;
    }

    private static void post(Place place, Step step) {
        Posted posted = new Posted(step);
        for (Message message : place.here) {
            if (message.isTakenBy(step)) {
                posted.met = message;
                place.here.remove(message);
                break;
            }
        }
        place.posted.add(posted);
    }

    private static boolean took(Place place, Posted posted) {
        if (posted.met == null) {
            return false;
        }
        place.log += posted.met.id + " ";
        place.posted.remove(posted);
        return true;
    }
}
