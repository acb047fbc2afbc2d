package io.rankwire.sim.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Classes of this project once more, one of them with a bug. */
public final class MutantLoader extends ClassLoader {
    private static final String OURS = "io.rankwire.";
    private final Mutation mutation;

    public MutantLoader(Mutation mutation) {
        super(MutantLoader.class.getClassLoader());
        this.mutation = mutation;
        setDefaultAssertionStatus(true);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            byte[] bytes = read(name);
            byte[] used = name.equals(mutation.className()) ? mutation.plant(bytes) : bytes;
            return defineClass(name, used, 0, used.length);
        }
    }

    private byte[] read(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
