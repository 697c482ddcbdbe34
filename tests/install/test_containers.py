"""Dockerfile, compose file and Kubernetes manifest: complete, not root, and with settings and options that exist."""

from __future__ import annotations

import argparse
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from hook.commands import options
from hook.settings.environment import SECRETS
from scripts.maintain.settings import settings_table

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "docs" / "deploy"
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE_TEXT = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(COMPOSE_TEXT)
DEDUPE: dict[str, Any] = COMPOSE["services"]["dedupe"]
NAS_TEXT = (DEPLOY / "compose-nas.yaml").read_text(encoding="utf-8")
NAS: dict[str, Any] = yaml.safe_load(NAS_TEXT)
MANIFEST_TEXT = (DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8")
MANIFEST: dict[str, Any] = {part["kind"]: part for part in yaml.safe_load_all(MANIFEST_TEXT)}
POD: dict[str, Any] = MANIFEST["Deployment"]["spec"]["template"]["spec"]
CONTAINER: dict[str, Any] = POD["containers"][0]
SETTINGS = set(re.findall(r"`(DEDUPE_\w+)`", settings_table()))
POD_VARIABLES = {entry["name"]: entry["value"] for entry in CONTAINER["env"]}


@pytest.mark.parametrize(
    "names",
    [set(DEDUPE["environment"]), set(NAS["services"]["dedupe"]["environment"]), set(POD_VARIABLES)],
    ids=["compose", "nas", "pod"],
)
def test_every_variable_is_a_setting(names: set[str]) -> None:
    """A setting, or the file of a secret."""
    files = {f"{name}_FILE" for aliases in SECRETS.values() for name in aliases}
    assert names <= SETTINGS | files


@pytest.mark.parametrize("text", [COMPOSE_TEXT, NAS_TEXT, MANIFEST_TEXT], ids=["compose", "nas", "pod"])
def test_both_command_lines_are_understood(text: str) -> None:
    """The one that only looks, and the one in the comment that comes after it."""
    lines = [yaml.safe_load(found) for found in re.findall(r"(?:command|args): (\[.+\])", text)]
    parser = argparse.ArgumentParser()
    options.serve(parser)
    looking, writing = [parser.parse_args(words[1:]) for words in lines]
    assert [words[0] for words in lines] == ["serve", "serve"]
    assert (looking.report_only, looking.webhooks) == (True, None)
    assert (writing.report_only, writing.webhooks) == (False, "http://dedupe:8642")


@pytest.mark.parametrize("path", sorted(DEPLOY.glob("*.yaml")), ids=lambda path: path.name)
def test_every_image_has_a_version(path: Path) -> None:
    """Ours is that of the project; of others, whatever is tested, never the newest."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    images = re.findall(r"image: (\S+):(\S+)", path.read_text(encoding="utf-8"))
    assert all(tag == version for name, tag in images if name == "paperlessdedupe/paperless-dedupe")
    assert "latest" not in [tag for _, tag in images]


def test_the_webhooks_reach_the_service_by_its_name() -> None:
    """The address on the command line is the name of the service and the port of the image."""
    port = re.search(r"^EXPOSE (\d+)$", DOCKERFILE, re.MULTILINE)
    assert port is not None
    assert f'"http://dedupe:{port[1]}"' in COMPOSE_TEXT
    assert DEDUPE["ports"] == [f"127.0.0.1:{port[1]}:{port[1]}"]  # the review page is for this machine only
    service = MANIFEST["Service"]
    assert service["metadata"]["name"] == "dedupe"
    assert service["spec"]["ports"][0]["port"] == int(port[1]) == CONTAINER["ports"][0]["containerPort"]


def test_compose_and_pod_are_locked_down() -> None:
    """No root, no capability, nothing to write but the data and a scratch directory."""
    assert int(DEDUPE["user"].split(":")[0]) > 0
    assert (DEDUPE["read_only"], DEDUPE["cap_drop"], DEDUPE["tmpfs"]) == (True, ["ALL"], ["/tmp"])
    assert "no-new-privileges:true" in DEDUPE["security_opt"]
    assert POD["securityContext"]["runAsNonRoot"]
    assert POD["securityContext"]["runAsUser"] > 0
    assert CONTAINER["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_the_image_has_two_stages_no_pip_and_no_root() -> None:
    build, _, final = DOCKERFILE.rpartition("\nFROM ")
    assert build.count("FROM ") == 1
    assert "--require-hashes" in build
    commands = re.findall(r"^RUN .+?(?<!\\)$", final, re.MULTILINE | re.DOTALL)
    assert not any("pip install" in command for command in commands)
    version = re.search(r"^FROM python:(3\.\d+)-slim AS", DOCKERFILE, re.MULTILINE)
    assert version is not None
    removed = [f"/usr/local/lib/python{version[1]}/site-packages/pip*", "/ensurepip", "/usr/local/bin/pip*"]
    assert all(path in final for path in removed)
    assert final.startswith(f"python:{version[1]}-slim\n")
    assert re.findall(r"^USER (\d+)", final, re.MULTILINE) == ["1000"]


def test_the_image_says_what_it_is_and_health_is_asked_where_the_service_answers() -> None:
    """The labels that registries and upgrade tools show."""
    labels = set(re.findall(r"org\.opencontainers\.image\.(\w+)=", DOCKERFILE))
    assert labels >= {"title", "description", "source", "documentation", "licenses", "version", "revision"}
    assert "/healthz" in DOCKERFILE
    probes = [CONTAINER[name]["httpGet"] for name in ("startupProbe", "readinessProbe", "livenessProbe")]
    assert probes == [{"path": "/healthz", "port": "http"}] * 3
