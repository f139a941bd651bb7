"""Review, a whole pattern at once: what its messages have in common, a sample, exactly which, one press.

The form carries a mark over all that is shown; when one message more or less waits by then, nothing is done
and the page says how it stands now.
"""

from typing import Annotated, get_args

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from backend.http.excerpts import Stretch
from backend.http.flash import Undo
from backend.http.forms import read_form
from backend.http.paging import Page, cursor, key_of
from backend.http.visits import Html, Visit
from backend.pages.review import VERSION_MAX
from backend.review.addresses import path_of
from backend.review.effects import agreed, counted
from backend.review.letters import sentence
from backend.review.names import named
from backend.review.patterns import path_of_pattern, title
from backend.review.store import Alike, AlikePlace, Working, alike, bulk_under_way
from matcher.resolutions.bulk.answering import answer_all
from matcher.resolutions.bulk.store import alike as meant
from matcher.resolutions.bulk.store import shown as shown_bulk
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState
from matcher.resolutions.types import Bulk, BulkChoice, BulkDone, MessageItem, Option
from schema.db import Unit
from schema.errors import Invalid
from schema.text import clean

ROWS = 50
PATTERN_MAX = 300
_LABELS: dict[BulkChoice, tuple[str, str]] = {
    "confirm": ("Confirm the first application of each", "C"),
    "not_an_application": ("None is about an application", "X"),
    "not_job_mail": ("None is job mail", "Z"),
}
_DONE: dict[BulkChoice, str] = {
    "confirm": "{} attached to the first application of each.",
    "not_an_application": "{} set aside as not about an application.",
    "not_job_mail": "{} marked as not job mail.",
}


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """A button for all of them."""

    choice: BulkChoice
    label: str
    key: str
    tone: str
    eligible: bool
    effect: str


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One of them: the stretch that says what it says, and where it would go."""

    item: MessageItem
    path: str
    sentence: list[Stretch]
    first: str


class PatternView(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    title: str
    bulk: Bulk
    acts: list[Act]
    sample: list[Sample]
    rows: Page[Alike]
    work: list[Working]
    notice: str
    stale: bool

    @property
    def agreed(self) -> str:
        return agreed(self.bulk.confirm_rate, self.bulk.answered)

    @property
    def is_whole(self) -> bool:
        """Whether the sample is all of them."""
        return len(self.sample) == self.bulk.count


After = Annotated[str | None, QueryParameter(max_length=500)]


@get("/review/pattern/{pattern:str}", include_in_schema=False)
async def all_alike(visit: NamedDependency[Visit], pattern: FromPath[str], after: After = None) -> Html:
    return await _page(visit, clean(pattern)[:PATTERN_MAX], after=key_of(after, AlikePlace))


@post("/review/pattern/{pattern:str}", include_in_schema=False)
async def answer_alike(visit: NamedDependency[Visit], pattern: FromPath[str]) -> Html | Redirect:
    wanted = clean(pattern)[:PATTERN_MAX]
    form = await read_form(visit.request)
    choice = bulk_choice(form.value("answer"))
    version = form.text("version", "Version", limit=VERSION_MAX)
    form.require_ok()
    try:
        async with visit.unit() as unit:
            done = await answer_all(unit, wanted, choice, version=version, now=visit.clock.now())
    except StaleState as stale:
        return await _page(visit, wanted, notice=stale.title(), stale=True, status=409)
    except ChoiceNotEligible as refusal:
        return await _page(visit, wanted, notice=refusal.detail or refusal.title(), status=409)
    to = "/review" if done.is_done else path_of_pattern(wanted)
    return visit.leave(to, _told(done), undo=_undo(done))


def bulk_choice(text: str) -> BulkChoice:
    found = next((choice for choice in get_args(BulkChoice) if choice == text), None)
    if found is None:
        raise Invalid("Choose one of the answers.", field="answer")
    return found


async def _page(
    visit: Visit,
    pattern: str,
    *,
    after: AlikePlace | None = None,
    notice: str = "",
    stale: bool = False,
    status: int = 200,
) -> Html:
    async with visit.unit() as unit:
        bulk = await shown_bulk(unit, pattern, await meant(unit, pattern))
        rows = await alike(unit, pattern, after=after, limit=ROWS + 1)
        work = await _work(unit, pattern)
    view = PatternView(
        path=path_of_pattern(pattern),
        title=title(pattern),
        bulk=bulk,
        acts=[_act(bulk.option(choice)) for choice in get_args(BulkChoice)],
        sample=[_sample(item) for item in bulk.sample],
        rows=Page(items=rows[:ROWS], next=cursor(_place(rows[ROWS - 1])) if len(rows) > ROWS else None),
        work=work,
        notice=notice,
        stale=stale,
    )
    return visit.page("review_pattern.html", view, status=status)


async def _work(unit: Unit, pattern: str) -> list[Working]:
    return [work for work in await bulk_under_way(unit) if work.pattern == pattern]


def _act(option: Option) -> Act:
    choice = bulk_choice(option.choice)
    label, key = _LABELS[choice]
    messages = counted(len(option.touches.messages), "message", "messages")
    where = counted(len(option.touches.applications), "application", "applications")
    effects: dict[BulkChoice, str] = {
        "confirm": f"attaches {messages} to {where}",
        "not_an_application": f"sets {messages} aside",
        "not_job_mail": f"hides {messages} from your mail",
    }
    return Act(
        choice=choice,
        label=label,
        key=key,
        tone="" if choice == "confirm" else "quiet",
        eligible=option.eligible,
        effect=effects[choice] if option.eligible else option.reason or "",
    )


def _sample(item: MessageItem) -> Sample:
    first = item.candidates[0].application if item.candidates else None
    return Sample(
        item=item,
        path=path_of(item.id),
        sentence=sentence(item.excerpt),
        first=named(first.role, first.company) if first else "",
    )


def _place(row: Alike) -> AlikePlace:
    return AlikePlace(rank=row.rank, at=row.queued_at, message_id=row.message_id)


def _told(done: BulkDone) -> str:
    many = counted(done.messages, "message", "messages")
    if done.is_done:
        return _DONE[done.choice].format(many)
    return f"Being done for {many}; you can go on meanwhile."


def _undo(done: BulkDone) -> Undo:
    fields = {"entry": done.entry, "version": done.entry_version, "back": path_of_pattern(done.pattern)}
    return Undo(action="/review/history/undo", fields=fields, label="Undo all of it")


ROUTES = (all_alike, answer_alike)
