/*
 * The loops of `rankwire bench` for C libraries of MPI; BenchRank.java has the same ones, step for step.
 *
 *   peer empty                 start, initialise, end
 *   peer WORK CELL...          WORK is lat, lat.alloc, curve, rate, bw, bibw, overlap, overlap.alloc, rma, prq or ueq;
 *                              coll.CALL is in coll.c, and for any number of ranks;
 *                              CELL is bytes:depth:warmup:iterations, all warm-up and no result when iterations is 0
 *
 * Rank 0 prints one line for each cell, or several: "bench WORK BYTES DEPTH VALUE BEFORE AFTER", microseconds of a half
 * round trip or a call, million messages a second for rates, million bytes a second for streams, per cent for overlap.
 * BEFORE and AFTER are the nanoseconds in which a line went from one rank to the other, at those times: none with more
 * ranks than processors, and only the last one where there is no warm-up.
 * Every message carries a new value, and every receiver checks it.
 */
#include "peer.h"

/* Unexpected messages are sent in bursts: Open MPI takes minutes for 100,000 at once. */
enum { WINDOW = 64, BURST = 1000 };
enum { CALIBRATED_STEPS = 20000, CALIBRATIONS = 200 };

enum { TAG_BALL = 1, TAG_STREAM = 2, TAG_ACK = 3, TAG_MARK = 5, TAG_AGREE = 6, TAG_OTHERS = 1000 };

/* A loop runs in pieces, and ends early when it has taken too long, as on a busy machine. */
enum { PIECES = 10, MAX_PIECE = 500 };

double aside;
int rank;
int size;
static int other;
/* Of a line, before what is measured next. */
static double hand_off;

double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void *memory(size_t bytes) {
    void *made = malloc(bytes + 64);
    if (made == NULL) {
        fprintf(stderr, "peer: no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return memset(made, FILL, bytes + 64);
}

void wrong(const char *what, long at) {
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
int words(size_t bytes) {
    return bytes < 8 ? 0 : bytes < 64 ? 1 : bytes < 2048 ? 2 : 8;
}

size_t stride(size_t bytes) {
    int count = words(bytes);
    return count < 2 ? 0 : (bytes - 8) / (size_t)(count - 1) / 8 * 8;
}

void stamp(char *buffer, int count, size_t step, int64_t value) {
    for (int i = 0; i < count; i++) {
        put(buffer, (size_t)i * step, value + i);
    }
}

void check(const char *buffer, int count, size_t step, int64_t value) {
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

/*
 * As ball; every byte is written anew before it is sent, as a program would, so that its lines are in the sender's
 * cache. Both ranks do that at the same time, and it is not counted.
 */
static void rewritten_ball(char *out, char *in, size_t bytes, long iterations) {
    int count = words(bytes);
    size_t step = stride(bytes);
    for (long i = 0; i < iterations; i++) {
        int64_t value = i << 4;
        double start = seconds();
        memset(out, (int)i, bytes);
        stamp(out, count, step, rank == 0 ? value : ~value);
        aside += seconds() - start;
        if (rank == 0) {
            pass(out, bytes, TAG_BALL);
            take(in, bytes, TAG_BALL);
        } else {
            take(in, bytes, TAG_BALL);
            pass(out, bytes, TAG_BALL);
        }
        start = seconds();
        check(in, count, step, rank == 0 ? ~value : value);
        aside += seconds() - start;
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
        aside = 0;
        double start = seconds();
        body(out, in, bytes, piece);
        taken += seconds() - start - aside;
        done += piece;
    } while (agree(done < turns && taken < LIMIT_SECONDS));
    return taken / (double)done;
}

void report(const char *work, size_t bytes, long depth, double value) {
    double before = hand_off;
    hand_off = measured_hand_off();
    if (rank == 0) {
        printf("bench %s %zu %ld %.6f", work, bytes, depth, value);
        if (before > 0) {
            printf(" %.1f", before);
        }
        if (hand_off > 0) {
            printf(" %.1f", hand_off);
        }
        printf("\n");
        fflush(stdout);
    }
}

static void ball_in(const char *work, char *out, char *in, size_t bytes, long depth, long warmup, long iterations) {
    loop *body = bytes < REWRITTEN ? ball : rewritten_ball;
    if (warmup > 0) {
        turn_seconds(body, out, in, bytes, warmup);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (iterations > 0) {
        report(work, bytes, depth, turn_seconds(body, out, in, bytes, iterations) / 2 * 1e6);
    }
}

static void half_round_trip(const char *work, size_t bytes, long depth, long warmup, long iterations) {
    char *out = memory(bytes);
    char *in = memory(bytes);
    ball_in(work, out, in, bytes, depth, warmup, iterations);
    free(out);
    free(in);
}

static void half_round_trip_allocated(const char *work, size_t bytes, long warmup, long iterations) {
    char *out;
    char *in;
    MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &out);
    MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &in);
    memset(out, FILL, bytes);
    memset(in, FILL, bytes);
    ball_in(work, out, in, bytes, 0, warmup, iterations);
    MPI_Free_mem(out);
    MPI_Free_mem(in);
}

static void check_window(const char *buffer, size_t bytes, int64_t first) {
    int count = words(bytes);
    size_t step = stride(bytes);
    for (int w = 0; w < WINDOW; w++) {
        check(buffer + (size_t)w * bytes, count, step, first + (w << 4));
    }
}

static void check_ack(char ack, long turn) {
    if (ack != (char)turn) {
        wrong("acknowledgement", turn);
    }
}

static void windows(char *out, char *in, size_t bytes, long iterations) {
    MPI_Request requests[WINDOW];
    int count = words(bytes);
    size_t step = stride(bytes);
    char ack = 0;
    for (long i = 0; i < iterations; i++) {
        int64_t first = (int64_t)i * WINDOW << 4;
        for (int w = 0; w < WINDOW; w++) {
            size_t at = (size_t)w * bytes;
            if (rank == 0) {
                stamp(out + at, count, step, first + (w << 4));
                MPI_Isend(out + at, (int)bytes, MPI_BYTE, other, TAG_STREAM, MPI_COMM_WORLD, &requests[w]);
            } else {
                MPI_Irecv(in + at, (int)bytes, MPI_BYTE, other, TAG_STREAM, MPI_COMM_WORLD, &requests[w]);
            }
        }
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        if (rank == 0) {
            take(&ack, 1, TAG_ACK);
            check_ack(ack, i);
        } else {
            check_window(in, bytes, first);
            ack = (char)i;
            pass(&ack, 1, TAG_ACK);
        }
    }
}

/* Receives are posted first; each side acknowledges what it got. The way back carries the complements. */
static void windows_both_ways(char *out, char *in, size_t bytes, long iterations) {
    MPI_Request requests[2 * WINDOW];
    int count = words(bytes);
    size_t step = stride(bytes);
    for (long i = 0; i < iterations; i++) {
        int64_t first = (int64_t)i * WINDOW << 4;
        int64_t mine = rank == 0 ? first : ~first;
        char ack = (char)i;
        char answer = 0;
        for (int w = 0; w < WINDOW; w++) {
            MPI_Irecv(in + (size_t)w * bytes, (int)bytes, MPI_BYTE, other, TAG_STREAM, MPI_COMM_WORLD, &requests[w]);
        }
        for (int w = 0; w < WINDOW; w++) {
            size_t at = (size_t)w * bytes;
            stamp(out + at, count, step, mine + (w << 4));
            MPI_Isend(out + at, (int)bytes, MPI_BYTE, other, TAG_STREAM, MPI_COMM_WORLD, &requests[WINDOW + w]);
        }
        MPI_Waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE);
        check_window(in, bytes, ~mine);
        MPI_Sendrecv(&ack, 1, MPI_BYTE, other, TAG_ACK, &answer, 1, MPI_BYTE, other, TAG_ACK, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
        check_ack(answer, i);
    }
}

static void stream(const char *work, size_t bytes, long warmup, long iterations) {
    int both = strcmp(work, "bibw") == 0;
    int counted = strcmp(work, "rate") == 0;
    loop *body = both ? windows_both_ways : windows;
    char *out = both || rank == 0 ? memory(bytes * WINDOW) : NULL;
    char *in = both || rank == 1 ? memory(bytes * WINDOW) : NULL;
    turn_seconds(body, out, in, bytes, warmup);
    if (iterations > 0) {
        double per_us = (both ? 2 * WINDOW : WINDOW) / turn_seconds(body, out, in, bytes, iterations) / 1e6;
        report(work, bytes, 0, counted ? per_us : per_us * (double)bytes);
    }
    free(out);
    free(in);
}

/*
 * How much of a transfer is hidden behind compute: of the time a transfer takes by itself, the share that it does not
 * add to a computation of the same length between its start and its wait. The same turns with a message of one byte
 * stand for no transfer, so that what they have in common cancels. Sender, receiver, or both compute; who does not,
 * waits in the library.
 */
static volatile uint64_t state = 88172645463325252u;
static long steps_between;

/* A chain of steps, each of which needs the one before. */
static void compute(long steps) {
    uint64_t x = state;
    for (long i = 0; i < steps; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    state = x;
}

static double step_seconds(void) {
    double best = 1;
    for (int i = 0; i < CALIBRATIONS; i++) {
        double start = seconds();
        compute(CALIBRATED_STEPS);
        double taken = (seconds() - start) / CALIBRATED_STEPS;
        best = taken < best ? taken : best;
    }
    return best;
}

/* The receive is there before the message starts; the acknowledgement says that the next one is too. */
static void transfers(char *out, char *in, size_t bytes, long iterations) {
    int count = words(bytes);
    size_t step = stride(bytes);
    char ack = 0;
    MPI_Request request;
    if (rank == 0) {
        take(&ack, 1, TAG_ACK);
    } else {
        MPI_Irecv(in, (int)bytes, MPI_BYTE, other, TAG_STREAM, MPI_COMM_WORLD, &request);
        pass(&ack, 1, TAG_ACK);
    }
    for (long i = 0; i < iterations; i++) {
        int64_t value = i << 4;
        if (rank == 0) {
            stamp(out, count, step, value);
            MPI_Isend(out, (int)bytes, MPI_BYTE, other, TAG_STREAM, MPI_COMM_WORLD, &request);
            compute(steps_between);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            take(&ack, 1, TAG_ACK);
        } else {
            compute(steps_between);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            check(in, count, step, value);
            if (i + 1 < iterations) {
                MPI_Irecv(in, (int)bytes, MPI_BYTE, other, TAG_STREAM, MPI_COMM_WORLD, &request);
            }
            pass(&ack, 1, TAG_ACK);
        }
    }
}

/* A step that takes no time is one of a rank that does not compute. */
static void hidden(const char *work, const char *who, char *block, size_t bytes, double step, long turns, int told) {
    steps_between = 0;
    double pure = turn_seconds(transfers, block, block, bytes, turns);
    double none = turn_seconds(transfers, block, block, 1, turns);
    steps_between = step == 0 ? 0 : (long)(pure / step);
    double computed = turn_seconds(transfers, block, block, 1, turns);
    double total = turn_seconds(transfers, block, block, bytes, turns);
    double share = 1 - (total - computed) / (pure - none);
    if (told) {
        char kind[64];
        snprintf(kind, sizeof kind, "%s.%s", work, who);
        report(kind, bytes, 0, 100 * (share < 0 ? 0 : share > 1 ? 1 : share));
    }
}

static void overlap(const char *work, char *block, size_t bytes, long warmup, long iterations) {
    double step = step_seconds();
    long turns = iterations > 0 ? iterations : warmup;
    steps_between = 0;
    turn_seconds(transfers, block, block, bytes, warmup);
    hidden(work, "send", block, bytes, rank == 0 ? step : 0, turns, iterations > 0);
    hidden(work, "receive", block, bytes, rank == 1 ? step : 0, turns, iterations > 0);
    hidden(work, "both", block, bytes, step, turns, iterations > 0);
}

static void overlap_in_memory(const char *work, size_t bytes, long warmup, long iterations) {
    char *block = memory(bytes);
    overlap(work, block, bytes, warmup, iterations);
    free(block);
}

static void overlap_allocated(const char *work, size_t bytes, long warmup, long iterations) {
    char *block;
    MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &block);
    memset(block, FILL, bytes);
    overlap(work, block, bytes, warmup, iterations);
    MPI_Free_mem(block);
}

/*
 * One-sided calls of rank 0 on memory of rank 1, which waits in the library. What was put is read back at the end of
 * each piece; what is got was put before.
 */
static MPI_Win shared;

static void put_remote(const char *from, size_t bytes, size_t at) {
    MPI_Put(from, (int)bytes, MPI_BYTE, other, (MPI_Aint)at, (int)bytes, MPI_BYTE, shared);
}

static void get_remote(char *to, size_t bytes, size_t at) {
    MPI_Get(to, (int)bytes, MPI_BYTE, other, (MPI_Aint)at, (int)bytes, MPI_BYTE, shared);
    MPI_Win_flush(other, shared);
}

static void puts_flushed(char *out, char *in, size_t bytes, long iterations) {
    if (rank != 0) {
        return;
    }
    int count = words(bytes);
    size_t step = stride(bytes);
    for (long i = 0; i < iterations; i++) {
        stamp(out, count, step, i << 4);
        put_remote(out, bytes, 0);
        MPI_Win_flush(other, shared);
    }
    get_remote(in, bytes, 0);
    check(in, count, step, (iterations - 1) << 4);
}

static void gets_flushed(char *out, char *in, size_t bytes, long iterations) {
    static int64_t piece;
    if (rank != 0) {
        return;
    }
    int count = words(bytes);
    size_t step = stride(bytes);
    int64_t value = ++piece << 4;
    stamp(out, count, step, value);
    put_remote(out, bytes, 0);
    MPI_Win_flush(other, shared);
    for (long i = 0; i < iterations; i++) {
        stamp(in, count, step, 0);
        get_remote(in, bytes, 0);
        check(in, count, step, value);
    }
}

static void puts_windowed(char *out, char *in, size_t bytes, long iterations) {
    if (rank != 0) {
        return;
    }
    int count = words(bytes);
    size_t step = stride(bytes);
    for (long i = 0; i < iterations; i++) {
        for (int w = 0; w < WINDOW; w++) {
            size_t at = (size_t)w * bytes;
            stamp(out + at, count, step, (i * WINDOW + w) << 4);
            put_remote(out + at, bytes, at);
        }
        MPI_Win_flush(other, shared);
    }
    get_remote(in, bytes * WINDOW, 0);
    check_window(in, bytes, ((int64_t)(iterations - 1) * WINDOW) << 4);
}

/* A depth asks for the rate of so many puts to a flush, none for the time of one. */
static void one_sided(size_t bytes, long depth, long warmup, long iterations) {
    char *base;
    char *out = memory(bytes * WINDOW);
    char *in = memory(bytes * WINDOW);
    MPI_Win_allocate((MPI_Aint)(bytes * WINDOW), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &shared);
    memset(base, FILL, bytes * WINDOW);
    MPI_Win_lock_all(0, shared);
    MPI_Barrier(MPI_COMM_WORLD);
    if (depth == 0) {
        turn_seconds(puts_flushed, out, in, bytes, warmup);
        report("rma.put", bytes, 0, turn_seconds(puts_flushed, out, in, bytes, iterations) * 1e6);
        turn_seconds(gets_flushed, out, in, bytes, warmup);
        report("rma.get", bytes, 0, turn_seconds(gets_flushed, out, in, bytes, iterations) * 1e6);
    } else {
        turn_seconds(puts_windowed, out, in, bytes, warmup);
        report("rma.rate", bytes, 0, WINDOW / turn_seconds(puts_windowed, out, in, bytes, iterations) / 1e6);
    }
    MPI_Win_unlock_all(shared);
    MPI_Win_free(&shared);
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
    hand_off = warmup == 0 || iterations == 0 ? 0 : measured_hand_off();
    if (strcmp(work, "lat") == 0 || strcmp(work, "curve") == 0) {
        half_round_trip(work, (size_t)bytes, 0, warmup, iterations);
    } else if (strcmp(work, "lat.alloc") == 0) {
        half_round_trip_allocated(work, (size_t)bytes, warmup, iterations);
    } else if (strcmp(work, "rate") == 0 || strcmp(work, "bw") == 0 || strcmp(work, "bibw") == 0) {
        stream(work, (size_t)bytes, warmup, iterations);
    } else if (strcmp(work, "overlap") == 0) {
        overlap_in_memory(work, (size_t)bytes, warmup, iterations);
    } else if (strcmp(work, "overlap.alloc") == 0) {
        overlap_allocated(work, (size_t)bytes, warmup, iterations);
    } else if (strcmp(work, "rma") == 0) {
        one_sided((size_t)bytes, depth, warmup, iterations);
    } else if (strcmp(work, "prq") == 0) {
        posted((size_t)bytes, depth, warmup, iterations);
    } else if (strcmp(work, "ueq") == 0) {
        unexpected((size_t)bytes, depth, warmup, iterations);
    } else if (strncmp(work, "coll.", 5) == 0) {
        collective(work, (size_t)bytes, warmup, iterations);
    } else {
        fprintf(stderr, "peer: unknown work %s\n", work);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    other = 1 - rank;
    if (size != 2 && (argc < 2 || strncmp(argv[1], "coll.", 5) != 0)) {
        fprintf(stderr, "peer: needs 2 ranks, not %d\n", size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (argc > 2) {
        open_line(argv[0]);
    }
    for (int i = 2; i < argc; i++) {
        cell(argv[1], argv[i]);
    }
    MPI_Finalize();
    return 0;
}
