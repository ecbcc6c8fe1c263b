//===- Value.h - launch arguments, classified ----------------- -*- C++ -*-===//
//
// What a Python object is as a kernel argument: found once a launch, used for
// the specialisation key and for packing. Everything here holds the GIL.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <Python.h>

#include <cstdint>
#include <string>
#include <vector>

namespace trireme::python {

struct Value {
  enum Kind : uint8_t {
    None,
    Bool,
    Int32,
    Int64,
    UInt64,
    Float,
    Array,
    Object,
    Tuple
  };
  Kind kind = None;
  bool readOnly = false; ///< Array: may not be written
  bool constant = false; ///< came wrapped in tl.constexpr
  uint16_t dtype = 0;    ///< Array: index of dtypeName
  union {
    int64_t integer = 0;
    uint64_t natural; ///< Tuple: index of its first leaf
    double real;
    uintptr_t pointer;
    PyObject *object; ///< Object: borrowed from the arguments
  };
};

/// Keeps alive what classification had to create: buffers, capsules.
class Holder {
public:
  Holder() = default;
  Holder(const Holder &) = delete;
  ~Holder();
  void keep(PyObject *owned) { objects.push_back(owned); }
  Py_buffer *newBuffer();
  void dropBuffer();

private:
  std::vector<PyObject *> objects;
  std::vector<Py_buffer *> buffers;
};

/// Classifies any object; false with a Python exception set. Objects that are
/// no argument by themselves (dtypes, functions, tuples, strings) become
/// Object.
bool classify(PyObject *object, Value &value, Holder &holder);

/// The value in a tl.constexpr, as a new reference; null if the object is none,
/// or with a Python exception set.
PyObject *unwrapConstexpr(PyObject *object);

/// "fp32" and so on: Triton's name of an array's element type.
const char *dtypeName(uint16_t index);

/// Called once by the package: `dtype_name(dtype) -> str | None` names element
/// types that are not known yet; instances of `constexpr_type` are unwrapped by
/// `.value`.
void setResolvers(PyObject *dtypeName, PyObject *constexprType);

} // namespace trireme::python
