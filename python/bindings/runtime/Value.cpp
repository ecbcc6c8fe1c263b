//===- Value.cpp - launch arguments, classified ---------------------------===//
#include "python/bindings/runtime/Value.h"
#include "python/bindings/runtime/Arrays.h"

#include <climits>

using namespace trireme::python;

namespace {

PyObject *constexprType = nullptr;
PyObject *valueName = nullptr;

bool classifyInt(PyObject *object, Value &value) {
  int overflow = 0;
  long long integer = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (integer == -1 && PyErr_Occurred())
    return false;
  if (overflow == 0) {
    value.kind = integer >= INT32_MIN && integer <= INT32_MAX ? Value::Int32
                                                              : Value::Int64;
    value.integer = integer;
    return true;
  }
  if (overflow > 0) {
    unsigned long long natural = PyLong_AsUnsignedLongLong(object);
    if (!PyErr_Occurred()) {
      value.kind = Value::UInt64;
      value.natural = natural;
      return true;
    }
    PyErr_Clear();
  }
  PyErr_Format(PyExc_OverflowError, "integer argument %R does not fit 64 bits",
               object);
  return false;
}

} // namespace

Holder::~Holder() {
  for (Py_buffer *buffer : buffers) {
    PyBuffer_Release(buffer);
    delete buffer;
  }
  for (PyObject *object : objects)
    Py_DECREF(object);
}

Py_buffer *Holder::newBuffer() {
  buffers.push_back(new Py_buffer());
  return buffers.back();
}

void Holder::dropBuffer() {
  delete buffers.back();
  buffers.pop_back();
}

void trireme::python::setResolvers(PyObject *dtypeName, PyObject *type) {
  setDtypeResolver(dtypeName);
  Py_XINCREF(type);
  Py_XSETREF(constexprType, type);
  if (!valueName)
    valueName = PyUnicode_InternFromString("value");
}

PyObject *trireme::python::unwrapConstexpr(PyObject *object) {
  auto *type = reinterpret_cast<PyTypeObject *>(constexprType);
  return type && PyObject_TypeCheck(object, type)
             ? PyObject_GetAttr(object, valueName)
             : nullptr;
}

bool trireme::python::classify(PyObject *object, Value &value, Holder &holder) {
  if (object == Py_None) {
    value.kind = Value::None;
    return true;
  }
  PyTypeObject *type = Py_TYPE(object);
  if (type == &PyLong_Type)
    return classifyInt(object, value);
  switch (classifyArray(object, value, holder)) {
  case ArrayResult::Yes:
    return true;
  case ArrayResult::Error:
    return false;
  case ArrayResult::No:
    break;
  }
  if (type == &PyBool_Type) {
    value.kind = Value::Bool;
    value.integer = object == Py_True;
    return true;
  }
  if (PyFloat_Check(object)) { // numpy.float64 too
    value.kind = Value::Float;
    value.real = PyFloat_AS_DOUBLE(object);
    return true;
  }
  if (PyObject *inner = unwrapConstexpr(object)) {
    holder.keep(inner);
    if (!classify(inner, value, holder))
      return false;
    value.constant = true;
    return true;
  }
  if (PyErr_Occurred())
    return false;
  if (PyLong_Check(object))
    return classifyInt(object, value);
  switch (numpyScalar(object)) {
  case NumpyScalar::Bool: {
    int truth = PyObject_IsTrue(object);
    if (truth < 0)
      return false;
    value.kind = Value::Bool;
    value.integer = truth;
    return true;
  }
  case NumpyScalar::Integer: {
    PyObject *integer = PyNumber_Index(object);
    if (!integer)
      return false;
    bool good = classifyInt(integer, value);
    Py_DECREF(integer);
    return good;
  }
  case NumpyScalar::Floating:
    value.kind = Value::Float;
    value.real = PyFloat_AsDouble(object);
    return !(value.real == -1.0 && PyErr_Occurred());
  case NumpyScalar::No:
    break;
  }
  value.kind = Value::Object;
  value.object = object;
  return true;
}
