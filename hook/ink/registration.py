"""Equal words of two pages in, where each point of the one page is on the other: a homography, and local fits beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

_TRIES = 256  # four of the points at random; half of them wrong: found with p > 0.9999
_NEAR = 3.0  # points: what a box of OCR is off, a third of a letter
_LEAST = 6  # points on a page; fewer do not say whether it is the same page at all
_LOCAL = 14  # nearest words that make a local fit
_STIFF = 60.0  # points: within this distance a fit follows its neighbours rather than the page as a whole


@dataclass(frozen=True, slots=True)
class Registration:
    """From points of the one page to points of the other. `source` and `target` are words that both have."""

    matrix: Array
    source: Array
    target: Array
    is_inlier: npt.NDArray[np.bool_]

    def mapped(self, points: Array) -> Array:
        return projected(self.matrix, points)

    def local(self, x: float, y: float) -> Array:
        """An affine matrix (2 x 3) around a point: the homography, corrected by what the words nearest to it are off."""
        here = np.array([x, y])
        base = self._linear(here)
        source, target = self.source[self.is_inlier], self.target[self.is_inlier]
        distance = np.hypot(*(source - here).T)
        nearest = np.argsort(distance)[:_LOCAL]
        off = target[nearest] - self.mapped(source[nearest])
        weight = 1 / (1 + (distance[nearest] / _STIFF) ** 2)
        design = np.column_stack([np.ones(len(nearest)), (source[nearest] - here) / _STIFF])
        ridge = np.diag(
            [0.1, 2.0, 4.0]
        )  # stiff across lines: the words of one line say nothing of that direction
        weighted = design * weight[:, None]
        solved = np.linalg.solve(design.T @ weighted + ridge, weighted.T @ off)
        linear = base[:, :2] + solved[1:].T / _STIFF
        shift = base @ np.array([x, y, 1.0]) + solved[0] - linear @ here
        return np.column_stack([linear, shift])

    def _linear(self, here: Array) -> Array:
        """The homography's own affine part at a point."""
        centre, right, down = self.mapped(np.array([here, here + np.array([1, 0]), here + np.array([0, 1])]))
        linear = np.column_stack([right - centre, down - centre])
        return np.column_stack([linear, centre - linear @ here])


def register(source: Array, target: Array, near: float = _NEAR) -> Registration | None:
    """None if too few words are equal, or if they are not on one plane in both."""
    if len(source) < _LEAST:
        return None
    rng = np.random.default_rng(1)
    picks = np.array([rng.choice(len(source), 4, replace=False) for _ in range(_TRIES)])
    best, most = None, 0
    for matrix in _homographies(source[picks], target[picks]):
        inliers = _distances(matrix, source, target) < near
        if (count := int(inliers.sum())) > most:
            best, most = inliers, count
    if best is None or most < max(_LEAST, 0.3 * len(source)):
        return None
    for _ in range(3):
        matrix = _fitted(source[best], target[best])
        closer = _distances(matrix, source, target) < near
        if closer.sum() < _LEAST:
            return None
        best = closer
    return Registration(matrix, source, target, best) if _is_sane(matrix, source) else None


def inverse(one: Registration) -> Registration:
    matrix = np.linalg.inv(one.matrix)
    return Registration(matrix / matrix[2, 2], one.target, one.source, one.is_inlier)


def projected(matrix: Array, points: Array) -> Array:
    found = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(found[:, :2] / found[:, 2:])


def _distances(matrix: Array, source: Array, target: Array) -> Array:
    with np.errstate(all="ignore"):
        found = projected(matrix, source) - target
        return np.asarray(np.nan_to_num(np.hypot(found[:, 0], found[:, 1]), nan=1e9))


def _equations(source: Array, target: Array) -> tuple[Array, Array]:
    """Of the eight unknowns of a homography, two a point; the last axis but one runs over the points."""
    x, y, u, v = source[..., 0], source[..., 1], target[..., 0], target[..., 1]
    zero, one = np.zeros_like(x), np.ones_like(x)
    first = np.stack([x, y, one, zero, zero, zero, -u * x, -u * y], axis=-1)
    second = np.stack([zero, zero, zero, x, y, one, -v * x, -v * y], axis=-1)
    return np.concatenate([first, second], axis=-2), np.concatenate([u, v], axis=-1)


def _homographies(source: Array, target: Array) -> Sequence[Array]:
    left, right = _equations(source / 100, target / 100)  # scaled: the equations are better conditioned
    usable = np.abs(np.linalg.det(left)) > 1e-4
    solved = np.linalg.solve(left[usable], right[usable][..., None])[..., 0]
    return [_unscaled(one) for one in solved]


def _fitted(source: Array, target: Array) -> Array:
    """Least squares, with a slight preference for no perspective: few words in one corner must not bend the page."""
    left, right = _equations(source / 100, target / 100)
    prior = np.zeros((2, 8))
    prior[0, 6] = prior[1, 7] = 0.5
    solved, *_ = np.linalg.lstsq(np.vstack([left, prior]), np.append(right, [0.0, 0.0]), rcond=None)
    return _unscaled(solved)


def _unscaled(eight: Array) -> Array:
    scale = np.diag([0.01, 0.01, 1.0])
    matrix = np.linalg.inv(scale) @ np.append(eight, 1.0).reshape(3, 3) @ scale
    return np.asarray(matrix / matrix[2, 2])


def _is_sane(matrix: Array, points: Array) -> bool:
    """Neither mirrored nor stretched beyond what a page on a scanner or a photo of it can be."""
    low, high = points.min(axis=0), points.max(axis=0)
    corners = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    depth = np.column_stack([corners, np.ones(4)]) @ matrix[2]
    area = np.linalg.det(matrix[:2, :2])
    return bool((depth > 0.3).all() and 0.1 < area < 10)
