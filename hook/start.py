"""The very first of a run of the hook: the event is on disk before anything that takes time is imported.

Importing the settings alone takes 0.3 s, in which a container may be stopped; and if a library is missing after an
upgrade, the event is kept all the same. Only what Python loads at its start anyway is imported here.
"""

import os

TYPE_CHECKING = False  # importing typing takes time
if TYPE_CHECKING:
    from collections.abc import Mapping

CONTAINER_DATA = "/usr/src/paperless/data"
MAX_ID = 2**32 - 2


def entry() -> None:
    keep(os.environ)
    from hook.post_consume import entry as run

    run()


def keep(environ: "Mapping[str, str]", container_data: str = CONTAINER_DATA) -> bool:
    """Makes the file of the event (hook/queue.py): its name alone is the event. False if it is left to the hook:
    there is no index yet, its directory is known to the settings only, or it cannot be written."""
    number = environ.get("DOCUMENT_ID", "")
    directory = index_dir(environ, container_data)
    if not (number.isascii() and number.isdecimal() and len(number) <= 10 and 0 < int(number) <= MAX_ID):
        return False
    if not directory.startswith("/"):
        return False
    try:
        place = os.open(f"{directory}/queue", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        _make(str(int(number)), place)
    except OSError:
        return False
    finally:
        os.close(place)
    return True


def _make(name: str, place: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    file = os.open(name, flags, 0o600, dir_fd=place)
    try:
        os.utime(file)  # whoever is examining the document just now must not remove the event when it is done
        if os.geteuid() == 0:  # `docker exec`: the user that runs Paperless must be able to use it
            owner = os.fstat(place)
            os.fchown(file, owner.st_uid, owner.st_gid)
    finally:
        os.close(file)
    os.fsync(place)


def index_dir(environ: "Mapping[str, str]", container_data: str) -> str:
    """As the settings find it; empty if a file may say something else."""
    if named := _set(environ, "DEDUPE_INDEX_DIR"):
        return named
    if _set(environ, "DEDUPE_ENV_FILE"):
        return ""
    if os.path.isdir(container_data):  # noqa: PTH112 - importing pathlib takes time
        return f"{container_data}/dedupe"
    home = _set(environ, "HOME") or _home_of_user()
    return f"{home}/.local/share/paperless-dedupe" if home else ""


def _home_of_user() -> str:
    """As in hook/settings/environment.py."""
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:
        return ""


def _set(environ: "Mapping[str, str]", name: str) -> str:
    value = environ.get(name, "").strip()
    return "" if value == "None" else value
