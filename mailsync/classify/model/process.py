"""Whether a message that nobody could tell the kind of is, all in all, about what becomes of an application.

That is easier to tell than what exactly it says: the kinds share the probability between them. It proposes no
event and decides nothing alone; mail about an account at a career site sounds alike and is left out. Pure.
"""

import re

from mailsync.classify.model.features import features_of
from mailsync.classify.model.labels import LABELS, NOISE, Label
from mailsync.classify.model.weights import weights
from mailsync.classify.noise import is_bulk
from mailsync.classify.senders import known_sender
from mailsync.parse.types import ParsedMessage

LEAST = 0.5
MOST_OUTREACH = 0.2
MOST_NOISE = 0.4
_PROCESS: frozenset[Label] = frozenset(LABELS) - NOISE.keys() - {"recruiter_outreach", "unclear"}
_ABOUT_AN_ACCOUNT = re.compile(
    r"\b(?:pass(?:word|wort|code)\w*|mots? de passe|contrase\u00f1as?|kennw[o\u00f6]rt\w*|accounts?|konto"
    r"|konten|\w{2,20}konto|comptes?|cuentas?|log(?:ged|ging)?[ -]?in|sign(?:ed|ing)?[ -]in|ein(?:ge)?logg\w*"
    r"|anmeld\w*|angemeldet|connexion|connect\u00e9\w*|sesi\u00f3n|regist(?:er(?:ed)?|rierung|riert|rado|rarte"
    r"|rarse)|inscri(?:re|vez)|espace candidat|\w{0,10}portal|talent (?:community|pool|profile?)|talentpool"
    r"|(?:dein|ihr|your|votre|ton|tu|su)e?n? (?:\w+ )?(?:profil|profile|perfil)|device|ger\u00e4t|handy"
    r"|telefon|appareil|t\u00e9l\u00e9phone|dispositivo|tel\u00e9fono|browser|navigat(?:eur|or)|navegador|verif\w+"
    r"|verifizier\w*|newsletter|unsubscribe|abmelden|abbestell\w*|d\u00e9sinscri\w*|desabonn\w*|darse de baja"
    r"|claves?|usuari[oa]s?|m\u00f3vil(?:es)?|acced\w+|acceso|identifiants?|utilisateur|benutzer\w*|zugang\w*"
    r"|webinar\w*|saved search|suchauftrag|suche|alert[ae]?s?)\b",
    re.IGNORECASE,
)


def is_about_an_account(subject: str, body: str) -> bool:
    """Whether it speaks of an account, a profile, a device or a saved search."""
    return _ABOUT_AN_ACCOUNT.search(f"{subject}\n{body}") is not None


def is_about_an_application(message: ParsedMessage) -> bool:
    sender = known_sender(message.sender)
    if is_bulk(message) and (sender is None or sender.kind != "ats"):
        return False
    if is_about_an_account(message.subject, message.body):
        return False
    told = weights().probabilities(features_of(message))
    if told["recruiter_outreach"] > MOST_OUTREACH or sum(told[label] for label in NOISE) > MOST_NOISE:
        return False
    return sum(told[label] for label in _PROCESS) >= LEAST
