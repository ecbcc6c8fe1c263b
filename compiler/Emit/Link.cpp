//===- Link.cpp - LLD as a library ----------------------------------------===//

#include "compiler/Emit/Emit.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace trireme;

Expected<std::string> emit::sharedObject(StringRef object,
                                         const trireme_target &target,
                                         StringRef directory) {
  // LLD keeps global state: two links at once in one process crash.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);

  SmallString<128> input(directory), output(directory);
  sys::path::append(input, "kernel.o");
  sys::path::append(output, "kernel.so");
  {
    std::error_code code;
    raw_fd_ostream stream(input, code);
    if (code)
      return createStringError(code, "cannot write %s", input.c_str());
    stream << object;
    stream.close();
    if (stream.has_error()) {
      code = stream.error();
      stream.clear_error();
      return createStringError(code, "cannot write %s", input.c_str());
    }
  }
  const char *emulation = target.cpu->arch == TRIREME_ARCH_x86_64 ? "elf_x86_64"
                          : target.cpu->arch == TRIREME_ARCH_riscv64
                              ? "elf64lriscv"
                              : "aarch64linux";
  std::vector<const char *> arguments{
      "ld.lld",          "-m",          emulation,     "-shared",
      "--build-id=none", "--threads=1", "-z",          "now",
      input.c_str(),     "-o",          output.c_str()};
  std::string text;
  raw_string_ostream errors(text);
  const lld::DriverDef drivers[] = {{lld::Gnu, &lld::elf::link}};
  lld::Result result = lld::lldMain(arguments, errors, errors, drivers);
  // Writing its file, LLD had LLVM install signal handlers. Left in place,
  // theirs for SIGINT would put back whatever was there before them, and with
  // it take away the guards that turn faults into errors.
  sys::unregisterHandlers();
  if (result.retCode != 0)
    return createStringError(inconvertibleErrorCode(), "linking failed: %s",
                             text.c_str());
  auto buffer = MemoryBuffer::getFile(output, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError(buffer.getError(), "cannot read %s",
                             output.c_str());
  std::string image = (*buffer)->getBuffer().str();
  sys::fs::remove(input);
  sys::fs::remove(output);
  return image;
}
