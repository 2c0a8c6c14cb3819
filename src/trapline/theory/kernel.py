"""`@kernel`: numba's njit as Trapline uses it, with a compile cache that notices edits.

numba's cache does not see edits in *imported* modules, so the cache folder is named by a hash of
every source file that holds kernels: change one and all are compiled anew. `make install` fills it
(python -m trapline.app.crawl.kernel_progress).
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
from numba import types

F = TypeVar("F", bound=Callable[..., object])


def _sources_digest() -> str:
    package = Path(__file__).parent.parent
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(package.rglob("*.py")):
        text = source.read_bytes()
        if b"theory.kernel import" in text or source.name in (
            "kernel.py",
            "cards.py",
            "links.py",
        ):
            digest.update(text)
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """Beside the user's other caches; in the temporary folder where there is no writable home."""
    name = f"trapline/kernels-{_sources_digest()}"
    for root in (Path("~/.cache"), Path(tempfile.gettempdir())):
        folder = root.expanduser() / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / ".writable").touch()
        except (OSError, RuntimeError):
            continue
        return folder
    return Path(tempfile.mkdtemp())


numba.config.CACHE_DIR = str(_cache_folder())
_NARROW: Final = (types.int8, types.int16, types.int32)


def _share_copies(dispatcher: Any) -> Any:
    """Kernels that call this one share one copy of it.

    numba would compile one for each constant and each width of an integer that it is handed: half
    as many again. The optimiser puts constants in anyway, where it inlines.
    """
    ask = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        named = {name: _widen(kind) for name, kind in kws.items()}
        return ask(tuple(map(_widen, args)), named)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _widen(kind: Any) -> Any:
    plain = types.unliteral(kind)
    return types.int64 if plain in _NARROW else plain


def kernel(function: F) -> F:
    """Compile at first call, keep the machine code on disk; divisions by zero give ∞ or NaN as in
    numpy.
    """
    compiled = numba.njit(cache=True, error_model="numpy")(function)
    return cast("F", _share_copies(compiled))


def bare_kernel(function: F) -> F:
    """A kernel that only reads and writes the arrays it is handed: it makes none, so it need not
    count references.

    Counting them (atomically, at every call between kernels) was most of the cost of a choice.
    """
    compiled = numba.njit(cache=True, error_model="numpy", _nrt=False)(function)
    return cast("F", _share_copies(compiled))


def kernel_for(signature: object, mind: object = None) -> Callable[[F], F]:
    """A kernel compiled for one signature at once: needed where functions are handed in.

    Of loops that are handed a policy's `mind` (a numba type), only those for minds of this package
    are kept on disk: the index there names the class, and must be readable when a plug-in is gone.
    """
    kind = getattr(mind, "instance_class", None)
    ours = kind is None or kind.__module__.startswith("trapline.")
    return cast(
        "Callable[[F], F]", numba.njit(signature, cache=ours, error_model="numpy")
    )


def loop_kernel(function: F) -> F:
    """Marks the source of a loop that `kernel_for` compiles once for each kind of mind."""
    return function
