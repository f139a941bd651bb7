"""Signs in English that weigh without deciding: bad news in the air, parting words, talk of an interview."""

import re

# While one of these is asserted and no refusal explains it, nothing positive is said.
BAD_NEWS = re.compile(
    r"\b(?:unfortunately|regret\w*|sadly|sorry to|other (?:\w+ ){0,2}(?:candidate|applicant)s?"
    r"|another (?:\w+ )?candidate|unsuccessful|no longer|been filled|your (?:job |career )?search"
    r"|search and|not (?:be |been )?(?:\w+ )?(?:mov|proceed|progress|select|success|advanc|shortlist"
    r"|chosen)\w*|future endeavou?rs|difficult decision|tough decision|not an easy|disappoint\w*|(?:highly"
    r"|very|extremely|so|more|incredibly) competitive|decided (?:not|to)|declin\w+|wish you (?:all |every "
    r"|the |much |continued |well|success|luck))\b"
)
# In a clause about applicants in general only these count.
SORRY = re.compile(r"\b(?:unfortunately|regret\w*|sadly|sorry to|decided|disappoint\w*)\b")
NOT_YET = re.compile(r"\b(?:until|unless|without)\b")
# Thanks for applying beside one of these may be the opening of a refusal.
DECIDED = re.compile(
    r"\b(?:decid\w+|decision|after (?:careful|review|consider)\w*|we reviewed|we have reviewed|considered)\b"
)
PARTING = re.compile(
    r"\b(?:keep your (?:resume|cv|details|application|profile|information)|on file|apply again"
    r"|in the future|other (?:roles|positions|opportunities|openings)|encourage you to (?:apply|keep"
    r"|continue|visit|check))\b"
)
TALK_ABOUT_WORK = re.compile(
    r"\b(?:interview\w*|phone screen|recruit\w*|candidate|hiring|your application|talent acquisition)\b"
)
