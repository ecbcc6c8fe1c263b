//===- Kernel.h - a loaded image as a Python object ----------- -*- C++ -*-===//
#pragma once

#include "python/bindings/runtime/Value.h"
#include "runtime/launch/Launch.h"
#include "runtime/launch/Pack.h"

#include <memory>
#include <string>

namespace trireme::python {

/// triton._C._runtime.Kernel
struct KernelObject {
  PyObject_HEAD std::unique_ptr<launch::Image> *image;
};
PyTypeObject *kernelType();

/// One parameter of the image and where its value goes in the argument block.
struct PackedParam {
  const char *name;
  std::string type;
  launch::Scalar scalar;
  uint32_t offset;
  bool written; ///< the kernel may store through it
};

/// Writes a value into the block; false with a Python error: wrong kind, out of
/// range, read-only array that is written.
bool pack(const char *kernel, const PackedParam &param, const Value &value,
          PyObject *object, uint8_t *block);

/// Runs the grid without the GIL. False with a Python error: the kernel
/// faulted, was refused, or a signal handler raised.
bool runGrid(launch::Image &image, const void *block, const uint64_t dims[3]);

/// Argument block on the stack where it fits.
class Block {
public:
  explicit Block(uint32_t bytes) : data_(inline_) {
    if (bytes > sizeof inline_)
      data_ = (heap_ = std::make_unique<uint8_t[]>(bytes)).get();
    else
      std::memset(data_, 0, bytes); // owner bytes: not known
  }
  uint8_t *data() { return data_; }

private:
  alignas(16) uint8_t inline_[512];
  std::unique_ptr<uint8_t[]> heap_;
  uint8_t *data_;
};

/// Set by setup(): the exception for faults and refused launches.
void setKernelError(PyObject *type);

/// Parses a grid: 1 to 3 non-negative ints. False with a Python error.
bool parseGrid(const char *kernel, PyObject *grid, uint64_t dims[3]);

} // namespace trireme::python
