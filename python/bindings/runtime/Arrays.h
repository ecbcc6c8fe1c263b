//===- Arrays.h - whatever holds elements in memory ----------- -*- C++ -*-===//
//
// numpy arrays, torch tensors, objects with data_ptr() and dtype, the buffer
// protocol,
// __array_interface__, DLPack; none of these libraries is imported.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "python/bindings/runtime/Value.h"

namespace trireme::python {

enum class ArrayResult { Yes, No, Error };
ArrayResult classifyArray(PyObject *object, Value &value, Holder &holder);

enum class NumpyScalar { No, Bool, Integer, Floating };
NumpyScalar numpyScalar(PyObject *object);

void setDtypeResolver(PyObject *function);

/// Index of a Triton element type name, e.g. "fp32".
uint16_t internDtype(const std::string &name);

} // namespace trireme::python
