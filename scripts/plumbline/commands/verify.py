"""`plumbline verify`: hash the whole chain again, recompute every cell, name the first link that does not hold."""

from __future__ import annotations

import argparse
from pathlib import Path

from plumbline.chain import Chain
from plumbline.errors import PlumblineError
from plumbline.files import digest_file
from plumbline.manifest import RESULTS, Manifest, manifests, outputs_without_manifest
from plumbline.recompute import check_all


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("verify", help="re-hash every file and recompute every cell from the completions")
    parser.add_argument("path", nargs="?", default="", help="only this result file and what it rests on")
    parser.add_argument("--hashes-only", action="store_true", help="skip the recomputation")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    chain, unreadable = Chain.read_sound(RESULTS)
    if not chain.links and not unreadable:
        raise PlumblineError(
            "there is nothing to verify", where=str(RESULTS), do="build something: snakemake --cores 2"
        )
    links = list(chain.behind(arguments.path)) if arguments.path else list(chain.links.values())
    if not links and arguments.path not in unreadable:
        chain.link(arguments.path)
    broken = dict(filter(None, (broken_link(chain, link) for link in links)))
    if arguments.path:
        below = {arguments.path, *(name for link in links for name in link.recipe.inputs)}
        broken |= {path: why for path, why in unreadable.items() if path in below}
    else:
        broken |= unreadable
        unsigned = outputs_without_manifest(RESULTS, manifests(RESULTS))
        broken |= {path.as_posix(): "no manifest accounts for it" for path in unsigned}
    if not broken and not arguments.hashes_only:
        broken = dict(check_all(chain, [link.path for link in links]))
    first_to_last = sorted(broken, key=lambda path: (path in unreadable, len(list(chain.behind(path)))))
    return report({path: broken[path] for path in first_to_last}, chain.resting_on(broken), len(links))


def broken_link(chain: Chain, link: Manifest) -> tuple[str, str] | None:
    """What is wrong with one file itself, as opposed to what it rests on."""
    path = Path(link.path)
    if not path.is_file():
        return link.path, "the file is gone"
    found = digest_file(path)
    if found != link.sha256:
        return link.path, f"its bytes have changed: expected sha256 {link.sha256}, found {found}"
    for name, sha256 in link.recipe.inputs.items():
        if not name.startswith("results/") and Path(name).is_file() and digest_file(Path(name)) != sha256:
            return link.path, f"it was made from another {name} than the one here"
        if name in chain.links and chain.links[name].sha256 != sha256:
            return link.path, f"it was made from another {name}: that one has been built anew since"
    return None


def report(broken: dict[str, str], resting: list[str], checked: int) -> int:
    for path, why in broken.items():
        print(f"BROKEN  {path}\n        {why}")
    for path in resting:
        print(f"rests on it  {path}")
    if broken:
        first = next(iter(broken))
        print(f"\n{len(broken)} broken, {len(resting)} more rest on them. First link that does not hold: {first}")
        print("Mend it: snakemake builds what does not stand anew.")
        return 1
    print(f"{checked} files verified: every digest holds, every cell follows from the completions.")
    return 0
