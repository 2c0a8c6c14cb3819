"""Documents on their way into the collection: what is written of one, and when it counts as
changed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from trapline.core.links import NO_SIGNALS, Links, Signals
from trapline.core.records import Fetched, Outcome, Page
from trapline.core.storage import Held
from trapline.reading.html.document import Document
from trapline.reading.identity.marks import Marks
from trapline.reading.rules.reading_rules import NO_FINDINGS, Findings
from trapline.robot.response.results import Finding

REJUDGED: Final = 0.1  # a change of relevance that is worth writing a document again


def finding_of(
    held: Held | None,
    page: Page,
    remark: str,
    links: Links,
    signals: Signals = NO_SIGNALS,
    *,
    noise: bool = False,
    own_version: bool = True,
) -> Finding:
    """What was read of a page, against what is held of it.

    `noise`: whatever differs is no news. It is a version of the page all the same, with a date of
    its own, if it is to be one.
    """
    differs = held is None or held.fingerprint != page.fingerprint
    changed = differs and not noise
    if held is not None and not (differs and own_version):
        page = replace(page, changed_s=held.changed_s)
    # noise is written, too: it is compared with what the next visit finds
    keep = differs or (held is not None and _outdated(held, page))
    return Finding(
        Outcome.OK,
        remark,
        changed=changed,
        relevance=page.relevance,
        links=links,
        page=page if keep else None,
        seen=not keep,
        signals=signals,
    )


def build_page(
    fetched: Fetched,
    document: Document,
    relevance: float,
    marks: Marks,
    language: str = "",
    findings: Findings = NO_FINDINGS,
) -> Page:
    return Page(
        page=fetched.ticket.page,
        url=fetched.url,
        title=document.title,
        text=document.text,
        relevance=relevance,
        fingerprint=marks.fingerprint,
        etag=fetched.etag,
        last_modified=fetched.last_modified,
        fetched_s=fetched.ended_s,
        changed_s=fetched.ended_s,
        language=language,
        simhash=marks.simhash,
        form=document.form,
        fields=findings.fields,
        rules=findings.mark,
    )


def _outdated(held: Held, page: Page) -> bool:
    """Whether the same document is to be written again.

    New validators are, or no later visit could be answered by 304; so is a relevance that has
    moved, because the topic has learnt since or is another, and what was picked out of it.
    """
    if (held.fields, held.rules) != (page.fields, page.rules):
        return True
    validators = (held.etag, held.last_modified) != (page.etag, page.last_modified)
    return validators or abs(held.relevance - page.relevance) > REJUDGED
