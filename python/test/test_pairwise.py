"""The choice of cases that other tests rely on."""

import itertools

import pytest
from pairwise import rows


@pytest.mark.parametrize("sizes", [(3,), (2, 2), (5, 4, 3, 2), (1, 7, 1), (12, 8, 5, 4, 2), (3, 0)],
                         ids=str)
def test_every_pair_occurs(sizes):
    axes = [[f"{k}{v}" for v in range(size)] for k, size in enumerate(sizes)]
    chosen = rows(axes)
    for a, b in itertools.combinations(range(len(sizes)), 2):
        assert {(r[a], r[b]) for r in chosen} == set(itertools.product(axes[a], axes[b]))
    assert all(value in axis for row in chosen for value, axis in zip(row, axes))
    assert len(chosen) <= len(list(itertools.product(*axes)))


def test_choice_is_small_and_the_same_each_time():
    axes = [range(12), range(8), range(5), range(4), range(2)]
    chosen = rows(axes)
    assert chosen == rows(axes)
    # No choice has fewer than 12 * 8 rows.
    assert len(chosen) < 120
