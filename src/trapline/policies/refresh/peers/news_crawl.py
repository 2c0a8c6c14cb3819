"""news-crawl: Common Crawl's news crawler: StormCrawler's interval rule with other numbers.

Changed I ← 0.8·I + 0.2·I_min; unchanged I ← min(1.5·I, I_max); 90 minutes to 90 days. (Source:
commoncrawl/news-crawl, conf/crawler-conf.yaml.)

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> policy = NewsCrawl(interval_s=10_000.0)
>>> _ = policy.settle(cards, 0, a_visit(changed=True, age_s=9.0, now_s=0.0))
>>> round(float(cards["not_before"][0]), 6)  # 0.8·10000 + 0.2·5400
9080.0
"""

from __future__ import annotations

from trapline.policies.refresh.peers.interval_rule import DAY_S
from trapline.policies.refresh.peers.stormcrawler_adaptive import StormCrawlerAdaptive


class NewsCrawl(StormCrawlerAdaptive):
    def __init__(
        self,
        interval_s: float = DAY_S,
        least_s: float = 5400.0,
        most_s: float = 90 * DAY_S,
        longer: float = 0.5,
        shorter: float = 0.2,
    ) -> None:
        super().__init__(interval_s, least_s, most_s, longer, shorter)
