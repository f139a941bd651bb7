"""Words around a name that are not the name: legal forms, hiring teams, levels. Data only, case folded."""

#: Legal forms as `tokens.py` spells words: no dots, single letters joined ("S. A." is "sa"), no accents.
LEGAL = frozenset({
    # English
    "inc", "incorporated", "corp", "corporation", "co", "company", "ltd", "limited", "llc", "llp",
    "plc", "pllc", "lp", "pbc", "cic", "pty", "pte", "pvt", "private",
    # German, Austrian, Swiss
    "gmbh", "ggmbh", "gesmbh", "mbh", "ag", "kg", "kgaa", "ohg", "gbr", "ug", "ev", "eg",
    "haftungsbeschrankt", "aor", "gesbr", "partg", "partgmbb", "mbb", "ek",
    # Romance
    "scop", "scic", "selarl", "selas", "sll", "slp", "slne", "sapi", "scoop",
    "sa", "sas", "sasu", "sarl", "eurl", "snc", "sca", "scs", "gie", "srl", "srls", "spa", "sapa",
    "sl", "slu", "sau", "lda", "ltda", "unipessoal", "eireli", "sab", "rl", "cv",
    # Benelux and Nordic
    "bv", "nv", "vof", "bvba", "cvba", "vzw", "asbl", "ab", "aktiebolag", "as", "asa", "aps", "oy",
    "oyj", "hf", "ehf", "se",
    # Central and Eastern Europe
    "sro", "spol", "sp", "zoo", "doo", "dd", "ad", "ead", "ood", "eood", "kft", "zrt", "nyrt", "sia",
    "uab", "ou", "ooo", "zao", "pao", "oao",
    # Cyrillic
    "ооо", "зао", "пао", "оао", "ао", "тоо", "тов", "ип",  # noqa: RUF001
    # Greek, Turkish
    "ae", "epe", "ike", "αε", "επε", "sti", "anonim", "sirketi",
    # Asia and the Gulf
    "kk", "gk", "sdn", "bhd", "tbk", "pt", "fze", "fzco", "fz", "wll", "bsc", "dmcc", "pjsc", "ojsc",
    "cjsc", "jsc",
})  # fmt: skip
#: Legal forms that are words or names too: one only when written in capitals or with dots ("S.p.A.", "SE").
ALSO_WORDS = frozenset({
    "spa", "as", "ad", "sa", "se", "pt", "cv", "ab", "eg", "ev", "dd", "rl", "ou", "sl", "ae", "fz",
    "ug", "private", "ek", "scop",
})  # fmt: skip
#: Of these, those that end no name by chance where everything is typed small.
ALSO_SMALL = frozenset({"sa", "sl", "scop", "ug", "ek", "ev", "eg"})
#: Legal forms of several words, none of which is one alone.
LEGAL_PHRASES = (
    ("s", "coop"), ("soc", "coop"), ("s", "coop", "and"), ("sociedad", "cooperativa"),
    ("sociedad", "limitada"), ("sociedad", "anonima"), ("sociedade", "limitada"), ("sociedade", "anonima"),
    ("societe", "anonyme"), ("societe", "cooperative"), ("societa", "cooperativa"), ("s", "com"),
    ("s", "en", "c"), ("s", "com", "p", "a"), ("eingetragene", "genossenschaft"),
    ("limited", "liability", "company"), ("public", "limited", "company"),
)  # fmt: skip
#: Legal forms that stand in front.
LEGAL_FRONT = frozenset({
    "pt", "ooo", "zao", "pao", "oao", "uab", "sia", "ооо", "зао", "пао", "оао", "ао", "тоо", "тов",  # noqa: RUF001
})  # fmt: skip
#: Legal forms of scripts without spaces, front or back.
LEGAL_GLUED = (
    "株式会社", "合同会社", "有限会社", "(株)",
    "股份有限公司", "有限责任公司", "有限公司",
    "주식회사", "유한회사", "(주)",
)  # fmt: skip
#: What joins two legal forms: "GmbH & Co. KG", "S. de R.L. de C.V.".
JOINING = frozenset({
    "and", "de", "z", "et", "e", "y", "s",
})  # fmt: skip

#: What joins two names in other languages than English, read as "and".
AND = frozenset({"und", "et", "y", "e"})

#: Words a hiring team puts behind the employer's name, and in front of "at".
TEAM = frozenset({
    "careers", "career", "jobs", "recruiting", "recruitment", "recruiters", "recruiter", "hiring",
    "talent", "acquisition", "people", "hr", "team", "department", "staffing", "noreply",
    "notifications", "alerts", "applications", "sourcing",
    "karriere", "personalabteilung", "personalmanagement", "personalwesen", "bewerbermanagement",
    "bewerbungsmanagement", "rrhh",
})  # fmt: skip
#: Longer signatures, whose words belong to a name when they stand alone.
TEAM_PHRASES = (
    ("people", "and", "culture"), ("people", "operations"), ("people", "ops"), ("human", "resources"),
    ("early", "careers"), ("university", "recruiting"), ("campus", "recruiting"), ("candidate", "experience"),
    ("no", "reply"), ("do", "not", "reply"), ("talent", "community"), ("talent", "operations"),
)  # fmt: skip

#: Words that put a role on a level and are no part of the role itself.
LEVELS = {
    "intern": "intern", "interns": "intern", "internship": "intern", "internships": "intern",
    "coop": "intern", "praktikant": "intern", "praktikantin": "intern", "praktikum": "intern",
    "stagiaire": "intern", "werkstudent": "intern", "werkstudentin": "intern", "stage": "intern",
    "practicas": "intern", "becario": "intern", "becaria": "intern", "practicante": "intern",
    "pasante": "intern", "trainee": "trainee", "apprentice": "trainee", "apprenticeship": "trainee",
    "alternance": "trainee", "alternant": "trainee", "alternante": "trainee", "apprenti": "trainee",
    "apprentie": "trainee", "auszubildende": "trainee", "auszubildender": "trainee", "azubi": "trainee",
    "graduate": "graduate", "grad": "graduate",
    "entry": "entry", "junior": "junior", "jr": "junior", "jnr": "junior", "mid": "mid",
    "midlevel": "mid", "intermediate": "mid", "senior": "senior", "sr": "senior", "snr": "senior",
    "staff": "staff", "principal": "principal", "lead": "lead", "lider": "lead",
    "distinguished": "distinguished", "associate": "associate", "i": "1", "1": "1", "ii": "2", "2": "2",
    "iii": "3", "3": "3", "iv": "4", "4": "4", "5": "5",
}  # fmt: skip
#: Words that say a level and are the role at the same time: they stay in it.
ROLES_WITH_LEVEL = {
    "head": "head", "director": "director", "vp": "vp", "svp": "vp", "avp": "vp", "evp": "vp",
    "chief": "chief", "ceo": "chief", "cto": "chief", "cfo": "chief", "coo": "chief",
    "manager": "manager",
}  # fmt: skip
#: A level word beside one of these is a plain word: "Chief of Staff", "Lead Generation".
NOT_A_LEVEL = {
    "staff": frozenset({"of", "nurse", "accountant", "pharmacist", "attorney", "writer", "training", "rn"}),
    "lead": frozenset({"generation", "gen", "qualification", "nurturing"}),
    "lider": frozenset({"de"}),
    "principal": frozenset({"investigator"}),
    "senior": frozenset({"living", "care", "housing"}),
    "associate": frozenset({"dean", "professor"}),
    "graduate": frozenset({"school", "admissions", "studies"}),
    "entry": frozenset({"data", "order"}),
    "mid": frozenset({"market", "atlantic"}),
    "stage": frozenset({"manager", "director", "hand", "crew", "technician", "design", "designer", "early",
                        "late", "growth", "main", "center", "production", "carpenter", "management"}),
    "practicas": frozenset({"buenas", "clinicas"}),
}  # fmt: skip
#: Levels that are such at the beginning of a title, at its end, or behind "en": "Prácticas Diseño",
#: "Comercial en prácticas"; "Tutor de prácticas" is none.
AT_AN_END = frozenset({"stage", "practicas", "alternance"})
#: What joins such a level to its role, and says nothing without it.
JOINS_A_LEVEL = frozenset({"en", "de", "d"})
#: One spelling of a word in titles.
TITLE_WORDS = {
    "eng": "engineer", "engr": "engineer", "swe": "software engineer", "dev": "developer",
    "mgmt": "management", "mgr": "manager", "ops": "operations", "asst": "assistant",
    "rep": "representative", "frontend": "front end", "backend": "back end", "fullstack": "full stack",
}  # fmt: skip
