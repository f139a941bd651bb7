"""What is a name of an employer or of a role, and where in the text it ends. Pure."""

import re
from functools import cache

from mailsync.classify.languages.language import Names
from mailsync.classify.senders import is_relay_brand
from schema.identity.names import comparable_company

_LONGEST_COMPANY = 80
_LONGEST_ROLE = 120
_SHORTEST_ENDING = 6
_SENTENCE_INSIDE = re.compile(
    r"(?<!\b[SJDM]r)(?<!\bSt)(?<!\bAsst)(?<!\bAssoc)(?<!\b[A-Z])(?<!\bMrs)(?<!\bNo)[.!?](?=\s)"
)
_NUMBER = r"(?:(?:[A-Z]{1,5}[-_]?)?\d{3,12}[A-Z]{0,2}(?:-\d{1,6})?|\d{2}-\d{3,6}|[A-Z]{1,4}-\d{2,12})"
# "R-1234 Baker" and "Baker (Job ID 1234)" are a Baker; the number is told on its own.
_NUMBER_BEFORE = re.compile(rf"(?:#[ ]?)?{_NUMBER}[ \t]*[:|\u2013\u2014-]?[ \t]+(?=[^\W\d_])")
_NUMBER_BEHIND = re.compile(
    r"[ \t,|\u2013\u2014-]*[(\[]?"
    r"(?i:\b(?:job|req\w*|ref\w*|r\u00e9f\w*|position|kennziffer)?\.?[ ]?"
    r"(?:id|no|number|code|ref)?\.?[ ]?[:#]?[ ]?)"
    rf"(?<![A-Za-z0-9]){_NUMBER}[)\]]?[.,;:]?$"
)
_LABEL_BEHIND = re.compile(
    r"[ \t,|\u2013\u2014-]*[(\[]?\b(?:job|req|ref|r\u00e9f|requisition|position|kennziffer)[.:]?"
    r"(?:[ ](?:id|no|number|code))?[.:#]*[ ]?(?:[A-Z0-9][A-Z0-9/-]*\d[A-Z0-9/-]*)?[)\]]?$",
    re.IGNORECASE,
)
_MANNER_BEHIND = re.compile(
    r"[ ]+[(\[](?:remote|hybrid|on-?site|full[ -]time|part[ -]time|permanent|temporary"
    r"|summer|autumn|fall|winter|spring)\b[^()\n]{0,30}[)\]]$",
    re.IGNORECASE,
)
# "Talento Northwind", "Equipe RH de Northwind": a desk in front of the employer's name, in any language.
_DESK_BEFORE = re.compile(
    r"(?:(?:The|Das|Le|La|El|Your|Ihr|Votre|Tu)[ ])?"
    r"(?:(?:Recruiting|Recruitment|Recruiters?|Hiring|Careers?|Talent(?:os?|s)?|HR|RRHH|RH|People|Personas|Personal"
    r"|Seleccion|Selecci\u00f3n|Empleo|Reclutamiento|Recrutement|Carri\u00e8res?|Karriere|Personalabteilung|Jobs"
    r"|Personalmanagement|Personalwesen"
    r"|Bewerb(?:er|ungs)management|\u00c9quipe|Equipe|Equipo|Team|Recursos[ ]Humanos|Ressources[ ]Humaines"
    r"|Human[ ]Resources|recrutement|selecci\u00f3n|talento|personas|DRH|Acquisition|Operations|Office)"
    r"(?:[ ]de[ ](?=[a-z])|[ ]))+(?:(?:at|@|von|der|bei|chez|de|del|du|en|of|[-|\u2013])[ ])?"
    r"(?=[A-Z0-9\u00c0-\u00de])"
)
_LOOSE_ENDS = frozenset((
    "and", "or", "of", "for", "at", "in", "with", "to", "the", "our", "your", "is", "has", "a", "an",
    "und", "oder", "f\u00fcr", "bei", "mit", "von", "im", "der", "die", "das", "dem", "den", "ist", "wird",
    "hat",
    "et", "ou", "de", "du", "des", "chez", "pour", "avec", "en", "dans", "le", "la", "les", "au", "aux", "ne",
    "est",
    "y", "e", "o", "del", "con", "para", "por", "el", "los", "las", "se", "no", "ha", "es", "que", "qui",
))  # fmt: skip
"""No title ends with one of these, written small."""
_BAR = re.compile(r"[ ]+[-|\u2013\u2014][ ]+")
_TRAILING = ' \t\n.,;:!?|-\u2013\u2014&/(["\u201c\u201d*_'
_A_TIME = re.compile(
    r"\d{1,4}(?:[:./h-]\d{0,4}){0,2}\s*(?:uhr|h|am|pm|[ap]\.m\.|[A-Z]{2,4})?$", re.IGNORECASE
)
_A_CODE = re.compile(r"[A-Z]{0,3}[-_]?\d{4,12}[A-Z]{0,3}")
_REPLY_MARK = re.compile(r"(?:re|fwd?|fw|tr|aw|wg|rv|antw|sv)", re.IGNORECASE)
_CONTRACTED = re.compile(r"['\u2019](?:ve|re|ll|d|m|t)$")
_POSSESSIVE = re.compile(r"['\u2019]s?$")
# "Employ\u00e9(e)", "Charg\u00e9\u00b7e", "D\u00e9veloppeur(euse)": the head stands before it.
_FEMININE = re.compile(r"(?<=\w)(?:\((?:e|ne|rice|euse|trice|se|sse|\u00e8re)\)|[\u00b7.]e\b)", re.IGNORECASE)
_GENDERS = re.compile(
    r"(?<!\w)(?:[mwfdhx](?:\s?[/|*]\s?[mwfdhxn*]){1,3}|all genders)(?!\w)|(?:[a-z]in|e)?[*:]in\b",
    re.IGNORECASE,
)


def trimmed(text: str, start: int, end: int, names: Names, *, company: bool) -> tuple[int, int]:
    """The name without what does not belong to it: a sentence that follows, team words, marks at the ends."""
    found = text[start:end]
    inside = _SENTENCE_INSIDE.search(found)
    if inside is not None and (company or inside.start() > 0):
        found = found[: inside.start()]
    if company:
        found = _without_possessive(names.behind_company.sub("", found), text[start + len(found) :])
        desk = _DESK_BEFORE.match(found)
        start, found = (start, found) if desk is None else (start + desk.end(), found[desk.end() :])
        # "on behalf of Northwind I am happy"
        found = found.removesuffix(" I")
    else:
        start, found = _without_neighbours(*_without_numbers(start, found), names)
    found = _balanced(found.rstrip(_TRAILING))
    if found.startswith("(") and found.endswith(")") and found.count("(") == 1:
        start, found = start + 1, found[1:-1]
    front = len(found) - len(found.lstrip(' "\u201c*_-\u2013\u2014'))
    return start + front, start + len(found)


def _without_possessive(found: str, behind: str) -> str:
    """ "Northwind's open role" is Northwind's; "Lloyd's." may be called so."""
    return _POSSESSIVE.sub("", found) if behind[:1] == " " and behind[1:2].islower() else found


def _without_numbers(start: int, found: str) -> tuple[int, str]:
    found = _LABEL_BEHIND.sub("", _NUMBER_BEHIND.sub("", _MANNER_BEHIND.sub("", found)))
    before = _NUMBER_BEFORE.match(found)
    return (start, found) if before is None else (start + before.end(), found[before.end() :])


def begins_with_a_desk(name: str) -> bool:
    """ "Talento Northwind" is who hires there, not a person."""
    return _DESK_BEFORE.match(name) is not None


def _without_neighbours(start: int, found: str, names: Names) -> tuple[int, str]:
    """ "About Baker" is a Baker, and so is "Baker and have chosen somebody else"."""
    start, found = _without_front(*_behind_a_bar(start, found, names), names)
    before = names.before_role.match(found) if names.before_role is not None else None
    if before is not None and found[before.end() :].strip(_TRAILING):
        start, found = start + before.end(), found[before.end() :]
        start, found = _without_front(start, found, names)
    behind = names.behind_role.search(found) if names.behind_role is not None else None
    found = found if behind is None or behind.start() == 0 else found[: behind.start()]
    return start, _without_loose_end(found)


def _behind_a_bar(start: int, found: str, names: Names) -> tuple[int, str]:
    """ "Northwind - Interview Baker" goes on with what stands before a title."""
    if names.before_role is None:
        return start, found
    for bar in _BAR.finditer(found):
        rest = found[bar.end() :]
        if names.before_role.match(rest) and not _holds_title(found[: bar.start()], names):
            return start + bar.end(), rest
    return start, found


def _without_front(start: int, found: str, names: Names) -> tuple[int, str]:
    """ "Requirements for Baker", "Current state: Baker" and "Baker: see below" are a Baker."""
    for joint in names.joins_role.finditer(found):
        front, rest = found[: joint.start()], found[joint.end() :]
        if _holds_title(front, names):
            goes_on = ":" in joint[0] and rest.split(maxsplit=1)[0].lower() in names.not_a_company
            return start, front if goes_on else found
        if is_role(rest, names, sure=False):
            return start + joint.end(), rest
    return start, found


def _holds_title(text: str, names: Names) -> bool:
    return bool(text.strip()) and is_role(text, names, sure=False)


def _without_loose_end(found: str) -> str:
    """ "Baker and", "Boulanger et" lost what they go on with."""
    while (split := found.rstrip(_TRAILING).rpartition(" "))[2] in _LOOSE_ENDS and split[0]:
        found = split[0]
    return found


def _balanced(found: str) -> str:
    """A bracket that was opened before the name, or is closed behind it, is no part of it."""
    if found.count(")") > found.count("("):
        found = found.rstrip(").,")
    if found.startswith("(") and found.count("(") > found.count(")"):
        return found
    if found.count("(") > found.count(")"):
        found = found[: found.rindex("(")].rstrip(_TRAILING)
    return found


def is_company(name: str, names: Names) -> bool:
    words = [word.strip(".,'\"()").lower() for word in name.split()]
    if words:
        words[0] = _CONTRACTED.sub("", words[0])
    if not words or len(name) > _LONGEST_COMPANY or not any(letter.isalpha() for letter in name):
        return False
    if (
        _A_TIME.match(name)
        or _A_CODE.fullmatch(name)
        or _REPLY_MARK.fullmatch(name)
        or words[0] in names.not_a_company
        or _is_a_post(words, names)
        or (_without_level(words)[-1] in names.role_heads - names.also_companies)
    ):
        return False
    return _is_group(name, words, names) or not all(_says_nothing(word, names) for word in words)


def _is_a_post(words: list[str], names: Names) -> bool:
    """ "Head of People", "Responsable RH": what somebody is, not whom they work for."""
    if words[0] not in names.role_heads - names.also_companies or len(words) == 1:
        return False
    return words[1] in _OF or all(_says_nothing(word, names) for word in words[1:])


def _without_level(words: list[str]) -> list[str]:
    """ "Engineer II" ends with a head."""
    return words[:-1] if len(words) > 1 and words[-1] in _LEVELS else words


def _is_group(name: str, words: list[str], names: Names) -> bool:
    """ "Groupe La Marche": a group's name may be made of words that say nothing elsewhere."""
    return (
        len(words) > 1
        and words[0] in _GROUPS
        and all(word[:1].isupper() for word in name.split())
        and names.not_alone.isdisjoint(words[1:])
    )


def says_nothing(line: str, names: Names) -> bool:
    """ "Graduate Recruitment", "HR Team": words about hiring, and no name."""
    words = [word.strip(".,'\"()").lower() for word in line.split()]
    return bool(words) and all(_says_nothing(word, names) for word in words)


def _says_nothing(word: str, names: Names) -> bool:
    return not word.strip("-&|") or word in names.not_a_company or word in names.not_alone or word in _JOINING


_OF = frozenset(("of", "de", "du", "des", "del", "en", "d'", "for", "f\u00fcr", "der", "la"))
_LEVELS = frozenset(("i", "ii", "iii", "iv", "1", "2", "3", "4"))
_GROUPS = frozenset(("groupe", "grupo", "gruppe"))
_JOINING = frozenset(("of", "and", "for", "in", "at", "the", "to", "de", "la"))


def is_brand(name: str) -> bool:
    """A relay's brand, its legal form and team words left aside."""
    return is_relay_brand(name) or is_relay_brand(comparable_company(name))


@cache
def _endings(heads: frozenset[str]) -> tuple[str, ...]:
    """Heads long enough to end a compound: "Nachtb\u00e4cker" is a baker."""
    return tuple(head for head in heads if len(head) >= _SHORTEST_ENDING)


def is_role(name: str, names: Names, *, sure: bool) -> bool:
    plain = _FEMININE.sub("", name).replace("/", " ")
    words = [word.strip(".,'():\"").lower() for word in plain.split()]
    if not words or len(name) > _LONGEST_ROLE or not any(letter.isalpha() for letter in name):
        return False
    if words[0] in names.not_a_role:
        return False
    if not names.role_heads.isdisjoint(words) or _GENDERS.search(name) is not None:
        return True
    if names.compounds and any(word.endswith(_endings(names.role_heads)) for word in words):
        return True
    return sure and not all(_says_nothing(word, names) for word in words)
