"""One item of the queue as its page shows it, whatever kind it is, and how the queue stands around it."""

import msgspec

from backend.http.forms import Form
from backend.http.paging import cursor
from backend.http.visits import Html, Visit
from backend.review.addresses import path_of
from backend.review.changes import Seen, changes, named_in, seen, shows
from backend.review.effects import agreed, effect
from backend.review.letters import Letter, elsewhere, letter
from backend.review.names import names_of
from backend.review.pace import Pace, about, pace
from backend.review.patterns import path_of_pattern, title
from matcher.resolutions.queue.rules import place_of
from matcher.resolutions.queue.store import waiting, waiting_before
from matcher.resolutions.types import (
    ApplicationItem,
    Excerpt,
    Item,
    Kind,
    Line,
    MessageItem,
    Option,
    PairItem,
    Verb,
)
from schema.db import Unit
from schema.ids import ApplicationId
from schema.text import grouped

AHEAD = 5
TEMPLATES: dict[Kind, str] = {
    "message": "review_message.html",
    "status": "review_status.html",
    "ask": "review_ask.html",
    "pair": "review_pair.html",
}
_QUESTIONS: dict[Kind, tuple[str, str]] = {
    "message": ("Which application is this about?", "What this message is about"),
    "status": ("Should the status change?", "A status that was proposed"),
    "ask": ("Is this done?", "Something that was asked of you"),
    "pair": ("Are these one application?", "Two records"),
}
"""The heading while it waits, and when it does not."""


class Ahead(msgspec.Struct, frozen=True, kw_only=True):
    line: Line
    path: str


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """How an item is to be shown, besides what it says itself. `before` is what was looked at when an answer
    came too late."""

    back: str = ""
    notice: str = ""
    before: Seen | None = None
    form: Form | None = None
    status: int = 200


class ItemView(msgspec.Struct, frozen=True, kw_only=True):
    item: Item
    letter: Letter | None
    left: int
    left_words: str
    ahead: list[Ahead]
    place: str
    seen: str
    form: Form
    back: str
    notice: str
    changed: list[str]

    @property
    def path(self) -> str:
        return path_of(self.item.id)

    @property
    def version(self) -> str:
        return self.item.version

    @property
    def shows(self) -> str:
        return shows(self.item)

    @property
    def skip(self) -> str:
        """Where it goes on after this item, or from the top."""
        return f"/review?after={self.place}" if self.place else "/review"

    @property
    def title(self) -> str:
        asking, standing = _QUESTIONS[self.item.kind]
        return asking if self.item.waits else standing

    @property
    def stale(self) -> bool:
        return bool(self.changed)

    @property
    def closed(self) -> list[Option]:
        """What cannot be answered here, with the reason."""
        return [
            option
            for option in self.item.options
            if not option.eligible and option.reason and option.choice not in {"undo", "confirm_all"}
        ]

    @property
    def pattern_path(self) -> str:
        return path_of_pattern(self.item.pattern) if isinstance(self.item, MessageItem) else ""

    @property
    def pattern_title(self) -> str:
        return title(self.item.pattern) if isinstance(self.item, MessageItem) else ""

    def open(self, choice: Verb) -> bool:
        option = self.item.option(choice)
        return option is not None and option.eligible

    def effect(self, choice: Verb, target: ApplicationId | None = None) -> str:
        option = self.item.option(choice)
        return effect(option, self.item, target) if option else ""

    @property
    def agreed(self) -> str:
        """How often the person agreed with such a guess; empty until measured."""
        return (
            agreed(self.item.confirm_rate, self.item.answered) if isinstance(self.item, MessageItem) else ""
        )


async def item_page(visit: Visit, unit: Unit, item: Item, shown: Shown) -> Html:
    """The page of an item as it stands in `unit`."""
    view = await _view(unit, item, shown)
    return visit.page(TEMPLATES[item.kind], view, status=shown.status)


async def _view(unit: Unit, item: Item, shown: Shown) -> ItemView:
    place = place_of(item) if item.waits else None
    page = await waiting(unit, after=place, limit=AHEAD)
    number = await waiting_before(unit, place) + 1 if place else 0
    shot = excerpt_of(item)
    also = await elsewhere(unit, shot.message_id) if shot else []
    return ItemView(
        item=item,
        letter=letter(shot, also) if shot else None,
        left=page.total,
        left_words=left_words(number, page.total, await pace(unit)),
        ahead=[Ahead(line=line, path=path_of(line.id)) for line in page.lines],
        place=cursor(place) if place else "",
        seen=cursor(seen(item)),
        form=shown.form or _named(item),
        back=shown.back,
        notice=shown.notice,
        changed=await _changed(unit, item, shown.before),
    )


def excerpt_of(item: Item) -> Excerpt | None:
    """The message that speaks; records of applications have none."""
    return None if isinstance(item, PairItem | ApplicationItem) else item.excerpt


def left_words(number: int, total: int, measured: Pace) -> str:
    """How much waits, and for how long that is."""
    if not total:
        return "Nothing else waits for you."
    waits = "1 waits for you" if total == 1 else f"{grouped(total)} wait for you"
    # Who skipped some is told where they stand; the first is the first of what is left, every time.
    head = f"{waits}, this is number {grouped(number)}" if number > 1 else waits
    time = about(measured.minutes(total))
    how = "at your own pace" if measured.measured else f"at {measured.seconds:.0f} seconds each"
    return f"{head}: {time}, {how}."


async def _changed(unit: Unit, item: Item, before: Seen | None) -> list[str]:
    if before is None:
        return []
    return changes(before, item, await names_of(unit, named_in(before, item)))


def _named(item: Item) -> Form:
    is_message = isinstance(item, MessageItem)
    return Form.of(company=item.company or "", role=item.role or "") if is_message else Form.of()
