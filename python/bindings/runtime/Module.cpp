//===- Module.cpp - the extension module triton._C._runtime ---------------===//
#include "python/bindings/runtime/Dispatcher.h"
#include "runtime/pool/Pool.h"
#include "target/target.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace trireme;
using namespace trireme::python;

NB_MODULE(_runtime, module) {
  module.doc() = "Launching kernels: no compiler in here.";
  for (PyTypeObject *type : {kernelType(), dispatcherType(), launcherType()})
    if (!type || PyModule_AddType(module.ptr(), type) < 0)
      throw nb::python_error();
  module.def(
      "setup",
      [](nb::object dtypeName, nb::object constexprType, nb::object kernelError,
         nb::object intercept) {
        setResolvers(dtypeName.ptr(), constexprType.ptr());
        setKernelError(kernelError.ptr());
        setIntercept(intercept.ptr());
      },
      nb::arg("dtype_name"), nb::arg("constexpr_type"), nb::arg("kernel_error"),
      nb::arg("intercept"));
  module.def("set_context",
             [](nb::object context) { setContext(context.ptr()); });
  module.def("set_intercept_all", &setInterceptAll);
  module.def("set_poison_scratch", &launch::setPoisonScratch,
             "Fill scratch with NaN before each range of programs, for tests.");
  module.def("num_threads", &pool::numThreads);
  module.def("set_num_threads", &pool::setNumThreads, nb::arg("count"),
             "Threads that launches use from now on; 0 for the default.");
  module.def(
      "resolve_target",
      [](const std::string &text) {
        trireme_target target;
        char problem[TRIREME_TARGET_ERROR] = "";
        if (trireme_target_resolve(text.c_str(), &target, problem) != 0)
          throw nb::value_error(problem);
        return std::string(target.text);
      },
      nb::arg("text"),
      "The canonical name of a target; ValueError lists those there are.");
}
