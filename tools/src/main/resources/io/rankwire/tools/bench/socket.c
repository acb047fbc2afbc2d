/* 8 bytes back and forth between two processes that poll a socket; SocketFloor.java is the same. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* Half a round trip is the median of the batches, and the best of them. */
enum { BYTES = 8, BATCH = 100, MOST_BATCHES = 100000 };

static double took[MOST_BATCHES];

static void must(int well, const char *what) {
    if (!well) {
        perror(what);
        exit(2);
    }
}

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

static int bound(int type, struct sockaddr_in *at) {
    socklen_t length = sizeof *at;
    int made = socket(AF_INET, type, 0);
    memset(at, 0, sizeof *at);
    at->sin_family = AF_INET;
    at->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    must(made >= 0 && bind(made, (struct sockaddr *)at, sizeof *at) == 0, "bind");
    must(getsockname(made, (struct sockaddr *)at, &length) == 0, "getsockname");
    return made;
}

static void join(int own, const struct sockaddr_in *to) {
    must(connect(own, (const struct sockaddr *)to, sizeof *to) == 0, "connect");
}

static void pass(int own, char *message) {
    must(send(own, message, BYTES, MSG_DONTWAIT | MSG_NOSIGNAL) == BYTES, "send");
}

/* 8 bytes that were sent together come together. Ends the program when the other side has ended. */
static void take(int own, char *message) {
    ssize_t got = -1;
    while (got < 0) {
        got = recv(own, message, BYTES, MSG_DONTWAIT);
    }
    if (got != BYTES) {
        exit(0);
    }
}

static int by_value(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return a < b ? -1 : a > b;
}

int main(int count, char **words) {
    must(count == 3, "usage: socket tcp|udp MILLISECONDS");
    int tcp = strcmp(words[1], "tcp") == 0;
    struct sockaddr_in here, there;
    int one = bound(tcp ? SOCK_STREAM : SOCK_DGRAM, &here);
    int other = bound(tcp ? SOCK_STREAM : SOCK_DGRAM, &there);
    if (tcp) {
        int on = 1;
        must(listen(one, 1) == 0, "listen");
        join(other, &here);
        one = accept(one, NULL, NULL);
        must(one >= 0, "accept");
        setsockopt(one, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        setsockopt(other, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    } else {
        join(one, &there);
        join(other, &here);
    }
    char message[BYTES] = {0};
    pid_t child = fork();
    must(child >= 0, "fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(one);
        for (;;) {
            take(other, message);
            pass(other, message);
        }
    }
    close(other);
    int batches = 0;
    double start = microseconds(), now = start, limit = 1e3 * atof(words[2]);
    while (batches < MOST_BATCHES && (batches == 0 || now - start < limit)) {
        for (int i = 0; i < BATCH; i++) {
            pass(one, message);
            take(one, message);
        }
        double end = microseconds();
        took[batches++] = (end - now) / BATCH / 2;
        now = end;
    }
    kill(child, SIGKILL);
    qsort(took, batches, sizeof *took, by_value);
    printf("bench %s.median %d 0 %f\nbench %s.best %d 0 %f\n", words[1], BYTES, took[batches / 2], words[1], BYTES,
            took[0]);
    return 0;
}
