//===- Find.cpp - the kernel of a key, found or compiled ------------------===//
#include "python/bindings/runtime/Dispatcher.h"

#include <algorithm>
#include <string_view>

using namespace trireme;
using namespace trireme::python;

namespace {

std::string_view textOf(const Key &key) {
  return {key.bytes.data(), key.bytes.size()};
}

bool sameConstant(PyObject *a, PyObject *b);

bool sameItems(PyObject *a, PyObject *b) {
  Py_ssize_t size = PyTuple_GET_SIZE(a);
  bool same = size == PyTuple_GET_SIZE(b) &&
              Py_EnterRecursiveCall(" in a constant of a kernel") == 0;
  if (!same)
    return false;
  for (Py_ssize_t i = 0; same && i < size; ++i)
    same = sameConstant(PyTuple_GET_ITEM(a, i), PyTuple_GET_ITEM(b, i));
  Py_LeaveRecursiveCall();
  return same;
}

/// By type and ==, also inside tuples; floats by their bits.
bool sameConstant(PyObject *a, PyObject *b) {
  if (a == b)
    return true;
  if (Py_TYPE(a) != Py_TYPE(b))
    return false;
  if (PyFloat_Check(a)) {
    double first = PyFloat_AS_DOUBLE(a), second = PyFloat_AS_DOUBLE(b);
    return std::memcmp(&first, &second, sizeof first) == 0;
  }
  if (PyTuple_Check(a))
    return sameItems(a, b);
  PyObject *first = unwrapConstexpr(a);
  if (first) {
    PyObject *second = unwrapConstexpr(b);
    bool same = second && sameConstant(first, second);
    Py_DECREF(first);
    Py_XDECREF(second);
    return same;
  }
  return PyObject_RichCompareBool(a, b, Py_EQ) == 1;
}

bool identical(const Entry &entry, const Key &key) {
  return entry.objects.size() == key.objects.size() &&
         std::memcmp(entry.objects.data(), key.objects.data(),
                     key.objects.size() * sizeof(PyObject *)) == 0 &&
         textOf(key) == entry.bytes;
}

bool equal(const Entry &entry, const Key &key) {
  if (entry.objects.size() != key.objects.size())
    return false;
  for (size_t i = 0; i < entry.objects.size(); ++i)
    if (!sameConstant(entry.objects[i], key.objects.data()[i]))
      return false;
  return true;
}

/// Null when there is none, or with an error that a comparison raised and that
/// is no mere refusal to compare.
EntryRef lookup(Dispatcher &self, const Key &key) {
  if (self.last && identical(*self.last, key))
    return self.last;
  auto found = self.table.find(std::hash<std::string_view>()(textOf(key)));
  if (found == self.table.end())
    return nullptr;
  std::vector<EntryRef> similar; // a copy: == may change the table
  for (const EntryRef &entry : found->second) {
    if (identical(*entry, key)) {
      self.last = entry;
      return self.last;
    }
    if (textOf(key) == entry->bytes)
      similar.push_back(entry);
  }
  for (const EntryRef &entry : similar) {
    if (equal(*entry, key))
      return entry;
    if (PyErr_Occurred()) {
      if (!PyErr_ExceptionMatches(PyExc_Exception))
        return nullptr; // KeyboardInterrupt
      PyErr_Clear();
    }
  }
  return nullptr;
}

bool fillGlobals(PyObject *globals, Entry &entry) {
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(globals); ++i) {
    PyObject *row = PyList_GET_ITEM(globals, i);
    if (!PyTuple_Check(row) || PyTuple_GET_SIZE(row) != 3 ||
        !PyDict_Check(PyTuple_GET_ITEM(row, 0)) ||
        !PyUnicode_Check(PyTuple_GET_ITEM(row, 1))) {
      PyErr_SetString(PyExc_TypeError,
                      "a used global is a tuple (dict, name, value)");
      return false;
    }
    Entry::Global global{PyTuple_GET_ITEM(row, 0), PyTuple_GET_ITEM(row, 1),
                         PyTuple_GET_ITEM(row, 2)};
    Py_INCREF(global.names);
    Py_INCREF(global.name);
    Py_INCREF(global.value);
    entry.globals.push_back(global);
  }
  return true;
}

/// Where the value of the image's parameter is: Entry::sources; -1 with a
/// Python error. `leaves` are the names of bound.leaves.
Py_ssize_t sourceOf(const Dispatcher &self, const trireme_param &p,
                    const std::vector<std::string> &leaves) {
  PyObject *name = PyUnicode_InternFromString(p.name);
  if (!name)
    return -1;
  int index = indexOf(self, name);
  Py_DECREF(name);
  if (index >= 0)
    return index;
  auto leaf = std::find(leaves.begin(), leaves.end(), p.name);
  if (leaf != leaves.end())
    return Py_ssize_t(self.params.size()) + (leaf - leaves.begin());
  PyErr_Format(PyExc_RuntimeError,
               "kernel '%s' was compiled with a run time parameter '%s'; there "
               "is no such parameter",
               self.name.c_str(), p.name);
  return -1;
}

bool fillParam(const Dispatcher &self, const Bound &bound,
               const trireme_param &p, const std::vector<std::string> &leaves,
               Entry &entry) {
  Py_ssize_t source = sourceOf(self, p, leaves);
  if (source < 0)
    return false;
  size_t index = size_t(source), total = self.params.size();
  const Bound::Leaf *leaf =
      index < total ? nullptr : &bound.leaves[index - total];
  const Param &param = leaf ? *leaf->param : self.params[index];
  const Value &value = leaf ? leaf->value : bound.values[index];
  if (value.constant || value.kind == Value::Tuple) {
    PyErr_Format(PyExc_RuntimeError,
                 "kernel '%s' was compiled with a run time parameter '%s'; it "
                 "is a %s",
                 self.name.c_str(), p.name,
                 value.constant ? "constant" : "tuple");
    return false;
  }
  // The image knows widths only; what the value may be is the argument's type.
  std::string type = typeOf(param, value);
  launch::Scalar made = launch::scalarOf(p.type);
  launch::Scalar scalar = launch::scalarOf(type.c_str());
  bool pointers =
      (made == launch::Scalar::Pointer) == (scalar == launch::Scalar::Pointer);
  if (!pointers || launch::sizeOf(made) != launch::sizeOf(scalar)) {
    PyErr_Format(PyExc_RuntimeError,
                 "kernel '%s' was compiled with argument '%s' as %s, but it is "
                 "%s",
                 self.name.c_str(), p.name, p.type, type.c_str());
    return false;
  }
  entry.packed.push_back(
      {p.name, std::move(type), scalar, p.offset, (p.flags & 1) != 0});
  entry.sources.push_back(index);
  return true;
}

/// From what Python answered: (kernel, compiled, globals).
bool fillEntry(const Dispatcher &self, const Bound &bound, const Key &key,
               PyObject *made, Entry &entry) {
  if (!PyTuple_Check(made) || PyTuple_GET_SIZE(made) != 3 ||
      Py_TYPE(PyTuple_GET_ITEM(made, 0)) != kernelType() ||
      !PyList_Check(PyTuple_GET_ITEM(made, 2))) {
    PyErr_Format(PyExc_TypeError,
                 "kernel '%s': resolve answers None or a tuple (Kernel, "
                 "compiled, list of globals), not %R",
                 self.name.c_str(), made);
    return false;
  }
  Py_INCREF(entry.kernel = PyTuple_GET_ITEM(made, 0));
  Py_INCREF(entry.compiled = PyTuple_GET_ITEM(made, 1));
  if (!fillGlobals(PyTuple_GET_ITEM(made, 2), entry))
    return false;
  std::vector<std::string> leaves = leafNames(self, bound);
  for (const trireme_param &p : entry.image())
    if (!fillParam(self, bound, p, leaves, entry))
      return false;
  entry.bytes = textOf(key);
  for (size_t i = 0; i < key.objects.size(); ++i) {
    Py_INCREF(key.objects.data()[i]);
    entry.objects.push_back(key.objects.data()[i]);
  }
  return true;
}

PyObject *askPython(Dispatcher &self, Bound &bound, const Key &key, bool warm) {
  size_t count = self.params.size();
  PyObject *signature = signatureOf(self, bound);
  PyObject *values = PyTuple_New(Py_ssize_t(count));
  PyObject *options = PyDict_New();
  for (size_t i = 0; values && i < count; ++i) {
    Py_INCREF(bound.objects[i]);
    PyTuple_SET_ITEM(values, Py_ssize_t(i), bound.objects[i]);
  }
  bool good = signature && values && options && self.resolve;
  for (const Bound::Option &option : bound.options)
    good = good && PyDict_SetItem(options, option.name, option.value) == 0;
  PyObject *made = nullptr;
  if (good) {
    PyObject *resolve = self.resolve;
    Py_INCREF(resolve);
    made = PyObject_CallFunctionObjArgs(resolve, signature, values, options,
                                        warm ? Py_True : Py_False, nullptr);
    Py_DECREF(resolve);
  } else if (!PyErr_Occurred()) {
    PyErr_SetString(PyExc_RuntimeError, "the dispatcher has been torn down");
  }
  Py_XDECREF(signature);
  Py_XDECREF(values);
  Py_XDECREF(options);
  return made;
}

EntryRef resolveMiss(Dispatcher &self, Bound &bound, const Key &key,
                     bool warm) {
  PyObject *made = askPython(self, bound, key, warm);
  EntryRef entry;
  if (made && made != Py_None) {
    entry = lookup(self, key); // another thread may have been first
    if (!entry && !PyErr_Occurred()) {
      entry = std::make_shared<Entry>();
      if (fillEntry(self, bound, key, made, *entry)) {
        self.table[std::hash<std::string_view>()(textOf(key))].push_back(entry);
        self.last = entry;
        ++self.count;
      } else {
        entry = nullptr;
      }
    }
  }
  Py_XDECREF(made);
  return entry;
}

bool changed(const Entry::Global &global, PyObject *now) {
  PyErr_Format(PyExc_RuntimeError,
               "Global variable %U has changed since we compiled this kernel, "
               "from %R to %R",
               global.name, global.value, now ? now : Py_None);
  return false;
}

bool globalsUnchanged(const Entry &entry) {
  for (const Entry::Global &global : entry.globals) {
    PyObject *now = PyDict_GetItemWithError(global.names, global.name);
    if (now == global.value)
      continue;
    if (!now)
      return !PyErr_Occurred() && changed(global, nullptr);
    Py_INCREF(now);
    bool same = PyObject_RichCompareBool(now, global.value, Py_EQ) == 1;
    if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_Exception))
      PyErr_Clear();
    same = same || (!PyErr_Occurred() && changed(global, now));
    Py_DECREF(now);
    if (!same)
      return false;
  }
  return true;
}

} // namespace

Entry::~Entry() {
  Py_XDECREF(kernel);
  Py_XDECREF(compiled);
  for (PyObject *object : objects)
    Py_DECREF(object);
  for (Global &global : globals) {
    Py_DECREF(global.names);
    Py_DECREF(global.name);
    Py_DECREF(global.value);
  }
}

EntryRef python::findEntry(Dispatcher &self, Bound &bound, bool warm) {
  Key key;
  if (!makeKey(self, bound, key))
    return nullptr;
  EntryRef entry = lookup(self, key);
  if (!entry && !PyErr_Occurred())
    entry = resolveMiss(self, bound, key, warm);
  if (entry && !globalsUnchanged(*entry))
    return nullptr;
  return entry;
}
