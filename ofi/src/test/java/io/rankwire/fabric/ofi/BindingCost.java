package io.rankwire.fabric.ofi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a call of the library costs from here, beside the same calls from C: a receive is posted and cancelled, a queue
 * without completions is read, and a completion is taken apart. A command, not a test; see docs/LIBFABRIC.md.
 */
final class BindingCost {
    private static final int BATCH = 64;
    private static final int ROUNDS = 3_000;
    private static final int READS = 200_000;
    private static final int REPEATS = 7;

    private static final String PROGRAM = """
            #include <stdio.h>
            #include <string.h>
            #include <time.h>
            #include <rdma/fabric.h>
            #include <rdma/fi_domain.h>
            #include <rdma/fi_endpoint.h>
            #include <rdma/fi_cm.h>
            #include <rdma/fi_errno.h>
            static double now(void) {
                struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec;
            }
            int main(int argc, char **argv) {
                struct fi_info *hints = fi_allocinfo(), *info;
                struct fid_fabric *fabric; struct fid_domain *domain; struct fid_av *av; struct fid_cq *cq;
                struct fid_ep *ep; struct fi_av_attr aa = {.type = FI_AV_TABLE, .count = 4};
                struct fi_cq_attr ca = {.size = 1024, .format = FI_CQ_FORMAT_TAGGED, .wait_obj = FI_WAIT_NONE};
                static char buffer[64], contexts[64 * 64]; struct fi_cq_tagged_entry entries[32];
                struct fi_cq_err_entry error;
                hints->caps = FI_MSG | FI_MULTI_RECV | FI_RMA; hints->ep_attr->type = FI_EP_RDM;
                hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS | FI_ORDER_SAW;
                hints->domain_attr->threading = FI_THREAD_DOMAIN;
                hints->fabric_attr->prov_name = strdup(argv[1]);
                if (fi_getinfo(FI_VERSION(1, 17), "127.0.0.1", NULL, FI_SOURCE, hints, &info)) return 1;
                if (fi_fabric(info->fabric_attr, &fabric, NULL) || fi_domain(fabric, info, &domain, NULL)
                    || fi_av_open(domain, &aa, &av, NULL) || fi_cq_open(domain, &ca, &cq, NULL)
                    || fi_endpoint(domain, info, &ep, NULL) || fi_ep_bind(ep, &av->fid, 0)
                    || fi_ep_bind(ep, &cq->fid, FI_SEND | FI_RECV) || fi_enable(ep)) return 2;
                double post = 1e9, read = 1e9;
                for (int repeat = 0; repeat < %d; repeat++) {
                    double spent = 0;
                    for (int round = 0; round < %d; round++) {
                        double t = now();
                        for (int i = 0; i < %d; i++)
                            fi_recv(ep, buffer, 8, NULL, FI_ADDR_UNSPEC, contexts + 64 * i);
                        spent += now() - t;
                        for (int i = 0; i < %d; i++) fi_cancel(&ep->fid, contexts + 64 * i);
                        for (int left = %d; left > 0; ) {
                            long n = fi_cq_read(cq, entries, 32);
                            if (n == -FI_EAVAIL) {
                                memset(&error, 0, sizeof error);
                                fi_cq_readerr(cq, &error, 0);
                                left--;
                            }
                        }
                    }
                    if (spent / %d < post) post = spent / %d;
                    double t = now();
                    for (int i = 0; i < %d; i++) fi_cq_read(cq, entries, 32);
                    if ((now() - t) / %d < read) read = (now() - t) / %d;
                }
                printf("%%.1f %%.1f\\n", post, read);
                return 0;
            }
            """;

    private BindingCost() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        String provider = args.length > 0 ? args[0] : "net";
        double[] here = here(provider);
        double[] there = there(provider);
        double[] again = here(provider);
        System.out.printf("%s: post a receive: Java %.1f ns, C %.1f ns; read an empty queue: Java %.1f ns, C %.1f ns;"
                + " take a completion apart: Java %.1f ns%n", provider, Math.min(here[0], again[0]), there[0],
                Math.min(here[1], again[1]), there[1], Math.min(here[2], again[2]));
    }

    private static double[] there(String provider) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("binding");
        int posts = ROUNDS * BATCH;
        Path source = Files.writeString(directory.resolve("cost.c"), PROGRAM.formatted(REPEATS, ROUNDS, BATCH, BATCH,
                BATCH, posts, posts, READS, READS, READS));
        Path binary = directory.resolve("cost");
        run("cc", "-O2", "-o", binary.toString(), source.toString(), "-lfabric");
        String[] printed = run(binary.toString(), provider).strip().split(" ");
        Files.delete(binary);
        Files.delete(source);
        Files.delete(directory);
        return new double[] {Double.parseDouble(printed[0]), Double.parseDouble(printed[1])};
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
        return output;
    }

    private static double[] here(String provider) {
        double[] best = {1e9, 1e9, 1e9};
        try (Providers.Choice choice = new Providers(Libfabric.open())
                .choose(provider, InetAddress.getLoopbackAddress().getHostAddress());
                Engine engine = new Engine(choice, 4);
                Arena arena = Arena.ofConfined()) {
            long buffer = Raw.allocate(arena, 64);
            long contexts = Raw.allocate(arena, 64L * BATCH);
            Slots slots = new Slots(engine, arena);
            for (int repeat = 0; repeat < REPEATS; repeat++) {
                long spent = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    spent += post(engine, buffer, contexts);
                }
                best[0] = Math.min(best[0], spent / (double) (ROUNDS * BATCH));
                long from = System.nanoTime();
                for (int i = 0; i < READS; i++) {
                    engine.readCompletions(Engine.BATCH);
                }
                best[1] = Math.min(best[1], (System.nanoTime() - from) / (double) READS);
                from = System.nanoTime();
                for (int i = 0; i < READS; i++) {
                    long entry = engine.entries + (long) (i & Engine.BATCH - 1) * Abi.ENTRY;
                    spent += slots.of(Raw.word(entry)) == null ? Raw.word(entry + Abi.ENTRY_BUF) : 1;
                    spent += Raw.word(entry + Abi.ENTRY_LEN) + Raw.word(entry + Abi.ENTRY_FLAGS);
                }
                best[2] = Math.min(best[2], (System.nanoTime() - from) / (double) READS);
                if (spent == 42) {
                    System.out.println("the compiler must not drop the loop");
                }
            }
        }
        return best;
    }

    private static long post(Engine engine, long buffer, long contexts) {
        long from = System.nanoTime();
        for (int i = 0; i < BATCH; i++) {
            engine.receive(buffer, 8, 0, contexts + 64L * i);
        }
        long spent = System.nanoTime() - from;
        for (int i = 0; i < BATCH; i++) {
            engine.cancel(contexts + 64L * i);
        }
        for (int left = BATCH; left > 0;) {
            if (engine.readCompletions(Engine.BATCH) == -Abi.FI_EAVAIL) {
                engine.readFailure();
                left--;
            }
        }
        return spent;
    }
}
