//===- Dispatcher.h - from arguments to a compiled kernel ----- -*- C++ -*-===//
//
// One Dispatcher a jit function: binds arguments to parameters, classifies each
// once, and finds the kernel for their types; a miss asks Python to compile.
// Everything here holds the GIL. Whatever calls Python (a comparison, a grid
// function, the compiler, a destructor) may come back and change the table, so
// entries are shared with the launches that use them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "python/bindings/runtime/Kernel.h"
#include "python/bindings/runtime/Small.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace trireme::python {

struct Param {
  /// What the annotation says of the values.
  enum class Kind : uint8_t { Any, Integer, Boolean, Real, Pointer };
  PyObject *name = nullptr; ///< interned
  PyObject *defaultValue = nullptr;
  std::string annotation; ///< signature type, or empty
  Kind kind = Kind::Any;
  bool isConstexpr = false, isConst = false, specialize = true, align = true;
  bool variadic = false; ///< *args: its value is a tuple
};

/// A kernel that was compiled for one key.
struct Entry {
  std::string bytes;               ///< Key::bytes
  std::vector<PyObject *> objects; ///< Key::objects
  PyObject *kernel = nullptr;      ///< KernelObject
  PyObject *compiled = nullptr;    ///< what a launch returns
  std::vector<PackedParam> packed;
  /// Of each packed one: the parameter's index, or behind those the leaf's.
  std::vector<size_t> sources;
  struct Global {
    PyObject *names, *name, *value;
  };
  std::vector<Global> globals;

  Entry() = default;
  Entry(const Entry &) = delete;
  ~Entry();
  launch::Image &image() const {
    return **reinterpret_cast<KernelObject *>(kernel)->image;
  }
};
using EntryRef = std::shared_ptr<Entry>;

struct Dispatcher {
  std::string name;
  std::vector<Param> params;
  PyObject *options = nullptr; ///< frozenset of names
  PyObject *resolve = nullptr;
  PyObject *hooks = nullptr; ///< list of functions called before each launch
  size_t positional = 0;     ///< parameters before *args and keyword-only ones
  std::unordered_map<size_t, std::vector<EntryRef>> table; ///< by hash of bytes
  EntryRef last; ///< the one launched last, also in the table
  size_t count = 0;
  ~Dispatcher();
  void clear();
};

/// What decides the kernel: bytes that say everything of most arguments, and
/// the objects that have to be compared.
struct Key {
  Small<char, 256> bytes;
  Small<PyObject *, 16> objects; ///< borrowed, but for the context
  PyObject *context = nullptr;
  ~Key() { Py_XDECREF(context); }
};

/// The arguments of one call.
struct Bound {
  static constexpr size_t kInline = 24;
  struct Option {
    PyObject *name, *value;
  };
  /// What a tuple holds, nested ones flattened.
  struct Leaf {
    PyObject *object; ///< borrowed
    Value value;
    const Param *param;
  };
  PyObject **objects; ///< borrowed, by parameter
  Value *values;      ///< by parameter
  std::vector<Leaf> leaves;
  Small<Option, 8> options; ///< borrowed, by name
  Holder holder;

  explicit Bound(size_t count) : objects(inlineObjects), values(inlineValues) {
    if (count > kInline) {
      moreObjects.resize(count);
      moreValues.resize(count);
      objects = moreObjects.data();
      values = moreValues.data();
    }
  }

private:
  PyObject *inlineObjects[kInline];
  Value inlineValues[kInline];
  std::vector<PyObject *> moreObjects;
  std::vector<Value> moreValues;
};

/// Index of the parameter of this name; -1 if there is none.
int indexOf(const Dispatcher &self, PyObject *name);

/// Arguments to parameters; false with a TypeError or KeyError.
bool bindArguments(Dispatcher &self, PyObject *const *args, size_t count,
                   PyObject *kwnames, Bound &bound);

/// Classifies the arguments into a key; false with a Python error.
bool makeKey(Dispatcher &self, Bound &bound, Key &key);

/// (type, key) of each classified argument, for Python; of a tuple the rows of
/// its items and None; of a constant "constexpr" and its value.
PyObject *signatureOf(const Dispatcher &self, const Bound &bound);

/// "t.1.0" of each leaf: as the arguments of the compiled kernel are named.
std::vector<std::string> leafNames(const Dispatcher &self, const Bound &bound);

/// The signature type of an argument that is not constant, e.g. "i32".
std::string typeOf(const Param &param, const Value &value);

/// Finds or makes the kernel for the arguments. Null with a Python error, or
/// without one when a hook refused. `warm`: it is not to be launched.
EntryRef findEntry(Dispatcher &self, Bound &bound, bool warm);

/// Calls the hooks of the function with what the launch was called with; false
/// with a Python error.
bool callHooks(Dispatcher &self, PyObject *const *args, size_t count,
               PyObject *kwnames);

/// Packs the arguments; false with a Python error.
bool packArguments(Dispatcher &self, const Entry &entry, const Bound &bound,
                   uint8_t *block);

/// The arguments by name, with options.
PyObject *argumentDict(const Dispatcher &self, Bound &bound);

/// Part of every key: what besides arguments decides the kernel.
void setContext(PyObject *context);
PyObject *currentContext(); ///< new reference
void setIntercept(PyObject *function);
void setInterceptAll(bool on);

struct DispatcherObject {
  PyObject_HEAD Dispatcher *dispatcher;
};
PyTypeObject *dispatcherType();
PyTypeObject *launcherType();
PyObject *newLauncher(PyObject *dispatcher, PyObject *grid);

} // namespace trireme::python
