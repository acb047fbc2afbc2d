package io.rankwire.tools;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.stream.Stream;

/**
 * A program of several examples, its arguments: each rank runs them one after the other, and joins a world in each. So
 * one job checks them all.
 */
final class ExampleAfterExample {
    private ExampleAfterExample() {}

    public static void main(String[] names) throws Throwable {
        for (String name : names) {
            Class<?> type = Class.forName(name);
            Method main = Stream.of(type.getDeclaredMethods()).filter(method -> method.getName().equals("main"))
                    .findFirst().orElseThrow();
            Constructor<?> make = type.getDeclaredConstructor();
            main.setAccessible(true);
            make.setAccessible(true);
            Object[] arguments = main.getParameterCount() == 0 ? new Object[0] : new Object[] {new String[0]};
            try {
                main.invoke(make.newInstance(), arguments);
            } catch (InvocationTargetException e) {
                throw new IllegalStateException(name, e.getCause());
            }
        }
    }
}
