"""Words around an amount: that it is pay, that it is not, for how long, and what it includes. Pure."""

import re

from pipeline.sources.types import PayInterval

PAY = re.compile(
    r"\bsalar(?:y|ies|is|io|iu)\b|\bcompensation\b|\bcomp\b|\bbase\b"
    r"|\bpay(?:rate|scale)\b|^\W*pay\b|\bpay (?:range|rate|scale|band|grade|for this|is\b|of\b"
    r"|transparency|between|starts)"
    r"|\bpay\s?[:\u2013-]|\bwe pay\b|\b(?:base|hourly|starting|total|annual|target|your|competitive|weekly"
    r"|monthly) pay\b"
    r"|\bwages?\b|[\U0001f4b0\U0001f4b5\U0001f4b8\U0001f4b6\U0001f4b7]|\bfixe\b|\bsalarial\b|\bpackage\s?:"
    r"|\bremuneration\b|\bearn(?:ing|ings)?\b|\bote\b|\bon[- ]target\b"
    r"|\b(?:hourly|daily|day|fixed|starting) rate\b|\brate:"
    r"|\b\w*gehalt\w*\b|\bverg[üu]tung\w*|\bentgelt\b|\b\w*lohn\b|\bverdienst\w*|\bsalaires?\b"
    r"|\br[ée]mun[ée]r\w+|\bgratification\b|\bcash\s?:|\b(?:role|position|job) pays\b|\btjm\b"
    r"|\bsueldo\b|\bretribuci[óo]n\b|\bremuneraci[óo]n\b|\bretribuzione\b|\bral\b|\bstipendio\b"
    r"|\bsal[áa]rio\b|\bremunera[çc][ãa]o\b"
    r"|\bl[öo]n(?:espann)?\b|\bl[øo]nn?\b|\bpalkka\w*|\bwynagrodzeni\w+|\bwide[łl]ki\b|\bctc\b|\btagessatz\b"
    r"|\bplat\b|\b(?:年収|月給|年俸|給与|薪资)",
    re.IGNORECASE,
)
#: Only the nearest word before an amount counts, so that "benefits, and a salary of" is pay.
NOT_PAY = re.compile(
    r"\brais(?:ed|ing|e)\b|\bfund(?:ing|ed|s|raise)?\b|\bvaluation\b|\bvalued\b|\brevenues?\b|\barr\b"
    r"|\bseries [a-f]\b|\bseed\b"
    r"|\bbudgets?\b|\bstipends?\b|\bbonus(?:es)?\b|\bcommissions?\b|\ballowances?\b|\breimburs\w+"
    r"|\brelocat\w+|\bsign(?:ing)?[- ]on\b"
    r"|\bsigning\b|\brefer(?:ral|rals|red)?\b|\b401\b|\bhsa\b|\binsurance\b|\bcoverage\b|\bbenefits?\b"
    r"|\bcontribut\w+|\bquotas?\b"
    r"|\bdeals?\b|\bpipelines?\b|\bportfolios?\b|\bassets\b|\baum\b|\bmarket (?:of|size|opportunity)"
    r"|\bspen[dt]\w*|\binvest\w+"
    r"|\bcosts?\b|\bpric(?:e|es|ed|ing)\b|\bsell\w*|\bsales of\b|\btickets?\b"
    r"|\bpackages? (?:from|ranging|starting)|\bdiscounts?\b"
    r"|\bsav(?:e|es|ed|ing|ings)\b|\bdonat\w+|\bgrants?\b|\bprizes?\b|\bcustomers?\b|\btuition\b"
    r"|\blearning\b|\bwellness\b|\bgym\b"
    r"|\bequipment\b|\blaptop\b|\bcredits?\b|\bhelp(?:s|ed)?\b|\bmatch\w*|\bperks?\b|\bequity\b|\bstock\b"
    r"|\boptions?\b|\brsus?\b"
    r"|\bvacation\b|\btravel\b|\btransactions?\b|\bpayments?\b|\bloans?\b|\bfees?\b|\bcontracts?\b"
    r"|\baccounts?\b|\bclients?\b"
    r"|\bcapped\b|\bmortgage\w*|\bexits?\b|\bacquired\b|\bturnover\b|\bumsatz\b|\bzuschuss\b|\bpr[äa]mie\b"
    r"|\bprime\b|\bticket"
    r"|\bsubsid\w+|\brent\b|\bfamil(?:y|ies)\b|\bhouseholds?\b|\bhomes?\b|\bper diem\b"
    r"|\b(?:workers|people|patients|students|americans|those) who\b"
    r"|\bpaid (?:out|to)\b|\bmanag(?:e|es|ed|ing)\b|\bemployees?\b|\busers?\b|\bhours?\b",
    re.IGNORECASE,
)
#: Wherever it stands before: "covering two times your salary, up to $200k".
NEVER_PAY = re.compile(
    r"\binsurance\b|\btimes (?:your |the )?(?:base |annual )*salary\b|\b401\s?\(?k|\bcoverage\b"
    r"|\b(?:famil(?:y|ies)|households?|workers|people|those|americans|patients|customers) (?:who |that )?"
    r"(?:are |is )?(?:earn|mak)(?:e|es|s|ing)?\b",
    re.IGNORECASE,
)
#: What may follow pay on a line of its own: "$120k - $150k, offers equity".
ALONE = re.compile(
    r"(?:(?:/|per|an?)\s?(?:hour|hr|h|day|year|yr|annum)\b|usd|eur|gbp|cad|aud|chf|gross|base|doe|ote|plus|and"
    r"|super|offers?|meaningful|competitive|equity|bonus|commission|benefits|tips|stock|pro rata"
    r"|(?:inside|outside) ir35|\d[\d.]{0,4}\s?%|[\s,;|\u2022\u00b7\u2013+(*).-])*$",
    re.IGNORECASE,
)
LEADS_ALONE = re.compile(
    r"[\s*\u2022\u00b7|-]*"
    r"(?:(?:circa|ca?\.|approx(?:imately|\.)?|start(?:s|ing) (?:at|from)|from|up to)\s?:?\s?)?$",
    re.IGNORECASE,
)
#: What somebody may earn is a promise, unless it is a range.
PROMISE = re.compile(r"\bearn(?:ing|ings)?\b", re.IGNORECASE)
#: What is added to pay: "$120,000 to $180,000, plus equity".
PAY_AND_MORE = re.compile(
    r"^[\s,]{0,3}(?:(?:usd|eur|gbp|cad|aud|chf)\s?)?(?:\+|plus\b|and\b)\s?(?:\d[\d.]{0,4}\s?%|(?:[\w.%-]+\s){0,2}?(?:equity|bonus|benefits|stock|options|super|commission"
    r"|tips|rsus?)\b)",
    re.IGNORECASE,
)
#: Right after an amount: "$5,000 sign-on bonus", "$1,000 a year for learning"; not "$90,000 plus bonus".
_NO_BREAK = (
    r"(?:(?!(?:you|we|they|which|that|this|is|are|will|plus|and|with|base|salary|ote|depending|based"
    r"|commensurate|gross)\b)[\w'%()&-]+\s){0,4}?"
)
NOT_PAY_AFTER = re.compile(
    rf"^\s?(?:(?:/|per\s|an?\s|each\s)?\s?(?:month|year|mo|yr|quarter|annum|week|day|hour"
    rf"|annual)\w*\s)?{_NO_BREAK}(?:bonus(?:es)?|stipends?|allowances?|budgets?|reimburse\w*|credits?"
    rf"|funding|round|raised|series"
    r"|revenue|arr|valuation|grants?|relocation|referrals?|sign-?on|signing|insurance|coverage|discounts?"
    r"|donation|gift|perks?|match"
    r"|towards?|retirement|learning|wellness|gym|housing|equipment|equity|stock|options|rsus?|market"
    r"|budget|quota|deals?|assets|aum"
    r"|investment|investors?|customers?|monthly active|transactions?|payments?|contracts?|prizes?|lunch"
    r"|meals?|phone|internet|travel"
    r"|vacation|tuition|education|(?:ad |media |marketing )?spend|in sales|acv|commissions?"
    r"|per (?:case|deal|sale|referral|lead|meeting|demo|delivery|project))\b",
    re.IGNORECASE,
)
PAY_AFTER = re.compile(
    r"^\W{0,4}(?:\w+\W{1,3}){0,3}?(?:base|salary|gross|brutto|bruto|brut|brute|ote|on[- ]target|doe"
    r"|depending on|based on|commensurate"
    r"|annual(?:ly)?|yearly|hourly|per hour|per year|per annum|p\.?a\b|pro rata|pro-rata|fte|ir35|lordi"
    r"|\w*gehalt|pro jahr|par an"
    r"|anuales?|al a[ñn]o|ctc)\b",
    re.IGNORECASE,
)
UP_TO = re.compile(
    r"(?:\bup to|\bbis(?: zu)?|\bjusqu['\u2019][àa]|\bhasta|\bfino a|\bmax(?:imum)?\.?:?|\btot)\s?\W?$",
    re.IGNORECASE,
)
FROM = re.compile(
    r"(?:\bfrom|\bab|\bstarting (?:at|from)|\bstarts at|\bat least|\bmin(?:imum)?\.?:?|\b[àa] partir de"
    r"|\bdesde|\ba partir de|\bda|\bvanaf)"
    r"\s?\W?$",
    re.IGNORECASE,
)
_LEAD = (
    r"^[\s,)(*]{0,3}(?:(?:gross|brutto|bruto|brut|netto|net|netto \+ vat|base|usd|eur|gbp|cad|aud"
    r"|salary|ote|pay|\(usd\)|cash)(?:[\s,)]{1,3}|(?=/)))?"
)
_EACH = r"(?:/|per|an?|pro|par|por|al|a la|de l'|im|na)\s?"
_PERIODS: dict[PayInterval, str] = {
    "hour": rf"{_EACH}(?:hours?|hr|h|std|stunde|heure|hora|ora|uur|godz\w*|timme)|hourly|p\.?h|stundenlohn",
    "day": rf"{_EACH}(?:day|tag|jour|d[íi]a|dag|giorno)|daily",
    "week": rf"{_EACH}(?:week|wk|woche|semaine|semana)|weekly",
    "month": rf"{_EACH}(?:months?|mo|mth|monat|mois|mes|m[êe]s|mese|maand|mies\w*"
    r"|m[åa]n(?:ed|ad)?|m[ěe]s[íi]c\w*|kk)|monthly|monatlich"
    r"|mensuel\w*|mensual\w*|mensile|mensa(?:is|l)|miesi[ęe]cznie|p\.?m\.?",
    "year": rf"{_EACH}(?:years?|yr|annum|jahr|an|ann[ée]e|a[ñn]o|ano|anno|jaar|rok|[åa]r)|annual(?:ly|ized)?"
    r"|yearly|j[äa]hrlich|annuels?|anual\w*|annu[ia]|p\.?\s?a\.?|lpa",
}
_AFTER: dict[PayInterval, re.Pattern[str]] = {
    interval: re.compile(rf"{_LEAD}(?:{words})(?!\w)", re.IGNORECASE) for interval, words in _PERIODS.items()
}
_BEFORE: dict[PayInterval, re.Pattern[str]] = {
    "hour": re.compile(
        r"\bhourly\b|\bper hour\b|\bstundenlohn\b|\btaux horaire\b|\bpor hora\b|\bstundensatz\b"
        r"|\bpaga oraria\b",
        re.IGNORECASE,
    ),
    "day": re.compile(r"\bdaily\b|\bday rate\b|\btagessatz\b|\btjm\b|\btarifa diaria\b", re.IGNORECASE),
    "week": re.compile(r"\bweekly (?:pay|salary|wage|rate)\b", re.IGNORECASE),
    "month": re.compile(
        r"\bmonthly\b|\bmonatsgehalt\b|\bmensuel\w*|\bmensual\b|\bmiesi[ęe]czn\w+|\bmonatlich\w*|月給",
        re.IGNORECASE,
    ),
    "year": re.compile(
        r"\bannual(?:ly|ized)?\b|\byearly\b|\bper (?:year|annum)\b|\bjahres\w*|\bj[äa]hrlich\w*"
        r"|\bannuel\w*|\banual\w*"
        r"|\bral\b|\bannua\b|\bctc\b|年収|年俸",
        re.IGNORECASE,
    ),
}
_INSIDE: dict[PayInterval, tuple[str, ...]] = {
    "hour": ("hour", "hr", "/h"),
    "day": ("day",),
    "month": ("month", "/mo"),
    "year": ("year", "yr", "annum", "lpa"),
}


def interval_of(before: str, amount: str, after: str) -> PayInterval | None:
    """The period an amount is for: what follows it, else what stands in it, else what leads to it."""
    for interval, pattern in _AFTER.items():
        if pattern.search(after):
            return interval
    inside = amount.lower()
    for interval, words in _INSIDE.items():
        if any(word in inside for word in words):
            return interval
    found: dict[int, PayInterval] = {
        match.end(): interval for interval, words in _BEFORE.items() for match in words.finditer(before)
    }
    return found[max(found)] if found else None
