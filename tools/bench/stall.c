/* Makes every sync of the disk take STALL_MS milliseconds longer; preloaded under the daemon. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void stall(void)
{
    const char *said = getenv("STALL_MS");
    long ms = said ? atol(said) : 0;
    struct timespec wait = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&wait, NULL);
}

int fsync(int fd) { stall(); return (int)syscall(SYS_fsync, fd); }
int fdatasync(int fd) { stall(); return (int)syscall(SYS_fdatasync, fd); }
