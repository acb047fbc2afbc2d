package io.rankwire.junit;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Makes the tests of a method with {@link OnRanks}. JUnit finds it by that annotation. */
final class RanksExtension implements TestTemplateInvocationContextProvider {
    /** Called by JUnit. */
    RanksExtension() {}

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return !annotations(context.getRequiredTestMethod(), context.getRequiredTestClass()).isEmpty();
    }

    private static List<OnRanks> annotations(Method method, Class<?> type) {
        List<OnRanks> own = AnnotationSupport.findRepeatableAnnotations(method, OnRanks.class);
        boolean complete = own.stream().anyMatch(each -> each.value().length > 0);
        for (Class<?> outer = type; !complete && !own.isEmpty() && outer != null; outer = outer.getEnclosingClass()) {
            List<OnRanks> ofClass = AnnotationSupport.findRepeatableAnnotations(outer, OnRanks.class);
            if (!ofClass.isEmpty()) {
                return ofClass;
            }
        }
        return own;
    }

    private static Optional<UnderFaults> faults(Method method, Class<?> type) {
        Optional<UnderFaults> found = AnnotationSupport.findAnnotation(method, UnderFaults.class);
        for (Class<?> outer = type; found.isEmpty() && outer != null; outer = outer.getEnclosingClass()) {
            found = AnnotationSupport.findAnnotation(outer, UnderFaults.class);
        }
        return found;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        Class<?> type = context.getRequiredTestClass();
        Optional<UnderFaults> faults = faults(method, type);
        List<TestTemplateInvocationContext> tests = new ArrayList<>();
        for (OnRanks each : annotations(method, type)) {
            if (each.value().length == 0) {
                throw new ExtensionConfigurationException("@OnRanks of " + method.getName()
                        + " has no numbers of ranks, as in @OnRanks({1, 3}), and its class has none either");
            }
            for (int count : each.value()) {
                for (OnRanks.Kind kind : each.as()) {
                    tests.add(new RankTest(each, kind, count, null));
                }
                if (count > 1 && faults.isPresent()) {
                    long first = faults.get().first();
                    for (long seed = first; seed < first + faults.get().seeds(); seed++) {
                        tests.add(new RankTest(each, OnRanks.Kind.SIMULATED, count, seed));
                    }
                }
            }
        }
        return tests.stream();
    }
}
