// The yardstick that a simulator's own reader is: walks the packet headers of a recording through an ifstream and
// keeps where each frame begins. Prints the seconds that took, the frames and the packets.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const auto begin = std::chrono::steady_clock::now();
    std::ifstream file(argv[1], std::ios::binary);
    if (!file) return 1;
    file.seekg(std::atoll(argv[2]), std::ios::beg);
    std::vector<std::streamoff> starts;
    std::size_t packets = 0;
    std::uint8_t id;
    std::uint32_t size;
    while (file.read(reinterpret_cast<char *>(&id), sizeof id) && file.read(reinterpret_cast<char *>(&size), sizeof size)) {
        if (id == 0) starts.push_back(static_cast<std::streamoff>(file.tellg()) - 5);
        packets++;
        file.seekg(size, std::ios::cur);
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    std::printf("%.9f %zu %zu\n", taken.count(), starts.size(), packets);
    return 0;
}
