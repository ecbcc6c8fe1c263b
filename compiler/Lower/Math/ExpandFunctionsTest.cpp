// Accuracy of every row of functions.inc: the function is compiled for vectors
// and scalars, with and without FMA, run on specials, spaced and random
// samples, and compared with libm of the next wider type. Prints the largest
// error seen.
//
// TRIREME_MATH_EXHAUSTIVE=1 tries every float of the f32 rows (slow: minutes a
// row).
#include "compiler/Lower/Math/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <random>

using namespace mlir;

namespace {

enum class Element { F32, F64 };

//===-- the references

template <typename W> W refExp(W x) { return std::exp(x); }
template <typename W> W refExp2(W x) { return std::exp2(x); }
template <typename W> W refExpM1(W x) { return std::expm1(x); }
template <typename W> W refLog(W x) { return std::log(x); }
template <typename W> W refLog2(W x) { return std::log2(x); }
template <typename W> W refLog10(W x) { return std::log10(x); }
template <typename W> W refLog1p(W x) { return std::log1p(x); }
template <typename W> W refSin(W x) { return std::sin(x); }
template <typename W> W refCos(W x) { return std::cos(x); }
template <typename W> W refTan(W x) { return std::tan(x); }
template <typename W> W refTanh(W x) { return std::tanh(x); }
template <typename W> W refSinh(W x) { return std::sinh(x); }
template <typename W> W refCosh(W x) { return std::cosh(x); }
template <typename W> W refAtan(W x) { return std::atan(x); }
template <typename W> W refErf(W x) { return std::erf(x); }
template <typename W> W refCbrt(W x) { return std::cbrt(x); }
template <typename W> W refRsqrt(W x) { return W(1) / std::sqrt(x); }
template <typename W> W refPowF(W x, W y) { return std::pow(x, y); }
template <typename W> W refAtan2(W x, W y) { return std::atan2(x, y); }

struct Row {
  const char *op;
  std::string mnemonic;
  Element element;
  double ulp, ulpNoFma;
  // Exactly one is set.
  double (*unary32)(double);
  long double (*unary64)(long double);
  double (*binary32)(double, double);
  long double (*binary64)(long double, long double);
};

void PrintTo(const Row &row, std::ostream *os) { *os << row.mnemonic; }

const std::vector<Row> &rows() {
  static const std::vector<Row> table = {
#define TRIREME_MATH_UNARY(OP, TYPE, ULP, ULP_NO_FMA, NOTES)                   \
  {#OP,                                                                        \
   math::OP##Op::getOperationName().str(),                                     \
   Element::TYPE,                                                              \
   ULP,                                                                        \
   ULP_NO_FMA,                                                                 \
   ref##OP<double>,                                                            \
   ref##OP<long double>,                                                       \
   nullptr,                                                                    \
   nullptr},
#define TRIREME_MATH_BINARY(OP, TYPE, ULP, ULP_NO_FMA, NOTES)                  \
  {#OP,                                                                        \
   math::OP##Op::getOperationName().str(),                                     \
   Element::TYPE,                                                              \
   ULP,                                                                        \
   ULP_NO_FMA,                                                                 \
   nullptr,                                                                    \
   nullptr,                                                                    \
   ref##OP<double>,                                                            \
   ref##OP<long double>},
#include "compiler/Lower/Math/functions.inc"
  };
  return table;
}

//===-- compiling

/// void f(in0, in1, out, n): out[i] = op(in0[i], in1[i]) over chunks of
/// `lanes`.
std::string functionText(StringRef name, const Row &row, int lanes) {
  StringRef element = row.element == Element::F32 ? "f32" : "f64";
  std::string type =
      lanes == 1 ? element.str()
                 : llvm::formatv("vector<{0}x{1}>", lanes, element).str();
  std::string args = row.unary32 ? "%a" : "%a, %b";
  return llvm::formatv(R"(
func.func @{0}(%in0: !llvm.ptr, %in1: !llvm.ptr, %out: !llvm.ptr, %n: i64) attributes {{llvm.emit_c_interface} {{
  %zero = arith.constant 0 : i64
  %step = arith.constant {1} : i64
  scf.for %i = %zero to %n step %step : i64 {{
    %pa = llvm.getelementptr %in0[%i] : (!llvm.ptr, i64) -> !llvm.ptr, {2}
    %pb = llvm.getelementptr %in1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, {2}
    %po = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, {2}
    %a = llvm.load %pa {{alignment = 4 : i64} : !llvm.ptr -> {3}
    %b = llvm.load %pb {{alignment = 4 : i64} : !llvm.ptr -> {3}
    %r = {4} {5} : {3}
    llvm.store %r, %po {{alignment = 4 : i64} : {3}, !llvm.ptr
  }
  return
})",
                       name, lanes, element, type, row.mnemonic, args)
      .str();
}

using Kernel = void (*)(const void *, const void *, void *, int64_t);

/// Every variant of one row, compiled.
class Compiled {
public:
  struct Variant {
    std::string name;
    int lanes;
    bool hasFma, hasScalef = false;
    Kernel run = nullptr;
  };
  std::vector<Variant> variants;

  explicit Compiled(const Row &row) {
    int wide = row.element == Element::F32 ? 16 : 8;
    variants = {{"vector", wide, true},
                {"scalar", 1, true},
                {"without_fma", wide / 2, false}};
    auto host = llvm::sys::getHostCPUFeatures();
    if (host.lookup("avx512f") && host.lookup("avx512vl"))
      variants.push_back({"scalef", wide, true, true});
    for (Variant &v : variants)
      v.run = compile(row, v);
  }

private:
  std::vector<std::unique_ptr<ExecutionEngine>> engines;

  static MLIRContext &context() {
    static MLIRContext *context = [] {
      llvm::InitializeNativeTarget();
      llvm::InitializeNativeTargetAsmPrinter();
      DialectRegistry registry;
      registry.insert<arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                      func::FuncDialect, vector::VectorDialect,
                      LLVM::LLVMDialect>();
      registerAllExtensions(registry);
      registerBuiltinDialectTranslation(registry);
      registerLLVMDialectTranslation(registry);
      return new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    }();
    return *context;
  }

  Kernel compile(const Row &row, const Variant &variant) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
        functionText("f", row, variant.lanes), &context());
    if (!module)
      return nullptr;
    PassManager pm(&context());
    trireme::lower::ExpandFunctionsPassOptions options;
    options.hasFma = variant.hasFma;
    options.hasScalef = variant.hasScalef;
    pm.addPass(trireme::lower::createExpandFunctionsPass(options));
    pm.addPass(createSCFToControlFlowPass());
    pm.addPass(createConvertVectorToLLVMPass());
    pm.addPass(createConvertMathToLLVMPass());
    pm.addPass(createArithToLLVMConversionPass());
    pm.addPass(createConvertIndexToLLVMPass());
    pm.addPass(createConvertFuncToLLVMPass());
    pm.addPass(createConvertControlFlowToLLVMPass());
    pm.addPass(createReconcileUnrealizedCastsPass());
    if (failed(pm.run(*module)))
      return nullptr;
    bool stays =
        false; // a math op left over would go to libm and prove nothing
    module->walk([&](Operation *op) {
      stays |= isa<math::MathDialect>(op->getDialect());
    });
    if (stays)
      return nullptr;
    ExecutionEngineOptions engineOptions;
    auto optimise = makeOptimizingTransformer(2, 0, nullptr);
    engineOptions.transformer = optimise;
    auto engine = ExecutionEngine::create(*module, engineOptions);
    if (!engine) {
      llvm::errs() << llvm::toString(engine.takeError()) << "\n";
      return nullptr;
    }
    auto symbol = (*engine)->lookup("f");
    engines.push_back(std::move(*engine));
    if (!symbol) {
      llvm::errs() << llvm::toString(symbol.takeError()) << "\n";
      return nullptr;
    }
    return reinterpret_cast<Kernel>(*symbol);
  }
};

//===-- samples

template <typename T> struct Format;
template <> struct Format<float> {
  using Word = uint32_t;
  using Wide = double;
  static constexpr int mantissa = 23, minExponent = -126, maxExponent = 128;
};
template <> struct Format<double> {
  using Word = uint64_t;
  using Wide = long double;
  static constexpr int mantissa = 52, minExponent = -1022, maxExponent = 1024;
};

template <typename T> std::vector<T> specials() {
  using L = std::numeric_limits<T>;
  std::vector<T> base = {0,
                         L::denorm_min(),
                         3 * L::denorm_min(),
                         L::min() / 2,
                         L::min(),
                         L::epsilon(),
                         T(0.25),
                         T(0.5),
                         T(0.75),
                         T(0.9375),
                         1,
                         T(1.5),
                         2,
                         3,
                         T(3.92),
                         T(5.92),
                         10,
                         17,
                         T(0.34657359),
                         T(0.70710678),
                         T(1.41421356),
                         T(88.72284),
                         T(88.7228),
                         T(87.3365),
                         T(89),
                         T(103.28),
                         T(103.98),
                         T(104),
                         T(128),
                         T(126),
                         T(149),
                         T(150),
                         T(709.7827),
                         T(709.78271289338397),
                         T(710),
                         T(708.3964),
                         T(744.44),
                         T(745.13),
                         T(745.2),
                         T(746),
                         T(1024),
                         T(1022),
                         T(1074),
                         T(1075),
                         T(1.57079637),
                         T(3.14159274),
                         T(0.785398163),
                         T(131072),
                         T(1048576),
                         T(1e10),
                         T(1e22),
                         T(1e30),
                         L::max(),
                         L::infinity(),
                         L::quiet_NaN()};
  if (sizeof(T) == 8) // the double nearest to a multiple of pi/2
    base.push_back(T(6381956970095103.0 * std::ldexp(1.0, 797)));
  std::vector<T> all;
  for (T x : base)
    for (T y : {x, std::nextafter(x, T(0)), std::nextafter(x, L::infinity())}) {
      all.push_back(y);
      all.push_back(-y);
    }
  return all;
}

/// Uniform over bit patterns, log-spaced and linearly spaced.
template <typename T> std::vector<T> samples(size_t random, unsigned seed) {
  std::vector<T> all = specials<T>();
  std::mt19937_64 engine(seed);
  for (size_t i = 0; i < random; ++i) {
    typename Format<T>::Word word = engine();
    T x;
    std::memcpy(&x, &word, sizeof(T));
    all.push_back(x);
  }
  size_t spaced = random / 4;
  for (size_t i = 0; i < spaced; ++i) {
    double along = (double(i) + 0.37) / double(spaced);
    T x = std::exp2(T(-40 + 80 * along));
    all.insert(all.end(), {x, -x});
    all.push_back(
        T(-110 + 220 * along)); // where exp, tanh, erf and friends live
    all.push_back(T(-5 + 10 * along));
    all.push_back(T(1 + (along - 0.5) / 64)); // where log and pow cancel
    all.push_back(T((along - 0.5) * 2e5));
    if (sizeof(T) == 8)
      all.push_back(T(-750 + 1500 * along));
  }
  while (all.size() % 64)
    all.push_back(T(1));
  return all;
}

//===-- comparing

/// Distance in units of the last place at `want`; inf if the kind of value
/// differs.
template <typename T> double ulpError(T got, typename Format<T>::Wide want) {
  using Wide = typename Format<T>::Wide;
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : wrong;
  if (want == 0 || got == 0) // the sign of zero counts
    if (std::signbit(want) != std::signbit(got))
      return wrong;
  T nearest = T(want);
  if (got == nearest)
    return std::isinf(nearest) || nearest == 0
               ? 0
               : double(std::fabs(Wide(got) - want) /
                        std::ldexp(Wide(1), std::max(std::ilogb(want),
                                                     Format<T>::minExponent) -
                                                Format<T>::mantissa));
  Wide a = want, b = got;
  // Past the largest number, inf stands for the next power of two.
  Wide limit = std::ldexp(Wide(1), Format<T>::maxExponent);
  if (std::isinf(b))
    b = std::copysign(limit, b);
  if (std::fabs(a) > limit)
    a = std::copysign(limit, a);
  int exponent = std::min(std::max(std::ilogb(a), Format<T>::minExponent),
                          Format<T>::maxExponent - 1);
  return double(std::fabs(b - a) /
                std::ldexp(Wide(1), exponent - Format<T>::mantissa));
}

template <typename T> struct Worst {
  double ulp = 0;
  T x = 0, y = 0, got = 0;
};

template <typename T>
void check(const Row &row, Kernel kernel, const std::vector<T> &xs,
           const std::vector<T> &ys, Worst<T> &worst) {
  using Wide = typename Format<T>::Wide;
  std::vector<T> out(xs.size());
  kernel(xs.data(), ys.data(), out.data(), int64_t(xs.size()));
  for (size_t i = 0; i < xs.size(); ++i) {
    Wide want;
    if constexpr (sizeof(T) == 4)
      want = row.unary32 ? row.unary32(xs[i]) : row.binary32(xs[i], ys[i]);
    else
      want = row.unary64 ? row.unary64(xs[i]) : row.binary64(xs[i], ys[i]);
    double ulp = ulpError<T>(out[i], want);
    if (ulp > worst.ulp)
      worst = {ulp, xs[i], ys[i], out[i]};
  }
}

template <typename T> void testRow(const Row &row) {
  Compiled compiled(row);
  size_t count = sizeof(T) == 4 ? 400000 : 80000;
  bool exhaustive =
      std::getenv("TRIREME_MATH_EXHAUSTIVE") && sizeof(T) == 4 && row.unary32;
  std::vector<T> xs = samples<T>(count, 1), ys = xs;
  if (!row.unary32) { // pairs: all specials against all specials, then shuffled
                      // samples
    std::vector<T> s = specials<T>();
    std::shuffle(ys.begin(), ys.end(), std::mt19937_64(2));
    for (T x : s)
      for (T y : s) {
        xs.push_back(x);
        ys.push_back(y);
      }
    while (xs.size() % 64) {
      xs.push_back(T(1));
      ys.push_back(T(1));
    }
  }
  for (const Compiled::Variant &variant : compiled.variants) {
    ASSERT_NE(variant.run, nullptr) << variant.name << " does not compile";
    Worst<T> worst;
    check(row, variant.run, xs, ys, worst);
    if (exhaustive && variant.name != "scalar") {
      std::vector<T> block(1 << 20);
      for (uint64_t first = 0; first < uint64_t(1) << 32;
           first += block.size()) {
        for (size_t i = 0; i < block.size(); ++i) {
          uint32_t word = uint32_t(first + i);
          std::memcpy(&block[i], &word, sizeof(T));
        }
        check(row, variant.run, block, block, worst);
      }
    }
    double bound = variant.hasFma ? row.ulp : row.ulpNoFma;
    llvm::outs() << llvm::formatv("{0,-6} {1} {2,-12} {3:F3} ulp of {4:F1}\n",
                                  row.op, sizeof(T) == 4 ? "f32" : "f64",
                                  variant.name, worst.ulp, bound);
    EXPECT_LE(worst.ulp, bound)
        << row.op << " " << variant.name << ":"
        << " x=" << std::hexfloat << worst.x << " y=" << worst.y << " got "
        << worst.got << std::defaultfloat << " (x=" << worst.x << ")";
  }
  llvm::outs().flush();
}

class MathFunction : public testing::TestWithParam<Row> {};

TEST_P(MathFunction, StaysWithinItsBound) {
  const Row &row = GetParam();
  row.element == Element::F32 ? testRow<float>(row) : testRow<double>(row);
}

/// Nanoseconds an element in L1; run with --gtest_also_run_disabled_tests.
TEST_P(MathFunction, DISABLED_Speed) {
  const Row &row = GetParam();
  auto time = [&](auto one) {
    using T = decltype(one);
    Compiled compiled(row);
    std::vector<T> xs(2048), out(2048);
    for (size_t i = 0; i < xs.size(); ++i)
      xs[i] = T(0.01) + T(i % 500) * T(0.01);
    double best = 1e9;
    for (int round = 0; round < 200; ++round) {
      auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < 10; ++i)
        compiled.variants[0].run(xs.data(), xs.data(), out.data(),
                                 int64_t(xs.size()));
      std::chrono::duration<double, std::nano> spent =
          std::chrono::steady_clock::now() - start;
      best = std::min(best, spent.count() / 10 / double(xs.size()));
    }
    llvm::outs() << llvm::formatv("{0,-6} {1} {2:F2} ns\n", row.op,
                                  sizeof(T) == 4 ? "f32" : "f64", best);
    llvm::outs().flush();
  };
  row.element == Element::F32 ? time(float()) : time(double());
}

INSTANTIATE_TEST_SUITE_P(Table, MathFunction, testing::ValuesIn(rows()),
                         [](const auto &info) {
                           return std::string(info.param.op) +
                                  (info.param.element == Element::F32 ? "F32"
                                                                      : "F64");
                         });

} // namespace
