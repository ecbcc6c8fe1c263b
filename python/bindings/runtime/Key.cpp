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
  Pointer = 'p'    ///< element type, specialisation
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
bool blame(const Dispatcher &self, const Param &param) {
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  if (type == PyExc_TypeError || type == PyExc_ValueError ||
      type == PyExc_OverflowError) {
    PyErr_NormalizeException(&type, &error, &traceback);
    PyErr_Format(type, "kernel '%s': argument '%U': %S", self.name.c_str(),
                 param.name, error);
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(traceback);
  } else {
    PyErr_Restore(type, error, traceback);
  }
  return false;
}

bool fitsAnnotation(const Dispatcher &self, const Param &param,
                    const Value &value, PyObject *object) {
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
                 "kernel '%s' argument '%U' is an array of %s, but is "
                 "annotated %s",
                 self.name.c_str(), param.name, dtypeName(value.dtype),
                 annotation);
    return false;
  }
  PyErr_Format(PyExc_TypeError,
               "kernel '%s' argument '%U' is of type %.200s, but is annotated "
               "%s: expected %s",
               self.name.c_str(), param.name, Py_TYPE(object)->tp_name,
               annotation,
               param.kind == Param::Kind::Pointer ? "an array"
               : param.kind == Param::Kind::Real  ? "a number"
                                                  : "an int or a bool");
  return false;
}

/// Classifies one argument and appends its part of the key.
bool addArgument(Dispatcher &self, size_t i, Bound &bound, Key &key) {
  const Param &param = self.params[i];
  PyObject *object = bound.objects[i];
  Value &value = bound.values[i];
  if (param.isConstexpr) {
    value.constant = true;
    return addConstant(key, object, bound.holder);
  }
  if (!classify(object, value, bound.holder))
    return blame(self, param);
  if (value.constant || value.kind == Value::None ||
      (value.kind == Value::Object && isConstantObject(object))) {
    value.constant = true;
    return addConstant(key, object, bound.holder);
  }
  if (value.kind == Value::Object) {
    PyErr_Format(PyExc_TypeError,
                 "kernel '%s': argument '%U' of type %.200s cannot be passed "
                 "to a kernel (expected an array, a number, a bool or None)",
                 self.name.c_str(), param.name, Py_TYPE(object)->tp_name);
    return false;
  }
  if (!fitsAnnotation(self, param, value, object))
    return false;
  if (value.kind == Value::Int32 && value.integer == 1 && param.specialize &&
      param.kind == Param::Kind::Any) {
    static PyObject *one = PyLong_FromLong(1);
    key.bytes.push(One);
    bound.objects[i] = one; // of any integer type
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

} // namespace

bool python::makeKey(Dispatcher &self, Bound &bound, Key &key) {
  for (size_t i = 0; i < self.params.size(); ++i)
    if (!addArgument(self, i, bound, key))
      return false;
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
    break;
  }
  return "constexpr";
}

PyObject *python::signatureOf(const Dispatcher &self, const Bound &bound) {
  PyObject *tuple = PyTuple_New(Py_ssize_t(self.params.size()));
  for (size_t i = 0; tuple && i < self.params.size(); ++i) {
    const Value &value = bound.values[i];
    PyObject *row;
    if (value.constant) {
      row = Py_BuildValue("sO", "constexpr", bound.objects[i]);
    } else {
      char key = specialisation(self.params[i], value);
      row = Py_BuildValue("ss", typeOf(self.params[i], value).c_str(),
                          key == 0     ? nullptr
                          : key == 'D' ? "D"
                                       : "");
    }
    if (!row)
      Py_CLEAR(tuple);
    else
      PyTuple_SET_ITEM(tuple, Py_ssize_t(i), row);
  }
  return tuple;
}
