"""Settings: where they come from, what is refused and how, and that no secret ever shows."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from dedupe_core.model import Relation
from hook.errors import SettingsError
from hook.settings.environment import default_index_dir, variable_of
from hook.settings.loading import load_settings, unknown_variables
from hook.settings.model import Settings
from hook.settings.types import RELATIONS, Mark, OnConfirm, Scope, text_of
from tests.programs import python

HOME = {"HOME": "/home/ann"}


def load(**variables: str) -> Settings:
    return load_settings({**HOME, **variables})


def refusal(**variables: str) -> str:
    with pytest.raises(SettingsError) as caught:
        load(**variables)
    return str(caught.value)


def token(settings: Settings) -> str:
    return settings.token.get_secret_value() if settings.token else ""


def test_defaults() -> None:
    """Beside Paperless only the token is needed."""
    settings = load()
    assert settings.url == "http://localhost:8000"
    assert settings.scope is Scope.OWNER
    assert settings.deadline_s == 30
    assert settings.on_confirm is OnConfirm.KEEP
    assert settings.index_dir == Path("/home/ann/.local/share/paperless-dedupe")
    assert settings.tag_for(Relation.RESCAN) == "dedupe:rescan"


def test_only_the_given_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """load_settings takes its environment as an argument; the process's own plays no part."""
    monkeypatch.setenv("DEDUPE_SCOPE", "all")
    monkeypatch.setenv("DEDUPE_TOKEN", "abc")
    monkeypatch.setenv("SCOPE", "all")
    settings = load()
    assert (settings.scope, settings.token) == (Scope.OWNER, None)


@pytest.mark.parametrize("absent", ["", "None", "  "])
def test_empty_and_none_mean_absent(absent: str) -> None:
    """Paperless writes the word None where a value is missing, and compose files leave empty strings."""
    settings = load(
        DEDUPE_SCOPE=absent, DEDUPE_TOKEN=absent, PAPERLESS_TOKEN="abc", DEDUPE_NEXT_SCRIPT=absent
    )
    assert (settings.scope, settings.next_script, token(settings)) == (Scope.OWNER, None, "abc")


# where Paperless is


@pytest.mark.parametrize(
    ("variables", "url"),
    [
        ({"PAPERLESS_PORT": "8010"}, "http://localhost:8010"),
        ({"PAPERLESS_FORCE_SCRIPT_NAME": "/paper"}, "http://localhost:8000/paper"),
        ({"PAPERLESS_FORCE_SCRIPT_NAME": "paper/"}, "http://localhost:8000/paper"),
        ({"PAPERLESS_PORT": "tcp://10.0.0.7:8000"}, "http://localhost:8000"),
        ({"PAPERLESS_PORT": "None", "PAPERLESS_FORCE_SCRIPT_NAME": "None"}, "http://localhost:8000"),
        ({"PAPERLESS_URL": "https://paper.example"}, "http://localhost:8000"),
        ({"DEDUPE_URL": "https://paper.example/sub/", "PAPERLESS_PORT": "9"}, "https://paper.example/sub"),
    ],
)
def test_where_paperless_is(variables: dict[str, str], url: str) -> None:
    """The hook inherits Paperless's variables; Kubernetes writes an address into PAPERLESS_PORT. PAPERLESS_URL is how browsers
    reach Paperless, often through a login proxy."""
    assert load(**variables).url == url


@pytest.mark.parametrize(
    "url",
    [
        *("localhost:8000", "ftp://h", "http://", "http://h:x", "http://h:99999", "http://[::1"),
        *("http://h/?a=1", "http://h/#a", "http://a b/", "http://ann:hush@h/"),
    ],
)
def test_bad_url(url: str) -> None:
    """Nor one with a password, which is not repeated."""
    message = refusal(DEDUPE_URL=url)
    assert message.startswith("DEDUPE_URL must ")
    assert "hush" not in message


def test_index_dir(tmp_path: Path) -> None:
    """Beside Paperless's data where its volume is, else where this user's programs keep theirs."""
    assert default_index_dir(HOME, container_data=tmp_path) == tmp_path / "dedupe"
    with pytest.raises(SettingsError, match="DEDUPE_INDEX_DIR"):
        default_index_dir({}, container_data=tmp_path / "none", home_of=lambda: "")
    # systemd sets no HOME for a unit without `User=`, and many run Paperless as root in such a unit.
    home = Path(pwd.getpwuid(os.geteuid()).pw_dir)
    by_user = default_index_dir({}, container_data=tmp_path / "none")
    assert by_user == home / ".local" / "share" / "paperless-dedupe"


# secrets


def test_token_precedence(tmp_path: Path) -> None:
    """Our own name first, then the two that other add-ons use; a plain value before its file."""
    (tmp_path / "token").write_text(" from-file\n")
    file = str(tmp_path / "token")
    names = {"DEDUPE_TOKEN": "1", "DEDUPE_TOKEN_FILE": file, "PAPERLESS_API_TOKEN": "2"}
    names |= {"PAPERLESS_API_TOKEN_FILE": file, "PAPERLESS_TOKEN": "3", "PAPERLESS_TOKEN_FILE": file}
    for expected in ("1", "from-file", "2", "from-file", "3", "from-file"):
        assert token(load(**names)) == expected
        del names[next(iter(names))]


def test_bad_secret_files(tmp_path: Path) -> None:
    """Missing, empty or binary: the variable and the path are named, never the content."""
    (tmp_path / "empty").write_text(" \n")
    (tmp_path / "binary").write_bytes(b"\xff\xfehush")
    for name, words in [("missing", "cannot be read"), ("empty", "is empty"), ("binary", "not a text file")]:
        message = refusal(DEDUPE_TOKEN_FILE=str(tmp_path / name))
        assert message.startswith("DEDUPE_TOKEN_FILE: ")
        assert words in message
        assert "hush" not in message


def test_secrets_never_show() -> None:
    """Not in the settings' repr, not in the message about a wrong token."""
    settings = load(DEDUPE_TOKEN="abc123", DEDUPE_SECRET="hush")
    assert "abc123" not in f"{settings} {settings!r} {settings.model_dump()}"
    assert "hush" not in f"{settings} {settings!r}"
    with pytest.raises(SettingsError, match="DEDUPE_TOKEN must be") as caught:
        load(DEDUPE_TOKEN="abc 123", DEDUPE_DEADLINE_S="abc123")
    # A traceback shows pydantic's error, too.
    assert "123" not in f"{caught.value} {caught.value.__cause__!r}"


def test_a_shared_secret_that_is_no_header_value_is_refused() -> None:
    """At the start, not at each request."""
    assert text_of(load().secret) is None
    assert text_of(load(DEDUPE_SECRET="hush hush").secret) == "hush hush"
    for wrong in ("hüsh", "hu\x00sh"):
        message = refusal(DEDUPE_SECRET=wrong)
        assert "DEDUPE_SECRET must" in message
        assert wrong not in message


@pytest.mark.parametrize("name", ["DEDUPE_READ_SECRET", "DEDUPE_DECIDE_SECRET"])
def test_two_secrets_must_differ(name: str) -> None:
    """Whoever may see a workflow of Paperless can read that of the events."""
    assert "must not be the same" in refusal(**{"DEDUPE_SECRET": "hush", name: "hush"})


def test_no_token() -> None:
    """Offline commands need none; what needs one says where it comes from."""
    with pytest.raises(SettingsError, match="API Auth Token"):
        load().required_token()


# the file that is named


def test_the_named_file(tmp_path: Path) -> None:
    """Only our names are taken from it, and the environment wins; a wrong name is an error."""
    file = tmp_path / "our.env"
    file.write_text(
        "# ours\nDEDUPE_SCOPE=all\nexport DEDUPE_LINK_FIELD='Like this'\nPAPERLESS_TOKEN=$abc\n"
        "DEDUPE_DEADLINE_S=60\nHOME=/elsewhere\n"
    )
    settings = load(DEDUPE_ENV_FILE=str(file), DEDUPE_DEADLINE_S="90")
    assert (settings.scope, settings.link_field, settings.deadline_s) == (Scope.ALL, "Like this", 90)
    assert (token(settings), settings.index_dir.parts[1]) == ("$abc", "home")
    assert refusal(DEDUPE_ENV_FILE=str(tmp_path / "none.env")).startswith("DEDUPE_ENV_FILE: ")


def test_an_env_file_in_the_current_directory_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could send the token elsewhere, or name a script to run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("DEDUPE_URL=http://evil\nDEDUPE_NEXT_SCRIPT=/tmp/evil\n")
    assert (load().url, load().next_script) == ("http://localhost:8000", None)


def test_paperless_conf_as_the_named_file(tmp_path: Path) -> None:
    """Without Docker, one file configures both: its port, sub-path and public address are Paperless's own."""
    conf = tmp_path / "paperless.conf"
    conf.write_text(
        "PAPERLESS_SECRET_KEY=x\nPAPERLESS_PORT=8010\nPAPERLESS_FORCE_SCRIPT_NAME=/docs\n"
        f"PAPERLESS_URL=https://paper.example.org\nPAPERLESS_API_TOKEN={'5' * 40}\nDEDUPE_SCOPE=all\n"
    )
    settings = load(DEDUPE_ENV_FILE=str(conf))
    assert settings.url == "http://localhost:8010/docs"
    assert settings.public_url == "https://paper.example.org/docs"
    assert (token(settings), settings.scope) == ("5" * 40, Scope.ALL)
    assert load(DEDUPE_ENV_FILE=str(conf), PAPERLESS_PORT="8020").url == "http://localhost:8020/docs"


# values


def test_marks() -> None:
    settings = load(DEDUPE_ON_RESCAN=" Tag, link ", DEDUPE_ON_IDENTICAL="nothing")
    assert settings.marks_for(Relation.RESCAN) == {Mark.TAG, Mark.LINK}
    assert settings.marks_for(Relation.IDENTICAL) == frozenset()
    assert settings.marks_for(Relation.REVISION) == {Mark.TAG, Mark.NOTE, Mark.LINK}
    assert settings.marks_for(Relation.TRANSLATED) == {Mark.NOTE, Mark.LINK}
    assert settings.marks_for(Relation.SIBLING) == frozenset()


@pytest.mark.parametrize(
    ("name", "value", "meaning"),
    [
        ("tag_other", "true", frozenset(RELATIONS)),
        ("tag_other", "False", frozenset()),
        ("tag_other", "rescan, identical", {Relation.RESCAN, Relation.IDENTICAL}),
        ("trusted_proxies", "10.0.0.1, 172.18.0.0/16,::1", "10.0.0.1/32,172.18.0.0/16,::1/128"),
    ],
)
def test_lists(name: str, value: str, meaning: object) -> None:
    assert getattr(load(**{variable_of(name): value}), name) == meaning


@pytest.mark.parametrize(
    ("variable", "value", "allowed"),
    [
        ("DEDUPE_DEADLINE_S", "4", "greater than or equal to 5"),
        ("DEDUPE_DEADLINE_S", "601", "less than or equal to 600"),
        ("DEDUPE_DEADLINE_S", "soon", "must be a number"),
        ("DEDUPE_SCOPE", "mine", "'owner' or 'all'"),
        ("DEDUPE_ON_RESCAN", "tag,mail", "nothing or a comma-separated list of tag, note, link"),
        ("DEDUPE_TAG_OTHER", "sibling", "true, false or"),
        ("DEDUPE_ON_CONFIRM", "delete", "'keep', 'trash', 'replace' or 'make-version'"),
        ("DEDUPE_FLAG_THRESHOLD", "1.5", "less than or equal to 1"),
        ("DEDUPE_LOG_LEVEL", "loud", "'DEBUG'"),
        ("DEDUPE_REVIEW", "maybe", "true or false"),
        # A name, or everybody, would be believed by mistake, or by nobody.
        *(
            ("DEDUPE_TRUSTED_PROXIES", value, "IP addresses or networks")
            for value in ("*", "proxy", "10.0.0.1/8", "10.0.0.1;10.0.0.2", "10.0.0.256")
        ),
        ("DEDUPE_INDEX_DIR", "./idx", "absolute path"),
        ("DEDUPE_SERVE_PORT", "0", "greater than or equal to 1"),
        ("DEDUPE_LINK_FIELD", "x" * 129, "at most 128 characters"),
    ],
)
def test_what_is_wrong_is_named_with_what_is_allowed(variable: str, value: str, allowed: str) -> None:
    message = refusal(**{variable: value})
    assert message.startswith(f"{variable} ")
    assert allowed in message
    assert ";" not in message


def test_every_problem_is_listed_at_once() -> None:
    message = refusal(DEDUPE_SCOPE="x", DEDUPE_DEADLINE_S="x", DEDUPE_INDEX_DIR="x")
    assert message.count("; ") == 2


def test_each_tag_has_its_own_name() -> None:
    """With one name for two tags, our own mark could count as a person's decision."""
    assert "same value" in refusal(DEDUPE_TAG_CONFIRM="Dedupe:Rescan")


# misspelt variables


def test_misspelt_variables_are_reported(tmp_path: Path) -> None:
    """A typo must not silently mean the default; in the named file either."""
    file = tmp_path / "our.env"
    file.write_text("DEDUPE_SCOOP=all\n")
    names = ("DEDUPE_TOKN", "dedupe_url", "DEDUPE_QQQQ", "PAPERLESS_X", "DEDUPE_TOKEN_FILE")
    environ = {**dict.fromkeys(names, "hush"), "DEDUPE_ENV_FILE": str(file)}
    assert unknown_variables(environ) == [
        "DEDUPE_QQQQ is not a setting: docs/settings.md lists all settings.",
        "DEDUPE_SCOOP is not a setting: did you mean DEDUPE_SCOPE?",
        "DEDUPE_TOKN is not a setting: did you mean DEDUPE_TOKEN?",
        "dedupe_url is not a setting: did you mean DEDUPE_URL?",
    ]


def test_what_kubernetes_sets_is_no_misspelling() -> None:
    """For a service that is called dedupe."""
    links = ("PORT", "PORT_8642_TCP", "PORT_8642_TCP_ADDR", "SERVICE_HOST", "SERVICE_PORT")
    assert unknown_variables({f"DEDUPE_{name}": "x" for name in links}) == []


# the process


@pytest.mark.parametrize(
    ("module", "without"), [("hook.paperless.client", "pydantic"), ("hook.settings.model", "httpx")]
)
def test_imports_stay_apart(module: str, without: str) -> None:
    """The hook is a short-lived process: the client does not load pydantic, nor the settings httpx."""
    code = f"import {module}, sys; sys.exit({without!r} in sys.modules)"
    assert python("-c", code).returncode == 0
