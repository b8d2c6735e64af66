/* For LD_PRELOAD: the call number FAULT_AT of the function FAULT_CALL, among
   those of all threads, fails as on a full disk. With FAULT_KILL, the process
   gets that signal there instead. Every rename takes FAULT_DELAY microseconds
   longer, so that others come in between. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int calls;

static int fails(const char *function) {
  const char *call = getenv("FAULT_CALL"), *at = getenv("FAULT_AT");
  if (!call || !at || strcmp(call, function) != 0 ||
      atomic_fetch_add(&calls, 1) + 1 != atoi(at))
    return 0;
  const char *number = getenv("FAULT_KILL");
  if (number) {
    raise(atoi(number));
    return 0;
  }
  errno = ENOSPC;
  return 1;
}

int rename(const char *from, const char *to) {
  int (*next)(const char *, const char *) =
      (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  int result = fails("rename") ? -1 : next(from, to), error = errno;
  const char *delay = getenv("FAULT_DELAY");
  if (delay)
    usleep((useconds_t)atoi(delay));
  errno = error;
  return result;
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to,
              unsigned flags) {
  int (*next)(int, const char *, int, const char *, unsigned) =
      (int (*)(int, const char *, int, const char *, unsigned))dlsym(
          RTLD_NEXT, "renameat2");
  const char *unsupported = getenv("FAULT_UNSUPPORTED");
  if (unsupported) {
    errno = EINVAL;
    return -1;
  }
  return fails("renameat2") ? -1
                            : next(from_folder, from, to_folder, to, flags);
}

int remove(const char *path) {
  int (*next)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "remove");
  return fails("remove") ? -1 : next(path);
}

int rmdir(const char *path) {
  int (*next)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "rmdir");
  return fails("rmdir") ? -1 : next(path);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to,
           int flags) {
  int (*next)(int, const char *, int, const char *, int) =
      (int (*)(int, const char *, int, const char *, int))dlsym(RTLD_NEXT,
                                                                "linkat");
  return fails("linkat") ? -1 : next(from_folder, from, to_folder, to, flags);
}

int mkdir(const char *path, mode_t mode) {
  int (*next)(const char *, mode_t) =
      (int (*)(const char *, mode_t))dlsym(RTLD_NEXT, "mkdir");
  return fails("mkdir") ? -1 : next(path, mode);
}

typedef ssize_t (*write_fn)(int, const void *, size_t);

ssize_t write(int file, const void *bytes, size_t size) {
  write_fn next = (write_fn)dlsym(RTLD_NEXT, "write");
  /* Messages are written, whatever becomes of files. */
  return file > 2 && fails("write") ? -1 : next(file, bytes, size);
}
