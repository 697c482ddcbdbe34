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


def test_the_file_for_a_nas_differs_only_where_a_nas_does() -> None:
    """Folders, a user and an address; the service itself is locked down as in the other file."""
    service = NAS["services"]["dedupe"]
    assert set(service) - {"depends_on"} == set(DEDUPE)
    same = set(DEDUPE) - {"user", "ports", "environment", "volumes"}
    assert {name: service[name] for name in same} == {name: DEDUPE[name] for name in same}
    assert service["user"] == NAS["services"]["broker"]["user"] == "1026:100"
    assert service["environment"]["DEDUPE_REVIEW_URL"].split(":")[1:] == ["//192.168.1.20", "8642"]


def test_the_extras_of_the_manifest_fit_it() -> None:
    """The Ingress leads to the Service; the address that is set for Valkey is that of its Service and port."""
    ingress = yaml.safe_load((DEPLOY / "kubernetes-ingress.yaml").read_text(encoding="utf-8"))
    (path,) = ingress["spec"]["rules"][0]["http"]["paths"]
    backend = path["backend"]["service"]
    assert backend["name"] == MANIFEST["Service"]["metadata"]["name"]
    assert backend["port"]["name"] == MANIFEST["Service"]["spec"]["ports"][0]["name"]
    assert path["path"] == "/review/"
    text = (DEPLOY / "kubernetes-redis.yaml").read_text(encoding="utf-8")
    service, server = yaml.safe_load_all(text)
    assert f"redis://{service['metadata']['name']}:{service['spec']['ports'][0]['port']}/" in text
    assert service["spec"]["selector"] == server["spec"]["template"]["metadata"]["labels"]


def test_volumes_and_secrets_of_the_compose_file_are_declared() -> None:
    volumes = [mount for service in COMPOSE["services"].values() for mount in service.get("volumes", [])]
    named = {mount.split(":")[0] for mount in volumes if not mount.startswith((".", "/"))}
    assert named == set(COMPOSE["volumes"])
    assert set(DEDUPE["secrets"]) == set(COMPOSE["secrets"])
    files = {value for name, value in DEDUPE["environment"].items() if name.endswith("_FILE")}
    assert files == {f"/run/secrets/{name}" for name in DEDUPE["secrets"]}
    prepared = set(re.findall(r"> (secrets/\w+)", COMPOSE_TEXT))
    assert prepared == {source["file"].removeprefix("./") for source in COMPOSE["secrets"].values()}


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


def test_the_index_is_below_the_volume_not_the_volume_itself() -> None:
    """A volume may belong to root or to a group; a directory that the service makes in it belongs to the service."""
    index = re.search(r"DEDUPE_INDEX_DIR=(\S+)", DOCKERFILE)
    assert index is not None
    mounts = [mount.split(":")[1].split()[0] for mount in DEDUPE["volumes"]]
    assert [str(Path(index[1]).parent)] == mounts == re.findall(r"^VOLUME (\S+)$", DOCKERFILE, re.MULTILINE)
    assert str(Path(index[1]).parent) in [mount["mountPath"] for mount in CONTAINER["volumeMounts"]]
    assert "install -d -m 1777 /data" in DOCKERFILE  # whatever user a compose file names


def test_the_pod_mounts_what_it_declares() -> None:
    assert {mount["name"] for mount in CONTAINER["volumeMounts"]} == {
        volume["name"] for volume in POD["volumes"]
    }
    secret = next(volume["secret"] for volume in POD["volumes"] if "secret" in volume)
    keys = set(re.findall(r"--from-literal=(\w+)=", MANIFEST_TEXT))
    paths = {Path(value) for name, value in POD_VARIABLES.items() if name.endswith("_FILE")}
    assert {path.name for path in paths} == keys
    assert f"create secret generic {secret['secretName']} " in MANIFEST_TEXT
    assert secret["defaultMode"] == 0o440  # root's, readable for the group that fsGroup names
    labels = MANIFEST["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert MANIFEST["Service"]["spec"]["selector"] == labels
    assert (
        POD["volumes"][0]["persistentVolumeClaim"]["claimName"]
        == MANIFEST["PersistentVolumeClaim"]["metadata"]["name"]
    )


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


def test_what_the_image_copies_is_sent_to_the_builder() -> None:
    """.dockerignore excludes everything that it does not name."""
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    sources = [source for line in copied for source in line.split()]
    assert [source for source in sources if source not in allowed] == []
    assert [name for name in allowed if not (ROOT / name).exists()] == []


def test_the_image_says_what_it_is_and_health_is_asked_where_the_service_answers() -> None:
    """The labels that registries and upgrade tools show."""
    labels = set(re.findall(r"org\.opencontainers\.image\.(\w+)=", DOCKERFILE))
    assert labels >= {"title", "description", "source", "documentation", "licenses", "version", "revision"}
    assert "/healthz" in DOCKERFILE
    probes = [CONTAINER[name]["httpGet"] for name in ("startupProbe", "readinessProbe", "livenessProbe")]
    assert probes == [{"path": "/healthz", "port": "http"}] * 3
