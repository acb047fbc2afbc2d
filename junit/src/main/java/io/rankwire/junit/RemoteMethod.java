package io.rankwire.junit;

import io.rankwire.Ranks;
import io.rankwire.World;
import java.io.Serializable;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/** A test method as another process calls it: on an object that it makes and prepares itself. */
final class RemoteMethod implements Ranks.Action {
    private static final long serialVersionUID = 1;
    private final Class<?> type;
    private final Class<?> declaring;
    private final String name;
    private final Class<?>[] parameters;
    private final Serializable[] given;

    RemoteMethod(Class<?> type, Method method, Object[] given) {
        this.type = type;
        declaring = method.getDeclaringClass();
        name = method.getName();
        parameters = method.getParameterTypes();
        this.given = new Serializable[given.length];
        for (int i = 0; i < given.length; i++) {
            if (given[i] != null && !(given[i] instanceof Serializable)) {
                throw new ParameterResolutionException("parameter " + i + " of " + name + ", a "
                        + parameters[i].getName() + ", cannot be sent to ranks that are processes");
            }
            this.given[i] = (Serializable) given[i];
        }
    }

    @Override
    public void run(World world) throws Exception {
        RankFailure.call(world, () -> call(world));
    }

    private void call(World world) throws Throwable {
        List<Object> objects = new ArrayList<>();
        make(type, objects);
        Object target = objects.getLast();
        Throwable failure = null;
        try {
            for (Object each : objects) {
                callAll(each, BeforeEach.class);
            }
            Method method = declaring.getDeclaredMethod(name, parameters);
            invoke(method, target, RankTest.filled(parameters, given, world));
        } catch (Throwable e) {
            failure = e;
        }
        for (Object each : objects.reversed()) {
            try {
                callAll(each, AfterEach.class);
            } catch (Throwable e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Makes an object of the class, after those of the classes around it, if it belongs to one of them. */
    private static Object make(Class<?> of, List<Object> made) throws Throwable {
        boolean inner = of.isMemberClass() && !Modifier.isStatic(of.getModifiers());
        Object outer = inner ? make(of.getEnclosingClass(), made) : null;
        Constructor<?> constructor;
        try {
            constructor = inner ? of.getDeclaredConstructor(of.getEnclosingClass()) : of.getDeclaredConstructor();
        } catch (NoSuchMethodException e) {
            throw new ParameterResolutionException("class " + of.getName()
                    + " has no constructor without parameters, which ranks that are processes need", e);
        }
        constructor.setAccessible(true);
        try {
            made.add(inner ? constructor.newInstance(outer) : constructor.newInstance());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        return made.getLast();
    }

    private static void callAll(Object target, Class<? extends Annotation> marked) throws Throwable {
        HierarchyTraversalMode order = marked == BeforeEach.class
                ? HierarchyTraversalMode.TOP_DOWN : HierarchyTraversalMode.BOTTOM_UP;
        for (Method each : AnnotationSupport.findAnnotatedMethods(target.getClass(), marked, order)) {
            if (each.getParameterCount() > 0) {
                throw new ParameterResolutionException("@" + marked.getSimpleName() + " method " + each.getName()
                        + " has parameters, which it cannot get on ranks that are processes");
            }
            invoke(each, target);
        }
    }

    static void invoke(Method method, Object target, Object... arguments) throws Throwable {
        method.setAccessible(true);
        try {
            method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
