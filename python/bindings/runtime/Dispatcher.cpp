//===- Dispatcher.cpp - the Dispatcher type of Python ---------------------===//
#include "python/bindings/runtime/Dispatcher.h"

using namespace trireme;
using namespace trireme::python;

namespace {

PyObject *context = nullptr;

Dispatcher &of(PyObject *object) {
  return *reinterpret_cast<DispatcherObject *>(object)->dispatcher;
}

Param::Kind kindOf(const std::string &annotation) {
  if (annotation.empty())
    return Param::Kind::Any;
  switch (launch::scalarOf(annotation.c_str())) {
  case launch::Scalar::Pointer:
    return Param::Kind::Pointer;
  case launch::Scalar::Bool:
    return Param::Kind::Boolean;
  case launch::Scalar::F16:
  case launch::Scalar::BF16:
  case launch::Scalar::F32:
  case launch::Scalar::F64:
    return Param::Kind::Real;
  case launch::Scalar::Unknown: // fp8 and the like
    return annotation[0] == 'f' ? Param::Kind::Real : Param::Kind::Integer;
  default:
    return Param::Kind::Integer;
  }
}

/// (name, is_constexpr, annotation, is_const, specialize, align, has_default,
/// default, variadic)
bool readParam(PyObject *row, Param &param) {
  PyObject *name, *value;
  const char *annotation;
  int isConstexpr, isConst, specialize, align, hasDefault, variadic;
  if (!PyTuple_Check(row)) {
    PyErr_Format(PyExc_TypeError, "a parameter is a tuple, not %.200s",
                 Py_TYPE(row)->tp_name);
    return false;
  }
  if (!PyArg_ParseTuple(row, "UpzppppOp", &name, &isConstexpr, &annotation,
                        &isConst, &specialize, &align, &hasDefault, &value,
                        &variadic))
    return false;
  const char *text = PyUnicode_AsUTF8(name);
  param.name = text ? PyUnicode_InternFromString(text) : nullptr;
  if (!param.name)
    return false;
  param.isConstexpr = isConstexpr, param.isConst = isConst;
  param.specialize = specialize, param.align = align;
  param.variadic = variadic;
  param.annotation = annotation ? annotation : "";
  param.kind = kindOf(param.annotation);
  if (hasDefault) {
    Py_INCREF(value);
    param.defaultValue = value;
  }
  return true;
}

PyObject *newDispatcher(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static const char *names[] = {"name",  "params",     "options", "resolve",
                                "hooks", "positional", nullptr};
  const char *name;
  PyObject *params, *options, *resolve, *hooks;
  Py_ssize_t positional;
  if (!PyArg_ParseTupleAndKeywords(
          args, kwargs, "sO!O!OO!n", const_cast<char **>(names), &name,
          &PyList_Type, &params, &PyFrozenSet_Type, &options, &resolve,
          &PyList_Type, &hooks, &positional))
    return nullptr;
  if (positional < 0 || positional > PyList_GET_SIZE(params)) {
    PyErr_Format(PyExc_ValueError, "%zd of %zd parameters cannot be positional",
                 positional, PyList_GET_SIZE(params));
    return nullptr;
  }
  auto dispatcher = std::make_unique<Dispatcher>();
  dispatcher->name = name;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(params); ++i) {
    dispatcher->params.emplace_back();
    if (!readParam(PyList_GET_ITEM(params, i), dispatcher->params.back()))
      return nullptr;
  }
  Py_INCREF(dispatcher->options = options);
  Py_INCREF(dispatcher->resolve = resolve);
  Py_INCREF(dispatcher->hooks = hooks);
  dispatcher->positional = size_t(positional);
  auto *self = reinterpret_cast<DispatcherObject *>(type->tp_alloc(type, 0));
  if (self)
    self->dispatcher = dispatcher.release();
  return reinterpret_cast<PyObject *>(self);
}

// -- The garbage collector: kernels refer to the function that owns us --------

int visit(const Entry &entry, visitproc visit, void *arg) {
  Py_VISIT(entry.kernel);
  Py_VISIT(entry.compiled);
  for (PyObject *object : entry.objects)
    Py_VISIT(object);
  for (const Entry::Global &global : entry.globals) {
    Py_VISIT(global.names);
    Py_VISIT(global.name);
    Py_VISIT(global.value);
  }
  return 0;
}

int visitDispatcher(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  if (!reinterpret_cast<DispatcherObject *>(object)->dispatcher)
    return 0; // not made yet
  Dispatcher &self = of(object);
  Py_VISIT(self.options);
  Py_VISIT(self.resolve);
  Py_VISIT(self.hooks);
  for (const Param &param : self.params)
    Py_VISIT(param.defaultValue);
  for (auto &row : self.table)
    for (const EntryRef &entry : row.second)
      if (int stop = ::visit(*entry, visit, arg))
        return stop;
  return 0;
}

int clearDispatcher(PyObject *object) {
  of(object).clear();
  Py_CLEAR(of(object).resolve);
  for (Param &param : of(object).params)
    if (param.defaultValue) { // not null: it may still be bound
      PyObject *old = param.defaultValue;
      Py_INCREF(param.defaultValue = Py_None);
      Py_DECREF(old);
    }
  return 0;
}

void freeDispatcher(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  delete reinterpret_cast<DispatcherObject *>(object)->dispatcher;
  type->tp_free(object);
  Py_DECREF(type);
}

// -- Methods ------------------------------------------------------------------

/// Calls hooks, if asked, and binds the arguments of fn(*positional,
/// **keywords).
bool bindCall(Dispatcher &self, PyObject *positional, PyObject *keywords,
              bool hooks, Bound &bound) {
  size_t count = size_t(PyTuple_GET_SIZE(positional));
  std::vector<PyObject *> values;
  for (size_t i = 0; i < count; ++i)
    values.push_back(PyTuple_GET_ITEM(positional, Py_ssize_t(i)));
  PyObject *names = PyTuple_New(keywords ? PyDict_Size(keywords) : 0), *name,
           *value;
  if (!names)
    return false;
  bound.holder.keep(names);
  Py_ssize_t position = 0, k = 0;
  while (keywords && PyDict_Next(keywords, &position, &name, &value)) {
    if (!PyUnicode_Check(name)) {
      PyErr_SetString(PyExc_TypeError, "keywords must be strings");
      return false;
    }
    Py_INCREF(name);
    PyTuple_SET_ITEM(names, k++, name);
    Py_INCREF(value); // compiling may change the dict
    bound.holder.keep(value);
    values.push_back(value);
  }
  return (!hooks || callHooks(self, values.data(), count, names)) &&
         bindArguments(self, values.data(), count, names, bound);
}

PyObject *warmup(PyObject *self, PyObject *args) {
  PyObject *positional, *keywords;
  if (!PyArg_ParseTuple(args, "O!O!", &PyTuple_Type, &positional, &PyDict_Type,
                        &keywords))
    return nullptr;
  Dispatcher &dispatcher = of(self);
  Bound bound(dispatcher.params.size());
  if (!bindCall(dispatcher, positional, keywords, /*hooks=*/true, bound))
    return nullptr;
  EntryRef entry = findEntry(dispatcher, bound, /*warm=*/true);
  PyObject *result = entry              ? entry->compiled
                     : PyErr_Occurred() ? nullptr
                                        : Py_None; // a hook refused
  Py_XINCREF(result);
  return result;
}

PyObject *specialize(PyObject *self, PyObject *args, PyObject *keywords) {
  Dispatcher &dispatcher = of(self);
  Bound bound(dispatcher.params.size());
  Key key;
  if (!bindCall(dispatcher, args, keywords, /*hooks=*/false, bound))
    return nullptr;
  PyObject *arguments = argumentDict(dispatcher, bound);
  PyObject *options = PyDict_New(), *rows = nullptr;
  bool good = arguments && options;
  for (const Bound::Option &option :
       bound.options) // they are in arguments, too
    good = good && PyDict_SetItem(options, option.name, option.value) == 0 &&
           PyDict_DelItem(arguments, option.name) == 0;
  if (good && makeKey(dispatcher, bound, key))
    rows = signatureOf(dispatcher, bound);
  PyObject *result = rows ? PyTuple_Pack(3, arguments, rows, options) : nullptr;
  Py_XDECREF(arguments);
  Py_XDECREF(options);
  Py_XDECREF(rows);
  return result;
}

PyObject *clear(PyObject *self, PyObject *) {
  of(self).clear();
  Py_RETURN_NONE;
}
PyObject *getName(PyObject *self, void *) {
  return PyUnicode_FromString(of(self).name.c_str());
}
PyObject *getEntries(PyObject *self, void *) {
  return PyLong_FromSize_t(of(self).count);
}
PyObject *kernels(PyObject *self, PyObject *) {
  PyObject *list = PyList_New(0);
  std::vector<EntryRef> entries; // appending may collect garbage
  for (auto &row : of(self).table)
    entries.insert(entries.end(), row.second.begin(), row.second.end());
  for (const EntryRef &entry : entries)
    if (list && PyList_Append(list, entry->compiled) < 0)
      Py_CLEAR(list);
  return list;
}

PyMethodDef dispatcherMethods[] = {
    {"bind", newLauncher, METH_O, "bind(grid): the launcher for a grid"},
    {"warmup", warmup, METH_VARARGS,
     "warmup(args, kwargs): the kernel, not launched"},
    {"specialize", reinterpret_cast<PyCFunction>(specialize),
     METH_VARARGS | METH_KEYWORDS,
     "specialize(*args, **kwargs): (arguments by name, (type, key) of each, "
     "options)"},
    {"clear", clear, METH_NOARGS, "forgets every kernel"},
    {"kernels", kernels, METH_NOARGS, "what launches return, in no order"},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef dispatcherAttributes[] = {
    {"name", getName, nullptr, "the kernel's name", nullptr},
    {"entries", getEntries, nullptr, "number of kernels", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot dispatcherSlots[] = {
    {Py_tp_new, reinterpret_cast<void *>(newDispatcher)},
    {Py_tp_dealloc, reinterpret_cast<void *>(freeDispatcher)},
    {Py_tp_traverse, reinterpret_cast<void *>(visitDispatcher)},
    {Py_tp_clear, reinterpret_cast<void *>(clearDispatcher)},
    {Py_tp_methods, dispatcherMethods},
    {Py_tp_getset, dispatcherAttributes},
    {Py_tp_doc, const_cast<char *>("Dispatcher(name, params, options, resolve,"
                                   " hooks, positional): finds the kernel for "
                                   "arguments")},
    {0, nullptr}};
PyType_Spec dispatcherSpec = {
    "triton._C._runtime.Dispatcher", sizeof(DispatcherObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, dispatcherSlots};

} // namespace

Dispatcher::~Dispatcher() {
  clear();
  for (Param &param : params) {
    Py_XDECREF(param.name);
    Py_XDECREF(param.defaultValue);
  }
  Py_XDECREF(options);
  Py_XDECREF(resolve);
  Py_XDECREF(hooks);
}

void Dispatcher::clear() {
  // Out of reach before they die: what dies with them may come back here.
  auto dropped = std::move(table);
  EntryRef droppedLast = std::move(last);
  table.clear();
  count = 0;
}

void python::setContext(PyObject *object) {
  Py_INCREF(object);
  Py_XSETREF(context, object);
}

PyObject *python::currentContext() {
  PyObject *now = context ? context : Py_None;
  Py_INCREF(now);
  return now;
}

PyTypeObject *python::dispatcherType() {
  static auto *type =
      reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&dispatcherSpec));
  return type;
}
