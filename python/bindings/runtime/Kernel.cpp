//===- Kernel.cpp - a loaded image as a Python object ---------------------===//
#include "python/bindings/runtime/Kernel.h"
#include "python/bindings/runtime/Arrays.h"
#include "python/bindings/runtime/Owners.h"

using namespace trireme;
using namespace trireme::python;
using launch::Scalar;

namespace {

PyObject *kernelError = nullptr;

const char *kindName(const Value &value, PyObject *object) {
  switch (value.kind) {
  case Value::None:
    return "None";
  case Value::Bool:
    return "a bool";
  case Value::Int32:
  case Value::Int64:
  case Value::UInt64:
    return "an int";
  case Value::Float:
    return "a float";
  case Value::Array:
    return "an array";
  case Value::Object:
  case Value::Tuple:
    break;
  }
  return Py_TYPE(object)->tp_name;
}

bool wrongKind(const char *kernel, const PackedParam &param, const Value &value,
               PyObject *object) {
  PyErr_Format(PyExc_TypeError,
               "kernel '%s': argument '%s' has type %s, but the value is %s",
               kernel, param.name, param.type.c_str(), kindName(value, object));
  return false;
}

template <typename T> void put(uint8_t *to, T value) {
  std::memcpy(to, &value, sizeof value);
}

bool packInteger(const char *kernel, const PackedParam &param,
                 const Value &value, PyObject *object, uint8_t *to) {
  if (value.kind > Value::UInt64 || value.kind == Value::None)
    return wrongKind(kernel, param, value, object);
  unsigned bits = 8 * launch::sizeOf(param.scalar);
  bool isUnsigned = param.scalar >= Scalar::U8 && param.scalar <= Scalar::U64;
  bool fits;
  if (value.kind == Value::UInt64)
    fits = param.scalar == Scalar::U64;
  else if (isUnsigned)
    fits = value.integer >= 0 && (bits == 64 || value.integer >> bits == 0);
  else
    fits = bits == 64 || (value.integer >> (bits - 1)) == 0 ||
           (value.integer >> (bits - 1)) == -1;
  if (!fits) {
    PyErr_Format(PyExc_OverflowError,
                 "kernel '%s': argument '%s' = %S does not fit its type %s",
                 kernel, param.name, object, param.type.c_str());
    return false;
  }
  std::memcpy(to, &value.integer, bits / 8); // little-endian
  return true;
}

bool packFloat(const char *kernel, const PackedParam &param, const Value &value,
               PyObject *object, uint8_t *to) {
  double real;
  switch (value.kind) {
  case Value::Float:
    real = value.real;
    break;
  case Value::UInt64:
    real = double(value.natural);
    break;
  case Value::Bool:
  case Value::Int32:
  case Value::Int64:
    real = double(value.integer);
    break;
  default:
    return wrongKind(kernel, param, value, object);
  }
  switch (param.scalar) {
  case Scalar::F16:
    put(to, launch::toHalf(real));
    break;
  case Scalar::BF16:
    put(to, launch::toBFloat(real));
    break;
  case Scalar::F32:
    put(to, float(real));
    break;
  default:
    put(to, real);
  }
  return true;
}

/// Other Python threads run while one of these lives.
class NoGil {
public:
  NoGil() : state(PyEval_SaveThread()) {}
  NoGil(const NoGil &) = delete;
  ~NoGil() { PyEval_RestoreThread(state); }

private:
  PyThreadState *state;
};

/// Runs while the launch waits; true stops it, with a Python exception pending.
bool poll(void *) {
  PyGILState_STATE state = PyGILState_Ensure();
  bool stop = PyErr_CheckSignals() != 0;
  PyGILState_Release(state);
  return stop;
}

/// Clears an error that a better message is to replace; false for one that has
/// to stay, like KeyboardInterrupt.
bool mayReplaceError() {
  if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError) &&
      !PyErr_ExceptionMatches(PyExc_OverflowError))
    return false;
  PyErr_Clear();
  return true;
}

/// What Python has printed comes before what a kernel prints.
bool flushStandardOutput() {
  PyObject *file = PySys_GetObject("stdout"); // borrowed
  if (!file || file == Py_None)
    return true;
  PyObject *done = PyObject_CallMethod(file, "flush", nullptr);
  Py_XDECREF(done);
  return done != nullptr;
}

/// Raises what setup() named for kernels that fail.
void raise(const char *kernel, const launch::Failure &failure) {
  PyObject *type = kernelError ? kernelError : PyExc_RuntimeError;
  Py_INCREF(type);
  PyObject *error = PyObject_CallFunction(
      type, "ss(III)iK", failure.message.c_str(), kernel, failure.program[0],
      failure.program[1], failure.program[2], failure.signal,
      static_cast<unsigned long long>(failure.address));
  if (error)
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error)), error);
  Py_XDECREF(error);
  Py_DECREF(type);
}

PyObject *newKernel(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static const char *names[] = {"path", nullptr};
  PyObject *path = nullptr; // bytes
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&",
                                   const_cast<char **>(names),
                                   PyUnicode_FSConverter, &path))
    return nullptr;
  std::string error;
  std::unique_ptr<launch::Image> image;
  {
    NoGil released;
    image = launch::Image::load(PyBytes_AS_STRING(path), error);
  }
  Py_DECREF(path);
  if (!image) {
    launch::Failure failure;
    failure.message = std::move(error);
    raise("", failure);
    return nullptr;
  }
  auto *self = reinterpret_cast<KernelObject *>(type->tp_alloc(type, 0));
  if (self)
    self->image = new std::unique_ptr<launch::Image>(std::move(image));
  return reinterpret_cast<PyObject *>(self);
}

void freeKernel(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  delete reinterpret_cast<KernelObject *>(object)->image;
  type->tp_free(object);
  Py_DECREF(type);
}

const trireme_image &infoOf(PyObject *self) {
  return (*reinterpret_cast<KernelObject *>(self)->image)->info();
}

PyObject *getName(PyObject *self, void *) {
  return PyUnicode_FromString(infoOf(self).name);
}
PyObject *getTarget(PyObject *self, void *) {
  return PyUnicode_FromString(infoOf(self).target);
}
PyObject *getFlags(PyObject *self, void *) {
  return PyLong_FromUnsignedLong(infoOf(self).flags);
}
PyObject *getScratch(PyObject *self, void *) {
  return PyLong_FromUnsignedLongLong(infoOf(self).scratch_bytes);
}
PyObject *getVlen(PyObject *self, void *) {
  return PyLong_FromUnsignedLong(infoOf(self).vlen_bits);
}
PyObject *getParams(PyObject *self, void *) {
  const trireme_image &info = infoOf(self);
  PyObject *list = PyList_New(info.num_params);
  for (uint32_t i = 0; list && i < info.num_params; ++i) {
    const trireme_param &p = info.params[i];
    PyObject *row = Py_BuildValue("ssII", p.name, p.type, p.offset, p.flags);
    if (!row) {
      Py_CLEAR(list);
      break;
    }
    PyList_SET_ITEM(list, i, row);
  }
  return list;
}

/// Takes the type that the caller knows: the image knows widths only.
bool narrow(PackedParam &param, PyObject *type, const char *kernel) {
  const char *text = PyUnicode_AsUTF8(type);
  if (!text)
    return false;
  Scalar scalar = launch::scalarOf(text);
  if (launch::sizeOf(scalar) != launch::sizeOf(param.scalar)) {
    PyErr_Format(PyExc_TypeError,
                 "kernel '%s': argument '%s' was compiled as %s, not %s",
                 kernel, param.name, param.type.c_str(), text);
    return false;
  }
  param.scalar = scalar;
  param.type = text;
  return true;
}

PyObject *run(PyObject *self, PyObject *args) {
  PyObject *grid, *values, *types = Py_None;
  if (!PyArg_ParseTuple(args, "OO!|O", &grid, &PyTuple_Type, &values, &types))
    return nullptr;
  launch::Image &image = **reinterpret_cast<KernelObject *>(self)->image;
  const char *name = image.info().name;
  uint64_t dims[3];
  if (!parseGrid(name, grid, dims))
    return nullptr;
  if (PyTuple_GET_SIZE(values) != Py_ssize_t(image.info().num_params))
    return PyErr_Format(PyExc_TypeError,
                        "kernel '%s' takes %u arguments, got %zd", name,
                        image.info().num_params, PyTuple_GET_SIZE(values));
  if (types != Py_None && (!PyTuple_Check(types) ||
                           PyTuple_GET_SIZE(types) != PyTuple_GET_SIZE(values)))
    return PyErr_Format(PyExc_TypeError,
                        "types are None or a tuple of one each argument");
  Block block(image.blockBytes());
  Owners owners(image, block.data());
  Holder holder;
  Py_ssize_t i = 0;
  for (const trireme_param &p : image) {
    PackedParam param{p.name, p.type, launch::scalarOf(p.type), p.offset,
                      (p.flags & 1) != 0};
    if (types != Py_None && !narrow(param, PyTuple_GET_ITEM(types, i), name))
      return nullptr;
    PyObject *object = PyTuple_GET_ITEM(values, i++);
    if (param.scalar == launch::Scalar::Pointer)
      owners.add(object);
    Value value;
    if (!classify(object, value, holder) ||
        !pack(name, param, value, object, block.data()))
      return nullptr;
  }
  if (!runGrid(image, block.data(), dims))
    return nullptr;
  Py_RETURN_NONE;
}

PyGetSetDef attributes[] = {
    {"name", getName, nullptr, "the kernel's name", nullptr},
    {"target", getTarget, nullptr, "target it was compiled for", nullptr},
    {"flags", getFlags, nullptr, "TRIREME_IMAGE_*", nullptr},
    {"scratch_bytes", getScratch, nullptr, "scratch a thread", nullptr},
    {"vlen_bits", getVlen, nullptr, "RISC-V: VLEN it needs; else 0", nullptr},
    {"params", getParams, nullptr, "(name, type, offset, flags) of each",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef methods[] = {{"run", run, METH_VARARGS,
                          "run(grid, args, types=None): launches and waits"},
                         {nullptr, nullptr, 0, nullptr}};
PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(newKernel)},
    {Py_tp_dealloc, reinterpret_cast<void *>(freeKernel)},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {Py_tp_doc, const_cast<char *>("Kernel(path): a loaded kernel image")},
    {0, nullptr}};
PyType_Spec spec = {"triton._C._runtime.Kernel", sizeof(KernelObject), 0,
                    Py_TPFLAGS_DEFAULT, slots};

} // namespace

PyTypeObject *python::kernelType() {
  static auto *type = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&spec));
  return type;
}

void python::setKernelError(PyObject *type) {
  type = type == Py_None ? nullptr : type;
  Py_XINCREF(type);
  Py_XSETREF(kernelError, type);
}

bool python::pack(const char *kernel, const PackedParam &param,
                  const Value &value, PyObject *object, uint8_t *block) {
  uint8_t *to = block + param.offset;
  switch (param.scalar) {
  case Scalar::Pointer:
    if (value.kind != Value::Array)
      return wrongKind(kernel, param, value, object);
    if (param.written && value.readOnly) {
      PyErr_Format(PyExc_ValueError,
                   "kernel '%s': argument '%s' is a read-only array and the "
                   "kernel writes to it; "
                   "pass a writable copy",
                   kernel, param.name);
      return false;
    }
    put(to, uint64_t(value.pointer));
    return true;
  case Scalar::Bool:
    if (value.kind == Value::None || value.kind > Value::UInt64)
      return wrongKind(kernel, param, value, object);
    *to = value.integer != 0;
    return true;
  case Scalar::F16:
  case Scalar::BF16:
  case Scalar::F32:
  case Scalar::F64:
    return packFloat(kernel, param, value, object, to);
  case Scalar::Unknown:
    PyErr_Format(PyExc_TypeError,
                 "kernel '%s': argument '%s' has the unknown type %s", kernel,
                 param.name, param.type.c_str());
    return false;
  default:
    return packInteger(kernel, param, value, object, to);
  }
}

bool python::runGrid(launch::Image &image, const void *block,
                     const uint64_t dims[3]) {
  if (dims[0] == 0 || dims[1] == 0 || dims[2] == 0)
    return true;
  if (image.info().flags & TRIREME_IMAGE_PRINTS && !flushStandardOutput())
    return false;
  launch::Failure failure;
  launch::Poll signals{poll, nullptr};
  bool done;
  {
    NoGil released;
    done = launch::run(image, block, dims, signals, failure);
  }
  if (!done && !PyErr_Occurred()) // else a signal handler raised
    raise(image.info().name, failure);
  return done;
}

bool python::parseGrid(const char *kernel, PyObject *grid, uint64_t dims[3]) {
  static const char *const kExpected =
      "a tuple of 1 to 3 non-negative ints or a function of the arguments that "
      "returns one";
  dims[0] = dims[1] = dims[2] = 1;
  bool isSequence = PySequence_Check(grid) && !PyUnicode_Check(grid) &&
                    !PyBytes_Check(grid) && !PyByteArray_Check(grid);
  if (PyIndex_Check(grid) && !isSequence) { // arrays have __index__, too
    PyErr_Format(
        PyExc_TypeError,
        "kernel '%s': the grid is the int %S; write (%S,): expected %s", kernel,
        grid, grid, kExpected);
    return false;
  }
  PyObject *sequence = isSequence ? PySequence_Fast(grid, "") : nullptr;
  if (!sequence) {
    if (!mayReplaceError())
      return false;
    PyErr_Format(PyExc_TypeError,
                 "kernel '%s': the grid is of type %.200s; expected %s", kernel,
                 Py_TYPE(grid)->tp_name, kExpected);
    return false;
  }
  Py_ssize_t rank = PySequence_Fast_GET_SIZE(sequence);
  bool good = rank >= 1 && rank <= 3;
  if (!good)
    PyErr_Format(PyExc_ValueError,
                 "kernel '%s': the grid has %zd axes; expected %s", kernel,
                 rank, kExpected);
  // The size again: __index__ may shorten a list.
  for (Py_ssize_t i = 0; good && i < PySequence_Fast_GET_SIZE(sequence); ++i) {
    PyObject *item = PySequence_Fast_GET_ITEM(sequence, i);
    Py_INCREF(item);
    PyObject *index = PyNumber_Index(item);
    long long extent = index ? PyLong_AsLongLong(index) : -1;
    Py_XDECREF(index);
    good = i < 3 && extent >= 0;
    if (good)
      dims[i] = uint64_t(extent);
    else if (!PyErr_Occurred())
      PyErr_Format(PyExc_ValueError,
                   "kernel '%s': axis %zd of the grid is %lld; expected %s",
                   kernel, i, extent, kExpected);
    else if (mayReplaceError())
      PyErr_Format(PyExc_TypeError,
                   "kernel '%s': axis %zd of the grid is %R; expected %s",
                   kernel, i, item, kExpected);
    Py_DECREF(item);
  }
  Py_DECREF(sequence);
  return good;
}
