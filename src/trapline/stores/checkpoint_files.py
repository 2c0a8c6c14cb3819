"""Checkpoints as files `checkpoint-<calls>.npz` beside the database.

A hundred megabytes of arrays would swell the write-ahead log of a database; as a file they cost one
sequential write. The file is an ordinary uncompressed .npz (numpy.load reads it): each array
carries the checksum of the zip format, so a damaged file is never taken for a whole one.
"""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import disk_trouble
from trapline.core.ports import Arrays
from trapline.core.storage import Checkpoint

_NAME = re.compile(r"checkpoint-(\d+)\.npz")


def sync_folder(folder: Path) -> None:
    """Make new names in a folder durable: a rename is safe once the folder itself is on disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Like numpy.savez, but durable when it returns, and for any name, also "file"."""
    with path.open("wb") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            archive.comment = _contents(f"{name}.npy" for name in arrays)
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(
                        member, np.asanyarray(array), allow_pickle=False
                    )
        file.flush()
        os.fsync(file.fileno())


def read_arrays(path: Path) -> Arrays:
    """All arrays of a file, or an exception of almost any kind if a bit of them has changed."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        if archive.comment != _contents(names):
            raise zipfile.BadZipFile("its table of contents is damaged")
        return {name.removesuffix(".npy"): _read_array(archive, name) for name in names}


def _contents(names: Iterable[str]) -> bytes:
    """A checksum for the table of contents, which has none in the zip format."""
    return b"%08x" % zlib.crc32("\n".join(names).encode())


def _read_array(archive: zipfile.ZipFile, name: str) -> NDArray[np.generic]:
    with archive.open(name) as member:
        array: NDArray[np.generic] = np.lib.format.read_array(
            member, allow_pickle=False
        )
        # reading to the very end is what makes zipfile compare the checksum
        if member.read(1):
            raise zipfile.BadZipFile(f"{name} is longer than it says")
        return array


class CheckpointFiles:
    """The checkpoints of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, checkpoint: Checkpoint) -> None:
        """Durable under its own name, or not there at all."""
        final = self._folder / f"checkpoint-{checkpoint.calls}.npz"
        unfinished = final.with_suffix(".unfinished")
        try:
            write_arrays(unfinished, checkpoint.arrays)
            unfinished.replace(final)
            sync_folder(self._folder)
        except OSError as failure:
            unfinished.unlink(missing_ok=True)  # the journal needs the room
            raise disk_trouble(self._folder, failure) from failure

    def drop_before(self, calls: int) -> None:
        """Remove what a newer checkpoint has made useless, and what a kill left unfinished."""
        for number, path in self._newest_first():
            if number < calls:
                path.unlink(missing_ok=True)
        for path in self._folder.glob("checkpoint-*.unfinished"):
            path.unlink(missing_ok=True)

    def newest(self) -> Checkpoint | None:
        """The newest one that can be read whole."""
        for calls, path in self._newest_first():
            try:
                return Checkpoint(calls, read_arrays(path))
            except FileNotFoundError:
                return self.newest()  # the robot has just put a newer one in its place
            except Exception:
                # damage shows itself as almost any exception; whatever it is, an older one may
                # still do
                continue
        return None

    def _newest_first(self) -> list[tuple[int, Path]]:
        found = [
            (match, path)
            for path in self._folder.iterdir()
            if (match := _NAME.fullmatch(path.name))
        ]
        return sorted(((int(match[1]), path) for match, path in found), reverse=True)
