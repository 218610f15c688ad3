"""Sets of pairs that are built here: the rules of rules/construct.smk make them."""

from plumbline.config.benchmark import ConstructedBenchmark
from plumbline.data.loader import made_elsewhere

made_elsewhere("construct", ConstructedBenchmark)
