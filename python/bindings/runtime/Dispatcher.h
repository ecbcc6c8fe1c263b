//===- Dispatcher.h ------------------------------------------- -*- C++ -*-===//
//
// From arguments to the kernel compiled for them.
//
// One Dispatcher a jit function: binds arguments to parameters, classifies each
// once, and finds the kernel for their types; a miss asks Python to compile.
// Everything here holds the GIL.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "python/bindings/runtime/Kernel.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace trireme::python {

struct Param {
  PyObject *name; ///< interned
  bool isConstexpr = false, isConst = false, specialize = true, align = true;
  std::string annotation; ///< signature type, or empty
  PyObject *defaultValue = nullptr;
  const char *text() const { return PyUnicode_AsUTF8(name); }
};

/// A kernel that was compiled for one key.
struct Entry {
  PyObject *kernel = nullptr;   ///< KernelObject
  PyObject *compiled = nullptr; ///< what a launch returns
  std::vector<PyObject *> constants;
  std::vector<PackedParam> packed;
  std::vector<int> sources; ///< parameter index of each packed one
  struct Global {
    PyObject *names, *name, *value;
  };
  std::vector<Global> globals;
  launch::Image &image() const {
    return **reinterpret_cast<KernelObject *>(kernel)->image;
  }
};

struct Dispatcher {
  std::string name;
  std::vector<Param> params;
  PyObject *options = nullptr; ///< frozenset of names
  PyObject *resolve = nullptr;
  bool intercept = false;
  std::unordered_map<std::string, std::vector<std::unique_ptr<Entry>>> entries;
  size_t count = 0;
  ~Dispatcher();
  void clear();
};

/// The arguments of one call.
struct Bound {
  static constexpr size_t kInline = 24;
  PyObject *inlineObjects[kInline];
  Value inlineValues[kInline];
  std::vector<PyObject *> moreObjects;
  std::vector<Value> moreValues;
  PyObject **objects = inlineObjects; ///< borrowed, by parameter
  Value *values = inlineValues;
  std::vector<std::pair<PyObject *, PyObject *>> options; ///< borrowed
  Holder holder;

  explicit Bound(size_t count) {
    if (count > kInline) {
      moreObjects.resize(count);
      moreValues.resize(count);
      objects = moreObjects.data();
      values = moreValues.data();
    }
  }
};

/// Arguments to parameters; false with a TypeError or KeyError.
bool bindArguments(Dispatcher &self, PyObject *const *args, size_t count,
                   PyObject *kwnames, Bound &bound);

/// Classifies the arguments and finds or makes the entry. Null with a Python
/// error, or without one when a hook refused.
Entry *findEntry(Dispatcher &self, Bound &bound);

/// Packs the arguments; false with a Python error.
bool packArguments(Dispatcher &self, const Entry &entry, Bound &bound,
                   uint8_t *block);

/// The arguments by name, with options.
PyObject *argumentDict(Dispatcher &self, Bound &bound);

/// Part of every key: what besides arguments decides the kernel.
void setContext(PyObject *context);
void setIntercept(PyObject *function);
void setInterceptAll(bool on);

PyTypeObject *dispatcherType();
PyTypeObject *launcherType();

struct DispatcherObject {
  PyObject_HEAD Dispatcher *dispatcher;
};
PyObject *newLauncher(PyObject *dispatcher, PyObject *grid);
PyObject *warmup(PyObject *self, PyObject *args);

} // namespace trireme::python
