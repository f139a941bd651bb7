"""Review, finding the application a message is about: by company and role, same employer first."""

from typing import Annotated
from urllib.parse import quote

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from backend.http.paging import Page, cursor, key_of
from backend.http.visits import Html, Visit, local
from backend.review.addresses import item_id, path_of
from backend.review.changes import seen as seen_of
from backend.review.store import ROWS, Found, Place, find
from matcher.resolutions.items import item
from matcher.resolutions.queue.rules import place_of
from matcher.resolutions.types import MessageItem
from schema.errors import Missing
from schema.text import clean


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """What the person looked at when they began to search; an answer from here is to that."""

    version: str = ""
    seen: str = ""
    place: str = ""
    back: str = ""

    @property
    def query(self) -> str:
        fields = {"version": self.version, "seen": self.seen, "place": self.place, "back": self.back}
        return "".join(f"{name}={quote(text, safe='')}&" for name, text in fields.items() if text)


class FindView(msgspec.Struct, frozen=True, kw_only=True):
    item: MessageItem
    looked: Looked
    find: str
    found: Page[Found]

    @property
    def path(self) -> str:
        return path_of(self.item.id)

    @property
    def version(self) -> str:
        return self.looked.version

    @property
    def seen(self) -> str:
        return self.looked.seen

    @property
    def place(self) -> str:
        return self.looked.place

    @property
    def back(self) -> str:
        return self.looked.back

    @property
    def is_superseded(self) -> bool:
        return self.looked.version != self.item.version

    @property
    def query(self) -> str:
        """What stands in the address besides the place, for the next page."""
        return (f"find={quote(self.find, safe='')}&" if self.find else "") + self.looked.query


Opaque = Annotated[str, QueryParameter(max_length=1000)]


@get("/review/{message_id:int}/find", include_in_schema=False)
async def finder(
    visit: NamedDependency[Visit],
    message_id: FromPath[int],
    words: Annotated[str, QueryParameter(name="find", max_length=200)] = "",
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
    version: Opaque = "",
    seen: Opaque = "",
    place: Opaque = "",
    back: Opaque = "",
) -> Html:
    asked = clean(words).strip()
    came_from = local(back) if back else ""
    async with visit.unit() as unit:
        shown = await item(unit, item_id("message", message_id))
        if not isinstance(shown, MessageItem):
            raise Missing
        besides = shown.application_ids
        companies = companies_of(shown)
        place_after = key_of(after, Place)
        found = await find(unit, asked, companies=companies, besides=besides, after=place_after, limit=ROWS)
    looked = Looked(version=version, seen=seen, place=place, back=came_from) if version else _now(shown)
    return visit.page("review_find.html", FindView(item=shown, looked=looked, find=asked, found=found))


def companies_of(shown: MessageItem) -> list[str]:
    """The employers the message may come from, by its own word and by its candidates."""
    named = [shown.company, *(found.application.company for found in shown.candidates)]
    return [name for name in named if name]


def _now(shown: MessageItem) -> Looked:
    """For an address without what was looked at: what is shown here is looked at now."""
    place = cursor(place_of(shown)) if shown.waits else ""
    return Looked(version=shown.version, seen=cursor(seen_of(shown)), place=place)


ROUTES = (finder,)
