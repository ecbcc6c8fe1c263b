//===- Guard.cpp - leave a kernel that faults -----------------------------===//
#include "runtime/guard/Guard.h"

#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <mutex>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TRIREME_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TRIREME_SANITIZED 1
#endif

using namespace trireme;
using namespace trireme::guard;

namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr size_t kCount = sizeof kSignals / sizeof *kSignals;

struct Frame {
  sigjmp_buf target;
  Fault fault;
};

/// The guarded call on this thread. Initial-exec: the handler may not allocate
/// TLS.
__attribute__((tls_model("initial-exec"))) thread_local Frame *volatile frame =
    nullptr;
/// Inside the chain to a foreign handler, which may come back to us.
__attribute__((
    tls_model("initial-exec"))) thread_local volatile sig_atomic_t chaining = 0;

struct sigaction previous[kCount];
std::mutex installing;

size_t indexOf(int signal) {
  return size_t(std::find(kSignals, kSignals + kCount, signal) - kSignals);
}

/// What would have happened without us.
void chain(int signal, siginfo_t *info, void *context) {
  size_t index = indexOf(signal);
  if (index == kCount)
    return;
  struct sigaction action = previous[index];
  bool plain = !(action.sa_flags & SA_SIGINFO) &&
               (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN);
  if (plain || chaining) {
    // Return to the faulting instruction with the default action in place, so
    // that the core shows where it happened; a signal that was sent must be
    // sent again.
    struct sigaction fallback = {};
    fallback.sa_handler = SIG_DFL;
    sigaction(signal, &fallback, nullptr);
    if (info->si_code <= 0)
      raise(signal);
    return;
  }
  chaining = 1;
  if (action.sa_flags & SA_SIGINFO)
    action.sa_sigaction(signal, info, context);
  else
    action.sa_handler(signal);
  chaining = 0;
}

void handler(int signal, siginfo_t *info, void *context) {
  Frame *target = frame;
  // si_code <= 0: sent by a process, not raised by an instruction.
  if (!target || info->si_code <= 0) {
    chain(signal, info, context);
    return;
  }
  frame = nullptr;
  target->fault.signal = signal;
  target->fault.code = info->si_code;
  target->fault.address = reinterpret_cast<uintptr_t>(info->si_addr);
  siglongjmp(target->target, 1);
}

/// An alternate signal stack for the life of a thread, unless it has one.
class SignalStack {
public:
  void ensure() {
    if (ready)
      return;
    ready = true;
    stack_t now;
    // The frame grows with the vector registers: ask the kernel for the least
    // size.
    size_t least =
        std::max<size_t>(getauxval(AT_MINSIGSTKSZ), 2048) + 16 * 1024;
    if (sigaltstack(nullptr, &now) == 0 && !(now.ss_flags & SS_DISABLE) &&
        now.ss_size >= least)
      return;
    size = std::max<size_t>(least, 64 * 1024);
    memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      memory = nullptr;
      return;
    }
    stack_t fresh = {};
    fresh.ss_sp = memory;
    fresh.ss_size = size;
    sigaltstack(&fresh, nullptr);
  }
  ~SignalStack() {
    if (!memory)
      return;
    stack_t now;
    if (sigaltstack(nullptr, &now) == 0 && now.ss_sp == memory) {
      stack_t off = {};
      off.ss_flags = SS_DISABLE;
      sigaltstack(&off, nullptr);
    }
    munmap(memory, size);
  }

private:
  bool ready = false;
  void *memory = nullptr;
  size_t size = 0;
};
thread_local SignalStack signalStack;

} // namespace

bool guard::supported() {
#ifdef TRIREME_SANITIZED
  return false;
#else
  return true;
#endif
}

void guard::install() {
  if (!supported())
    return;
  std::lock_guard<std::mutex> lock(installing);
  for (size_t i = 0; i < kCount; ++i) {
    struct sigaction now;
    if (sigaction(kSignals[i], nullptr, &now) != 0 ||
        ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handler))
      continue;
    previous[i] = now;
    struct sigaction ours = {};
    ours.sa_sigaction = handler;
    // NODEFER: the mask is then the same after the jump, and sigsetjmp saves
    // nothing.
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    sigaction(kSignals[i], &ours, nullptr);
  }
}

bool guard::call(Function function, void *context, int32_t &result,
                 Fault &fault) {
  // Where a sanitizer owns the faults, a kernel can still be left (leave()).
  if (supported())
    signalStack.ensure();
  Frame here, *outer = frame;
  if (sigsetjmp(here.target, 0) == 0) {
    frame = &here;
    result = function(context);
    frame = outer;
    return true;
  }
  frame = outer;
  fault = here.fault;
  return false;
}

void guard::leave() {
  Frame *target = frame;
  if (!target)
    return;
  frame = nullptr;
  siglongjmp(target->target, 1);
}

const char *guard::signalName(int signal) {
  switch (signal) {
  case SIGSEGV:
    return "SIGSEGV";
  case SIGBUS:
    return "SIGBUS";
  case SIGFPE:
    return "SIGFPE";
  case SIGILL:
    return "SIGILL";
  }
  return "signal";
}
