"""What a posting of one's own is to those who keep, read and show it. Only structs."""

from datetime import datetime
from typing import Literal

import msgspec

from schema.ids import ApplicationId, OwnPostingId, PostingId

FactsFrom = Literal["person", "browser", "page"]
Look = Literal["never", "waits", "read", "nothing", "closed", "failed"]


class OwnFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of a posting; None and "" are unknown."""

    title: str
    company: str | None = None
    place: str | None = None
    pay_words: str | None = None
    text: str = ""


class OwnPosting(msgspec.Struct, frozen=True, kw_only=True):
    """One posting only its person knows. `look` says what came of reading its page, `look_why` why."""

    id: OwnPostingId
    canonical_url: str | None
    url: str | None
    title: str
    company: str | None
    place: str | None
    pay_words: str | None
    text: str
    note: str
    facts_from: FactsFrom
    look: Look
    look_why: str | None
    looked_at: datetime | None
    application_id: ApplicationId | None
    saved_at: datetime
    updated_at: datetime

    @property
    def facts(self) -> OwnFacts:
        return OwnFacts(
            title=self.title,
            company=self.company,
            place=self.place,
            pay_words=self.pay_words,
            text=self.text,
        )


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """`is_new` False: the person had kept this address before, and what stands there stays."""

    id: OwnPostingId
    title: str
    is_new: bool


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What an address led to: a posting of the catalog, or one of the person's own."""

    posting_id: PostingId | None = None
    own_id: OwnPostingId | None = None
    title: str = ""
    was_kept: bool = False


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """What came of reading a page: facts when it states a posting, and why not when it does not."""

    look: Look
    why: str | None = None
    facts: OwnFacts | None = None
