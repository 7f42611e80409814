/* The yardstick: walks the packet headers of a recording in a memory map and keeps where each frame begins.
   Prints the seconds that took, the frames and the packets. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const double begin = now();
    const int file = open(argv[1], O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) return 1;
    const size_t end = (size_t)status.st_size;
    const uint8_t *data = mmap(NULL, end, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED) return 1;
    size_t frames = 0, packets = 0, room = 1024;
    size_t *starts = malloc(room * sizeof *starts);
    for (size_t at = strtoull(argv[2], NULL, 10); starts && at + 5 <= end;) {
        uint32_t size;
        memcpy(&size, data + at + 1, sizeof size);
        if (data[at] == 0) {
            if (frames == room) starts = realloc(starts, (room *= 2) * sizeof *starts);
            if (!starts) return 1;
            starts[frames++] = at;
        }
        packets++;
        at += 5 + (size_t)size;
    }
    munmap((void *)data, end);
    close(file);
    printf("%.9f %zu %zu\n", now() - begin, frames, packets);
    return 0;
}
