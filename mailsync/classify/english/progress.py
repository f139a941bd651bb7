"""How English moves an application on: interviews, tests, requests for papers, offers.

Each has to be said to this person: descriptions of the process, promises ("a recruiter will reach out") and
clauses about applicants in general are vetoed, and so is any negation in the clause.
"""

from mailsync.classify.english.phrase import POSITION, TALK, phrase

# No clause that holds one of these moves anybody on.
NEGATED = (
    r"\b(?:not|never|no longer|unable|unsuccessful|regret\w*|sorry|afraid|declin\w*|instead of|rather than"
    r"|without|neither|nor|cancel\w*|withdr\w+|unfortunate\w*|reject\w*)\b"
)
_PROMISED = (
    r"\b(?:recruiter|recruiting team|team|member|we|someone|manager|they"
    r"|representative)(?: \w+){0,4}? (?:will|may|might|would) (?:\w+ )?(?:be (?:in touch|reaching"
    r"|contacting)|reach|contact|get in touch|get back|follow up|let you know|invite|call|notify|advise"
    r"|schedule|arrange|set up|email)\b"
    r"|\b(?:may|might|could) (?:be (?:asked|invited|required|contacted)|ask|invite|include|involve|consist"
    r"|need to (?:complete|take))\b"
    r"|\bwill (?:typically|usually|generally|normally)\b|\btypically\b|\busually\b|\bgenerally\b"
    r"|\bprocess (?:includes|consists|involves|starts|begins|is|has|may|will|can|looks)\b|\b(?:stages?"
    r"|steps?|rounds?) (?:include|are|of (?:the|our) (?:process|interview))\b"
)
_ELSEWHERE = (
    r"\b(?:tips|prepare for (?:your|an|any) (?:next )?interview|ace your|webinar|workshop|masterclass"
    r"|course|blog|article|podcast|newsletter|subscribe|demo|mock interviews?|sale|discount|premium"
    r"|interview (?:guide|questions|coach\w*|preparation course))\b"
)
_THANKED = (
    r"\bthank\w*(?: you)?(?: \w+){0,4}? for (?:\w+ ){0,3}?(?:tak|interview|your time|meet|speak|talk|com"
    r"|attend|join|complet)\w*"
    r"|\bfollowing (?:your|our)(?: \w+)? interview\b"
)
_VETO = f"{NEGATED}|{_PROMISED}|{_ELSEWHERE}|{_THANKED}"
_TEST = (
    r"(?:assessments?|coding (?:challenge|test|exercise|assignment|task)|take[- ]?home\w*(?: \w+)?|tests?"
    r"|challenge|exercise|quiz|hackerrank\w*|codility|codesignal|testgorilla|hirevue|questionnaire"
    r"|case study|work sample|(?:on-demand|one-way|recorded|video) (?:\w+ )?interview|skills evaluation"
    r"|screening questions|game-based \w+|pymetrics|assignment|evaluation|simulation)"
)
_TEST_NAMED = (
    r"(?:(?:online|coding|technical|skills?|aptitude|cognitive|personality|psychometric|situational"
    r"|behaviou?ral|numerical|programming|hackerrank|codility|codesignal|testgorilla|hirevue|pre-employment"
    r"|talent|candidate|hiring|written|video|logic\w*|english|typing|game-based|critical thinking|reasoning"
    r"|work style|predictive index|criteria|wonderlic|shl|pymetrics|karat|coderbyte"
    r"|coderpad)(?: \w+)? (?:assessments?|tests?|challenge|exercise|evaluation|quiz|questionnaire)"
    r"|(?:one-way|on-demand|recorded|pre-recorded|asynchronous|self-paced|hirevue) (?:\w+ )?interview"
    r"|take-home \w+|case study|work sample|homework assignment|hackerrank|codility|codesignal|testgorilla"
    r"|hirevue)"
)

ASSESSMENT = (
    phrase(
        "asked_to_take_a_test",
        "assessment_invite",
        "assessment|challenge|test|exercise|hackerrank|codility|codesignal|hirevue|questionnaire"
        "|case study|work sample|quiz|video interview"
        "|take-home|take home|takehome|recorded|one-way|on-demand|assignment|evaluation|simulation"
        "|pymetrics|interview",
        r"\b(?:please|invit\w+(?: you)?|would like (?:you|to invite you)|ask(?:ed|ing)? (?:that )?you"
        r"|require you|next step|need you|you (?:can|have to|need to|must|should)|time to"
        r"|remind\w*(?: you)?|click|you have been (?:invited|selected|asked|chosen)|you are (?:invited"
        r"|required|asked)"
        rf"|encourage you|request)(?: \w+){{0,14}}? (?:complet|tak|finish|submit|do|start|begin|participat"
        rf"|perform|undertak|solv|record|sit|attempt)\w*(?: \w+){{0,8}}? {_TEST}\b",
        _VETO + r"|\b(?:background|drug|reference|feedback|satisfaction|survey about|rate your"
        r"|self-identification|voluntary|eeo|diversity|screening for|covid|equal opportunity)\b|\blatest\b"
        r"|\btest drive\b",
    ),
    phrase(
        "test_named_as_next",
        "assessment_invite",
        "next step|next stage|next phase|next round|invit|sent you|here is|below is|attached|following"
        "|assessment",
        rf"\b(?:next (?:step|stage|phase|round|part)|invit\w+ (?:you )?to|sent you|send you|sending you"
        rf"|here is|below is|attached|access|find|move forward"
        rf"|moving forward)(?: \w+){{0,12}}? {_TEST_NAMED}\b",
        _VETO + r"|\b(?:gap|risk|security|impact|needs) assessments?\b|\b(?:complet\w+|completion of|took"
        r"|taking) (?:the|your|our)\b",
    ),
    phrase(
        "imperative_test",
        "assessment_invite",
        "assessment|challenge|test|exercise|hackerrank|codility|codesignal|hirevue|interview|assignment",
        rf"^(?:action required )?(?:please )?(?:complete|take|start|begin|finish|submit|access|open"
        rf"|record) (?:the|your|this|our|an?|my)(?: \w+){{0,4}}? {_TEST}\b",
        _VETO + r"|\b(?:self-identification|voluntary|survey|feedback|profile)\b",
    ),
    phrase(
        "test_waits",
        "assessment_invite",
        "assessment|challenge|test |hackerrank|codility|codesignal|hirevue|interview",
        rf"\b{_TEST_NAMED}\b(?: \w+){{0,8}}? (?:invitation|invite|link|expires|will expire|is due|due (?:on"
        rf"|by|in)|must be completed|needs to be completed"
        r"|should be completed|is ready|is waiting|awaits|is available|deadline|reminder|for completion"
        r"|to (?:be )?complete)\b"
        rf"|\b(?:invitation|invite|invited|link|reminder|deadline"
        rf"|action required)(?: \w+){{0,8}}? {_TEST_NAMED}\b",
        _VETO + r"|\b(?:received|thank you for (?:complet|tak)\w*|completed|gap|risk|security|impact)\b",
    ),
)

_ASKS = (
    r"(?:would (?:like|love|be happy|be great|be delighted)|like to|love to|want to|wanted to|hoping to"
    r"|hope to|keen to|happy to|excited to|eager to|pleased to|delighted to|glad to|let us|please|can we"
    r"|could we|can you|could you|would you|are you|able to|need to|shall we|reaching out to|writing to"
    r"|trying to|looking to|looking forward to|i am|we are|ready to|time to|next step is to)"
)
_ARRANGE = (
    r"(?:schedul|set(?:ting)? up|arrang|book|organi[sz]|coordinat|find(?:ing)? (?:a |some )?(?:time|slot)"
    r"|lin(?:e|ing) up|plan|fix|hop on|jump on|have|hold|do|get)\w*"
)

INTERVIEW = (
    phrase(
        "invited_to_talk",
        "interview_invite",
        "invit",
        r"\binvit(?:e|ed|es|ing|ation)(?: \w+){0,3}? (?:you )?(?:to|for)(?: \w+){0,12}? "
        + TALK
        + r"\b|\binvit(?:e|ing) you (?:\w+ )?to (?:meet|speak|talk|interview|chat|visit)\b",
        _VETO
        + r"|\bapply\b|\bhirevue\b|\b(?:one-way|on-demand|recorded)\b|\bjoin our (?:talent|community)\b",
    ),
    phrase(
        "chosen_for_interview",
        "interview_invite",
        "shortlist|selected|chosen|picked",
        r"\byou (?:have been|were|are|are being|have)(?: \w+){0,2}? (?:shortlisted|selected|chosen"
        r"|picked)(?: \w+){0,4}? (?:for|to)(?: \w+){0,5}? (?:interview\w*|next (?:round|stage|step)"
        r"|phone screen|second round|final round)\b",
        _VETO + r"|\bassessment\b|\btest\b|\bas one of\b",
    ),
    phrase(
        "asked_to_attend",
        "interview_invite",
        "attend|come |join us|visit",
        r"\b(?:please|would like you|invite you|ask you|need you|like you)(?: \w+){0,6}? (?:attend|come"
        r"|join us|visit)(?: \w+){0,8}? (?:interview|phone screen|assessment cent(?:re|er)|interview day)\b",
        _VETO,
    ),
    phrase(
        "wants_to_schedule",
        "interview_invite",
        "schedul|set up|setting up|arrang|book|organi|coordinat|find a time|find time|line up|plan|hop on"
        "|jump on|find some time|have a|have you|get on|get you",
        rf"\b{_ASKS}(?: \w+){{0,6}}? {_ARRANGE}(?: \w+){{0,9}}? (?:{TALK}|time (?:to|for|with|that)|times"
        rf"|slot)\b",
        _VETO + r"|\b(?:reschedule your delivery|sales|our product|demo|account manager)\b",
    ),
    phrase(
        "wants_to_talk",
        "interview_invite",
        "speak|talk|chat|meet|connect|discuss|interview|learn more|get to know",
        r"\b(?:would (?:like|love)|like to|love to|want to|wanted to|hoping to|keen to|happy to|excited to"
        r"|eager to|delighted to)(?: \w+){0,3}? (?:interview you|speak (?:with|to) you|talk (?:with|to) you"
        r"|chat with you|meet (?:with )?you|connect with you"
        r"|(?:learn more about|get to know) you(?: \w+){0,12}? (?:call|chat|interview|conversation|meeting)"
        r"|discuss (?:your|the|this) (?:\w+ )?(?:application|experience|background|role|position"
        r"|opportunity))\b",
        _VETO + r"|\b(?:future|on linkedin|on twitter|social media|talent (?:network|community|pool))\b",
    ),
    phrase(
        "asks_for_times",
        "interview_invite",
        "availab|time|slot|free|calendar|when ",
        r"\b(?:please|could you|can you|would you|kindly|share|send|provide|let (?:me|us) know|reply with"
        r"|know|give (?:me|us)|tell (?:me|us)|confirm|indicate|what is|what are|what does|submit"
        r"|enter)(?: \w+){0,8}? (?:availabilit(?:y|ies)|times? (?:that|which)?(?: \w+){0,3}? (?:work|suit)"
        r"|(?:time|date|day)s? (?:and|or) (?:time|date|day)s?|free (?:time|slot)s?|you are (?:free"
        r"|available))\b"
        r"|\byou are available (?:for|to|on|this|next|tomorrow|today|at|between)\b"
        r"|\b(?:would|will) you be (?:free|available|open|around)(?: \w+){0,6}? (?:talk|speak|chat|call"
        r"|meet|interview|conversation|connect)\b"
        r"|\b(?:when|what time|what day|which day)(?: \w+){0,6}? (?:good|best|works?|convenient|suits?|free"
        r"|available)(?: \w+){0,8}? (?:call|chat|talk|speak|interview|meet|conversation)\b"
        r"|\bdo you have (?:any |some )?(?:availability|time|a few minutes)(?: \w+){0,10}? (?:call|chat"
        r"|talk|speak|interview|meet|screen|conversation|connect|week|discuss)\b"
        r"|\bare you (?:free|available)(?: \w+){0,4}? (?:for|to|on|this|next|tomorrow|monday|tuesday"
        r"|wednesday|thursday|friday|at|between)\b",
        _VETO + r"|\b(?:start date|start work|available position|items?|product|delivery|order|stock)\b",
    ),
    phrase(
        "offers_a_booking_page",
        "interview_invite",
        "choose|pick|select|book|grab|schedule|calendly|find a",
        r"\b(?:choose|pick|select|book|grab|find|reserve|schedule)(?: \w+){0,3}? (?:a|your|any|the|one of"
        r"|some|whatever|whichever|an?other)(?: \w+){0,4}? (?:time|slot|date|day|appointment|interview|call"
        r"|meeting)s?\b",
        _VETO + r"|\b(?:delivery|demo|flight|haircut|plan|sales|subscription|test drive|table|room)\b",
    ),
    phrase(
        "moved_to_an_interview",
        "interview_invite",
        "next|interview|round|phone|onsite|on-site|final|stage",
        r"^(?=.*\b(?:you|your|we would like|we want)\b).*?\b(?:mov|advanc|progress|proceed|invit"
        r"|pass(?:ed)?|take you|taking you"
        r"|continu)\w*(?: \w+){0,5}? (?:to|into|on to|with|through to) (?:the |our |a |an "
        r"|your )?(?:\w+ ){0,3}?(?:interview\w*|phone (?:call|screen\w*)|onsite|on-site|final (?:round"
        r"|stage)|next (?:round|stage|step|phase)|second round|first round|third round)\b",
        _VETO + r"|\bassessment\b|\byour application (?:has|was|have)\b|\bwe will (?:\w+ )?(?:mov|advanc"
        r"|progress|proceed)\w*\b|\bwe (?:\w+ )?(?:move|advance|progress)\b",
    ),
    phrase(
        "next_is_an_interview",
        "interview_invite",
        "next step|next stage|next round|next phase",
        rf"\bnext (?:step|stage|round|phase)(?: \w+){{0,6}}? (?:is|would be|will be|involves"
        rf"|are)(?: \w+){{0,10}}? {TALK}\b",
        NEGATED + r"|\b(?:may|might|could|typically|usually|generally)\b|\bcontact(?:ed)?\b|\breach out\b",
    ),
    phrase(
        "interview_subject",
        "interview_invite",
        "interview|phone screen|availability|time to",
        r"^(?:\W*re\W+)?(?:invitation (?:to|for)(?: \w+){0,4}? (?:interview|phone screen|call)"
        r"|(?:[\w&.' -]{0,40}? )?interview (?:invitation|invite|request|availability|scheduling)"
        r"|(?:request for (?:an )?interview)|(?:schedule|scheduling|book"
        r"|let us schedule)(?: \w+){0,4}? (?:interview|call|phone screen|time)"
        r"|(?:[\w&.' -]{0,40}? )?phone screen\b)",
        _VETO + r"|\b(?:one-way|on-demand|recorded|hirevue|outcome|result|decision|update|status|feedback)\b",
    ),
)

SCHEDULED = (
    phrase(
        "interview_is_set",
        "interview_scheduled",
        "interview|call|meeting|conversation|screen|chat",
        rf"\b{TALK}\b(?: \w+){{0,14}}? (?:is|has been|have been|are|was)(?: \w+){{0,2}}? (?:confirmed"
        rf"|scheduled|booked|set (?:for|up)|set|arranged|rescheduled|moved to"
        r"|planned|taking place|tomorrow|coming up)\b"
        rf"|\b(?:confirm(?:ed|ing|s)?|scheduled|booked|rescheduled|confirmation (?:of"
        rf"|for))(?: \w+){{0,5}}? (?:your|our|the|you for)(?: \w+){{0,6}}? {TALK}\b",
        _VETO + r"|\b(?:need|like|want|ask|asked|please|reply|click|order|call)(?: \w+){0,2} to confirm\b"
        r"|\bplease confirm\b|\bsupport\b|\bsales\b|\bprocess\b|\bconference call\b|\bto be (?:scheduled"
        r"|confirmed)\b"
        r"|\bonce\b|\bwe (?:have )?received\b",
    ),
    phrase(
        "interview_announced",
        "interview_scheduled",
        "interview|call|meet|speak|talk|chat",
        r"\b(?:reminder|confirmed|confirmation|scheduled|upcoming|details (?:of"
        r"|for))\b(?: \w+){0,6}? (?:interview|phone screen|video call)\b"
        r"|^(?:[\w&.' -]{0,60}? )?interview (?:confirmed|confirmation|scheduled|reminder|details"
        r"|rescheduled)\b"
        r"|\byou are (?:\w+ )?(?:scheduled|confirmed|booked)(?: \w+){0,4}? (?:for|to (?:interview|speak"
        r"|meet|talk))\b"
        r"|\blook(?:ing)? forward to (?:\w+ )?(?:speaking|meeting|talking|chatting|seeing|our (?:call"
        r"|interview|conversation|chat|meeting))(?: \w+){0,4}? (?:on|tomorrow|monday|tuesday|wednesday"
        r"|thursday|friday|next week|this week|at \d)\b",
        _VETO + r"|\bonce\b|\bbe scheduled\b|\bto schedule\b",
    ),
)

OFFER = (
    phrase(
        "glad_to_offer",
        "offer",
        "offer",
        r"\b(?:pleased|happy|excited|delighted|thrilled|glad|pleasure|proud|like|love|want|wish"
        r"|honou?red)(?: \w+){0,3}? to (?:\w+ )?(?:formally |officially )?"
        rf"(?:(?:offer|extend|present|make)(?: to)? you(?: \w+){{0,12}}? (?:{POSITION}|offer|employment)"
        rf"|offer (?:the|this)(?: \w+){{0,8}}? {POSITION}|(?:extend|present|make) (?:an|a|our|this|the)"
        r"(?: \w+){0,3}? offer)\b",
        NEGATED + r"|\boffer you (?:the|an) (?:opportunity|chance) to (?:interview|apply|speak|meet|complete"
        r"|take)\b|\b\d+ ?%|\bdiscount\b|\bcoupon\b"
        r"|\boffer (?:\w+ )?(?:benefits|training|competitive|courses|webinars?)\b",
    ),
    phrase(
        "offering_you_the_job",
        "offer",
        "offer|extend",
        r"\b(?:offering you|offer you|extend(?:ing)? you|extend(?:ing)? to you"
        r"|make you)(?: \w+){0,10}? (?:position|role|job|employment|internship|placement|offer"
        r"|apprenticeship)\b"
        r"|\b(?:would like|decided|are going|want) to (?:extend|make)(?: you)? an? (?:\w+ )?offer\b",
        NEGATED
        + r"|\b(?:opportunity|chance) to\b|\binterview\b|\bcan offer\b|\bwe offer\b|\bdiscount\b|\b(?:may"
        r"|might|could|if)\b",
    ),
    phrase(
        "offer_letter",
        "offer",
        "offer letter|letter of offer|offer of employment|employment offer|job offer|employment agreement"
        "|employment contract|offer from|offer details|offer package",
        r"\b(?:attached|enclosed|find|review|sign|signature|ready|view|accept|here is|below is"
        r"|congratulations|your|sent you)\b(?: \w+){0,8}? (?:offer letter|letter of offer"
        r"|offer of employment|employment offer|job offer|employment (?:agreement|contract)|offer details"
        r"|offer package)\b"
        r"|\b(?:offer letter|letter of offer|offer of employment"
        r"|employment offer)(?: \w+){0,6}? (?:attached|enclosed|ready|is ready|for (?:your )?(?:signature"
        r"|review))\b"
        r"|^(?:your|job|formal|official|employment)? ?(?:job )?offer (?:from|letter from|with) ",
        NEGATED
        + r"|\b(?:will (?:receive|be sent|send)|process|may|might|once|before|previous|decline|special"
        r"|limited|exclusive|save)\b",
    ),
)

REQUEST = (
    phrase(
        "asks_for_papers",
        "info_request",
        "please|could you|can you|need|require|request|ask you|would you|missing",
        r"\b(?:please|could you|can you|would you|we need|i need|need you to|require you to"
        r"|ask(?:ing)? (?:that )?you|request(?:ing|ed)? (?:that )?(?:you|your|the following)|missing"
        r"|you (?:need|must|will need) to)(?: \w+){0,8}? (?:send|provide|submit|upload|share|fill|complete"
        r"|forward|sign|return|attach|supply|email|update|reply with|confirm"
        r"|answer)\w*(?: \w+){0,9}? (?:documents?|documentation|references?|referees|transcripts?|forms?"
        r"|portfolio|resume|cover letter|work (?:authori[sz]ation|permit|samples?)|right to work|passport"
        r"|id\b|identification|identity|salary|compensation|notice period|background check|i-9|tax"
        r"|bank details|certificates?|questionnaire|questions|information|details|diploma|proof of|visa"
        r"|consent|application)\b",
        r"\b(?:not|never|do not) (?:send|provide|submit|share|reply)\b|\b(?:feedback|survey|privacy"
        r"|for more information|more information about|unsubscribe|contact us|payment|invoice|order"
        r"|shipping|billing|subscription|newsletter|preferences|talent community|job alerts?"
        r"|in order to withdraw|to withdraw|refer (?:a|your)|any questions)\b"
        r"|\byour account\b|\bpassword\b|\bif\b|\bhigh volume\b|\b(?:assessment|test|challenge|hackerrank"
        r"|codility|hirevue)\b|\bapplication (?:tips|status)\b|\bcheck\w* (?:the )?status\b",
    ),
    phrase(
        "papers_needed",
        "info_request",
        "we need|i need|we require|we will need|need a copy|need your",
        r"\b(?:we|i) (?:will |would |also |just )?(?:need|require)(?: \w+){0,4}? (?:a copy of|your"
        r"|the following|some|additional|further|two|three|copies of|proof of"
        r"|references)(?: \w+){0,8}? (?:documents?|documentation|references?|referees|transcripts?|form"
        r"|right to work|passport|identification|permit|certificates?|diploma|details|information)\b",
        r"\b(?:not|if|may|might|could|would you like)\b|\bprivacy\b|\bpayment\b|\bbilling\b",
    ),
    phrase(
        "application_incomplete",
        "info_request",
        "incomplete|not complete|finish|complete your|missing|not been submitted|not submitted|continue your",
        r"\b(?:your|the) (?:\w+ )?application(?: \w+){0,14}? (?:is|remains|was|has been|are"
        r"|still) (?:\w+ )?(?:incomplete|not (?:\w+ )?(?:complete|completed|submitted|finished"
        r"|been (?:submitted|completed))|missing)\b"
        r"|\b(?:finish|complete|continue|resume) (?:your|the) (?:\w+ )?application\b"
        r"|\bapplication (?:incomplete|not complete)\b"
        r"|\bnot (?:\w+ )?(?:completed|finished|submitted) (?:your|the) (?:\w+ )?application\b",
        r"\bthank you for (?:completing|finishing)|\bthanks for completing\b|\bnext time\b",
    ),
    phrase(
        "papers_named",
        "info_request",
        "background check|reference check|self-identification|onboarding|additional information"
        "|more information|documents",
        r"\b(?:invit\w+|begin|start|initiat\w+|complete|required|requested"
        r"|authori[sz]e)(?: \w+){0,8}? (?:background check|background screening|reference check|references"
        r"|drug (?:test|screen)|voluntary self-identification|self-identification form"
        r"|onboarding (?:documents|forms|tasks|paperwork))\b"
        r"|^(?:action required|request|reminder) (?:additional|more|further|missing) (?:information"
        r"|documents)\b"
        r"|^(?:additional|more|further|missing) (?:information|documents?) (?:required|requested|needed)\b",
        r"\b(?:not|if|may|might|subject to|contingent|will be required|typically)\b",
    ),
)
