"""systemd units, the script for Paperless's container, and the wheel: what they call exists and works."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from hook import cli
from hook.queue import Queue
from tests.fakes import FakePaperless

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "docs" / "deploy" / "systemd"
INIT = ROOT / "scripts" / "custom-cont-init.d" / "50-paperless-dedupe"
INSTALL = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
UNITS = sorted(SYSTEMD.iterdir())


def unit(path: Path) -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(path.read_text(encoding="utf-8"))
    return parser


@pytest.mark.parametrize(
    "path", [path for path in UNITS if path.suffix == ".service"], ids=lambda path: path.name
)
def test_a_unit_runs_a_command_that_exists_as_the_user_of_paperless(path: Path) -> None:
    service = unit(path)["Service"]
    program, command, *_ = service["ExecStart"].split()
    assert program == "/opt/paperless/.local/bin/paperless-dedupe"  # where pipx and uv put it
    assert command in cli.COMMANDS
    assert service["User"] == "paperless"
    assert service["Environment"] == "DEDUPE_ENV_FILE=/opt/paperless/paperless.conf"
    assert service["ProtectSystem"] == "strict"
    assert Path(program).is_relative_to(service["ReadWritePaths"])  # the index is below the home directory


def test_the_page_names_every_unit_and_the_script() -> None:
    assert [path.name for path in UNITS if path.name not in INSTALL] == []
    assert INIT.parent.name in INSTALL


@pytest.mark.parametrize("code", [0, 1])
def test_the_container_starts_whatever_the_script_meets(tmp_path: Path, code: int) -> None:
    """It calls venv.sh; if that fails, it says so and exits with 0."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / "scripts" / "venv.sh").write_text(f"echo made; exit {code}\n")
    done = subprocess.run(["bash", INIT, tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("made\n")
    assert ("is ready for Python 3" in done.stdout) == (code == 0)
    assert ("the next start tries again" in done.stderr) == (code != 0)
    assert os.access(INIT, os.X_OK)


def pip(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", *words], check=True, capture_output=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as the release does it, with the pinned build packages; from a copy, so that nothing is left in the tree."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("dedupe_core", "hook", "scripts", "docs/deploy"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(out)]
    pip("wheel", *options, str(source))
    (found,) = out.glob("*.whl")
    return found


def test_the_wheel_has_the_product_and_the_hook_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (hook,) = [name for name in names if ".data/scripts/" in name]
        assert archive.read(hook) == (ROOT / "scripts" / "post-consume.sh").read_bytes()
    assert Path(hook).name == "paperless-dedupe-hook"
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.startswith("paperless_dedupe-")} == {"dedupe_core", "hook"}
    assert [name for name in names if "review_page/assets/" in name]
    units = {Path(name).name for name in names if "/share/paperless-dedupe/systemd/" in name}
    assert units == {path.name for path in UNITS}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin directory of an environment with the wheel, and the packages of this one; the checkout is not in it."""
    place = tmp_path_factory.mktemp("installed") / "env"
    venv.create(place, symlinks=True)
    python = str(place / "bin" / "python")
    pip("--python", python, "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    packages = Path(next(path for path in sys.path if path.endswith("site-packages")))
    next(place.glob("lib/*/site-packages")).joinpath("packages.pth").write_text(str(packages))
    return place / "bin"


def test_the_installed_command_and_hook_work_without_the_checkout(installed: Path, tmp_path: Path) -> None:
    """As pipx and uv install it: the hook is run by a link to it, in a directory of Paperless."""
    link = tmp_path / "paperless-dedupe-hook"
    link.symlink_to(installed / "paperless-dedupe-hook")
    text = "Rent of March 2025 for the flat at Harbour Street 19, 655.20 EUR, reference HS-1907-2025"
    with FakePaperless() as fake:
        environ = {
            "PATH": os.defpath,
            "HOME": str(tmp_path),
            "DEDUPE_URL": fake.url,
            "DEDUPE_TOKEN": fake.token,
        }
        for _ in range(2):
            number = fake.add_document(text)
            variables = {**environ, **fake.hook_environment(number)}
            done = subprocess.run([link], cwd=tmp_path, env=variables, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
        assert "dedupe:identical" in fake.document(number).tags
        command = [str(installed / "paperless-dedupe"), "pending"]
        shown = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True)
        assert shown.returncode == 0, shown.stderr
        assert f"#{number}" in shown.stdout


def test_the_page_finds_the_units_whichever_tool_installed_them(installed: Path, tmp_path: Path) -> None:
    """Old releases of pipx, new ones and uv have different directories; the link in .local/bin leads to each."""
    (tmp_path / "paperless-dedupe").symlink_to(installed / "paperless-dedupe")
    (line,) = re.findall(r"^ *(cd .*readlink.*)$", INSTALL, flags=re.MULTILINE)
    line = line.replace("sudo ", "").replace("/opt/paperless/.local/bin", str(tmp_path))
    done = subprocess.run(["sh", "-ec", f"{line}; ls"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [path.name for path in UNITS]


def test_the_page_makes_units_of_root_from_them(tmp_path: Path) -> None:
    """Many LXC containers run Paperless as root."""
    for path in UNITS:
        shutil.copy(path, tmp_path)
    (line,) = re.findall(r"^ *(sed -i .*)$", INSTALL, flags=re.MULTILINE)
    subprocess.run(["sh", "-ec", line.replace("/etc/systemd/system", str(tmp_path))], check=True)
    for path in tmp_path.glob("*.service"):
        service = unit(path)["Service"]
        assert (service["User"], service["Group"]) == ("root", "root")
        assert service["ExecStart"].startswith("/root/.local/bin/paperless-dedupe ")
        assert service["ReadWritePaths"] == "/root/.local"
        assert service["Environment"] == "DEDUPE_ENV_FILE=/opt/paperless/paperless.conf"


def test_a_hook_whose_python_is_gone_harms_nothing(installed: Path, tmp_path: Path) -> None:
    """After an upgrade of the system: Paperless would report each document as failed; the event is kept instead."""
    broken = tmp_path / "bin"
    broken.mkdir()
    shutil.copy(installed / "paperless-dedupe-hook", broken)
    (broken / "python").symlink_to("/usr/bin/python2.4-that-was-removed")
    queue = Queue(tmp_path / "index")
    queue._prepare()
    environ = {"PATH": os.defpath, "DOCUMENT_ID": "7", "DEDUPE_INDEX_DIR": str(tmp_path / "index")}
    done = subprocess.run([broken / "paperless-dedupe-hook"], env=environ, capture_output=True, text=True)
    assert done.returncode == 0
    assert "could not run" in done.stderr
    assert queue.numbers() == [7]
