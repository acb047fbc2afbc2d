package io.rankwire.tools.bench;

import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Syntax;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What {@code rankwire bench} measures, and where the results go. */
final class BenchOptions {
    static final List<String> PEERS = List.of("openmpi", "mpich");

    private static final Option ONLY = Option.choices("WORKS", Work.labels(), "--only")
            .help("some of these, separated by commas; default: all but bibw, coll and curve\n" + Work.descriptions());
    private static final Option AGAINST = Option.choices("PEERS", PEERS, "--against")
            .help("openmpi, mpich or both, separated by commas; a note says which of them is not installed");
    private static final Option CSV = Option.newFile("FILE", "--csv").help("also write the results to this file");
    private static final Option PLOT = Option.newFile("FILE.svg", "--plot")
            .help("also draw lat, bw, bibw and curve by message size, on log axes");
    private static final Option QUICK = Option.flag("--quick")
            .help("fewer rounds and turns; peers only up to 10000 deep");
    private static final Option ROUNDS = Option.number("N", 1, 1000, "--rounds")
            .help("the number of rounds; default 5, with --quick 3");

    static final Syntax SYNTAX = new Syntax("bench", "measure Rankwire, also against other MPIs", ONLY, AGAINST, CSV,
            PLOT, QUICK, ROUNDS)
            .forms("bench [options]")
            .about("Measures this library between ranks of this machine, two unless a work says otherwise, and, with"
                    + " --against, C libraries of MPI with the same loops in the same run. Ours and theirs take turns"
                    + " in every round, in fresh processes; the medians of the rounds are compared and the best printed"
                    + " too. Data is checked and changed in every message. Nothing is tuned: ranks are started as"
                    + " `rankwire run` and `mpirun` start them.")
            .notes("""
                    cost_ratio in the tables is against the better peer, and below 1 when ours is better: ours /\
                     theirs, for rates and bandwidths theirs / ours, for overlap the shares not hidden, each at least\
                     1 %: (100 - ours) / (100 - theirs).

                    The line hand-off is measured before every round. A round where it is more than twice or less than\
                     half the median of all, as when two virtual cores are one for a while, is marked and left out of\
                     everything, unless fewer than two or less than half of the rounds would remain.

                    Interrupted by Ctrl-C or SIGTERM, the command prints, and writes to the files, the results of the\
                     complete rounds, or those of the first one so far.

                    The CSV has the columns
                    """ + "  " + Csv.HEAD + """

                    and a row for each work or part of it (overlap.send), size or depth, and peer (without peers one\
                     row, the last three empty); values are medians of the rounds, empty where a side has none. Rows of\
                     peer `floor` have the floor as theirs: the line hand-off, median of the rounds, beside our 8-byte\
                     half round trip, and memory copies by size, beside nothing of ours.""");

    final Set<Work> works;
    final List<String> against = new ArrayList<>();
    final Path csv;
    final Path plot;
    final boolean quick;
    final int rounds;

    BenchOptions(Given given) {
        works = given.has(ONLY) ? works(given.text(ONLY)) : Work.usual();
        if (given.has(AGAINST)) {
            for (String name : given.text(AGAINST).split(",")) {
                if (!against.contains(name.strip())) {
                    against.add(name.strip());
                }
            }
        }
        csv = file(given.text(CSV));
        plot = file(given.text(PLOT));
        quick = given.has(QUICK);
        rounds = given.has(ROUNDS) ? given.number(ROUNDS) : quick ? 3 : 5;
        if (plot != null && Collections.disjoint(works, Panels.WORKS)) {
            throw given.wrong("option --plot draws lat, bw, bibw and curve, and --only names none of them");
        }
        for (Option each : new Option[] {AGAINST, QUICK, ROUNDS}) {
            if (areFloorsAlone() && given.has(each)) {
                throw given.wrong("option " + each + " does not go with --only floor");
            }
        }
    }

    boolean areFloorsAlone() {
        return works.equals(Set.of(Work.FLOOR));
    }

    private static Set<Work> works(String list) {
        Set<Work> works = EnumSet.noneOf(Work.class);
        for (String label : list.split(",")) {
            works.add(Work.named(label.strip()));
        }
        return works;
    }

    private static Path file(String text) {
        return text == null ? null : Path.of(text).toAbsolutePath();
    }
}
