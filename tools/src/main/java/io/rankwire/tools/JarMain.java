package io.rankwire.tools;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code java -jar rankwire.jar run -n 4 First.java}: the command line, without a script in front. The {@code java} on
 * the path is often an older one, so this class is for Java 11, and looks for a JDK 25 in the usual places if it does
 * not run on one.
 */
public final class JarMain {
    private static final int RELEASE = 25;

    private JarMain() {}

    public static void main(String[] args) throws Exception {
        if (Runtime.version().feature() >= RELEASE) {
            Class.forName("io.rankwire.tools.Main").getMethod("main", String[].class).invoke(null, (Object) args);
            return;
        }
        File java = find();
        if (java == null) {
            System.err.println("rankwire: needs a JDK " + RELEASE + " or newer, and this is Java "
                    + Runtime.version().feature() + "; install one, or set JAVA25_HOME to where it is");
            System.exit(2);
        }
        File jar = new File(JarMain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> command = new ArrayList<>(List.of(java.getPath(), "-jar", jar.getPath()));
        command.addAll(Arrays.asList(args));
        Process process = new ProcessBuilder(command).inheritIO().start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        System.exit(process.waitFor());
    }

    /** The java command of a JDK that is new enough, or null. */
    private static File find() {
        List<File> homes = new ArrayList<>();
        for (String variable : List.of("JAVA25_HOME", "JAVA_HOME")) {
            if (System.getenv(variable) != null) {
                homes.add(new File(System.getenv(variable)));
            }
        }
        String user = System.getProperty("user.home");
        String programs = System.getenv("ProgramFiles");
        for (String place : new String[] {"/usr/lib/jvm", "/Library/Java/JavaVirtualMachines",
            user + "/.sdkman/candidates/java", user + "/.jdks", user + "/.asdf/installs/java",
            programs + "\\Java", programs + "\\Eclipse Adoptium"}) {
            File[] found = new File(place).listFiles();
            if (found != null) {
                Arrays.sort(found);
                homes.addAll(Arrays.asList(found));
            }
        }
        for (File home : homes) {
            for (File each : List.of(home, new File(home, "Contents/Home"))) {
                File java = new File(each, File.separatorChar == '\\' ? "bin\\java.exe" : "bin/java");
                if (java.canExecute() && release(each) >= RELEASE) {
                    return java;
                }
            }
        }
        return null;
    }

    /** The feature version of a JDK, from its file {@code release}; 0 if that does not say. */
    private static int release(File home) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Files.newInputStream(new File(home, "release").toPath()), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("JAVA_VERSION=\"")) {
                    return Integer.parseInt(line.substring(line.indexOf('"') + 1).split("[^0-9]")[0]);
                }
            }
        } catch (IOException | NumberFormatException e) {
            // It is no JDK, or one whose version cannot be known without running it.
        }
        return 0;
    }
}
