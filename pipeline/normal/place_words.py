"""Words beside the names of places: what is no place, what is wider than a country, what people call an area.

The open world of names is in the tables of `countries` and `cities`; here stands only what they cannot hold.
"""

import re
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def _by_name(rows: Iterable[tuple[T, str]]) -> dict[str, T]:
    return {name: meant for meant, names in rows for name in names.split("|")}


#: Wider than a country: a region, and no country.
WIDE: dict[str, str] = _by_name((
    ("Europe",
     ("europe|europa|eu|european union|eea|european economic area|eu wide|eurozone|"
     "continental europe|europaische union|union europeenne|northern europe|southern europe|balkans|"
      "iberia|british isles")),
    ("EMEA", "emea|europe middle east and africa"),
    ("APAC", "apac|asia pacific|asia pac|apj|japac|jpac"),
    ("LATAM", "latam|latin america|latinoamerica|america latina|lac"),
    ("North America", "north america|namer|noram|northam|amer n"),
    ("Americas", "americas|amer|the americas"),
    ("South America", "south america|sudamerica"),
    ("Central America", "central america"),
    ("Asia", "asia|asien"),
    ("Southeast Asia", "southeast asia|south east asia|sea region"),
    ("Africa", "africa|afrika|afrique|sub saharan africa|ssa"),
    ("Middle East", "mena|menat|middle east|middle east and north africa"),
    ("GCC", "gcc|gulf"),
    ("DACH", "dach|d a ch"),
    ("Nordics", "nordics|nordic|nordic countries|scandinavia|skandinavien"),
    ("Benelux", "benelux"),
    ("Baltics", "baltics|baltic states"),
    ("Eastern Europe", "cee|central and eastern europe|eastern europe|central europe"),
    ("Western Europe", "western europe|west europe"),
    ("Oceania", "anz|australia and new zealand|oceania|australasia"),
    ("Caribbean", "caribbean"),
    ("UK and Ireland", "uki|uk and ireland|uk and i"),
    ("Worldwide", "worldwide|global|globally|anywhere in the world|international|earth"),
))  # fmt: skip
#: Areas and short names people write: country, state (its code, or "" for several), city or None for an area.
AREAS: dict[str, tuple[str, str, str | None]] = _by_name((
    (("US", "NY", "New York City"), "nyc|new york city|new york|ny metro|manhattan"),
    (("US", "NY", "Brooklyn"), "brooklyn"),
    (("US", "CA", "San Francisco"), "sf|san fran"),
    (("US", "CA", "Emeryville"), "emeryville"),
    # Los Angeles, and by itself now and then Louisiana.
    (("US", "", None), "la"),
    (("US", "CA", None),
     ("bay area|sf bay area|san francisco bay area|south bay|east bay|north bay|peninsula|"
     "san francisco peninsula|"
     "silicon valley|socal|norcal|southern california|northern california|orange county|"
      "inland empire|silicon beach")),
    (("US", "DC", "Washington"), "washington dc|washington d c"),
    (("US", "", None),
     ("dmv|tri state|tristate|new england|east coast|west coast|midwest|pacific northwest|pnw|"
      "mid atlantic|contiguous us|lower 48|conus")),
    (("US", "VA", None), "northern virginia|n virginia|nova"),
    (("US", "PA", "Philadelphia"), "philly"),
    (("US", "NV", "Las Vegas"), "vegas"),
    (("US", "UT", "Salt Lake City"), "slc"),
    (("US", "TX", None), "dfw|dallas fort worth"),
    (("US", "UT", None), "silicon slopes"),
    (("US", "NC", None), "research triangle|research triangle park|rtp|raleigh durham"),
    (("US", "MN", None), "twin cities"),
    (("US", "FL", None), "south florida|space coast"),
    (("US", "WA", None), "puget sound"),
    (("US", "NY", None), "long island|upstate new york"),
    (("US", "IL", None), "chicagoland"),
    (("US", "CO", None), "front range"),
    (("CA", "ON", None), "gta"),
    (("CA", "BC", None), "lower mainland"),
    (("IN", "", None), "ncr|delhi ncr"),
    (("PL", "", None), "tricity|trojmiasto"),
    (("DE", "", None), "ruhrgebiet|rhein main"),
    (("DE", "", "Frankfurt am Main"), "frankfurt|frankfurt a m|frankfurt main"),
    (("DE", "", None), "nrw"),
    (("CH", "", None), "suisse romande|romandie|westschweiz|deutschschweiz|suisse alemanique"),
    (("FR", "", None), "sophia antipolis|region parisienne"),
    (("US", "", None), "mountain west|sun belt"),
    (("US", "FL", None), "tampa bay"),
    (("US", "NY", None), "upstate ny"),
    (("US", "GA", "Atlanta"), "atl"),
    (("US", "OR", "Portland"), "pdx"),
    (("US", "CA", "San Francisco"), "sfo"),
    (("US", "CA", "Los Angeles"), "lax"),
    (("IN", "", "Bengaluru"), "blr"),
    (("IL", "", "Tel Aviv"), "tlv"),
    (("DE", "", "Munich"), "muc"),
    (("CA", "ON", "Toronto"), "yyz"),
    (("CA", "BC", "Vancouver"), "yvr"),
    (("NL", "", None), "randstad"),
    (("GB", "", None),
     "midlands|west midlands|east midlands|yorkshire|sussex|east anglia|home counties|m25|thames valley"),
    (("AU", "QLD", "Gold Coast"), "gold coast"),
    (("MY", "", None), "klang valley"),
    (("PH", "", None), "metro manila"),
    (("MX", "", "Mexico City"), "cdmx"),
))  # fmt: skip
#: Names that are words as well: they need a country or a region beside.
WORDS = frozenset({
    "mobile", "reading", "nice", "orange", "split", "central", "bath", "hull", "deal", "normal", "enterprise",
    "liberal", "corona", "surprise", "independence", "best", "young", "university", "republic", "imperial",
    "van",
    "field", "most", "male", "bar", "man", "as", "union", "center", "centre", "national", "media", "commerce",
    "paradise", "summit", "mission", "superior", "eagle", "liberty", "victoria", "santa", "battle",
    "golden", "general", "city", "northern", "southern", "eastern", "western", "north", "south", "east",
    "west",
    "capital", "coast", "metropolitan", "online", "virtual", "college", "ica", "of", "la", "bay", "regional",
    "island", "falcon", "central region", "northern region", "southern region", "eastern region",
    "western region",
})  # fmt: skip
#: States of the US whose codes are those of countries people write that way.
CONTESTED = frozenset({"CA", "DE", "IN", "IL", "CO", "AR", "ID", "LA"})
#: What stands beside a place and is none.
NOISE = re.compile(
    r"\b(?:fully|100%|full)?[\s-]?remot[eoa](?:ly)?(?:[\s-]?(?:first|friendly|ok|only|optional|work"
    r"|eligible|based))?\b"
    r"|\bhybrid[eao]?\b|\bh[íi]brid[oa]\b|\bibrid[oa]\b|\bon[\s-]?site\b|\bin[\s-](?:office|person)\b"
    r"|\bvirtual(?:ly)?\b"
    r"|\b(?:home|field|mobile)[\s-]?(?:office|based|worker)\b|\bwork from (?:home|anywhere)\b|\bwfh\b"
    r"|\btelecommut\w*"
    r"|\bt[ée]l[ée]travail\b|\b[àa] distance\b|\bteletrabajo\b|\bpresencial\b|\bvor ort\b|\bzdalnie\b"
    r"|\bpraca zdalna\b|\b\u0443\u0434\u0430\u043b[\u0435\u0451]\u043d\u043d?\u043e\b"
    r"|\b(?:corporate |global |world |us |eu |uk |emea )?(?:head[\s-]?quarters?|hq\d?|hauptsitz"
    r"|hauptquartier|si[èe]ge|sede)\b"
    r"|\b(?:main |head )?(?:offices?|b[üu]ro|bureaux?|oficinas?|campus|hub|studio|location|locations|site"
    r"|sites|workspace)\b"
    r"|\b(?:preferred|preferably|only|available|considered|possible|flexible|everywhere|anywhere|optional"
    r"|eligible"
    r"|candidates?|residents?|applicants?|based|or nearby|required|ideally|multiple|various|several|other"
    r"|others|any|all"
    r"|open to|within|commutable|distance|nationwide|deutschlandweit|bundesweit|europaweit|weltweit|tbd"
    r"|n/?a|and more)\b"
    r"|\b(?:greater|metropolitan|metro|area|region|surroundings|umgebung|und umgebung|city of|province of"
    r"|state of|ciudad de|ciudad aut[óo]noma de)\b"
    r"|^county\s(?:of\s)?"
    r"|\b(?:kanton|cantone?)\s+(?!(?-i:[A-Z]{2})\b)(?:de|di|du|of|del|des)?\b"
    r"|\bdistributed\b|\b(?:jobs?|roles?|positions?)\b|\b\d(?:\s?-\s?\d)?\s+days?\b.*"
    r"|\b\d+\+?\s+(?:locations?|standorte|lieux|sites|ubicaciones|more)\b"
    r"|\(\s*\)",
    re.IGNORECASE,
)
#: Taken off when the rest says nothing with them: "Northeast US", "US Central Time", "Remote in Canada".
VAGUE = re.compile(
    r"\b(?:north|south|east|west|central|northern|southern|eastern|western|northeast|northwest|southeast"
    r"|southwest"
    r"|pacific|mountain|atlantic|coast|time\s?zones?|time|zones?|hours|in|from|the|of|at|near|around|for"
    r"|to|de|en"
    r"|est|cst|mst|pst|et|ct|mt|pt|cet|gmt|utc|ist|downtown|midtown|continental|mainland|city|country"
    r"|state|states|teams?|must|be|live|located|reside|overlap|with)\b"
    r"|[+±]\s?/?-?\s?\d+(?:h|hrs|hours)?",
    re.IGNORECASE,
)

#: No place: hours a person must keep ("CET +/- 3", "UTC-5 to UTC+2"); "Bristol, CT" is in Connecticut.
HOURS = re.compile(
    r"\b(?:UTC|GMT|CET|CEST|EST|EDT|ET|CST|MST|PST|PDT|IST|BST|(?<!, )(?<!/)(?:CT|MT|PT))"
    r"\b(?:\s?[,/&]\s?(?:CT|MT|PT)\b)*\s?(?:[+\u00b1-]\s?/?\s?-?\s?\d{1,2}(?::\d\d)?)?"
)
#: Below a town's region and above the town: nobody looks for it.
COUNTY = re.compile(r"\b(?:county|parish|borough|district|landkreis|kreis)$")
