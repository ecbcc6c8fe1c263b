//===- Owners.h - which arguments share memory ---------------- -*- C++ -*-===//
#pragma once

#include "python/bindings/runtime/Kernel.h"

namespace trireme::python {

/// Numbers the allocations that pointer arguments lie in, for kernels that ask
/// (TRIREME_IMAGE_OWNERS). Only where nothing else can reach the memory: numpy
/// arrays, and views of arrays, that own it; torch storages that torch
/// allocated. Everything else is 0, not known.
class Owners {
public:
  Owners(const launch::Image &image, uint8_t *block);
  /// The next pointer argument, in the order of parameters.
  void add(PyObject *object);

private:
  bool wanted;
  uint8_t *next;
  /// The allocations so far, by address; the rest are not known.
  static constexpr unsigned kMost = 255;
  std::vector<uintptr_t> seen;
};

} // namespace trireme::python
