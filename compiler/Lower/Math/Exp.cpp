// exp, exp2, expm1 and what is made of them: tanh.
//
// Reduction after Cody and Waite (Software Manual for the Elementary Functions,
// 1980): x = n ln2 + r, exp(x) = 2^n exp(r), ln2 in two parts, the first short
// enough that its product with n is exact without FMA too. The polynomial is
// ours (coefficients.py).
#include "compiler/Lower/Math/Formulas.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace trireme::lower {

using namespace mlir;

namespace {
#include "compiler/Lower/Math/coefficients.inc"

/// exp(x) - 1 for |x| at least one denormal and n at most bias, from the
/// reduced parts: 2^n (exp(r) - 1) + (2^n - 1), the second term exact or
/// rounded once.
Num expm1FromParts(Num r, Num power) {
  return fma(power, expm1OfRest(r), power - 1.0);
}

/// The instruction's intrinsic for a type; empty where it has none.
StringRef scalefOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return {};
  bool isF64 = vector.getElementType().isF64();
  switch (vector.getNumElements() * vector.getElementTypeBitWidth()) {
  case 128:
    return isF64 ? "llvm.x86.avx512.mask.scalef.pd.128"
                 : "llvm.x86.avx512.mask.scalef.ps.128";
  case 256:
    return isF64 ? "llvm.x86.avx512.mask.scalef.pd.256"
                 : "llvm.x86.avx512.mask.scalef.ps.256";
  case 512:
    return isF64 ? "llvm.x86.avx512.mask.scalef.pd.512"
                 : "llvm.x86.avx512.mask.scalef.ps.512";
  default:
    return {};
  }
}

/// p * 2^n by vscalef, all lanes.
Num scalef(StringRef intrinsic, Num p, Num n) {
  FloatOps &f = *p.ops;
  int64_t lanes = cast<VectorType>(f.type).getNumElements();
  auto all = f.builder.getIntegerAttr(
      f.builder.getIntegerType(std::max<int64_t>(lanes, 8)), -1);
  SmallVector<Value> operands{p.value, n.value, p.value,
                              f.make<arith::ConstantOp>(all)};
  // The widest form takes a rounding mode: the one that is set.
  if (intrinsic.ends_with("512"))
    operands.push_back(
        f.make<arith::ConstantOp>(f.builder.getI32IntegerAttr(4)));
  auto call = LLVM::CallIntrinsicOp::create(
      f.builder, f.loc, f.type, f.builder.getStringAttr(intrinsic), operands);
  return {&f, call.getResult(0)};
}

} // namespace

Num scale(Num p, Rounded q) {
  if (StringRef intrinsic = scalefOf(p.ops->type);
      p.ops->hasScalef && !intrinsic.empty())
    return scalef(intrinsic, p, q.n);
  // Two factors of half the exponent keep every step but the last exact.
  Bits half = q.low >> 1;
  return p * powerOfTwo(half) * powerOfTwo(q.low - half);
}

ExpParts reduceExp(Num x, int64_t offset) {
  FloatOps &f = *x.ops;
  Rounded q =
      roundNearest(x, f.pick<double>(kLog2EF32[0], kLog2EF64[0]), offset);
  Num r = fma(q.n, -f.pick<double>(kLn2F32[0], kLn2F64[0]), x);
  r = fma(q.n, -f.pick<double>(kLn2F32[1], kLn2F64[1]), r);
  return {r, q};
}

Num expOfRest(Num r) {
  return fma(fma(horner(r, kExpF32, kExpF64), r, 1.0), r, 1.0);
}

Num expm1OfRest(Num r) {
  return fma(horner(r, kExpm1F32, kExpm1F64), r * r, r);
}

Num expandExp(Num x) {
  FloatOps &f = *x.ops;
  // Beyond these every result is 0 or inf, and the exponent arithmetic cannot
  // wrap.
  x = atLeast(atMost(x, f.pick(89.0, 710.0)), f.pick(-105.0, -746.0));
  ExpParts parts = reduceExp(x, 2 * f.bias());
  return scale(expOfRest(parts.r), parts.q);
}

Num expandExp2(Num x) {
  FloatOps &f = *x.ops;
  x = atLeast(atMost(x, f.pick(129.0, 1025.0)), f.pick(-151.0, -1076.0));
  Rounded q = roundNearest(x, 1.0, 2 * f.bias());
  Num r = x - q.n; // exact
  return scale(fma(horner(r, kExp2F32, kExp2F64), r, 1.0), q);
}

Num expandExpM1(Num x) {
  FloatOps &f = *x.ops;
  Num clamped = atLeast(atMost(x, f.pick(89.0, 710.0)), f.pick(-18.0, -38.0));
  // Half the power, so that it is finite where the result just is.
  ExpParts parts = reduceExp(clamped, f.bias() - 1);
  Num half = powerOfTwo(parts.q.low);
  Num result = fma(half, expm1OfRest(parts.r), half - 0.5) * 2.0;
  // x itself where it is the nearest value: keeps -0 and denormals.
  return select(abs(x) < std::ldexp(1.0, -int(f.mantissa()) - 2), x, result);
}

/// tanh(a) = m / (m + 2) with m = exp(2a) - 1; accurate down to the denormals
/// because m is.
Num expandTanh(Num x) {
  FloatOps &f = *x.ops;
  Num a = abs(x);
  ExpParts parts = reduceExp(atMost(a + a, f.pick(20.0, 40.0)), f.bias());
  Num m = expm1FromParts(parts.r, powerOfTwo(parts.q.low));
  return flipSign(m / (m + 2.0), signOf(x));
}

} // namespace trireme::lower
