"""A web for bench/shards.py, in a process of its own: `python shards_web.py PORT HOSTS PAGES`.

Host n is http://127.0.77.n:PORT/, and each has pages of six hundred words with thirty links: half
to its own pages, half to those of other hosts.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from aiohttp import web

LINKS: Final = 30
WORDS: Final = Path(__file__).read_text().replace("<", " ").split()


def address(host: int) -> str:
    return f"127.0.77.{host + 1}"


def url(host: int, page: int, port: int) -> str:
    return f"http://{address(host)}:{port}/p{page}.html"


@cache
def page_text(host: int, page: int, port: int, hosts: int, pages: int) -> str:
    chance = Random(f"{host} {page}")
    own = [(host, (page + step) % pages) for step in range(1, LINKS // 2 + 1)]
    # so that all pages are found
    others = [((host + 1) % hosts, page)]
    while len(others) < LINKS - len(own):
        others.append((chance.randrange(hosts), chance.randrange(pages)))
    items = "".join(
        f"<li>see <a href='{url(*to, port)}'>page {to[1]} of book {to[0]}</a>"
        for to in own + others
    )
    prose = " ".join(chance.choices(WORDS, k=600))
    title = f"Page {page} of book {host}"
    return (
        f"<!doctype html><title>{title}</title><body><nav>{items}</nav>"
        f"<main><p>{prose}</main>"
    )


def serve(port: int, hosts: int, pages: int) -> None:
    places = {f"{address(host)}:{port}": host for host in range(hosts)}

    async def answer(request: web.Request) -> web.Response:
        stem = request.path[2:].removesuffix(".html")
        host = places.get(request.host)
        if host is None or not stem.isdigit() or int(stem) >= pages:
            return web.Response(status=404)
        text = page_text(host, int(stem), port, hosts, pages)
        return web.Response(text=text, content_type="text/html")

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    web.run_app(app, host="0.0.0.0", port=port, access_log=None, print=None)


if __name__ == "__main__":
    serve(*map(int, sys.argv[1:]))
