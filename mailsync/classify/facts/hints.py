"""What the surroundings of the text say about the employer: tokens of addresses, and where they are spelt.

A token never names an employer by itself (a tenant may be a code name, a domain that of an agency). It counts
when a name in the message is spelt like it. Pure.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from mailsync.classify.facts.mentions import Mention, mention
from mailsync.classify.facts.page import Page, masked
from mailsync.classify.facts.people import is_given_name
from mailsync.classify.own_domains import PUBLIC_MAIL, own_label
from mailsync.classify.senders import known_sender, tenant
from mailsync.parse.types import Address
from schema.identity.tokens import folded
from schema.identity.urls import posting_url

_SHORTEST = 3
_SHORTEST_PREFIX = 4
_AROUND = re.compile(
    r"^(?:join|get|try|hello|team|the|my|go|use|we|with|mail|jobs|careers|email|e)(?=.{4})"
    r"|(?<=.{3})(?:careers?|jobs?|talents?|hr|team|group|gruppe|inc|corp|llc|ltd|gmbh|recruiting|recruitment"
    r"|labs?|hq|app|apps|ai|io|tech|global|uk|usa?|eu|mail|online|digital|company|co|se|sa|ag|\d{1,4}|en|fr|de"
    r"|external|prod|candidates?|hiring|work|works|people|notifications?|emploi|rh|recrutement|karriere)$"
)
_WORD = re.compile(r"[^\W_]+(?:['\u2019.][^\W_]+)*\.?|&")
_SAME_NAME = re.compile(r"[ \t]{1,2}|[ ]?[-/][ ]?|")
_UMLAUTS = str.maketrans({"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00df": "ss"})
_REST_OF_LINE = re.compile(r"(?:[ ](?:[A-Z][\w'\u2019.-]*|&|of|and)){1,3}(?=[ \t]*[,.]?[ \t]*(?:\n|$))")
_JOINED = re.compile(r"\b(?:and|und|et|y)\b|&|\+", re.IGNORECASE)
_MOST_WORDS = 5
_MOST_LINKS = 40
_LIST = re.compile(r"<?([\w.-]{1,200})>?\s*$")
_TOO_PLAIN = frozenset((
    "jobs", "careers", "career", "team", "talent", "people", "work", "hiring", "company", "mail", "apply",
    "recruiting", "recruitment", "info", "news", "system", "email", "application",
    "noreply", "notification", "notifications", "donotreply", "candidates", "support",
))  # fmt: skip


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """`own` when it comes from the sender's own domain, which may be an agency's."""

    token: str
    own: bool


def hints_of(page: Page) -> tuple[Hint, ...]:
    found: dict[str, bool] = {}
    for token, own in _tokens(page):
        plain = condensed(token)
        if len(plain) >= _SHORTEST and plain not in PUBLIC_MAIL and plain not in _TOO_PLAIN:
            found[plain] = found.get(plain, True) and own
    return tuple(Hint(token=token, own=own) for token, own in found.items())


def _tokens(page: Page) -> Iterator[tuple[str, bool]]:
    message = page.message
    if page.sender is not None and (token := tenant(message.sender, page.sender)):
        yield token, False
    yield from _before_domain(page)
    for address in (message.sender, *message.reply_to[:2]):
        if label := own_label(address, known_sender(address)):
            yield label, True
    listed = _LIST.search(message.bulk.list_id)
    if listed is not None and (label := own_label(Address(address=f"@{listed[1]}"), None)):
        yield label, True
    for link in message.links[:_MOST_LINKS]:
        target = posting_url(link.url)
        if target is not None and target.board and target.platform:
            yield (
                target.board.rpartition("/")[2]
                if target.platform != "workday"
                else target.board.partition("/")[0].partition(".")[0],
                False,
            )


def _before_domain(page: Page) -> Iterator[tuple[str, bool]]:
    """Tenants of one word stand there at many platforms; "first.last" and a given name are a person's."""
    local = page.message.sender.local_part
    if page.sender is not None and page.sender.kind == "ats" and "." not in local:
        tenant_or_person = local.partition("+")[0]
        if not is_given_name(tenant_or_person):
            yield tenant_or_person, False


@lru_cache(maxsize=20_000)
def condensed(name: str) -> str:
    """Letters and digits only, accents and case dropped: a name as an address would spell it."""
    return "".join(letter for letter in folded(name) if letter.isalnum())


def agrees(name: str, token: str) -> bool:
    """Whether the name is spelt like the token, parts that addresses add left aside."""
    spelt = (condensed(name), condensed(name.lower().translate(_UMLAUTS)), condensed(_JOINED.sub(" ", name)))
    bare = _bare(token)
    if any(key in (token, bare) or _bare(key) == bare for key in spelt):
        return True
    long_enough = min(len(spelt[0]), len(bare)) >= _SHORTEST_PREFIX
    return long_enough and (spelt[0].startswith(bare) or bare.startswith(spelt[0]))


@lru_cache(maxsize=20_000)
def _bare(token: str) -> str:
    for _ in range(2):
        token = _AROUND.sub("", token)
    return token


def spelt_out(page: Page, hints: tuple[Hint, ...]) -> Iterator[tuple[Mention, Hint]]:
    """Where the message spells a token as a name: "northwindfoods" as Northwind Foods."""
    wanted = {
        form: hint for hint in hints for form in (_bare(hint.token), hint.token) if len(form) >= _SHORTEST
    }
    if not wanted:
        return
    for source, text in page.parts():
        words = list(_WORD.finditer(masked(text)))
        for spelling in _spellings(words):
            for first in range(len(words)):
                if (run := _run(text, words, spelling, first, wanted)) is None:
                    continue
                last, hint = run
                start, end = words[first].start(), _to_the_end_of_the_line(text, words[last].end())
                yield mention(text, source, start, end, weight=_weight(text, start, end, hint)), hint


def _spellings(words: list[re.Match[str]]) -> Iterator[list[str]]:
    plain = [condensed(word[0]) for word in words]
    yield plain
    german = [condensed(word[0].lower().translate(_UMLAUTS)) for word in words]
    if german != plain:
        yield german
    if any(_JOINED.fullmatch(word[0]) for word in words):
        yield ["" if _JOINED.fullmatch(word[0]) else key for word, key in zip(words, plain, strict=True)]


def _run(
    text: str, words: list[re.Match[str]], spelling: list[str], first: int, wanted: dict[str, Hint]
) -> tuple[int, Hint] | None:
    """The longest run of words from `first` that spells a token: its last word, and the token."""
    key, found = "", None
    for place in range(first, min(first + _MOST_WORDS, len(words))):
        if place > first and not _SAME_NAME.fullmatch(text, words[place - 1].end(), words[place].start()):
            break
        key += spelling[place]
        if not any(form.startswith(key) for form in wanted):
            break
        if key in wanted:
            found = place, wanted[key]
    return found


def _to_the_end_of_the_line(text: str, end: int) -> int:
    """ "Thornbury School" where only "thornbury" is in the address, when the line ends with the name."""
    rest = _REST_OF_LINE.match(text, end)
    return end if rest is None else rest.end()


def _weight(text: str, start: int, end: int, hint: Hint) -> int:
    weight = 2 if hint.own else 3
    on_its_own = text[end : end + 1] in ("", "\n") and text[start - 1 : start] in ("", "\n")
    return weight if on_its_own or not text[start:end].islower() else weight - 1
