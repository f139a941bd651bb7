"""One posting looked at by its public page: its text, and whether the page still stands.

Only 404 and 410 say that it is gone. A refusal, a fault, or a page without a posting says nothing.
"""

import asyncio
import re
from collections.abc import Sequence

import msgspec

from pipeline.sources.adapters.pages.on_page import posting_on_page
from pipeline.sources.adapters.pages.tree import parsed, told
from pipeline.sources.reading import is_absent, stands, unknown
from pipeline.sources.rules import refused_answer
from pipeline.sources.types import Answer, Detail, DetailState, Evidence, Fetch, FetchFailed, PostingPlace

#: What a platform writes, in so many words, on pages that carry no posting any more.
Sayings = Sequence[tuple[re.Pattern[str], DetailState]]
_SEEN_CHARS, _SEEN_NODES = 20_000, 20_000


async def looked_at_page(
    place: PostingPlace, fetch: Fetch, *, board_url: str, url: str | None = None, sayings: Sayings = ()
) -> Detail:
    """Asks for `url`, or the posting's own page. Gone: it is absent while `board_url` still answers."""
    try:
        answer = await fetch(url or place.page_url)
    except FetchFailed as error:
        return unknown(Evidence(problem=error.problem))
    if is_absent(answer):
        return await stands(fetch, board_url, answer)
    refusal = refused_answer(answer)
    if refusal is not None:
        return unknown(refusal)
    return await asyncio.to_thread(_detail, answer, place, sayings)


def _detail(answer: Answer, place: PostingPlace, sayings: Sayings) -> Detail:
    evidence = Evidence(answers=1, answer_bytes=len(answer.body), status=answer.status)
    found = posting_on_page(answer.body, place.page_url, answer.content_type)
    if isinstance(found, str):
        return Detail(state=_said(answer, sayings), evidence=evidence)
    listing = msgspec.structs.replace(found, vendor_id=place.vendor_id, apply_url=place.apply_url)
    return Detail(state="open", evidence=evidence, listing=listing)


def _said(answer: Answer, sayings: Sayings) -> DetailState:
    tree = parsed(answer.body, answer.content_type) if sayings else None
    if tree is None:
        return "unknown"
    seen = told(tree.body, _SEEN_NODES)[:_SEEN_CHARS]
    states: list[DetailState] = [state for saying, state in sayings if saying.search(seen)]
    return states[0] if states else "unknown"
