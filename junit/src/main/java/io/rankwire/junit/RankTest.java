package io.rankwire.junit;

import io.rankwire.Communicator;
import io.rankwire.Ranks;
import io.rankwire.RankwireException;
import io.rankwire.World;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;

/** One test: a method on a number of ranks of one kind. */
final class RankTest implements TestTemplateInvocationContext, ParameterResolver, InvocationInterceptor {
    private static final double MS_PER_S = 1e3;

    private final OnRanks how;
    private final OnRanks.Kind kind;
    private final int count;
    /** Null for no faults. */
    private final Long seed;

    RankTest(OnRanks how, OnRanks.Kind kind, int count, Long seed) {
        this.how = how;
        this.kind = kind;
        this.count = count;
        this.seed = seed;
    }

    @Override
    public String getDisplayName(int index) {
        String ranks = count == 1 ? "1 rank" : count + " ranks";
        return ranks + switch (kind) {
            case THREADS -> "";
            case PROCESSES -> count == 1 ? " as a process" : " as processes";
            case SIMULATED -> seed == null ? ", simulated on " + how.topology() : faults();
        };
    }

    private String faults() {
        return seed == null ? "" : " under faults, seed " + seed;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
        return List.of(this);
    }

    private Ranks ranks() {
        Ranks ranks = switch (kind) {
            case THREADS -> Ranks.threads(count);
            case PROCESSES -> Ranks.processes(count).jvmOptions(how.jvmOptions());
            case SIMULATED -> Ranks.simulated(count, how.topology());
        };
        ranks = seed == null ? ranks : ranks.faults(seed);
        return ranks.timeout(seconds(how.timeout())).stall(seconds(how.stall()));
    }

    private static Duration seconds(double time) {
        return Duration.ofMillis(Math.round(time * MS_PER_S));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getDeclaringExecutable().equals(context.getTestMethod().orElse(null))
                && isOfRank(parameter.getParameter().getType());
    }

    private static boolean isOfRank(Class<?> type) {
        return type == Communicator.class || type == World.class;
    }

    /** Each rank has its own; see {@link #filled}. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return null;
    }

    /** The arguments, with those that a rank has of its own. */
    static Object[] filled(Class<?>[] types, Object[] given, World world) {
        Object[] all = Arrays.copyOf(given, given.length, Object[].class);
        for (int i = 0; i < all.length; i++) {
            all[i] = types[i] == Communicator.class ? world.communicator() : types[i] == World.class ? world : all[i];
        }
        return all;
    }

    @Override
    public void interceptTestTemplateMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> call,
            ExtensionContext context) throws Throwable {
        invocation.skip();
        Method method = call.getExecutable();
        Object[] given = call.getArguments().toArray();
        try {
            if (kind == OnRanks.Kind.PROCESSES) {
                ranks().execute(new RemoteMethod(context.getRequiredTestClass(), method, given));
            } else {
                Object target = call.getTarget().orElse(null);
                Class<?>[] types = method.getParameterTypes();
                ranks().execute(world -> RankFailure.call(world,
                        () -> RemoteMethod.invoke(method, target, filled(types, given, world))));
            }
        } catch (RankwireException e) {
            throw RankFailure.translated(e, faults());
        }
    }
}
