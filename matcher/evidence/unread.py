"""When a message that nobody could tell a kind of may be attached all the same. Pure.

It names the employer and no title, or the very title of an application of which nobody recorded the employer.
That is enough only when the message as a whole is about an application, and names nothing in its sentences
that could be another opening's title.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from mailsync.classify.facts.page import unwrapped
from mailsync.classify.languages.choose import languages_of
from mailsync.classify.languages.load import languages
from mailsync.classify.model.process import is_about_an_account, is_about_an_application
from mailsync.classify.senders import known_sender
from mailsync.parse.types import Address, BulkHints, ParsedMessage
from matcher.evidence.around_names import either, words_around
from matcher.evidence.gendered import marked_title, one_form
from matcher.evidence.title_like import is_a_head, titles_in_subject, titles_like
from matcher.evidence.types import Letter
from matcher.evidence.words import (
    MAX_TEXT_CHARS,
    Word,
    belongs_to_no_name,
    is_a_date_word,
    is_a_salute,
    words_of,
)
from schema.identity.names import company_words, title_words

_SLOT_CHARS = 90
_OPENS_A_TITLE = (":", '"', "'", "(", "\u00ab", "\u201c", "\u201e", "\u2018")
_BEFORE_CHARS = 40
_SHORT_LINE = 5
_LIST = 3
_MOST_OF_A_GREETING = 6
_FIRST_SIGNS = re.compile(r"[\u00bf\u00a1]?[^:!?\n]{1,60}(?=[:!?\n,])")
_MOST_OF_A_LINE = 8
_LONGEST_CLOSING = 70
_LINES_BELOW = re.compile(r"\n([^\n]+)")
_TOOLS = frozenset((
    "pdf", "id", "zoom", "google", "meet", "microsoft", "teams", "skype", "linkedin", "internet", "online",
    "email", "mail",
))  # fmt: skip
"""Written large within a sentence in any language, though no title."""


@cache
def _plain() -> frozenset[str]:
    return _TOOLS.union(*(language.titles.plain for language in languages()))


@cache
def _nobodys_title() -> tuple[str, ...]:
    return tuple(words_around(lambda around: around.nobodys_title))


@cache
def _title_follows() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{either(lambda around: around.title_follows)})$", re.IGNORECASE)


def lists_openings(letter: Letter) -> bool:
    """Several lines of it are other titles: what a saved search found, not an answer to an application."""
    lines = {line.strip().casefold() for line in letter.body[:MAX_TEXT_CHARS].split("\n")}
    return sum(_is_a_title_line(line) for line in lines) >= _LIST


def is_a_boards_list(letter: Letter, role: str | None) -> bool:
    """A job board that speaks of no application and names another title offers them."""
    sender = known_sender(Address(address=letter.sender_address))
    if sender is None or sender.kind != "board":
        return False
    text = f"{letter.subject}\n{letter.body[:MAX_TEXT_CHARS]}".lower()
    if any(language.signs.applied.search(text) for language in languages()):
        return False
    own = frozenset(one_form(word) for word in title_words(role or ""))
    lines = (line.strip().casefold() for line in letter.body[:MAX_TEXT_CHARS].split("\n"))
    titles = (line for line in lines if _is_a_title_line(line))
    return any(own.isdisjoint(one_form(word) for word in title_words(line)) for line in titles)


def names_another_before(letter: Letter, company: str | None, role: str | None) -> bool:
    """ "For School Caretaker at Northwind", "(School Caretaker, Northwind)": another title stands where that
    of the application would."""
    if not company or not role:
        return False
    own = frozenset(one_form(word) for word in title_words(role))
    text = unwrapped(letter.body[:MAX_TEXT_CHARS])
    for name in re.finditer(re.escape(company), text, re.IGNORECASE):
        found = _slot().search(text, max(0, name.start() - _SLOT_CHARS), name.start())
        titled = (found[1] or found[2]) if found is not None else ""
        words = [word for word in words_of(titled) if word.starts_name]
        if words and not any(belongs_to_no_name(word) for word in words):
            return not any(one_form(word.key) in own for word in words)
    return False


@cache
def _slot() -> re.Pattern[str]:
    follows, employs = either(lambda around: around.title_follows), either(lambda around: around.employs)
    title = r"[^\W\d_a-z][\w/-]+(?:[ ][^\W\d_a-z][\w/-]+){0,4}"
    marks = r"(?:[ ]\([^()\n]{1,12}\))?"
    beside = r"\(([^\W\d_a-z][^()\n]{2,60}(?:\([^()\n]{1,20}\)[^()\n]{0,20})?),[ ]$"
    before = rf"(?<!\w)(?i:{follows})[ ]({title}){marks}[ ](?i:{employs}|@)[ ](?:\w{{2,5}}[ ])?$"
    return re.compile(f"{before}|{beside}")


def _is_a_title_line(line: str) -> bool:
    words = [word.strip(".,:;()-*\u2022") for word in line.split()]
    if not 0 < len(words) <= _MOST_OF_A_LINE or line.endswith((".", "!", "?", ",")):
        return False
    return marked_title().search(line) is not None or any(is_a_head(word) for word in words)


def tells_of_an_account(letter: Letter) -> bool:
    """That somebody opened a profile is no news of an application."""
    is_news = any(kind != "status_update" for kind in letter.kinds)
    return not is_news and is_about_an_account(letter.subject, letter.body)


def names_a_title(subject: str, company: str | None, role: str | None) -> bool:
    """A word of the subject is one of titles, and neither of this opening's nor of the employer's name."""
    known = {one_form(word) for word in (*company_words(company or ""), *title_words(role or ""))}
    return any(
        word.starts_name
        and one_form(word.key) not in known
        and not belongs_to_no_name(word)
        and not word.key.endswith(_nobodys_title())
        and is_a_head(subject[word.start : word.end].casefold())
        for word in words_of(subject)
    )


def may_be_attached(
    letter: Letter, company: str | None, role: str | None = None, *, is_known: bool = False
) -> bool:
    """Where nobody recorded for what it is, and no other is at the employer, a title is no other one's; where
    nobody recorded the employer, it was found by its title. Who is known from this application need not say
    again that it is about one."""
    if company is not None and role is not None and _names_another_title(letter, company, role):
        return False
    if lists_openings(letter):
        return False
    if letter.is_wordless and not is_known:
        return False  # an employer writes to its customers in the same words
    if is_known and not letter.is_bulk:
        return not is_about_an_account(letter.subject, letter.body)
    return is_about_an_application(_as_parsed(letter))


def _as_parsed(letter: Letter) -> ParsedMessage:
    """What is read of a message to tell what it is about."""
    return ParsedMessage(
        message_id=letter.rfc_message_id,
        in_reply_to=None,
        references=(),
        sender=Address(name=letter.sender_name, address=letter.sender_address),
        reply_to=(),
        recipients=(),
        subject=letter.subject,
        sent_at=letter.sent_at,
        sent_at_source="date",
        bulk=BulkHints(list_unsubscribe=letter.is_bulk),
        provider_thread=None,
        labels=(),
        body=letter.body,
        signature="",
        quoted="",
        is_forward=False,
        links=(),
        calendars=(),
        attachments=(),
        defects=(),
    )


def _names_another_title(letter: Letter, company: str, role: str) -> bool:
    if letter.all_named("role") or titles_like(letter.body) or titles_in_subject(letter.subject):
        return True
    text = f"{letter.subject}\n{letter.body}"[:MAX_TEXT_CHARS]
    if marked_title().search(text) is not None:
        return True
    unmarked = [language.titles.unmarked for language in languages_of(text) if language.titles.unmarked]
    if unmarked:
        return any(pattern.search(text) is not None for pattern in unmarked)
    known = {*company_words(company), *(word.key for word in words_of(letter.sender_name))}
    known |= {word.key for word in words_of(_greeting(letter.body))}
    own = frozenset(one_form(word) for word in title_words(role))
    return any(
        _is_unknown(word, known) and one_form(word.key) not in own for word in _within_sentences(letter)
    )


def _greeting(body: str) -> str:
    """The words before the first sign, when they are few: whom it greets."""
    first = _FIRST_SIGNS.match(body.lstrip())
    return first[0] if first is not None and len(first[0].split()) <= _MOST_OF_A_GREETING else ""


def _is_unknown(word: Word, known: set[str]) -> bool:
    if (
        len(word.key) == 1
        or word.key in known
        or word.key in _plain()
        or any(letter.isdigit() for letter in word.key)
    ):
        return False
    return not belongs_to_no_name(word) and not is_a_date_word(word)


def _before_closing(body: str) -> str:
    """What stands below "Kind regards" says who writes, not what about."""
    closings = [language.names.closings for language in languages() if language.names.closings is not None]
    for line in _LINES_BELOW.finditer(body):
        text = line[1].strip()[:_LONGEST_CLOSING]
        if text and any(closing.match(text) for closing in closings):
            return body[: line.start()]
    return body


def _within_sentences(letter: Letter) -> Iterator[Word]:
    """Words written large where a title could stand; lines that greet or sign are left out."""
    body = _before_closing(letter.body[:MAX_TEXT_CHARS])
    for text in (letter.subject, *unwrapped(body).split("\n")):
        found = words_of(text)
        signs = len(found) < _SHORT_LINE and ":" not in text and text is not letter.subject
        if signs or (found and is_a_salute(found[0])):
            continue
        yield from _of_titles(text, found)


def _of_titles(text: str, found: Sequence[Word]) -> Iterator[Word]:
    """Where a title could begin, and the words that go on behind it: "as Senior Baker"."""
    end = -1
    for word in found:
        goes_on = text[end : word.start] == " "
        if word.starts_name and (goes_on or _could_begin_a_title(text, word)):
            end = word.end
            yield word
        else:
            end = -1


def _could_begin_a_title(text: str, word: Word) -> bool:
    """It stands behind a label, in quotation marks, or behind such a word as "as" and "for"."""
    before = text[max(0, word.start - _BEFORE_CHARS) : word.start].rstrip(" \u00a0")
    return before.endswith(_OPENS_A_TITLE) or _title_follows().search(before) is not None
