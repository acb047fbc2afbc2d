package io.rankwire.launch;

import io.rankwire.launch.ControlMessage.Ask;
import io.rankwire.launch.ControlMessage.Listening;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** How a rank of a job on several hosts asks the root for ranks that replace dead ones, and what it knows of these. */
final class RootReplacements implements Replacements {
    private final NetworkJob job;
    private final RootLink link;
    private final AtomicInteger asked = new AtomicInteger();
    private final Map<Integer, Answer> answers = new ConcurrentHashMap<>();
    /** Where ranks listen that came later and have a part. */
    private final Map<Integer, Listening> late = new ConcurrentHashMap<>();
    /** What this rank is to join, and the addresses of that world; null before. */
    private volatile Part part;
    private List<Listening> world;

    RootReplacements(NetworkJob job, RootLink link) {
        this.job = job;
        this.link = link;
    }

    @Override
    public int ask(Request request) {
        int number = asked.incrementAndGet();
        link.send(new Ask(number, request.text()));
        return number;
    }

    void answered(int number, Answer answer) {
        if (answer.members() != null) {
            // Ranks of this host wait for these from now on, and that is no deadlock, however late they arrive.
            answer.members().stream().filter(rank -> rank >= job.worldSize()).forEach(job.board().failures()::give);
        }
        answers.put(number, answer);
    }

    @Override
    public Answer answer(int number) {
        return answers.get(number);
    }

    /** A rank came later and listens there. */
    void know(int rank, Listening at) {
        late.put(rank, at);
    }

    /** Where a rank listens that came later; null if it is not known. */
    Listening at(int rank) {
        return late.get(rank);
    }

    @Override
    public boolean areThere(List<Integer> ranks) {
        return ranks.stream()
                .allMatch(each -> each < job.worldSize() || late.containsKey(each) || job.isDead(each));
    }

    void given(Part mine, List<Listening> addresses) {
        world = addresses;
        part = mine;
    }

    @Override
    public Part part() {
        return part;
    }

    /** The addresses of the world that this rank, which came later, is to join; once it has a part. */
    List<Listening> world() {
        return world;
    }
}
