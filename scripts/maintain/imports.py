"""Draws which package imports which, as docs/imports.svg: every arrow points down, or the picture cannot be drawn.

python -m scripts.maintain imports --write      of this checkout; without --write it is printed

An arrow that others imply (a imports b, b imports c, a imports c) is left out.
"""

from __future__ import annotations

import sys
from graphlib import TopologicalSorter
from pathlib import Path
from statistics import mean

import grimp

PROJECT = Path(__file__).resolve().parents[2]
PICTURE = PROJECT / "docs" / "imports.svg"
WIDTH, ROW, HEIGHT, GAP = 1000, 62, 26, 14
STYLE = """
    text { fill: #1f2328; text-anchor: middle; }
    .hook { fill: #ddf4ff; stroke: #0969da; }
    .dedupe_core { fill: #dafbe1; stroke: #1a7f37; }
    .arrow { fill: none; stroke: #59636e; }
    .tip { fill: #59636e; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .hook { fill: #0c2d6b; stroke: #58a6ff; }
      .dedupe_core { fill: #0f3d1e; stroke: #3fb950; }
      .arrow { stroke: #9198a1; }
      .tip { fill: #9198a1; }
    }
  """
Graph = dict[str, set[str]]  # package: those that it imports


def imported() -> Graph:
    """By the packages and modules directly below `hook` and `dedupe_core`."""
    modules = grimp.build_graph("hook", "dedupe_core", exclude_type_checking_imports=True, cache_dir=None)
    found: Graph = {}
    for module in sorted(modules.modules):
        importer = ".".join(module.split(".")[:2])
        for other in modules.find_modules_directly_imported_by(module):
            package = ".".join(other.split(".")[:2])
            if importer.count(".") and package.count(".") and importer != package:
                found.setdefault(importer, set()).add(package)
                found.setdefault(package, set())
    return found


def reached(graph: Graph, start: str) -> set[str]:
    return graph[start].union(*(reached(graph, one) for one in graph[start]))


def reduced(graph: Graph) -> Graph:
    """Without the arrows that others imply."""
    below = {name: reached(graph, name) for name in graph}
    return {name: {one for one in graph[name] if not any(one in below[other] for other in graph[name])} for name in graph}  # fmt: skip


def rows(graph: Graph) -> list[list[str]]:
    """Each package below all that import it. A cycle is an error of graphlib."""
    order = list(TopologicalSorter(graph).static_order())
    depth: dict[str, int] = dict.fromkeys(graph, 0)
    for name in reversed(order):
        for other in graph[name]:
            depth[other] = max(depth[other], depth[name] + 1)
    return [sorted(name for name in graph if depth[name] == row) for row in range(max(depth.values()) + 1)]


def width(name: str) -> int:
    return 20 + 8 * len(name.partition(".")[2])


def places(graph: Graph) -> dict[str, tuple[float, float]]:
    """The middle of each box: below the mean of those that import it, as far as the row has room."""
    found: dict[str, tuple[float, float]] = {}
    for number, names in enumerate(rows(graph)):
        wanted = {name: [found[one][0] for one in found if name in graph[one]] for name in names}
        names = sorted(names, key=lambda name: mean(wanted[name] or [WIDTH / 2]))
        room = (WIDTH - sum(map(width, names))) / (len(names) + 1)
        x = room
        for name in names:
            found[name] = (x + width(name) / 2, GAP + number * ROW + HEIGHT / 2)
            x += width(name) + room
    return found


def picture() -> str:
    graph = reduced(imported())
    at = places(graph)
    height = max(y for _, y in at.values()) + HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="14">',
        '  <title id="title">Which package imports which; every arrow points down</title>',
        f"  <style>{STYLE}</style>",
        '  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>',
    ]
    for name in sorted(graph):
        (x, y), half = at[name], HEIGHT / 2
        parts += [
            f'  <path class="arrow" marker-end="url(#tip)" d="M{x:.0f} {y + half:.0f}C{x:.0f} {y + half + 22:.0f} {at[other][0]:.0f} {at[other][1] - half - 22:.0f} {at[other][0]:.0f} {at[other][1] - half:.0f}"/>'
            for other in sorted(graph[name])
        ]
    for name in sorted(graph):
        (x, y), top = at[name], name.partition(".")[0]
        parts.append(f'  <rect class="{top}" x="{x - width(name) / 2:.0f}" y="{y - HEIGHT / 2:.0f}" width="{width(name)}" height="{HEIGHT}" rx="6"/>')  # fmt: skip
        parts.append(f'  <text x="{x:.0f}" y="{y + 5:.0f}">{name.partition(".")[2]}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> int:
    if sys.argv[1:] == ["--write"]:
        PICTURE.write_text(picture(), encoding="utf-8")
    else:
        print(picture(), end="")
    return 0
