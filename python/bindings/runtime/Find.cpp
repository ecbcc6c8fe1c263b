//===- Find.cpp - binding arguments and finding the kernel ----------------===//
#include "python/bindings/runtime/Arrays.h"
#include "python/bindings/runtime/Dispatcher.h"

using namespace trireme;
using namespace trireme::python;

namespace {

PyObject *context = nullptr;

/// What an argument is to the key: a letter, then what follows it.
enum Letter : char {
  Constant = 'C',
  Boolean = 'b',
  One = '1',
  Number = 'i',
  Real = 'f',
  Pointer = 'p'
};

bool fail(PyObject *kind, const Dispatcher &self, const std::string &what) {
  PyErr_Format(kind, "kernel '%s' %s", self.name.c_str(), what.c_str());
  return false;
}

int indexOf(const Dispatcher &self, PyObject *name) {
  for (size_t i = 0; i < self.params.size(); ++i)
    if (self.params[i].name == name)
      return int(i);
  for (size_t i = 0; i < self.params.size(); ++i)
    if (PyUnicode_Compare(self.params[i].name, name) == 0)
      return int(i);
  return -1;
}

bool unknownKeyword(const Dispatcher &self, PyObject *name) {
  std::string text = "Keyword argument " + std::string(PyUnicode_AsUTF8(name)) +
                     " was specified but unrecognised by kernel '" + self.name +
                     "'; its parameters are";
  for (const Param &param : self.params)
    text += std::string(" ") + param.text();
  PyErr_SetString(PyExc_KeyError, text.c_str());
  return false;
}

/// "i32": signature type of an argument, and its specialisation key in `spec`.
const char *typeOf(const Param &param, const Value &value, std::string &storage,
                   char &spec) {
  spec = 0;
  bool multiple = false;
  const char *type = nullptr;
  switch (value.kind) {
  case Value::Bool:
    type = "u1";
    break;
  case Value::Int32:
    type = "i32";
    multiple = value.integer % 16 == 0;
    break;
  case Value::Int64:
    type = "i64";
    multiple = value.integer % 16 == 0;
    break;
  case Value::UInt64:
    type = "u64";
    multiple = value.natural % 16 == 0;
    break;
  case Value::Float:
    type = "fp32";
    break;
  case Value::Array:
    storage = std::string(param.isConst ? "*k" : "*") + dtypeName(value.dtype);
    type = storage.c_str();
    multiple = value.pointer % 16 == 0;
    break;
  default:
    break;
  }
  bool plain = value.kind == Value::Bool || value.kind == Value::Float;
  if (!plain && param.specialize)
    spec = multiple && param.align ? 'D' : ' ';
  return param.annotation.empty() ? type : param.annotation.c_str();
}

bool isConstantObject(PyObject *object) {
  return PyCallable_Check(object) || PyUnicode_Check(object) ||
         PyObject_HasAttrString(object, "primitive_bitwidth");
}

bool checkAnnotation(const Dispatcher &self, const Param &param,
                     const Value &value, PyObject *object) {
  if (param.annotation.empty())
    return true;
  bool pointer = param.annotation[0] == '*';
  if (pointer && value.kind == Value::Array) {
    const char *element =
        param.annotation.c_str() + (param.annotation[1] == 'k' ? 2 : 1);
    if (std::strcmp(element, dtypeName(value.dtype)) == 0)
      return true;
    return fail(PyExc_TypeError, self,
                std::string("argument '") + param.text() + "' is an array of " +
                    dtypeName(value.dtype) + ", but is annotated " +
                    param.annotation);
  }
  bool isFloat = param.annotation[0] == 'f' || param.annotation[0] == 'b';
  bool integer = value.kind >= Value::Bool && value.kind <= Value::UInt64;
  if (!pointer && (integer || (isFloat && value.kind == Value::Float)))
    return true;
  return fail(PyExc_TypeError, self,
              std::string("argument '") + param.text() + "' is of type " +
                  Py_TYPE(object)->tp_name + ", but is annotated " +
                  param.annotation);
}

/// Classifies one argument and appends its part of the key.
bool addToKey(Dispatcher &self, size_t i, Bound &bound, std::string &key,
              std::vector<PyObject *> &constants) {
  const Param &param = self.params[i];
  PyObject *object = bound.objects[i];
  Value &value = bound.values[i];
  auto constant = [&](PyObject *what) {
    key += char(Constant);
    PyTypeObject *type = Py_TYPE(what);
    key.append(reinterpret_cast<const char *>(&type), sizeof type);
    if (PyFloat_Check(what)) { // -0.0 is not 0.0, NaN is itself
      double real = PyFloat_AS_DOUBLE(what);
      key.append(reinterpret_cast<const char *>(&real), sizeof real);
    } else {
      constants.push_back(what);
    }
    value.constant = true;
    return true;
  };
  if (param.isConstexpr)
    return constant(object);
  if (!classify(object, value, bound.holder))
    return false;
  if (value.constant || value.kind == Value::None)
    return constant(object);
  if (value.kind == Value::Object) {
    if (isConstantObject(object))
      return constant(object);
    return fail(PyExc_TypeError, self,
                std::string("cannot take argument '") + param.text() +
                    "' of type " + Py_TYPE(object)->tp_name +
                    ": expected an array, a number, a bool or None");
  }
  if (!checkAnnotation(self, param, value, object))
    return false;
  if (value.kind == Value::Int32 && value.integer == 1 && param.specialize &&
      param.annotation.empty()) {
    key += char(One);
    value.constant = true;
    return true;
  }
  std::string storage;
  char spec;
  if (value.kind == Value::Array) {
    key += char(Pointer);
    key.append(reinterpret_cast<const char *>(&value.dtype),
               sizeof value.dtype);
    spec = !param.specialize                        ? 0
           : value.pointer % 16 == 0 && param.align ? 'D'
                                                    : ' ';
  } else {
    key += param.annotation.empty() ? char('0' + value.kind) : char(Number);
    typeOf(param, value, storage, spec);
  }
  key += spec;
  return true;
}

bool sameConstants(const std::vector<PyObject *> &a,
                   const std::vector<PyObject *> &b) {
  if (a.size() != b.size())
    return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i])
      continue;
    if (Py_TYPE(a[i]) != Py_TYPE(b[i]))
      return false;
    int same = PyObject_RichCompareBool(a[i], b[i], Py_EQ);
    if (same < 0)
      PyErr_Clear();
    if (same <= 0)
      return false;
  }
  return true;
}

Entry *lookup(Dispatcher &self, const std::string &key,
              const std::vector<PyObject *> &constants) {
  auto found = self.entries.find(key);
  if (found == self.entries.end())
    return nullptr;
  for (auto &entry : found->second)
    if (sameConstants(entry->constants, constants))
      return entry.get();
  return nullptr;
}

/// ((type, key), ...) for Python.
PyObject *signatureOf(Dispatcher &self, Bound &bound) {
  PyObject *tuple = PyTuple_New(Py_ssize_t(self.params.size()));
  for (size_t i = 0; tuple && i < self.params.size(); ++i) {
    const Value &value = bound.values[i];
    PyObject *row;
    if (value.constant) {
      row = Py_BuildValue("sO", "constexpr", bound.objects[i]);
    } else {
      std::string storage;
      char spec;
      const char *type = typeOf(self.params[i], value, storage, spec);
      row = Py_BuildValue("ss", type,
                          spec == 0     ? nullptr
                          : spec == 'D' ? "D"
                                        : "");
    }
    if (!row) {
      Py_CLEAR(tuple);
      break;
    }
    PyTuple_SET_ITEM(tuple, Py_ssize_t(i), row);
  }
  return tuple;
}

bool fillEntry(Dispatcher &self, Bound &bound, PyObject *made, Entry &entry) {
  PyObject *kernel, *compiled, *globals;
  if (!PyArg_ParseTuple(made, "O!OO!", kernelType(), &kernel, &compiled,
                        &PyList_Type, &globals))
    return false;
  Py_INCREF(entry.kernel = kernel);
  Py_INCREF(entry.compiled = compiled);
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(globals); ++i) {
    Entry::Global global;
    if (!PyArg_ParseTuple(PyList_GET_ITEM(globals, i), "O!UO", &PyDict_Type,
                          &global.names, &global.name, &global.value))
      return false;
    Py_INCREF(global.names);
    Py_INCREF(global.name);
    Py_INCREF(global.value);
    entry.globals.push_back(global);
  }
  for (const trireme_param &p : entry.image()) {
    PyObject *name = PyUnicode_FromString(p.name);
    int index = indexOf(self, name);
    Py_DECREF(name);
    if (index < 0)
      return fail(PyExc_RuntimeError, self,
                  std::string("was compiled with a parameter '") + p.name +
                      "' it does not have");
    // The image knows widths only; what the value may be is the argument's
    // type.
    std::string storage;
    char spec;
    const char *type = p.type;
    if (type[0] != '*')
      type = typeOf(self.params[size_t(index)], bound.values[index], storage,
                    spec);
    entry.packed.push_back(
        {p.name, type, launch::scalarOf(type), p.offset, (p.flags & 1) != 0});
    if (launch::sizeOf(entry.packed.back().scalar) !=
        launch::sizeOf(launch::scalarOf(p.type)))
      return fail(PyExc_RuntimeError, self,
                  std::string("was compiled with argument '") + p.name +
                      "' as " + p.type + ", but it is " + type);
    entry.sources.push_back(index);
  }
  return true;
}

Entry *resolveMiss(Dispatcher &self, Bound &bound, const std::string &key,
                   const std::vector<PyObject *> &constants) {
  PyObject *signature = signatureOf(self, bound);
  PyObject *values = PyTuple_New(Py_ssize_t(self.params.size()));
  PyObject *options = PyDict_New();
  for (size_t i = 0; values && i < self.params.size(); ++i) {
    Py_INCREF(bound.objects[i]);
    PyTuple_SET_ITEM(values, Py_ssize_t(i), bound.objects[i]);
  }
  for (auto &[name, value] : bound.options)
    PyDict_SetItem(options, name, value);
  PyObject *made = nullptr;
  if (signature && values && options && !PyErr_Occurred())
    made =
        PyObject_CallFunctionObjArgs(self.resolve, signature, values, options,
                                     context ? context : Py_None, nullptr);
  Py_XDECREF(signature);
  Py_XDECREF(values);
  Py_XDECREF(options);
  if (!made)
    return nullptr;
  if (made == Py_None) {
    Py_DECREF(made);
    return nullptr;
  }
  Entry *result =
      lookup(self, key, constants); // another thread may have been first
  if (!result) {
    auto entry = std::make_unique<Entry>();
    if (fillEntry(self, bound, made, *entry)) {
      for (PyObject *constant : constants) {
        Py_INCREF(constant);
        entry->constants.push_back(constant);
      }
      result = entry.get();
      self.entries[key].push_back(std::move(entry));
      ++self.count;
    }
  }
  Py_DECREF(made);
  return result;
}

bool globalsUnchanged(const Entry &entry) {
  for (const Entry::Global &global : entry.globals) {
    PyObject *now = PyDict_GetItemWithError(global.names, global.name);
    if (now == global.value)
      continue;
    if (now) {
      PyObject *same = PyObject_RichCompare(now, global.value, Py_EQ);
      int truth = same ? PyObject_IsTrue(same) : -1;
      Py_XDECREF(same);
      if (truth == 1)
        continue;
    }
    PyErr_Clear();
    PyErr_Format(PyExc_RuntimeError,
                 "Global variable %U has changed since we compiled this "
                 "kernel, from %R to %R",
                 global.name, global.value, now ? now : Py_None);
    return false;
  }
  return true;
}

} // namespace

void python::setContext(PyObject *object) {
  Py_INCREF(object);
  Py_XSETREF(context, object);
}

bool python::bindArguments(Dispatcher &self, PyObject *const *args,
                           size_t count, PyObject *kwnames, Bound &bound) {
  size_t total = self.params.size();
  if (count > total)
    return fail(PyExc_TypeError, self,
                "takes " + std::to_string(total) + " arguments but " +
                    std::to_string(count) + " were given");
  for (size_t i = 0; i < total; ++i)
    bound.objects[i] = i < count ? args[i] : nullptr;
  Py_ssize_t keywords = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
  for (Py_ssize_t k = 0; k < keywords; ++k) {
    PyObject *name = PyTuple_GET_ITEM(kwnames, k),
             *value = args[count + size_t(k)];
    int index = indexOf(self, name);
    if (index >= 0) {
      if (bound.objects[index])
        return fail(PyExc_TypeError, self,
                    std::string("got multiple values for argument '") +
                        PyUnicode_AsUTF8(name) + "'");
      bound.objects[index] = value;
      continue;
    }
    int known = PySet_Contains(self.options, name);
    if (known < 0)
      return false;
    if (known == 0)
      return unknownKeyword(self, name);
    bound.options.emplace_back(name, value);
  }
  std::string missing;
  for (size_t i = 0; i < total; ++i) {
    if (!bound.objects[i])
      bound.objects[i] = self.params[i].defaultValue;
    if (!bound.objects[i])
      missing += std::string(missing.empty() ? "" : ", ") + "'" +
                 self.params[i].text() + "'";
  }
  if (!missing.empty())
    return fail(PyExc_TypeError, self, "missing argument " + missing);
  return true;
}

Entry *python::findEntry(Dispatcher &self, Bound &bound) {
  std::string key;
  key.reserve(8 * self.params.size() + 16);
  std::vector<PyObject *> constants;
  constants.reserve(self.params.size() + 1);
  for (size_t i = 0; i < self.params.size(); ++i)
    if (!addToKey(self, i, bound, key, constants))
      return nullptr;
  for (auto &[name, value] : bound.options) {
    key += std::string("|") + PyUnicode_AsUTF8(name);
    constants.push_back(value);
  }
  if (context)
    constants.push_back(context);
  Entry *entry = lookup(self, key, constants);
  if (!entry)
    entry = resolveMiss(self, bound, key, constants);
  if (entry && !globalsUnchanged(*entry))
    return nullptr;
  return entry;
}

bool python::packArguments(Dispatcher &self, const Entry &entry, Bound &bound,
                           uint8_t *block) {
  for (size_t i = 0; i < entry.packed.size(); ++i) {
    int source = entry.sources[i];
    if (!pack(self.name.c_str(), entry.packed[i], bound.values[source],
              bound.objects[source], block))
      return false;
  }
  return true;
}

PyObject *python::argumentDict(Dispatcher &self, Bound &bound) {
  PyObject *dict = PyDict_New();
  if (!dict)
    return nullptr;
  for (size_t i = 0; i < self.params.size(); ++i)
    if (PyDict_SetItem(dict, self.params[i].name, bound.objects[i]) < 0)
      goto failed;
  for (auto &[name, value] : bound.options)
    if (PyDict_SetItem(dict, name, value) < 0)
      goto failed;
  return dict;
failed:
  Py_DECREF(dict);
  return nullptr;
}
