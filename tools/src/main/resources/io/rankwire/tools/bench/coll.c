/*
 * The collective calls of `rankwire bench` for C libraries of MPI; CallLoops.java has the same ones, step for step.
 *
 * Roots take turns, so that each call needs the one before. From REWRITTEN bytes on all that a rank gives is written
 * anew in every turn, by all ranks at the same time; that is not counted where each has a core.
 */
#define _GNU_SOURCE
#include "peer.h"
#include <unistd.h>

static const double PIECE_SECONDS = 0.005;

static int apart;
static double aside_since;

static void aside_from(int large) {
    if (large && apart) {
        aside_since = seconds();
    }
}

static void aside_to(int large) {
    if (large && apart) {
        aside += seconds() - aside_since;
    }
}

static void barriers(char *out, char *in, size_t bytes, long turns) {
    (void)out, (void)in, (void)bytes;
    for (long i = 0; i < turns; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void broadcasts(char *block, char *unused, size_t bytes, long turns) {
    int count = words(bytes);
    size_t step = stride(bytes);
    int large = bytes >= REWRITTEN;
    (void)unused;
    for (long i = 0; i < turns; i++) {
        int root = (int)(i % size);
        int64_t value = i << 4;
        aside_from(large);
        if (large) {
            memset(block, (int)i, bytes);
        }
        stamp(block, count, step, rank == root ? value : -1);
        aside_to(large);
        MPI_Bcast(block, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
        aside_from(large);
        check(block, count, step, value);
        aside_to(large);
    }
}

static void allgathers(char *out, char *in, size_t bytes, long turns) {
    int count = words(bytes);
    size_t step = stride(bytes);
    int large = bytes >= REWRITTEN;
    for (long i = 0; i < turns; i++) {
        aside_from(large);
        if (large) {
            memset(in, (int)i, bytes);
        }
        stamp(in, count, step, (i * size + rank) << 4);
        aside_to(large);
        MPI_Allgather(in, (int)bytes, MPI_BYTE, out, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
        aside_from(large);
        for (int r = 0; r < size; r++) {
            check(out + (size_t)r * bytes, count, step, (i * size + r) << 4);
        }
        aside_to(large);
    }
}

static void alltoalls(char *out, char *in, size_t bytes, long turns) {
    int count = words(bytes);
    size_t step = stride(bytes);
    int large = bytes >= REWRITTEN;
    for (long i = 0; i < turns; i++) {
        aside_from(large);
        if (large) {
            memset(in, (int)i, bytes * (size_t)size);
        }
        for (int r = 0; r < size; r++) {
            stamp(in + (size_t)r * bytes, count, step, ((i * size + rank) * size + r) << 4);
        }
        aside_to(large);
        MPI_Alltoall(in, (int)bytes, MPI_BYTE, out, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
        aside_from(large);
        for (int r = 0; r < size; r++) {
            check(out + (size_t)r * bytes, count, step, ((i * size + r) * size + rank) << 4);
        }
        aside_to(large);
    }
}

static void write_vector(double *in, size_t length, long turn, int large) {
    if (large) {
        aside_from(1);
        for (size_t i = 0; i < length; i++) {
            in[i] = (double)(turn + rank);
        }
        aside_to(1);
    } else {
        in[0] = (double)(turn + rank);
    }
}

static void check_vector(const double *out, size_t length, long turn, int large) {
    aside_from(large);
    double expected = (double)turn * size + size * (size - 1) / 2;
    if (out[0] != expected || (large && out[length - 1] != expected)) {
        wrong("sum", turn);
    }
    aside_to(large);
}

static void reduces(char *out, char *in, size_t bytes, long turns) {
    size_t length = bytes / sizeof(double);
    int large = bytes >= REWRITTEN;
    for (long i = 0; i < turns; i++) {
        int root = (int)(i % size);
        write_vector((double *)in, length, i, large);
        MPI_Reduce(in, out, (int)length, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
        if (rank == root) {
            check_vector((double *)out, length, i, large);
        }
    }
}

static void allreduces(char *out, char *in, size_t bytes, long turns) {
    size_t length = bytes / sizeof(double);
    int large = bytes >= REWRITTEN;
    for (long i = 0; i < turns; i++) {
        write_vector((double *)in, length, i, large);
        MPI_Allreduce(in, out, (int)length, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        check_vector((double *)out, length, i, large);
    }
}

/* Mean time of a turn. Pieces grow until they take long enough to be timed; rank 0 says how long the next is. */
static double call_seconds(loop *body, char *out, char *in, size_t bytes, long turns) {
    long piece = 1;
    long done = 0;
    double taken = 0;
    do {
        aside = 0;
        double start = seconds();
        body(out, in, bytes, piece);
        double took = seconds() - start - aside;
        taken += took;
        done += piece;
        piece = took < PIECE_SECONDS ? 2 * piece : piece;
        piece = done < turns && taken < LIMIT_SECONDS ? (piece < turns - done ? piece : turns - done) : 0;
        MPI_Bcast(&piece, 1, MPI_LONG, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    } while (piece > 0);
    return taken / (double)done;
}

static char *block(size_t bytes, int allocated) {
    char *made;
    if (!allocated) {
        return memory(bytes);
    }
    MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &made);
    return memset(made, FILL, bytes);
}

static void drop(char *block, int allocated) {
    if (allocated) {
        MPI_Free_mem(block);
    } else {
        free(block);
    }
}

void collective(const char *work, size_t bytes, long warmup, long iterations) {
    static const struct {
        const char *name;
        loop *body;
    } calls[] = {{"coll.barrier", barriers}, {"coll.bcast", broadcasts}, {"coll.reduce", reduces},
            {"coll.allreduce", allreduces}, {"coll.allgather", allgathers}, {"coll.alltoall", alltoalls}};
    loop *body = NULL;
    size_t length = strcspn(work + 5, ".") + 5;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (strlen(calls[i].name) == length && strncmp(work, calls[i].name, length) == 0) {
            body = calls[i].body;
        }
    }
    if (body == NULL) {
        fprintf(stderr, "peer: unknown work %s\n", work);
        MPI_Abort(MPI_COMM_WORLD, 2);
        return;
    }
    int allocated = strcmp(work + length, ".alloc") == 0;
    char *out = block(bytes * (size_t)size, allocated);
    char *in = block(bytes * (size_t)size, allocated);
    apart = size <= sysconf(_SC_NPROCESSORS_ONLN);
    if (warmup > 0) {
        call_seconds(body, out, in, bytes, warmup);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (iterations > 0) {
        report(work, bytes, 0, call_seconds(body, out, in, bytes, iterations) * 1e6);
    }
    drop(out, allocated);
    drop(in, allocated);
}
