// Shows a process a wall clock that jumps, as that of a machine whose time is set. Loaded with LD_PRELOAD. The file that FAULTS_CLOCK names holds three
// 64-bit integers: how many seconds the clock is ahead, and about how often it was read while it was ahead, and behind.
//
// libfaketime can't be used: it changes the environment before main, and Swift then finds no arguments. It would also fake every wait.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t nothing[3];
static volatile int64_t *shared = nothing;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAULTS_CLOCK");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *mapped = mmap(0, sizeof nothing, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) shared = mapped;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
    int64_t ahead = shared[0];
    time->tv_sec += ahead;
    if (ahead) shared[ahead > 0 ? 1 : 2]++;
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

// The kernel's clock has not jumped, and waits are counted by it. A time may have been asked for before a jump, so whole hours are taken from the wait: jumps
// are by hours, and no wait takes half of one. A time of the other clock counts from the machine's start and is small.
static struct timespec real(const struct timespec *until) {
    struct timespec now, real = *until;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    int64_t wait = real.tv_sec - now.tv_sec;
    if (real.tv_sec > 1000000000) real.tv_sec -= (wait + (wait < 0 ? -1800 : 1800)) / 3600 * 3600;
    return real;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    static int (*next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!next) *(void **)&next = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    struct timespec time = real(until);
    return next(condition, mutex, &time);
}

int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until) {
    static int (*next)(cnd_t *, mtx_t *, const struct timespec *);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "cnd_timedwait");
    struct timespec time = real(until);
    return next(condition, mutex, &time);
}
