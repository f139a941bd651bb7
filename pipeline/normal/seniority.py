"""How senior a title says the job is: a hint, and nothing where the word means something else. Pure.

Words of level are read only where they are ones: a lead generation specialist leads nobody, a chief of staff
is no chief, a product manager manages a product.
"""

import re

from pipeline.normal.cues import Cues
from pipeline.normal.employment import is_internship
from pipeline.normal.types import Seniority

#: Levels of other people, or words that only look like a level. Taken out before anything is read.
_TRAPS = re.compile(
    r"\bchief of staff\b(?: to (?:the )?\w+)?|\blead[- ]?(?:gen(?:eration)?|management|nurtur\w+"
    r"|qualification|to[- ]cash|scoring|conversion|response)\b"
    r"|\bleads\b|\bleadership\b|\bprincipal investigators?\b|\b(?:assistant|school|vice) principal\b"
    r"|\bstaff (?:accountant|nurse|attorney|writer|pharmacist|assistant|physician|auditor|reporter"
    r"|chaplain|augmentation|training)\b"
    r"|\bsenior (?:living|care|citizens?|center|centre|services|housing|moves)\b"
    r"|\bjunior (?:high|college|achievement)\b"
    r"|\b(?:office|assistant|reporting|support|advisor|partner) (?:of|to) (?:the |our )?(?:c[a-z]o"
    r"|president|founders?|vp|director|chair\w*)\b"
    r"|\b(?:executive|personal|administrative|business) assistant\b[^|]*"
    r"|\bassist[ea]nte? (?:der|de la|de) \w+\b[^|]*"
    r"|\bassociate (?:partner|professor|dean)\b|\bgraduate (?:school|studies|admissions|medical)\b"
    r"|\bfounding partners?\b|\bpartner manager\b|\bdirector'?s? assistant\b|\bpresident'?s office\b"
    r"|\bmid[- ](?:market|atlantic|west)\b|\bentry[- ]level (?:sales )?recruiting\b",
    re.IGNORECASE,
)
_EXECUTIVE = re.compile(
    r"\bchief\b[\w\s,&/-]{0,40}\bofficer\b|\b(?:ceo|cto|cfo|coo|cmo|cpo|cro|ciso|cio|chro|cco|cdo|cso)\b"
    r"|\b[es]?vp\b"
    r"|\b(?:senior |executive |assistant )?vice[- ]president\b|\bpresident\b|\bmanaging director\b"
    r"|\bgesch[äa]ftsf[üu]hr\w+|\bvorstand\w*|\bdirecteu?rice? g[ée]n[ée]ral\w*|\bdirector[a]? general\b"
    r"|\bdiretor[a]? geral\b",
    re.IGNORECASE,
)
_DIRECTOR = re.compile(
    r"\bdirectors?\b|\bhead of\b|^head,|\bheads? [-\u2013] |\bdirecteur\b|\bdirectrice\b|\bdirectora\b"
    r"|\bdiretor[a]?\b"
    r"|\bdirettor[e]\b|\bdirettrice\b|\bdirektor\w*|\bdyrektor\w*|\bbereichsleit\w+"
    r"|\bleit(?:er|ung)(?:in)? (?:der|des|von)\b",
    re.IGNORECASE,
)
_PRINCIPAL = re.compile(
    r"\bprincipal\b|\bdistinguished\b|\bstaff\+?(?=,? (?:\w+[ -]){0,3}?(?:engineer|developer|scientist"
    r"|designer|researcher"
    r"|architect|programmer|analyst|product|software|data|machine|ml|ai|sre|site|security|platform|backend"
    r"|frontend"
    r"|fullstack|full|mobile|ios|android|devops|infrastructure|technical|ux|applied|research|quantitative"
    r"|hardware"
    r"|firmware|systems|network|cloud|reliability|embedded|forward|solutions|robotics|mechanical"
    r"|electrical)\b)"
    r"|(?<=engineer, )staff\b|(?<=scientist, )staff\b|(?<=designer, )staff\b|(?<=\()staff\+?(?=\))",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"\blead\b|\btechlead\b|\bteam[- ]?leit\w+|\bteam[- ]?lead(?:er)?\b|\bteamleider\b"
    r"|\bchef(?:fe)? d['\u2019][ée]quipe\b|\bl[íi]der\b"
    r"|\bcapo ?squadra\b|\bgroup product manager\b",
    re.IGNORECASE,
)
#: These managers manage people or a business; a bare "Product Manager" or "Account Manager" says no level.
_MANAGER = re.compile(
    r"^(?:senior |sr\.? |associate |assistant |deputy )?manager(?:,| of\b| [-\u2013(]|$)"
    r"|[-\u2013,(] ?(?:senior |sr\.? )?manager\)?$"
    r"|\b(?:engineering|sales|software|(?:software|sales|web) development|team|store|shop|shift|general"
    r"|plant|regional|area|district|nurse|restaurant"
    r"|kitchen|warehouse|data science|design|research|qa|security|analytics|finance|accounting|hr|people"
    r"|talent acquisition"
    r"|recruiting|recruitment|support|branch|country|site) manager\b|\bsenior manager\b"
    r"|\babteilungsleit\w+|\bfilialleit\w+|\bressortleit\w+|\bresponsable\b(?! (?:ai|innovation))"
    r"|\bgerente\b|\bjefe\b|\bjefa\b"
    r"|\bresponsabile\b|\bkierownik\b|\bsupervisor\b",
    re.IGNORECASE,
)
_SENIOR = re.compile(
    r"\bsenior[ae]?s?\b|\bsr\b\.?|\bsnr\b\.?|\bs[ée]nior\b|\bconfirm[ée]e?\b|\bstarszy\b|(?<=[a-z] )iii\b",
    re.IGNORECASE,
)
_MID = re.compile(
    r"\bmid[- ]?(?:level|weight|senior)\b|\bmid\b|\bintermediate\b|(?<=[a-z] )ii\b|\bpleno\b", re.IGNORECASE
)
_ENTRY = re.compile(
    r"\bjunior[ae]?\b|\bjr\b\.?|\bentry[- ]level\b|\bnew[- ]?grads?\b"
    r"|\b(?:recent |new |university |college )?graduates?\b"
    r"|\btrainee\b|\bearly[- ]careers?\b|\bapprenti\w*|\balternan(?:ce|te?)\b|\bauszubildende\w*"
    r"|\bausbildung\b|\bazubi\b"
    r"|\bberufseinsteiger\w*|\babsolvent\w*|\bd[ée]butant\w*|\bj[úu]nior\b|\bm[łl]odszy\b",
    re.IGNORECASE,
)
_IN_ORDER: tuple[tuple[Seniority, re.Pattern[str]], ...] = (
    ("executive", _EXECUTIVE),
    ("director", _DIRECTOR),
    ("principal", _PRINCIPAL),
    ("lead", _LEAD),
    ("manager", _MANAGER),
    ("senior", _SENIOR),
    ("mid", _MID),
    ("entry", _ENTRY),
)
_WORKING_STUDENT = re.compile(r"\bwerkstudent\w*|\bworking student\b", re.IGNORECASE)
#: Directors of something that is no business.
_CRAFT = re.compile(r"\bdirector of photography\b|\bfuneral director\b", re.IGNORECASE)


CUES = Cues(
    "chief", r"\bc[a-z]{1,2}o\b", "vp", "president", "managing", "ftsf", "vorstand", "dire[ct]", "direkt",
    "dyrekt", "head", "leit", "principal", "distinguished", "staff", "lead", "leider", "chef", "l[íi]der",
    "squadra", "manager", "responsa", "gerente", "jef", "kierownik", "supervisor", "senior", r"\bsr\b",
    r"\bsnr\b", "s[ée]nior", "confirm", "starszy", "ii", "mid", "intermediate", "pleno", "j[úu]nior",
    r"\bjr\b", "entry", "grad", "trainee", "early", "apprenti", "alternan", "auszubildend", "ausbildung",
    "azubi", "einsteiger", "absolvent", "butant", "odszy", "intern", "co-?op", "praktik", "praktyk", "stag",
    "becari", "pasante", "practicante", "cticas", "est[áa]gi", "tirocin", "staż", "student",
)  # fmt: skip


def seniority_hint(title: str) -> Seniority | None:
    """None where a title has no word of level, or words of two ends of the ladder ("Junior or Senior")."""
    if not CUES.are_in(title):
        return None
    if is_internship(title) or _WORKING_STUDENT.search(title):
        return "intern"
    plain = _CRAFT.sub(" ", _TRAPS.sub(" ", title))
    said: list[Seniority] = [level for level, pattern in _IN_ORDER if pattern.search(plain)]
    if not said or ("entry" in said and said[0] != "entry"):
        return None
    return said[0]
