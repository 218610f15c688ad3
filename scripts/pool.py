"""Read a set's pools, account for every row, and draw what pairs are made of."""

from plumbline.config.construct import Pool
from plumbline.config.typed import build
from plumbline.derive.pools import draw, load_pool, write_pool
from plumbline.records.job import Job, log, run
from plumbline.sources.archive import SourceFiles


def main(job: Job) -> None:
    settings = job.setting("pool")
    pools = {name: build(Pool, pool, f"pool.{name}") for name, pool in settings["pools"].items()}
    sources = {path.stem: SourceFiles(path) for path in job.named_inputs["sources"]}
    items = [item for name, pool in pools.items() for item in load_pool(name, pool, sources[pool.source])]
    drawn = draw(items, settings["size"], settings["seed"])
    write_pool(job.outputs[0], drawn)
    log.info("%d rows, %d drawn", len(drawn), sum(item.drawn for item in drawn))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
