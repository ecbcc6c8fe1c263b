// RUN: %trireme-opt %s --lower-llvm-convert | FileCheck %s
// RUN: %trireme-opt %s --lower-llvm-convert=has-f16=false | FileCheck %s --check-prefix=NOF16

// bf16 arithmetic is f32 arithmetic between integer conversions; no bf16 is left.
// CHECK-LABEL: llvm.func @bf16
// CHECK-NOT: bf16
// CHECK: llvm.shl
// CHECK: llvm.fadd %{{.*}}, %{{.*}} : vector<8xf32>
// CHECK: llvm.lshr
// CHECK: llvm.return
func.func @bf16(%a: vector<8xi16>, %b: vector<8xi16>) -> vector<8xi16> {
  %x = arith.bitcast %a : vector<8xi16> to vector<8xbf16>
  %y = arith.bitcast %b : vector<8xi16> to vector<8xbf16>
  %z = arith.addf %x, %y : vector<8xbf16>
  %r = arith.bitcast %z : vector<8xbf16> to vector<8xi16>
  return %r : vector<8xi16>
}

// f64 to f16 rounds to odd in f32 first.
// CHECK-LABEL: llvm.func @narrow
// CHECK: llvm.fptrunc %{{.*}} : f64 to f32
// CHECK: llvm.fcmp "one"
// CHECK: llvm.fptrunc %{{.*}} : f32 to f16
// NOF16-LABEL: llvm.func @narrow
// NOF16-NOT: to f16
// NOF16: llvm.return
func.func @narrow(%a: f64) -> i16 {
  %x = arith.truncf %a : f64 to f16
  %r = arith.bitcast %x : f16 to i16
  return %r : i16
}
