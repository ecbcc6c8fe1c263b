//===- Owners.cpp - which arguments share memory --------------------------===//
#include "python/bindings/runtime/Owners.h"

#include <algorithm>

using namespace trireme;
using namespace trireme::python;

Owners::Owners(const launch::Image &image, uint8_t *block)
    : wanted(image.info().flags & TRIREME_IMAGE_OWNERS),
      next(block + image.info().args_bytes) {}

namespace {

/// A reference that ends with its scope; errors are dropped with it.
class Reference {
public:
  explicit Reference(PyObject *object) : object(object) {
    if (!object)
      PyErr_Clear();
  }
  Reference(const Reference &) = delete;
  ~Reference() { Py_XDECREF(object); }
  explicit operator bool() const { return object != nullptr; }
  PyObject *get() const { return object; }

private:
  PyObject *object;
};

bool isTrue(PyObject *object, const char *attribute) {
  Reference value(PyObject_GetAttrString(object, attribute));
  return value && value.get() == Py_True;
}

uintptr_t addressOf(PyObject *number) {
  unsigned long long address = PyLong_AsUnsignedLongLong(number);
  if (PyErr_Occurred()) {
    PyErr_Clear();
    return 0;
  }
  return uintptr_t(address);
}

/// The numpy array that owns an array's memory; 0 if it is none.
uintptr_t numpyOwner(PyObject *array) {
  PyTypeObject *type = Py_TYPE(array);
  Py_INCREF(array);
  for (;;) {
    Reference holder(array); // drops the array we leave
    Reference base(PyObject_GetAttrString(array, "base"));
    if (!base)
      return 0;
    if (base.get() != Py_None) {
      if (Py_TYPE(base.get()) != type)
        return 0;
      array = base.get();
      Py_INCREF(array);
      continue;
    }
    Reference flags(PyObject_GetAttrString(array, "flags"));
    bool owns = flags && isTrue(flags.get(), "owndata");
    return owns ? reinterpret_cast<uintptr_t>(array) : 0;
  }
}

/// Where the storage of a torch tensor begins, if torch allocated it: what it
/// was given by others cannot be resized, and may be shared.
uintptr_t torchOwner(PyObject *tensor) {
  Reference storage(PyObject_CallMethod(tensor, "untyped_storage", nullptr));
  if (!storage)
    return 0;
  Reference resizable(PyObject_CallMethod(storage.get(), "resizable", nullptr));
  Reference shared(PyObject_CallMethod(storage.get(), "is_shared", nullptr));
  if (!resizable || resizable.get() != Py_True || !shared ||
      shared.get() != Py_False)
    return 0;
  Reference data(PyObject_CallMethod(storage.get(), "data_ptr", nullptr));
  return data ? addressOf(data.get()) : 0;
}

} // namespace

void Owners::add(PyObject *object) {
  if (!wanted)
    return;
  const char *name = Py_TYPE(object)->tp_name;
  uintptr_t owner = 0;
  if (std::strcmp(name, "numpy.ndarray") == 0)
    owner = numpyOwner(object);
  else if (std::strcmp(name, "Tensor") == 0 ||
           std::strcmp(name, "Parameter") == 0)
    owner = torchOwner(object);
  uint8_t number = 0;
  if (owner) {
    auto found = std::find(seen.begin(), seen.end(), owner);
    if (found == seen.end() && seen.size() < kMost) {
      seen.push_back(owner);
      found = seen.end() - 1;
    }
    if (found != seen.end())
      number = uint8_t(found - seen.begin() + 1);
  }
  *next++ = number;
}
