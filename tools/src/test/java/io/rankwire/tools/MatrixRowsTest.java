package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.ActiveMessages;
import io.rankwire.ByteCounter;
import io.rankwire.CartesianCommunicator;
import io.rankwire.Checkpoint;
import io.rankwire.Communicator;
import io.rankwire.CompletionQueue;
import io.rankwire.Datagram;
import io.rankwire.DistributedGraphCommunicator;
import io.rankwire.GraphCommunicator;
import io.rankwire.Intercommunicator;
import io.rankwire.Message;
import io.rankwire.Request;
import io.rankwire.TopologyCommunicator;
import io.rankwire.Window;
import io.rankwire.Work;
import io.rankwire.WorkPair;
import io.rankwire.WorkQueue;
import io.rankwire.World;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the rows of the matrix to the public API: each call that can need another rank is made in a row. */
class MatrixRowsTest {
    private static final List<Class<?>> TYPES = List.of(Communicator.class, Intercommunicator.class,
            TopologyCommunicator.class, CartesianCommunicator.class, GraphCommunicator.class,
            DistributedGraphCommunicator.class, Window.class, Request.class, Message.class, CompletionQueue.class,
            ByteCounter.class, Datagram.class, ActiveMessages.class, Work.class, WorkQueue.class, WorkPair.class,
            Checkpoint.class, World.class);
    /** The classes whose code makes the calls. The two of the harness repair and replace. */
    private static final List<Class<?>> CALLERS = List.of(MessageRows.class, RequestRows.class, MakingRows.class,
            WindowRows.class, AsideRows.class, RepairRows.class, MatrixProgram.class);

    /** What the handles of the library have in common. */
    private static final String HANDLE = "attribute, errorHandler, name, removeAttribute";

    /** By type, the calls that no row makes since they concern this rank alone: they read or set what it has. */
    private static final Map<Class<?>, String> LOCAL = Map.ofEntries(
            Map.entry(Communicator.class, HANDLE + ", cartesianRank, compare, hints, priority"),
            Map.entry(Intercommunicator.class, HANDLE + ", compare, group, hints, remoteGroup"),
            Map.entry(TopologyCommunicator.class, "inDegree, outDegree"),
            Map.entry(CartesianCommunicator.class, "balanced, coordinates, dims, periods, rankAt, shift"),
            Map.entry(GraphCommunicator.class, "edges, neighbours"),
            Map.entry(DistributedGraphCommunicator.class,
                    "destinationWeights, destinations, isWeighted, sourceWeights, sources"),
            Map.entry(Window.class, HANDLE + ", bytes, group"),
            Map.entry(Request.class, "status"),
            Map.entry(Message.class, "status"),
            Map.entry(CompletionQueue.class, "produced, size"),
            Map.entry(Datagram.class, "bind, maxBytes, onArrival, openReceiver, queue, queues, receiveTimeout, retries"
                    + ", sendTimeout, wakeUp"),
            // Work is waited for by its start alone.
            Map.entry(Work.class, "buffer typed, count, disabledPair, disabledQueue, refusingQueue"),
            Map.entry(WorkQueue.class, "combine, copy, enable, size"),
            Map.entry(WorkPair.class, "channel, rank, receives, sends"),
            Map.entry(Checkpoint.class, "directory, ranks"),
            Map.entry(World.class, "closePort, codec, coordinates, counters, maxTag, self, spend, time"));

    /** Calls that end the job, and one that runs another. */
    private static final Set<String> WHOLE_JOBS = Set.of("World.fail", "World.run");

    /** Names the method for reports; overloads with and without datatypes are different calls. */
    private static String name(Class<?> type, String method, Stream<String> parameters) {
        boolean typed = parameters.anyMatch(each -> each.contains("Datatype"));
        return type.getSimpleName() + "." + method + (typed ? " typed" : "");
    }

    private static Set<String> called() throws Exception {
        Set<String> called = new TreeSet<>();
        List<Class<?>> callers = CALLERS.stream()
                .<Class<?>>mapMulti((each, all) -> {
                    all.accept(each);
                    Arrays.stream(each.getDeclaredClasses()).forEach(all);
                }).toList();
        for (Class<?> caller : callers) {
            String file = caller.getName().substring(caller.getPackageName().length() + 1) + ".class";
            try (InputStream code = caller.getResourceAsStream(file)) {
                for (PoolEntry entry : ClassFile.of().parse(code.readAllBytes()).constantPool()) {
                    if (entry instanceof MemberRefEntry member && member.type().stringValue().startsWith("(")
                            && member.owner().asInternalName().startsWith("io/rankwire/")) {
                        Class<?> owner = Class.forName(member.owner().asInternalName().replace('/', '.'), false,
                                MatrixRowsTest.class.getClassLoader());
                        String name = name(owner, member.name().stringValue(), MethodTypeDesc
                                .ofDescriptor(member.type().stringValue()).parameterList().stream()
                                .map(each -> each.displayName()));
                        String call = name.substring(name.indexOf('.'));
                        TYPES.stream().filter(type -> type.isAssignableFrom(owner) || owner.isAssignableFrom(type))
                                .forEach(type -> called.add(type.getSimpleName() + call));
                    }
                }
            }
        }
        for (MatrixRow row : MatrixRow.all()) {
            row.methods().forEach(each -> called.add(name(each)));
        }
        return called;
    }

    private static String name(Method method) {
        return name(method.getDeclaringClass(), method.getName(),
                Arrays.stream(method.getParameterTypes()).map(Class::getName));
    }

    @Test
    void shouldHaveARowForEachCall() throws Exception {
        Set<String> called = called();
        Set<String> missing = new TreeSet<>();
        for (Class<?> type : TYPES) {
            for (Method each : type.getDeclaredMethods()) {
                if (isPublic(each) && !each.getName().equals("toString") && !called.contains(name(each))) {
                    missing.add(name(each));
                }
            }
        }
        missing.removeAll(excused());
        assertEquals(Set.of(), missing);
    }

    private static boolean isPublic(Method method) {
        return Modifier.isPublic(method.getModifiers()) && !method.isBridge();
    }

    private static Set<String> excused() {
        Set<String> excused = new TreeSet<>(WHOLE_JOBS);
        LOCAL.forEach((type, names) -> Stream.of(names.split(", "))
                .forEach(each -> excused.add(type.getSimpleName() + "." + each)));
        return excused;
    }

    @Test
    void shouldExcuseNoCallThatDoesNotExistOrThatARowMakes() throws Exception {
        Set<String> unknown = excused();
        TYPES.forEach(type -> Arrays.stream(type.getDeclaredMethods()).filter(MatrixRowsTest::isPublic)
                .forEach(each -> unknown.remove(name(each))));
        assertEquals(Set.of(), unknown);
        Set<String> made = excused();
        made.retainAll(called());
        assertEquals(Set.of(), made);
    }

    @Test
    void shouldFindCalls() throws Exception {
        Set<String> called = called();
        assertTrue(called.contains("Intercommunicator.ibroadcast typed"), called.toString());
        assertTrue(MatrixRow.all().size() >= 500, () -> MatrixRow.all().size() + " rows");
    }
}
