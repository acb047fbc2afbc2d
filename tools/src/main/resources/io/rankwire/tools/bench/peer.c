/*
 * The loops of `rankwire bench` for C libraries of MPI; BenchRank.java has the same ones, step for step.
 *
 *   peer empty                 start, initialise, end
 *   peer WORK CELL...          WORK is lat, rate, prq or ueq; CELL is bytes:depth:warmup:iterations, all warm-up and
 *                              no result when iterations is 0
 *
 * Rank 0 prints one line for each cell: "bench WORK BYTES DEPTH VALUE", the half round trip in microseconds or, for
 * rate, million messages a second. Every message carries a new value, and every receiver checks it.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Unexpected messages are sent in bursts: Open MPI takes minutes for 100,000 at once. */
enum { WINDOW = 64, BURST = 1000 };
enum { TAG_BALL = 1, TAG_STREAM = 2, TAG_ACK = 3, TAG_MARK = 5, TAG_AGREE = 6, TAG_OTHERS = 1000 };

/* A loop runs in pieces, and ends early when it has taken too long, as on a busy machine. */
enum { PIECES = 10, MAX_PIECE = 500, LIMIT_SECONDS = 2 };

typedef void loop(char *out, char *in, size_t bytes, long iterations);

static int rank;
static int other;

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void *memory(size_t bytes) {
    void *made = calloc(bytes + 64, 1);
    if (made == NULL) {
        fprintf(stderr, "peer: no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return made;
}

static void wrong(const char *what, long at) {
    fprintf(stderr, "peer: rank %d: wrong data: %s %ld\n", rank, what, at);
    MPI_Abort(MPI_COMM_WORLD, 4);
}

static void put(char *buffer, size_t at, int64_t value) {
    memcpy(buffer + at, &value, sizeof value);
}

static int64_t get(const char *buffer, size_t at) {
    int64_t value;
    memcpy(&value, buffer + at, sizeof value);
    return value;
}

/* How many words of a message change: one of a small message, eight spread over a large one. */
static int words(size_t bytes) {
    return bytes < 8 ? 0 : bytes < 64 ? 1 : bytes < 2048 ? 2 : 8;
}

static size_t stride(size_t bytes) {
    int count = words(bytes);
    return count < 2 ? 0 : (bytes - 8) / (size_t)(count - 1) / 8 * 8;
}

static void stamp(char *buffer, int count, size_t step, int64_t value) {
    for (int i = 0; i < count; i++) {
        put(buffer, (size_t)i * step, value + i);
    }
}

static void check(const char *buffer, int count, size_t step, int64_t value) {
    for (int i = 0; i < count; i++) {
        if (get(buffer, (size_t)i * step) != value + i) {
            wrong("message", (long)value);
        }
    }
}

static void pass(const void *buffer, size_t bytes, int tag) {
    MPI_Send(buffer, (int)bytes, MPI_BYTE, other, tag, MPI_COMM_WORLD);
}

static void take(void *buffer, size_t bytes, int tag) {
    MPI_Recv(buffer, (int)bytes, MPI_BYTE, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* There and back again; the way back carries the complement of the value. */
static void ball(char *out, char *in, size_t bytes, long iterations) {
    int count = words(bytes);
    size_t step = stride(bytes);
    for (long i = 0; i < iterations; i++) {
        int64_t value = i << 4;
        if (rank == 0) {
            stamp(out, count, step, value);
            pass(out, bytes, TAG_BALL);
            take(in, bytes, TAG_BALL);
            check(in, count, step, ~value);
        } else {
            take(in, bytes, TAG_BALL);
            check(in, count, step, value);
            stamp(out, count, step, ~value);
            pass(out, bytes, TAG_BALL);
        }
    }
}

/* Whether rank 0 wants to go on; both know when it returns. */
static int agree(int go_on) {
    char answer = (char)go_on;
    if (rank == 0) {
        pass(&answer, 1, TAG_AGREE);
        take(&answer, 1, TAG_AGREE);
    } else {
        take(&answer, 1, TAG_AGREE);
        pass(&answer, 1, TAG_AGREE);
    }
    return answer;
}

/* Mean time of a turn. */
static double turn_seconds(loop *body, char *out, char *in, size_t bytes, long turns) {
    long piece = turns < PIECES ? 1 : turns / PIECES < MAX_PIECE ? turns / PIECES : MAX_PIECE;
    long done = 0;
    double taken = 0;
    do {
        double start = seconds();
        body(out, in, bytes, piece);
        taken += seconds() - start;
        done += piece;
    } while (agree(done < turns && taken < LIMIT_SECONDS));
    return taken / (double)done;
}

static void report(const char *work, size_t bytes, long depth, double value) {
    if (rank == 0) {
        printf("bench %s %zu %ld %.6f\n", work, bytes, depth, value);
        fflush(stdout);
    }
}

static void half_round_trip(const char *work, size_t bytes, long depth, long warmup, long iterations) {
    char *out = memory(bytes);
    char *in = memory(bytes);
    turn_seconds(ball, out, in, bytes, warmup);
    if (iterations > 0) {
        report(work, bytes, depth, turn_seconds(ball, out, in, bytes, iterations) / 2 * 1e6);
    }
    free(out);
    free(in);
}

static void window(char *out, char *in, size_t bytes, long iterations) {
    MPI_Request requests[WINDOW];
    char *buffer = rank == 0 ? out : in;
    char ack = 0;
    for (long i = 0; i < iterations; i++) {
        for (int w = 0; w < WINDOW; w++) {
            char *slot = buffer + (size_t)w * bytes;
            if (rank == 0) {
                put(slot, 0, i * WINDOW + w);
                MPI_Isend(slot, (int)bytes, MPI_BYTE, other, TAG_STREAM, MPI_COMM_WORLD, &requests[w]);
            } else {
                MPI_Irecv(slot, (int)bytes, MPI_BYTE, other, TAG_STREAM, MPI_COMM_WORLD, &requests[w]);
            }
        }
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        if (rank == 0) {
            take(&ack, 1, TAG_ACK);
            if (ack != (char)i) {
                wrong("acknowledgement", i);
            }
        } else {
            for (int w = 0; w < WINDOW; w++) {
                if (get(buffer, (size_t)w * bytes) != i * WINDOW + w) {
                    wrong("message", i * WINDOW + w);
                }
            }
            ack = (char)i;
            pass(&ack, 1, TAG_ACK);
        }
    }
}

static void rate(size_t bytes, long warmup, long iterations) {
    char *out = memory(bytes * WINDOW);
    char *in = memory(bytes * WINDOW);
    turn_seconds(window, out, in, bytes, warmup);
    if (iterations > 0) {
        report("rate", bytes, 0, WINDOW / turn_seconds(window, out, in, bytes, iterations) / 1e6);
    }
    free(out);
    free(in);
}

/* With depth other receives posted, which no message meets; they are cancelled at the end. */
static void posted(size_t bytes, long depth, long warmup, long iterations) {
    MPI_Request *requests = memory((size_t)depth * sizeof *requests);
    char *buffer = memory((size_t)depth * bytes);
    for (long i = 0; i < depth; i++) {
        MPI_Irecv(buffer + (size_t)i * bytes, (int)bytes, MPI_BYTE, other, TAG_OTHERS + (int)i, MPI_COMM_WORLD,
                &requests[i]);
    }
    half_round_trip("prq", bytes, depth, warmup, iterations);
    for (long i = 0; i < depth; i++) {
        MPI_Status status;
        int cancelled = 0;
        MPI_Cancel(&requests[i]);
        MPI_Wait(&requests[i], &status);
        MPI_Test_cancelled(&status, &cancelled);
        if (!cancelled) {
            wrong("a receive met a message: tag", TAG_OTHERS + i);
        }
    }
    free(requests);
    free(buffer);
}

/* With depth messages that nobody has asked for yet; they are received at the end. */
static void unexpected(size_t bytes, long depth, long warmup, long iterations) {
    MPI_Request *requests = memory((size_t)depth * sizeof *requests);
    char *buffer = memory((size_t)depth * bytes);
    char *in = memory(bytes);
    char *out = memory(bytes);
    for (long i = 0; i < depth; i++) {
        put(buffer, (size_t)i * bytes, i);
        MPI_Isend(buffer + (size_t)i * bytes, (int)bytes, MPI_BYTE, other, TAG_OTHERS + (int)i, MPI_COMM_WORLD,
                &requests[i]);
        if ((i + 1) % BURST == 0 || i + 1 == depth) {
            /* Messages of a pair keep their order: when the mark is here, so are the others. */
            MPI_Sendrecv(out, (int)bytes, MPI_BYTE, other, TAG_MARK, in, (int)bytes, MPI_BYTE, other, TAG_MARK,
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    half_round_trip("ueq", bytes, depth, warmup, iterations);
    for (long i = 0; i < depth; i++) {
        take(in, bytes, TAG_OTHERS + (int)i);
        if (get(in, 0) != i) {
            wrong("unexpected message", i);
        }
    }
    MPI_Waitall((int)depth, requests, MPI_STATUSES_IGNORE);
    free(requests);
    free(buffer);
    free(in);
    free(out);
}

static void cell(const char *work, const char *text) {
    long bytes, depth, warmup, iterations;
    if (sscanf(text, "%ld:%ld:%ld:%ld", &bytes, &depth, &warmup, &iterations) != 4) {
        fprintf(stderr, "peer: not a cell: %s\n", text);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (strcmp(work, "lat") == 0) {
        half_round_trip(work, (size_t)bytes, 0, warmup, iterations);
    } else if (strcmp(work, "rate") == 0) {
        rate((size_t)bytes, warmup, iterations);
    } else if (strcmp(work, "prq") == 0) {
        posted((size_t)bytes, depth, warmup, iterations);
    } else if (strcmp(work, "ueq") == 0) {
        unexpected((size_t)bytes, depth, warmup, iterations);
    } else {
        fprintf(stderr, "peer: unknown work %s\n", work);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

int main(int argc, char **argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    other = 1 - rank;
    if (size != 2) {
        fprintf(stderr, "peer: needs 2 ranks, not %d\n", size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 2; i < argc; i++) {
        cell(argv[1], argv[i]);
    }
    MPI_Finalize();
    return 0;
}
