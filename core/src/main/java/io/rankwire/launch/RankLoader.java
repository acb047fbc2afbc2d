package io.rankwire.launch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSigner;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;

/**
 * Loads the user's classes once per rank, so that each rank has its own statics, and everything of Rankwire itself from
 * the one shared copy.
 */
final class RankLoader extends URLClassLoader {
    static {
        ClassLoader.registerAsParallelCapable();
    }

    private static final URL SHARED = locationOf(RankLoader.class);

    private final boolean simulated;
    private final boolean ofAllRanks;
    private final int rank;
    /** Null if there is none. */
    private final SharedLibrary library;

    /**
     * Without a name, which would stand in front of every frame of the program's stacks.
     *
     * @param rank whose classes these are; -1 for several ranks
     * @param library classes in the class path that are not loaded here; null for none
     */
    RankLoader(URL[] classPath, boolean simulated, int rank, SharedLibrary library) {
        this(classPath, simulated, false, rank, library);
    }

    private RankLoader(URL[] classPath, boolean simulated, boolean ofAllRanks, int rank, SharedLibrary library) {
        super(classPath, RankLoader.class.getClassLoader());
        this.simulated = simulated;
        this.ofAllRanks = ofAllRanks;
        this.rank = rank;
        this.library = library;
    }

    /** A loader of a library that simulated ranks share. */
    static RankLoader ofAllRanks(URL place) {
        return new RankLoader(new URL[] {place}, true, true, -1, null);
    }

    int rank() {
        return rank;
    }

    boolean isOfAllRanks() {
        return ofAllRanks;
    }

    /** The class path of this process without Rankwire itself. */
    static URL[] classPath() {
        return classPath(System.getProperty("java.class.path"));
    }

    /** The places that a class path names, without Rankwire itself. */
    static URL[] classPath(String text) {
        List<URL> places = new ArrayList<>();
        for (String entry : text.split(File.pathSeparator)) {
            try {
                URL place = Path.of(entry).toAbsolutePath().toUri().toURL();
                if (!place.equals(SHARED)) {
                    places.add(place);
                }
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException("class path entry " + entry + " is no file name", e);
            }
        }
        return places.toArray(new URL[0]);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("java.") || name.startsWith("io.rankwire.") && isShared(name)) {
            return super.loadClass(name, resolve);
        }
        if (library != null && library.has(name)) {
            return library.load(name);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            if (found == null) {
                try {
                    found = findClass(name);
                } catch (ClassNotFoundException e) {
                    return super.loadClass(name, resolve);
                }
            }
            if (resolve) {
                resolveClass(found);
            }
            return found;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String path = name.replace('.', '/').concat(".class");
        URL place = findResource(path);
        byte[] adapted = place == null ? null
                : simulated ? ProgramClock.adapted(place, library) : ProgramExit.adapted(name, place);
        return adapted == null ? super.findClass(name)
                : defineClass(name, adapted, 0, adapted.length, domain(place, path));
    }

    private ProtectionDomain domain(URL place, String path) {
        String text = place.toString();
        String root = text.substring(0, text.length() - path.length());
        for (URL entry : getURLs()) {
            // In a jar for several releases of Java the class may lie deeper.
            if (text.startsWith("jar:" + entry + "!/") || root.equals(entry.toString())) {
                return new ProtectionDomain(new CodeSource(entry, (CodeSigner[]) null), null, this, null);
            }
        }
        return null;
    }

    /** A program that brings a copy of Rankwire in its own jar must still meet the one that runs it. */
    private boolean isShared(String name) {
        try {
            return SHARED != null && SHARED.equals(locationOf(getParent().loadClass(name)));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static URL locationOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null ? null : source.getLocation();
    }

    @Override
    public URL getResource(String name) {
        URL own = findResource(name);
        return own != null ? own : super.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        // The parent sees the same class path: asking both would find everything twice.
        Enumeration<URL> own = findResources(name);
        return own.hasMoreElements() ? own : super.getResources(name);
    }

    /** The content of a file of the class path. */
    static byte[] read(URL place) {
        try (InputStream in = place.openStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + place, e);
        }
    }
}
