"""An index on each store: in a directory, on a Redis server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hook.index.index import Index
from hook.settings.address import Address, parse_address
from tests.hook.index.index_kit import RECIPE, keys_of
from tests.hook.index.shared import servers

if TYPE_CHECKING:
    from hook.index.shared.index import SharedIndex

OpenIndex = Callable[..., "Index | SharedIndex"]
_numbers = count(1)


@pytest.fixture(scope="session")
def redis_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    port = servers.free_port()
    with servers.server(tmp_path_factory.mktemp("redis"), port):
        yield port


@pytest.fixture
def address(redis_port: int) -> Address:
    """An index of its own on the one server."""
    return parse_address(f"redis://127.0.0.1:{redis_port}/0?prefix=test-{next(_numbers)}")


@pytest.fixture(params=["directory", "redis"])
def open_anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> OpenIndex:
    """Opens the same index each time."""
    if request.param == "directory":
        return lambda recipe_id=RECIPE, **kw: Index.open(tmp_path / "index", recipe_id, keys_of=keys_of, **kw)
    pytest.importorskip("redis", reason="the extra `redis` is not installed: the shared index was not tested")
    return partial(open_shared, request.getfixturevalue("address"), tmp_path)


def open_shared(address: Address, directory: Path, recipe_id: str = RECIPE, **options: Any) -> SharedIndex:
    from hook.index.shared.index import SharedIndex

    return SharedIndex.open(address, directory, recipe_id, keys_of, **options)
