package io.rankwire.tools.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What {@code rankwire bench} was asked to do. */
final class BenchOptions {
    static final String HELP = """
            rankwire bench [--only WORKS] [--against PEERS] [--csv FILE] [--plot FILE.svg] [--quick] [--rounds N]

            Measures this library between ranks of this machine, two if not told otherwise, and, with --against, C
            libraries of MPI with the same loops in the same run. Ours and theirs take turns in every round, in fresh
            processes; the medians of the rounds are compared and the best printed too. Data is checked and changed in
            every message. Nothing is tuned: ranks are started as `rankwire run` and `mpirun` start them.

              --only WORKS      some of these, separated by commas; default: all but bibw, coll, curve
                                  lat      half round trip by message size, us; from 8 KiB also in memory of
                                           World.allocate or MPI_Alloc_mem (lat.alloc)
                                  rate     8-byte messages a second, one pair, windows of 64 and an answer, M/s
                                  bw       stream of messages by size, windows of 64 and an answer, MB/s (10^6 bytes)
                                  bibw     the same both ways at once, the sum of both, MB/s
                                  overlap  how much of a transfer is hidden behind compute of its own length at the
                                           sender, at the receiver, at both, %
                                  rma      one-sided put and get of 8 bytes and 64 KiB with a flush each, us, and puts
                                           of 8 bytes with a flush for 64, M/s
                                  prq      half round trip of 8 bytes with other receives posted at both ranks, us
                                  ueq      half round trip of 8 bytes with unexpected messages ahead at both ranks, us
                                  start    an empty job of 2 ranks from start to end, s
                                  alloc    heap allocated for a message, bytes; ours only
                                  coll     collective calls by bytes of a block or vector, us: barrier, bcast and reduce
                                           (roots take turns), allreduce (sums of doubles), allgather, alltoall, large
                                           ones also in allocated memory (.alloc), some with 4 and 8 ranks (.x4, .x8);
                                           ours only: heap for a start of a persistent allreduce, bytes, and how much
                                           of an allreduce of 1 MiB is hidden behind compute at one rank or both, %
                                  curve    half round trip from 1 KiB to 4 MiB by each protocol of ours: eager,
                                           rendezvous, two-ended (-Drankwire.large=...), us
                                  floor    the machine's floors alone; they are measured at start and end in any case
              --against PEERS   openmpi, mpich or both, separated by commas; an absent one is left out, and told
              --csv FILE        also write the results there
              --plot FILE.svg   also draw lat, bw, bibw and curve there, by message size on log axes
              --quick           fewer rounds and turns; peers only up to 10000 deep
              --rounds N        how many rounds; default 5, with --quick 3
              --help            this text

            cost_ratio in the tables is against the better peer, and below 1 when ours is better: ours / theirs, for
            rates and bandwidths theirs / ours, for overlap the shares not hidden, each at least 1 %: (100 - ours) /
            (100 - theirs).

            The line hand-off is measured before every round. A round where it is more than twice or less than half the
            median of all, as when two virtual cores are one for a while, is marked and left out of everything, unless
            fewer than two or less than half of the rounds would remain.

            Interrupted by Ctrl-C or SIGTERM it prints, and writes to the files, what the complete rounds have given, or
            what the first one has so far.

            The CSV has the columns
              work,bytes,depth,ranks,unit,ours,peer,theirs,cost_ratio
            and a row for each work or part of it (overlap.send), size or depth, and peer (without peers one row, the
            last three empty); values are medians of the rounds, empty where a side has none. Rows of peer `floor` have
            the floor as theirs: the line hand-off, median of the rounds, beside our 8-byte half round trip, and memory
            copies by size, beside nothing of ours.
            """;

    static final List<String> PEERS = List.of("openmpi", "mpich");

    private static final int MOST_ROUNDS = 1000;

    Set<Work> works = Work.usual();
    List<String> against = List.of();
    Path csv;
    Path plot;
    boolean quick;
    boolean help;
    int rounds;

    private final String[] words;
    private int at;

    private BenchOptions(String[] words) {
        this.words = words;
    }

    static BenchOptions parse(String... words) {
        BenchOptions options = new BenchOptions(words);
        while (options.at < words.length) {
            options.option(words[options.at++]);
        }
        if (options.rounds == 0) {
            options.rounds = options.quick ? 3 : 5;
        }
        if (options.plot != null && Collections.disjoint(options.works, Panels.WORKS)) {
            throw new WrongOption("option --plot draws lat, bw, bibw and curve, and none of them is asked for");
        }
        return options;
    }

    private void option(String word) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        String given = equals < 0 ? null : word.substring(equals + 1);
        switch (name) {
            case "--only" -> works = works(value(name, given));
            case "--against" -> against = peers(value(name, given));
            case "--csv" -> csv = file(name, value(name, given));
            case "--plot" -> plot = file(name, value(name, given));
            case "--rounds" -> rounds = rounds(value(name, given));
            case "--quick" -> quick = flag(name, given);
            case "--help", "-h" -> help = flag(name, given);
            default -> throw new WrongOption((name.startsWith("-") ? "unknown option " : "what is meant by ") + name);
        }
    }

    private String value(String name, String given) {
        if (given != null) {
            return given;
        }
        if (at == words.length) {
            throw new WrongOption("option " + name + " needs a value");
        }
        return words[at++];
    }

    private static boolean flag(String name, String given) {
        if (given != null) {
            throw new WrongOption("option " + name + " takes no value");
        }
        return true;
    }

    private static Set<Work> works(String list) {
        Set<Work> works = EnumSet.noneOf(Work.class);
        for (String label : list.split(",", -1)) {
            Work work = Work.named(label.strip());
            if (work == null) {
                throw new WrongOption("option --only: there is no work \"" + label + "\"");
            }
            works.add(work);
        }
        return works;
    }

    private static List<String> peers(String list) {
        List<String> peers = new ArrayList<>();
        for (String name : list.split(",", -1)) {
            String peer = name.strip();
            if (!PEERS.contains(peer)) {
                throw new WrongOption("option --against: the peers are openmpi and mpich, not \"" + name + "\"");
            }
            if (!peers.contains(peer)) {
                peers.add(peer);
            }
        }
        return peers;
    }

    /** Checked now, since it is written minutes later. */
    private static Path file(String name, String text) {
        Path file = Path.of(text).toAbsolutePath();
        boolean writable = Files.exists(file)
                ? Files.isRegularFile(file) && Files.isWritable(file)
                : file.getParent() != null && Files.isWritable(file.getParent());
        if (!writable) {
            throw new WrongOption("option " + name + ": cannot write " + text);
        }
        return file;
    }

    private static int rounds(String text) {
        try {
            int rounds = Integer.parseInt(text);
            if (rounds >= 1 && rounds <= MOST_ROUNDS) {
                return rounds;
            }
        } catch (NumberFormatException e) {
            // Told below, like a number out of range.
        }
        throw new WrongOption("option --rounds needs a number from 1 to " + MOST_ROUNDS + ", not " + text);
    }

    /** The command was given wrongly. */
    static final class WrongOption extends RuntimeException {
        private static final long serialVersionUID = 1;

        WrongOption(String what) {
            super(what + " (see `rankwire bench --help`)");
        }
    }
}
