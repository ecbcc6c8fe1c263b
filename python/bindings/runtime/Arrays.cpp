//===- Arrays.cpp - whatever holds elements in memory ---------------------===//
#include "python/bindings/runtime/Arrays.h"

#include <cstring>
#include <deque>
#include <unordered_map>

using namespace trireme::python;

namespace {

PyObject *resolver = nullptr;
std::deque<std::string> names;                  // stable addresses
std::unordered_map<PyObject *, uint16_t> known; // dtype object (kept) -> index

/// How objects of a type give their memory away; found once a type.
enum class Access : uint8_t { NotArray, Numpy, Torch, DataPtr, Other };
std::unordered_map<PyTypeObject *, Access> accesses;

struct Names {
  PyObject *dataPtr, *dtype, *isCpu, *device, *type, *readonly, *interface,
      *dlpack, *data, *typestr, *cpu;
  Names() {
    auto make = [](const char *text) {
      return PyUnicode_InternFromString(text);
    };
    dataPtr = make("data_ptr"), dtype = make("dtype"), isCpu = make("is_cpu");
    device = make("device"), type = make("type"), readonly = make("readonly");
    interface = make("__array_interface__"), dlpack = make("__dlpack__");
    data = make("data"), typestr = make("typestr");
    cpu = make("cpu");
  }
};
const Names &text() {
  static const Names names;
  return names;
}

/// The head of PyArrayObject, the same in numpy 1 and 2; checked on a live
/// array before it is trusted, since we build without numpy's headers.
struct NumpyArray {
  PyObject_HEAD char *data;
  int rank;
  Py_ssize_t *shape, *strides;
  PyObject *base, *descr;
  int flags;
};
constexpr int kNumpyWriteable = 0x0400;

PyTypeObject *numpyArrayType = nullptr;
PyTypeObject *numpyScalars[3] = {}; // bool_, integer, floating
bool numpyTrusted = false;

/// getattr without the AttributeError; null with no error set if there is none.
PyObject *attribute(PyObject *object, PyObject *name) {
  PyObject *found = PyObject_GetAttr(object, name);
  if (!found && PyErr_ExceptionMatches(PyExc_AttributeError))
    PyErr_Clear();
  return found;
}

PyTypeObject *typeIn(PyObject *module, const char *name) {
  PyObject *found = PyObject_GetAttrString(module, name);
  if (found && PyType_Check(found))
    return reinterpret_cast<PyTypeObject *>(found); // kept
  Py_XDECREF(found);
  PyErr_Clear();
  return nullptr;
}

/// True when the struct above reads what numpy itself says of this array.
bool layoutMatches(PyObject *object) {
  auto *array = reinterpret_cast<NumpyArray *>(object);
  PyObject *interface = attribute(object, text().interface);
  PyObject *dtype = attribute(object, text().dtype);
  bool matches = false;
  if (interface && dtype && PyDict_Check(interface)) {
    PyObject *data = PyDict_GetItem(interface, text().data);
    if (data && PyTuple_Check(data) && PyTuple_GET_SIZE(data) == 2) {
      void *address = PyLong_AsVoidPtr(PyTuple_GET_ITEM(data, 0));
      bool readOnly = PyObject_IsTrue(PyTuple_GET_ITEM(data, 1));
      matches = address == array->data && array->descr == dtype &&
                readOnly == !(array->flags & kNumpyWriteable);
    }
  }
  PyErr_Clear();
  Py_XDECREF(interface);
  Py_XDECREF(dtype);
  return matches;
}

/// numpy is found when the program has imported it; never imported by us.
void findNumpy(PyTypeObject *type) {
  if (numpyArrayType || std::strncmp(type->tp_name, "numpy.", 6) != 0)
    return;
  PyObject *modules = PyImport_GetModuleDict();
  PyObject *numpy = PyDict_GetItemString(modules, "numpy");
  if (!numpy)
    return;
  numpyArrayType = typeIn(numpy, "ndarray");
  numpyScalars[0] = typeIn(numpy, "bool_");
  numpyScalars[1] = typeIn(numpy, "integer");
  numpyScalars[2] = typeIn(numpy, "floating");
}

bool derivesFrom(PyTypeObject *type, const char *module, const char *name) {
  PyObject *found = PyDict_GetItemString(PyImport_GetModuleDict(), module);
  if (!found)
    return false;
  PyTypeObject *base = typeIn(found, name);
  bool yes = base && PyType_IsSubtype(type, base);
  Py_XDECREF(base);
  return yes;
}

Access accessOf(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  auto found = accesses.find(type);
  if (found != accesses.end())
    return found->second;
  // Subclasses of ndarray and torch tensors in other libraries are seen once,
  // too.
  if (!numpyArrayType)
    for (PyTypeObject *base = type; base; base = base->tp_base)
      findNumpy(base);
  Access access = Access::NotArray;
  auto has = [&](PyObject *name) {
    PyObject *value = attribute(object, name);
    Py_XDECREF(value);
    PyErr_Clear();
    return value != nullptr;
  };
  if (numpyArrayType && PyType_IsSubtype(type, numpyArrayType)) {
    if (!numpyTrusted)
      numpyTrusted = layoutMatches(object);
    access = numpyTrusted ? Access::Numpy : Access::Other;
  } else if (PyType_Check(object) || PyUnicode_Check(object) ||
             PyTuple_Check(object) || PyList_Check(object) ||
             PyFloat_Check(object) || PyBool_Check(object) ||
             PyLong_Check(object) || PyCallable_Check(object) ||
             numpyScalar(object) != NumpyScalar::No) {
    access = Access::NotArray;
  } else if (has(text().dataPtr)) {
    access =
        derivesFrom(type, "torch", "Tensor") ? Access::Torch : Access::DataPtr;
  } else if (PyObject_CheckBuffer(object) || has(text().interface) ||
             has(text().dlpack)) {
    access = Access::Other;
  }
  Py_INCREF(type);
  accesses.emplace(type, access);
  return access;
}

bool dtypeOf(PyObject *dtype, PyObject *array, uint16_t &index) {
  auto found = known.find(dtype);
  if (found != known.end()) {
    index = found->second;
    return true;
  }
  if (!resolver) {
    PyErr_SetString(PyExc_RuntimeError,
                    "element types are not set up: import triton first");
    return false;
  }
  PyObject *name = PyObject_CallFunctionObjArgs(resolver, dtype, nullptr);
  if (!name)
    return false;
  if (!PyUnicode_Check(name)) {
    Py_DECREF(name);
    PyErr_Format(PyExc_TypeError,
                 "element type %R of an argument of type %.200s is not one a "
                 "kernel can use "
                 "(expected bool, int, uint, float16, bfloat16, float8, "
                 "float32 or float64)",
                 dtype, Py_TYPE(array)->tp_name);
    return false;
  }
  index = internDtype(PyUnicode_AsUTF8(name));
  Py_DECREF(name);
  Py_INCREF(dtype);
  known.emplace(dtype, index);
  return true;
}

bool pointerFrom(PyObject *number, uintptr_t &pointer) {
  pointer = number ? PyLong_AsUnsignedLongLong(number) : 0;
  Py_XDECREF(number);
  return !PyErr_Occurred();
}

ArrayResult notOnCpu(PyObject *object, PyObject *device) {
  PyErr_Format(PyExc_ValueError,
               "argument of type %.200s lies on device %S; kernels here run on "
               "the CPU: copy "
               "it there first (tensor.cpu())",
               Py_TYPE(object)->tp_name, device);
  Py_XDECREF(device);
  return ArrayResult::Error;
}

ArrayResult fromTorch(PyObject *object, Value &value) {
  PyObject *onCpu = PyObject_GetAttr(object, text().isCpu);
  if (!onCpu)
    return ArrayResult::Error;
  Py_DECREF(onCpu);
  if (onCpu != Py_True)
    return notOnCpu(object, attribute(object, text().device));
  PyObject *dtype = PyObject_GetAttr(object, text().dtype);
  if (!dtype)
    return ArrayResult::Error;
  bool good = dtypeOf(dtype, object, value.dtype);
  Py_DECREF(dtype);
  good = good && pointerFrom(PyObject_CallMethodNoArgs(object, text().dataPtr),
                             value.pointer);
  return good ? ArrayResult::Yes : ArrayResult::Error;
}

/// data_ptr() and dtype; device and readonly where it has them.
ArrayResult fromDataPtr(PyObject *object, Value &value) {
  if (PyObject *device = attribute(object, text().device)) {
    PyObject *type = attribute(device, text().type);
    PyObject *name = PyObject_Str(type ? type : device);
    bool cpu =
        !name || device == Py_None || PyUnicode_Compare(name, text().cpu) == 0;
    Py_XDECREF(type);
    Py_XDECREF(name);
    if (!cpu)
      return notOnCpu(object, device);
    Py_DECREF(device);
  }
  PyErr_Clear();
  PyObject *dtype = PyObject_GetAttr(object, text().dtype);
  if (!dtype)
    return ArrayResult::Error;
  bool good = dtypeOf(dtype, object, value.dtype);
  Py_DECREF(dtype);
  if (PyObject *readOnly = attribute(object, text().readonly)) {
    value.readOnly = PyObject_IsTrue(readOnly) == 1;
    Py_DECREF(readOnly);
  }
  PyErr_Clear();
  good = good && pointerFrom(PyObject_CallMethodNoArgs(object, text().dataPtr),
                             value.pointer);
  return good ? ArrayResult::Yes : ArrayResult::Error;
}

/// Names an element by kind and size as numpy spells it: 'f' 4 is fp32.
bool simpleDtype(char kind, int bytes, uint16_t &index) {
  const char *name = nullptr;
  switch (kind) {
  case 'b':
    name = bytes == 1 ? "i1" : nullptr;
    break;
  case 'i':
    name = bytes == 1   ? "i8"
           : bytes == 2 ? "i16"
           : bytes == 4 ? "i32"
           : bytes == 8 ? "i64"
                        : nullptr;
    break;
  case 'u':
    name = bytes == 1   ? "u8"
           : bytes == 2 ? "u16"
           : bytes == 4 ? "u32"
           : bytes == 8 ? "u64"
                        : nullptr;
    break;
  case 'f':
    name = bytes == 2   ? "fp16"
           : bytes == 4 ? "fp32"
           : bytes == 8 ? "fp64"
                        : nullptr;
    break;
  }
  if (name)
    index = internDtype(name);
  return name != nullptr;
}

ArrayResult badElement(PyObject *object, const char *what) {
  PyErr_Format(PyExc_TypeError,
               "elements '%s' of an argument of type %.200s are not ones a "
               "kernel can use "
               "(expected native bool, int, uint or float elements)",
               what, Py_TYPE(object)->tp_name);
  return ArrayResult::Error;
}

ArrayResult fromInterface(PyObject *object, PyObject *interface, Value &value,
                          Holder &holder) {
  holder.keep(interface);
  PyObject *data = PyDict_Check(interface)
                       ? PyDict_GetItem(interface, text().data)
                       : nullptr;
  PyObject *typestr = PyDict_Check(interface)
                          ? PyDict_GetItem(interface, text().typestr)
                          : nullptr;
  if (!data || !typestr || !PyTuple_Check(data) ||
      PyTuple_GET_SIZE(data) != 2 || !PyUnicode_Check(typestr)) {
    PyErr_Format(PyExc_TypeError,
                 "__array_interface__ of a %.200s lacks data or typestr",
                 Py_TYPE(object)->tp_name);
    return ArrayResult::Error;
  }
  const char *spelling = PyUnicode_AsUTF8(typestr);
  value.pointer = PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(data, 0));
  value.readOnly = PyObject_IsTrue(PyTuple_GET_ITEM(data, 1)) == 1;
  if (PyErr_Occurred())
    return ArrayResult::Error;
  bool native = spelling[0] == '|' || spelling[0] == '<' || spelling[0] == '=';
  if (std::strlen(spelling) >= 3 && native &&
      simpleDtype(spelling[1], std::atoi(spelling + 2), value.dtype))
    return ArrayResult::Yes;
  // numpy shows bfloat16 and the like as raw bytes; their dtype object knows
  // better.
  if (PyObject *dtype = attribute(object, text().dtype)) {
    bool good = dtypeOf(dtype, object, value.dtype);
    Py_DECREF(dtype);
    return good ? ArrayResult::Yes : ArrayResult::Error;
  }
  PyErr_Clear();
  return badElement(object, spelling);
}

ArrayResult fromBuffer(PyObject *object, Value &value, Holder &holder) {
  Py_buffer *buffer = holder.newBuffer();
  if (PyObject_GetBuffer(object, buffer, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
    holder.dropBuffer();
    return ArrayResult::Error;
  }
  value.pointer = reinterpret_cast<uintptr_t>(buffer->buf);
  value.readOnly = buffer->readonly;
  const char *format = buffer->format ? buffer->format : "B";
  const char *code =
      *format == '@' || *format == '=' || *format == '<' ? format + 1 : format;
  char kind = 0;
  if (code[0] && !code[1]) {
    if (std::strchr("bhilqn", code[0]))
      kind = 'i';
    else if (std::strchr("BHILQNc", code[0]))
      kind = 'u';
    else if (std::strchr("efd", code[0]))
      kind = 'f';
    else if (code[0] == '?')
      kind = 'b';
  }
  if (kind && simpleDtype(kind, int(buffer->itemsize), value.dtype))
    return ArrayResult::Yes;
  return badElement(object, format);
}

/// The parts of DLPack we read (dlpack.h, version 0 layout, which later ones
/// keep).
struct DLTensor {
  void *data;
  int32_t deviceType, deviceId;
  int32_t rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byteOffset;
};

ArrayResult fromDLPack(PyObject *object, Value &value, Holder &holder) {
  PyObject *capsule = PyObject_CallMethodNoArgs(object, text().dlpack);
  if (!capsule)
    return ArrayResult::Error;
  holder.keep(
      capsule); // its destructor frees the tensor, since nobody consumes it
  auto *tensor =
      static_cast<DLTensor *>(PyCapsule_GetPointer(capsule, "dltensor"));
  if (!tensor)
    return ArrayResult::Error;
  if (tensor->deviceType != 1) {
    PyObject *device =
        PyUnicode_FromFormat("of DLPack type %d", int(tensor->deviceType));
    return notOnCpu(object, device);
  }
  value.pointer =
      reinterpret_cast<uintptr_t>(tensor->data) + tensor->byteOffset;
  constexpr uint8_t kInt = 0, kUInt = 1, kFloat = 2, kBFloat = 4, kBool = 6;
  int bytes = tensor->bits / 8;
  bool good = tensor->lanes == 1;
  switch (tensor->code) {
  case kInt:
    good = good && simpleDtype('i', bytes, value.dtype);
    break;
  case kUInt:
    good = good && simpleDtype('u', bytes, value.dtype);
    break;
  case kFloat:
    good = good && simpleDtype('f', bytes, value.dtype);
    break;
  case kBool:
    good = good && simpleDtype('b', bytes, value.dtype);
    break;
  case kBFloat:
    good = good && bytes == 2;
    if (good)
      value.dtype = internDtype("bf16");
    break;
  default:
    good = false;
  }
  if (good)
    return ArrayResult::Yes;
  std::string what = "DLPack code " + std::to_string(tensor->code) + " of " +
                     std::to_string(tensor->bits) + " bits";
  return badElement(object, what.c_str());
}

} // namespace

void trireme::python::setDtypeResolver(PyObject *function) {
  Py_XINCREF(function);
  Py_XSETREF(resolver, function);
}

uint16_t trireme::python::internDtype(const std::string &name) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name)
      return uint16_t(i);
  names.push_back(name);
  return uint16_t(names.size() - 1);
}

const char *trireme::python::dtypeName(uint16_t index) {
  return names[index].c_str();
}

NumpyScalar trireme::python::numpyScalar(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  if (!numpyArrayType)
    findNumpy(type);
  if (!numpyArrayType)
    return NumpyScalar::No;
  if (numpyScalars[0] && PyType_IsSubtype(type, numpyScalars[0]))
    return NumpyScalar::Bool;
  if (numpyScalars[1] && PyType_IsSubtype(type, numpyScalars[1]))
    return NumpyScalar::Integer;
  if (numpyScalars[2] && PyType_IsSubtype(type, numpyScalars[2]))
    return NumpyScalar::Floating;
  return NumpyScalar::No;
}

ArrayResult trireme::python::classifyArray(PyObject *object, Value &value,
                                           Holder &holder) {
  Access access = accessOf(object);
  if (access == Access::NotArray)
    return ArrayResult::No;
  value.kind = Value::Array;
  switch (access) {
  case Access::Numpy: {
    auto *array = reinterpret_cast<NumpyArray *>(object);
    value.pointer = reinterpret_cast<uintptr_t>(array->data);
    value.readOnly = !(array->flags & kNumpyWriteable);
    return dtypeOf(array->descr, object, value.dtype) ? ArrayResult::Yes
                                                      : ArrayResult::Error;
  }
  case Access::Torch:
    return fromTorch(object, value);
  case Access::DataPtr:
    return fromDataPtr(object, value);
  default:
    break;
  }
  if (PyObject *interface = attribute(object, text().interface))
    return fromInterface(object, interface, value, holder);
  if (PyErr_Occurred())
    return ArrayResult::Error;
  if (PyObject_CheckBuffer(object))
    return fromBuffer(object, value, holder);
  return fromDLPack(object, value, holder);
}
