//===- Dispatcher.cpp - Dispatcher and Launcher as Python types -----------===//
#include "python/bindings/runtime/Dispatcher.h"

#include <structmember.h>

using namespace trireme;
using namespace trireme::python;

namespace {

PyObject *interceptFunction = nullptr;
bool interceptAll = false;

/// fn[grid]: called with the arguments.
struct LauncherObject {
  PyObject_HEAD PyObject *dispatcher, *grid;
  vectorcallfunc vectorcall;
};

Dispatcher &of(PyObject *object) {
  return *reinterpret_cast<DispatcherObject *>(object)->dispatcher;
}

bool evaluateGrid(Dispatcher &self, PyObject *grid, Bound &bound,
                  uint64_t dims[3]) {
  if (!PyCallable_Check(grid))
    return parseGrid(self.name.c_str(), grid, dims);
  PyObject *arguments = argumentDict(self, bound);
  PyObject *result =
      arguments ? PyObject_CallFunctionObjArgs(grid, arguments, nullptr)
                : nullptr;
  Py_XDECREF(arguments);
  if (!result)
    return false;
  bool good = parseGrid(self.name.c_str(), result, dims);
  Py_DECREF(result);
  return good;
}

/// The launch that a hook is asked to perform.
struct Pending {
  launch::Image *image;
  const void *block;
  const uint64_t *dims;
};

PyObject *runPending(PyObject *capsule, PyObject *) {
  auto *pending =
      static_cast<Pending *>(PyCapsule_GetPointer(capsule, "pending launch"));
  if (!pending || !runGrid(*pending->image, pending->block, pending->dims))
    return nullptr;
  Py_RETURN_NONE;
}
PyMethodDef runMethod = {"run", runPending, METH_NOARGS, "performs the launch"};

bool runIntercepted(PyObject *dispatcher, const Entry &entry, Bound &bound,
                    const void *block, const uint64_t dims[3]) {
  Pending pending{&entry.image(), block, dims};
  PyObject *capsule = PyCapsule_New(&pending, "pending launch", nullptr);
  PyObject *run = capsule ? PyCFunction_New(&runMethod, capsule) : nullptr;
  PyObject *arguments = argumentDict(of(dispatcher), bound);
  PyObject *grid = Py_BuildValue("KKK", dims[0], dims[1], dims[2]);
  PyObject *result = nullptr;
  if (run && arguments && grid)
    result = PyObject_CallFunctionObjArgs(interceptFunction, dispatcher,
                                          entry.compiled, grid, arguments, run,
                                          nullptr);
  Py_XDECREF(capsule);
  Py_XDECREF(run);
  Py_XDECREF(arguments);
  Py_XDECREF(grid);
  Py_XDECREF(result);
  return result != nullptr;
}

PyObject *callLauncher(PyObject *object, PyObject *const *args, size_t flags,
                       PyObject *kwnames) {
  auto *launcher = reinterpret_cast<LauncherObject *>(object);
  Dispatcher &self = of(launcher->dispatcher);
  Bound bound(self.params.size());
  if (!bindArguments(self, args, size_t(PyVectorcall_NARGS(flags)), kwnames,
                     bound))
    return nullptr;
  Entry *entry = findEntry(self, bound);
  if (!entry) {
    if (PyErr_Occurred())
      return nullptr;
    Py_RETURN_NONE;
  }
  PyObject *compiled = entry->compiled;
  Py_INCREF(compiled);
  uint64_t dims[3];
  Block block(entry->image().blockBytes());
  bool good = evaluateGrid(self, launcher->grid, bound, dims) &&
              packArguments(self, *entry, bound, block.data());
  if (good) {
    bool hooked = (interceptAll || self.intercept) && interceptFunction;
    good = hooked ? runIntercepted(launcher->dispatcher, *entry, bound,
                                   block.data(), dims)
                  : runGrid(entry->image(), block.data(), dims);
  }
  if (!good)
    Py_CLEAR(compiled);
  return compiled;
}

void freeLauncher(PyObject *object) {
  auto *launcher = reinterpret_cast<LauncherObject *>(object);
  PyTypeObject *type = Py_TYPE(object);
  Py_XDECREF(launcher->dispatcher);
  Py_XDECREF(launcher->grid);
  type->tp_free(object);
  Py_DECREF(type);
}

PyMemberDef launcherMembers[] = {{"__vectorcalloffset__", T_PYSSIZET,
                                  offsetof(LauncherObject, vectorcall),
                                  READONLY, nullptr},
                                 {nullptr, 0, 0, 0, nullptr}};
PyType_Slot launcherSlots[] = {
    {Py_tp_dealloc, reinterpret_cast<void *>(freeLauncher)},
    {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
    {Py_tp_members, launcherMembers},
    {0, nullptr}};
PyType_Spec launcherSpec = {
    "triton._C._runtime.Launcher", sizeof(LauncherObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL, launcherSlots};

// -- Dispatcher
// -----------------------------------------------------------------------

bool readParam(PyObject *row, Param &param) {
  PyObject *annotation, *defaultValue;
  int isConstexpr, isConst, specialize, align, hasDefault;
  if (!PyArg_ParseTuple(row, "UpOppppO", &param.name, &isConstexpr, &annotation,
                        &isConst, &specialize, &align, &hasDefault,
                        &defaultValue))
    return false;
  Py_INCREF(param.name);
  PyUnicode_InternInPlace(&param.name);
  param.isConstexpr = isConstexpr, param.isConst = isConst;
  param.specialize = specialize, param.align = align;
  if (annotation != Py_None)
    param.annotation = PyUnicode_AsUTF8(annotation);
  if (hasDefault) {
    Py_INCREF(defaultValue);
    param.defaultValue = defaultValue;
  }
  return !PyErr_Occurred();
}

PyObject *newDispatcher(PyTypeObject *type, PyObject *args, PyObject *) {
  const char *name;
  PyObject *params, *options, *resolve;
  if (!PyArg_ParseTuple(args, "sO!O!O", &name, &PyList_Type, &params,
                        &PyFrozenSet_Type, &options, &resolve))
    return nullptr;
  auto dispatcher = std::make_unique<Dispatcher>();
  dispatcher->name = name;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(params); ++i) {
    dispatcher->params.emplace_back();
    if (!readParam(PyList_GET_ITEM(params, i), dispatcher->params.back()))
      return nullptr;
  }
  Py_INCREF(dispatcher->options = options);
  Py_INCREF(dispatcher->resolve = resolve);
  auto *self = reinterpret_cast<DispatcherObject *>(type->tp_alloc(type, 0));
  if (self)
    self->dispatcher = dispatcher.release();
  return reinterpret_cast<PyObject *>(self);
}

void freeDispatcher(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  delete reinterpret_cast<DispatcherObject *>(object)->dispatcher;
  type->tp_free(object);
  Py_DECREF(type);
}

PyObject *clear(PyObject *self, PyObject *) {
  of(self).clear();
  Py_RETURN_NONE;
}
PyObject *getEntries(PyObject *self, void *) {
  return PyLong_FromSize_t(of(self).count);
}
PyObject *getIntercept(PyObject *self, void *) {
  return PyBool_FromLong(of(self).intercept);
}
int setInterceptFlag(PyObject *self, PyObject *value, void *) {
  int truth = value ? PyObject_IsTrue(value) : 0;
  if (truth >= 0)
    of(self).intercept = truth;
  return truth < 0 ? -1 : 0;
}

PyMethodDef dispatcherMethods[] = {
    {"bind", newLauncher, METH_O, "bind(grid): the launcher for a grid"},
    {"warmup", warmup, METH_VARARGS,
     "warmup(args, kwargs): the kernel, not launched"},
    {"clear", clear, METH_NOARGS, "forgets every kernel"},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef dispatcherAttributes[] = {
    {"entries", getEntries, nullptr, "number of kernels", nullptr},
    {"intercept", getIntercept, setInterceptFlag,
     "launches go through the hook", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot dispatcherSlots[] = {
    {Py_tp_new, reinterpret_cast<void *>(newDispatcher)},
    {Py_tp_dealloc, reinterpret_cast<void *>(freeDispatcher)},
    {Py_tp_methods, dispatcherMethods},
    {Py_tp_getset, dispatcherAttributes},
    {0, nullptr}};
PyType_Spec dispatcherSpec = {"triton._C._runtime.Dispatcher",
                              sizeof(DispatcherObject), 0, Py_TPFLAGS_DEFAULT,
                              dispatcherSlots};

} // namespace

Dispatcher::~Dispatcher() {
  clear();
  for (Param &param : params) {
    Py_XDECREF(param.name);
    Py_XDECREF(param.defaultValue);
  }
  Py_XDECREF(options);
  Py_XDECREF(resolve);
}

void Dispatcher::clear() {
  auto dropped = std::move(entries);
  entries.clear();
  count = 0;
  for (auto &[key, list] : dropped)
    for (auto &entry : list) {
      Py_XDECREF(entry->kernel);
      Py_XDECREF(entry->compiled);
      for (PyObject *constant : entry->constants)
        Py_XDECREF(constant);
      for (Entry::Global &global : entry->globals) {
        Py_XDECREF(global.names);
        Py_XDECREF(global.name);
        Py_XDECREF(global.value);
      }
    }
}

void python::setIntercept(PyObject *function) {
  Py_INCREF(function);
  Py_XSETREF(interceptFunction, function);
}
void python::setInterceptAll(bool on) { interceptAll = on; }

PyTypeObject *python::dispatcherType() {
  static auto *type =
      reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&dispatcherSpec));
  return type;
}
PyTypeObject *python::launcherType() {
  static auto *type =
      reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&launcherSpec));
  return type;
}

PyObject *python::newLauncher(PyObject *dispatcher, PyObject *grid) {
  PyTypeObject *type = launcherType();
  auto *launcher = reinterpret_cast<LauncherObject *>(type->tp_alloc(type, 0));
  if (!launcher)
    return nullptr;
  Py_INCREF(launcher->dispatcher = dispatcher);
  Py_INCREF(launcher->grid = grid);
  launcher->vectorcall = callLauncher;
  return reinterpret_cast<PyObject *>(launcher);
}

PyObject *python::warmup(PyObject *self, PyObject *args) {
  PyObject *positional, *keywords;
  if (!PyArg_ParseTuple(args, "O!O!", &PyTuple_Type, &positional, &PyDict_Type,
                        &keywords))
    return nullptr;
  size_t count = size_t(PyTuple_GET_SIZE(positional));
  std::vector<PyObject *> values;
  for (size_t i = 0; i < count; ++i)
    values.push_back(PyTuple_GET_ITEM(positional, Py_ssize_t(i)));
  PyObject *names = PyTuple_New(PyDict_Size(keywords)), *name, *value;
  Py_ssize_t position = 0, k = 0;
  while (names && PyDict_Next(keywords, &position, &name, &value)) {
    Py_INCREF(name);
    PyTuple_SET_ITEM(names, k++, name);
    values.push_back(value);
  }
  Dispatcher &dispatcher = of(self);
  Bound bound(dispatcher.params.size());
  Entry *entry = nullptr;
  if (names && bindArguments(dispatcher, values.data(), count, names, bound))
    entry = findEntry(dispatcher, bound);
  PyObject *result = entry              ? entry->compiled
                     : PyErr_Occurred() ? nullptr
                                        : Py_None;
  Py_XINCREF(result);
  Py_XDECREF(names);
  return result;
}
