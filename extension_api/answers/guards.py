"""Fields that are the person's alone, whatever the profile holds, and questions about somebody else. Pure.

The words here are looked for anywhere in a question: a guard that holds too often leaves a field to the
person, one that holds too seldom signs for them.
"""

import re

from extension_api.answers.words import name_words, plain, word_set, words
from extension_api.protocol import FieldDescription, Reason


def _any(*alternatives: str) -> re.Pattern[str]:
    """One of the alternatives, each a phrase that stands on its own."""
    return re.compile("|".join(rf"\b(?:{alternative})" for alternative in alternatives))


_SECRET = _any(
    r"pass ?(?:word|code|phrase)s?\b|passwort\b|mot de passe\b|contrasena\b",
    r"(?:re|h)?captcha\b|turnstile\b|pin\b|one time (?:code|pin)\b",
    r"verification code\b|security (?:code|question)\b|kennwort\b|code de (?:verification|securite)\b",
    r"codigo de (?:verificacion|seguridad)\b|bestatigungscode\b|sicherheits(?:frage|code)\b",
)
_PAYMENT = _any(
    r"card (?:number|no)\b|credit card\b|cvv\b|cvc\b|iban\b|bic\b",
    r"bank (?:account|details|name)\b|routing number\b|sort code\b|kontonummer\b",
    r"bankverbindung\b|kreditkarte|numero de (?:la )?carte\b|carte (?:bancaire|de credit)\b|rib\b",
    r"(?:compte|cuenta) banca\w+|tarjeta de (?:credito|debito)\b|numero de (?:la )?tarjeta\b",
)
_BIRTH = _any(
    r"birth|born\b|dob\b|geburts|geboren|naissance\b|nacimiento\b",
    r"(?:ihr|dein) alter\b|wie alt\b|alter in jahren\b|(?:votre|quel) age\b|edad\b|anos tiene\b",
    r"(?:your|current) age\b|(?:at least|over|under) (?:the age of )?(?:1[4-9]|21)\b|years of age\b",
)
_GOVERNMENT = _any(
    r"social (?:security|insurance)\b|ssn\b|national insurance\b|securite sociale\b",
    r"passport\b|reisepass|driv(?:er|ing)s? licen[cs]e\b|tax ?(?:id|payer|number|file)",
    r"aadha+r\b|pan (?:card|number|no)\b|national id\b|dni\b|nie\b|government (?:issued )?id",
    r"identity (?:card|number|document)\b|(?:personal)?ausweis|steuer|sozialversicherungs|fuhrerscheinnummer",
    r"passeport|pasaporte|carte (?:nationale )?d ?identite|piece d ?identite|numero (?:fiscal|de permis)\b",
    r"documento (?:nacional )?de identidad|seguridad social\b|nif\b|numero de (?:licencia|permiso)\b",
)
_SIGNATURE = _any(
    r"(?:e ?)?signatures?\b|sign (?:here|below|your)\b|signed (?:by|on|at)\b|initials\b|date signed\b",
    r"type your (?:full |legal |complete )*name (?:here|below|to)\b|todays date\b",
    r"unterschr|signez\b|signer\b|firma (?:digital|electronica|del)|(?:su|tu) firma\b|firme (?:aqui|abajo)\b",
)
_CONSENT = _any(
    r"consent|agrees? (?:to|with|that)\b|do you agree\b|acknowledge(?:ments?)?\b|i hereby\b",
    r"(?:i|we) (?:\w+ ){0,3}(?:agree|accept|acknowledge|certify|confirm|declare|attest|affirm)\b",
    r"(?:i|we) (?:\w+ ){0,3}(?:authori[sz]e|understand)\b|i(?:ve| have) read\b|contact me\b",
    r"terms (?:and|&) conditions\b|terms of (?:use|service)\b|privacy (?:policy|notice|statement)",
    r"gdpr\b|ccpa\b|arbitration\b|opt ?-?(?:in|out)\b|sms\b|text messages?\b|newsletter|job alerts?\b",
    r"marketing (?:email|communication|message)|talent (?:pool|community)\b",
    r"(?:by|when) (?:submitting|checking|clicking|signing|applying)\b",
    r"keep (?:me|my (?:data|details|application|resume|profile))\b",
    r"einwillig|einverstanden\b|zustimm|stimme .{0,80}\bzu\b|datenschutz|dsgvo\b|nutzungsbedingungen\b",
    r"akzeptiere|ich (?:\w+ ){0,3}(?:bestatige|erklare|versichere|willige)\b|habe .{0,80}\bgelesen\b",
    r"j ?accepte\b|consentement\b|je (?:\w+ ){0,2}(?:consens|accepte|certifie|declare|reconnais|confirme)\b",
    r"j ?autorise\b|j ?ai lu\b|rgpd\b|conditions generales\b|politique de confidentialite\b",
    r"acceptez vous (?:les conditions|la politique|que|de recevoir)\b|acepta (?:los terminos|la politica)\b",
    r"acepto\b|consiento\b|consentimiento\b|autorizo\b|declaro\b|he leido\b|certifico\b",
    r"terminos y condiciones\b|politica de privacidad\b|aviso legal\b",
)
_EQUAL_OPPORTUNITY = _any(
    r"gender|sex\b|sexual orientation\b|transgender\b|lgbt|race\b|racial|ethni|hispanic\b|latin[oax]\b",
    r"veteran|military (?:service|status)\b|disabilit|disabled\b|religio|marital status\b|caste\b",
    r"geschlecht|behinderung|schwerbehind|sexuelle orientierung\b|familienstand\b|konfession\b",
    r"hautfarbe\b|sexe\b|(?:votre|de) genre\b|^genre\b|handicap|rqth\b|orientation sexuelle\b|etat civil\b",
    r"situation (?:familiale|de famille)\b|sexo\b|genero\b|discapacidad|minusvalia|orientacion sexual\b",
    r"estado civil\b|etnia\b|etnic|raza\b|origen racial\b",
)
_EQUAL_OPPORTUNITY_PART = _any(
    r"self ?-?identif|equal (?:employment )?opportunity|eeoc?\b|demographic|diversity (?:survey|question)"
)
_SOMEONE = word_set(
    "referrer referrers referral referrals referred refer referee referees reference references "
    "emergency spouse spouses partner wife husband mother father parent parents guardian child children "
    "dependent dependents dependant dependants relative relatives family friend friends manager "
    "managers supervisor supervisors boss recruiter recruiters agency colleague colleagues coworker kin "
    "ehepartner ehefrau ehemann mutter vater eltern geschwister kinder notfall ansprechpartner "
    "conjoint conjointe epouse epoux mere pere enfant enfants referent referents parrain responsable "
    "conyuge esposa esposo madre padre padres hijo hijos hija hijas hermano hermana emergencia emergencias "
    "referencia referencias interviewer witness sibling siblings sister brother maiden notfallkontakt "
    "empfehler vorgesetzter vorgesetzte referenz referenzen urgence urgencia landlord "
    "client clients customer customers"
)
_SOMEONE_PART = word_set(
    "reference references referee referees referral emergency spouse dependent dependents relatives kin "
    "notfallkontakt referenzen"
)
_FACTS = word_set("name names first last email mail phone number address contact who title company their")
_SHORT_WORDS = 4
_FAMILY_NAME = re.compile(r"\bfamily names?\b")


def guard_of(field: FieldDescription) -> Reason | None:
    """Why a field is left whatever the profile says; None when nothing stands against filling it."""
    asked = f"{plain(field.label)} {' '.join(name_words(field.name))}"
    if field.type == "password" or re.search(r"password|one-time-code", field.autocomplete):
        return "secret"
    if field.autocomplete.startswith("cc-") or _PAYMENT.search(asked):
        return "payment"
    if "bday" in field.autocomplete or _BIRTH.search(asked):
        return "birth_date"
    for pattern, reason in _WORDED:
        if pattern.search(asked):
            return reason
    if _CONSENT.search(f"{asked} {plain(field.group)}"):
        return "consent"
    return "about_someone_else" if _is_about_someone_else(field) else None


def is_equal_opportunity(field: FieldDescription) -> bool:
    """The question is one that forms ask for statistics by law: only an explicit choice answers it."""
    asked = f"{plain(field.label)} {' '.join(name_words(field.name))}"
    part = plain(f"{field.group} {field.section}")
    return bool(_EQUAL_OPPORTUNITY.search(asked) or _EQUAL_OPPORTUNITY_PART.search(part))


_WORDED: tuple[tuple[re.Pattern[str], Reason], ...] = (
    (_SECRET, "secret"),
    (_GOVERNMENT, "government_id"),
    (_SIGNATURE, "signature"),
)


def _is_about_someone_else(field: FieldDescription) -> bool:
    """A person is named and a fact is asked; "how do you deal with clients" asks for none."""
    own = words(_FAMILY_NAME.sub("", f"{plain(field.label)} {' '.join(name_words(field.name))}"))
    if not _SOMEONE_PART.isdisjoint(words(f"{field.group} {field.section}")):
        return True
    asks_for_a_fact = len(own) <= _SHORT_WORDS or not _FACTS.isdisjoint(own)
    return asks_for_a_fact and not _SOMEONE.isdisjoint(own)
