//===- Key.cpp - what of the arguments decides the kernel -----------------===//
#include "python/bindings/runtime/Arrays.h"
#include "python/bindings/runtime/Dispatcher.h"

using namespace trireme;
using namespace trireme::python;

namespace {

/// What an argument is to the key: a letter that says what follows, so that no
/// key is the beginning of another.
enum Letter : char {
  Constant = 'C',  ///< type, then what addConstant appends
  One = '1',       ///< the number 1, compiled in
  Number = '0',    ///< '0' + Value::Kind, specialisation
  Annotated = 'i', ///< specialisation
  Pointer = 'p',   ///< element type, specialisation
  Several = '('    ///< type and size of a tuple, then its items
};

/// The place of a value among the arguments: a parameter, or in its tuple.
struct Place {
  const Param &param;
  const Place *outer;
  Py_ssize_t index;

  std::string name() const {
    return outer ? outer->name() + "." + std::to_string(index)
                 : PyUnicode_AsUTF8(param.name);
  }
};

template <typename T> void append(Key &key, const T &value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  key.bytes.append(bytes, sizeof value);
}

/// 1, True and 1.0 are told apart by type, 0.0 and -0.0 by their bits.
bool addConstant(Key &key, PyObject *what, Holder &holder) {
  while (PyObject *inner = unwrapConstexpr(what)) {
    holder.keep(inner);
    what = inner;
  }
  if (PyErr_Occurred())
    return false;
  PyTypeObject *type = Py_TYPE(what);
  key.bytes.push(Constant);
  append(key, type);
  if (what == Py_None)
    return true;
  if (type == &PyBool_Type) {
    key.bytes.push(what == Py_True);
    return true;
  }
  if (type == &PyFloat_Type) {
    append(key, PyFloat_AS_DOUBLE(what));
    return true;
  }
  if (type == &PyLong_Type) {
    int overflow = 0;
    long long integer = PyLong_AsLongLongAndOverflow(what, &overflow);
    key.bytes.push(char(overflow));
    if (!overflow) {
      append(key, integer);
      return true;
    }
  } else if (type == &PyUnicode_Type) {
    append(key, PyObject_Hash(what)); // kept in the string
  }
  key.objects.push(what);
  return true;
}

/// 'D': a multiple of 16 that may be compiled in as such; 0: nothing may.
char specialisation(const Param &param, const Value &value) {
  if (!param.specialize || value.kind == Value::Bool ||
      value.kind == Value::Float || param.kind == Param::Kind::Real ||
      param.kind == Param::Kind::Boolean)
    return 0;
  bool multiple = value.natural % 16 == 0; // of integers and pointers alike
  return multiple && param.align ? 'D' : ' ';
}

/// What a kernel may be compiled for though it is no run time argument.
bool isConstantObject(PyObject *object) {
  return PyCallable_Check(object) || PyUnicode_Check(object) ||
         PyObject_HasAttrString(object, "primitive_bitwidth");
}

/// Says which argument an error of the classification is about.
bool blame(const Dispatcher &self, const Place &place) {
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  if (type == PyExc_TypeError || type == PyExc_ValueError ||
      type == PyExc_OverflowError) {
    PyErr_NormalizeException(&type, &error, &traceback);
    PyErr_Format(type, "kernel '%s': argument '%s': %S", self.name.c_str(),
                 place.name().c_str(), error);
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(traceback);
  } else {
    PyErr_Restore(type, error, traceback);
  }
  return false;
}

bool fitsAnnotation(const Dispatcher &self, const Place &place,
                    const Value &value, PyObject *object) {
  const Param &param = place.param;
  const char *annotation = param.annotation.c_str();
  bool integer = value.kind >= Value::Bool && value.kind <= Value::UInt64;
  switch (param.kind) {
  case Param::Kind::Any:
    return true;
  case Param::Kind::Real:
    if (integer || value.kind == Value::Float)
      return true;
    break;
  case Param::Kind::Integer:
  case Param::Kind::Boolean:
    if (integer)
      return true;
    break;
  case Param::Kind::Pointer:
    if (value.kind != Value::Array)
      break;
    const char *element = annotation + (annotation[1] == 'k' ? 2 : 1);
    if (std::strcmp(element, dtypeName(value.dtype)) == 0)
      return true;
    PyErr_Format(PyExc_TypeError,
                 "kernel '%s' argument '%s' is an array of %s, but is "
                 "annotated %s",
                 self.name.c_str(), place.name().c_str(),
                 dtypeName(value.dtype), annotation);
    return false;
  }
  PyErr_Format(PyExc_TypeError,
               "kernel '%s' argument '%s' is of type %.200s, but is annotated "
               "%s: expected %s",
               self.name.c_str(), place.name().c_str(),
               Py_TYPE(object)->tp_name, annotation,
               param.kind == Param::Kind::Pointer ? "an array"
               : param.kind == Param::Kind::Real  ? "a number"
                                                  : "an int or a bool");
  return false;
}

bool addTuple(Dispatcher &self, const Place &place, PyObject *&tuple,
              Bound &bound, Key &key);

/// Puts the tuple that an object says is passed in its place (a descriptor's
/// parts) there; false, perhaps with a Python exception set, if there is none.
bool standIn(PyObject *&object, Holder &holder) {
  static PyObject *name = PyUnicode_InternFromString("__kernel_argument__");
  PyObject *tuple = PyObject_GetAttr(object, name);
  if (!tuple) {
    if (PyErr_ExceptionMatches(PyExc_AttributeError))
      PyErr_Clear();
    return false;
  }
  holder.keep(tuple);
  object = tuple;
  return PyTuple_Check(tuple);
}

/// Classifies a value and appends its part of the key.
bool addValue(Dispatcher &self, const Place &place, PyObject *&object,
              Value &value, Bound &bound, Key &key) {
  const Param &param = place.param;
  if (!classify(object, value, bound.holder))
    return blame(self, place);
  if (value.kind == Value::Object && !value.constant && PyTuple_Check(object)) {
    value.kind = Value::Tuple;
    if (param.kind != Param::Kind::Any && !(param.variadic && !place.outer))
      return fitsAnnotation(self, place, value, object); // it does not
    value.natural = bound.leaves.size();
    return addTuple(self, place, object, bound, key);
  }
  if (value.constant || value.kind == Value::None ||
      (value.kind == Value::Object && isConstantObject(object))) {
    value.constant = true;
    return addConstant(key, object, bound.holder);
  }
  if (value.kind == Value::Object && standIn(object, bound.holder))
    return addValue(self, place, object, value, bound, key);
  if (PyErr_Occurred())
    return false;
  if (value.kind == Value::Object) {
    PyErr_Format(PyExc_TypeError,
                 "kernel '%s': argument '%s' of type %.200s cannot be passed "
                 "to a kernel (expected an array, a number, a bool, None or a "
                 "tuple of those)",
                 self.name.c_str(), place.name().c_str(),
                 Py_TYPE(object)->tp_name);
    return false;
  }
  if (!fitsAnnotation(self, place, value, object))
    return false;
  if (value.kind == Value::Int32 && value.integer == 1 && param.specialize &&
      param.kind == Param::Kind::Any) {
    static PyObject *one = PyLong_FromLong(1);
    key.bytes.push(One);
    object = one; // of any integer type
    value.constant = true;
    return true;
  }
  if (value.kind == Value::Array) {
    key.bytes.push(Pointer);
    append(key, value.dtype);
  } else {
    key.bytes.push(param.kind == Param::Kind::Any ? char(Number + value.kind)
                                                  : char(Annotated));
  }
  key.bytes.push(specialisation(param, value));
  return true;
}

/// The tuple, or namedtuple, with other items.
PyObject *withItems(PyObject *tuple, std::vector<PyObject *> &items) {
  PyObject *fresh = PyTuple_New(Py_ssize_t(items.size()));
  for (size_t i = 0; fresh && i < items.size(); ++i) {
    Py_INCREF(items[i]);
    PyTuple_SET_ITEM(fresh, Py_ssize_t(i), items[i]);
  }
  if (!fresh || PyTuple_CheckExact(tuple))
    return fresh;
  PyObject *made = PyObject_CallMethod(
      reinterpret_cast<PyObject *>(Py_TYPE(tuple)), "_make", "(O)", fresh);
  Py_DECREF(fresh);
  return made;
}

/// Items become leaves, those of tuples in it too. Where an item has a
/// stand-in, the tuple becomes one with that.
bool addTuple(Dispatcher &self, const Place &place, PyObject *&tuple,
              Bound &bound, Key &key) {
  if (Py_EnterRecursiveCall(" in a tuple given to a kernel") != 0)
    return false;
  key.bytes.push(Several);
  append(key, Py_TYPE(tuple));
  append(key, PyTuple_GET_SIZE(tuple));
  if (!PyTuple_CheckExact(tuple)) // kept, so that its address stays its own
    key.objects.push(reinterpret_cast<PyObject *>(Py_TYPE(tuple)));
  bool good = true;
  std::vector<PyObject *> items; // only filled once one differs
  for (Py_ssize_t i = 0; good && i < PyTuple_GET_SIZE(tuple); ++i) {
    PyObject *object = PyTuple_GET_ITEM(tuple, i);
    Value value;
    good = addValue(self, Place{place.param, &place, i}, object, value, bound,
                    key);
    if (good && value.kind != Value::Tuple)
      bound.leaves.push_back({object, value, &place.param});
    if (value.kind == Value::Tuple && object != PyTuple_GET_ITEM(tuple, i)) {
      if (items.empty())
        for (Py_ssize_t j = 0; j < PyTuple_GET_SIZE(tuple); ++j)
          items.push_back(PyTuple_GET_ITEM(tuple, j));
      items[size_t(i)] = object;
    }
  }
  Py_LeaveRecursiveCall();
  if (good && !items.empty()) {
    PyObject *changed = withItems(tuple, items);
    if (!changed)
      return false;
    bound.holder.keep(changed);
    tuple = changed;
  }
  return good;
}

/// The row of signatureOf() for a value that is no tuple.
PyObject *rowOf(const Param &param, const Value &value, PyObject *object) {
  if (value.constant)
    return Py_BuildValue("sO", "constexpr", object);
  char key = specialisation(param, value);
  return Py_BuildValue("ss", python::typeOf(param, value).c_str(),
                       key == 0     ? nullptr
                       : key == 'D' ? "D"
                                    : "");
}

/// The row for a tuple whose first leaf is `leaf`, which is moved behind its
/// last.
PyObject *rowOf(PyObject *tuple, const Bound &bound, size_t &leaf) {
  Py_ssize_t size = PyTuple_GET_SIZE(tuple);
  PyObject *rows = PyTuple_New(size);
  for (Py_ssize_t i = 0; rows && i < size; ++i) {
    PyObject *item = PyTuple_GET_ITEM(tuple, i), *row;
    if (PyTuple_Check(item)) {
      row = rowOf(item, bound, leaf);
    } else {
      const Bound::Leaf &found = bound.leaves[leaf++];
      row = rowOf(*found.param, found.value, found.object);
    }
    if (!row)
      Py_CLEAR(rows);
    else
      PyTuple_SET_ITEM(rows, i, row);
  }
  return rows ? Py_BuildValue("NO", rows, Py_None) : nullptr;
}

void addLeafNames(const std::string &prefix, PyObject *tuple,
                  std::vector<std::string> &names) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    std::string name = prefix + "." + std::to_string(i);
    if (PyTuple_Check(PyTuple_GET_ITEM(tuple, i)))
      addLeafNames(name, PyTuple_GET_ITEM(tuple, i), names);
    else
      names.push_back(std::move(name));
  }
}

} // namespace

bool python::makeKey(Dispatcher &self, Bound &bound, Key &key) {
  for (size_t i = 0; i < self.params.size(); ++i) {
    const Param &param = self.params[i];
    if (param.isConstexpr) {
      bound.values[i].constant = true;
      if (!addConstant(key, bound.objects[i], bound.holder))
        return false;
    } else if (!addValue(self, Place{param, nullptr, 0}, bound.objects[i],
                         bound.values[i], bound, key)) {
      return false;
    }
  }
  for (const Bound::Option &option : bound.options) {
    Py_ssize_t length;
    const char *name = PyUnicode_AsUTF8AndSize(option.name, &length);
    if (!name)
      return false;
    append(key, length);
    key.bytes.append(name, size_t(length));
    if (!addConstant(key, option.value, bound.holder))
      return false;
  }
  key.objects.push(key.context = currentContext());
  return true;
}

std::string python::typeOf(const Param &param, const Value &value) {
  if (!param.annotation.empty())
    return param.annotation;
  switch (value.kind) {
  case Value::Bool:
    return "u1";
  case Value::Int32:
    return "i32";
  case Value::Int64:
    return "i64";
  case Value::UInt64:
    return "u64";
  case Value::Float:
    return "fp32";
  case Value::Array:
    return std::string(param.isConst ? "*k" : "*") + dtypeName(value.dtype);
  case Value::None:
  case Value::Object:
  case Value::Tuple:
    break;
  }
  return "constexpr";
}

PyObject *python::signatureOf(const Dispatcher &self, const Bound &bound) {
  PyObject *tuple = PyTuple_New(Py_ssize_t(self.params.size()));
  for (size_t i = 0; tuple && i < self.params.size(); ++i) {
    const Value &value = bound.values[i];
    size_t leaf = size_t(value.natural);
    PyObject *row = value.kind == Value::Tuple
                        ? rowOf(bound.objects[i], bound, leaf)
                        : rowOf(self.params[i], value, bound.objects[i]);
    if (!row)
      Py_CLEAR(tuple);
    else
      PyTuple_SET_ITEM(tuple, Py_ssize_t(i), row);
  }
  return tuple;
}

std::vector<std::string> python::leafNames(const Dispatcher &self,
                                           const Bound &bound) {
  std::vector<std::string> names;
  for (size_t i = 0; i < self.params.size(); ++i)
    if (bound.values[i].kind == Value::Tuple)
      addLeafNames(PyUnicode_AsUTF8(self.params[i].name), bound.objects[i],
                   names);
  return names;
}
