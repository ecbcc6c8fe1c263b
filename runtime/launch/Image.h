//===- Image.h - a compiled kernel, loaded -------------------- -*- C++ -*-===//
#pragma once

#include "abi/kernel.h"

#include <atomic>
#include <memory>
#include <string>

namespace trireme::launch {

/// No kernel may ask for more scratch than this a thread.
constexpr uint64_t kScratchLimit = 64ull << 20;

class Image {
public:
  /// Opens the shared object and checks it. Null and `error` if it is not for
  /// us. A loaded image is never unloaded: code of it may be on a stack or in a
  /// debugger.
  static std::unique_ptr<Image> load(const char *path, std::string &error);

  /// The same checks for an image that is linked into the program.
  static std::unique_ptr<Image> adopt(const trireme_image *info,
                                      std::string &error);

  const trireme_image &info() const { return *info_; }
  const trireme_param *begin() const { return info_->params; }
  const trireme_param *end() const { return info_->params + info_->num_params; }

  /// Bytes of the argument block, owner bytes included.
  uint32_t blockBytes() const { return blockBytes_; }

  /// Cost of a program as the pool measured it (pool::Job::costNs).
  std::atomic<uint64_t> &cost() { return cost_; }

private:
  explicit Image(const trireme_image *info);
  const trireme_image *info_;
  uint32_t blockBytes_;
  std::atomic<uint64_t> cost_{0};
};

/// VLEN of the core this thread runs on, in bits; 0 without vectors or off
/// RISC-V.
unsigned threadVlenBits();

} // namespace trireme::launch
