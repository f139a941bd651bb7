"""How English recruiters write first, and how mail shows that it is about work and about this person."""

import re

from mailsync.classify.english.phrase import phrase

OUTREACH = (
    phrase(
        "found_your_profile",
        "recruiter_outreach",
        "profile|background|resume|experience|linkedin|skills",
        r"\b(?:came across|found|saw|noticed|stumbled (?:up)?on|reviewed|looked at|looking at|viewed"
        r"|discovered|spotted|caught my|stood out|reviewing)\b(?: \w+){0,6}? (?:your"
        r"|you)(?: \w+){0,5}? (?:profile|background|resume|experience|linkedin|work|portfolio|github"
        r"|skill ?set|skills)\b"
        r"|\byour (?:\w+ ){0,4}?(?:profile|background|resume|experience"
        r"|skills)(?: \w+){0,6}? (?:caught (?:my|our)|stood out|jumped out|popped up|came up"
        r"|looks like (?:a|an)|would be (?:a|an)|seems? (?:like )?(?:a|an)|could be (?:a|an)|might be (?:a"
        r"|an))\b"
        r"|\bsource\w* (?:your|you)(?: \w+){0,3}? (?:profile|resume|on)\b",
        r"\byour application\b|\byou applied\b|\bfor applying\b|\bnot\b"
        r"|\b(?:will|to) (?:\w+ ){0,2}?(?:be )?(?:review|look)",
    ),
    phrase(
        "recruiter_reaches_out",
        "recruiter_outreach",
        "reaching out|reach out|recruiter|recruiting for|hiring for|contacting you|writing to|partnered"
        "|on behalf of|my client|client who|client that|given your|working with|we are looking",
        r"\b(?:i am|i|my name is|we are|this is)(?: \w+){0,10}? (?:recruit\w*|sourc\w*|talent (?:partner"
        r"|acquisition|scout)|headhunt\w*|hiring manager|staffing)(?: \w+){0,16}? (?:reaching out|reach out"
        r"|looking for|opportunity|role|position|client|hiring)\b"
        r"|\b(?:reaching out|reach out|contacting you|writing)(?: \w+){0,12}? (?:opportunity|opening|role"
        r"|position|to see|about (?:a|an|our|my))\b"
        r"|\bgiven your (?:background|experience|profile|skills)(?: \w+){0,3}? thought of you\b"
        r"|\bclients? (?:who|that|which) (?:is|are) (?:\w+ )?(?:seeking|looking|hiring|searching)\b"
        r"|\bmy client\b|\bour client\b(?: \w+){0,10}? (?:looking|seeking|hiring|search)\w*",
        r"\byour (?:\w+ )?application\b|\byou applied\b|\bfor applying\b|\bupdate\b|\bregarding your\b"
        r"|\bnot\b|\bto schedule\b|\bwill (?:be )?reach\w*",
    ),
    phrase(
        "open_to_hearing",
        "recruiter_outreach",
        "open to|interested in|opportunit|looking for|considering|explor",
        r"\b(?:are you|would you be|you would be|you might be|you may be|you are|know you are|you be"
        r"|you be)(?: \w+){0,3}? (?:open to|interested in|keen (?:on|to)|looking for|considering"
        r"|curious (?:about|to)|exploring)(?: \w+){0,10}? (?:opportunit\w*|role|position|move|job|chat"
        r"|conversation|call|hearing|discuss\w*|learning|exploring|talk\w*)\b"
        r"|\b(?:have|has|got|with|share|discuss) (?:an?|this|some|several) (?:\w+ ){0,4}?(?:opportunit\w*"
        r"|opening|role|position)(?: \w+){0,10}? (?:for you|might interest|may interest|you might|you may"
        r"|you would|that (?:\w+ ){0,3}?(?:interest|fit|match|suit)|think you)\w*",
        r"\byour (?:\w+ )?application\b|\byou applied\b|\bnot\b|\bother opportunities\b"
        r"|\bfuture opportunit\w*|\byou (?:are|may be|might be) interested in (?:other|future|applying)\b",
    ),
)

# The person applied: a first contact does not speak so.
APPLIED = re.compile(
    r"\byour (?:\w+ ){0,4}?(?:application|candidacy|candidature)\b|\byou (?:have )?(?:\w+ )?applied\b"
    r"|\b(?:for|in) applying\b|\b(?:time|effort|trouble|decision) to apply\b"
    r"|\bappreciate (?:you|your) applying\b"
    r"|\bapplication (?:for|to|number|id|status|received|update)\b|\bapplied (?:for|to)\b"
    r"|\byour interest in (?!hearing)"
    r"|\binterview(?:ing|ed) with us\b|\bthank\w* (?:you )?for (?:\w+ ){0,3}?(?:interview|submi|apply)"
)

# Work is what the message is about. One strong word, or two weak ones.
STRONG = re.compile(
    r"\b(?:(?:your|my) (?:\w+ ){0,3}?(?:application|candidacy|candidature|candidate|resume)"
    r"|you (?:have )?applied|i (?:have )?applied (?:for|to)|(?:for|in) applying|applicants?|recruit(?:er"
    r"|ers|ing|ment)|hiring (?:team|manager|process|for)|talent (?:acquisition|team|partner|pool|community)"
    r"|job (?:application|offer|interview|opportunit\w+|opening|posting|description|alert|title"
    r"|requisition)s?|(?:phone|video|job|technical|onsite|on-site) (?:screen|interview)"
    r"|interview (?:invitation|process|with|for|request|confirm\w*|schedul\w*)|cover letter|offer letter"
    r"|letter of offer|offer of employment|employment (?:offer|contract|agreement)|(?:coding|online"
    r"|technical) (?:challenge|assessment|test)|hackerrank|codility|codesignal|hirevue|background check"
    r"|reference check|notice period|salary expectations?|requisition|vacanc(?:y|ies)|careers? (?:team|site"
    r"|page|portal)|moving forward with (?:your|other)|other candidates|candidature|recrutement"
    r"|entretien d'embauche|offre d'emploi|votre cv|bewerbung\w*|vorstellungsgespr\w+|stellenangebot\w*"
    r"|lebenslauf|stelle als|candidatura|entrevista de trabajo|proceso de selecci\w+|oferta de (?:trabajo"
    r"|empleo)|vacante|tu cv|su cv|sollicitatie|vacature|colloquio)\b"
)
WEAK = re.compile(
    r"\b(appl(?=ication|y\b|ied|ying)|candidate|interview|position|role|job|career|hir(?=ing|e\b|ed\b)"
    r"|resume|opportunit|internship|employ|onboarding|assessment|talent|opening|vacanc|emploi|embauche"
    r"|stelle\b|arbeitgeber|puesto|empleo|trabajo|entrevista|entretien)"
)
# People write of work without naming it. In mail that is not sent in bulk one of these suffices,
PLAIN = re.compile(
    r"\b(?:interview(?:s|ed|er|ers|ing)?|candidates?|cv|curriculum vitae|finalists?|shortlist\w*|headhunt\w*"
    r"|(?:your|my) (?:\w+ )?(?:r[eé]sum[eé]|portfolio|cover letter|github|linkedin|notice period|start date)"
    r"|salar(?:y|ies)|make you an offer|job (?:offer|search|hunt)"
    r"|(?:looking for|open to) (?:something|anything) new"
    r"|(?:got|get|offer\w*|for|about) (?:you )?(?:the|this) (?:\w+ )?(?:job|role|position|post)(?! of\b))\b"
)
# or two of these.
HINTS = re.compile(
    r"\b(offer|contract|role|position|(?<!great )(?<!good )(?<!nice )job|hiring|portfolio|background"
    r"|your (?=experience|profile|skills)|committee|panel|recruit|calendly|availab|join our|convenient"
    r"|(?:phone|video|intro|screening|zoom) (?=call|chat)|next (?=step|round|stage)|join us as"
    r"|pass for now|engineer\b|developer\b|designer\b|analyst\b|librarian\b|accountant\b|nurse\b"
    r"|scientist\b|consultant\b|technician\b|assistant\b)"
)
# What else one applies for.
OTHER_APPLICATION = re.compile(
    r"\b(?:loan|mortgage|visa (?:officer|interview|appointment)|consulate|embassy|credit (?:card|limit"
    r"|application)|visa application|passport|lease|rental|tenan\w+|landlord|apartment|admissions?|tuition"
    r"|enrol\w*|semester|undergraduate|scholarship|grant|insurance (?:application|policy)|membership"
    r"|planning permission|account application|card application|app store|your (?:mobile|web) app\w*)\b"
)
APPLYING = re.compile(
    r"\b(?:application|applications|apply|applying|applied|assessments?|offer letter|references?|(?:coding"
    r"|online|skills) test|hackerrank|employment|coding challenge|take-home|onboarding|phone screen\w*"
    r"|screening call|background check|join our team|offer to join)\b"
)
# A refusal speaks of one of these, somewhere in the message.
ABOUT_THE_APPLICANT = re.compile(
    r"\b(?:applications?|apply|applying|applied|interview\w*|positions?|roles?|jobs?|candidacy|candidature"
    r"|other candidates|other applicants|opportunit\w+|vacanc\w+|recruit\w*|hiring|internship|openings?"
    r"|applicants?|next (?:step|stage|round) (?:in|of) (?:our|the)|shortlist\w*|careers?|your (?:interest"
    r"|profile|resume|cv|background|experience|qualifications|skills|credentials))\b"
)
WORK = re.compile(
    r"\b(?:position|role|job|vacanc\w+|recruit\w*|hiring|interview\w*|internship|career|candidate|candidacy"
    r"|candidature|resume|employment|talent|requisition|opening|applicant|opportunity)s?\b"
)
