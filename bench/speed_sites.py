"""Sites for bench/speed.py: folders of HTML, served on loopback by a process of its own, whose work
is not counted.

nginx if it is there, else aiohttp's file server. Every host of the web box (a folder built by its
own script; give it with --box) is such a folder; the box's own nginx is left alone, because it
limits rates and asks for delays.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_NGINX: Final = """
worker_processes 1; daemon off; pid {home}/pid; error_log {home}/error.log crit;
events {{ worker_connections 4096; }}
http {{
  types {{
    text/html html htm; text/plain txt; text/css css;
    application/javascript js; image/png png;
  }}
  default_type application/octet-stream; access_log off; sendfile on;
  keepalive_requests 1000000; etag on; absolute_redirect off;
  client_body_temp_path {home}/b; proxy_temp_path {home}/p; fastcgi_temp_path {home}/f;
  uwsgi_temp_path {home}/u; scgi_temp_path {home}/s;
  server {{
    listen {port} backlog=4096; root "{folder}"; index index.html;
    location = /robots.txt {{
      default_type text/plain; return 200 "User-agent: *\\nDisallow: /_sources/\\n";
    }}
  }}
}}
"""


@dataclass(frozen=True, slots=True)
class Site:
    name: str
    folder: Path
    start: str  # path of the page to begin with


def box_site(box: Path, host: str) -> Site | None:
    """A host of the web box, if the box is there."""
    manifest = box / "manifest.json"
    if not manifest.exists():
        return None
    hosts = json.loads(manifest.read_text())["hosts"]
    return next(
        (
            Site(host, Path(one["docroot"]), one["start"])
            for one in hosts
            if one["host"] == host
        ),
        None,
    )


def written_site(folder: Path, pages: int = 1_000, links: int = 30) -> Site:
    """A site for machines without the web box: made-up prose, each page linking to its neighbours
    and to far pages.
    """
    words = Path(__file__).read_text().split()
    for page in range(pages):
        prose = " ".join(
            words[(page * 7 + i * i) % len(words)] for i in range(600)
        ).replace("<", " ")
        near = [(page * links + i + 1) % pages for i in range(links // 2)]
        far = [(page + i) % pages for i in range(links - len(near))]
        list_of = "".join(
            f"<li>see <a href='p{to}.html'>page {to} of the book</a>"
            for to in near + far
        )
        html = (
            "<!doctype html><title>Page "
            f"{page}</title><body><nav>{list_of}</nav><main><p>{prose}</main>"
        )
        (folder / f"p{page}.html").write_text(html)
    return Site("written", folder, "/p0.html")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """host:port of a server that serves a folder, on every loopback address, until the
    block ends.
    """
    port = _free_port()
    with tempfile.TemporaryDirectory(prefix="trapline-speed-") as home:
        Path(home).chmod(0o755)
        nginx = shutil.which("nginx") or shutil.which(
            "nginx", path="/usr/sbin:/usr/local/sbin"
        )
        if nginx:
            settings = Path(home, "nginx.conf")
            settings.write_text(_NGINX.format(home=home, port=port, folder=folder))
            command = [
                nginx,
                "-c",
                str(settings),
                "-p",
                home,
                "-e",
                f"{home}/error.log",
            ]
        else:
            command = [sys.executable, __file__, str(folder), str(port)]
        server = subprocess.Popen(command)
        try:
            _wait_for(port)
            yield f"127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("", 0))
        return int(listener.getsockname()[1])


def _wait_for(port: int) -> None:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit("the server of the bench did not start")


def _serve(folder: str, port: int) -> None:
    """What there is without nginx."""
    from aiohttp import web

    async def robots(request: web.Request) -> web.StreamResponse:
        return web.Response(text="User-agent: *\nDisallow: /_sources/\n")

    app = web.Application()
    app.router.add_get("/robots.txt", robots)
    app.router.add_static("/", folder)
    web.run_app(app, port=port, access_log=None, print=None)


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))
