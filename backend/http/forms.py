"""What a person typed into a form: read, cleaned, checked field by field, and kept for showing it again.

Every fault is collected, so that the page names them all at once (`_forms.html` shows the summary). Nothing
typed is lost by a refusal. Values are text; a page turns them into its own struct when `ok` is true.
"""

from collections.abc import Collection, Mapping
from datetime import date

import msgspec
from litestar.datastructures import UploadFile
from litestar.enums import RequestEncodingType

from backend.http.refusals import WrongMediaType
from backend.http.requests import Req
from schema.errors import Invalid
from schema.text import clean, grouped

ID_MAX = 2**63 - 1
FIRST_YEAR = 1970
"""No day that a person can mean here lies before it, and reckoning with the first days there are fails."""
_DAY_MAX = 20


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with one field, as a sentence."""

    field: str
    detail: str


class Form:
    """The fields of one submission. Each reading method gives a usable value and notes what is wrong."""

    def __init__(self, fields: Mapping[str, list[str]]) -> None:
        self.fields = fields
        self.faults: list[Fault] = []
        self.values: dict[str, str] = {name: values[-1] for name, values in fields.items() if values}

    @classmethod
    def of(cls, **values: str) -> "Form":
        """A form as a page first shows it, filled with what is known."""
        return cls({name: [value] for name, value in values.items()})

    @property
    def ok(self) -> bool:
        return not self.faults

    def refuse(self, field: str, detail: str) -> None:
        self.faults.append(Fault(field=field, detail=detail))

    def require_ok(self) -> None:
        """For a form of hidden fields that nobody typed: raise `Invalid` with the first fault."""
        if self.faults:
            raise Invalid(self.faults[0].detail, field=self.faults[0].field)

    def fault(self, field: str) -> str | None:
        """The first fault of `field`, for showing beside it."""
        return next((fault.detail for fault in self.faults if fault.field == field), None)

    def value(self, field: str) -> str:
        """What stands in `field`, for showing it again."""
        return self.values.get(field, "")

    def text(self, field: str, label: str, *, limit: int, required: bool = True, strip: bool = True) -> str:
        """The text of `field`, at most `limit` characters."""
        text = self.value(field).strip() if strip else self.value(field)
        if required and not any(mark.isprintable() and not mark.isspace() for mark in text):
            # Marks that nobody sees make a name nobody can read, nor press.
            self.refuse(field, f"{label} is missing.")
        if len(text) > limit:
            self.refuse(field, f"{label} has {grouped(len(text))} characters; at most {grouped(limit)} fit.")
            self.values[field] = text = text[:limit]
        return text

    def choice(self, field: str, label: str, allowed: Collection[str]) -> str:
        text = self.value(field)
        if text not in allowed:
            self.refuse(field, f"{label}: choose one of the list.")
        return text

    def whole(self, field: str, label: str, *, low: int = 1, high: int = ID_MAX) -> int:
        """A whole number, such as an id or a revision; `low` when it is none."""
        text = self.value(field).strip()
        if not text.isascii() or not text.isdigit() or len(text) > 19 or not low <= int(text) <= high:  # noqa: PLR2004
            self.refuse(field, f"{label} is not a number between {grouped(low)} and {grouped(high)}.")
            return low
        return int(text)

    def past_day(self, field: str, label: str, *, latest: date, known: date | None = None) -> date | None:
        """A day up to `latest`; None for none or a wrong one. `known` stands there already and may stay."""
        text = self.text(field, label, limit=_DAY_MAX, required=False)
        try:
            on = date.fromisoformat(text) if text else None
        except ValueError:
            self.refuse(field, f"{label} is not a day; write it as 2026-03-02.")
            return None
        if on is None or on == known:
            return on
        if on > latest:
            self.refuse(field, f"{label} lies in the future.")
        if on.year < FIRST_YEAR:
            self.refuse(field, f"{label} lies before {FIRST_YEAR}.")
        return on

    def ticked(self, field: str) -> bool:
        return bool(self.value(field))

    def every(self, field: str) -> list[str]:
        """All values sent under one name, such as ticked boxes."""
        return list(self.fields.get(field, []))


async def read_form(request: Req) -> Form:
    """The submitted form, cleaned of what no column can hold; files are left to the page."""
    if request.content_type[0] not in {RequestEncodingType.URL_ENCODED, RequestEncodingType.MULTI_PART}:
        raise WrongMediaType("This address reads forms.")
    fields: dict[str, list[str]] = {}
    for name, value in (await request.form()).multi_items():
        if not isinstance(value, UploadFile):
            fields.setdefault(clean(name), []).append(clean(str(value)).replace("\r\n", "\n"))
    return Form(fields)
