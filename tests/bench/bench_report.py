"""How fast and how large LLMBar's report is: building it, opening it, a number's story in a browser and a terminal.

Builds everything of LLMBar first (from PLUMBLINE_MIRROR or the network, some minutes), or takes a checkout where that
is done: python tests/bench/bench_report.py FOLDER. The report there is built anew.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from browser.chrome import chrome
from cluster.project import REPOSITORY, copy
from selenium.webdriver import Chrome

RUNS = 7
CELLS = ("Vanilla*|NEIGHBOR|acc", "Metrics+Reference*|AVERAGE|acc", "Swap+CoT*|GPTINST|agr")
STORY = """
    const [key, done] = arguments;
    const start = performance.now();
    const wait = () => document.querySelector(`#story:not([hidden])[data-cell="${CSS.escape(key)}"] .grid tbody tr`)
      ? done(performance.now() - start) : requestAnimationFrame(wait);
    location.hash = place.write({ cell: key });
    wait();
"""
INSTANCE = """
    const [done] = arguments;
    const start = performance.now();
    document.querySelector("#story .grid tbody a").click();
    const shown = () => document.querySelector("#instance .call");
    const wait = () => shown() ? done(performance.now() - start) : requestAnimationFrame(wait);
    wait();
"""
READY = "const t = performance.getEntriesByType('navigation')[0]; return t.domContentLoadedEventEnd"


def line(name: str, result: float, limit: float, unit: str) -> None:
    print(f"{name:52}{result:9.2f} {unit}   under {limit:g}: {'yes' if result < limit else 'NO'}")


def built(folder: Path) -> None:
    """The whole report, with all that it is made of at hand."""
    shutil.rmtree(folder / "results" / "report")
    (folder / "results" / "inventory.json").unlink()
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    make(folder)
    wall = time.perf_counter() - start
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = now.ru_utime + now.ru_stime - before.ru_utime - before.ru_stime
    line("built on 2 cores, wall time", wall, 60, "s ")
    line("  the same in CPU seconds, halved", used / 2, 60, "s ")


def make(folder: Path) -> None:
    mirror = os.environ.get("PLUMBLINE_MIRROR")
    words = [sys.executable, "-m", "snakemake", "llmbar", "--cores", "2", "--quiet", "all"]
    words += ["--config", f"mirror={Path(mirror).resolve()}"] if mirror else []
    subprocess.run(words, cwd=folder, check=True, capture_output=True)


def sized(folder: Path) -> None:
    files = [path for path in (folder / "results" / "report").rglob("*") if path.is_file()]
    line("size with manifests and logs", sum(path.stat().st_size for path in files) / 1e6, 60, "MB")


def opened(browser: Chrome, report: Path) -> None:
    for name in ("llmbar.html", "judges/llmbar.html", "tables/llmbar/table2.html"):
        rows = []
        for _ in range(RUNS):
            browser.get("about:blank")
            browser.get((report / name).as_uri())
            rows.append(browser.execute_script(READY) / 1000)
        line(f"{name} is interactive, median of {RUNS}", median(rows), 1, "s ")


def told(browser: Chrome, report: Path) -> None:
    """From the click to the rows, and from a row to its prompts, each in a page just opened."""
    stories, instances = [], []
    for number in range(RUNS):
        browser.get("about:blank")
        browser.get((report / "tables/llmbar/table2.html").as_uri())
        stories.append(browser.execute_async_script(STORY, CELLS[number % len(CELLS)]))
        instances.append(browser.execute_async_script(INSTANCE))
    line(f"a cell's story, median of {RUNS}", median(stories), 300, "ms")
    line(f"  and one of its instances with all calls, median of {RUNS}", median(instances), 300, "ms")


def explained(folder: Path) -> None:
    rows = []
    environment = os.environ | {"PYTHONPATH": str(folder / "scripts")}
    for number in range(RUNS):
        row, column, metric = CELLS[number % len(CELLS)].split("|")
        words = [sys.executable, "-m", "plumbline.commands.cli", "explain", "llmbar/table2", row, f"{column}.{metric}"]
        start = time.perf_counter()
        subprocess.run(words, cwd=folder, check=True, capture_output=True, env=environment)
        rows.append(time.perf_counter() - start)
    line(f"plumbline explain, median of {RUNS}", median(rows), 1, "s ")


def main() -> None:
    if len(sys.argv) > 1:
        measure(Path(sys.argv[1]).resolve())
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in ("Snakefile", "rules", "scripts", "config", "profiles", "envs"):
            copy(REPOSITORY / name, folder / name)
        make(folder)
        measure(folder)


def measure(folder: Path) -> None:
    built(folder)
    sized(folder)
    explained(folder)
    with tempfile.TemporaryDirectory() as profile:
        browser = chrome(Path(profile))
        try:
            opened(browser, folder / "results" / "report")
            told(browser, folder / "results" / "report")
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
