"""A file that replaces another one: whole or not at all, and through nothing that somebody has put in its way."""

from __future__ import annotations

from pathlib import Path

from hook.private_files import replacing


def test_what_lies_in_wait_beside_the_file_is_not_written_to(tmp_path: Path) -> None:
    """Somebody who can make files there has put a link where the new file might be made."""
    foreign, path = tmp_path / "foreign", tmp_path / "report.html"
    foreign.write_text("theirs")
    (tmp_path / ".report.html").symlink_to(foreign)
    with replacing(path) as file:
        file.write("ours")
    assert (foreign.read_text(), path.read_text()) == ("theirs", "ours")
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".report.html", "foreign", "report.html"]
