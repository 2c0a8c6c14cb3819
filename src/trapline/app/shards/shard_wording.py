"""One shard in a row, as people read it on a terminal and in a browser."""

from __future__ import annotations

from typing import Final

from trapline.app.shards.shard_figures import ShardFigures
from trapline.policies.wording import say_span

SHARD_COLUMNS: Final = (
    *("shard", "owner", "epoch", "rate", "price"),
    *("visits", "held", "fringe", "letters", "lag", "saved"),
)


def shard_cells(row: ShardFigures) -> tuple[str, ...]:
    """Under `SHARD_COLUMNS`: its rate is what is granted to it, `saved` how old its checkpoint is.

    >>> shard_cells(ShardFigures(3, "", 0, None, 0.0, 0, 0, 0, 0, 0, False, 0, 0.0, None, ""))
    ('3', 'nobody', '0', '–', '–', '0', '0', '0', '0', '–', 'never')
    """
    return (
        str(row.shard),
        _owner(row),
        f"{row.epoch:,}",
        "–" if row.rate_per_s is None else f"{row.rate_per_s:.3g}/s",
        f"{row.market_price:.3g}" if row.market_price else "–",
        f"{row.visits:,}",
        f"{row.held:,}",
        f"{row.fringe:,}",
        f"{row.letters:,}",
        say_span(row.mail_lag_s) if row.letters else "–",
        "never" if row.checkpoint_age_s is None else say_span(row.checkpoint_age_s),
    )


def _owner(row: ShardFigures) -> str:
    if row.owner:
        return row.owner
    return "nobody (it died)" if row.lapsed else "nobody"
