"""Files that earlier versions of upstream wrote: pointers to blocks, through control flow."""

from __future__ import annotations

import numpy as np
import pytest
import triton
from guarded import guarded_copy

# Sums tiles of 8 x 16 along the columns, from column -3 on; rows and columns may be cut.
# Programs go over the rows; odd ones reach their rows in two steps, through a branch.
SUM = """
tt.func public @sum_tiles(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %rows: i64, %columns: i64,
                          %count: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %cm3 = arith.constant -3 : i32
  %one = arith.constant 1 : i64
  %sixteen = arith.constant 16 : i64
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %pid = tt.get_program_id x : i32
  %row = arith.muli %pid, %c8 : i32
  %odd = arith.andi %pid, %c1 : i32
  %isodd = arith.cmpi ne, %odd, %c0 : i32
  %before = arith.subi %row, %c4 : i32
  %near = tt.make_tensor_ptr %in, [%rows, %columns], [%columns, %one], [%before, %cm3]
      {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  %here = tt.make_tensor_ptr %in, [%rows, %columns], [%columns, %one], [%row, %cm3]
      {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  %start = scf.if %isodd -> (!tt.ptr<tensor<8x16xf32>>) {
    %moved = tt.advance %near, [%c4, %c0] : <tensor<8x16xf32>>
    scf.yield %moved : !tt.ptr<tensor<8x16xf32>>
  } else {
    scf.yield %here : !tt.ptr<tensor<8x16xf32>>
  }
  %end:2 = scf.for %i = %c0 to %count step %c1 iter_args(%p = %start, %sum = %zero)
      -> (!tt.ptr<tensor<8x16xf32>>, tensor<8x16xf32>) : i32 {
    %v = tt.load %p {boundaryCheck = array<i32: 0, 1>, padding = PADDING : i32}
        : !tt.ptr<tensor<8x16xf32>>
    %next = arith.addf %sum, %v : tensor<8x16xf32>
    %q = tt.advance %p, [%c0, %c16] : <tensor<8x16xf32>>
    scf.yield %q, %next : !tt.ptr<tensor<8x16xf32>>, tensor<8x16xf32>
  }
  %to = tt.make_tensor_ptr %out, [%rows, %sixteen], [%sixteen, %one], [%row, %c0]
      {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  tt.store %to, %end#1 {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8x16xf32>>
  tt.return
}
"""

# Advances until a number in memory says stop; the pointer is chosen by a select.
WHILE = """
tt.func public @find(%in: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i64, %right: i1) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %one = arith.constant 1 : i64
  %left = tt.make_tensor_ptr %in, [%n], [%one], [%c0] {order = array<i32: 0>} : <tensor<4xi32>>
  %other = tt.advance %left, [%c4] : <tensor<4xi32>>
  %first = arith.select %right, %other, %left : !tt.ptr<tensor<4xi32>>
  %found = scf.while (%p = %first) : (!tt.ptr<tensor<4xi32>>) -> !tt.ptr<tensor<4xi32>> {
    %v = tt.load %p {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<4xi32>>
    %sum = "tt.reduce"(%v) ({
    ^bb0(%a: i32, %b: i32):
      %s = arith.addi %a, %b : i32
      tt.reduce.return %s : i32
    }) {axis = 0 : i32} : (tensor<4xi32>) -> i32
    %more = arith.cmpi ne, %sum, %c0 : i32
    scf.condition(%more) %p : !tt.ptr<tensor<4xi32>>
  } do {
  ^bb0(%p: !tt.ptr<tensor<4xi32>>):
    %q = tt.advance %p, [%c4] : <tensor<4xi32>>
    scf.yield %q : !tt.ptr<tensor<4xi32>>
  }
  %back = arith.constant -4 : i32
  %last = tt.advance %found, [%back] : <tensor<4xi32>>
  %v = tt.load %last {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<4xi32>>
  %to = tt.make_tensor_ptr %out, [%n], [%one], [%c0] {order = array<i32: 0>} : <tensor<4xi32>>
  tt.store %to, %v : !tt.ptr<tensor<4xi32>>
  tt.return
}
"""


def compiled(tmp_path, text):
    path = tmp_path / "older.ttir"
    path.write_text(text)
    return triton.compile(str(path)).image


@pytest.mark.parametrize("padding", ["zero", "nan"])
@pytest.mark.parametrize("rows,columns", [(8, 13), (16, 45), (21, 40), (1, 1), (13, 29)])
def test_block_pointers_in_loops_and_branches(tmp_path, rows, columns, padding):
    rng = np.random.default_rng(rows * columns)
    source = rng.standard_normal((rows, columns), dtype=np.float32)
    count = -(-(columns + 3) // 16)
    wide = np.full((rows, 16 * count), np.nan if padding == "nan" else 0, np.float32)
    wide[:, 3:3 + columns] = source
    expected = np.zeros((rows, 16), np.float32)
    for tile in range(count):
        expected += wide[:, 16 * tile:16 * tile + 16]

    out = guarded_copy(np.full((rows, 16), 7, np.float32))
    kernel = compiled(tmp_path, SUM.replace("PADDING", "2" if padding == "nan" else "1"))
    kernel.run((-(-rows // 8),), (guarded_copy(source), out, rows, columns, count))
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("n", [4, 8, 10, 31])
def test_block_pointers_in_while(tmp_path, n, right):
    source = np.arange(1, n + 1, dtype=np.int32)
    # Where the first block of zeros is, the end of the array at the latest.
    first = max(4 if right else 0, -(-n // 4) * 4)
    block = np.zeros(4, np.int32)
    part = source[first - 4:first]
    block[:len(part)] = part
    out = guarded_copy(np.zeros(4, np.int32))
    compiled(tmp_path, WHILE).run((1,), (guarded_copy(source), out, n, right))
    np.testing.assert_array_equal(out, block)
