"""The pages of a broker: results that come from several engines, and the engines themselves."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import Annotated, Final, Protocol

from fastapi import Depends, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from trapline.app.federation.asking.broker_answer import BrokerAnswer
from trapline.app.web.error_pages import COME_BACK
from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.html_response import html_response
from trapline.app.web.pages.search.engine_filter import EngineChoice
from trapline.app.web.pages.search.federated_page import (
    FederatedView,
    federated_page,
    federated_part,
)
