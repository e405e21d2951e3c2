/* Record of a disk for simulated power cuts: every write, sync, truncation, creation and removal below
 * POWER_ROOT is logged to POWER_LOG and then done. Preloaded under the real journal and the
 * real SQLite; `disk.py` builds from the log the images that a power cut could leave.
 *
 * A record is: op, file number (u32), offset (u64), length (u32), then that many bytes.
 *   N name (the bytes are the path)   C created   W write   T truncate (offset is the new length)
 *   R renamed, L linked (the bytes are the new path)   M directory made
 *   S sync   D sync of the directory   U removed   A acknowledged (written to a file *.ack)
 *   F sync that failed: while the file POWER_SICK exists, one in N fails with EIO (N is its content),
 *     and nothing is synced by it. After N it may name the calls that fail: s syncs (also
 *     without a name), w writes, which are then not done, and truncations, o opens, r reads; with f
 *     every second failure is ENOSPC. The -shm file is not noted, but its writes fail like others.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <stdlib.h>

#define FILES 1024
#define OPEN_MOST 4096

static int log_fd = -1;
static const char *root;
static char *names[FILES];
static int known;
static int file_of[OPEN_MOST];          /* the file number of an open descriptor, plus 1 */
static char below_root[OPEN_MOST];      /* whether it belongs to a file below POWER_ROOT */

static void note(char op, int file, uint64_t offset, const void *data, uint32_t length)
{
    unsigned char head[17];
    uint32_t number = (uint32_t)file;
    if (log_fd < 0)
        return;
    head[0] = (unsigned char)op;
    memcpy(head + 1, &number, 4);
    memcpy(head + 5, &offset, 8);
    memcpy(head + 13, &length, 4);
    syscall(SYS_write, log_fd, head, sizeof head);
    if (length)
        syscall(SYS_write, log_fd, data, (size_t)length);
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("POWER_LOG");
    root = getenv("POWER_ROOT");
    if (path && root)
        log_fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int ends(const char *text, const char *tail)
{
    size_t a = strlen(text), b = strlen(tail);
    return a >= b && strcmp(text + a - b, tail) == 0;
}

/* The -shm file is shared memory, rebuilt after a cut; the lock holds no data. */
static int watched(const char *path)
{
    return log_fd >= 0 && strncmp(path, root, strlen(root)) == 0 && !ends(path, "-shm")
        && !ends(path, "/lock");
}

static int number_of(const char *path)
{
    for (int n = 0; n < known; n++)
        if (strcmp(names[n], path) == 0)
            return n;
    if (known == FILES)
        abort();
    names[known] = strdup(path);
    note('N', known, 0, path, (uint32_t)strlen(path));
    return known++;
}

static int file(int fd)
{
    return fd >= 0 && fd < OPEN_MOST ? file_of[fd] - 1 : -1;
}

static int sick(char call)
{
    static unsigned asked;
    char text[16] = "";
    const char *path = getenv("POWER_SICK");
    int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return 0;
    syscall(SYS_read, fd, text, sizeof text - 1);
    syscall(SYS_close, fd);
    const char *calls = strchr(text, ' ');
    if (atoi(text) <= 0 || !strchr(calls ? calls + 1 : "s", call))
        return 0;
    if (++asked % (unsigned)atoi(text))
        return 0;
    errno = strchr(text, 'f') && asked / (unsigned)atoi(text) % 2 ? ENOSPC : EIO;
    return 1;
}

static int below(const char *path)
{
    return log_fd >= 0 && strncmp(path, root, strlen(root)) == 0;
}

static int sick_write(int fd)
{
    return fd >= 0 && fd < OPEN_MOST && below_root[fd] && sick('w');
}

static int opened(const char *path, int flags, mode_t mode)
{
    struct stat before;
    if (below(path) && sick('o'))
        return -1;
    int was = !watched(path) || stat(path, &before) == 0;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (fd >= 0 && fd < OPEN_MOST) {
        file_of[fd] = 0;
        below_root[fd] = (char)below(path);
        if (watched(path)) {
            int n = number_of(path);
            file_of[fd] = n + 1;
            if (!was)
                note('C', n, 0, NULL, 0);
        }
    }
    return fd;
}

#define OPEN(name)                                      \
    int name(const char *path, int flags, ...)          \
    {                                                   \
        va_list rest;                                   \
        va_start(rest, flags);                          \
        mode_t mode = va_arg(rest, mode_t);             \
        va_end(rest);                                   \
        return opened(path, flags, mode);               \
    }
OPEN(open)
OPEN(open64)

int close(int fd)
{
    if (fd >= 0 && fd < OPEN_MOST)
        file_of[fd] = below_root[fd] = 0;
    return (int)syscall(SYS_close, fd);
}

static ssize_t wrote(int fd, const void *data, size_t length, off64_t offset)
{
    if (sick_write(fd))
        return -1;
    ssize_t done = syscall(SYS_pwrite64, fd, data, length, offset);
    if (done > 0 && file(fd) >= 0)
        note('W', file(fd), (uint64_t)offset, data, (uint32_t)done);
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset)
{
    return wrote(fd, data, length, offset);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset)
{
    return wrote(fd, data, length, offset);
}

ssize_t write(int fd, const void *data, size_t length)
{
    int n = file(fd);
    if (n >= 0 && ends(names[n], ".ack")) {
        note('A', n, 0, data, (uint32_t)length);
        return (ssize_t)length;
    }
    if (sick_write(fd))
        return -1;
    off64_t offset = n >= 0 ? (off64_t)lseek(fd, 0, SEEK_CUR) : 0;
    ssize_t done = syscall(SYS_write, fd, data, length);
    if (done > 0 && n >= 0)
        note('W', n, (uint64_t)offset, data, (uint32_t)done);
    return done;
}

static int synced(int fd, long call)
{
    struct stat what;
    int n = file(fd);
    int directory = n >= 0 && fstat(fd, &what) == 0 && S_ISDIR(what.st_mode);
    if (n >= 0 && sick('s')) {
        if (!directory)
            note('F', n, 0, NULL, 0);
        return -1;
    }
    int done = (int)syscall(call, fd);
    if (done == 0 && n >= 0)
        note(directory ? 'D' : 'S', n, 0, NULL, 0);
    return done;
}

static ssize_t sick_read(int fd, void *data, size_t length, off64_t offset)
{
    if (file(fd) >= 0 && sick('r'))
        return -1;
    return syscall(SYS_pread64, fd, data, length, offset);
}

ssize_t pread64(int fd, void *data, size_t length, off64_t offset)
{
    return sick_read(fd, data, length, offset);
}

ssize_t pread(int fd, void *data, size_t length, off_t offset)
{
    return sick_read(fd, data, length, offset);
}

int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

static int cut(int fd, off64_t length)
{
    if (sick_write(fd))
        return -1;
    int done = (int)syscall(SYS_ftruncate, fd, length);
    if (done == 0 && file(fd) >= 0)
        note('T', file(fd), (uint64_t)length, NULL, 0);
    return done;
}

int ftruncate(int fd, off_t length) { return cut(fd, length); }
int ftruncate64(int fd, off64_t length) { return cut(fd, length); }

int unlink(const char *path)
{
    int done = (int)syscall(SYS_unlink, path);
    if (done == 0 && watched(path))
        note('U', number_of(path), 0, NULL, 0);
    return done;
}

static int moved(char op, const char *from, const char *to, int done)
{
    if (done == 0 && watched(from))
        note(op, number_of(from), 0, to, (uint32_t)strlen(to));
    return done;
}

int rename(const char *from, const char *to)
{
    return moved('R', from, to, (int)syscall(SYS_rename, from, to));
}

int link(const char *from, const char *to)
{
    return moved('L', from, to, (int)syscall(SYS_link, from, to));
}

int mkdir(const char *path, mode_t mode)
{
    int done = (int)syscall(SYS_mkdir, path, mode);
    if (done == 0 && watched(path))
        note('M', number_of(path), 0, NULL, 0);
    return done;
}
