package io.rankwire.launch;

import java.io.File;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.LinkedHashSet;
import java.util.Set;

/** Where another JVM, or another class loader, finds the classes of this program. */
public final class ProgramPath {
    private static final String LAMBDA = "$$Lambda";

    private ProgramPath() {}

    /**
     * The class path: that of this process, its modules, and where some classes lie that are needed.
     *
     * @throws IllegalStateException if one of them lies in no file
     */
    public static String of(Class<?>... needed) {
        Set<String> places = new LinkedHashSet<>();
        for (String property : new String[] {"java.class.path", "jdk.module.path"}) {
            for (String place : System.getProperty(property, "").split(File.pathSeparator)) {
                if (!place.isEmpty()) {
                    places.add(new File(place).getAbsolutePath());
                }
            }
        }
        for (Class<?> type : needed) {
            places.add(placeOf(type));
        }
        return String.join(File.pathSeparator, places);
    }

    /**
     * The directory or jar of a class.
     *
     * @throws IllegalStateException if it lies in no file
     */
    public static String placeOf(Class<?> type) {
        int lambda = type.getName().indexOf(LAMBDA);
        String name = lambda < 0 ? type.getName() : type.getName().substring(0, lambda);
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        ClassLoader loader = type.getClassLoader();
        URL file = loader == null ? null : loader.getResource(name.replace('.', '/') + ".class");
        boolean isFile = file != null && (file.getProtocol().equals("file") || file.getProtocol().equals("jar"));
        if (location == null || !isFile || !location.getProtocol().equals("file")) {
            throw new IllegalStateException("class " + name + " is in no class file or jar, so no other rank can load"
                    + " it: compile the program instead of running its source");
        }
        try {
            return Path.of(location.toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
