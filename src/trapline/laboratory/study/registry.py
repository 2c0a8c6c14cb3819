"""Experiments by readable id → where they live.

Nothing is imported until one is run, so `lab list` stays light.

>>> [(found.id, found.title) for found in list_experiments()][0]
('foundations/agenda', 'What the agenda earns, beside the exact argmax and the bound')
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final, cast

from trapline.core.errors import UnknownName, UserMistake
from trapline.laboratory.study.report import (
    Experiment,
    Progress,
    Report,
    check_seeds,
    write_csv,
)


@dataclass(frozen=True, slots=True)
class Entry:
    where: str  # module:function
    title: str
    takes_data: bool = False  # whether it can be given a folder


@dataclass(frozen=True, slots=True)
class Listed:
    id: str
    title: str


EXPERIMENTS: Final[dict[str, Entry]] = {
    "foundations/agenda": Entry(
        "trapline.laboratory.papers.foundations.agenda:run",
        "What the agenda earns, beside the exact argmax and the bound",
    ),
    "htraa/chain": Entry(
        "trapline.laboratory.papers.htraa.chain:run",
        "The states of a twofold automaton: its Markov chain beside simulation",
    ),
    "htraa/fig-5": Entry(
        "trapline.laboratory.papers.htraa.fig_5:run",
        "Learning from changes, from their absence, or from both: H-TRAA in (.9, 1.5)",
    ),
    "htraa/fig-6": Entry(
        "trapline.laboratory.papers.htraa.fig_6_to_8:fig_6",
        "Polling 512 pages in (.3, 1.5): who learns how fast, and what order is worth",
    ),
    "htraa/fig-7": Entry(
        "trapline.laboratory.papers.htraa.fig_6_to_8:fig_7",
        "Polling 512 pages in (.3, 1.0), where pages are less unlike",
    ),
    "htraa/fig-8": Entry(
        "trapline.laboratory.papers.htraa.fig_6_to_8:fig_8",
        "Polling 512 pages in (.9, 1.5), where proportional is not optimal",
    ),
    "htraa/fig-9": Entry(
        "trapline.laboratory.papers.htraa.fig_9_10:fig_9",
        "Pages change ranks every 80,000 polls: who recovers",
    ),
    "htraa/fig-10": Entry(
        "trapline.laboratory.papers.htraa.fig_9_10:fig_10",
        "Pages change ranks every 1,000 polls: who keeps up",
    ),
    "htraa/fig-11": Entry(
        "trapline.laboratory.papers.htraa.fig_11_12:fig_11",
        "LAKG, and how its learning slows down as pages become more",
    ),
    "htraa/fig-12": Entry(
        "trapline.laboratory.papers.htraa.fig_11_12:fig_12",
        "H-TRAA, and how its learning slows down as pages become more",
    ),
    "htraa/irregular": Entry(
        "trapline.laboratory.papers.htraa.irregular:run",
        "Pages change ranks at random times: are the results similar?",
    ),
    "htraa/knapsack": Entry(
        "trapline.laboratory.papers.htraa.knapsack:run",
        "Filling a knapsack whose materials are worth less the more there is",
    ),
    "htraa/scale": Entry(
        "trapline.laboratory.papers.htraa.scale:run",
        "posterior against the argmax and the bound, from 512 shuffled pages to a million",
    ),
    "lspe/learners": Entry(
        "trapline.laboratory.papers.lspe.learners:run",
        "Ephemeral sources, known or learnt: reward against slots, as a share of the bound",
    ),
    "lspe/lifetime": Entry(
        "trapline.laboratory.papers.lspe.lifetime:run",
        "Content that is dropped after M slots: whose index notices",
    ),
    "lspe/table-1": Entry(
        "trapline.laboratory.papers.lspe.table_1:run",
        "What the actor-critic earns, beside policies that do not learn",
    ),
    "oasis/cost": Entry(
        "trapline.laboratory.papers.oasis.simulated.cost:run",
        "What a query costs and finds: one index, engines by host, engines by topic",
    ),
    "oasis/liars": Entry(
        "trapline.laboratory.papers.oasis.simulated.liars:run",
        "Engines that lie: what they cost a federation, with and without lessons",
    ),
    "oasis/life": Entry(
        "trapline.laboratory.papers.oasis.simulated.life:run",
        "Engines that are born, grow and die: what comes back, and with how old descriptions",
    ),
    "oasis/merging": Entry(
        "trapline.laboratory.papers.oasis.merging:run",
        "Lists of engines as one list, beside one central index",
        takes_data=True,
    ),
    "oasis/selection": Entry(
        "trapline.laboratory.papers.oasis.selection:run",
        "Which engines to ask, and how many: the share of the central ten that comes back",
        takes_data=True,
    ),
    "omeara/fig-3": Entry(
        "trapline.laboratory.papers.omeara.fig_3:run",
        "What to fetch next, learnt by going through one graph again and again",
    ),
    "omeara/fig-4": Entry(
        "trapline.laboratory.papers.omeara.fig_4_5:fig_4",
        "The first 700 documents: q-learning asks early for poor pages that lead on",
    ),
    "omeara/fig-5": Entry(
        "trapline.laboratory.papers.omeara.fig_4_5:fig_5",
        "The first 700 documents: fringe-greedy takes the best in sight",
    ),
    "omeara/full-model": Entry(
        "trapline.laboratory.papers.omeara.full_model:run",
        "Finding pages and coming back to them, by one price: a web that is born, changes and dies",
    ),
    "omeara/generalise": Entry(
        "trapline.laboratory.papers.omeara.generalise:run",
        "What to fetch next in webs never seen: families of graphs, with and without anchors",
    ),
    "oasis/demand": Entry(
        "trapline.laboratory.papers.oasis.demand:run",
        "Freshness of what is asked for, where demand flows back to the robot",
    ),
    "oasis/specialise": Entry(
        "trapline.laboratory.papers.oasis.specialise:run",
        "Engines that follow suggestions come to share the topics",
    ),
    "scale/discovery": Entry(
        "trapline.laboratory.papers.scale.discovery:run",
        "What eight shards discover together, beside one engine",
    ),
    "scale/one-price": Entry(
        "trapline.laboratory.papers.scale.one_price:run",
        "One budget over many shards: splits, feedback and bids beside one agenda",
    ),
    "search/quality": Entry(
        "trapline.laboratory.papers.search.quality:run",
        "What each factor of the search's ranking is worth, left out in turn",
        takes_data=True,
    ),
    "talim/areas": Entry(
        "trapline.laboratory.papers.talim.areas:run",
        "Which area gets the next fetcher: shares, the emptiest, or where it is worth most",
    ),
    "talim/arrivals": Entry(
        "trapline.laboratory.papers.talim.arrivals:run",
        "How many fetchers when arrivals are not Poisson",
    ),
    "talim/classes": Entry(
        "trapline.laboratory.papers.talim.classes:run",
        "Fetchers of several speeds: the plan that knows them, and the one that does not",
    ),
    "talim/service-times": Entry(
        "trapline.laboratory.papers.talim.service_times:run",
        "How many fetchers when processing times are not exponential",
    ),
    "talim/claims": Entry(
        "trapline.laboratory.papers.talim.claims:run",
        "What the paper proves, suspects or leaves open, tried on many instances",
    ),
    "talim/fig-2": Entry(
        "trapline.laboratory.papers.talim.fig_2_to_5:fig_2",
        "The best number of fetchers grows with the weight of starvation",
    ),
    "talim/fig-3": Entry(
        "trapline.laboratory.papers.talim.fig_2_to_5:fig_3",
        "The best load as the queue grows longer",
    ),
    "talim/fig-4": Entry(
        "trapline.laboratory.papers.talim.fig_2_to_5:fig_4",
        "The best number of fetchers as the queue grows longer",
    ),
    "talim/fig-5": Entry(
        "trapline.laboratory.papers.talim.fig_2_to_5:fig_5",
        "The best number of fetchers for a queue without end",
    ),
    "talim/fig-6": Entry(
        "trapline.laboratory.papers.talim.fig_6_to_8:fig_6",
        "The best dynamic plan at γ = 1.0, below γ(K)",
    ),
    "talim/fig-7": Entry(
        "trapline.laboratory.papers.talim.fig_6_to_8:fig_7",
        "The best dynamic plan at γ = 1.4 = γ(K)",
    ),
    "talim/fig-8": Entry(
        "trapline.laboratory.papers.talim.fig_6_to_8:fig_8",
        "The best dynamic plan at γ = 2.0, above γ(K)",
    ),
    "talim/learners": Entry(
        "trapline.laboratory.papers.talim.learners:run",
        "How many fetchers, rates unknown: cost relative to the optimum",
    ),
    "talim/table-1": Entry(
        "trapline.laboratory.papers.talim.table_1_2:table_1",
        "Static against dynamic: the static optimum's fetchers, woken one by one",
    ),
    "talim/table-2": Entry(
        "trapline.laboratory.papers.talim.table_1_2:table_2",
        "Static against dynamic: as many fetchers as are ever worth waking",
    ),
    "whittle/fig-1": Entry(
        "trapline.laboratory.papers.whittle.fig_1_to_4:fig_1",
        "How the interest in an item fades, source by source",
    ),
    "whittle/fig-2": Entry(
        "trapline.laboratory.papers.whittle.fig_1_to_4:fig_2",
        "What the sources hold when one visit a slot is made (M = 1)",
    ),
    "whittle/fig-3": Entry(
        "trapline.laboratory.papers.whittle.fig_1_to_4:fig_3",
        "What the sources hold when two visits a slot are made (M = 2)",
    ),
    "whittle/fig-4": Entry(
        "trapline.laboratory.papers.whittle.fig_1_to_4:fig_4",
        "What the sources hold when two visits a slot are made (M = 2), contents random and seen",
    ),
    "whittle/joint-control": Entry(
        "trapline.laboratory.papers.whittle.joint_control:run",
        "Fetching and reading under one price: what is earned, beside separate control",
    ),
    "whittle/observed": Entry(
        "trapline.laboratory.papers.whittle.observed:run",
        "Contents that are seen: what visits by their price bring, at low rates",
    ),
    "whittle/price": Entry(
        "trapline.laboratory.papers.whittle.price:run",
        "The price paid in steady state, beside the bound's, before and after the budget doubles",
    ),
    "whittle/table-1": Entry(
        "trapline.laboratory.papers.whittle.table_1:run",
        "What the index policy earns from the four sources of Table I",
    ),
}


def list_experiments() -> list[Listed]:
    return [Listed(name, entry.title) for name, entry in sorted(EXPERIMENTS.items())]


def load_experiment(name: str, data: Path | None = None) -> Experiment:
    """The function behind an id, for that data; raises UnknownName, or UserMistake if it takes
    none.
    """
    if name not in EXPERIMENTS:
        raise UnknownName("experiment", name, list(EXPERIMENTS))
    entry = EXPERIMENTS[name]
    if data is not None and not entry.takes_data:
        takers = ", ".join(name for name, one in EXPERIMENTS.items() if one.takes_data)
        raise UserMistake(f"{name} takes no --data; those that do: {takers}")
    module, _, attribute = entry.where.partition(":")
    experiment = getattr(import_module(module), attribute)
    if data is not None:
        experiment = partial(experiment, data=data)
    return cast("Experiment", experiment)


def _no_progress(done: float, what: str) -> None:
    pass


def run_experiment(
    name: str,
    *,
    progress: Progress = _no_progress,
    out: Path | None = None,
    quick: bool = False,
    seeds: int | None = None,
    data: Path | None = None,
) -> Report:
    """Run an experiment; with `out`, its table (CSV) and figures go there. Some take `data`, a
    folder.

    Raises UnknownName before any work.
    """
    experiment = load_experiment(name, data)
    if seeds is not None:
        check_seeds(seeds)
    report = experiment(progress, out, quick, seeds)
    if out is not None:
        write_csv(report, out)
    return report
