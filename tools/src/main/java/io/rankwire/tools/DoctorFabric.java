package io.rankwire.tools;

import io.rankwire.fabric.NetworkFabric;
import io.rankwire.launch.Backends;
import io.rankwire.launch.Fabrics;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What the doctor reports about libfabric. A process of its own asks the library, whose providers may do anything to
 * the process that loads them.
 */
public final class DoctorFabric {
    private static final int MOST_SECONDS = 30;

    private DoctorFabric() {}

    /** Prints what the backend says, or the name of its best provider if any word is given. */
    public static void main(String[] args) {
        NetworkFabric fabric = Backends.find(Fabrics.OFI);
        if (fabric != null && args.length == 0) {
            fabric.describe().forEach(System.out::println);
        } else if (fabric != null) {
            String best = fabric.best(InetAddress.getLoopbackAddress());
            System.out.println(best == null ? "" : best);
        }
        // Not the hooks of providers.
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    /** Prints the section of the doctor; nothing without the jar. */
    static void print(PrintStream out) {
        String jar = OfiLibrary.find();
        if (jar == null) {
            return;
        }
        List<String> lines;
        try {
            lines = ask(jar);
        } catch (IOException e) {
            lines = List.of("not known: " + e.getMessage());
        }
        for (int i = 0; i < lines.size(); i++) {
            Doctor.print(out, i == 0 ? "libfabric" : "", lines.get(i));
        }
    }

    /** The fabric with the provider that is taken on this host, or without if that cannot be said. */
    public static String withBestProvider() throws IOException {
        String jar = OfiLibrary.of(Fabrics.OFI);
        List<String> lines = ask(jar, "best");
        return lines.isEmpty() || lines.getFirst().isBlank() ? Fabrics.OFI : Fabrics.OFI + ":" + lines.getFirst();
    }

    /** What a process with the backend in a jar prints. */
    private static List<String> ask(String jar, String... words) throws IOException {
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        String classes = String.join(File.pathSeparator, Launch.locationOf(DoctorFabric.class), Launch.core(), jar);
        List<String> command = new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED", "-Dstdout.encoding=UTF-8", "-cp", classes,
                DoctorFabric.class.getName()));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        process.getOutputStream().close();
        try {
            process.onExit().orTimeout(MOST_SECONDS, TimeUnit.SECONDS).whenComplete((_, late) -> {
                if (late != null) {
                    process.destroyForcibly();
                }
            });
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException("the process that asks libfabric ended with status " + status);
            }
            return text.lines().toList();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
