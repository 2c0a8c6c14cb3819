"""One question to a folder and the engines that it knows, without a server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from trapline.app.federation.asking.broker_answer import BrokerAnswer
from trapline.app.federation.asking.own_collection import OwnCollection
from trapline.app.federation.broker import Wish, read_engine_names
from trapline.app.federation.open_broker import BrokerSettings, OpenBroker
from trapline.app.folder.folder_search import open_query_processor
from trapline.app.folder.places.store_link import engine_name
from trapline.search.questions import Answer, Question

NEWS_S: Final = 20.0  # so long directories are heard before it is asked


def ask_once(
    folder: Path, question: Question, engines: str, settings: BrokerSettings
) -> BrokerAnswer:
    processor, store = open_query_processor(folder)

    async def ask_own(asked: Question) -> Answer:
        return await asyncio.to_thread(processor.ask, asked)

    try:
        own = OwnCollection(engine_name(folder), ask_own)
        opened = OpenBroker(folder, own, None, settings)
        try:
            wish = Wish(read_engine_names(engines))
            return asyncio.run(_ask(opened, question, wish))
        finally:
            opened.close()
    finally:
        store.close()


async def _ask(opened: OpenBroker, question: Question, wish: Wish) -> BrokerAnswer:
    try:
        await opened.hear_news(NEWS_S)
        return await opened.broker.ask_to_the_end(question, wish)
    finally:
        await opened.close_connections()
