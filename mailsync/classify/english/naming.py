"""Where English hiring mail names the employer and the role, as patterns over the text as written.

Each pattern has a group `name`. `weight` counts towards believing the name; `sure` says that the phrase
itself marks a role, so that the role need not hold a word like "engineer".
"""

import re

import msgspec

_WORD = r"[A-Z0-9\u00c0-\u00de][\w&.'\u2019+/-]*"
_COMPANY = rf"(?P<name>{_WORD}(?:[ ](?:(?:of|and|&|the|for|de|la|du|van|von)[ ])?{_WORD}){{0,5}})"
_ROLE_WORD = r"[A-Z0-9(\u00c0-\u00de][\w&.'\u2019+/#()*,|-]*"
_ROLE_JOIN = r"(?:(?:of|and|for|the|in|to|with|de|&|-|\u2013|\u2014|/|\|)\s+)?"
_ROLE = rf"(?P<name>{_ROLE_WORD}(?:\s+{_ROLE_JOIN}{_ROLE_WORD}){{0,11}})"
_KIND = r"(?:role|position|job|opening|opportunity|vacancy|internship|post|requisition)s?"
_TEAM = (
    r"(?:Hiring|Recruiting|Recruitment|Recruiters?|Talent(?:[ ]Acquisition)?"
    r"|People(?:[ ](?:&|and)[ ]Culture)?|HR|Human[ ]Resources|Careers?|Jobs|Staffing|TA|Talent[ ]Team"
    r"|University[ ]Recruiting|Early[ ]Careers|Candidate[ ]Experience)"
)
_RELAY = (
    r"(?:SmartRecruiters|Greenhouse|Lever|Ashby|Workable|LinkedIn|Indeed|Workday|iCIMS|Jobvite|Breezy"
    r"|BambooHR|Rippling)"
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that end the title of a post.
_HEADS = _words(
    "engineer engineers developer manager analyst designer scientist specialist coordinator director"
    " assistant associate consultant administrator architect technician representative officer lead"
    " leader intern internship nurse teacher driver chef cook baker clerk librarian accountant advisor"
    " adviser agent executive supervisor programmer researcher writer editor recruiter producer"
    " strategist planner operator mechanic electrician therapist pharmacist physician professor lecturer"
    " tutor instructor trainer cashier barista server host receptionist secretary buyer controller"
    " auditor attorney paralegal counsel president vp head chief partner fellow trainee apprentice"
    " graduate co-op tester devops sre dba qa sde swe worker crew steward handler picker packer loader"
    " keeper master owner bookkeeper estimator inspector surveyor scheduler dispatcher caregiver carer"
    " aide counselor counsellor psychologist dentist hygienist veterinarian biologist chemist physicist"
    " statistician economist mathematician actuary underwriter banker broker trader realtor photographer"
    " videographer animator illustrator copywriter journalist translator interpreter marketer evangelist"
    " advocate ambassador generalist practitioner expert principal staff management engineering"
    " development design marketing sales operations support security"
)
_NOT_A_COMPANY = _words(
    "us our the your this that you we our team team hiring careers career recruiting talent candidate"
    " candidates applicant application position role job linkedin monday tuesday wednesday thursday"
    " friday saturday sunday january february march april may june july august september october"
    " november december zoom teams google meet thank thanks dear hi hello regards best sincerely kind"
    " next step steps interview software hr human resources people re fwd fw update status important"
    " action required new it please click here what one please all any no yes not now i a an and company"
)
_NOT_A_ROLE = _words("thank thanks dear update your re application")
_LONGEST_COMPANY = 80
_LONGEST_ROLE = 120
_STOP_BEHIND = re.compile(
    r"\s+(?:Hiring|Recruiting|Recruitment|Talent|Careers?|Team|Application|Interview|HR|Human Resources"
    r"|Follow-Up|Update|Job)\b.*$",
    re.DOTALL,
)
_SENTENCE_INSIDE = re.compile(r"(?<!\b[SJDM]r)(?<!\bSt)(?<!\bAsst)(?<!\bAssoc)[.!?](?=\s)")
_NUMBER = r"(?:[A-Z]{1,5}[-_]?)?\d{3,12}(?:-\d{1,6})?"
# "R-1234 Baker" and "Baker (Job ID 1234)" are a Baker; the number is told on its own.
_NUMBER_BEFORE = re.compile(rf"{_NUMBER}[ \t]*[:|\u2013\u2014-]?[ \t]+(?=[A-Z])")
_NUMBER_BEHIND = re.compile(
    r"[ \t,|\u2013\u2014-]*[(\[]?"
    r"(?i:\b(?:job|req\w*|ref\w*|position)?[ ]?(?:id|no|number|code|ref)?\.?[ ]?[:#]?[ ]?)"
    rf"\b{_NUMBER}[)\]]?[.,;:]?$"
)
_TRAILING = " \t\n.,;:!?|-\u2013\u2014&/("


class Naming(msgspec.Struct, frozen=True):
    pattern: re.Pattern[str]
    weight: int = 2
    sure: bool = False


def _company(before: str, behind: str = "", *, weight: int = 2) -> Naming:
    return Naming(re.compile(before + _COMPANY + behind), weight)


def _line(before: str, behind: str, *, weight: int = 3) -> Naming:
    return Naming(re.compile(rf"^[ \t]*{before}{_COMPANY}{behind}", re.MULTILINE), weight)


def _role(before: str, behind: str, *, weight: int = 2, sure: bool = False) -> Naming:
    return Naming(re.compile(before + _ROLE + behind), weight, sure)


COMPANY_IN_SUBJECT = (
    _company(
        rf"\b(?i:{_KIND}|opportunit(?:y|ies)|careers?|interview|internship|employment|working|team)"
        r"\s+(?i:at|with|@)\s+"
    ),
    _company(r"[a-z)]\s+(?:at|@)\s+", r"(?=\s*(?:$|[|,!:-]))"),
    _company(
        r"\b(?i:interest in|applying (?:to|at|with)|application (?:to|at|with|was sent to)|applied (?:to|at)"
        r"|interviewing with|interview (?:with|at)|offer from|joining|message from|update from|news from"
        r"|hello from|thank you from|thanks from|candidacy (?:at|with)|assessment (?:from|for|with))\s+"
    ),
    _company(
        r"\b(?i:your)\s+",
        r"(?=\s+(?i:application|interview|candidacy|offer|hiring process|assessment)\b)",
    ),
    _company(
        r"^(?:(?i:re|fwd?|aw)\s*:\s*)?",
        r"(?=\s*(?:[-|:\u2013\u2014]\s*)?(?i:application|hiring|recruiting|recruitment|careers|interview"
        r"|follow-up|follow up|job application|talent|candidate)\b)",
        weight=1,
    ),
)
COMPANY_IN_TEXT = (
    _company(
        rf"\b(?:{_KIND}|opportunities|openings|careers?|team|us|employment|candidacy|here)\s+(?:at|with)\s+"
    ),
    _company(
        r"\b(?:applying (?:to|at|with)|application (?:to|at|with)|applied (?:to|at)"
        r"|applying for a job at)\s+",
        weight=4,
    ),
    _company(
        r"\b(?:interest in(?: joining)?|joining|join|(?<!been )working (?:at|for|with)"
        r"|(?<!used to )(?<!you )(?<!I )work (?:at|for)"
        r"|interviewing (?:with|at)|on behalf of|considering|choosing|sent to|viewed by|time with"
        r"|experience with)\s+"
    ),
    _company(r"[a-z)]\s+at\s+", r"(?=\s*(?:[.,!]|and\b|has\b|is\b|was\b|$))", weight=1),
)
# A line, or a sender's name, that is only the employer's hiring team.
COMPANY_ON_A_LINE = (
    _line(
        r"(?:[Tt]he[ ])?",
        rf"(?=[ ]+{_TEAM}(?:[ ]+(?:Team|Department|Dept|Group|Partners?|Organi[sz]ation|Crew"
        r"|Notifications?))?[ \t]*,?$)",
    ),
    _line(rf"(?:[Tt]he[ ])?{_TEAM}(?:[ ]Team)?[ ]+(?:at|@|of|with|-|\||,)[ ]+", r"[ \t]*$"),
    _line("", rf"(?=[ ]+(?:via|through|on)[ ]+{_RELAY}\b)"),
    _line("", r"(?=[ ]+@[ ]+(?:icims|iCIMS)\b)"),
    _line(
        r"[A-Z][\w'\u2019.-]*(?:[ ][A-Z][\w'\u2019.-]*){0,2}[ ]+(?:from|at|@|with|\||-)[ ]+",
        r"[ \t]*$",
        weight=2,
    ),
)

_ENDS_ROLE = r"(?=\s+(?:at|with|in|has|have|is|was|and|here|on|role|position|job)\b|[.,;:!]|\s*$|\s*\n)"
ROLE_IN_TEXT = (
    _role(
        r"\b(?:the|our|a|an|for|to|of|this|as)\s+(?:open\s+|following\s+|new\s+)?",
        rf"(?=\s+{_KIND}\b)",
        weight=3,
        sure=True,
    ),
    _role(rf"\b{_KIND}\s+(?:of|as|for|titled|called)\s+(?:an?\s+|the\s+|our\s+)?", _ENDS_ROLE),
    _role(
        r"\b(?i:job title|position|role|job|vacancy|position title|applied for|title|post)\s*:\s*",
        r"(?=\s*(?:\n|$|[.;]|\(|[|]))",
        sure=True,
    ),
    _role(
        r"\b(?:applying|applied|application|apply|candidacy|candidature|considered|interview|interviewing"
        r"|consideration|offer you)\s+(?:for|to|as)\s+(?:the\s+|our\s+|an?\s+)?"
        r"(?:(?:role|position|post|job)\s+of\s+)?",
        _ENDS_ROLE,
    ),
)
# In a board's receipt: the title on a line, below it the employer and the place.
ROLE_ABOVE_EMPLOYER = (
    Naming(
        re.compile(
            rf"^[ \t]*{_ROLE}[ \t]*\n\s{{0,20}}{_WORD}(?:[ ]{_WORD}){{0,5}}"
            r"[ \t]*[-|(\u00b7\u2022\u2013\u2014]",
            re.MULTILINE,
        )
    ),
)
_ENDS_ROLE_IN_SUBJECT = r"(?=\s*(?:$|[|@:!]|\bat\b|\bwith\b|\(|-\s))"
ROLE_IN_SUBJECT = (
    _role(r"\b(?:(?i:the|our|a|an|for|to|of)\s+)?", rf"(?=\s+{_KIND}\b)", weight=1),
    _role(
        rf"\b(?i:for|to|the {_KIND}|{_KIND}|as)\s*:?\s+(?:the\s+|our\s+|an?\s+)?"
        r"(?:(?:role|position|post|job)\s+(?:of\s+)?)?",
        _ENDS_ROLE_IN_SUBJECT,
    ),
    _role(r"(?:^|[|:\u2013\u2014-])\s*", _ENDS_ROLE_IN_SUBJECT, weight=1),
    _role(r"^Indeed Application:\s*", r"\s*$", weight=3, sure=True),
)


def trimmed(text: str, start: int, end: int, *, company: bool) -> tuple[int, int]:
    """The name without what does not belong to it: a sentence that follows, team words, marks at the ends."""
    found = text[start:end]
    inside = _SENTENCE_INSIDE.search(found)
    if inside is not None and (company or inside.start() > 0):
        found = found[: inside.start()]
    if company:
        found = _STOP_BEHIND.sub("", found)
    else:
        found = _NUMBER_BEHIND.sub("", found)
        before = _NUMBER_BEFORE.match(found)
        if before is not None:
            start, found = start + before.end(), found[before.end() :]
    found = found.rstrip(_TRAILING)
    if found.count(")") > found.count("("):
        found = found.rstrip(")")
    return start, start + len(found)


def is_company(name: str) -> bool:
    words = [word.strip(".,'").lower() for word in name.split()]
    if not words or len(name) > _LONGEST_COMPANY or not any(letter.isalpha() for letter in name):
        return False
    return (
        words[0] not in _NOT_A_COMPANY
        and words[-1] not in _HEADS
        and not all(word in _NOT_A_COMPANY for word in words)
    )


def is_role(name: str, *, sure: bool) -> bool:
    words = [word.strip(".,'()").lower() for word in name.replace("/", " ").split()]
    if not words or len(name) > _LONGEST_ROLE or not any(letter.isalpha() for letter in name):
        return False
    if all(word in _NOT_A_COMPANY for word in words) or words[0] in (
        "thank",
        "thanks",
        "dear",
        "update",
        "your",
        "re",
        "application",
    ):
        return False
    return sure or any(word in _HEADS for word in words)
