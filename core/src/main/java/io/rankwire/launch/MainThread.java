package io.rankwire.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs a static main method as the first of its thread, as {@code java} does: some programs take the class at the
 * bottom of the stack for the program. The class is loaded a second time, as a hidden one, whose frames no stack trace
 * has.
 */
final class MainThread extends Thread {
    private final MethodHandle main;
    private final String[] args;
    private final AtomicReference<Throwable> thrown;

    /** Made by {@link #run(MethodHandle, String[])}. */
    MainThread(MethodHandle main, String[] args, AtomicReference<Throwable> thrown) {
        super(null, null, "main");
        this.main = main;
        this.args = args;
        this.thrown = thrown;
    }

    @Override
    public void run() {
        try {
            main.invokeExact(args);
        } catch (Throwable e) {
            thrown.set(e);
        }
    }

    /** Runs it and waits for its end; whatever it throws comes out as it is. */
    static void run(MethodHandle main, String[] args) throws Throwable {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = hidden(main, args, thrown);
        Thread.currentThread().setName("rankwire-main");
        thread.start();
        thread.join();
        if (thrown.get() != null) {
            throw thrown.get();
        }
    }

    private static Thread hidden(MethodHandle main, String[] args, AtomicReference<Throwable> thrown)
            throws ReflectiveOperationException {
        try (InputStream in = MainThread.class.getResourceAsStream("MainThread.class")) {
            Class<?> hidden = MethodHandles.lookup().defineHiddenClass(in.readAllBytes(), true).lookupClass();
            return (Thread) hidden.getDeclaredConstructor(MethodHandle.class, String[].class, AtomicReference.class)
                    .newInstance(main, args, thrown);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
