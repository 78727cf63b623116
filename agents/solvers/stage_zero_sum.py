"""Zero-sum stage games of two players, by linear programming.

The column player's policy y of a matrix game with positive payoffs M solves max sum(y) subject to
M y <= 1, y >= 0; the dual is the row player's (Dantzig 1951). Zero is a feasible start, so one
phase of the simplex method does; Bland's rule keeps it from going round in circles.
"""

from typing import Any

from numba import types
from numpy import int64

from agents.solvers.stage_values import MATRIX, VECTOR
from simulator.compiling import compiled

_TINY = 1e-13


@compiled(types.void(MATRIX, types.int64, types.int64, types.int64, types.int64), inline=True)
def _pivot(tableau: Any, rows: Any, columns: Any, row: Any, column: Any) -> None:
    """Bring a column into the basis in place of a row's, in place."""
    pivot = tableau[row, column]
    for place in range(columns):
        tableau[row, place] /= pivot
    for other in range(rows):
        factor = tableau[other, column]
        if other != row and factor != 0.0:
            for place in range(columns):
                tableau[other, place] -= factor * tableau[row, place]


@compiled(
    types.void(MATRIX, types.int64, types.int64, types.int64[::1], VECTOR, VECTOR), inline=True
)
def _read_policies(
    tableau: Any, rows: Any, columns: Any, basis: Any, row_policy: Any, column_policy: Any
) -> None:
    """Fill in both policies, in place, from a tableau at its optimum."""
    width = rows + columns + 1
    total = tableau[rows, width - 1]
    for column in range(columns):
        column_policy[column] = 0.0
    for row in range(rows):
        row_policy[row] = max(tableau[rows, columns + row], 0.0) / total
        if basis[row] < columns:
            column_policy[basis[row]] = max(tableau[row, width - 1], 0.0) / total


@compiled(types.int64(MATRIX, types.int64, types.int64, MATRIX, types.int64[::1], VECTOR, VECTOR))
def matrix_game(
    matrix: Any, rows: Any, columns: Any, tableau: Any, basis: Any,
    row_policy: Any, column_policy: Any,
) -> Any:  # fmt: skip
    """Solve the zero-sum game in which the row player gets ``matrix[row, column]``.

    Parameters
    ----------
    matrix : float64[rows, columns] at least
    tableau : float64[rows + 1, rows + columns + 1] at least
        Scratch, as is `basis`, int64[rows].
    row_policy, column_policy : float64[rows], float64[columns] at least
        Filled in place.

    Returns
    -------
    int64
        1, or 0 if rounding kept it from an end.
    """
    lowest = matrix[0, 0]
    for row in range(rows):
        for column in range(columns):
            lowest = min(lowest, matrix[row, column])
    width = rows + columns + 1
    for row in range(rows):
        basis[row] = columns + row
        for column in range(width):
            tableau[row, column] = 0.0
        for column in range(columns):
            tableau[row, column] = matrix[row, column] - lowest + 1.0
        tableau[row, columns + row] = 1.0
        tableau[row, width - 1] = 1.0
    for column in range(width):
        tableau[rows, column] = -1.0 if column < columns else 0.0
    for _ in range(200):
        entering = int64(-1)
        for column in range(width - 1):
            if tableau[rows, column] < -_TINY:
                entering = int64(column)
                break
        if entering < 0:
            _read_policies(tableau, rows, columns, basis, row_policy, column_policy)
            return int64(1)
        leaving, least = int64(-1), 0.0
        for row in range(rows):
            if tableau[row, entering] > _TINY:
                ratio = tableau[row, width - 1] / tableau[row, entering]
                tied = leaving >= 0 and ratio == least and basis[row] < basis[leaving]
                if leaving < 0 or ratio < least or tied:
                    leaving, least = int64(row), ratio
        if leaving < 0:
            return int64(0)
        _pivot(tableau, rows + 1, width, leaving, entering)
        basis[leaving] = entering
    return int64(0)
