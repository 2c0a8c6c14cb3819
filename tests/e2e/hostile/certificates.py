"""Certificates for servers on loopback: one in good order, and some that are not.

Made by `openssl`.
"""

from __future__ import annotations

import shutil
import ssl
import subprocess
from pathlib import Path

ADDRESSES = [f"127.8.0.{n}" for n in range(1, 17)]


def available() -> bool:
    return shutil.which("openssl") is not None


def _openssl(folder: Path, *words: str) -> None:
    subprocess.run(
        ["openssl", *words], cwd=folder, check=True, capture_output=True, timeout=60.0
    )


def make_certificates(folder: Path) -> dict[str, ssl.SSLContext]:
    """Server sides by name; `authority.pem` in the folder is what a client must trust to trust the
    good one.
    """
    ours = "subjectAltName=" + ",".join(f"IP:{address}" for address in ADDRESSES)
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    _openssl(
        folder,
        "req",
        "-x509",
        *curve,
        "-keyout",
        "ca.key",
        "-out",
        "authority.pem",
        "-subj",
        "/CN=test",
        "-days",
        "2",
    )
    _openssl(
        folder,
        "req",
        "-x509",
        *curve,
        "-keyout",
        "self-signed.key",
        "-out",
        "self-signed.pem",
        "-subj",
        "/CN=x",
        "-days",
        "2",
        "-addext",
        ours,
    )
    _openssl(
        folder,
        "req",
        "-new",
        *curve,
        "-keyout",
        "good.key",
        "-out",
        "good.csr",
        "-subj",
        "/CN=good",
    )
    for name, names, days in (
        ("good", ours, "2"),
        ("other-host", "subjectAltName=IP:127.9.9.9", "2"),
        ("expired", ours, "0"),
    ):
        (folder / "names.cnf").write_text(names, encoding="ascii")
        _openssl(
            folder,
            "x509",
            "-req",
            "-in",
            "good.csr",
            "-CA",
            "authority.pem",
            "-CAkey",
            "ca.key",
            "-CAcreateserial",
            "-days",
            days,
            "-extfile",
            "names.cnf",
            "-out",
            f"{name}.pem",
        )
    return {
        name: _server_side(folder, name)
        for name in ("good", "self-signed", "other-host", "expired")
    }


def _server_side(folder: Path, name: str) -> ssl.SSLContext:
    side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    key = "self-signed.key" if name == "self-signed" else "good.key"
    side.load_cert_chain(folder / f"{name}.pem", folder / key)
    return side
