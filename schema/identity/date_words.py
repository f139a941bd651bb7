"""Months, weekdays and zones as people write them, and one rule of summer time. Case folded, no accents."""

from datetime import date, timedelta

_MONTHS = (
    "jan january januar janvier enero gennaio januari janeiro janv",
    "feb february februar fevrier febrero febbraio februari fevereiro fevr febr",
    "mar march marz maerz mars marzo maart marco mrz mrt",
    "apr april avril abril aprile avr abr",
    "may mai mayo maggio mei maio mag",
    "jun june juni juin junio giugno junho",
    "jul july juli juillet julio luglio julho juil",
    "aug august aout agosto augustus",
    "sep sept september septembre septiembre settembre setembro",
    "oct october oktober octobre octubre ottobre outubro okt",
    "nov november novembre noviembre novembro",
    "dec december dezember decembre diciembre dicembre dezembro dez dic",
)
MONTHS = {word: number for number, words in enumerate(_MONTHS, start=1) for word in words.split()}
_WEEKDAYS = (
    "mon monday montag lundi lunes lunedi maandag",
    "tue tues tuesday dienstag mardi martes martedi dinsdag",
    "wed weds wednesday mittwoch mercredi miercoles mercoledi woensdag",
    "thu thur thurs thursday donnerstag jeudi jueves giovedi donderdag",
    "fri friday freitag vendredi viernes venerdi vrijdag",
    "sat saturday samstag samedi sabado sabato zaterdag",
    "sun sunday sonntag dimanche domingo domenica zondag",
)
WEEKDAYS = {word: number for number, words in enumerate(_WEEKDAYS) for word in words.split()}

#: Minutes east of Greenwich. Names that mean several zones (IST, BST of Dhaka, AST) are left out: a time
#: whose zone is not certain has none.
ZONES = {
    "z": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "cest": 120, "mez": 60,
    "mesz": 120, "eet": 120, "eest": 180, "est": -300, "edt": -240, "cst": -360, "cdt": -300,
    "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "jst": 540, "sgt": 480, "aest": 600,
    "aedt": 660, "nzst": 720, "nzdt": 780,
}  # fmt: skip
#: Names that leave open whether summer time holds; the day decides.
AMERICAN_ZONES = {"et": -300, "ct": -360, "mt": -420, "pt": -480}


def zone_offset(name: str, day: date) -> int | None:
    """Minutes east of Greenwich, or None for a name that does not settle it."""
    if name in AMERICAN_ZONES:
        return AMERICAN_ZONES[name] + (60 if _american_summer(day) else 0)
    return ZONES.get(name)


def _american_summer(day: date) -> bool:
    return _sunday(day.year, 3, 2) <= day < _sunday(day.year, 11, 1)


def _sunday(year: int, month: int, which: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(6 - first.weekday()) % 7 + 7 * (which - 1))
