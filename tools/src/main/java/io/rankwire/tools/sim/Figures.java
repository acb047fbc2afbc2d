package io.rankwire.tools.sim;

import io.rankwire.tools.StatusLine;
import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import io.rankwire.tools.options.Syntax;
import io.rankwire.tools.options.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** {@code rankwire sim figures}: writes all figures. */
public final class Figures {
    private static final Option FOLDER = Option.text("", "DIR").required("which directory? Give the one to write to")
            .help("the directory to write to; it is made when it does not exist");

    public static final Syntax SYNTAX = new Syntax("sim figures", "draw what the simulator shows, as SVG and CSV",
            FOLDER)
            .forms("sim figures DIR")
            .about("Writes the figures of docs/SIM-figures.md, a drawing (SVG) and a table (CSV) each, in two minutes"
                    + " at most.");

    private static final List<Function<Extent, Figure>> ALL = List.of(MatchFigure::make, LargeFigures::protocols,
            LargeFigures::paths, CollectiveFigures::byRanks, CollectiveFigures::underNoise, CollectiveFigures::onATree,
            HeatFigure::make, SplitFigure::make, ProgramFigures::tree, ProgramFigures::paths,
            ProgramFigures::reordered);

    private Figures() {}

    public static int run(Given given, PrintStream out) {
        Path folder = Path.of(given.text(FOLDER));
        try {
            write(folder, Extent.FULL, out);
        } catch (IOException e) {
            throw new UsageException("figures could not be written to " + folder + ": " + e);
        }
        return 0;
    }

    /** Writes two files a figure into a directory that is made if it is not there; prints a line for each figure. */
    static void write(Path folder, Extent extent, PrintStream out) throws IOException {
        Files.createDirectories(folder);
        try (StatusLine status = StatusLine.open(out, System.err)) {
            AtomicInteger written = new AtomicInteger();
            status.onInterrupt(() -> "interrupted: " + written + " of " + ALL.size() + " figures are written");
            for (int i = 0; i < ALL.size(); i++) {
                status.doing("rankwire: figure " + (i + 1) + " of " + ALL.size());
                long begun = System.nanoTime();
                Figure figure = ALL.get(i).apply(extent);
                Files.writeString(folder.resolve(figure.name() + ".svg"), figure.svg());
                Files.writeString(folder.resolve(figure.name() + ".csv"), figure.csv());
                written.incrementAndGet();
                status.println(String.format(Locale.ROOT, "%s.svg, %s.csv, %s, %.1f s", folder.resolve(figure.name()),
                        figure.name(), figure.hashLine(), (System.nanoTime() - begun) / 1e9));
            }
        }
    }
}
