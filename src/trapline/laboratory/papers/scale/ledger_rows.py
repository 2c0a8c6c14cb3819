"""Shards at work, as the ledger has them: what the treasurer sees.

>>> row_at_work(3, granted_per_s=2.0, heard_per_s=2.5).heard_per_s
2.5
"""

from __future__ import annotations

from trapline.core.ledger import RENEW_S, ShardRow


def row_at_work(shard: int, granted_per_s: float, heard_per_s: float) -> ShardRow:
    """Its owner renews its lease as often as it should."""
    return ShardRow(
        shard=shard,
        epoch=1,
        owner="worker",
        left_s=RENEW_S,
        rate_per_s=granted_per_s,
        heard_per_s=heard_per_s,
        report="",
        reported_ago_s=0.0,
        letters=0,
        oldest_letter_s=0.0,
    )
