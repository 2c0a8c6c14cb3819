"""Lines of the journal: the kinds of calls, and records as text in them."""

from __future__ import annotations

from base64 import b64decode
from binascii import b2a_base64

import numpy as np

from trapline.core.links import LINK, Links, Signals

ADMIT = "admit"
ISSUE = "issue"
LAND = "land"
SETTLE = "settle"
FIND = "find"
CALL_ON = "call"
MEET = "meet"
EXPIRE = "expire"
LOCATE = "at"
TAKE_BACK = "back"
SET_CLOCK = "clock"
WAKE_UP = "wake"
# what people order
PAUSE = "pause"
BOUND = "bound"
FORGET = "forget"
UNMEET = "unmeet"
VISIT = "visit"
INTERVALS = "intervals"
# what people ask for
WEIGH = "weigh"
# what other shards and the treasurer say
SPEND = "spend"
RECEIVE = "receive"


def pack_records(records: Links | Signals) -> str:
    return (
        b2a_base64(records.tobytes(), newline=False).decode("ascii")
        if len(records)
        else ""
    )


def unpack_links(text: str) -> Links:
    # kernels are compiled for arrays that may be written
    return np.frombuffer(b64decode(text), LINK).copy()
