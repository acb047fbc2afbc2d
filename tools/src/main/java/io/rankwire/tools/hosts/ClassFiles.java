package io.rankwire.tools.hosts;

import io.rankwire.launch.JobDirectory;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * An entry of a class path: a jar, or a directory with all that is in it.
 *
 * @param digest of its contents; blank if nothing is to be compared
 */
public record ClassFiles(String path, String digest) {
    private static final long MOST_BYTES = 1L << 30;

    /** The entries of a class path that exist; those with a star are the jars of a directory. */
    public static List<String> entries(String classPath) {
        List<String> entries = new ArrayList<>();
        for (String each : classPath.split(File.pathSeparator)) {
            if (each.endsWith(File.separator + "*")) {
                File[] jars = new File(each.substring(0, each.length() - 2))
                        .listFiles((_, name) -> name.endsWith(".jar") || name.endsWith(".JAR"));
                for (File jar : jars == null ? new File[0] : jars) {
                    entries.add(jar.getPath());
                }
            } else if (!each.isEmpty() && new File(each).exists()) {
                entries.add(each);
            }
        }
        return entries;
    }

    /** The entry at this place, as it is here. */
    public static ClassFiles at(String path, boolean compares) throws IOException {
        return new ClassFiles(path, compares ? digestOf(Path.of(path)) : "");
    }

    /** An entry that no other host has. */
    public static ClassFiles toCopy(String path) {
        return new ClassFiles(path, "made for this job");
    }

    /** Whether this host has the same at that place. */
    public boolean isHere() {
        Path place = Path.of(path);
        try {
            return Files.isReadable(place) && (digest.isEmpty() || digest.equals(digestOf(place)));
        } catch (IOException e) {
            return false;
        }
    }

    private static String digestOf(Path place) throws IOException {
        MessageDigest sum;
        try {
            sum = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
        for (Path each : filesOf(place)) {
            sum.update((place.relativize(each) + "\0" + Files.size(each) + "\0").getBytes(StandardCharsets.UTF_8));
            byte[] buffer = new byte[Message.PIECE];
            try (InputStream in = Files.newInputStream(each)) {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    sum.update(buffer, 0, count);
                }
            }
        }
        return HexFormat.of().formatHex(sum.digest());
    }

    private static List<Path> filesOf(Path place) throws IOException {
        List<Path> files = new ArrayList<>();
        long bytes = 0;
        try (Stream<Path> all = Files.walk(place)) {
            for (Path each : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                files.add(each);
                bytes += Files.size(each);
                if (bytes > MOST_BYTES) {
                    throw new IOException("the class path has " + place + ", which holds more than 1 GiB: give -cp a"
                            + " directory with the classes alone, or --copy=never if all hosts have it");
                }
            }
        } catch (java.io.UncheckedIOException e) {
            throw e.getCause();
        }
        files.sort(null);
        return files;
    }

    /** One file that stands for the entry: the jar, or a new one with the contents of the directory. */
    public Path packed(Path draft) throws IOException {
        Path place = Path.of(path);
        if (!Files.isDirectory(place)) {
            return place;
        }
        pack(place, draft);
        return draft;
    }

    /** Makes a jar of a directory, for this user alone. */
    public static void pack(Path directory, Path jar) throws IOException {
        JobDirectory.write(jar, ByteBuffer.allocate(0));
        try (OutputStream out = Files.newOutputStream(jar); ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.setLevel(1);
            for (Path each : filesOf(directory)) {
                zip.putNextEntry(new ZipEntry(directory.relativize(each).toString().replace(File.separatorChar, '/')));
                Files.copy(each, zip);
                zip.closeEntry();
            }
        }
    }
}
