/* Preloaded into a process, records every write to its data.mdb, and every sync of it, in the order they happened, so
 * that a power cut can be replayed at any point. RECORD_FILE names the record, to which the process itself appends its
 * acknowledgements. An entry is {u32 kind, u32 synced, u64 offset, u64 length} and, for a write, its bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, SYNC_BEGIN = 3, SYNC_DONE = 4 };
enum { OTHER, DATA, DATA_SYNCED }; /* DATA_SYNCED: opened with O_DSYNC, every write is on the disk when it returns */
enum { MAX_FD = 4096 };

static unsigned char kind_of[MAX_FD];
static int record_fd = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int kind(int fd) { return fd >= 0 && fd < MAX_FD ? kind_of[fd] : OTHER; }

static void opened(int fd, const char *path, int flags) {
  static const char name[] = "/data.mdb";
  if (fd < 0 || fd >= MAX_FD) return;
  size_t length = strlen(path), want = sizeof name - 1;
  int ours = length >= want && strcmp(path + length - want, name) == 0;
  kind_of[fd] = !ours ? OTHER : (flags & (O_DSYNC | O_SYNC)) ? DATA_SYNCED : DATA;
}

/* Called with the lock held. */
static void record(uint32_t what, uint32_t synced, uint64_t offset, const void *bytes, uint64_t length) {
  struct { uint32_t what, synced; uint64_t offset, length; } head = {what, synced, offset, length};
  struct iovec parts[2] = {{&head, sizeof head}, {(void *)bytes, length}};
  if (record_fd < 0) record_fd = NEXT(open)(getenv("RECORD_FILE"), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (NEXT(writev)(record_fd, parts, length > 0 ? 2 : 1) != (ssize_t)(sizeof head + length)) abort();
}

static void record_parts(int fd, const struct iovec *parts, int count, uint64_t offset, ssize_t left) {
  for (int i = 0; i < count && left > 0; i++) {
    ssize_t length = (ssize_t)parts[i].iov_len < left ? (ssize_t)parts[i].iov_len : left;
    record(WRITE, kind(fd) == DATA_SYNCED, offset, parts[i].iov_base, length);
    offset += length;
    left -= length;
  }
}

#define OPEN(name)                                                                                                     \
  int name(const char *path, int flags, ...) {                                                                         \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode_t mode = va_arg(rest, mode_t);                                                                                \
    va_end(rest);                                                                                                      \
    int fd = NEXT(name)(path, flags, mode);                                                                            \
    opened(fd, path, flags);                                                                                           \
    return fd;                                                                                                         \
  }
OPEN(open)
OPEN(open64)

#define PWRITE(name, off)                                                                                              \
  ssize_t name(int fd, const void *bytes, size_t length, off offset) {                                                 \
    if (kind(fd) == OTHER) return NEXT(name)(fd, bytes, length, offset);                                               \
    pthread_mutex_lock(&lock);                                                                                         \
    ssize_t done = NEXT(name)(fd, bytes, length, offset);                                                              \
    if (done > 0) record(WRITE, kind(fd) == DATA_SYNCED, offset, bytes, done);                                         \
    pthread_mutex_unlock(&lock);                                                                                       \
    return done;                                                                                                       \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define PWRITEV(name, off)                                                                                             \
  ssize_t name(int fd, const struct iovec *parts, int count, off offset) {                                             \
    if (kind(fd) == OTHER) return NEXT(name)(fd, parts, count, offset);                                                \
    pthread_mutex_lock(&lock);                                                                                         \
    ssize_t done = NEXT(name)(fd, parts, count, offset);                                                               \
    record_parts(fd, parts, count, offset, done);                                                                      \
    pthread_mutex_unlock(&lock);                                                                                       \
    return done;                                                                                                       \
  }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

ssize_t write(int fd, const void *bytes, size_t length) {
  if (kind(fd) == OTHER) return NEXT(write)(fd, bytes, length);
  pthread_mutex_lock(&lock);
  uint64_t offset = lseek(fd, 0, SEEK_CUR);
  ssize_t done = NEXT(write)(fd, bytes, length);
  if (done > 0) record(WRITE, kind(fd) == DATA_SYNCED, offset, bytes, done);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (kind(fd) == OTHER) return NEXT(writev)(fd, parts, count);
  pthread_mutex_lock(&lock);
  uint64_t offset = lseek(fd, 0, SEEK_CUR);
  ssize_t done = NEXT(writev)(fd, parts, count);
  record_parts(fd, parts, count, offset, done);
  pthread_mutex_unlock(&lock);
  return done;
}

/* Not under the lock: what is written while a sync runs is not covered by it, and the record must show that. */
#define SYNC(name)                                                                                                     \
  int name(int fd) {                                                                                                   \
    if (kind(fd) == OTHER) return NEXT(name)(fd);                                                                      \
    pthread_mutex_lock(&lock);                                                                                         \
    record(SYNC_BEGIN, 0, 0, 0, 0);                                                                                    \
    pthread_mutex_unlock(&lock);                                                                                       \
    int result = NEXT(name)(fd);                                                                                       \
    pthread_mutex_lock(&lock);                                                                                         \
    if (result == 0) record(SYNC_DONE, 0, 0, 0, 0);                                                                    \
    pthread_mutex_unlock(&lock);                                                                                       \
    return result;                                                                                                     \
  }
SYNC(fdatasync)
SYNC(fsync)
