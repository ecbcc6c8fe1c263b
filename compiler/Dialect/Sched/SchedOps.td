//===- SchedOps.td - the schedule as typed attributes --------------*- tablegen -*-===//

#ifndef TRIREME_SCHED_OPS
#define TRIREME_SCHED_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Sched_Dialect : Dialect {
  let name = "sched";
  let cppNamespace = "::trireme::sched";
  let summary = "What the scheduler decided";
  let description = [{
    A kernel is scheduled when every root (an operation that becomes a loop nest: a
    store, a hold, a reduction, a scan, a matrix multiply) carries a schedule and every
    tensor that must exist in memory is the result of a root. All other tensor
    operations are computed inside the loops of the roots that ask for them.
  }];
  let useDefaultAttributePrinterParser = 1;
}

class Sched_Attr<string name, string mnemonicText> : AttrDef<Sched_Dialect, name> {
  let mnemonic = mnemonicText;
}

def Sched_LoopAttr : Sched_Attr<"Loop", "loop"> {
  let summary = "loop nest of a root";
  let description = [{
    `order` lists the axes of the iteration space from the outermost loop to the
    innermost; `lane` is the axis that is vectorised by `width` elements and, while all
    its elements are in bounds, unrolled by `unroll` vectors.

    Example: `#sched.loop<order = [0, 1], lane = 1, width = 16, unroll = 4>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$order, "int64_t":$lane,
                        "int64_t":$width, "int64_t":$unroll);
  let assemblyFormat = [{
    `<` `order` `=` `[` $order `]` `,` `lane` `=` $lane `,` `width` `=` $width `,`
        `unroll` `=` $unroll `>`
  }];
  let genVerifyDecl = 1;
}

def Sched_TileAttr : Sched_Attr<"Tile", "tile"> {
  let summary = "register tile of a matrix multiply";
  let description = [{
    `rows` x `vectors` accumulators of `width` elements stay in registers while the tile
    runs along K, `depth` steps at a time.

    Example: `#sched.tile<rows = 8, vectors = 2, width = 16, depth = 1>`
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$vectors, "int64_t":$width, "int64_t":$depth);
  let assemblyFormat = [{
    `<` `rows` `=` $rows `,` `vectors` `=` $vectors `,` `width` `=` $width `,`
        `depth` `=` $depth `>`
  }];
  let genVerifyDecl = 1;
}

class Sched_Op<string mnemonic, list<Trait> traits = []>
    : Op<Sched_Dialect, mnemonic, traits>;

def Sched_HoldOp : Sched_Op<"hold", [Pure, SameOperandsAndResultType]> {
  let summary = "keep a tensor in a scratch slot";
  let description = [{
    The result is the operand, computed here once and kept in scratch. With `in_reader` the
    loops of the reduction that follows compute it, and keep each element as they go by it.

    Example:
    ```mlir
    %e = sched.hold %x {loop = #sched.loop<order = [0], lane = 0, width = 16, unroll = 4>}
        : tensor<4096xf32>
    ```
  }];
  let arguments = (ins AnyStaticShapeTensor:$source, OptionalAttr<Sched_LoopAttr>:$loop,
                   UnitAttr:$in_reader);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let hasVerifier = 1;
}

#endif // TRIREME_SCHED_OPS
