"""How English says no: to this applicant, or by closing the position.

Each family is a shape of sentence, not a sentence. Conditions are gone before these are asked, and "unable
to" and its like read "can not".
"""

from mailsync.classify.english.phrase import APPLICATION, POSITION, phrase

_GO_ON = (
    r"(?:mov|proceed|progress|advanc|continu|go|going|pursu|tak|bring|carry|extend|offer|select|hir|invit"
    r"|consider|interview|shortlist|accept|include|put|forward)\w*"
)
_NOT = r"(?:not|no longer|never)(?: \w+){0,4}?"
_YOU = (
    r"(?:you|your|yours|this|the|it|things|any|our|us) ?(?:\w+ )?"
    rf"(?:{APPLICATION}|process|discussions?|conversations?)?"
)
_OTHERS = (
    r"(?:candidate|applicant|application|applicant pool|profile|individual|person|people|professional"
    r"|contender|finalist|submission)s?"
)
_CHOSE = (
    r"(?:mov|proceed|progress|advanc|continu|going|gone|went|go|pursu|select|chos|choos|hir|offer|opt|elect"
    r"|focus|prioriti|shortlist|found|find|identif|extend|accept|appoint|recruit|filled|made|award|prefer"
    r"|awarded|take|took|taken|taking)\w*"
)
_BETTER = (
    r"(?:more|better|closer|closely|stronger|strongest|best|match\w*|fit\w*|align\w*|suit\w*|meet\w*"
    r"|experience\w*|qualified|relevant|specific)"
)
_OPEN_END = (
    r"\b(?:until|unless|without|before|incomplete|complete your|still (?:consider|review|interview)\w*)\b"
)
_STILL_LOOKING = (
    r"\b(?:still|go through|going through|look through|looking at|continue to|continuing to"
    r"|in the process of|busy|from (?:among|amongst)|among|amongst"
    r"|over (?:\w+ )?(?:other|hundreds|thousands)|invite you|you have been|you were)\b"
)

REFUSAL = (
    phrase(
        "decided_not_to",
        "rejection",
        "not to|to not|against|not ",
        r"\b(?:decid|chos|choos|elect|opt|determin|decision|agreed|resolv|conclud|select)\w*(?: \w+){0,6}?"
        rf" (?:not to|to not|against|not) (?:be )?(?:\w+ )?{_GO_ON}\b",
        r"\byou (?:have |had )?(?:decid|chos|elect|opt)|\bsummer\b|\bfill\b"
        r"|\baccept\w* (?:\w+ ){0,2}?(?:applications|resumes|calls|submissions|agenc\w+|visit\w*|walk-ins)\b|"
        + _OPEN_END,
    ),
    phrase(
        "not_moving_forward",
        "rejection",
        "not |no longer|never",
        rf"\b{_NOT} (?:be )?(?:mov|proceed|progress|advanc|continu|go|going|carry|tak|bring"
        rf"|com)\w* (?:(?:with )?{_YOU} )?"
        r"(?:(?:for|to|with|in) (?:\w+ ){1,5}?(?:any )?further|forward|ahead|further|beyond|any further"
        r"|on (?:to|with)|with your|with you\b|to the (?:next|final|second|interview|following)|in (?:the"
        r"|our|this) (?:\w+ )?(?:process|selection|recruitment|hiring|interview)|into the|past|through to"
        r"|to (?:an? |the )?interview)",
        r"\bif\b|\bnext week\b|" + _OPEN_END,
    ),
    phrase(
        "application_not_taken_on",
        "rejection",
        "not |no longer|never",
        rf"\b{_NOT} (?:be )?(?:progress|advanc|pursu|consider|proceed|accept|approv|support|recommend)\w*"
        r" (?:\w+ )?(?:you|your (?:\w+ )?(?:application|candidacy|candidature|profile|resume|submission)"
        r"|further with)\b(?! (?:complete|in|by email))",
        r"\byou (?:do|did|have) not\b|" + _OPEN_END,
    ),
    phrase(
        "you_not_taken_on",
        "rejection",
        "not |no longer|never",
        rf"\b{_NOT} (?:be )?(?:select|shortlist|invit|hir|choos|pick|employ|appoint|plac|progress|consider"
        rf"|interview|tak)\w*"
        r" you\b(?! (?:to |for )?(?:a )?(?:moment|minute|while|seriously|long))",
        r"\bdo not (?:consider|take) you\b|" + _OPEN_END,
    ),
    phrase(
        "nothing_to_offer",
        "rejection",
        "not |no longer",
        rf"\b{_NOT} (?:be )?(?:offer|extend|mak|provid|award|giv|grant|secur)\w*(?: to)?(?: you)?(?: with)?"
        r"(?: (?:a|an|the|this|any|our|that|one of these|one of the))?"
        r" (?:(?!for\b|in\b|at\b|on\b|with\b|of\b|to\b|and\b)\w+ ){0,3}?"
        r"(?:position|role|job|interview|place|employment|internship|opportunity|post|placement|offer"
        r"|spot)s?\b"
        r"(?! (?:description|details|sponsor|until))",
        r"feedback|sponsor|visa|relocat|remote|part[- ]time|opportunity to (?:speak|respond)"
        r"|\b(?:do|does) not (?:\w+ )?(?:offer|extend|mak|provid|award|giv|grant)|" + _OPEN_END,
    ),
    phrase(
        "other_candidates_chosen",
        "rejection",
        "other|another|different|alternative|internal|stronger|better|more ",
        rf"\b{_CHOSE}(?: \w+){{0,6}}? (?:other|another|different|alternative|internal|stronger|better|more"
        rf"|additional)(?: \w+){{0,5}}? {_OTHERS}\b",
        _STILL_LOOKING + r"|\bhear (?:back )?from\b|\brefer\b|\b(?:may|might) (?:\w+ )?(?:find|be)\b"
        r"|\b(?:other|another|different|alternative) (?:\w+ ){0,2}(?:role|position|job|opening|opportunit"
        r"|vacanc)\w*",
    ),
    phrase(
        "candidates_chosen_who_fit_better",
        "rejection",
        "whose|who |with |that |which |better|closely|closer",
        r"\b(?:have|has|had|decid\w*|decision|chosen|chose|opted|elected|selected|are|am|were|going|went"
        r"|will be)"
        rf"(?: \w+){{0,6}}? (?:mov|proceed|progress|advanc|continu|go|going|pursu|select|chos|choos|hir"
        rf"|offer|appoint|shortlist|identif|found|focus)\w*(?: \w+){{0,5}}? (?:someone|somebody|a person"
        rf"|{_OTHERS}|those)(?: \w+){{0,3}}? (?:whose|who|with|that|which|better|closely|closer"
        rf"|more)(?: \w+){{0,14}}? {_BETTER}\b",
        _STILL_LOOKING + r"|\blooking for\b|\bseeking\b",
    ),
    phrase(
        "chose_the_better_fit",
        "rejection",
        "chose |selected|hired|picked|appointed",
        rf"\b(?:we|team|manager|committee|panel|company|they|i)(?: \w+){{0,2}}? (?:chose|selected|hired"
        rf"|picked|appointed)(?: \w+){{0,3}}? {_OTHERS}(?: \w+){{0,3}}? (?:whose|who|with"
        rf"|that)(?: \w+){{0,12}}? {_BETTER}\b",
        _STILL_LOOKING,
    ),
    phrase(
        "another_was_chosen",
        "rejection",
        "another|other|different|someone else",
        rf"\b(?:another|other|a different|an internal"
        rf"|an external)(?: \w+){{0,4}}? {_OTHERS}(?: \w+){{0,2}}? (?:has|have|was|were|is"
        rf"|been)(?: \w+){{0,2}}?"
        r" (?:select|chos|hir|appoint|offer|identif|accept)\w*"
        r"|\bsomeone else (?:has|was) (?:\w+ )?(?:select|chos|hir|appoint|offer)\w*",
        _STILL_LOOKING,
    ),
    phrase(
        "better_elsewhere",
        "rejection",
        "better|stronger",
        r"\b(?:better|stronger) (?:fit|match|suited|aligned) (?:for|with|to|elsewhere)(?: \w+)? (?:another"
        r"|other|different|a different)\b",
        _STILL_LOOKING,
    ),
    phrase(
        "not_what_we_need",
        "rejection",
        "not ",
        r"\bnot (?:think|believe|feel|see)(?: that)?(?: \w+){0,2}? (?:you|your|this|it"
        r"|there)(?: \w+){0,6}? (?:is|are|be|have|has|was)(?: \w+){0,3}? (?:what we|right|fit|match"
        r"|suitable|enough|looking for|strong)\b",
        r"\bnot (?:think|believe|feel)(?: \w+){0,4}? (?:problem|issue|fair)\b|" + _OPEN_END,
    ),
    phrase(
        "others_match_better",
        "rejection",
        "other |others |stronger|another",
        rf"\b(?:other|another|several|many|stronger|some)(?: \w+){{0,3}}? (?:{_OTHERS})(?:'s?"
        rf"|s')?(?: \w+){{0,10}}?"
        r" (?:more (?:closely|strongly|directly|relevant|suitable|suited|in line|experience)|better|closer"
        r"|stronger|a closer|the best|most closely)\b",
        _STILL_LOOKING,
    ),
    phrase(
        "role_given_to_another",
        "rejection",
        "candidate|someone|somebody|applicant|another|different",
        rf"\b(?:{POSITION}|offer)(?: \w+){{0,12}}? (?:was|has been|is|had been|went|been)(?: \w+){{0,3}}?"
        r" (?:to|by|with) (?:another|someone|a different|an internal|other|an external|the (?:selected"
        r"|successful|other))\b"
        r"|\b(?:have|has) (?:selected|chosen|hired|appointed|found|identified|accepted|made an offer to"
        r"|extended an offer to) (?:a|the|our|another|someone|an|one)(?: \w+){0,3} (?:candidate|applicant"
        r"|person|individual|someone)\b"
        r"|\b(?:hired?|selected|chos\w+|appointed|accepted|picked|(?:going|gone|went|go|moving (?:forward"
        r"|ahead)|proceeding) with|prefer\w*|offered it to) (?:someone|somebody|another (?:candidate"
        r"|applicant|person)|a different (?:candidate|applicant|person))\b",
        _STILL_LOOKING,
    ),
    phrase(
        "you_not_selected",
        "rejection",
        "not |never",
        r"\b(?:you|yours|application|profile|candidacy|candidature|resume|submission|background"
        r"|name)(?: \w+){0,10}? (?:has|have|had|was|were|is|are|will|did|do|does)(?: \w+)? (?:not"
        r"|never)(?: \w+)? (?:(?:be|been|being) (?:\w+ )?(?:select|success|shortlist|chosen|progress|retain"
        r"|accept|approv|consider|advanc|put|taken|moved|includ|invit|offer|appoint|hired|one of|among"
        r"|further|forwarded|short|carried|pursu)\w*|(?:select|success|shortlist|among|one of|make it"
        r"|pass\b|progress (?:to|further|beyond)|advance|proceed|move (?:forward|ahead|on|to)|qualify"
        r"|chosen|score|reach the|meet (?:the|our|all))\w*)"
        r"|\b(?:you|yours|application|profile|candidacy|candidature|resume"
        r"|submission)(?: \w+){0,10}? (?:was|were|is|are) not(?: \w+)? (?:retain|accept|approv|consider"
        r"|progress|advanc|taken|forward|invit|hired|picked|includ|put)\w*",
        r"\byou (?:have|had) not (?:\w+ )?(?:submit|complet|appl)|\bconsidered complete\b|" + _OPEN_END,
    ),
    phrase(
        "not_selected_line",
        "rejection",
        "not selected|not successful|not progressed|not considered|not hired|not retained|not shortlisted",
        r"^(?:(?:application )?(?:status|result|outcome|decision|update)s? )?(?:(?:you|candidate|applicant"
        r"|your application) (?:were|was|has been|have been|is) )?not (?:been )?(?:selected|successful"
        r"|progressed|considered|hired|retained|shortlisted)\b",
    ),
    phrase(
        "unsuccessful",
        "rejection",
        "unsuccessful",
        r"\b(?:was|is|has been|been|were|are|be|as|application|interview|your|candidacy|you) unsuccessful\b"
        r"|\bunsuccessful (?:application|outcome|result|in (?:your|this|the|securing)|for (?:the|this)"
        r"|at this)",
        r"\bunsuccessful (?:candidates|applicants)|attempts?\b|\blog ?in|delivery|payment",
    ),
    phrase(
        "does_not_fit",
        "rejection",
        "not ",
        r"\b(?:you|your|we|i|this|background|experience|profile|skills?|skillset|qualifications?|it"
        r"|application)\b(?: \w+){0,10}? not(?: \w+){0,4}? (?:(?:the|a|an|our|quite|exactly|as|enough of a"
        r"|that) )*(?:(?:right|best|good|strong|ideal|perfect|close|suitable|great|exact|immediate|proper"
        r"|correct|full|clear|mutual|sufficient|strongest|closest) )?(?:\w+ )?(?:fit|match|suited|suitable"
        r"|aligned|a match|alignment|fit for|match for)\b",
        r"\b(?:does|do) not (?:fit|match) in\b|\bnot (?:just|only|about|sure)\b|" + _OPEN_END,
    ),
    phrase(
        "requirements_not_met",
        "rejection",
        "not ",
        r"\b(?:you|your|we|they|background|experience|profile|skills?|skillset|qualifications?"
        r"|application)\b(?: \w+){0,8}? not (?:\w+ ){0,2}?(?:meet|match|fit|align|correspond|satisf|possess"
        r"|fulfil|line up|suit|demonstrate)\w*(?: \w+){0,5}? (?:requirement|criteria|criterion|need"
        r"|qualification|profile|expectation|position|role|looking|seeking|vacancy|opening|what we|team"
        r"|experience)s?\b",
        r"\bdo not (?:need|have) to\b|\bnot sure\b|" + _OPEN_END,
    ),
    phrase(
        "no_role_for_you",
        "rejection",
        "not have|no suitable|no current|no open|no role|no position|no match|not find|no vacanc",
        rf"\b(?:not (?:have|find|see|identify|found|identified)|have no|there is no"
        rf"|there are no)(?: \w+){{0,5}}? (?:{POSITION}|match|fit|place)(?: \w+){{0,6}}? (?:for you|your"
        rf"|that (?:\w+ ){{0,4}}?(?:match|fit|suit|align|meet)|suit|which)\w*"
        r"|\bnot find an? (?:\w+ )?(?:match|fit|role|position)\b",
    ),
    phrase(
        "no_longer_considered",
        "rejection",
        "no longer|not |removed|out of|release",
        r"\b(?:we|i|team)(?: \w+){0,2}? (?:no longer|not)(?: \w+){0,3}? consider\w* (?:you|your)\b"
        r"|\b(?:you|your|application|candidacy|profile)\b(?: \w+){0,6}? (?:no longer"
        r"|not)(?: \w+){0,3}? (?:consider\w*|under consideration|in consideration|in the running"
        r"|in contention|a candidate|moving forward|proceeding|progressing|active|pursuing|part of)\b"
        r"|\b(?:remov|withdr[ae]w|releas|disposition)\w*(?: \w+){0,5}? from (?:\w+ )?(?:consideration"
        r"|the process|the running|our process)|\bout of (?:the running|consideration)\b",
        r"\byou (?:have )?(?:\w+ )?withdr[ae]wn?\b|\bwithdr[ae]wn? (?:your|from)\b|\bby you\b|" + _OPEN_END,
    ),
    phrase(
        "declined",
        "rejection",
        "declin|reject|denied|refused|turned down|disqualif|passing|to pass|pass on",
        rf"\b(?:{APPLICATION}|you)(?: \w+){{0,8}}? (?:was|been|is|were|being|has|have) (?:\w+ )?(?:declin"
        rf"|reject|denied"
        r"|refus|turned down|disqualif|dismiss)\w*"
        r"|\b(?:decided|have|choosing|chosen|going|opted|elected) to (?:declin|reject|pass\b|turn down"
        r"|let you go)"
        r"|\b(?:am|are|be) (?:passing|declining)(?: \w+){0,3}? (?:on|your|with)\b"
        r"|\bpass on (?:your|you|this)\b",
        r"\bif\b|\b(?:why|how|when) you (?:were|got|get|are)\b"
        r"|\byou (?:have |may |can |decide to |wish to )?(?:declin|reject)|\bto decline (?:the|this"
        r"|our)\b|\bfile\b|\bupload|\bresubmit|\bformat\b",
    ),
    phrase(
        "another_direction",
        "rejection",
        "direction|work out|end of the|in a different|closing your|close your|closed your|conclude|ending",
        r"\b(?:go|going|gone|went|move|moving|moved|head\w*|tak\w*|chos\w+"
        r"|decid\w+)(?: \w+){0,4}? (?:another|a different|different|alternative) (?:\w+ )?direction"
        r"|\b(?:did|has|have|will|does|is) not (?:going to )?(?:\w+ )?work(?:ed)? out\b"
        r"|\b(?:clos|conclud|end)\w* (?:out )?your (?:application|candidacy|candidature|process)\b",
    ),
    phrase(
        "regret_about_the_application",
        "rejection",
        "regret|sorry to|afraid|sad to|unhappy to|disappointed to",
        r"\b(?:regret|sorry|afraid|sad|unhappy|disappointed)(?: that)?(?: \w+){0,3}? (?:to )?(?:inform|tell"
        r"|advise|let you know|say|notify|share|report|announce)\b(?: \w+){0,25}? (?:application|candidacy"
        r"|candidature|position|role|selection|vacancy|internship|interview|shortlist\w*|process)\b",
        r"reschedul|postpon|delay|cancel|late\b|error|mistake|typo|missing|incomplete|outage|website|portal"
        r"|technical"
        r"|not (?:yet )?received|feedback|extend(?:ed)? (?:the|our)|" + _OPEN_END,
    ),
    phrase(
        "said_no",
        "rejection",
        " no|no from|pass",
        r"^(?:it|that|this) is (?:a )?no\b(?: (?:from us|from our side|to you|i am afraid|sorry))?$"
        r"|\b(?:so|afraid|but|because|therefore) (?:it|that|this) is a no(?=$| (?:from|to|on|i am|sorry)\b)"
        r"|^no from (?:us|our side|me|the team)\b"
        r"|\b(?:say|said|saying|tell you) no to (?:you|your)\b"
        r"|\b(?:we|i|team) (?:\w+ )?(?:going to|will|have to|must|need to) pass$",
        r"\byou (?:say|said)\b|" + _OPEN_END,
    ),
    phrase(
        "not_the_news_hoped_for",
        "rejection",
        "not ",
        r"\bnot (?:be )?(?:the|that) (?:\w+ )?(?:news|outcome|result|answer|decision|response|message)"
        r"(?: \w+){0,5}? (?:hop|want|expect|wish|look|wait)\w*",
        r"\bif\b|" + _OPEN_END,
    ),
    phrase(
        "will_not_join",
        "rejection",
        "not ",
        r"\bnot (?:be )?(?:joining|part of|welcoming|bringing)(?: \w+){0,3}? (?:you|us|our team|the next)\b"
        r"|\bnot (?:be )?(?:asking|calling|contacting|seeing) you (?:\w+ )?(?:for|to|about) (?:an? |the )?"
        r"(?:interview|next (?:round|stage|step))\b",
        _OPEN_END,
    ),
)

_CLOSED = r"(?:filled|closed|cancell?ed|withdrawn|eliminated|discontinued|removed|pulled|terminated|retired)"

CLOSED = (
    phrase(
        "position_gone",
        "position_closed",
        "filled|closed|cancel|withdrawn|eliminated|discontinued|removed|pulled|terminated|retired",
        rf"\b(?:{POSITION}|hiring|recruitment)(?: \w+){{0,14}}? (?:has|have|had|is|was|were|been|being"
        rf"|are)(?: \w+){{0,3}}? {_CLOSED}\b(?! with)",
        r"\bnot (?:yet )?(?:been )?(?:filled|closed)|\b(?:application|account|window|period) (?:is|was"
        r"|has been) closed\b"
        r"|\bwill be (?:closed|filled|removed)\b",
    ),
    phrase(
        "position_closed_by_us",
        "position_closed",
        "filled|fill |closed|cancel|closing|close |withdraw|eliminat|discontinu|remov",
        rf"\b(?:have|has|had|are|were|decided to|decided not to|not|to)(?: \w+){{0,2}}? (?:fill|close"
        rf"|cancel|withdraw|eliminat|discontinu|hire for|remov)\w* (?:this|the|that|our|all"
        rf"|out)(?: \w+){{0,5}}? {POSITION}\b",
        r"\bhelp\w*\b|\bnot (?:yet )?(?:filled|closed)\b|\bworking to\b|\blooking to\b|\bhoping to\b"
        r"|\baim\w* to\b"
        r"|\bin order to\b|\bseeking to\b|\btrying to\b|\beager to\b|\bneed to\b|\bwant to\b"
        r"|\bplan\w* to fill\b",
    ),
    phrase(
        "hiring_completed",
        "position_closed",
        "complet|finish|conclud|finali|closed|final selection",
        r"\b(?:have|has|had|are)(?: \w+){0,2}? (?:complet|finish|conclud|finali"
        r"|clos)\w*(?: \w+){0,3}? (?:hiring|recruiting|recruitment|search|selection|selections"
        r"|hiring process|recruitment process|selection process)\b",
        r"\bnot (?:yet )?(?:complet|finish|conclud|finali|clos)|\byou have\b|\bonce\b|\binitial\b|\bstage\b",
    ),
    phrase(
        "no_longer_hiring",
        "position_closed",
        "no longer|not looking for|not hiring|not recruiting|not accepting|not be hiring|not be filling"
        "|not seeking",
        r"\b(?:no longer|not(?: be)?) (?:\w+ )?(?:hiring|recruiting|accepting (?:\w+ )?applications"
        r"|looking (?:to fill|to hire|for (?:new|additional|more|any))|filling|seeking (?:to fill"
        r"|candidates|applicants)|interviewing|open|available|being (?:filled|recruited|advertised)"
        r"|required|needed)\b",
        r"\bif\b|\bstill\b|\byou are\b|\byou have\b|\bemail address\b|\baccount\b|\blink\b|\bpage\b",
    ),
)
