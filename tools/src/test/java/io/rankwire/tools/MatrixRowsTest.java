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

    /** Calls that concern this rank alone. */
    private static final Set<String> LOCAL = Set.of("toString", "name", "rank", "size", "group", "remoteSize",
            "remoteGroup", "hints", "errorHandler", "attribute", "removeAttribute", "priority", "failed", "acknowledge",
            "isRevoked", "compare", "cartesianRank", "work",
            // topologies
            "inDegree", "outDegree", "dims", "periods", "coordinates", "rankAt", "shift", "balanced", "neighbours",
            "edges", "sources", "destinations", "isWeighted", "sourceWeights", "destinationWeights",
            // windows
            "memory", "shared", "bytes", "attach", "detach", "sync",
            // requests
            "status", "error", "cancel", "add", "produced", "left",
            // datagrams
            "open", "openReceiver", "bind", "queue", "queues", "maxBytes", "retries", "sendTimeout", "receiveTimeout",
            "onArrival", "wakeUp", "handle",
            // work queues: what has no peer
            "buffer", "counter", "disabledQueue", "refusingQueue", "disabledPair", "target", "count", "await", "enable",
            "combine", "copy", "sends", "receives", "channel",
            // checkpoints and worlds
            "on", "partners", "directory", "moveTo", "ranks", "join", "run", "time", "spend", "counters",
            "communicator", "self", "isReplacement", "maxTag", "codec", "allocate", "openPort", "closePort", "abort",
            "fail");

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
                if (Modifier.isPublic(each.getModifiers()) && !each.isBridge() && !LOCAL.contains(each.getName())
                        && !called.contains(name(each))) {
                    missing.add(name(each));
                }
            }
        }
        assertEquals(Set.of(), missing);
    }

    @Test
    void shouldNotListLocalCallsThatDoNotExist() {
        Set<String> unknown = new TreeSet<>(LOCAL);
        TYPES.forEach(type -> Arrays.stream(type.getMethods()).forEach(each -> unknown.remove(each.getName())));
        assertEquals(Set.of(), unknown);
    }

    @Test
    void shouldFindCalls() throws Exception {
        Set<String> called = called();
        assertTrue(called.contains("Intercommunicator.ibroadcast typed"), called.toString());
        assertTrue(MatrixRow.all().size() * 16 >= 480, () -> MatrixRow.all().size() + " rows");
    }
}
