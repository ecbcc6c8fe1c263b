//===- trireme-run - run one kernel image from the shell ------------------===//
//
// trireme-run KERNEL.so GRID ARG...     GRID: 4 or 4,2 or 4,2,1
//   ARG: a number for a scalar parameter; FILE[+BYTES] for a pointer, BYTES
//   into the file's contents. Files are read before and written back after the
//   launch.
// trireme-run KERNEL.so                 prints what the kernel takes
//
// Needs no Python and no LLVM: this is what runs kernels on a board or under
// QEMU.
//===----------------------------------------------------------------------===//
#include "runtime/launch/Launch.h"
#include "runtime/launch/Pack.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace trireme;
using launch::Scalar;

namespace {

[[noreturn]] void die(const std::string &message) {
  std::fprintf(stderr, "trireme-run: %s\n", message.c_str());
  std::exit(1);
}

/// A file's contents, ending at a page that must not be touched.
struct Buffer {
  std::vector<char> bytes;
  char *memory = nullptr;

  explicit Buffer(const std::string &path) {
    FILE *file = std::fopen(path.c_str(), "rb");
    if (!file)
      die("cannot read " + path);
    char chunk[65536];
    while (size_t count = std::fread(chunk, 1, sizeof chunk, file))
      bytes.insert(bytes.end(), chunk, chunk + count);
    std::fclose(file);
    size_t page = size_t(sysconf(_SC_PAGESIZE));
    size_t room = (bytes.size() + page - 1) / page * page;
    void *mapped = mmap(nullptr, room + page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED ||
        mprotect(static_cast<char *>(mapped) + room, page, PROT_NONE))
      die("no memory for " + path);
    memory = static_cast<char *>(mapped) + room - bytes.size();
    if (!bytes.empty())
      std::memcpy(memory, bytes.data(), bytes.size());
  }

  void write(const std::string &path) const {
    if (bytes.empty() || std::memcmp(memory, bytes.data(), bytes.size()) == 0)
      return;
    FILE *file = std::fopen(path.c_str(), "wb");
    if (!file || std::fwrite(memory, 1, bytes.size(), file) != bytes.size() ||
        std::fclose(file))
      die("cannot write " + path);
  }
};

template <typename T> void put(void *to, T value) {
  std::memcpy(to, &value, sizeof value);
}

void packNumber(const trireme_param &param, const char *text, char *to) {
  char *end = nullptr;
  Scalar scalar = launch::scalarOf(param.type);
  double real = std::strtod(text, &end);
  long long integer = std::strtoll(text, nullptr, 0);
  if (end == text || *end)
    die(std::string("argument '") + param.name + "' of type " + param.type +
        " needs a number, got " + text);
  switch (scalar) {
  case Scalar::F16:
    return put(to, launch::toHalf(real));
  case Scalar::BF16:
    return put(to, launch::toBFloat(real));
  case Scalar::F32:
    return put(to, float(real));
  case Scalar::F64:
    return put(to, real);
  default:
    std::memcpy(to, &integer, launch::sizeOf(scalar)); // little-endian
  }
}

void describe(const launch::Image &image) {
  const trireme_image &info = image.info();
  std::printf("%s for %s, %llu bytes of scratch\n", info.name, info.target,
              static_cast<unsigned long long>(info.scratch_bytes));
  for (const trireme_param &param : image)
    std::printf("  %-6s %s%s\n", param.type, param.name,
                param.flags & 1 ? " (written)" : "");
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2)
    die("usage: trireme-run KERNEL.so [GRID ARG...]");
  std::string error;
  std::unique_ptr<launch::Image> image = launch::Image::load(argv[1], error);
  if (!image)
    die(error);
  if (argc == 2)
    return describe(*image), 0;
  uint64_t dims[3] = {1, 1, 1};
  const char *text = argv[2];
  for (int axis = 0; axis < 3 && *text; ++axis) {
    char *end;
    dims[axis] = std::strtoull(text, &end, 10);
    text = *end == ',' ? end + 1 : end;
  }
  if (uint32_t(argc - 3) != image->info().num_params)
    die("the kernel takes " + std::to_string(image->info().num_params) +
        " arguments");
  std::vector<char> block(image->blockBytes() + 16);
  std::map<std::string, Buffer> buffers;
  std::map<std::string, size_t> owners;
  int next = 3;
  uint32_t owner = image->info().args_bytes;
  for (const trireme_param &param : *image) {
    std::string argument = argv[next++];
    char *to = block.data() + param.offset;
    if (launch::scalarOf(param.type) != Scalar::Pointer) {
      packNumber(param, argument.c_str(), to);
      continue;
    }
    size_t plus = argument.rfind('+');
    uint64_t shift = plus == std::string::npos
                         ? 0
                         : std::strtoull(&argument[plus + 1], nullptr, 10);
    std::string path = argument.substr(0, plus);
    auto found = buffers.find(path);
    if (found == buffers.end())
      found = buffers.emplace(path, Buffer(path)).first;
    // Each file has memory of its own.
    if (image->info().flags & TRIREME_IMAGE_OWNERS)
      block[owner++] =
          char(owners.emplace(path, owners.size() + 1).first->second);
    put(to,
        uint64_t(reinterpret_cast<uintptr_t>(found->second.memory)) + shift);
  }
  launch::setPoisonScratch(true);
  launch::Failure failure;
  if (!launch::run(*image, block.data(), dims, {}, failure))
    die(failure.message);
  for (auto &[path, buffer] : buffers)
    buffer.write(path);
  return 0;
}
