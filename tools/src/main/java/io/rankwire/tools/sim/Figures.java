package io.rankwire.tools.sim;

import io.rankwire.tools.StatusLine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Writes all figures. */
public final class Figures {
    private static final List<Function<Extent, Figure>> ALL = List.of(MatchFigure::make, LargeFigures::protocols,
            LargeFigures::paths, CollectiveFigures::byRanks, CollectiveFigures::underNoise, CollectiveFigures::onATree,
            HeatFigure::make);

    private Figures() {}

    /** Two files a figure, in a folder that is made if it is not there; says so line by line. */
    public static void write(Path folder, PrintStream out) throws IOException {
        write(folder, Extent.FULL, out);
    }

    static void write(Path folder, Extent extent, PrintStream out) throws IOException {
        Files.createDirectories(folder);
        try (StatusLine status = StatusLine.open(out, System.err)) {
            for (int i = 0; i < ALL.size(); i++) {
                status.doing("rankwire: figure " + (i + 1) + " of " + ALL.size());
                long begun = System.nanoTime();
                Figure figure = ALL.get(i).apply(extent);
                Files.writeString(folder.resolve(figure.name() + ".svg"), figure.svg());
                Files.writeString(folder.resolve(figure.name() + ".csv"), figure.csv());
                status.println(String.format(Locale.ROOT, "%s.svg, %s.csv, %s, %.1f s", folder.resolve(figure.name()),
                        figure.name(), figure.hashLine(), (System.nanoTime() - begun) / 1e9));
            }
        }
    }
}
