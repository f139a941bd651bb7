"""Which other name a confirmed message teaches, and which names count. Pure.

Too eager makes an agency the name of every employer it recruits for; too shy only asks once more. So a name
is learned only when the message names one employer for sure, and it is nobody who writes for others.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cache

import msgspec

from mailsync.classify.senders import is_relay_brand
from matcher.aliases.types import Alias, OtherName
from matcher.evidence.around_names import words_around
from matcher.evidence.go_between import is_desk, speaks_of_a_client
from matcher.evidence.keys import company_key
from matcher.evidence.types import Letter
from matcher.evidence.writer import own_domain
from schema.identity.tokens import folded, words


@cache
def _of_agencies() -> frozenset[str]:
    return words_around(lambda around: around.agencies)


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """The name a message uses for the employer of the application it was attached to."""

    alias: str
    alias_key: str


def lesson_of(letter: Letter, company: str | None) -> Lesson | None:
    """None unless the message names for sure exactly one employer, another than `company`, and no go-between.

    The employers of the person's other applications are the caller's to leave out.
    """
    own = company_key(company) if company else None
    named = {key: fact for fact in letter.all_named("employer") if (key := company_key(fact.value))}
    if own is None or len(named) != 1 or letter.from_owner:
        return None
    key, fact = next(iter(named.items()))
    if not fact.sure or key == own or is_go_between(letter, fact.value):
        return None
    return Lesson(alias=fact.value, alias_key=key)


def is_go_between(letter: Letter, name: str) -> bool:
    """A platform, or an agency by its own name or by what it says."""
    key = company_key(name)
    if key is None or is_desk(name) or is_relay_brand(name) or is_relay_brand(key):
        return True
    if not _of_agencies().isdisjoint(words(folded(name))):
        return True
    domain = own_domain(letter)
    return domain is not None and domain.key == key and speaks_of_a_client(letter)


def other_names(found: Iterable[Alias], used: Collection[str]) -> list[OtherName]:
    """What the keys in `used` are other names of, either way round; the same for any order of `found`.

    `found` holds everything known of each alias in it. A name of two employers is a go-between's.
    """
    companies: dict[str, set[str]] = defaultdict(set)
    known = sorted(found, key=lambda each: (each.created_at, each.alias_id))
    for each in known:
        companies[each.alias_key].add(each.company_key)
    told: dict[tuple[str, str], OtherName] = {}
    for each in known:
        if len(companies[each.alias_key]) > 1:
            continue
        for name in (_other_name(each), _the_other_way(each)):
            if name.used_key in used:
                told.setdefault((name.used_key, name.key), name)
    return list(told.values())


def _other_name(alias: Alias) -> OtherName:
    return OtherName(
        used=alias.alias,
        used_key=alias.alias_key,
        key=alias.company_key,
        origin=alias.origin,
        since=alias.created_at,
    )


def _the_other_way(alias: Alias) -> OtherName:
    """The message uses the name the application would stand under, and it stands under the alias."""
    return OtherName(
        used=alias.company,
        used_key=alias.company_key,
        key=alias.alias_key,
        origin=alias.origin,
        since=alias.created_at,
    )
