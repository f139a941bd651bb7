"""How English recruiters write first, and how mail shows that it is about work and about this person."""

import re

from mailsync.classify.english.phrase import phrase

OUTREACH = (
    phrase(
        "found_your_profile",
        "recruiter_outreach",
        "profile|background|resume|experience|linkedin|skills",
        r"\b(?:came across|found|saw|noticed|stumbled (?:up)?on|reviewed|looked at|looking at|viewed"
        r"|discovered|spotted|caught my|stood out|reviewing)\b"
        r"(?: \w+){0,6}? (?:your|you)(?: \w+){0,5}? (?:profile|background|resume|experience|linkedin|work"
        r"|portfolio|github|skill ?set|skills)\b"
        r"|\byour (?:\w+ ){0,4}?(?:profile|background|resume|experience"
        r"|skills)(?: \w+){0,6}? (?:caught (?:my|our)|stood out|jumped out|popped up|came up"
        r"|looks like (?:a|an)"
        r"|would be (?:a|an)|seems? (?:like )?(?:a|an)|could be (?:a|an)|might be (?:a|an))\b"
        r"|\bsource\w* (?:your|you)(?: \w+){0,3}? (?:profile|resume|on)\b",
        r"\byour application\b|\byou applied\b|\bfor applying\b|\bnot\b",
    ),
    phrase(
        "recruiter_reaches_out",
        "recruiter_outreach",
        "reaching out|reach out|recruiter|recruiting for|hiring for|contacting you|writing to|partnered"
        "|on behalf of|my client|client who|client that|given your|working with|we are looking",
        r"\b(?:i am|i|my name is|we are|this is)(?: \w+){0,10}? (?:recruit\w*|sourc\w*|talent (?:partner"
        r"|acquisition|scout)|headhunt\w*|hiring manager|staffing)"
        r"(?: \w+){0,16}? (?:reaching out|reach out|looking for|opportunity|role|position|client|hiring)\b"
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
        r"|opening|role|position)(?: \w+){0,10}? (?:for you|might interest|may interest|you might"
        r"|you may|you would|that (?:\w+ ){0,3}?(?:interest|fit|match|suit)|think you)\w*",
        r"\byour (?:\w+ )?application\b|\byou applied\b|\bnot\b|\bother opportunities\b"
        r"|\bfuture opportunit\w*|\byou (?:are|may be|might be) interested in (?:other|future|applying)\b",
    ),
)

# The person applied: a first contact does not speak so.
APPLIED = re.compile(
    r"\byour (?:\w+ ){0,4}?(?:application|candidacy|candidature)\b|\byou (?:have )?(?:\w+ )?applied\b"
    r"|\b(?:for|in) applying\b"
    r"|\bapplication (?:for|to|number|id|status|received|update)\b|\bapplied (?:for|to)\b"
    r"|\byour interest in (?!hearing)"
    r"|\binterview(?:ing|ed) with us\b|\bthank\w* (?:you )?for (?:\w+ ){0,3}?(?:interview|submi|apply)"
)

# Work is what the message is about. One strong word, or two weak ones.
STRONG = re.compile(
    r"\b(?:(?:your|my) (?:\w+ ){0,3}?(?:application|candidacy|candidature|candidate|resume)"
    r"|you (?:have )?applied|i (?:have )?applied (?:for|to)|(?:for|in) applying|applicants?"
    r"|recruit(?:er|ers|ing|ment)|hiring (?:team|manager|process|for)|talent (?:acquisition|team|partner"
    r"|pool|community)|job (?:application|offer|interview"
    r"|opportunit\w+|opening|posting|description|alert|title|requisition)s?|(?:phone|video|job|technical"
    r"|onsite|on-site) (?:screen|interview)|interview (?:invitation|process"
    r"|with|for|request|confirm\w*|schedul\w*)|cover letter|offer letter|letter of offer"
    r"|offer of employment|employment (?:offer|contract|agreement)"
    r"|(?:coding|online|technical) (?:challenge|assessment|test)|hackerrank|codility|codesignal|hirevue"
    r"|background check|reference check|notice period"
    r"|salary expectations?|requisition|vacanc(?:y|ies)|careers? (?:team|site|page|portal)"
    r"|moving forward with (?:your|other)|other candidates"
    r"|candidature|recrutement|entretien d'embauche|offre d'emploi|votre cv|bewerbung\w*"
    r"|vorstellungsgespr\w+|stellenangebot\w*|lebenslauf|stelle als"
    r"|candidatura|entrevista de trabajo|proceso de selecci\w+|oferta de (?:trabajo|empleo)|vacante|tu cv"
    r"|su cv|sollicitatie|vacature|colloquio)\b"
)
WEAK = re.compile(
    r"\b(appl(?=ication|y\b|ied|ying)|candidate|interview|position|role|job|career|hir(?=ing|e\b|ed\b)|resume"
    r"|opportunit|internship|employ|onboarding|assessment|talent|opening|vacanc|emploi|embauche|stelle\b"
    r"|arbeitgeber|puesto|empleo|trabajo|entrevista|entretien)"
)
# What else one applies for.
OTHER_APPLICATION = re.compile(
    r"\b(?:loan|mortgage|visa (?:officer|interview|appointment)|consulate|embassy|credit (?:card|limit"
    r"|application)|visa application|passport|lease|rental|tenan\w+"
    r"|landlord|apartment|admissions?|tuition|enrol\w*|semester|undergraduate"
    r"|scholarship|grant|insurance (?:application|policy)|membership|planning permission"
    r"|account application|card application|app store|your (?:mobile|web) app\w*)\b"
)
APPLYING = re.compile(
    r"\b(?:application|applications|apply|applying|applied|assessments?|offer letter|references?|(?:coding"
    r"|online|skills) test|hackerrank"
    r"|employment|coding challenge|take-home|onboarding|phone screen\w*|screening call|background check"
    r"|join our team|offer to join)\b"
)
# A refusal speaks of one of these, somewhere in the message.
ABOUT_THE_APPLICANT = re.compile(
    r"\b(?:applications?|apply|applying|applied|interview\w*|positions?|roles?|jobs?|candidacy|candidature"
    r"|other candidates|other applicants|opportunit\w+|vacanc\w+|recruit\w*|hiring|internship"
    r"|openings?|applicants?|next (?:step|stage|round) (?:in|of) (?:our|the)|shortlist\w*|careers?"
    r"|your (?:interest|profile|resume|cv|background"
    r"|experience|qualifications|skills|credentials))\b"
)
WORK = re.compile(
    r"\b(?:position|role|job|vacanc\w+|recruit\w*|hiring|interview\w*|internship|career|candidate"
    r"|candidacy|candidature|resume|employment|talent|requisition|opening"
    r"|applicant|opportunity)s?\b"
)
