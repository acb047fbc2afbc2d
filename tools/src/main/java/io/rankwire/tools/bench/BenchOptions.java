package io.rankwire.tools.bench;

import io.rankwire.launch.Fabrics;
import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Syntax;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What {@code rankwire bench} measures, and where the results go. */
final class BenchOptions {
    static final List<String> PEERS = List.of("openmpi", "mpich");

    /** What builds are compared by. */
    static final Set<Work> MAIN = Collections.unmodifiableSet(EnumSet.of(Work.LAT, Work.RATE, Work.BW, Work.RMA));
    private static final int LEAST_COMPARED = 5;
    private static final int MOST_RANKS = 64;

    private static final Option ONLY = Option.choices("WORKS", Work.labels(), "--only")
            .help("some of these, separated by commas; default: all but bibw, coll, deaths, curve and warm,"
                    + " with --baseline or --on-failure lat, rate, bw and rma\n" + Work.descriptions());
    private static final Option AGAINST = Option.choices("PEERS", PEERS, "--against")
            .help("openmpi, mpich or both, separated by commas; a note says which of them is not installed");
    private static final Option CSV = Option.newFile("FILE", "--csv").help("also write the results to this file");
    private static final Option PLOT = Option.newFile("FILE.svg", "--plot")
            .help("also draw lat, bw, bibw and curve by message size, on log axes");
    private static final Option QUICK = Option.flag("--quick")
            .help("fewer rounds and turns; peers only up to 10000 deep");
    private static final Option ROUNDS = Option.number("N", 1, 1000, "--rounds")
            .help("the number of rounds; default 5, with --quick 3");

    private static final Option SPREAD = Option.flag("--spread")
            .help("also minimum, quartiles and maximum of ours over the rounds, and as last columns of the CSV");
    private static final Option RANKS = Option.text("LIST", "--ranks")
            .help("with --only coll: all calls from 8 bytes to 2 MiB with each of these numbers of ranks, as in 2,4,8");
    private static final Option COLD = Option.flag("--cold")
            .help("beside lat and coll the mean of the first 50 calls of each size in a fresh process");
    private static final Option BASELINE = Option.directory("--baseline").never(AGAINST)
            .help("compare with the build in this checkout or directory of jars; at least 5 rounds");
    private static final Option ON_FAILURE = Option.choice("ACTION", List.of("end", "continue"), "--on-failure")
            .otherwise("end").never(AGAINST, BASELINE)
            .help("with continue: compare jobs that go on when a rank fails (after) with jobs that end (before), in"
                    + " turn; at least 5 rounds");
    private static final Option FABRIC = Option
            .choice("NAME", List.of(Fabrics.AUTO, Fabrics.TCP, Fabrics.UDP, Fabrics.OFI), "--fabric").open(Fabrics.OFI)
            .otherwise(Fabrics.AUTO).never(BASELINE)
            .help("what carries messages, ours and theirs: auto is their own choice, shared memory on one machine;"
                    + " with udp theirs go over TCP, since they have no reliable datagrams; ofi or ofi:PROVIDER is"
                    + " libfabric for all that are built for it, with the same provider");

    static final Syntax SYNTAX = new Syntax("bench", "measure Rankwire, also against other MPIs", ONLY, AGAINST, CSV,
            PLOT, QUICK, ROUNDS, SPREAD, RANKS, COLD, BASELINE, ON_FAILURE, FABRIC)
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

                    It is also measured before and after each loop, in a few milliseconds, by the processes that run\
                     the loop, unless there are more ranks than processors. The column hand-off has its median in ns,\
                     over all sides and rounds of the row. Where it changed by more than a factor of 1.5, the column\
                     has the least and the most of it and an asterisk: values of the row may not be comparable.

                    With --baseline the same loops run in turn with the library and launcher of the other build\
                     (before) and of this one (after). A row whose ratio, after / before or for rates before / after,\
                     is above 1.03 is marked. A round whose line hand-off differs from the median by more than a factor\
                     of 1.5 is left out and repeated; there are at most twice as many rounds.

                    A run of a C library with more ranks than processors ends after 20 s; what it has not measured by\
                     then is a dash, and it is not run again, nor with more ranks.

                    Interrupted by Ctrl-C or SIGTERM, the command prints, and writes to the files, the results of the\
                     complete rounds, or those of the first one so far.

                    The CSV has the columns
                    """ + "  " + Csv.HEAD + """

                    and a row for each work or part of it (overlap.send), size or depth, and peer (without peers one\
                     row, the last three empty); values are medians of the rounds, empty where a side has none. Rows of\
                     peer `floor` have the floor as theirs: the line hand-off, median of the rounds, beside our 8-byte\
                     half round trip, and memory copies by size, beside nothing of ours. Kinds that end in\
                     .cold are first calls. With --spread min, lower_quartile, median, upper_quartile and max of ours\
                     follow. The last columns are always hand_off_min_ns and hand_off_max_ns: the least and the most\
                     line hand-off around the values of ours and of the peer.""");

    final Set<Work> works;
    final List<String> against = new ArrayList<>();
    final Path csv;
    final Path plot;
    final boolean quick;
    final int rounds;
    final boolean spread;
    final boolean cold;
    /** Numbers of ranks for all collective calls; none for the usual ones. */
    final List<Integer> ranks;
    /** What carries our messages: the usual, TCP, datagrams or libfabric. */
    final String fabric;
    /** Where the build to compare with is; null for none. */
    final Path baseline;
    /** Whether jobs that go on when a rank fails are compared with jobs that end then. */
    final boolean goesOn;

    BenchOptions(Given given) {
        boolean compares = given.has(BASELINE) || given.has(ON_FAILURE);
        works = given.has(ONLY) ? works(given.text(ONLY)) : compares ? MAIN : Work.usual();
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
        spread = given.has(SPREAD);
        cold = given.has(COLD);
        fabric = given.text(FABRIC);
        if (!Fabrics.isKnown(fabric)) {
            throw given.wrong("option --fabric needs a provider of libfabric behind the colon, such as ofi:net, not "
                    + fabric);
        }
        baseline = file(given.text(BASELINE));
        goesOn = given.text(ON_FAILURE).equals("continue");
        ranks = given.has(RANKS) ? ranks(given) : List.of();
        rounds = given.has(ROUNDS) ? given.number(ROUNDS) : quick && !isComparison() ? 3 : LEAST_COMPARED;
        check(given);
    }

    private void check(Given given) {
        if (plot != null && Collections.disjoint(works, Panels.WORKS)) {
            throw given.wrong("option --plot draws lat, bw, bibw and curve, and --only names none of them");
        }
        if (cold && !works.contains(Work.LAT) && !works.contains(Work.COLL)) {
            throw given.wrong("option --cold is for lat and coll, and --only names none of them");
        }
        if (!ranks.isEmpty() && !works.contains(Work.COLL)) {
            throw given.wrong("option --ranks needs --only coll");
        }
        if (isComparison() && rounds < LEAST_COMPARED) {
            throw given.wrong("option " + (goesOn ? ON_FAILURE : BASELINE) + " needs at least " + LEAST_COMPARED
                    + " --rounds, not " + rounds);
        }
        if (baseline != null && works.contains(Work.START)) {
            throw given.wrong("option --baseline does not go with --only start");
        }
        if (goesOn && works.contains(Work.DEATHS)) {
            throw given.wrong("option --on-failure does not go with --only deaths, whose jobs always go on");
        }
        for (Option each : new Option[] {AGAINST, QUICK, ROUNDS, SPREAD, BASELINE}) {
            if (areFloorsAlone() && given.has(each)) {
                throw given.wrong("option " + each + " does not go with --only floor");
            }
        }
        if (given.has(AGAINST) && works.stream().allMatch(work -> work.theirs().isEmpty())) {
            throw given.wrong("option --against does not go with --only " + given.text(ONLY) + ", which is ours only");
        }
    }

    /** Whether two sides of ours are compared. */
    boolean isComparison() {
        return baseline != null || goesOn;
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

    private static List<Integer> ranks(Given given) {
        Set<Integer> ranks = new TreeSet<>();
        for (String each : given.text(RANKS).split(",", -1)) {
            String number = each.strip();
            int count = number.matches("\\d{1,3}") ? Integer.parseInt(number) : 0;
            if (count < Side.RANKS || count > MOST_RANKS) {
                throw given.wrong("option --ranks needs numbers from " + Side.RANKS + " to " + MOST_RANKS
                        + ", separated by commas, not \"" + given.text(RANKS) + "\"");
            }
            ranks.add(count);
        }
        return List.copyOf(ranks);
    }

    private static Path file(String text) {
        return text == null ? null : Path.of(text).toAbsolutePath();
    }
}
