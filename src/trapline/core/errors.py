"""Every failure that Trapline names, in one tree.

TraplineError
├── UserMistake                  wrong use: one line says what to do; exit code 2, nothing written
│   ├── SettingsUnreadable       the settings file is missing, not TOML, or impossible
│   ├── UnknownName              a policy, experiment or world that is not registered
│   ├── BadUrl                   a text that is not an http(s) URL, or has a wrong host or port
│   ├── ContactMissing           a host off this machine, and no contact for its owner
│   ├── PortTaken                another program listens where the web page should be served
│   ├── FolderMissing            there is no engine in this folder
│   ├── ScheduleMissing          no robot has run on this folder, so nothing is planned in it
│   ├── FolderNewer              the folder was written by a newer Trapline
│   ├── FolderBusy               another robot works on this folder
│   ├── FolderUnwritable         the folder cannot be made or written into
│   ├── FolderForeign            the folder holds files, and none of an engine
│   ├── StoreAddressBad          an address of a store that cannot be read
│   ├── StoreUnusable            a database that cannot be reached, is too old, or not allowed
│   ├── StoreNewer               its tables were made by a newer Trapline
│   ├── CrawlMissing             there is no crawl in this store
│   ├── CrawlBusy                another robot runs this crawl already
│   ├── ShardsFixed              a crawl was made with another number of shards
│   ├── ClockOff                 the clock of this machine is not that of the store
│   ├── RayUnsafe                a Ray cluster that everybody may give orders to
│   ├── PartsUnfit               servers that are not, together, all parts of one index
│   ├── ExtraMissing             a command needs packages that are installed on demand
│   ├── UrlUnknown               the engine has never heard of this URL
│   ├── HostUnknown              the engine has never heard of this host
│   ├── VersionUnknown           no such version of a page is kept
│   ├── BadQuery                 a search query that cannot be read
│   ├── DescriptionUnreadable    what an engine says of itself makes no sense
│   ├── AnswerUnreadable         what another engine answered is no list of hits
│   ├── StatementRefused         a join, renewal or leave that cannot be believed
│   ├── MembershipUnreadable     what a folder has joined, or its key, cannot be read
│   ├── TraceUnreadable          a file of change histories is missing, torn or impossible
│   ├── WorldUnreadable          a file of a world is missing, damaged, foreign or newer
│   ├── BadRule                  a selector or regular expression that cannot be used
│   └── BadNumber                a rate, age, budget or probability outside its range
└── EngineFailure                something broke: exit code 1
    ├── StoreCorrupt             the store cannot be trusted; it is left untouched
    ├── CheckpointLost           the last checkpoint is missing or damaged; the store has the rest
    ├── StoreLocked              another program has locked the store, and does not let go
    ├── StoreAway                the database cannot be reached now; what was kept is safe
    ├── CrawlDoubled             a worker from before the shards of its crawl were doubled
    ├── Fenced                   a shard has another owner by now; nothing was written
    ├── DiskFull                 no room for what is to be kept; what was kept before is safe
    ├── ReplayDiverged           the journal does not lead where it led before
    ├── SearchBusy               a search that takes too long, or too many at once
    ├── PartsSilent              no part of an index answered
    ├── DirectoryBusy            a directory that checks too many engines at once
    ├── EngineUnreachable        an engine or a directory did not answer as it should
    ├── UnknownPage              a page number that no card has
    └── ClockWentBack            a caller handed in a time before the last one
"""

from __future__ import annotations

import errno
import sys
from numbers import Integral, Real
from typing import Final

from trapline.core.url_faults import NOT_THE_WEB

MOST: Final = 10**9  # of anything counted

# of the disk, of one's share of it, of one file
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_REFUSED: Final = (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT, errno.EISDIR)
_IN_THE_WAY: Final = (errno.ENOTDIR, errno.EEXIST)


class TraplineError(Exception):
    """Root of all errors that Trapline raises on purpose."""


class UserMistake(TraplineError):
    """Wrong use; its text is one line that says what is wrong and what to do."""


class SettingsUnreadable(UserMistake):
    def __init__(self, source: str, problem: str) -> None:
        super().__init__(f"cannot read the settings in {source}: {problem}")


class UnknownName(UserMistake):
    def __init__(self, what: str, name: str, known: list[str]) -> None:
        super().__init__(
            f"there is no {what} named {name!r}; choose one of: {', '.join(sorted(known))}"
        )


class BadUrl(UserMistake):
    def __init__(self, text: str, problem: str = NOT_THE_WEB) -> None:
        super().__init__(f"cannot use {text!r}: {problem}")


class ContactMissing(UserMistake):
    def __init__(self, host: str) -> None:
        super().__init__(
            f"{host} is not on this machine, and its owner must be able to reach you: say who "
            "you are with "
            '--contact me@example.org, or `contact = "me@example.org"` under [manners] in the '
            "settings file"
        )


class PortTaken(UserMistake):
    def __init__(self, address: str, port: int) -> None:
        super().__init__(
            f"port {port} on {address} cannot be opened (is it taken?): choose another with --port"
        )


class FolderMissing(UserMistake):
    def __init__(self, path: object) -> None:
        super().__init__(
            f"there is no engine in {path}: make one with `trapline crawl URL --dir {path}`"
        )


class ScheduleMissing(UserMistake):
    def __init__(self, path: object) -> None:
        super().__init__(
            f"no robot has run on {path} yet, so no visits are planned there: start one with "
            f"`trapline crawl URL --dir {path}`"
        )


class FolderNewer(UserMistake):
    def __init__(self, path: object, found: int, known: int) -> None:
        super().__init__(
            f"{path} was written by a newer Trapline (store version {found}, this one reads "
            f"up to {known}): "
            "upgrade trapline, or use another --dir"
        )


class FolderBusy(UserMistake):
    def __init__(self, path: object) -> None:
        super().__init__(
            f"another robot works on {path}: stop it first, or use another --dir"
        )


class FolderUnwritable(UserMistake):
    def __init__(self, path: object, problem: str) -> None:
        super().__init__(
            f"cannot write into {path} ({problem}): change its permissions, or use another --dir"
        )


class FolderForeign(UserMistake):
    def __init__(self, path: object, found: str) -> None:
        super().__init__(
            f"{path} holds files that are not an engine's ({found}): name an empty or a new "
            "folder with --dir"
        )


class StoreAddressBad(UserMistake):
    def __init__(self, address: str, problem: str) -> None:
        """`address` without its password."""
        super().__init__(
            f"cannot use the store {address}: {problem}; write a folder, or "
            "postgresql://user@host:5432/database"
        )


class StoreUnusable(UserMistake):
    def __init__(self, address: str, problem: str, remedy: str) -> None:
        """`address` without its password."""
        super().__init__(f"cannot use {address}: {problem}; {remedy}")


class StoreNewer(UserMistake):
    def __init__(self, address: str, found: int, known: int) -> None:
        super().__init__(
            f"the tables in {address} were made by a newer Trapline (version {found}, this one "
            f"reads up to {known}): upgrade trapline, or use another store"
        )


class CrawlMissing(UserMistake):
    def __init__(self, place: str, *, folder: bool = False) -> None:
        """`place` without a password."""
        words = f"--dir {place} --shards 4" if folder else f"--store {place}"
        super().__init__(
            f"there is no crawl in shards in {place}: begin one with `trapline crawl URL {words}`"
        )


class CrawlBusy(UserMistake):
    def __init__(self, address: str) -> None:
        super().__init__(
            f"a robot runs the crawl in {address} already: join it with "
            f"`trapline worker --store {address}`, or give yours a name of its own with "
            "#name behind the address"
        )


class ShardsFixed(UserMistake):
    def __init__(self, address: str, made: int, wanted: int) -> None:
        super().__init__(
            f"the crawl in {address} was made with {made} shards, not {wanted}: leave --shards "
            f"out, or double them with `trapline cluster {address} split` while it is stopped"
        )


class ClockOff(UserMistake):
    def __init__(self, off_s: float) -> None:
        way = "ahead of" if off_s > 0.0 else "behind"
        super().__init__(
            f"the clock of this machine is {abs(off_s):.1f} s {way} that of the store: set it "
            "(NTP), then start again"
        )


class RayUnsafe(UserMistake):
    def __init__(self, problem: str) -> None:
        super().__init__(
            f"{problem}: whoever reaches a Ray cluster can run code in it; set RAY_AUTH_MODE=token "
            "and RAY_AUTH_TOKEN here and where Ray was started"
        )


class ExtraMissing(UserMistake):
    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(
            f"{what} needs {package}: install it with `pip install trapline[{extra}]`"
        )


class UrlUnknown(UserMistake):
    def __init__(self, url: str, path: object, out_of_reach: str = "") -> None:
        """`out_of_reach`: why nobody can go to its host; "" = it is not known."""
        super().__init__(
            f"the engine in {path} does not know {url}: its host is one of those "
            f"{out_of_reach}, which are out of reach"
            if out_of_reach
            else f"the engine in {path} has never heard of {url}: spell it as `trapline "
            f"status {path} --json` does"
        )


class HostUnknown(UserMistake):
    def __init__(self, host: str, path: object) -> None:
        super().__init__(
            f"the engine in {path} has never heard of the host {host}: check its spelling"
        )


class VersionUnknown(UserMistake):
    def __init__(
        self, url: str, number: int = 0, kept: tuple[int, int] | None = None
    ) -> None:
        if kept is None:
            super().__init__(f"nothing is kept of {url}: it was not read yet")
            return
        first, last = kept
        numbers = f"{first} to {last}" if first < last else str(last)
        super().__init__(
            f"there is no version {number} of {url}: kept are {numbers} "
            "(`trapline diff` lists them with --list)"
        )


class BadQuery(UserMistake):
    def __init__(self, query: str, problem: str) -> None:
        super().__init__(f"cannot read the query {query!r}: {problem}")


class PartsUnfit(UserMistake):
    def __init__(self, problem: str) -> None:
        super().__init__(f"these are not all parts of one index: {problem}")


class DescriptionUnreadable(UserMistake):
    def __init__(self, problem: str) -> None:
        super().__init__(f"cannot read the description of an engine: {problem}")
        self.problem = problem


class AnswerUnreadable(UserMistake):
    def __init__(self, problem: str) -> None:
        super().__init__(f"cannot read the answer of an engine: {problem}")
        self.problem = problem


class StatementRefused(UserMistake):
    def __init__(self, reason: str, last_serial: int | None = None) -> None:
        """`last_serial`: a later statement was heard before, and this is its serial."""
        super().__init__(f"this was refused: {reason}")
        self.reason = reason
        self.last_serial = last_serial


class MembershipUnreadable(UserMistake):
    def __init__(self, path: object, problem: str) -> None:
        super().__init__(
            f"cannot use {path}: {problem}; restore a copy, or remove it and join again"
        )


class TraceUnreadable(UserMistake):
    def __init__(self, path: object, problem: str) -> None:
        super().__init__(f"cannot read the change histories in {path}: {problem}")


class WorldUnreadable(UserMistake):
    def __init__(self, path: object, problem: str) -> None:
        super().__init__(f"cannot read the world in {path}: {problem}")


class BadRule(UserMistake):
    def __init__(self, rule: str, problem: str) -> None:
        super().__init__(f"{rule[:80]!r} is {problem}")


class BadNumber(UserMistake):
    def __init__(self, name: str, found: object, wanted: str) -> None:
        super().__init__(f"{name} is {found}, but must be {wanted}")


def check_rate(name: str, found: float, why: str) -> None:
    """Raise BadNumber unless `found` is a finite number above 0; `why` says what it is for."""
    if (
        isinstance(found, bool)
        or not isinstance(found, Real)
        or not 0.0 < found <= sys.float_info.max
    ):
        raise BadNumber(name, found, f"a finite number above 0 ({why})")


def check_count(name: str, found: int, why: str) -> None:
    """Raise BadNumber unless `found` is a whole number from 1 on; `why` says what it is for."""
    if isinstance(found, bool) or not isinstance(found, Integral) or found < 1:
        raise BadNumber(name, found, f"a whole number, at least 1 ({why})")
    if found > MOST:
        raise BadNumber(name, found, f"at most {MOST:,}")


class EngineFailure(TraplineError):
    """Something broke that the user did not cause."""


class StoreCorrupt(EngineFailure):
    def __init__(self, path: object, found: str) -> None:
        super().__init__(
            f"the store {path} cannot be trusted ({found}); it was left untouched: restore a "
            "copy of it"
        )


class CheckpointLost(EngineFailure):
    def __init__(self, path: object, calls: int) -> None:
        super().__init__(
            f"the checkpoint after call {calls} in {path} is missing or damaged"
        )
        self.calls = calls


class StoreLocked(EngineFailure):
    def __init__(self, path: object) -> None:
        super().__init__(
            f"another program has locked {path} (a database browser, a backup?): end it, then "
            "start again; all that was saved is there"
        )


class StoreAway(EngineFailure):
    def __init__(self, address: str, problem: str) -> None:
        """`address` without its password."""
        super().__init__(
            f"cannot reach {address} now ({problem}); all that was saved is there"
        )


class CrawlDoubled(EngineFailure):
    def __init__(self, known: int, found: int) -> None:
        super().__init__(
            f"the crawl has {found} shards by now, not {known} as when this process began: start "
            "it again"
        )


class Fenced(EngineFailure):
    def __init__(self, shard: int, epoch: int) -> None:
        super().__init__(
            f"shard {shard} has another owner than that of epoch {epoch}: nothing was written"
        )


class DiskFull(EngineFailure):
    def __init__(self, path: object) -> None:
        super().__init__(
            f"the disk of {path} is full: make room, then start again with the same --dir; "
            "all that was saved is there"
        )


class ReplayDiverged(EngineFailure):
    def __init__(self, call: int, recorded: object, replayed: object) -> None:
        super().__init__(
            f"call {call} of the journal led to {recorded} when it was written, now to {replayed}"
        )


class SearchBusy(EngineFailure):
    def __init__(self, problem: str) -> None:
        super().__init__(
            f"cannot search now: {problem}; try again, with fewer or rarer words"
        )


class PartsSilent(EngineFailure):
    def __init__(self, reports: str) -> None:
        super().__init__(f"no part of the index answers: {reports}")


class DirectoryBusy(EngineFailure):
    def __init__(self) -> None:
        super().__init__("too many engines are being checked: say it again in a moment")


class EngineUnreachable(EngineFailure):
    def __init__(self, url: str, trouble: str, reason: str, status: int = 0) -> None:
        """`trouble` is its name for programs, `reason` says the same to people."""
        super().__init__(f"{url} {reason}")
        self.url = url
        self.trouble = trouble
        self.reason = reason
        self.status = status  # of the answer; 0 = there was none


class UnknownPage(EngineFailure):
    def __init__(self, page: int, pages: int) -> None:
        super().__init__(f"page {page} has no card (there are {pages})")


class ClockWentBack(EngineFailure):
    def __init__(self, now_s: float, last_s: float) -> None:
        super().__init__(
            f"time {now_s} lies before {last_s}; seconds handed to a controller never decrease"
        )


def disk_trouble(path: object, failure: OSError) -> Exception:
    """The name of what the system said when something was to be written into a folder.

    >>> disk_trouble("engine", OSError(errno.ENOSPC, "No space left on device"))
    ... # doctest: +NORMALIZE_WHITESPACE
    DiskFull('the disk of engine is full: make room, then start again with the same --dir;
    all that was saved is there')
    """
    if failure.errno in _FULL:
        return DiskFull(path)
    if failure.errno in _IN_THE_WAY:
        return FolderUnwritable(path, "a file is in the way")
    return (
        FolderUnwritable(path, failure.strerror or str(failure))
        if failure.errno in _REFUSED
        else failure
    )
