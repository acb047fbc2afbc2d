package io.rankwire.fabric.ofi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * What a call of the library costs from here, beside the same calls from C: both run in this process, on the same
 * endpoint, in turns. A receive is posted; a queue without completions is read; completions of sends are read, one a
 * call and all in a call. A command, not a test; see docs/LIBFABRIC.md.
 */
final class BindingCost {
    private static final int BATCH = Engine.BATCH;
    private static final int ROUNDS = 2_000;
    private static final int REPEATS = 9;
    private static final int BYTES = 8;
    private static final int INBOX = 1 << 16;
    private static final int MOST_TRIES = 1 << 20;

    /** Loops of calls, each of which returns its nanoseconds, or -1 if the library did not answer as expected. */
    private static final String LIBRARY = """
            #include <time.h>
            #include <rdma/fabric.h>
            #include <rdma/fi_domain.h>
            #include <rdma/fi_endpoint.h>
            #include <rdma/fi_errno.h>
            static long now(void) {
                struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec;
            }
            long post(struct fid_ep *ep, void *buffer, long bytes, char *contexts, long count) {
                long from = now();
                for (long i = 0; i < count; i++)
                    if (fi_recv(ep, buffer, bytes, NULL, FI_ADDR_UNSPEC, contexts + 64 * i)) return -1;
                return now() - from;
            }
            long empty(struct fid_cq *cq, void *entries, long count) {
                long from = now();
                for (long i = 0; i < count; i++)
                    if (fi_cq_read(cq, entries, count) != -FI_EAGAIN) return -1;
                return now() - from;
            }
            long one(struct fid_cq *cq, void *entries, long count) {
                long from = now();
                for (long i = 0; i < count; i++)
                    if (fi_cq_read(cq, entries, 1) != 1) return -1;
                return now() - from;
            }
            long all(struct fid_cq *cq, void *entries, long count) {
                long from = now();
                if (fi_cq_read(cq, entries, count) != count) return -1;
                return now() - from;
            }
            """;

    private enum Kind {
        POST("post a receive"),
        EMPTY("read an empty queue"),
        ONE("read a completion, one a call"),
        ALL("read a completion, " + BATCH + " a call");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    private final Engine engine;
    /** The other end of the sends. */
    private final Engine peer;
    private final long peerAddress;
    private final long buffer;
    private final long contexts;
    private final long inbox;
    private final MemorySegment[] calls;
    private int come;

    private BindingCost(Engine engine, Engine peer, Arena arena, SymbolLookup library) {
        this.engine = engine;
        this.peer = peer;
        this.peerAddress = engine.insert(peer.name());
        this.buffer = Raw.allocate(arena, BYTES);
        this.contexts = Raw.allocate(arena, (long) (BATCH + 1) * Abi.CONTEXT);
        this.inbox = Raw.allocate(arena, INBOX);
        this.calls = Arrays.stream(Kind.values())
                .map(kind -> library.findOrThrow(kind.name().toLowerCase(Locale.ROOT))).toArray(MemorySegment[]::new);
    }

    @SuppressWarnings("restricted")
    public static void main(String[] args) throws IOException, InterruptedException {
        String provider = args.length > 0 ? args[0] : "net";
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        Providers providers = new Providers(Libfabric.open());
        Path compiled = compile();
        try (Providers.Choice choice = providers.choose(provider, host);
                Providers.Choice other = providers.choose(provider, host);
                Engine engine = new Engine(choice, 4);
                Engine peer = new Engine(other, 4);
                Arena arena = Arena.ofConfined()) {
            new BindingCost(engine, peer, arena, SymbolLookup.libraryLookup(compiled, arena)).run(provider);
        } finally {
            Files.delete(compiled);
            Files.delete(compiled.getParent());
        }
    }

    private static Path compile() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("binding");
        Path source = Files.writeString(directory.resolve("cost.c"), LIBRARY);
        Path binary = directory.resolve("cost.so");
        Process process = new ProcessBuilder("cc", "-O2", "-shared", "-fPIC", "-o", binary.toString(),
                source.toString()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        Files.delete(source);
        if (status != 0) {
            throw new IOException("cc: " + output);
        }
        return binary;
    }

    private void run(String provider) {
        check(peer.receiveMany(inbox, INBOX, 0, contexts + (long) BATCH * Abi.CONTEXT));
        for (Kind kind : Kind.values()) {
            double[] here = new double[REPEATS];
            double[] there = new double[REPEATS];
            for (int repeat = 0; repeat < REPEATS; repeat++) {
                long java = 0;
                long c = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    java += turn(kind, true);
                    c += turn(kind, false);
                }
                here[repeat] = java / (double) (ROUNDS * BATCH);
                there[repeat] = c / (double) (ROUNDS * BATCH);
            }
            Arrays.sort(here);
            Arrays.sort(there);
            System.out.printf(Locale.ROOT, "%s: %s: Java %.1f ns, C %.1f ns; best %.1f and %.1f%n", provider, kind.text,
                    here[REPEATS / 2], there[REPEATS / 2], here[0], there[0]);
        }
    }

    /** The time of one batch of calls. */
    private long turn(Kind kind, boolean isHere) {
        if (kind == Kind.ONE || kind == Kind.ALL) {
            send();
        }
        long ns = isHere ? here(kind) : kind == Kind.POST
                ? Calls.call(calls[0], engine.endpoint.address, buffer, BYTES, contexts, BATCH)
                : Calls.call(calls[kind.ordinal()], engine.queue.address, engine.entries, BATCH);
        if (ns < 0) {
            throw new IllegalStateException("this provider cannot be measured: " + kind.text);
        }
        if (kind == Kind.POST) {
            cancel();
        } else if (kind != Kind.EMPTY) {
            drain();
        }
        return ns;
    }

    private long here(Kind kind) {
        long right = 0;
        long from = System.nanoTime();
        switch (kind) {
            case POST -> {
                for (int i = 0; i < BATCH; i++) {
                    right += engine.receive(buffer, BYTES, 0, contexts + (long) i * Abi.CONTEXT) == 0 ? 1 : 0;
                }
            }
            case EMPTY -> {
                for (int i = 0; i < BATCH; i++) {
                    right += engine.readCompletions(BATCH) == -Abi.FI_EAGAIN ? 1 : 0;
                }
            }
            case ONE -> {
                for (int i = 0; i < BATCH; i++) {
                    right += engine.readCompletions(1) == 1 ? takenApart(1) : 0;
                }
            }
            case ALL -> right = engine.readCompletions(BATCH) == BATCH ? takenApart(BATCH) : 0;
        }
        long ns = System.nanoTime() - from;
        return right == BATCH ? ns : -1;
    }

    /** What a port does with each entry: it reads the context and looks whose it is. */
    private long takenApart(int count) {
        long right = 0;
        for (int i = 0; i < count; i++) {
            long context = Raw.word(engine.entries + (long) i * Abi.ENTRY + Abi.ENTRY_CONTEXT);
            right += context >= contexts && context < contexts + (long) BATCH * Abi.CONTEXT ? 1 : 0;
        }
        return right;
    }

    /** Sends until there are as many completions as a batch has. Providers over TCP complete a short one at once. */
    private void send() {
        for (int i = 0; i < BATCH; i++) {
            long code = -Abi.FI_EAGAIN;
            for (int tries = 0; code == -Abi.FI_EAGAIN && tries < MOST_TRIES; tries++) {
                code = engine.send(peerAddress, buffer, BYTES, 0, contexts + (long) i * Abi.CONTEXT);
                if (code == -Abi.FI_EAGAIN) {
                    check(engine.readCompletions(0) == -Abi.FI_EAGAIN ? 0 : -1);
                    read();
                }
            }
            check(code);
        }
    }

    private void drain() {
        for (int tries = 0; come < BATCH && tries < MOST_TRIES; tries++) {
            read();
        }
        check(come == BATCH ? 0 : -1);
        come = 0;
    }

    private void read() {
        int count = peer.readCompletions(BATCH);
        for (int i = 0; i < count; i++) {
            long entry = peer.entries + (long) i * Abi.ENTRY;
            come += Raw.word(entry + Abi.ENTRY_LEN) == BYTES ? 1 : 0;
            if ((Raw.word(entry + Abi.ENTRY_FLAGS) & Abi.FI_MULTI_RECV) != 0) {
                check(peer.receiveMany(inbox, INBOX, 0, contexts + (long) BATCH * Abi.CONTEXT));
            }
        }
    }

    private void cancel() {
        for (int i = 0; i < BATCH; i++) {
            engine.cancel(contexts + (long) i * Abi.CONTEXT);
        }
        for (int left = BATCH; left > 0;) {
            if (engine.readCompletions(BATCH) == -Abi.FI_EAVAIL) {
                engine.readFailure();
                left--;
            }
        }
    }

    private static void check(long code) {
        if (code != 0) {
            throw new IllegalStateException("the provider does not answer as this measurement needs: " + code);
        }
    }
}
