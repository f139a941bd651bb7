"""Other names of employers: the only writer of `aliases` and of the names an application lets expect.

A name is in force from what the person entered and from every confirmed message that used it; taking back
the last of them takes it out of force. What the person removed is not learned again. Every change has the
messages that use either name looked at again, found by their keys.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from matcher.aliases.rules import lesson_of, other_names
from matcher.aliases.types import Alias, ListedName, OtherName, Unnoted
from matcher.decisions.store import hold_account, mark_stale
from matcher.evidence import keys
from matcher.evidence.kinship import names_to_expect
from matcher.evidence.types import Letter
from schema.db import Unit
from schema.errors import Invalid
from schema.ids import AliasId, ApplicationId, DecisionId
from schema.live import announce
from schema.query import Query, Statement
from schema.queue import CLICKED, enqueue
from schema.tasks import MatchAccount
from schema.text import clean, shorten

MAX_NAME_CHARS = 300
MOST_AT_ONCE = 500
RULES = "rules 2"
"""Stands among an application's names: by which rules they and its keys were made. Another number has those
of every application made anew by the next run."""


class _Id(msgspec.Struct, frozen=True, kw_only=True):
    alias_id: AliasId


class _Pair(msgspec.Struct, frozen=True, kw_only=True):
    alias_key: str
    company_key: str


class _Company(msgspec.Struct, frozen=True, kw_only=True):
    company: str | None


class _Is(msgspec.Struct, frozen=True, kw_only=True):
    is_so: bool


ANY = Query("aliases.any", _Is, "SELECT EXISTS (SELECT FROM aliases WHERE removed_at IS NULL) AS is_so")
OF_ALIAS = Query(
    "aliases.of_alias",
    Alias,
    """SELECT id AS alias_id, alias, alias_key, company, company_key, origin, created_at
       FROM aliases WHERE alias_key = ANY(%(keys)s::text[]) AND removed_at IS NULL""",
)
OF_COMPANY = Query(
    "aliases.of_company",
    Alias,
    """SELECT id AS alias_id, alias, alias_key, company, company_key, origin, created_at
       FROM aliases WHERE company_key = ANY(%(keys)s::text[]) AND removed_at IS NULL""",
)
LIST = Query(
    "aliases.list",
    ListedName,
    """SELECT f.id AS alias_id, f.alias, f.company, f.origin, f.created_at, p.confirmed, g.id AS message_id,
         g.subject,
         NOT EXISTS (SELECT FROM aliases o WHERE o.alias_key = p.alias_key AND o.company_key <> p.company_key
                     AND o.removed_at IS NULL) AS counts
       FROM (SELECT alias_key, company_key, (count(*) FILTER (WHERE origin = 'confirmed'))::int AS confirmed,
               (array_agg(id ORDER BY origin = 'confirmed', id))[1] AS first_id
             FROM aliases WHERE removed_at IS NULL GROUP BY alias_key, company_key) p
       JOIN aliases f ON f.id = p.first_id
       LEFT JOIN match_decisions d ON d.account_id = f.account_id AND d.id = f.decision_id
       LEFT JOIN messages g ON g.account_id = d.account_id AND g.id = d.message_id
       ORDER BY f.company_key, f.alias_key, f.id LIMIT %(limit)s""",
)
EMPLOYS_ELSEWHERE = Query(
    "aliases.employs_elsewhere",
    _Is,
    """SELECT EXISTS (SELECT FROM applications
         WHERE company_key = %(key)s AND id <> %(application_id)s AND dismissed_at IS NULL
           AND origin <> 'derived') AS is_so""",
)
WAS_REMOVED = Query(
    "aliases.was_removed",
    _Is,
    """SELECT EXISTS (SELECT FROM aliases WHERE alias_key = %(alias_key)s AND company_key = %(company_key)s
         AND removed_at IS NOT NULL)
       AND NOT EXISTS (SELECT FROM aliases WHERE alias_key = %(alias_key)s AND company_key = %(company_key)s
         AND removed_at IS NULL) AS is_so""",
)
COMPANY = Query(
    "aliases.company_of", _Company, "SELECT company FROM applications WHERE id = %(application_id)s"
)
ADD = Query(
    "aliases.add",
    _Id,
    """INSERT INTO aliases (alias, alias_key, company, company_key, origin, decision_id, created_at)
       VALUES (%(alias)s, %(alias_key)s, %(company)s, %(company_key)s,
         CASE WHEN %(decision_id)s::bigint IS NULL THEN 'person' ELSE 'confirmed' END,
         %(decision_id)s::bigint, %(now)s)
       ON CONFLICT (account_id, alias_key, company_key, coalesce(decision_id, 0)) WHERE removed_at IS NULL
       DO UPDATE SET alias = excluded.alias RETURNING id AS alias_id""",
)
REMOVE = Query(
    "aliases.remove",
    _Pair,
    """UPDATE aliases a SET removed_at = %(now)s FROM aliases named
       WHERE named.id = %(alias_id)s AND a.alias_key = named.alias_key AND a.company_key = named.company_key
         AND a.removed_at IS NULL RETURNING a.alias_key, a.company_key""",
)
RESTORE = Query(
    "aliases.restore",
    _Pair,
    """UPDATE aliases a SET removed_at = NULL FROM aliases named
       WHERE named.id = %(alias_id)s AND a.alias_key = named.alias_key AND a.company_key = named.company_key
         AND a.removed_at = named.removed_at
         AND NOT EXISTS (SELECT FROM aliases o WHERE o.alias_key = a.alias_key
           AND o.company_key = a.company_key AND o.removed_at IS NULL
           AND o.decision_id IS NOT DISTINCT FROM a.decision_id)
       RETURNING a.alias_key, a.company_key""",
)
FORGET = Query(
    "aliases.forget",
    _Pair,
    "DELETE FROM aliases WHERE decision_id = %(decision_id)s RETURNING alias_key, company_key",
)


DROP_EXPECTED = Statement(
    "aliases.drop_expected",
    """DELETE FROM application_names WHERE application_id = %(application_id)s
         AND key <> ALL(%(names)s::text[])""",
)
EXPECT = Statement(
    "aliases.expect",
    """INSERT INTO application_names (key, application_id)
       SELECT w.key, %(application_id)s FROM unnest(%(names)s::text[]) w (key) ON CONFLICT DO NOTHING""",
)
EXPECT_MANY = Statement(
    "aliases.expect_many",
    """INSERT INTO application_names (key, application_id)
       SELECT * FROM unnest(%(names)s::text[], %(application_ids)s::bigint[]) ON CONFLICT DO NOTHING""",
)
DROP_ALL_EXPECTED = Statement(
    "aliases.drop_all_expected",
    "DELETE FROM application_names WHERE application_id = ANY(%(application_ids)s::bigint[])",
)
MOVE = Statement(
    "aliases.move",
    """UPDATE aliases l SET company_key = %(company_key)s
       WHERE l.company_key = %(old_key)s AND l.alias_key <> %(company_key)s
         AND NOT EXISTS (SELECT FROM aliases b WHERE b.company_key = %(company_key)s
           AND b.alias_key = l.alias_key AND b.removed_at IS NULL
           AND coalesce(b.decision_id, 0) = coalesce(l.decision_id, 0))""",
)
UNNOTED = Query(
    "aliases.unnoted",
    Unnoted,
    """SELECT a.id AS application_id, a.company, a.company_key, a.role, a.role_key FROM applications a
       WHERE NOT EXISTS (SELECT FROM application_names n WHERE n.application_id = a.id AND n.key = %(mark)s)
       ORDER BY a.id LIMIT %(limit)s""",
)


async def other_names_of(unit: Unit, used: Iterable[str]) -> list[OtherName]:
    """What these company keys are other names of, either way round."""
    wanted = sorted(set(used))
    if not wanted or not (await unit.one(ANY)).is_so:
        return []
    # One index each, as for candidates; what a company is called has to be known whole to be judged.
    by_alias = await unit.all(OF_ALIAS, keys=wanted)
    by_company = await unit.all(OF_COMPANY, keys=wanted)
    rest = sorted({each.alias_key for each in by_company} - set(wanted))
    whole = await unit.all(OF_ALIAS, keys=rest) if rest else []
    found = {each.alias_id: each for each in (*by_alias, *by_company, *whole)}
    return other_names(found.values(), frozenset(wanted))


async def names(unit: Unit, *, limit: int = 1000) -> list[ListedName]:
    """Every two names held for one employer's, by employer."""
    return await unit.all(LIST, limit=limit)


async def add_name(unit: Unit, alias: str, company: str, *, now: datetime) -> AliasId:
    """The person's own word that both are one employer; safe to repeat. Raises `Invalid`."""
    alias, company = _name(alias), _name(company)
    alias_key, company_key = keys.company_key(alias), keys.company_key(company)
    if alias_key is None:
        raise Invalid("Write the other name.", field="alias")
    if company_key is None:
        raise Invalid("Write the employer's name.", field="company")
    for key, field in ((alias_key, "alias"), (company_key, "company")):
        if len(key) > MAX_NAME_CHARS:
            raise Invalid("That name is too long to be compared.", field=field)
    if alias_key == company_key:
        raise Invalid("These two are written alike already; no need to say so.", field="alias")
    await hold_account(unit)
    added = await unit.one(
        ADD, alias=alias, alias_key=alias_key, company=company, company_key=company_key,
        decision_id=None, now=now,
    )  # fmt: skip
    await _changed(unit, [_Pair(alias_key=alias_key, company_key=company_key)])
    return added.alias_id


async def remove_name(unit: Unit, alias_id: AliasId, *, now: datetime) -> bool:
    """Hold the two names apart from now on, whatever they were learned from; whether they were together."""
    await hold_account(unit)
    pairs = await unit.all(REMOVE, alias_id=alias_id, now=now)
    await _changed(unit, pairs)
    return bool(pairs)


async def restore_name(unit: Unit, alias_id: AliasId) -> bool:
    """Takes `remove_name` back; whether there was anything to take back."""
    await hold_account(unit)
    pairs = await unit.all(RESTORE, alias_id=alias_id)
    await _changed(unit, pairs)
    return bool(pairs)


async def learn(
    unit: Unit, decision_id: DecisionId, letter: Letter, application_id: ApplicationId, *, now: datetime
) -> AliasId | None:
    """What a confirmed, assigned or recorded message teaches about its employer's names; None when nothing.

    The caller holds the account's lock, has appended the decision, and asks for a match run.
    """
    company = (await unit.one(COMPANY, application_id=application_id)).company
    lesson = lesson_of(letter, company)
    if lesson is None or company is None:
        return None
    company_key = keys.company_key(company) or ""
    if max(len(lesson.alias_key), len(company_key)) > MAX_NAME_CHARS:
        return None
    elsewhere = await unit.one(EMPLOYS_ELSEWHERE, key=lesson.alias_key, application_id=application_id)
    removed = await unit.one(WAS_REMOVED, alias_key=lesson.alias_key, company_key=company_key)
    if elsewhere.is_so or removed.is_so:
        return None
    added = await unit.one(
        ADD, alias=_name(lesson.alias), alias_key=lesson.alias_key, company=company, company_key=company_key,
        decision_id=decision_id, now=now,
    )  # fmt: skip
    await _look_again(unit, [_Pair(alias_key=lesson.alias_key, company_key=company_key)])
    return added.alias_id


async def forget(unit: Unit, decision_id: DecisionId) -> int:
    """Withdraw what that decision taught, when it is taken back; how many names.

    The caller holds the account's lock and asks for a match run.
    """
    pairs = await unit.all(FORGET, decision_id=decision_id)
    await _look_again(unit, pairs)
    return len(pairs)


async def expect_names(unit: Unit, application_id: ApplicationId, company: str | None) -> None:
    """Note under which names, besides its own, an application's employer may be named."""
    names = _expected(company)
    await unit.run(DROP_EXPECTED, application_id=application_id, names=names)
    await unit.run(EXPECT, application_id=application_id, names=names)


def _expected(company: str | None) -> list[str]:
    """A name can grow when it is written out: as much of it as a key holds."""
    names = names_to_expect(company) if company else ()
    return sorted({RULES, *(name[:MAX_NAME_CHARS] for name in names)})


async def unnoted(unit: Unit) -> list[Unnoted]:
    """Some hundreds at most: recorded past their store, or by rules that were others."""
    return await unit.all(UNNOTED, mark=RULES, limit=MOST_AT_ONCE)


async def note_names(unit: Unit, rows: Sequence[Unnoted]) -> None:
    """The same as `expect_names` for many."""
    if rows:
        pairs = [(row.application_id, name) for row in rows for name in _expected(row.company)]
        ids, names = zip(*pairs, strict=True)
        await unit.run(DROP_ALL_EXPECTED, application_ids=sorted(set(ids)))
        await unit.run(EXPECT_MANY, application_ids=list(ids), names=list(names))


async def move_names(unit: Unit, old_key: str | None, company_key: str | None) -> None:
    """The names held for an employer whose own key is another now."""
    if old_key and company_key and old_key != company_key:
        await unit.run(MOVE, old_key=old_key, company_key=company_key)


async def _changed(unit: Unit, pairs: Iterable[_Pair]) -> None:
    found = list(pairs)
    if found:
        await _look_again(unit, found)
        await enqueue(unit, MatchAccount(), priority=CLICKED)
        announce(unit, "review")


async def _look_again(unit: Unit, pairs: Iterable[_Pair]) -> None:
    named = {key for pair in pairs for key in (pair.alias_key, pair.company_key)}
    await mark_stale(unit, keys.hashed(keys.company(key) for key in named))


def _name(text: str) -> str:
    return shorten(" ".join(clean(text).split()), MAX_NAME_CHARS)
