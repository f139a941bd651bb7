"""How English says: your application has arrived, it is being looked at, it is waiting, you took it back."""

from mailsync.classify.english.phrase import APPLICATION, POSITION, phrase

_PAPERS = (
    r"(?:application|applications|resume|cv|submission|candidature|candidacy|expression of interest|profile"
    r"|application (?:form|materials|documents|details))"
)
_SENT_PAPERS = _PAPERS.replace("|profile", "")
_NEGATED = r"\b(?:not|never|yet to|incomplete|unable|no longer|failed|fail|error|unfinished|draft)\b"

RECEIPT = (
    phrase(
        "we_received_it",
        "acknowledgement",
        "received|receipt|got |recorded|registered|accepted|we have your",
        rf"\b(?:received|got|recorded|registered|accepted)(?: \w+){{0,2}}? (?:your"
        rf"|the)(?: \w+){{0,6}}? {_PAPERS}\b"
        rf"|\bwe have your (?:\w+ )?{_PAPERS}\b"
        rf"|\breceipt of (?:your|the)(?: \w+){{0,4}}? {_PAPERS}\b",
        _NEGATED + r"|\bbefore\b|\bmany\b|\bhigh (?:volume|number)\b",
    ),
    phrase(
        "it_was_received",
        "acknowledgement",
        "received|submitted|sent|delivered|registered|recorded|complete|in our|added to our",
        rf"\b(?:your |the |job |following )?{_SENT_PAPERS}\b(?: \w+){{0,22}}? (?:has|have|was|is|were|been"
        rf"|are)(?: \w+){{0,3}}?"
        r" (?:received|submitted|sent\b|delivered|registered|recorded|logged|now complete|complete"
        r"|transmitted|added to our|in our (?:system|database))\b",
        _NEGATED
        + r"|\bsent back\b|\bwithdr|\bto (?:be )?complete\b|\bpreviously\b|\bonce\b|\bmust\b|\bby the\b"
        r"|\bdeadline\b",
    ),
    phrase(
        "you_applied",
        "acknowledgement",
        "submitted|submitting|successfully applied|have applied|applied for|applied to",
        rf"\b(?:you have|you) (?:successfully |recently )?(?:submitted|completed) (?:your|an|the"
        rf"|a)(?: \w+){{0,3}}? {_PAPERS}\b"
        r"|\bsuccessfully (?:applied|submitted)\b"
        r"|^(?:\w+ ){0,3}?you (?:have )?applied (?:for|to)\b",
        _NEGATED + r"|\bsimilar\b|\bsince you\b|\bbecause you\b|\bwhere you\b|\bthat you\b|\bwhen you\b",
    ),
    phrase(
        "thanks_for_submitting",
        "acknowledgement",
        "submitting|sending|submission|completing",
        rf"\b(?:thank you|thanks)(?: \w+){{0,4}}? for (?:\w+ ){{0,3}}?(?:submitting|sending"
        rf"|completing)(?: \w+){{0,5}}? {_PAPERS}\b"
        rf"|\b(?:thank you|thanks)(?: \w+){{0,4}}? for your(?: \w+){{0,2}}? submission\b",
        _NEGATED,
    ),
    phrase(
        "receipt_subject",
        "acknowledgement",
        "application|applying",
        r"^(?:\W*[\w&.' -]{0,60}?\W+)?(?:your )?(?:job )?application(?: \w+){0,3}? (?:received|confirmation"
        r"|submitted|complete|acknowledg\w+|receipt|was sent)\b"
        r"|^(?:we (?:have )?)?(?:received|got) your (?:\w+ )?application\b"
        r"|\b(?:confirmation|acknowledg\w+|receipt) (?:of|for|that)(?: \w+){0,5}? application\b"
        r"|^indeed application\b",
        _NEGATED,
    ),
)

THANKS = (
    phrase(
        "thanks_for_applying",
        "acknowledgement",
        "thank|appreciate|grateful|applied",
        r"\b(?:thank you|thanks|thank u|many thanks)(?: \w+){0,6}? for (?:\w+ ){0,5}?(?:applying"
        r"|your (?:\w+ ){0,4}?application|the application|considering|expressing (?:an |your )?interest"
        r"|your (?:\w+ )?interest|showing|choosing|apply)\b"
        r"|\b(?:appreciate|grateful for)(?: \w+){0,2}? (?:your (?:\w+ )?(?:interest|application)"
        r"|you applying|your taking|the time you)\b"
        r"|\b(?:glad|excited|happy|thrilled|delighted)(?: that)? you (?:have )?applied\b",
    ),
)

REVIEWING = (
    phrase(
        "will_be_reviewed",
        "acknowledgement",
        "review|consider|evaluat|assess|look at|go through|look over|look through",
        rf"\b(?:will|are|is|be|being|shall)(?: \w+){{0,4}}? (?:review|consider|evaluat|assess|look\w* (?:at"
        rf"|over|through)|go\w* through|examin)\w*(?: \w+){{0,4}}? (?:{APPLICATION}|materials|details"
        rf"|information|it\b|shortly)"
        rf"|\b{_PAPERS}\b(?: \w+){{0,8}}? (?:is|will be|are|being|be) (?:\w+ ){{0,2}}?(?:review|consider"
        rf"|evaluat|assess|process)\w*"
        r"|\bunder (?:\w+ )?(?:review|consideration)\b|\bwe (?:\w+ )?(?:review|read|consider) (?:each|every"
        r"|all)\b",
        r"\b(?:not|no longer|never)\b",
    ),
    phrase(
        "will_be_in_touch",
        "acknowledgement",
        "in touch|get back|contact you|hear from|reach out|respond to you|let you know|follow up|update you",
        r"\b(?:will|to|aim to|shall|should|expect to|you can expect)(?: \w+){0,4}? (?:be in touch"
        r"|get back to|contact you|hear (?:back )?from|reach out|respond to you|let you know|follow up"
        r"|update you|get in touch)\b",
        r"\b(?:not|no longer|never)\b",
    ),
)

WITHDRAWN = (
    phrase(
        "withdrawn_by_you",
        "withdrawal_confirmed",
        "withdr",
        rf"\b(?:{_PAPERS}|you)\b(?: \w+){{0,20}}? (?:has|have|was|is|been)(?: \w+){{0,2}}? withdr[ae]wn\b"
        r"|\b(?:received|processed|confirm\w*|noted|accepted|complet\w+)(?: \w+){0,6}? (?:withdrawal"
        r"|withdr[ae]wn?|your request to withdraw)\b"
        r"|\bwithdrawal (?:of (?:your )?\w+ )?(?:confirm\w*|received|complete|is complete|request has been)\b"
        r"|\byou (?:have )?(?:\w+ )?(?:withdrew|withdrawn) (?:your|from)\b"
        r"|\b(?:let\w* us know|informing us|notif\w+ us|telling us)(?: \w+){0,8}? withdraw\w*\b",
        r"\b(?:not|wish|want|would like|to withdraw your application (?:please|click|log|visit|use))\b"
        r"|\bposition has been withdrawn\b"
        r"|\b(?:we|company|team|employer) (?:have |has )?(?:\w+ )?withdr[ae]wn?\b|\boffer\b"
        r"|\bfrom (?:further )?consideration\b",
    ),
)

STATUS = (
    phrase(
        "viewed",
        "status_update",
        "viewed|opened|downloaded|looked at",
        rf"\b(?:{_PAPERS})\b(?: \w+){{0,8}}? (?:was|has been|been|is) (?:viewed|opened|downloaded|looked at"
        rf"|seen)\b"
        rf"|\b(?:viewed|opened|downloaded|looked at) your (?:\w+ )?{_PAPERS}\b",
        r"\bnot\b",
    ),
    phrase(
        "on_hold",
        "status_update",
        "hold|paus|freez|frozen|delay|postpon|suspend",
        rf"\b(?:{POSITION}|hiring|recruitment|recruiting|process|application|interviews?|headcount|decision"
        rf"|timeline)\b(?: \w+){{0,14}}?"
        r" (?:on hold|paus\w*|frozen|freez\w*|delay\w*|postpon\w*|suspend\w*)\b"
        rf"|\b(?:paus|freez|delay|postpon|suspend|put|plac)\w*(?: \w+){{0,4}}? (?:{POSITION}|hiring"
        rf"|recruitment|recruiting|process"
        r"|interviews?)\b(?:(?: \w+){0,8}? on hold)?"
        r"|\bhiring freeze\b",
        r"\b(?:without delay|not (?:be )?(?:delayed|on hold)|delayed flight|put (?:you|your)|put (?:in|into"
        r"|the) )\b",
    ),
    phrase(
        "under_review",
        "status_update",
        "review|consider",
        rf"\b{_SENT_PAPERS}\b(?: \w+){{0,12}}? (?:is|are|remains|being)(?: \w+){{0,2}}?"
        r" (?:under (?:\w+ )?(?:review|consideration)|in review|(?:being )?(?:reviewed|considered))\b",
        r"\b(?:not|no longer|never|will be|once)\b",
    ),
    phrase(
        "still_deciding",
        "status_update",
        "review|consider|decision|interviewing|process|thank you for your patience"
        "|appreciate your patience|touch base",
        r"\b(?:are|is|am|continue to|continuing to)(?: \w+){0,3}? (?:review|consider|interview|evaluat"
        r"|assess|work\w* through)\w*(?: \w+){0,4}? (?:application|candidate|applicant|resume"
        r"|submission)s?\b"
        r"|\b(?:not (?:yet )?|have yet to |has yet to )(?:made|make|reached"
        r"|finali[sz]ed)(?: \w+){0,3}? decision\b"
        r"|\bstill (?:in (?:the )?(?:process|running|consideration)|under (?:review|consideration)"
        r"|being (?:reviewed|considered))"
        r"|\bdecision (?:is|has) (?:\w+ )?(?:pending|not (?:yet )?been)\b"
        r"|\b(?:thank you for|appreciate) your (?:continued )?patience\b",
    ),
    phrase(
        "passed_on",
        "status_update",
        "forwarded|shared|passed|moved|advanced|progressed|submitted you|next",
        rf"\b(?:forwarded|shared|passed|submitted)(?: \w+){{0,2}}? (?:your"
        rf"|you)(?: \w+){{0,3}}? {_PAPERS}?(?: \w+){{0,2}}?"
        r" (?:to|with|on to|along to) (?:the|our|my|their)\b"
        rf"|\byour {_PAPERS}(?: \w+){{0,8}}? (?:has|was|have|is)(?: \w+){{0,2}}? (?:forwarded|moved"
        rf"|advanced|progressed|passed)"
        r"(?: \w+){0,2}? (?:to|forward|on)\b",
        r"\bnot\b|\bthird part",
    ),
    phrase(
        "status_changed",
        "status_update",
        "status",
        r"\b(?:application )?status (?:of your \w+ )?(?:has |was )?(?:been )?(?:changed|updated)\b"
        r"|\b(?:change|update) (?:in|to|of|on) (?:the |your )?(?:application )?status\b"
        r"|^(?:application |your )?status (?:in review|under review|in progress|in process|received"
        r"|interviewing)\b",
    ),
    phrase(
        "thanks_for_your_time_with_us",
        "status_update",
        "thank",
        r"\b(?:thank you|thanks)(?: \w+){0,5}? for (?:\w+ ){0,4}?(?:completing|finishing|taking|submitting"
        r"|interviewing|speaking|talking|meeting|chatting)(?: \w+){0,6}? (?:assessment|test|challenge"
        r"|exercise|assignment|interview|us|me|team|today|yesterday|hirevue)\b",
    ),
)
