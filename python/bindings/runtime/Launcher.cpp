//===- Launcher.cpp - fn[grid], called with the arguments -----------------===//
#include "python/bindings/runtime/Dispatcher.h"

#include <structmember.h>

using namespace trireme;
using namespace trireme::python;

namespace {

PyObject *interceptFunction = nullptr;
bool interceptAll = false;

struct LauncherObject {
  PyObject_HEAD PyObject *dispatcher, *grid;
  vectorcallfunc vectorcall;
};

Dispatcher &of(PyObject *object) {
  return *reinterpret_cast<DispatcherObject *>(object)->dispatcher;
}

bool evaluateGrid(Dispatcher &self, PyObject *grid, Bound &bound,
                  uint64_t dims[3]) {
  if (PyTuple_CheckExact(grid) || !PyCallable_Check(grid))
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

// -- Launches with a hook around them -----------------------------------------

/// The launch that a hook is asked to perform; owned by the capsule behind its
/// `run`, which may outlive the call.
struct Pending {
  EntryRef entry;
  const uint8_t *block;
  uint64_t dims[3];
  bool over = false;
};
constexpr const char *kPending = "trireme pending launch";

PyObject *runPending(PyObject *capsule, PyObject *) {
  auto *pending =
      static_cast<Pending *>(PyCapsule_GetPointer(capsule, kPending));
  if (!pending)
    return nullptr;
  if (pending->over) {
    PyErr_SetString(PyExc_RuntimeError,
                    "run() of a launch that is over: call it in the hook");
    return nullptr;
  }
  // A copy: the hook may return while another thread runs this.
  EntryRef entry = pending->entry;
  uint32_t bytes = entry->image().blockBytes();
  Block block(bytes);
  std::memcpy(block.data(), pending->block, bytes);
  uint64_t dims[3] = {pending->dims[0], pending->dims[1], pending->dims[2]};
  if (!runGrid(entry->image(), block.data(), dims))
    return nullptr;
  Py_RETURN_NONE;
}
PyMethodDef runMethod = {"run", runPending, METH_NOARGS, "performs the launch"};

void freePending(PyObject *capsule) {
  delete static_cast<Pending *>(PyCapsule_GetPointer(capsule, kPending));
}

bool runIntercepted(PyObject *dispatcher, const EntryRef &entry, Bound &bound,
                    const uint8_t *block, const uint64_t dims[3]) {
  auto pending = std::make_unique<Pending>(
      Pending{entry, block, {dims[0], dims[1], dims[2]}});
  PyObject *capsule = PyCapsule_New(pending.get(), kPending, freePending);
  if (!capsule)
    return false;
  Pending *launch = pending.release();
  PyObject *run = PyCFunction_New(&runMethod, capsule);
  PyObject *arguments = argumentDict(of(dispatcher), bound);
  PyObject *grid = Py_BuildValue("KKK", dims[0], dims[1], dims[2]);
  PyObject *function = interceptFunction;
  Py_INCREF(function);
  PyObject *result = nullptr;
  if (run && arguments && grid)
    result = PyObject_CallFunctionObjArgs(function, dispatcher, entry->compiled,
                                          grid, arguments, run, nullptr);
  launch->over = true;
  Py_DECREF(capsule);
  Py_DECREF(function);
  Py_XDECREF(run);
  Py_XDECREF(arguments);
  Py_XDECREF(grid);
  Py_XDECREF(result);
  return result != nullptr;
}

// -- The call -----------------------------------------------------------------

PyObject *callLauncher(PyObject *object, PyObject *const *args, size_t flags,
                       PyObject *kwnames) {
  auto *launcher = reinterpret_cast<LauncherObject *>(object);
  PyObject *dispatcher = launcher->dispatcher;
  Dispatcher &self = of(dispatcher);
  size_t count = size_t(PyVectorcall_NARGS(flags));
  Bound bound(self.params.size());
  if ((PyList_GET_SIZE(self.hooks) && !callHooks(self, args, count, kwnames)) ||
      !bindArguments(self, args, count, kwnames, bound))
    return nullptr;
  EntryRef entry = findEntry(self, bound, /*warm=*/false);
  if (!entry) {
    if (PyErr_Occurred())
      return nullptr;
    Py_RETURN_NONE; // a hook refused
  }
  uint64_t dims[3];
  if (!evaluateGrid(self, launcher->grid, bound, dims))
    return nullptr;
  Block block(entry->image().blockBytes());
  if (!packArguments(self, *entry, bound, block.data()))
    return nullptr;
  bool hooked = interceptAll && interceptFunction;
  if (!(hooked ? runIntercepted(dispatcher, entry, bound, block.data(), dims)
               : runGrid(entry->image(), block.data(), dims)))
    return nullptr;
  Py_INCREF(entry->compiled);
  return entry->compiled;
}

int visitLauncher(PyObject *object, visitproc visit, void *arg) {
  auto *launcher = reinterpret_cast<LauncherObject *>(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(launcher->dispatcher);
  Py_VISIT(launcher->grid);
  return 0;
}

// No tp_clear: whatever cycle a launcher is in goes through its dispatcher or
// through its grid function, which can be cleared.

void freeLauncher(PyObject *object) {
  auto *launcher = reinterpret_cast<LauncherObject *>(object);
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
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
    {Py_tp_traverse, reinterpret_cast<void *>(visitLauncher)},
    {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
    {Py_tp_members, launcherMembers},
    {0, nullptr}};
PyType_Spec launcherSpec = {
    "triton._C._runtime.Launcher", sizeof(LauncherObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC,
    launcherSlots};

PyTypeObject *makeLauncherType() {
  auto *type = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&launcherSpec));
  if (type)
    type->tp_new = nullptr; // only bind() makes them
  return type;
}

} // namespace

void python::setIntercept(PyObject *function) {
  function = function == Py_None ? nullptr : function;
  Py_XINCREF(function);
  Py_XSETREF(interceptFunction, function);
}
void python::setInterceptAll(bool on) { interceptAll = on; }

PyTypeObject *python::launcherType() {
  static PyTypeObject *type = makeLauncherType();
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
