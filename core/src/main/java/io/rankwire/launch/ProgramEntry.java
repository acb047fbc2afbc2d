package io.rankwire.launch;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * The main method of a user's class, found by the rules of the Java launcher (JEP 512): {@code main(String[])} before
 * {@code main()}, static or not, of any access but private, declared or inherited.
 */
record ProgramEntry(Class<?> owner, Method main) {
    static ProgramEntry of(String className, ClassLoader loader) {
        Class<?> owner;
        try {
            owner = Class.forName(className, false, loader);
        } catch (ClassNotFoundException e) {
            throw new NoProgram("no class " + className + " on the class path "
                    + System.getProperty("java.class.path"), e);
        }
        return of(owner);
    }

    static ProgramEntry of(Class<?> owner) {
        Method main = find(owner, String[].class);
        if (main == null) {
            main = find(owner);
        }
        if (main == null) {
            throw new NoProgram("class " + owner.getName() + " has no main method: declare"
                    + " `void main()` or `static void main(String[] args)`, not private");
        }
        return new ProgramEntry(owner, main);
    }

    private static Method find(Class<?> owner, Class<?>... parameters) {
        for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
            Method found = declared(type, owner, parameters);
            if (found != null) {
                return found;
            }
        }
        // A default method of an interface.
        try {
            Method found = owner.getMethod("main", parameters);
            return found.getReturnType() == void.class ? found : null;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static Method declared(Class<?> type, Class<?> owner, Class<?>... parameters) {
        Method method;
        try {
            method = type.getDeclaredMethod("main", parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
        int access = method.getModifiers();
        boolean open = Modifier.isPublic(access) || Modifier.isProtected(access);
        boolean reachable = open || !Modifier.isPrivate(access) && samePackage(type, owner);
        return reachable && method.getReturnType() == void.class && !Modifier.isAbstract(access) ? method : null;
    }

    private static boolean samePackage(Class<?> a, Class<?> b) {
        return a.getClassLoader() == b.getClassLoader() && a.getPackageName().equals(b.getPackageName());
    }

    /** Runs it; whatever it throws comes out as it is. */
    void run(String[] args) throws Throwable {
        Object[] arguments = main.getParameterCount() == 0 ? new Object[0] : new Object[] {args};
        main.setAccessible(true);
        try {
            main.invoke(Modifier.isStatic(main.getModifiers()) ? null : instance(), arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** As {@link #run}, for the program of a process. Under mpirun its main method is at the bottom of the stack. */
    void runInProcess(String[] args) throws Throwable {
        boolean asJavaDoes = "openmpi".equals(System.getenv("RANKWIRE_DIALECT"));
        if (!asJavaDoes || main.getParameterCount() == 0 || !Modifier.isStatic(main.getModifiers())) {
            run(args);
            return;
        }
        main.setAccessible(true);
        MainThread.run(MethodHandles.lookup().unreflect(main), args);
    }

    private Object instance() throws InvocationTargetException, IllegalAccessException {
        try {
            Constructor<?> constructor = owner.getDeclaredConstructor();
            if (Modifier.isPrivate(constructor.getModifiers())) {
                throw new NoSuchMethodException();
            }
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (NoSuchMethodException | InstantiationException e) {
            throw new NoProgram("class " + owner.getName() + " has an instance main method, which needs a"
                    + " class that is not abstract and has a constructor without parameters, not private", e);
        }
    }
}
