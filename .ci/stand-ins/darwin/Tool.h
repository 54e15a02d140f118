// What the tool calls of Apple's C library beside `Darwin.h`, as the headers of macOS declare it for Swift: most of them say
// nothing about null.
//
// Only for the type check of `.ci/apple-availability`. The functions with a variable number of arguments, which Swift does not
// import, and the macros that are no plain numbers are in `Overlay.swift`.

#pragma once

#include "Darwin.h"

typedef int pid_t;
typedef long long off_t;
typedef unsigned short mode_t;
typedef unsigned int uid_t;
typedef long ssize_t;

// Files.
struct stat {
  int st_dev;
  mode_t st_mode;
  unsigned short st_nlink;
  unsigned long long st_ino;
  uid_t st_uid;
  uid_t st_gid;
  int st_rdev;
  struct timespec st_atimespec;
  struct timespec st_mtimespec;
  struct timespec st_ctimespec;
  struct timespec st_birthtimespec;
  off_t st_size;
};
int stat(const char *, struct stat *);
int lstat(const char *, struct stat *);
int fstat(int, struct stat *);
int access(const char *, int);
uid_t geteuid(void);
int fchmod(int, mode_t);
int unlink(const char *);
int rename(const char *, const char *);
int mkdir(const char *, mode_t);
int truncate(const char *, off_t);
int ftruncate(int, off_t);
int fsync(int);
int flock(int, int);
int mkstemp(char *);
char *realpath(const char *, char *);
ssize_t readlink(const char *, char *, size_t);
#define PATH_MAX 1024
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define LOCK_EX 2
#define LOCK_NB 4
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_APPEND 0x0008
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_CLOEXEC 0x1000000

// Descriptors.
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
int pipe(int[2]);
int close(int);
int isatty(int);
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
struct pollfd { int fd; short events; short revents; };
typedef unsigned int nfds_t;
int poll(struct pollfd *, nfds_t, int);
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLHUP 0x0010
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };

// Signals.
typedef unsigned int sigset_t;
typedef void (*sig_t)(int);
void (*signal(int, void (*)(int)))(int);
int kill(pid_t, int);
int raise(int);
int sigemptyset(sigset_t *);
int sigaddset(sigset_t *, int);
int pthread_sigmask(int, const sigset_t *, sigset_t *);
#define SIG_UNBLOCK 2
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGKILL 9
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCONT 19
#define SIGCHLD 20
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGUSR1 30
#define SIGUSR2 31

// Processes.
typedef void *posix_spawn_file_actions_t;
typedef void *posix_spawnattr_t;
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *, int, const char *, int, mode_t);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int, int);
__attribute__((availability(macos, introduced = 10.15)))
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
int posix_spawnattr_init(posix_spawnattr_t *);
int posix_spawnattr_destroy(posix_spawnattr_t *);
int posix_spawnattr_setflags(posix_spawnattr_t *, short);
int posix_spawnattr_setpgroup(posix_spawnattr_t *, pid_t);
int posix_spawnattr_setsigmask(posix_spawnattr_t *, const sigset_t *);
int posix_spawnattr_setsigdefault(posix_spawnattr_t *, const sigset_t *);
int posix_spawnp(
  pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]);
#define POSIX_SPAWN_SETPGROUP 0x0002
#define POSIX_SPAWN_SETSIGDEF 0x0004
#define POSIX_SPAWN_SETSIGMASK 0x0008
pid_t getpid(void);
pid_t waitpid(pid_t, int *, int);
#define WNOHANG 0x00000001
__attribute__((noreturn)) void exit(int);
char *getenv(const char *);
int setenv(const char *, const char *, int);
char ***_NSGetEnviron(void);

// Memory, strings and numbers.
void free(void *);
char *strdup(const char *);
char *strchr(const char *, int);
char *strerror(int);
double pow(double, double);

// Errors.
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EBADF 9
#define ENOMEM 12
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ELOOP 62
#define ENAMETOOLONG 63
#define ENOSYS 78
