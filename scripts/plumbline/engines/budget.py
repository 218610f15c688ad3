"""What a job spends at an endpoint, and the limit at which it stops."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from plumbline import schema
from plumbline.asking import EngineStopped


@dataclass(frozen=True)
class Cost:
    """What requests take, in numbers and tokens."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )

    def __sub__(self, other: Cost) -> Cost:
        return self + Cost(-other.requests, -other.prompt_tokens, -other.completion_tokens)


def money(cost: Cost, model: schema.Model) -> float:
    """What it costs at the prices in the model's file."""
    return (cost.prompt_tokens * model.prompt_price + cost.completion_tokens * model.completion_price) / 1e6


class Purse:
    """Counts what is spent and what is under way, and lets nothing go that the budget might not cover."""

    def __init__(self, budget: schema.Budget, model: schema.Model) -> None:
        self.budget, self.model = budget, model
        self.spent = Cost()
        self.under_way = Cost()
        self._settled = asyncio.Event()

    async def reserve(self, cost: Cost) -> None:
        """Set aside what a request may cost; where the rest is under way, wait what that really costs."""
        while over := self._over(self.spent + self.under_way + cost):
            if self.under_way == Cost():
                raise EngineStopped(
                    f"the budget is used up: the next request would take it to {over}",
                    where=f"{self.model.url}, model {self.model.repository}",
                    found=self._told(self.spent),
                    do="what was answered is kept: raise the engine's budget and run the same command again",
                )
            self._settled.clear()
            await self._settled.wait()
        self.under_way += cost

    def settle(self, reserved: Cost, real: Cost) -> None:
        self.under_way -= reserved
        self.spent += real
        self._settled.set()

    def _over(self, total: Cost) -> str:
        budget = self.budget
        if budget.requests and total.requests > budget.requests:
            return f"{total.requests:,} of {budget.requests:,} requests"
        if budget.tokens and total.tokens > budget.tokens:
            return f"about {total.tokens:,} of {budget.tokens:,} tokens"
        if budget.money and money(total, self.model) > budget.money:
            return f"about {money(total, self.model):,.4f} of {budget.money:,.4f} in money"
        return ""

    def _told(self, cost: Cost) -> str:
        told = f"{cost.requests:,} requests, {cost.prompt_tokens:,} prompt and {cost.completion_tokens:,} answer tokens"
        price = money(cost, self.model)
        return f"{told}, {price:,.4f} in money spent" if price else f"{told} spent"
