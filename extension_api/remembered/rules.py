"""What of an answer is kept, and by which key it is found again. Pure.

The key is the question in comparable form, how it is answered, which options it had, and for whom the answer
holds. What may never be remembered is refused here by name, whatever the extension asked for.
"""

import msgspec

from extension_api.answers.remembering import asked_text, kind_of, reads_as_a_secret, why_never
from extension_api.answers.wording import question_key, tokens
from extension_api.protocol import MAX_OPTIONS, FieldDescription, Reason
from extension_api.remembered.types import Kind
from schema.errors import Refusal
from schema.identity.names import comparable_company
from schema.text import clean, shorten

MAX_ANSWERS = 5_000
MAX_QUESTION_CHARS = 2_000
MAX_COMPANY_CHARS = 300

_YES_NO = (["Yes", "No"], ["Ja", "Nein"], ["Oui", "Non"], ["Sí", "No"])

_SAID: dict[Reason, str] = {
    "secret": "Passwords, codes and tests for robots are never remembered.",
    "government_id": "Numbers of official documents are never remembered.",
    "payment": "Bank and card details are never remembered.",
    "birth_date": "Age and date of birth are never remembered.",
    "signature": "Signing is never remembered.",
    "consent": "Consents and terms are read and accepted anew each time.",
    "equal_opportunity": "Equal-opportunity answers stand in the profile, as an explicit choice.",
    "about_someone_else": "Facts about somebody else are never remembered.",
    "not_understood": "This says nothing without the form around it, so it cannot be found again.",
}


class AnswerNotKept(Refusal):
    """This is never remembered."""

    code = "answer_not_kept"


class EmployerUnknown(Refusal):
    """Nobody here knows whose form this is, so an answer cannot be kept for this employer alone."""

    code = "employer_unknown"


class StaleAnswer(Refusal):
    """The answer was changed elsewhere meanwhile; nothing was saved."""

    code = "stale_answer"
    kind = "conflict"


class AnswerExists(Refusal):
    """There is another answer to this question for the same employer; change that one, or take it away."""

    code = "answer_exists"
    kind = "conflict"


class TooManyAnswers(Refusal):
    """Five thousand answers are remembered; take some away first."""

    code = "too_many_answers"
    kind = "conflict"


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question as it is kept, with the key two askings of it share."""

    question: str
    question_key: str
    kind: Kind
    options: list[str]
    options_key: str


def question_of(field: FieldDescription) -> Question:
    """The question a field asks; raises `AnswerNotKept` for what is never remembered."""
    reason = why_never(field)
    kind = kind_of(field)
    if reason is not None or kind is None:
        raise AnswerNotKept(_SAID.get(reason or "not_understood", ""), field="field")
    text = " ".join(clean(asked_text(field)).split())
    options = [] if kind == "text" else [clean(option) for option in field.options[:MAX_OPTIONS]]
    return Question(
        question=shorten(text, MAX_QUESTION_CHARS),
        question_key=question_key(text),
        kind=kind,
        options=options,
        options_key=options_key(options),
    )


def asked_by_hand(question: str, given: str) -> FieldDescription:
    """The field of a question somebody wrote themselves: one of yes and no where the answer is just that."""
    said = [pair for pair in _YES_NO if given.strip().casefold() in {each.casefold() for each in pair}]
    return FieldDescription(
        key="written", label=question, kind="radio" if said else "textarea", options=said[0] if said else []
    )


def options_key(options: list[str]) -> str:
    """The same for the same options in any order and spelling of case and spaces."""
    return " | ".join(sorted({" ".join(tokens(option)) for option in options} - {""}))


def given_of(given: list[str], kind: Kind) -> list[str]:
    """What is kept of an answer; raises `AnswerNotKept` for none, for several to one question, a secret."""
    kept = list(dict.fromkeys(text for one in given if (text := clean(one).strip())))
    if not kept:
        raise AnswerNotKept("An empty answer says nothing.", field="given")
    if len(kept) > 1 and kind != "choices":
        raise AnswerNotKept("This question takes one answer.", field="given")
    if any(reads_as_a_secret(one) for one in kept):
        raise AnswerNotKept("This looks like the number of a card or an official document.", field="given")
    return kept


def company_of(name: str | None) -> tuple[str | None, str]:
    """The employer's name as shown and in comparable form; none when nothing in it is a letter or digit."""
    shown = " ".join(clean(name or "").split())[:MAX_COMPANY_CHARS].strip()
    key = comparable_company(shown)
    return (shown, key) if key else (None, "")
