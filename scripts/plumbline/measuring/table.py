"""Every cell of a table from instances, labels and verdicts, with its interval, status and reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np

from plumbline.config.tables import Pick, Table
from plumbline.data.verdicts import READINGS, Reading
from plumbline.measuring import derived
from plumbline.measuring.best import with_best
from plumbline.measuring.bootstrap import Bootstrap, Estimate
from plumbline.measuring.built_sets import BuiltSets, plans_of, without_empty
from plumbline.measuring.cases import Cases
from plumbline.measuring.cells import Cell, Status, status_of
from plumbline.measuring.crossfit import cross_fitted
from plumbline.measuring.derived import Result, combined
from plumbline.measuring.failing import MeasureFailed
from plumbline.measuring.measure import Measure, named
from plumbline.measuring.moved import why_strict_differs
from plumbline.measuring.plans import P_VALUES, Plan, benchmarks, digits_and_unit, is_built
from plumbline.measuring.plans import derived as follows_from
from plumbline.measuring.ranks import group_ranked, ranked
from plumbline.measuring.sampling import Part, Sampling, averaged, close, counted, marks, measured, missing
from plumbline.measuring.significance import tested
from plumbline.measuring.units import observe
from plumbline.records.errors import PlumblineError

ROUNDING = 1e-9
"""Values that differ by less are the same, but for the order of additions."""
UNDEFINED = "the measure is not defined here: no instance has all that it needs, or what it needs does not vary"
ONE_GROUP = "no interval, as there is only one instance or cluster to draw"
ALONE = ("mean", "best_of", "difference")
"""The ways to follow from some rows or columns alone; the others are among all of a kind."""


def belongs(way: str, pick: Pick) -> bool:
    """Whether a row or column is one of those among which another one stands."""
    return bool(pick.difference) if way in P_VALUES else not follows_from(pick)


Axis = Literal["row", "column"]
ROW: Axis = "row"
COLUMN: Axis = "column"


class Place(NamedTuple):
    """Where a number stands."""

    row: str
    column: str
    metric: str
    reading: Reading

    def at(self, axis: Axis, name: str) -> Place:
        """The same in another row or column."""
        return self._replace(row=name) if axis == ROW else self._replace(column=name)


class Measuring:
    """Computes the cells of one table; each benchmark is read once, and each sample of it drawn once."""

    def __init__(
        self,
        table: Table,
        bootstrap: Bootstrap,
        cases: Mapping[str, Cases],
        built: Mapping[str, BuiltSets] = MappingProxyType({}),
    ) -> None:
        """`built` are the benchmarks among them whose sets are built here."""
        self.table, self.bootstrap, self.built = without_empty(table, built), bootstrap, built
        self.plans = {(plan.row, plan.column, plan.metric): plan for plan in plans_of(table, self.table)}
        self._results: dict[Place, Result] = {}
        self._samplings = {name: self._sampling(name, cases[name]) for name in benchmarks(self.table)}

    def cells(self) -> list[Cell]:
        self._refuse_empty_strata()
        cells: list[Cell] = []
        for row in self.table.rows:
            cells += [cell for plan in self.plans.values() if plan.row == row for cell in self._both(plan)]
            for sampling in self._samplings.values():
                sampling.forget()
        return with_best(self.table, cells)

    def _built(self) -> list[Plan]:
        return [plan for plan in self.plans.values() if is_built(self.table, plan)]

    def _sampling(self, benchmark: str, cases: Cases) -> Sampling:
        built = [plan for plan in self._built() if plan.pick.benchmark == benchmark]
        judges = dict.fromkeys(judge for plan in built for judge in plan.judges)
        strata = [stratum for plan in built for stratum in plan.strata]
        observed = observe(
            cases.read(judges),
            dict.fromkeys(run for plan in built for run in plan.runs),
            dict.fromkeys(stratum.chosen for stratum in strata),
            dict.fromkeys(stratum.cluster for stratum in strata if stratum.cluster),
        )
        chosen = any(pick.best_of for group in (self.table.rows, self.table.columns) for pick in group.values())
        return Sampling(benchmark, observed, self.bootstrap, chosen)

    def _refuse_empty_strata(self) -> None:
        """A mean over nothing is no number; all that lack instances are named at once."""
        empty = dict.fromkeys(
            f"{stratum.subset or 'all'!r} of {plan.pick.benchmark}, asked by row {plan.row!r}"
            for plan in self._built()
            if plan.measure.judged
            if plan.observation not in self._samplings[plan.pick.benchmark].observed.failed
            for parts in self._runs(plan)
            for stratum, part in zip(plan.strata, parts, strict=True)
            if not part.counts.sum()
        )
        if empty:
            raise PlumblineError(
                "a subset has no judged instance, so there is nothing to average",
                where=f"table {self.table.paper}/{self.table.name}",
                found="; ".join(empty),
                do="take the subset out of the table's columns, or give it instances",
            )

    def _runs(self, plan: Plan) -> list[list[Part]]:
        """Of each run that is averaged, its parts."""
        sampling = self._samplings[plan.pick.benchmark]
        return [[sampling.part(run, stratum) for stratum in plan.strata] for run in plan.runs]

    def _result(self, place: Place) -> Result:
        if place not in self._results:
            self._results[place] = self._computed(self.plans[place[:3]], place)
        return self._results[place]

    def _computed(self, plan: Plan, place: Place) -> Result:
        if plan.pick.waits.kinds:
            return derived.waiting(plan.pick.waits.kinds, plan.pick.waits.reason)
        # a column that follows from others does so within each row, the best of some rows included
        for axis, group, name in ((COLUMN, self.table.columns, place.column), (ROW, self.table.rows, place.row)):
            follows = follows_from(group[name])
            if follows:
                way, sources = follows
                if way in ALONE:
                    return self._combined(place, axis, way, sources, group[name].pooled)
                return self._among(place, axis, way, *sources)
        return self._measured(plan, place.reading)

    def _combined(self, place: Place, axis: Axis, way: str, sources: Sequence[str], pooled: bool) -> Result:
        results = {source: self._result(place.at(axis, source)) for source in sources}
        measure = self.plans[place[:3]].measure
        if way == "difference" and (beside := self._whose_error(place)):
            return derived.lacking(results) or derived.error_of(self._result(beside))
        if way != "best_of" or place.reading == "as_published":
            return combined(way, measure, results, pooled)
        return derived.lacking(results) or self._cross_fitted(place, axis, measure, results)

    def _whose_error(self, place: Place) -> Place | None:
        """The number of the same row whose standard error stands here, where the table has it."""
        pick = self.plans[place[:3]].pick
        beside = (
            Place(plan.row, plan.column, plan.metric, place.reading)
            for plan in self.plans.values()
            if plan.row == place.row
            and plan.measure.error == place.metric
            and replace(plan.pick, metric="") == replace(pick, metric="")
        )
        return next(beside, None)

    def _cross_fitted(self, place: Place, axis: Axis, measure: Measure, results: Mapping[str, Result]) -> Result:
        """Strictly, the best is chosen on other instances than it is measured on; of several runs by the first."""
        among = {name: self.plans[place.at(axis, name)[:3]] for name in results}
        parts = {name: self._runs(plan)[0] for name, plan in among.items()}
        pooled = next(iter(among.values())).pick.pooled
        try:
            return derived.cross_fitted(cross_fitted(measure, parts, place.reading, pooled), results)
        except MeasureFailed as error:
            return derived.failed(error)

    def _among(self, place: Place, axis: Axis, way: str, source: str) -> Result:
        """What a row is among others by a column, or a column among others by a row."""
        across, group = (ROW, self.table.rows) if axis == COLUMN else (COLUMN, self.table.columns)
        mine = place.row if axis == COLUMN else place.column
        at = place.at(axis, source)
        results = {
            name: self._result(at.at(across, name))
            for name, pick in group.items()
            if at.at(across, name)[:3] in self.plans and belongs(way, pick)
        }
        own, measure = self._result(at.at(across, mine)), self.plans[place[:3]].measure
        if way in P_VALUES:
            return tested(way, mine, results, own)
        results = {mine: own} | results
        if way == "rank":
            return ranked(measure, mine, results)
        return group_ranked(measure, mine, results, place.reading, self.bootstrap.level)

    def _measured(self, plan: Plan, reading: Reading) -> Result:
        try:
            return self._sampled(plan, reading)
        except MeasureFailed as error:
            return derived.failed(error)

    def _sampled(self, plan: Plan, reading: Reading) -> Result:
        runs, measure = self._runs(plan), plan.measure
        found = averaged([measured(measure, parts, reading, plan.pick.pooled) for parts in runs])
        parts = [part for run in runs for part in run]
        special = [*self._marks_of_sets(plan), *marks(parts), *found.marks]
        judged = sum(int(part.counts.sum()) for part in runs[0])
        if measure.undefined and judged > found.n:
            special.append(f"{measure.undefined}: {judged - found.n:,}")
        cluster = plan.pick.cluster
        name = "" if measure.adds else f"bootstrap by {cluster}" if cluster else "bootstrap"
        draws = found.draws
        if not measure.adds and any(part.resamples.groups == 1 for part in parts):
            draws = np.full(len(draws), np.nan)
            special.append(ONE_GROUP)
        result = Result(found.value, draws, found.n, missing(parts), tuple(special), name, close(parts))
        if not measure.error:
            return result
        error = named(measure.error)
        formula = averaged([measured(error, run, reading, plan.pick.pooled) for run in runs])
        return replace(result, se=formula.value, se_name=error.title)

    def _marks_of_sets(self, plan: Plan) -> tuple[str, ...]:
        sets = self.built.get(plan.pick.benchmark)
        return sets.marks(plan.pick.subsets) if sets else ()

    def _both(self, plan: Plan) -> Iterator[Cell]:
        published, strict = (self._result(Place(plan.row, plan.column, plan.metric, reading)) for reading in READINGS)
        try:
            why = self._why_strict_differs(plan, published, strict)
        except MeasureFailed as error:
            why, strict = "", derived.failed(error)
        yield self._cell(plan, "as_published", published, "")
        yield self._cell(plan, "strict", strict, why)

    def _why_strict_differs(self, plan: Plan, published: Result, strict: Result) -> str:
        difference = strict.value - published.value
        if not abs(difference) > ROUNDING:
            return ""
        if not is_built(self.table, plan):
            follows = follows_from(self.table.columns[plan.column]) or follows_from(self.table.rows[plan.row])
            if follows and follows[0] == "best_of":
                return f"strictly {difference:+.3g}, as the best is chosen on other instances than it is measured on"
            return f"strictly {difference:+.3g}, as what it follows from differs"
        parts = [part for run in self._runs(plan) for part in run]
        return why_strict_differs(plan.measure, counted(parts), difference)

    def _cell(self, plan: Plan, reading: Reading, result: Result, moved: str) -> Cell:
        interval = Estimate.of(result.value, result.draws, self.bootstrap.level)
        digits, unit = digits_and_unit(self.table, plan)
        status: Status
        if result.failed:
            status, reasons = "failed", [result.reason]
        elif result.waits_for:
            status, reasons = "waiting" if plan.paper is not None else "unprinted", [result.reason]
        elif np.isnan(result.value):
            status, reasons = "undefined", [result.reason or UNDEFINED]
        else:
            status = status_of(result.value, interval.low, interval.high, plan.paper, digits)
            reasons = [self._declared(plan) if status in ("within", "differs") else "", moved]
        return Cell(
            row=plan.row,
            column=plan.column,
            metric=plan.metric,
            reading=reading,
            value=_number(result.value),
            paper=plan.paper,
            status=status,
            reason="; ".join(filter(None, reasons)),
            n=result.n,
            low=_number(interval.low),
            high=_number(interval.high),
            se=_number(interval.se if result.se is None else result.se),
            se_name=result.se_name,
            title=plan.measure.title,
            unit=unit,
            digits=digits,
            benchmark=plan.pick.benchmark,
            subsets=tuple(plan.pick.subsets),
            model=plan.pick.model,
            protocol=plan.pick.protocol,
            **result.missing,
            close=result.close,
            marks=result.marks,
            waits_for=result.waits_for,
            best=False,
        )

    def _declared(self, plan: Plan) -> str:
        for known in self.table.reasons:
            columns, metrics = known.columns or [plan.column], known.metrics or [plan.metric]
            if known.row == plan.row and plan.column in columns and plan.metric in metrics:
                return known.reason
        return ""


def _number(value: float) -> float | None:
    """A number for a file, in which what is not defined is empty."""
    return None if np.isnan(value) else value
