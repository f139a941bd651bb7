"""What a German, French or Spanish question about the right to work asks, read loosely. Pure.

Enough to see that an answer speaks against what the profile states, so that it is left to the person; never
enough to give one: `legal.py` alone does that. A word that may turn the question round leaves it unread.
"""

import re

from extension_api.answers.legal import Asked, LegalQuestion, countries_taken_out, legal_question
from extension_api.answers.words import plain

_MAX_CHARS = 400
_WORD = re.compile(r"[^\W_]+")
_HELP_WORDS = (
    r"(?:visum\w*|visas?|visados?|sponsor\w*|parrain\w*|patrocin\w*|arbeits(?:erlaubnis|genehmigung|visum)"
    r"|aufenthalts\w*|permis de (?:travail|sejour)|titre de sejour|permiso de (?:trabajo|residencia)"
    r"|autori[sz]aci?on de tra\w+)\b"
)
_HELP = re.compile(rf"\b{_HELP_WORDS}")
_WITHOUT = re.compile(rf"\b(?:ohne|sans|sin)\b.{{0,60}}?\b{_HELP_WORDS}")
_NEED = re.compile(
    r"\b(?:benotig\w+|brauch\w+|erforder\w+|angewiesen|besoin|necessit\w+|requerez|requiert|requerr\w+|exig\w+"
    r"|necesit\w+|requier\w+|requerir\w*|precis[ao]s?)\b"
)
_RIGHT = re.compile(
    r"\b(?:autorise\w*|habilite\w*|autorisations?|autorizad\w+|autorizacion|habilitad\w+|\w*berechtig\w*"
    r"|befugt|erlaubt|erlaubnis|durfen|darfst|arbeitserlaubnis|arbeitsgenehmigung|droits?|derechos?"
    r"|permis de travail|permiso de trabajo|titre de sejour)\b"
)
_CAN = re.compile(r"\b(?:konnen|kannst|durfen|darfst|pouvez|peux|puedes?|podrias?|pourriez)\b")
_WORK = re.compile(r"\b(?:\w*arbeit\w*|travail\w*|trabaj\w*|emploi|empleo)\b")
_TURNING = re.compile(
    r"\b(?:nicht|kein\w*|nie|niemals|pas|aucune?|jamais|non|no|ningun\w*|nunca|tampoco|carec\w*|fehl\w+"
    r"|impedid\w*|imposib\w*|impossib\w*|empech\w*|dispens\w*|exent\w*|exempt\w*|befreit|expir\w*|caduc\w*"
    r"|venc\w*|befrist\w*|ab(?:lauf\w*|gelaufen)|einschrank\w*|limit\w*|restri\w*|partner\w*|conjoint\w*"
    r"|conyuge|pareja|famil\w*|nur|seulement|uniquement|solo|solamente|wenn|falls|sofern|sauf|salvo|ausser)\b"
)


def sense_of(label: str) -> LegalQuestion | None:
    """What the question asks in any language read here; None where nobody can tell."""
    return legal_question(label) or _abroad(label)


def _abroad(label: str) -> LegalQuestion | None:
    flat = plain(label)
    if len(label) > _MAX_CHARS or not (_RIGHT.search(flat) or _HELP.search(flat)):
        return None
    countries, left = countries_taken_out(_WORD.findall(flat))
    text = " ".join(left)
    asked = None if len(countries) != 1 or _TURNING.search(text) else _asked(text)
    return asked and LegalQuestion(asked=asked, country=countries.pop())


def _asked(text: str) -> Asked | None:
    if _WITHOUT.search(text):
        return "authorised_without_limit" if _RIGHT.search(text) or _CAN.search(text) else None
    if _NEED.search(text) and _HELP.search(text):
        return "needs_sponsorship"
    return "authorised" if _RIGHT.search(text) and _WORK.search(text) else None
