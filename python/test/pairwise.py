"""Few cases in which every pair of values of any two axes occurs; all of them with ALL."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import numpy as np
import pytest
from conftest import ALL


def rows(axes: Sequence[Sequence[object]], seed: int = 0) -> list[tuple[object, ...]]:
    """Rows with one value of each axis; any two values of two axes meet in one of them."""
    draw = random.Random(seed)
    sizes = [len(axis) for axis in axes]
    if len(sizes) < 2:
        return list(itertools.product(*axes))
    pairs = ((i, a, j, b) for i, j in itertools.combinations(range(len(sizes)), 2)
             for a in range(sizes[i]) for b in range(sizes[j]))
    missing = dict.fromkeys(pairs)  # in order, so that the choice is the same each time

    def covered(row: list[int]) -> list[tuple[int, int, int, int]]:
        meeting = itertools.combinations(enumerate(row), 2)
        return [p for (i, a), (j, b) in meeting if (p := (i, a, j, b)) in missing]

    chosen = []
    while missing:
        i, a, j, b = next(iter(missing))
        candidates = [[draw.randrange(size) for size in sizes] for _ in range(24)]
        for row in candidates:
            row[i], row[j] = a, b
        best = max(candidates, key=lambda row: len(covered(row)))
        for pair in covered(best):
            del missing[pair]
        chosen.append(tuple(axis[k] for axis, k in zip(axes, best)))
    return chosen


def _name(value: object) -> str:
    if callable(value) or isinstance(value, np.dtype):
        try:
            return np.dtype(value).name
        except TypeError:
            return value.__name__
    return "x".join(map(_name, value)) if isinstance(value, tuple) else str(value)


def cases(**axes: Sequence[object]) -> pytest.MarkDecorator:
    """A parametrize mark over the named axes: pairs by default, the full product with ALL."""
    values = list(axes.values())
    chosen = list(itertools.product(*values)) if ALL else rows(values)
    ids = ["-".join(map(_name, row)) for row in chosen]
    return pytest.mark.parametrize(",".join(axes), chosen, ids=ids)
