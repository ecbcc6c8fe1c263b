//===- Bind.cpp - arguments to parameters and into the block --------------===//
#include "python/bindings/runtime/Dispatcher.h"
#include "python/bindings/runtime/Owners.h"

#include <algorithm>

using namespace trireme;
using namespace trireme::python;

namespace {

/// ", "-separated names; `sorted` for sets, whose order is arbitrary.
PyObject *join(PyObject *names, bool sorted) {
  PyObject *list = PySequence_List(names);
  PyObject *comma = PyUnicode_FromString(", "), *text = nullptr;
  if (list && comma && (!sorted || PyList_Sort(list) == 0))
    text = PyUnicode_Join(comma, list);
  Py_XDECREF(list);
  Py_XDECREF(comma);
  return text;
}

bool unknownKeyword(const Dispatcher &self, PyObject *name) {
  PyObject *names = PyList_New(0);
  for (const Param &param : self.params)
    if (!names || (!param.variadic && PyList_Append(names, param.name) < 0)) {
      Py_XDECREF(names);
      return false;
    }
  PyObject *params = join(names, false), *options = join(self.options, true);
  if (params && options)
    PyErr_Format(PyExc_KeyError,
                 "Keyword argument %U was specified but unrecognised by kernel "
                 "'%s'; its parameters are %U, options are %U",
                 name, self.name.c_str(), params, options);
  Py_DECREF(names);
  Py_XDECREF(params);
  Py_XDECREF(options);
  return false;
}

bool missingArguments(const Dispatcher &self, const Bound &bound) {
  std::string missing;
  for (size_t i = 0; i < self.params.size(); ++i)
    if (!bound.objects[i])
      missing += std::string(missing.empty() ? "'" : ", '") +
                 PyUnicode_AsUTF8(self.params[i].name) + "'";
  PyErr_Format(PyExc_TypeError, "kernel '%s' missing argument %s",
               self.name.c_str(), missing.c_str());
  return false;
}

bool bindKeyword(Dispatcher &self, PyObject *name, PyObject *value,
                 Bound &bound) {
  int index = indexOf(self, name);
  if (index >= 0 && !self.params[size_t(index)].variadic) {
    if (bound.objects[index]) {
      PyErr_Format(PyExc_TypeError,
                   "kernel '%s' got multiple values for argument '%U'",
                   self.name.c_str(), name);
      return false;
    }
    bound.objects[index] = value;
    return true;
  }
  int known = PySet_Contains(self.options, name);
  if (known == 0)
    return unknownKeyword(self, name);
  bound.options.push({name, value});
  return known > 0;
}

bool tooMany(const Dispatcher &self, size_t count) {
  PyErr_Format(
      PyExc_TypeError, "kernel '%s' takes %zu %sarguments but %zu were given",
      self.name.c_str(), self.positional,
      self.positional < self.params.size() ? "positional " : "", count);
  return false;
}

/// The arguments behind the positional ones, to *args.
bool collectRest(Dispatcher &self, PyObject *const *args, size_t count,
                 Bound &bound) {
  size_t rest = count > self.positional ? count - self.positional : 0;
  PyObject *tuple = PyTuple_New(Py_ssize_t(rest));
  if (!tuple)
    return false;
  for (size_t i = 0; i < rest; ++i) {
    PyObject *item = args[self.positional + i];
    Py_INCREF(item);
    PyTuple_SET_ITEM(tuple, Py_ssize_t(i), item);
  }
  bound.holder.keep(tuple);
  bound.objects[self.positional] = tuple;
  return true;
}

} // namespace

int python::indexOf(const Dispatcher &self, PyObject *name) {
  for (size_t i = 0; i < self.params.size(); ++i)
    if (self.params[i].name == name)
      return int(i);
  if (PyUnicode_CHECK_INTERNED(name))
    return -1; // and so are ours
  for (size_t i = 0; i < self.params.size(); ++i)
    if (PyUnicode_Compare(self.params[i].name, name) == 0)
      return int(i);
  return -1;
}

bool python::bindArguments(Dispatcher &self, PyObject *const *args,
                           size_t count, PyObject *kwnames, Bound &bound) {
  size_t total = self.params.size(), positional = self.positional;
  bool variadic = positional < total && self.params[positional].variadic;
  if (count > positional && !variadic)
    return tooMany(self, count);
  for (size_t i = 0, given = std::min(count, positional); i < total; ++i)
    bound.objects[i] = i < given ? args[i] : nullptr;
  if (variadic && !collectRest(self, args, count, bound))
    return false;
  size_t keywords = kwnames ? size_t(PyTuple_GET_SIZE(kwnames)) : 0;
  for (size_t k = 0; k < keywords; ++k)
    if (!bindKeyword(self, PyTuple_GET_ITEM(kwnames, Py_ssize_t(k)),
                     args[count + k], bound))
      return false;
  if (bound.options.size() > 1) // one key whatever their order
    std::sort(bound.options.begin(), bound.options.end(),
              [](const Bound::Option &a, const Bound::Option &b) {
                return PyUnicode_Compare(a.name, b.name) < 0;
              });
  bool complete = true;
  for (size_t i = 0; i < total; ++i) {
    if (!bound.objects[i])
      bound.objects[i] = self.params[i].defaultValue;
    complete &= bound.objects[i] != nullptr;
  }
  return complete || missingArguments(self, bound);
}

bool python::packArguments(Dispatcher &self, const Entry &entry,
                           const Bound &bound, uint8_t *block) {
  Owners owners(entry.image(), block);
  size_t total = self.params.size();
  for (size_t i = 0; i < entry.packed.size(); ++i) {
    size_t source = entry.sources[i];
    const Bound::Leaf *leaf =
        source < total ? nullptr : &bound.leaves[source - total];
    PyObject *object = leaf ? leaf->object : bound.objects[source];
    if (entry.packed[i].scalar == launch::Scalar::Pointer)
      owners.add(object);
    if (!pack(self.name.c_str(), entry.packed[i],
              leaf ? leaf->value : bound.values[source], object, block))
      return false;
  }
  return true;
}

PyObject *python::argumentDict(const Dispatcher &self, Bound &bound) {
  PyObject *dict = PyDict_New();
  bool good = dict != nullptr;
  for (size_t i = 0; good && i < self.params.size(); ++i)
    good = PyDict_SetItem(dict, self.params[i].name, bound.objects[i]) == 0;
  for (const Bound::Option &option : bound.options)
    good = good && PyDict_SetItem(dict, option.name, option.value) == 0;
  if (!good)
    Py_CLEAR(dict);
  return dict;
}

bool python::callHooks(Dispatcher &self, PyObject *const *args, size_t count,
                       PyObject *kwnames) {
  PyObject *hooks = PyList_AsTuple(self.hooks); // a hook may remove itself
  bool good = hooks != nullptr;
  for (Py_ssize_t i = 0; good && i < PyTuple_GET_SIZE(hooks); ++i) {
    PyObject *result =
        PyObject_Vectorcall(PyTuple_GET_ITEM(hooks, i), args, count, kwnames);
    good = result != nullptr;
    Py_XDECREF(result);
  }
  Py_XDECREF(hooks);
  return good;
}
