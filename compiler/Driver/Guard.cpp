//===- Guard.cpp - faults of the compiler become errors -------------------===//
//
// Not llvm::CrashRecoveryContext: it misses stack overflow and LLVM's usage
// errors. A fault leaves the work by siglongjmp, so what it held is leaked,
// never touched again.
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Guard.h"

#include "llvm/Support/ErrorHandling.h"

#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <pthread.h>

using namespace trireme;

namespace {
constexpr size_t kStackBytes = size_t(64) << 20;
constexpr size_t kSignalStackBytes = size_t(64) << 10;
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};

struct Frame {
  llvm::function_ref<void()> work;
  sigjmp_buf back;
  std::string problem;
};
thread_local Frame *current = nullptr;

struct sigaction previous[NSIG];
std::once_flag installed;
} // namespace

static void onSignal(int signal, siginfo_t *info, void *context) {
  if (current) {
    const char *name = strsignal(signal);
    // The thread is lost to its work, so allocation is a risk worth taking
    // once: a string that fits the small buffer needs none.
    current->problem.assign(name ? name : "signal",
                            name ? strnlen(name, 15) : 6);
    siglongjmp(current->back, 1);
  }
  // Not ours: whoever was there before.
  struct sigaction &next = previous[signal];
  if (next.sa_flags & SA_SIGINFO)
    return next.sa_sigaction(signal, info, context);
  if (next.sa_handler == SIG_IGN)
    return;
  if (next.sa_handler != SIG_DFL)
    return next.sa_handler(signal);
  ::signal(signal, SIG_DFL);
  raise(signal);
}

static void onFatal(void *, const char *reason, bool) {
  if (!current)
    return;
  current->problem = reason;
  siglongjmp(current->back, 1);
}

static void install() {
  for (int signal : kSignals) {
    struct sigaction action = {};
    action.sa_sigaction = onSignal;
    // The signal stays unblocked after siglongjmp, which restores the mask.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, &previous[signal]);
  }
  llvm::install_fatal_error_handler(onFatal);
}

static void *threadMain(void *argument) {
  Frame &frame = *static_cast<Frame *>(argument);
  auto alternate = std::make_unique<char[]>(kSignalStackBytes);
  stack_t stack = {};
  stack.ss_sp = alternate.get();
  stack.ss_size = kSignalStackBytes;
  sigaltstack(&stack, nullptr);
  current = &frame;
  if (sigsetjmp(frame.back, /*savemask=*/1) == 0)
    frame.work();
  current = nullptr;
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
  return nullptr;
}

std::string driver::runGuarded(llvm::function_ref<void()> work) {
  std::call_once(installed, install);
  Frame frame{work, {}, {}};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  // Signals of the program are for its own threads.
  sigset_t all, before;
  sigfillset(&all);
  for (int signal : kSignals)
    sigdelset(&all, signal);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int failed = pthread_create(&thread, &attributes, threadMain, &frame);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (failed)
    return "cannot start the compiler's thread: " +
           std::string(strerror(failed));
  pthread_join(thread, nullptr);
  return frame.problem;
}

__attribute__((noinline)) static int overflow(volatile int depth) {
  volatile char page[4096];
  page[0] = static_cast<char>(depth);
  return overflow(depth + 1) + page[0];
}

void driver::forceFault(const std::string &kind) {
  if (kind == "segv")
    raise(SIGSEGV);
  else if (kind == "abort")
    abort();
  else if (kind == "fatal")
    llvm::report_fatal_error("a forced fault");
  else if (kind == "stack")
    overflow(0);
}
