"""The words of questions by what they do to a question's meaning, as data.

A word that stands in no set here is a subject word: two questions that differ in one are two questions.
English, German, French and Spanish; what is missing costs a match, never a wrong one.
"""

from extension_api.answers.words import word_set

#: Words that ask, link or are polite: leaving them out leaves the question as it is.
FILLERS = word_set(
    "a an the of to do does did is are be been am have has having i you your yours my me we our its this "
    "that these those please kindly there with in for on at by as any some into about using use used via "
    "what whats which provide enter specify indicate tell list select choose share confirm "
    "currently presently optional required answer question if so etc eg ie currently possess level "
    "der die das den dem ein eine einen einem sie du ihr ihre ihren ihrem dein deine deinen zu im in mit "
    "fur bitte angeben geben an sind ist haben hast habe es wie lautet was welche welcher welches von "
    "le la les l un une de des du d vous votre vos avez etes est au aux en pour avec veuillez indiquer "
    "quel quelle quels quelles etre ce cette nous "
    "el los las una unos usted su sus tu tus tiene tienes es son esta con por favor que cual cuales del al"
)

#: Words that narrow a question without naming another subject: questions that differ in them are alike.
QUALIFIERS = word_set(
    "and or also able can could would current professional professionally relevant related total overall "
    "hands practical direct proven strong solid good prior recent recently additional other "
    "approximate approximately roughly briefly exactly und oder et ou y o actual aktuell aktuelle actuel "
    "gross base basic minimum annual preferred legal legally lawfully company role work working job "
    "describe commercial industry practice solution tool technology environment long term ideally"
)

#: Negations, and words that turn a question round without looking like one.
NEGATIONS = word_set(
    "not no never without unable cannot cant dont doesnt didnt wont wouldnt isnt arent wasnt werent havent "
    "hasnt hadnt couldnt shouldnt nor neither none nobody nothing non lack lacking refuse refused except "
    "excluding unless besides unwilling ineligible unauthorized unauthorised unavailable uncomfortable "
    "prohibit prohibited prohibits prevent prevents restrict restricted restricting decline declined rather "
    "instead unlike outside hardly free only just "
    "nicht kein keine keinen keinem keiner keinerlei ohne nie niemals ausser unfahig "
    "sans pas jamais aucun aucune ni sauf ne "
    "sin ningun ninguna ninguno nunca jamas salvo excepto tampoco"
)

#: Words that ask for a wish, a plan or a chance of a thing instead of the thing.
SHIFTS = word_set(
    "eligible plan planning intend intending want wish hope seek seeking obtain get gain toward "
    "towards apply learn learning study studying considering interest expired former pending prefer "
    "preferred avoid stop "
    "quit leave left lost denied revoked refused self part know anyone relative friend spouse family client "
    "object mind afraid allergic free"
)

#: Where the order of the words says who comes before whom.
DIRECTIONS = word_set(
    "from than over under before after versus vs between until prefer von vor nach als entre antes despues "
    "desde hasta depuis avant apres"
)

PAST = word_set(
    "ever previously formerly former past already jemals bereits fruher deja auparavant anteriormente alguna"
)
"""With a perfect ("have you worked") they ask for what once was."""
NOW = word_set("now derzeit aktuell jetzt actuellement maintenant actualmente ahora ya")
FUTURE = word_set("future later kunftig zukunft zukunftig avenir futur futuro eventually upcoming")
MODALS = word_set("will shall werden wirst wird")
PAST_AUXILIARIES = word_set("did was were had")

#: Words that say which way a number is meant.
BOUNDS: dict[str, str] = {
    "least": "least",
    "minimum": "least",
    "min": "least",
    "mindestens": "least",
    "more": "more",
    "over": "more",
    "exceeding": "more",
    "moins": "least",
    "menos": "least",
    "greater": "more",
    "plus": "least",
    "mehr": "more",
    "less": "less",
    "fewer": "less",
    "under": "less",
    "below": "less",
    "weniger": "less",
    "up": "most",
    "most": "most",
    "maximum": "most",
    "max": "most",
    "hochstens": "most",
    "maximal": "most",
    "within": "most",
    "+": "least",
    "≥": "least",
    ">": "more",
    "<": "less",
    "≤": "most",
}


def _named(lines: str) -> dict[str, str]:
    """Each word's name, from lines of "name: words"; an indented line goes on with the one before."""
    named: dict[str, str] = {}
    name = ""
    for line in lines.strip().splitlines():
        if not line.startswith(" "):
            name, _, line = line.partition(":")  # noqa: PLW2901 -- the rest of the line
        named.update(dict.fromkeys(line.split(), name))
    return named


UNITS = _named("""
year: year years yr yrs yoe annual annually yearly annum jahr jahre jahren ans annee annees annuel
    ano anos anual jahrlich jahrliches
month: month months monthly monat monate monaten monatlich mois mensuel mes meses
week: week weeks weekly woche wochen semaine semaines semana semanas
day: day days daily tag tage tagen jour jours dia dias
hour: hour hours hourly hr hrs stunde stunden heure heures hora horas
percent: percent percentage prozent
eur: eur euro euros
usd: usd dollar dollars
gbp: gbp pounds sterling
inr: inr rs rupee rupees
lakh: lakh lakhs lac lacs lpa
mile: mile miles
km: km kms kilometer kilometers kilometre kilometres
minute: wpm minutes minute
""") | {
    code: code
    for code in word_set("chf cad aud nzd sek nok dkk pln czk huf jpy cny sgd hkd aed ils brl mxn zar")
}

NUMBERS = _named("""
2: two zwei deux dos
3: three drei trois tres
4: four vier quatre cuatro
5: five funf cinq cinco
6: six sechs seis
7: seven sieben sept siete
8: eight acht huit ocho
9: nine neun neuf nueve
10: ten zehn dix diez
12: twelve
15: fifteen
20: twenty
""")

#: Words that say the same in a question, under one name.
SYNONYMS = _named("""
authorised: authorized authorised authorization authorisation authorise authorize
need: require requires required requiring needs needing needed requirement
sponsorship: sponsor sponsored sponsoring sponsorships
salary: compensation remuneration pay wage wages salaries earnings
expected: expectation expectations expect desired expecting desire target wish
relocate: relocating relocation
willing: open comfortable happy prepared ready willingness ok okay fine interested
commute: commuting
travel: travelling traveling travels
start: start begin join starting joining commence
role: position positions opportunity opening vacancy roles job jobs
company: organisation organization firm companies employer
hear: hear heard learn learned find found discover discovered
certification: certificate certificates certifications certified
license: licence licences licenses licensed
experience: experiences experienced erfahrung berufserfahrung
color: colour
earliest: earliest soonest
located: located living live lives reside residing based
fluent: proficiency proficient fluency fluent
work: works working
employed: employed employment
office: onsite
""")

#: What makes an answer hold for one employer or one place only.
EMPLOYER_HERE = word_set(
    "us our here this company subsidiary subsidiaries affiliate affiliates organization organisation "
    "uns unser unsere unserem unseren unserer hier unternehmen konzern gruppe tochtergesellschaft firma "
    "nous notre nos ici entreprise societe groupe filiale filiales "
    "nosotros nosotras nuestra nuestro nuestras nuestros aqui empresa compania grupo filial"
)
EMPLOYER_TIES = word_set(
    "worked work working employed employee employees interviewed interview applied apply application "
    "relative relatives related relationship know anyone somebody someone referred referral contractor "
    "intern interned why want interest interested excites attracts join previously "
    "gearbeitet arbeiten angestellt beschaftigt beworben bewerben bewerbung verwandt verwandte verwandten "
    "kennen kennst empfohlen empfehlung praktikum praktikant werkstudent warum wieso interessiert "
    "travaille travailler employe employee employes postule postuler candidature candidate entretien parent "
    "parents famille connaissez connais recommande cooptation stage stagiaire alternance pourquoi interesse "
    "motive rejoindre "
    "trabajado trabajar trabaja empleado empleada postulado postular aplicado solicitud candidatura "
    "entrevistado entrevista familiar familiares pariente parientes conoce conoces referido recomendado "
    "practicas becario becaria interesa interes unirse unirte"
)
PLACE_HERE = word_set(
    "office location site headquarters hq area country region city state place premises "
    "buro standort standorts land stadt ort zentrale "
    "bureau bureaux lieu pays ville zone siege locaux "
    "oficina oficinas sede lugar ubicacion pais ciudad zona centro"
)
PLACE_POINTERS = word_set(
    "this our the that which job role position where listed posted advertised applying above "
    "dieser diesem diesen dieses unser unserem unseren unserer der dem den das am im welchem stelle "
    "ce cet cette notre nos le la au du quel poste "
    "este esta ese esa nuestra nuestro el las los del puesto"
)

YES_NO_STARTS = word_set(
    "do does did are is was were have has had will would can could may should am must shall "
    "sind haben hast bist ist konnen kannst werden benotigen brauchen wurden "
    "avez etes pouvez acceptez tiene tienes puede puedes esta estas eres necesita necesitas "
)
AMOUNT_PAIRS = frozenset(
    {("how", "many"), ("how", "much"), ("how", "long"), ("wie", "viele"), ("wie", "viel"), ("wie", "lange")}
)
AMOUNT_WORDS = word_set("combien cuantos cuantas cuanto cuanta wieviele wieviel")
