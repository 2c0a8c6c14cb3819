"""The key of a folder (Ed25519): who has it speaks for the engine.

`engine.key` is made once and readable by its owner only. Keys and signatures travel as base64url
without padding, in their one spelling.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trapline.app.federation.private_file import make_private
from trapline.core.errors import MembershipUnreadable

if TYPE_CHECKING:
    # it takes a tenth of a second, and few commands sign anything
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FILE: Final = "engine.key"
_KEY_BYTES: Final = 32
_SIGNATURE_BYTES: Final = 64


@dataclass(frozen=True, slots=True, repr=False)
class EngineKey:
    public: str  # the identity of the engine
    _private: Ed25519PrivateKey

    def sign(self, message: bytes) -> str:
        return _spell(self._private.sign(message))


def read_key(folder: Path) -> EngineKey:
    """The key of a folder, made if there is none; MembershipUnreadable if it is damaged."""
    path = folder / FILE
    if not path.exists():
        _make(path)
    try:
        secret = _unspell(path.read_text(encoding="ascii").strip(), _KEY_BYTES)
    except OSError as failure:
        problem = failure.strerror or str(failure)
        raise MembershipUnreadable(path, problem) from None
    except ValueError:
        raise MembershipUnreadable(path, "it holds no key") from None
    return _key_of(secret)


def verify(key: str, message: bytes, signature: str) -> bool:
    """Whether the owner of a public key has signed a message; False for whatever is no key, too.

    >>> verify("no key", b"", "no signature")
    False
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public = Ed25519PublicKey.from_public_bytes(_unspell(key, _KEY_BYTES))
        public.verify(_unspell(signature, _SIGNATURE_BYTES), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def make_key() -> EngineKey:
    """A new key that is kept nowhere."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return _key_of(Ed25519PrivateKey.generate().private_bytes_raw())


def _make(path: Path) -> None:
    key = make_key()
    make_private(path, (_spell(key._private.private_bytes_raw()) + "\n").encode())


def _key_of(secret: bytes) -> EngineKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.from_private_bytes(secret)
    return EngineKey(_spell(private.public_key().public_bytes_raw()), private)


def _spell(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _unspell(text: str, length: int) -> bytes:
    """ValueError unless it is the one spelling of so many bytes: a key with two spellings would be
    two engines.
    """
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except (binascii.Error, UnicodeError) as error:
        raise ValueError(str(error)) from None
    if len(data) != length or _spell(data) != text:
        raise ValueError("not the one spelling of so many bytes")
    return data
