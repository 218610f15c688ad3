"""Another benchmark with more to it: the rule `derived` makes it."""

from plumbline.config.benchmark import DerivedBenchmark
from plumbline.data.loader import made_elsewhere

made_elsewhere("derived", DerivedBenchmark)
