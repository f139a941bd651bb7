"""The kind of employment: the platform's word, unless the title says it more deliberately. Pure."""

import re

from pipeline.normal.cues import Cues
from pipeline.sources.types import EmploymentType

#: People who look after interns are none: "Manager, Intern Programs".
_NOT_THE_INTERN = re.compile(
    r"\b(?:manager|director|head|lead|coordinator|recruiter|specialist|supervisor|partner|advisor|mentor)\b",
    re.IGNORECASE,
)
_INTERN = re.compile(
    r"\bintern(?:s|ship|ships)?\b|\bco-?op\b(?! bank)|\bpraktik(?:um|ant)\w*|\bpflichtpraktikum\b"
    r"|\bstagiaire?s?\b|\bstagista\b"
    r"|^stage\b(?! manager)|[(\[]stage\b|\b(?:becari[oa]|pasante|practicante|pr[áa]cticas)\b"
    r"|\best[áa]gi[oá]\w*|\btirocini\w+"
    r"|\bpraktykant\w*|\bstaż\w*|\bstagehouder\b|\bmeewerkstage\b",
    re.IGNORECASE,
)
_PART_TIME = re.compile(
    r"\bpart[- ]?time\b|\bteilzeit\b|\b(?:temps|à temps) partiel\b|\bmi-temps\b"
    r"|\b(?:medio tiempo|media jornada|tiempo parcial)\b"
    r"|\bdeeltijd\b|\bparttime\b|\bmeio per[íi]odo\b|\bwerkstudent\w*|\bworking student\b|\bminijob\b",
    re.IGNORECASE,
)
_FULL_TIME = re.compile(
    r"\bfull[- ]?time\b|\bvollzeit\b|\btemps plein\b|\btiempo completo\b|\bjornada completa\b|\bvoltijd\b"
    r"|\btempo pieno\b"
    r"|\btempo integral\b|\bunbefristet\w*|\bpermanent\b|\bcdi\b",
    re.IGNORECASE,
)
_TEMPORARY = re.compile(
    r"\btemporary\b|\bseasonal\b|\bfixed[- ]term\b|\bbefristet\w*|\bcdd\b|\btemporal\b"
    r"|\btempor[áa]ri[oa]\b|\bsaisonni\w+"
    r"|\bmaternity (?:cover|leave)\b|\bparental leave cover\b|\belternzeitvertretung\b|\binterim\b",
    re.IGNORECASE,
)
#: A contract is a kind of employment only where it stands apart: "Contracts Manager" looks after them.
_CONTRACT = re.compile(
    r"[(\[,\u2013\u2014|-]\s?[^()\[\]]{0,25}\bcontract(?:or)?\b[^()\[\]]{0,25}(?:[)\]]|$)"
    r"|\bfreelanc\w+|\bindependent contractor\b|\bfreiberuf\w*|\bcontract[- ]to[- ](?:hire|perm)\b"
    r"|\bb2b contract\b"
    r"|^contract(?:or)?\b(?:\s[-\u2013\u2014:|]|:)",
    re.IGNORECASE,
)
_CONTRACT_WORK = re.compile(
    r"\bcontracts?\s+(?:manage\w*|administrat\w*|law\w*|negotiat\w*|specialist|attorney|counsel|analyst"
    r"|review\w*|operations)"
    r"|\bcontractor\s+(?:manage\w*|relations|operations|success|support)|\bsmart[- ]contracts?\b"
    r"|\bcontract manufactur\w+"
    r"|\bcontract research\b",
    re.IGNORECASE,
)


CUES = Cues(
    "intern", "co-?op", "praktik", "praktyk", "stag", "becari", "pasante", "practicante", "cticas",
    "est[áa]gi", "tirocin", "staż", "time", "teilzeit", "partiel", "temps", "tiempo", "jornada", "deeltijd",
    "meio", "student", "minijob", "vollzeit", "voltijd", "tempo", "befristet", "permanent", "cdi", "cdd",
    "seasonal", "fixed", "saisonn", "maternity", "parental", "elternzeit", "interim", "contract", "freelanc",
    "freiberuf",
)  # fmt: skip


def employment_type(named: EmploymentType | None, title: str) -> EmploymentType | None:
    """Full time is what forms are filled with by default, so a title that says otherwise is believed.

    Every other word of a platform was chosen, and stands.
    """
    if named not in {None, "full_time"} or not CUES.are_in(title):
        return named
    return _title_says(title) or named


def is_internship(title: str) -> bool:
    return _INTERN.search(title) is not None and _NOT_THE_INTERN.search(title) is None


def _title_says(title: str) -> EmploymentType | None:
    if is_internship(title):
        return "intern"
    if _PART_TIME.search(title) and not _FULL_TIME.search(title):
        return "part_time"
    if _CONTRACT.search(title) and not _CONTRACT_WORK.search(title):
        return "contract"
    if _TEMPORARY.search(title):
        return "temporary"
    return "full_time" if _FULL_TIME.search(title) and not _PART_TIME.search(title) else None
