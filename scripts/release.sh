#!/bin/sh
# What the release workflow does before it publishes, and what a person runs before the tag is pushed:
#   sh scripts/release.sh v0.2.0
# The tag fits the version and the changelog; wheel and source archive are built into dist/, and the archive makes the same
# wheel; both pass twine; pipx and uv install the wheel into empty directories, where command and hook run.
set -eu
cd "$(dirname "$0")/.."
tag=${1:?the tag, like v0.2.0}
sh scripts/venv.sh
sh scripts/docs.sh tools
python=.venv/bin/python
tools=$PWD/.venv-docs/bin

version=$($python -c "import tomllib; print(tomllib.load(open('pyproject.toml', 'rb'))['project']['version'])")
[ "v$version" = "$tag" ] || { echo "the tag is $tag, the version in pyproject.toml $version" >&2; exit 1; }
grep -qE "^## \[$version\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md ||
    { echo "CHANGELOG.md has no dated heading for $version" >&2; exit 1; }
if grep -rnE "paperless-dedupe:[0-9]" docs/deploy README.md | grep -vF ":$version"; then
    echo "these name another version of the image" >&2
    exit 1
fi

rm -rf dist
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1
$python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
.venv/bin/hatchling build --target sdist --directory dist
$python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$scratch/again" dist/*.tar.gz
cmp dist/*.whl "$scratch"/again/*.whl
"$tools/twine" check --strict dist/*

try() { # the installed command and hook, outside of the source tree, with an empty home
    cd "$1"
    ./bin/paperless-dedupe --version
    for command in $(./bin/paperless-dedupe --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        ./bin/paperless-dedupe "$command" --help >/dev/null
    done
    mkdir home
    HOME=$PWD/home DOCUMENT_ID=1 DEDUPE_URL=http://127.0.0.1:9 DEDUPE_TOKEN=none ./bin/paperless-dedupe-hook
    test -e home/.local/share/paperless-dedupe/queue/1 # Paperless is away: the event waits
}
wheel=$(echo "$PWD"/dist/*.whl)
mkdir "$scratch/pipx" "$scratch/uv"
PIPX_HOME=$scratch/pipx/venvs PIPX_BIN_DIR=$scratch/pipx/bin "$tools/pipx" install --quiet "${wheel}[serve]"
(try "$scratch/pipx")
UV_TOOL_DIR=$scratch/uv/venvs UV_TOOL_BIN_DIR=$scratch/uv/bin "$tools/uv" tool install --quiet --compile-bytecode "${wheel}[serve]"
(try "$scratch/uv")
ls -l dist
