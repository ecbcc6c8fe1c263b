//===- Image.cpp - a compiled kernel, loaded ------------------------------===//
#include "runtime/launch/Image.h"
#include "runtime/guard/Guard.h"

#include <dlfcn.h>
#if defined(__riscv)
#include <sys/auxv.h>
#endif

using namespace trireme;
using namespace trireme::launch;

unsigned launch::threadVlenBits() {
#if defined(__riscv)
  if (!(getauxval(AT_HWCAP) & (1ul << ('V' - 'A'))))
    return 0;
  unsigned long bytes;
  __asm__ volatile("csrr %0, 0xc22" : "=r"(bytes)); // vlenb
  return unsigned(bytes * 8);
#else
  return 0;
#endif
}

static bool check(const trireme_image *info, std::string &error) {
  if (info->version != TRIREME_ABI_VERSION ||
      info->size < sizeof(trireme_image)) {
    error = "was compiled for version " + std::to_string(info->version) + " (" +
            std::to_string(info->size) +
            " bytes) of the kernel interface; this runtime has " +
            std::to_string(TRIREME_ABI_VERSION) + " (" +
            std::to_string(sizeof(trireme_image)) + " bytes)";
    return false;
  }
  if (!info->entry || !info->name || (info->num_params && !info->params)) {
    error = "is not complete: entry, name or parameters are missing";
    return false;
  }
  std::string kernel = std::string("kernel '") + info->name + "' ";
  if (info->scratch_bytes > kScratchLimit) {
    error = kernel + "needs " + std::to_string(info->scratch_bytes) +
            " bytes of scratch a thread; the limit is " +
            std::to_string(kScratchLimit);
    return false;
  }
  for (uint32_t i = 0; i < info->num_params; ++i) {
    const trireme_param &param = info->params[i];
    if (!param.name || !param.type || param.offset >= info->args_bytes) {
      error = kernel + "has a malformed parameter " + std::to_string(i);
      return false;
    }
  }
  if (unsigned vlen = threadVlenBits(); info->vlen_bits > vlen) {
    error = kernel + "was compiled for vectors of " +
            std::to_string(info->vlen_bits) + " bits (target " + info->target +
            "); this core has " + std::to_string(vlen);
    return false;
  }
  return true;
}

Image::Image(const trireme_image *info)
    : info_(info), blockBytes_(info->args_bytes) {
  if (info->flags & TRIREME_IMAGE_OWNERS)
    for (const trireme_param &param : *this)
      blockBytes_ += param.type[0] == '*';
}

std::unique_ptr<Image> Image::adopt(const trireme_image *info,
                                    std::string &error) {
  if (!check(info, error))
    return nullptr;
  guard::install();
  return std::unique_ptr<Image>(new Image(info));
}

std::unique_ptr<Image> Image::load(const char *path, std::string &error) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    error = why ? why : std::string("cannot open ") + path;
    return nullptr;
  }
  auto *info =
      static_cast<const trireme_image *>(dlsym(handle, "trireme_image"));
  if (!info) {
    error = std::string(path) + ": no kernel image in this shared object";
    dlclose(handle);
    return nullptr;
  }
  std::unique_ptr<Image> image = adopt(info, error);
  if (!image) {
    error = std::string(path) + ": " + error;
    dlclose(handle);
  }
  return image;
}
