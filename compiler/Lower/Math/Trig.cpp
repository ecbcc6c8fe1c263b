// sin, cos, tan.
//
// |x| = n pi/2 + r. Up to 2^17 (f32) and 2^20 (f64) after Cody and Waite,
// branch free. If any lane is beyond, a loop over the lanes redoes the huge
// ones, one scalar at a time, after Payne and Hanek (Radian reduction for
// trigonometric functions, 1983): only the bits of 2/pi that matter modulo a
// full turn are multiplied. Such arguments are rare, so this is small rather
// than fast, and one f64 routine serves both types.
#include "compiler/Lower/Math/Formulas.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace trireme::lower {
namespace {
#include "compiler/Lower/Math/coefficients.inc"

struct Reduced {
  Num r;         // |r| <= pi/4 and a little
  Bits quadrant; // n modulo 4 in the two low bits
};

/// The address of kTwoOverPiBits as a constant of the module.
Value twoOverPiTable(FloatOps &f) {
  constexpr StringLiteral name = "trireme_two_over_pi";
  auto module =
      f.builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto words = RankedTensorType::get({std::size(kTwoOverPiBits)},
                                     f.builder.getI64Type());
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(f.builder);
    f.builder.setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(
        f.builder, f.loc,
        LLVM::LLVMArrayType::get(f.builder.getI64Type(), words.getDimSize(0)),
        /*isConstant=*/true, LLVM::Linkage::Internal, name,
        DenseElementsAttr::get(words, ArrayRef(kTwoOverPiBits)));
  }
  return f.make<LLVM::AddressOfOp>(
      LLVM::LLVMPointerType::get(f.builder.getContext()), name);
}

/// x mod pi/2 of one f64 x >= 2^17; NaN for inf.
Reduced reduceHuge(Num x, Value table) {
  FloatOps &f = *x.ops;
  Type i64 = f.bitsType;
  // x = m 2^k with an m of 53 bits. Bits of 2/pi above 2^-(k-1) only add whole
  // turns (4 quadrants), so a window of 192 bits from there on gives the
  // quadrant and, 139 valid bits of fraction, a relative error below 2^-70 for
  // every x.
  Bits exponent = bitsOf(x) >> 52;
  Bits m = (bitsOf(x) & 0x000fffffffffffffull) | 0x0010000000000000ull;
  Bits offset =
      exponent - 1013; // of the window, in bits from the head of the table
  Bits shift = offset & 63, back = f.bits(63) - shift;
  Value first = (offset >> 6).value;
  SmallVector<Bits> words, window;
  for (int i = 0; i < 4; ++i) {
    Value index = f.make<arith::AddIOp>(first, f.bits(i).value);
    Value address =
        LLVM::GEPOp::create(f.builder, f.loc, table.getType(), i64, table,
                            ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(index)});
    words.push_back({&f, f.make<LLVM::LoadOp>(i64, address)});
  }
  for (int i = 0; i < 3; ++i) {
    Bits next = {&f,
                 f.make<arith::ShRUIOp>((words[i + 1] >> 1).value, back.value)};
    window.push_back(
        Bits{&f, f.make<arith::ShLIOp>(words[i].value, shift.value)} | next);
  }
  // top:mid = m * window modulo 2^192, without its lowest word: the angle in
  // turns / 2^128.
  auto wide = arith::MulUIExtendedOp::create(f.builder, f.loc, m.value,
                                             window[1].value);
  auto last = arith::MulUIExtendedOp::create(f.builder, f.loc, m.value,
                                             window[2].value);
  Bits low = {&f, wide.getLow()};
  Bits mid = low + Bits{&f, last.getHigh()};
  Value carry =
      f.make<arith::CmpIOp>(arith::CmpIPredicate::ult, mid.value, low.value);
  Bits top = m * window[0] + Bits{&f, wide.getHigh()} +
             Bits{&f, f.make<arith::ExtUIOp>(i64, carry)};
  Bits quadrant = (top + (uint64_t(1) << 61)) >> 62;
  Bits fraction = top - (quadrant << 62); // signed, in quarter turns / 2^62
  // The magnitude (one's complement: off by 2^-126) as an exact float and a
  // remainder.
  Bits negative = shiftSigned(fraction, 63);
  Bits head = fraction ^ negative, tail = mid ^ negative;
  auto convert = [&](Bits b) {
    return Num{&f, f.make<arith::SIToFPOp>(f.type, b.value)};
  };
  Num high = convert(head & ~uint64_t(0x7ff));
  Num rest =
      convert(((head & 0x7ff) << 52) | (tail >> 12)) * std::ldexp(1.0, -52);
  double pio2 = std::ldexp(kPio2F64[0], -62),
         pio2Low = std::ldexp(kPio2F64[1], -62);
  Num r = fma(high, pio2, fma(high, pio2Low, rest * pio2));
  r = flipSign(r, negative & f.signBit());
  return {select(x == f.inf(), f.nan(), r), quadrant};
}

/// reduceHuge of a scalar of any type, as values of that type.
std::pair<Value, Value> reduceHugeScalar(FloatOps &f, Value a, Value table) {
  Type element = getElementTypeOrSelf(f.type),
       bits = getElementTypeOrSelf(f.bitsType);
  FloatOps wide(f.builder, f.loc, f.builder.getF64Type(), f.hasFma);
  if (f.isF64) {
    Reduced reduced = reduceHuge({&wide, a}, table);
    return {reduced.r.value, reduced.quadrant.value};
  }
  Reduced reduced =
      reduceHuge({&wide, f.make<arith::ExtFOp>(wide.type, a)}, table);
  return {f.make<arith::TruncFOp>(element, reduced.r.value),
          f.make<arith::TruncIOp>(bits, reduced.quadrant.value)};
}

/// The reduced lanes, those with a >= limit recomputed.
Reduced fixHuge(Num a, double limit, Reduced reduced) {
  FloatOps &f = *a.ops;
  OpBuilder &b = f.builder;
  Location loc = f.loc;
  auto vector = dyn_cast<VectorType>(f.type);
  Value table = twoOverPiTable(f);
  Value any = (a >= limit).value;
  if (vector)
    any = f.make<vector::ReductionOp>(vector::CombiningKind::OR, any);
  auto rare = scf::IfOp::create(
      b, loc, any,
      [&](OpBuilder &, Location) {
        if (!vector) {
          auto [r, quadrant] = reduceHugeScalar(f, a.value, table);
          scf::YieldOp::create(b, loc, ValueRange{r, quadrant});
          return;
        }
        Value zero = f.make<arith::ConstantIndexOp>(0),
              one = f.make<arith::ConstantIndexOp>(1);
        Value lanes = f.make<arith::ConstantIndexOp>(vector.getDimSize(0));
        auto loop = scf::ForOp::create(
            b, loc, zero, lanes, one,
            ValueRange{reduced.r.value, reduced.quadrant.value},
            [&](OpBuilder &, Location, Value lane, ValueRange carried) {
              Value x = f.make<vector::ExtractOp>(a.value, OpFoldResult(lane));
              FloatOps scalar(b, loc, vector.getElementType(), f.hasFma);
              Mask huge = Num{&scalar, x} >= limit;
              auto fix = scf::IfOp::create(
                  b, loc, huge.value,
                  [&](OpBuilder &, Location) {
                    auto [r, quadrant] = reduceHugeScalar(f, x, table);
                    Value rs = f.make<vector::InsertOp>(r, carried[0],
                                                        OpFoldResult(lane));
                    Value qs = f.make<vector::InsertOp>(quadrant, carried[1],
                                                        OpFoldResult(lane));
                    scf::YieldOp::create(b, loc, ValueRange{rs, qs});
                  },
                  [&](OpBuilder &, Location) {
                    scf::YieldOp::create(b, loc, carried);
                  });
              scf::YieldOp::create(b, loc, ValueRange(fix.getResults()));
            });
        scf::YieldOp::create(b, loc, ValueRange(loop.getResults()));
      },
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(
            b, loc, ValueRange{reduced.r.value, reduced.quadrant.value});
      });
  return {{&f, rare.getResult(0)}, {&f, rare.getResult(1)}};
}

/// a = |x| modulo pi/2. With FMA three full parts of pi/2 do: the first step is
/// exact, and each later one rounds relative to its own result. Without, the
/// products must be exact: short parts for f64, f64 arithmetic for f32.
Reduced reduce(Num a) {
  FloatOps &f = *a.ops;
  Rounded q =
      roundNearest(a, f.pick<double>(kTwoOverPiF32[0], kTwoOverPiF64[0]), 0);
  Num r = a;
  if (f.hasFma) {
    for (int i = 0; i < 3; ++i)
      r = fma(q.n, -f.pick<double>(kPio2F32[i], kPio2F64[i]), r);
  } else if (f.isF64) {
    for (double part : kPio2ShortF64)
      r = r - q.n * part;
  } else {
    FloatOps wide(f.builder, f.loc, f.sameShape(f.builder.getF64Type()),
                  f.hasFma);
    Num n = {&wide, wide.make<arith::ExtFOp>(wide.type, q.n.value)};
    Num difference = {&wide, wide.make<arith::ExtFOp>(wide.type, a.value)};
    for (double part : kPio2WideF64)
      difference = difference - n * part;
    r = {&f, f.make<arith::TruncFOp>(f.type, difference.value)};
  }
  return fixHuge(a, f.pick(131072.0, 1048576.0), {r, q.low});
}

Num sinOfRest(Num r) {
  Num z = r * r;
  return fma(r * z, horner(z, kSinF32, kSinF64), r);
}
Num cosOfRest(Num r) {
  Num z = r * r;
  return fma(z, fma(z, horner(z, kCosF32, kCosF64), -0.5), 1.0);
}

/// sin of quadrant * pi/2 + r, negated by `sign`.
Num sinOfQuadrant(Num r, Bits quadrant, Bits sign) {
  Num value = select(nonZero(quadrant & 1), cosOfRest(r), sinOfRest(r));
  return flipSign(value, sign ^ ((quadrant & 2) << (r.ops->width() - 2)));
}

} // namespace

Num expandSin(Num x) {
  Reduced reduced = reduce(abs(x)); // of |x|, which keeps sin(-0) = -0
  return sinOfQuadrant(reduced.r, reduced.quadrant, signOf(x));
}

Num expandCos(Num x) {
  Reduced reduced = reduce(abs(x));
  return sinOfQuadrant(reduced.r, reduced.quadrant + 1, x.ops->bits(0));
}

Num expandTan(Num x) {
  Reduced reduced = reduce(abs(x));
  Num s = sinOfRest(reduced.r), c = cosOfRest(reduced.r);
  Mask odd = nonZero(reduced.quadrant & 1); // tan(r + pi/2) = -cot(r)
  Num value = select(odd, c, s) / select(odd, s, c);
  return flipSign(value,
                  signOf(x) ^ (reduced.quadrant << (x.ops->width() - 1)));
}

} // namespace trireme::lower
