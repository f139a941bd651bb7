"""What is kept of one remembered answer, as the matching of questions and the pages read it."""

from datetime import datetime
from typing import Literal

import msgspec

from schema.ids import AnswerId

Kind = Literal["text", "choice", "choices"]
"""How a question is answered: typed, one option, or any number of options."""
Origin = Literal["person", "form", "import"]
"""Written on the page, learned from a form, or brought along."""


class Remembered(msgspec.Struct, frozen=True, kw_only=True):
    """`company` None and `company_key` "" : it holds everywhere."""

    id: AnswerId
    revision: int
    question: str
    question_key: str
    kind: Kind
    options: list[str]
    options_key: str
    company: str | None
    company_key: str
    given: list[str]
    uses: int
    used_at: datetime | None
    updated_at: datetime


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """The last row of a page, newest first."""

    updated_at: datetime
    id: AnswerId
