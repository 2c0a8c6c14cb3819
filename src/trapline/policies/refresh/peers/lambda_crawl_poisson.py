"""lambda-crawl-poisson: LambdaCrawl with the timing that was published: Poisson processes.

Everything else is as in `lambda-crawl`: the time to a page's next visit is drawn from the
exponential law of mean 1/f instead of being 1/f. (Source: Kolobov, Peres, Lu & Horvitz, NeurIPS
2019.)

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(2)
>>> for policy in (LambdaCrawl(), LambdaCrawlPoisson()):
...     for page in (0, 1):
...         _ = policy.settle(cards, page, a_visit(now_s=5.0))
...     print(cards["rate"][0, 0] == cards["rate"][1, 0])
True
False
"""

from __future__ import annotations

from trapline.policies.refresh.peers.budget_share import DAY_S
from trapline.policies.refresh.peers.lambda_crawl import LambdaCrawl


class LambdaCrawlPoisson(LambdaCrawl):
    def __init__(
        self,
        signalled: float = 0,
        imaginary_s: float = 43_200.0,
        slowest_s: float = DAY_S / 0.0005,
        fastest_s: float = DAY_S / 7.0,
        seed: float = 0,
    ) -> None:
        super().__init__("poisson", signalled, imaginary_s, slowest_s, fastest_s, seed)
