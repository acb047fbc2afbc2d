/* What the loops of messages (peer.c) and of collective calls (coll.c) share. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Memory nobody has written may be one page of zeros seen many times, which no real data is. */
enum { FILL = 0x11 };

/* From this size on a message is rewritten whole in every turn. */
enum { REWRITTEN = 8192 };

/* A loop ends early when it has taken too long, as on a busy machine. */
enum { LIMIT_SECONDS = 2 };

typedef void loop(char *out, char *in, size_t bytes, long iterations);

/* Time that a loop has spent on other things than messages. */
extern double aside;
extern int rank;
extern int size;

double seconds(void);
void *memory(size_t bytes);
void wrong(const char *what, long at);
void report(const char *work, size_t bytes, long depth, double value);

int words(size_t bytes);
size_t stride(size_t bytes);
void stamp(char *buffer, int count, size_t step, int64_t value);
void check(const char *buffer, int count, size_t step, int64_t value);

/* Ranks 0 and 1 hand a word back and forth through a file beside the program. All ranks call this first. */
void open_line(const char *program);
/* Nanoseconds of half a round trip, or 0: with more ranks than processors, and on ranks from 2 on. */
double measured_hand_off(void);

/* Measures a cell of a collective call; the work is named "coll.CALL". */
void collective(const char *work, size_t bytes, long warmup, long iterations);
