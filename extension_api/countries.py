"""Countries as data: ISO 3166-1 codes, calling codes and the names forms use. Pure; no guessing.

A name is looked up in comparable form: without case, accents, punctuation and a leading article.
"""

import re
import unicodedata
from functools import lru_cache

import msgspec


class Country(msgspec.Struct, frozen=True, kw_only=True):
    """`names` starts with the usual English name; the rest are other names for the same country."""

    alpha_2: str
    alpha_3: str
    calling_code: str
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.names[0]


_TABLE = """\
AD AND 376 Andorra
AE ARE 971 United Arab Emirates|UAE|Emirates
AF AFG 93 Afghanistan
AG ATG 1 Antigua and Barbuda|Antigua
AI AIA 1 Anguilla
AL ALB 355 Albania
AM ARM 374 Armenia
AO AGO 244 Angola
AQ ATA 672 Antarctica
AR ARG 54 Argentina|Argentinien|Argentine
AS ASM 1 American Samoa|Samoa (American)
AT AUT 43 Austria|Österreich|Autriche
AU AUS 61 Australia|Australien|Australie
AW ABW 297 Aruba
AX ALA 358 Åland Islands|Aland
AZ AZE 994 Azerbaijan
BA BIH 387 Bosnia and Herzegovina|Bosnia
BB BRB 1 Barbados
BD BGD 880 Bangladesh
BE BEL 32 Belgium|Belgien|Belgique|Bélgica|België
BF BFA 226 Burkina Faso
BG BGR 359 Bulgaria|Bulgarien|Bulgarie
BH BHR 973 Bahrain
BI BDI 257 Burundi
BJ BEN 229 Benin
BL BLM 590 Saint Barthélemy|St. Barthelemy
BM BMU 1 Bermuda
BN BRN 673 Brunei|Brunei Darussalam
BO BOL 591 Bolivia|Bolivia, Plurinational State of|Bolivia (Plurinational State of)
BQ BES 599 Bonaire, Sint Eustatius and Saba|Caribbean Netherlands|Caribbean NL
BR BRA 55 Brazil|Brasil|Brasilien|Brésil
BS BHS 1 Bahamas
BT BTN 975 Bhutan
BV BVT 47 Bouvet Island
BW BWA 267 Botswana
BY BLR 375 Belarus
BZ BLZ 501 Belize
CA CAN 1 Canada|Kanada|Canadá
CC CCK 61 Cocos (Keeling) Islands|Cocos Islands
CD COD 243 Congo, Democratic Republic of the|Democratic Republic of the Congo|DR Congo|Congo (DRC)|\
Congo, The Democratic Republic of the|Congo (Dem. Rep.)|Congo - Kinshasa|DRC
CF CAF 236 Central African Republic
CG COG 242 Congo|Republic of the Congo|Congo, Republic of the|Congo - Brazzaville|Congo (Rep.)
CH CHE 41 Switzerland|Schweiz|Suisse|Suiza|Svizzera
CI CIV 225 Côte d'Ivoire|Ivory Coast|Cote D'Ivoire (Ivory Coast)
CK COK 682 Cook Islands
CL CHL 56 Chile
CM CMR 237 Cameroon
CN CHN 86 China|People's Republic of China|China, People's Republic of|Mainland China|PRC
CO COL 57 Colombia|Kolumbien|Colombie
CR CRI 506 Costa Rica
CU CUB 53 Cuba
CV CPV 238 Cabo Verde|Cape Verde
CW CUW 599 Curaçao
CX CXR 61 Christmas Island
CY CYP 357 Cyprus
CZ CZE 420 Czechia|Czech Republic|Tschechien|Česko
DE DEU 49 Germany|Deutschland|Allemagne|Alemania|Federal Republic of Germany
DJ DJI 253 Djibouti
DK DNK 45 Denmark|Dänemark|Danemark|Danmark|Dinamarca
DM DMA 1 Dominica
DO DOM 1 Dominican Republic
DZ DZA 213 Algeria
EC ECU 593 Ecuador
EE EST 372 Estonia
EG EGY 20 Egypt
EH ESH 212 Western Sahara
ER ERI 291 Eritrea
ES ESP 34 Spain|Spanien|España|Espagne
ET ETH 251 Ethiopia
FI FIN 358 Finland|Finnland|Finlande|Suomi
FJ FJI 679 Fiji
FK FLK 500 Falkland Islands|Falkland Islands (Malvinas)|Falkland Islands (Islas Malvinas)
FM FSM 691 Micronesia|Micronesia, Federated States of|Federated States of Micronesia|\
Micronesia (Federated States of)
FO FRO 298 Faroe Islands|Faeroe Islands
FR FRA 33 France|Frankreich|Francia
GA GAB 241 Gabon
GB GBR 44 United Kingdom|UK|U.K.|Great Britain|United Kingdom of Great Britain and Northern Ireland|\
United Kingdom (UK)|UK (United Kingdom)|Vereinigtes Königreich|Vereinigten Königreich|Großbritannien|\
Royaume-Uni|Reino Unido
GD GRD 1 Grenada
GE GEO 995 Georgia
GF GUF 594 French Guiana
GG GGY 44 Guernsey
GH GHA 233 Ghana
GI GIB 350 Gibraltar
GL GRL 299 Greenland
GM GMB 220 Gambia
GN GIN 224 Guinea
GP GLP 590 Guadeloupe
GQ GNQ 240 Equatorial Guinea
GR GRC 30 Greece|Griechenland|Grèce|Grecia
GS SGS 500 South Georgia and the South Sandwich Islands|South Georgia
GT GTM 502 Guatemala
GU GUM 1 Guam
GW GNB 245 Guinea-Bissau
GY GUY 592 Guyana
HK HKG 852 Hong Kong|Hong Kong SAR|Hong Kong, China|Hong Kong S.A.R.|Hong Kong SAR China
HM HMD 672 Heard Island and McDonald Islands|Heard and McDonald Islands
HN HND 504 Honduras
HR HRV 385 Croatia|Kroatien|Hrvatska
HT HTI 509 Haiti
HU HUN 36 Hungary|Ungarn
ID IDN 62 Indonesia
IE IRL 353 Ireland|Republic of Ireland|Irland|Irlande|Irlanda
IL ISR 972 Israel
IM IMN 44 Isle of Man|Man (Isle of)
IN IND 91 India|Indien|Inde
IO IOT 246 British Indian Ocean Territory
IQ IRQ 964 Iraq
IR IRN 98 Iran|Iran, Islamic Republic of|Iran (Islamic Republic of)
IS ISL 354 Iceland
IT ITA 39 Italy|Italien|Italie|Italia
JE JEY 44 Jersey
JM JAM 1 Jamaica
JO JOR 962 Jordan
JP JPN 81 Japan|Japon|Japón
KE KEN 254 Kenya
KG KGZ 996 Kyrgyzstan
KH KHM 855 Cambodia
KI KIR 686 Kiribati
KM COM 269 Comoros
KN KNA 1 Saint Kitts and Nevis|St. Kitts and Nevis|St Kitts & Nevis
KP PRK 850 North Korea|Korea, Democratic People's Republic of|Korea (North)|\
Korea (Democratic People's Republic of)|Democratic People's Republic of Korea
KR KOR 82 South Korea|Korea, Republic of|Korea (South)|Republic of Korea|Korea (Republic of)
KW KWT 965 Kuwait
KY CYM 1 Cayman Islands
KZ KAZ 7 Kazakhstan
LA LAO 856 Laos|Lao People's Democratic Republic
LB LBN 961 Lebanon
LC LCA 1 Saint Lucia|St. Lucia
LI LIE 423 Liechtenstein
LK LKA 94 Sri Lanka
LR LBR 231 Liberia
LS LSO 266 Lesotho
LT LTU 370 Lithuania
LU LUX 352 Luxembourg|Luxemburg|Luxemburgo
LV LVA 371 Latvia
LY LBY 218 Libya|Libyan Arab Jamahiriya
MA MAR 212 Morocco|Marokko|Maroc
MC MCO 377 Monaco
MD MDA 373 Moldova|Moldova, Republic of|Republic of Moldova|Moldova (Republic of)
ME MNE 382 Montenegro
MF MAF 590 Saint Martin|Saint Martin (French part)|St. Martin
MG MDG 261 Madagascar
MH MHL 692 Marshall Islands
MK MKD 389 North Macedonia|Macedonia|Macedonia, The Former Yugoslav Republic of|Republic of North Macedonia
ML MLI 223 Mali
MM MMR 95 Myanmar|Burma|Myanmar (Burma)
MN MNG 976 Mongolia
MO MAC 853 Macao|Macau|Macao SAR|Macau SAR China
MP MNP 1 Northern Mariana Islands
MQ MTQ 596 Martinique
MR MRT 222 Mauritania
MS MSR 1 Montserrat
MT MLT 356 Malta
MU MUS 230 Mauritius
MV MDV 960 Maldives
MW MWI 265 Malawi
MX MEX 52 Mexico|México|Mexiko|Mexique
MY MYS 60 Malaysia
MZ MOZ 258 Mozambique
NA NAM 264 Namibia
NC NCL 687 New Caledonia
NE NER 227 Niger
NF NFK 672 Norfolk Island
NG NGA 234 Nigeria
NI NIC 505 Nicaragua
NL NLD 31 Netherlands|Holland|Niederlande|Niederlanden|Pays-Bas|Países Bajos|Nederland
NO NOR 47 Norway|Norwegen|Norvège|Norge|Noruega
NP NPL 977 Nepal
NR NRU 674 Nauru
NU NIU 683 Niue
NZ NZL 64 New Zealand|Neuseeland|Nouvelle-Zélande|Nueva Zelanda|Aotearoa
OM OMN 968 Oman
PA PAN 507 Panama
PE PER 51 Peru|Perú|Pérou
PF PYF 689 French Polynesia
PG PNG 675 Papua New Guinea
PH PHL 63 Philippines|Philippinen|Filipinas
PK PAK 92 Pakistan
PL POL 48 Poland|Polen|Pologne|Polonia|Polska
PM SPM 508 Saint Pierre and Miquelon|St. Pierre and Miquelon
PN PCN 64 Pitcairn|Pitcairn Islands
PR PRI 1 Puerto Rico
PS PSE 970 Palestine|Palestine, State of|State of Palestine|Palestinian Territories|\
Palestinian Territory, Occupied|Palestinian Territory
PT PRT 351 Portugal
PW PLW 680 Palau
PY PRY 595 Paraguay
QA QAT 974 Qatar
RE REU 262 Réunion
RO ROU 40 Romania|Rumänien|Roumanie|România
RS SRB 381 Serbia
RU RUS 7 Russia|Russian Federation|Russland|Russie|Rusia
RW RWA 250 Rwanda
SA SAU 966 Saudi Arabia|Kingdom of Saudi Arabia|KSA
SB SLB 677 Solomon Islands
SC SYC 248 Seychelles
SD SDN 249 Sudan
SE SWE 46 Sweden|Schweden|Suède|Suecia|Sverige
SG SGP 65 Singapore|Singapur|Singapour
SH SHN 290 Saint Helena|St. Helena|Saint Helena, Ascension and Tristan da Cunha
SI SVN 386 Slovenia
SJ SJM 47 Svalbard and Jan Mayen
SK SVK 421 Slovakia|Slovak Republic
SL SLE 232 Sierra Leone
SM SMR 378 San Marino
SN SEN 221 Senegal
SO SOM 252 Somalia
SR SUR 597 Suriname
SS SSD 211 South Sudan
ST STP 239 São Tomé and Príncipe
SV SLV 503 El Salvador
SX SXM 1 Sint Maarten|Sint Maarten (Dutch part)
SY SYR 963 Syria|Syrian Arab Republic
SZ SWZ 268 Eswatini|Swaziland
TC TCA 1 Turks and Caicos Islands
TD TCD 235 Chad
TF ATF 262 French Southern Territories|French Southern and Antarctic Lands
TG TGO 228 Togo
TH THA 66 Thailand
TJ TJK 992 Tajikistan
TK TKL 690 Tokelau
TL TLS 670 Timor-Leste|East Timor
TM TKM 993 Turkmenistan
TN TUN 216 Tunisia
TO TON 676 Tonga
TR TUR 90 Türkiye|Turkey|Türkei|Turquie|Turquía
TT TTO 1 Trinidad and Tobago|Trinidad
TV TUV 688 Tuvalu
TW TWN 886 Taiwan|Taiwan, Province of China|Taiwan (Province of China)
TZ TZA 255 Tanzania|Tanzania, United Republic of|United Republic of Tanzania
UA UKR 380 Ukraine
UG UGA 256 Uganda
UM UMI 1 United States Minor Outlying Islands|U.S. Minor Outlying Islands|US Minor Outlying Islands
US USA 1 United States|United States of America|U.S.|U.S.A.|America|USA (United States)|United States (USA)|\
United States (US)|Vereinigte Staaten|Vereinigten Staaten|Vereinigte Staaten von Amerika|États-Unis|\
Estados Unidos
UY URY 598 Uruguay
UZ UZB 998 Uzbekistan
VA VAT 39 Holy See|Vatican City|Holy See (Vatican City State)|Vatican|Vatican City State
VC VCT 1 Saint Vincent and the Grenadines|St. Vincent and the Grenadines
VE VEN 58 Venezuela|Venezuela, Bolivarian Republic of|Venezuela (Bolivarian Republic of)
VG VGB 1 British Virgin Islands|Virgin Islands, British|Virgin Islands (British)
VI VIR 1 U.S. Virgin Islands|Virgin Islands, U.S.|Virgin Islands (U.S.)|US Virgin Islands
VN VNM 84 Vietnam|Viet Nam
VU VUT 678 Vanuatu
WF WLF 681 Wallis and Futuna
WS WSM 685 Samoa|Western Samoa
XK XKX 383 Kosovo
YE YEM 967 Yemen
YT MYT 262 Mayotte
ZA ZAF 27 South Africa|Südafrika|Afrique du Sud|Sudáfrica
ZM ZMB 260 Zambia
ZW ZWE 263 Zimbabwe
"""

_CODE_CHARS = 3
_ABBREVIATIONS = frozenset({"usa", "uk", "uae"})
_NOT_WORDS = re.compile(r"[^a-z0-9]+")
_ARTICLE = re.compile(r"^(?:the|la|le|les|die) ")
_CALLING = re.compile(r"\(?\+ ?\d[\d ()-]{0,12}\)?")


def _rows() -> tuple[Country, ...]:
    rows = (line.split(" ", 3) for line in _TABLE.splitlines())
    return tuple(
        Country(alpha_2=a2, alpha_3=a3, calling_code=calling, names=tuple(names.split("|")))
        for a2, a3, calling, names in rows
    )


def _comparable(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss")).casefold()
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    words = _NOT_WORDS.sub(" ", letters.replace("'", "").replace(".", "").replace("&", " and "))
    return _ARTICLE.sub("", words.strip())


COUNTRIES: tuple[Country, ...] = _rows()
BY_CODE: dict[str, Country] = {country.alpha_2: country for country in COUNTRIES}
_BY_NAME: dict[str, Country] = {
    _comparable(name): country
    for country in COUNTRIES
    for name in (*country.names, country.alpha_3, country.alpha_2)
}


@lru_cache(maxsize=4096)
def country_named(text: str) -> Country | None:
    """The country a whole text names, calling code aside ("Germany (+49)"); None when it names none.

    Codes count only in capitals: "in", "no" and "and" are words before they are countries.
    """
    name = _CALLING.sub(" ", text[:200]).strip(" ()-\u2013:,")
    if len(name) <= _CODE_CHARS and not (name.isupper() or name.lower() in _ABBREVIATIONS):
        return None
    return _BY_NAME.get(_comparable(name))
