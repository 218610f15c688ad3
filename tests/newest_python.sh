#!/usr/bin/env bash
# On the newest Python that is here: the unit tests of the library below its measures (whose arithmetic is that of
# NumPy) and commands, and the demo's tables made again from the same answers of models.
# They are compared byte for byte with those of `make demo`, which has to be run first. With `--setup` the environment
# is set up, and nothing run.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$PWD/.venv-newest
python=$(envs/find-python --newest)
usual=.venv/bin/python
[ -x "$usual" ] || usual=$(envs/find-python)
if [ "$("$python" --version)" = "$("$usual" --version)" ]; then
  echo "$($python --version) is the newest here, and all else has run on it"
  exit
fi
make --no-print-directory "$venv/.develop" VENV="$venv" PYTHON="$python"
[ "${1:-}" != --setup ] || exit 0
export PATH="$venv/bin:$PATH" PYTHONDONTWRITEBYTECODE=1
pytest -n 2 --dist loadfile -p no:cacheprovider \
  tests/unit/{asking,audit,config,derive,models,people,records,report}

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents --no-dereference -t "$copy"
cp -r .store "$copy"
(cd "$copy" && PYTHONPATH=scripts snakemake --cores 2 --config experiment=demo)
diff -r --exclude='*.json' --exclude='*.log' results/tables "$copy/results/tables"
diff -r --exclude='*.json' --exclude='*.log' results/cells "$copy/results/cells"
echo "the demo's tables and cells are the same on $(python --version) and $(.venv/bin/python --version)"
