// Loaded into every process by tools/clocks.ts: sets the wall clock AHEAD seconds ahead, and file times with it. Monotonic
// clocks stay true. Unlike libfaketime it needs no environment variable, and a killed process leaves nothing in /dev/shm.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Deadlines before this many seconds are on a monotonic clock, which starts with the machine.
#define EARLIEST_WALL_SECONDS 1000000000

static int is_wall(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (real == NULL) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, now);
  if (result == 0 && is_wall(clock)) now->tv_sec += AHEAD;
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec exact;
  if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return -1;
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now != NULL) *now = exact.tv_sec;
  return exact.tv_sec;
}

int timespec_get(struct timespec *now, int base) {
  if (base != TIME_UTC) return 0;
  return clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

static struct timespec to_true(const struct timespec *deadline) {
  struct timespec moved = *deadline;
  if (moved.tv_sec > EARLIEST_WALL_SECONDS) moved.tv_sec -= AHEAD;
  return moved;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline) {
  static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  // Without a version, x86-64 may return the one of the year 2000, with a different condition.
  if (real == NULL) real = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (real == NULL) real = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  struct timespec moved = to_true(deadline);
  return real(condition, mutex, &moved);
}

int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           clockid_t clock, const struct timespec *restrict deadline) {
  static int (*real)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
  if (real == NULL) real = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
  struct timespec moved = to_true(deadline);
  return real(condition, mutex, clock, &moved);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
  static int (*real)(sem_t *, const struct timespec *);
  if (real == NULL) real = dlsym(RTLD_NEXT, "sem_timedwait");
  struct timespec moved = to_true(deadline);
  return real(semaphore, &moved);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                    struct timespec *left) {
  static int (*real)(clockid_t, int, const struct timespec *, struct timespec *);
  if (real == NULL) real = dlsym(RTLD_NEXT, "clock_nanosleep");
  struct timespec moved = flags & TIMER_ABSTIME ? to_true(wanted) : *wanted;
  return real(clock, flags, &moved, left);
}

/** Node asks for the times of a file this way. They are as far ahead as the clock, or a new file would look months old. */
long syscall(long number, ...) {
  static long (*real)(long, ...);
  if (real == NULL) real = dlsym(RTLD_NEXT, "syscall");
  va_list given;
  long argument[6];
  va_start(given, number);
  for (int n = 0; n < 6; n++) argument[n] = va_arg(given, long);
  va_end(given);
  long result = real(number, argument[0], argument[1], argument[2], argument[3], argument[4],
                     argument[5]);
  if (number == SYS_statx && result == 0) {
    struct statx *found = (struct statx *)argument[4];
    found->stx_atime.tv_sec += AHEAD;
    found->stx_btime.tv_sec += AHEAD;
    found->stx_ctime.tv_sec += AHEAD;
    found->stx_mtime.tv_sec += AHEAD;
  }
  return result;
}

static void move_back(const struct timespec times[2], struct timespec moved[2]) {
  for (int n = 0; n < 2; n++) {
    moved[n] = times[n];
    if (times[n].tv_nsec != UTIME_NOW && times[n].tv_nsec != UTIME_OMIT) moved[n].tv_sec -= AHEAD;
  }
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  static int (*real)(int, const char *, const struct timespec *, int);
  if (real == NULL) real = dlsym(RTLD_NEXT, "utimensat");
  struct timespec moved[2];
  if (times != NULL) move_back(times, moved);
  return real(folder, path, times == NULL ? NULL : moved, flags);
}

int futimens(int file, const struct timespec times[2]) {
  static int (*real)(int, const struct timespec *);
  if (real == NULL) real = dlsym(RTLD_NEXT, "futimens");
  struct timespec moved[2];
  if (times != NULL) move_back(times, moved);
  return real(file, times == NULL ? NULL : moved);
}
