"""What the page at an address says of a posting: asked of its platform where that can tell, else of the page.

Takes any `Fetch`; lets its refusals through, and never raises on what a page holds.
"""

import asyncio
from collections.abc import Collection

from pipeline.kept.rules import facts_on
from pipeline.kept.types import Looked
from pipeline.sources.adapters.pages.on_page import posting_on_page
from pipeline.sources.registry import ADAPTERS
from pipeline.sources.rules import refused_answer
from pipeline.sources.types import Answer, Detail, Fetch, PostingPlace
from schema.identity.urls import PostingUrl, posting_url

_PASSING: Collection[str] = ("unreachable", "timeout", "cut_short", "platform_error", "throttled")
_ABSENT = (404, 410)


def passing(why: str | None) -> bool:
    """Whether another try soon can help."""
    return why in _PASSING


async def read_page(url: str, fetch: Fetch) -> Looked:
    """Raises `FetchFailed` when the page could not be had."""
    named = posting_url(url)
    if named is not None and (told := await _of_platform(named, url, fetch)) is not None:
        return told
    answer = await fetch(url)
    if answer.status in _ABSENT:
        return Looked(look="closed", why="page_gone")
    refusal = refused_answer(answer)
    if refusal is not None:
        return Looked(look="failed", why=refusal.problem)
    return await asyncio.to_thread(_on_page, answer, url)


async def _of_platform(named: PostingUrl, url: str, fetch: Fetch) -> Looked | None:
    """None when its platform cannot say, so that the page is asked itself."""
    adapter = ADAPTERS.get(named.platform or "")
    if adapter is None or named.board is None or named.vendor_id is None:
        return None
    place = PostingPlace(board=named.board, vendor_id=named.vendor_id, page_url=url)
    return await _of_detail(await adapter.look(place, fetch))


async def _of_detail(detail: Detail) -> Looked | None:
    if detail.state in {"filled", "gone"}:
        return Looked(look="closed", why=detail.state)
    if detail.listing is None:
        return None
    return Looked(look="read", facts=await asyncio.to_thread(facts_on, detail.listing))


def _on_page(answer: Answer, url: str) -> Looked:
    found = posting_on_page(answer.body, url, answer.content_type)
    if isinstance(found, str):
        return Looked(look="nothing", why=found)
    return Looked(look="read", facts=facts_on(found))
