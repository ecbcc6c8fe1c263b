//===- FpState.h - one floating-point mode for kernels -------- -*- C++ -*-===//
//
// Round to nearest, subnormals kept, no traps, for as long as the object lives;
// what was set before returns afterwards. A few cycles.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace trireme::launch {

class FpState {
public:
  FpState() : saved(read()) {
    if (saved != kDefault)
      write(kDefault);
  }
  ~FpState() { write(saved); }
  FpState(const FpState &) = delete;

  using Word = uint64_t;
#if defined(__x86_64__)
  static constexpr Word kDefault = 0x1f80; // MXCSR after reset
  static Word read() { return __builtin_ia32_stmxcsr(); }
  static void write(Word word) { __builtin_ia32_ldmxcsr(unsigned(word)); }
#elif defined(__aarch64__)
  static constexpr Word kDefault = 0; // FPCR
  static Word read() {
    Word word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }
  static void write(Word word) { __asm__ volatile("msr fpcr, %0" ::"r"(word)); }
#elif defined(__riscv)
  static constexpr Word kDefault = 0; // frm: to nearest, ties to even
  static Word read() {
    Word word;
    __asm__ volatile("frrm %0" : "=r"(word));
    return word;
  }
  static void write(Word word) { __asm__ volatile("fsrm %0" ::"r"(word)); }
#else
  static constexpr Word kDefault = 0;
  static Word read() { return 0; }
  static void write(Word) {}
#endif

private:
  Word saved;
};

} // namespace trireme::launch
