"""The words by which each meaning is asked, as data, and how a text is matched with them. Pure.

A family matches a text when every group of one of its patterns occurs in it and every other word is one the
family allows or says nothing. So a text with a word nobody explains ("name of your referrer") matches none.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec

from extension_api.answers.meanings import Meaning
from extension_api.answers.words import word_set

#: Words that ask without saying for what.
FILLERS = word_set(
    "a an the your you my i me we us our is are was be do does have has had what whats which who where "
    "how when if any optional required please kindly enter type provide share give add insert fill "
    "specify state indicate write select choose tell list include input here below in of to for at on "
    "with and or as it this that so can could would current currently available applicable yours own "
    "der die das den dein deine deinen ihr ihre ihren bitte angeben eingeben wie lautet und oder le la "
    "les l votre vos ton ta de d du des et ou quel quelle est veuillez indiquer saisir el los tu tus su "
    "sus del y o cual es por favor indica introduce"
)


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """Patterns are groups of alternatives; `also` are words the label may hold besides."""

    meaning: Meaning
    patterns: tuple[tuple[frozenset[str], ...], ...]
    also: frozenset[str]


def _family(meaning: Meaning, *patterns: str, also: str = "") -> Family:
    return Family(
        meaning=meaning,
        patterns=tuple(
            tuple(frozenset(group.split("|")) for group in pattern.split()) for pattern in patterns
        ),
        also=frozenset(also.split()),
    )


_LINK = (
    "url urls link links profile page account address public social media web paste www https http com full"
)
_HOME = "residence residency live living reside located based home from now presently"

FAMILIES: tuple[Family, ...] = (
    _family(
        "first_name",
        "first|given|fore|christian name|names",
        "firstname|forename|forenames|vorname|prenom|fname",
        also="legal official names vornamen",
    ),
    _family("middle_name", "middle name|names", "middlename|zwischenname|mname", also="legal"),
    _family(
        "last_name",
        "last|family|sur name|names",
        "lastname|surname|surnames|nachname|familienname|zuname|apellido|apellidos|lname",
        "nom famille",
        also="legal official",
    ),
    _family(
        "full_name",
        "name",
        "fullname",
        "nom complet|prenom",
        "nombre completo|apellidos|apellido",
        "vor nachname|zuname",
        "vorname nachname|name",
        "first|given last|family|sur name",
        "name surname",
        also="full complete legal official first last surname applicant candidate vollstandiger nom nombre",
    ),
    _family("full_name", "nom", "nombre"),
    _family(
        "preferred_name",
        "prefer|preferred|chosen|nick name|names",
        "nickname|rufname",
        "prefer|preferred|like called|call|addressed",
        "name goes|go|like|called|known|known|use|usage by|called|called|as|used|be",
        "nombre preferido",
        "prenom|nom usage",
        also="first name youd use used throughout process interview hiring application recruitment during "
        "call be different than from legal above not same like called known goes go by",
    ),
    _family(
        "pronouns",
        "pronoun|pronouns|pronomen",
        also="preferred use personal gender prefer name custom other",
    ),
    _family(
        "email",
        "email|mail|emailadresse|mailadresse|courriel",
        "correo electronico|email",
        "adresse electronique|courriel",
        also="address adresse id contact best reach primary personal confirm verify repeat again retype re "
        "preferred electronico direccion correo",
    ),
    _family(
        "phone",
        "phone|telephone|mobile|cell|cellphone|tel|telefon|telefonnummer|handynummer|handy|mobilnummer"
        "|rufnummer|mobiltelefon|telefono|movil|telefone|phonenumber",
        "contact number",
        also="number no nummer numero contact primary best reach home mobile cell phone telephone including "
        "country code area international format preferred personal telefono movil",
    ),
    _family(
        "phone_country",
        "country|dial|dialing|dialling|calling|phone code|prefix",
        "phone|telephone|mobile country",
        "landesvorwahl|vorwahl",
        also="phone telephone mobile dial country",
    ),
    _family(
        "street",
        "street|address|adresse line 1|one",
        "street|strasse|calle|rue|address1|addressline1|streetaddress",
        also="address name house number line 1 hausnummer nr no adresse numero",
    ),
    _family(
        "street_2",
        "street|address|adresse line 2|two",
        "apartment|apt|suite|flat|address2|addressline2|adresszusatz",
        also="address unit number apartment apt suite flat building floor line 2 etc no",
    ),
    _family("address", "address|adresse|anschrift|direccion|domicilio", also="home residential location"),
    _family(
        "postal_address",
        "full|complete|mailing|postal|permanent|postalische address|adresse|anschrift",
        also="home residential street city zip code state country including postal",
    ),
    _family(
        "postal_code",
        "zip|zipcode|postcode|postalcode|postleitzahl|plz",
        "postal|codigo|code postal|code",
        also="code zip postal postcode number area home address",
    ),
    _family(
        "city",
        "city|town|ort|wohnort|stadt|ville|ciudad|localidad|municipality",
        also=f"location locality town city name suburb address {_HOME}",
    ),
    _family(
        "region",
        "state|province|region|bundesland|kanton|provincia|estado|prefecture",
        also=f"province state region territory location name address {_HOME}",
    ),
    _family(
        "country",
        "country|land|pays|pais",
        "wohnsitzland",
        also=f"region name territory location applying wohnsitz residencia address {_HOME}",
    ),
    _family(
        "location",
        "location|standort|wohnort|ubicacion|localisation",
        "city|town state|country|province|region|land|pays|pais",
        "located|live|based|reside",
        also=f"city state country province region town location locality candidate home {_HOME}",
    ),
    _family("linkedin", "linkedin|linkedinurl|linkedinprofile", also=f"{_LINK} in website"),
    _family("github", "github|githuburl", also=f"{_LINK} gitlab portfolio website bitbucket"),
    _family("portfolio", "portfolio", also=f"{_LINK} website work samples online site design blog personal"),
    _family(
        "website",
        "website|webpage|homepage|blog|webseite|websites",
        "web|personal site|page|url",
        "site|sitio|pagina web",
        also=f"{_LINK} personal portfolio blog website homepage site",
    ),
    _family("twitter", "twitter|twitterurl", also=f"{_LINK} x"),
    _family(
        "current_company",
        "company|employer|organization|organisation|firma|arbeitgeber|unternehmen|entreprise|employeur"
        "|empresa|org",
        also="name present most recent latest aktueller aktuelle actuel actual work working employer company",
    ),
    _family(
        "current_title",
        "current|job|recent|present|latest|professional|aktuelle|aktueller title|position|role",
        "jobtitle|berufsbezeichnung|stellenbezeichnung|berufsbezeichnung",
        "puesto|poste actual|actuel",
        also="job work most recent title position role name",
    ),
    _family("headline", "headline", also="professional profile job"),
    _family(
        "summary",
        "summary|bio|kurzprofil",
        also="professional profile career personal executive short brief",
    ),
    _family(
        "school",
        "school|university|college|institution|hochschule|universitat|schule|universite|universidad|ecole",
        also="name attended most recent last university college school institution institute educational",
    ),
    _family(
        "degree",
        "degree|abschluss|diplome|titulacion",
        also="level education obtained earned type completed name attained",
    ),
    _family(
        "field_of_study",
        "major|discipline|studienfach|fachrichtung|studiengang",
        "field|area|course|subject study|studies",
        also="field study main major degree discipline subject",
    ),
    _family("grade", "gpa|cgpa", also="overall cumulative score final grade most recent"),
    _family(
        "notice_period",
        "notice period|time",
        "kundigungsfrist|preavis",
        also="long much required job",
    ),
    _family(
        "salary",
        "expected|desired|expectation|expectations|target|requirement|requirements|expect|wished "
        "salary|compensation|pay|remuneration",
        "gehaltsvorstellung|gehaltswunsch|gehaltsvorstellungen",
        "pretensions|pretentions salariales",
        "expectativa|expectativas salarial|salariales",
        also="annual annually yearly year per base gross monthly month hourly hour daily day usd eur gbp chf "
        "cad aud confirm salary expectations expectation",
    ),
    _family(
        "gender",
        "gender|sex|geschlecht|genre|sexo",
        also="identity identify best describes mark all apply voluntary self",
    ),
    _family(
        "hispanic_or_latino", "hispanic|latino|latinx", also="latino latina latinx latine hispanic identify"
    ),
    _family(
        "race", "race|ethnicity|ethnic", also="ethnicity race origin background identify mark all apply group"
    ),
    _family("veteran", "veteran|veteranstatus", also="status protected self identification identify"),
    _family(
        "disability",
        "disability|disabilitystatus|disabled",
        also="status self identification identify voluntary",
    ),
)

#: Inside a repeated section about a position or a school, short words mean that entry.
ENTRY_FAMILIES: tuple[Family, ...] = (
    _family(
        "entry_company",
        "company|employer|organization|organisation|firma|arbeitgeber|unternehmen|entreprise|empresa",
        also="name company employer",
    ),
    _family("entry_title", "title|position|role|jobtitle|puesto|poste", also="job title position name"),
    _family("entry_location", "location|city|ort|lieu|ubicacion", also="job company city"),
    _family(
        "entry_summary",
        "description|responsibilities|duties|summary|beschreibung",
        also="role job work position responsibilities",
    ),
)

_BEGAN = (
    "from|start|started|begin|began|von|beginn|startdatum|startdate|debut|inicio",
    "date|month|year employed|joined",
)
_ENDED = (
    "to|end|ended|until|bis|ende|enddatum|enddate|fin",
    "date|year|month left|graduation|graduated|completion",
)
_DATES = (
    "date month year yyyy mm of employment job position actual expected first last attended graduation "
    "start end"
)

#: When an entry began and ended; outside of an entry such short words mean nothing.
WORK_DATES: tuple[Family, ...] = (
    _family("entry_start", *_BEGAN, also=_DATES),
    _family("entry_end", *_ENDED, also=_DATES),
    _family(
        "entry_current",
        "current|currently|still|presently|aktuell|aktuelle "
        "work|working|employed|job|position|role|employer|stelle",
        also="here there this company work job role position",
    ),
)
SCHOOL_DATES: tuple[Family, ...] = (
    _family("school_start", *_BEGAN, also=_DATES),
    _family("school_end", *_ENDED, also=_DATES),
)

EDUCATION_MEANINGS: frozenset[Meaning] = frozenset({"school", "degree", "field_of_study", "grade"})

#: Words of a control's name that belong to the form, not to the question.
NAME_NOISE = word_set(
    "job application candidate applicant input field fields question questions attributes answers form "
    "user personal info information data id ids value text applications contact details section primary "
    "c wd automation upload file files main attachment"
)


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """`groups` is how specific the pattern was: two said words are more than one."""

    meaning: Meaning
    groups: int


class Families:
    """Families in order of precedence, with the words each allows, so that most are out by one look."""

    def __init__(self, families: Sequence[Family]) -> None:
        self.families = tuple(families)
        self._explained: dict[str, int] = defaultdict(int)
        self._fillers = (1 << len(self.families)) - 1
        for at, family in enumerate(self.families):
            for word in family.also.union(*(group for pattern in family.patterns for group in pattern)):
                self._explained[word] |= 1 << at

    def explaining(self, asked: tuple[str, ...]) -> Iterator[Family]:
        """Those that may explain every word, by all of their patterns together."""
        left = self._fillers
        for word in asked:
            if word not in FILLERS:
                left &= self._explained.get(word, 0)
            if not left:
                return
        yield from (family for at, family in enumerate(self.families) if left >> at & 1)


def best_match(asked: tuple[str, ...], families: Families) -> Match | None:
    """The most specific family that explains every word; the earlier one of two alike."""
    found = [
        Match(meaning=family.meaning, groups=len(pattern))
        for family in families.explaining(asked)
        for pattern in family.patterns
        if _explains(pattern, family.also, asked)
    ]
    return max(found, key=lambda match: match.groups, default=None)


def _explains(pattern: tuple[frozenset[str], ...], also: frozenset[str], asked: tuple[str, ...]) -> bool:
    if any(group.isdisjoint(asked) for group in pattern):
        return False
    said = frozenset[str]().union(*pattern)
    return all(word in said or word in also or word in FILLERS for word in asked)
