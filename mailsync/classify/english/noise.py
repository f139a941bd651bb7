"""How English mail about jobs in general reads: alerts, accounts, courses, surveys. Subjects weigh most.

Only asked when nothing that happened to an application was found, and never for a single weak sign.
"""

import re

from mailsync.classify.types import NoiseReason

SUBJECTS: tuple[tuple[NoiseReason, re.Pattern[str]], ...] = (
    (
        "one_time_code",
        re.compile(
            r"\b(?:(?:security|verification|one[- ]time|login|sign[- ]?in|access|confirmation"
            r"|authentication) (?:code|passcode|pin|password)|otp|your code|2fa)\b"
        ),
    ),
    (
        "account",
        re.compile(
            r"\b(?:(?:verify|confirm|activate|validate) your (?:e-?mail|account|address)"
            r"|reset your password|password (?:reset|changed|was changed|has been)|(?:welcome to"
            r"|thanks for (?:joining|signing up|registering|creating))(?! the (?:team|company))"
            r"|new (?:sign[- ]?in|login|device)|account (?:created|activation|has been created|was created"
            r"|registration)|set up your (?:account|profile)|privacy (?:policy|notice)|terms of (?:service"
            r"|use)|your data|candidate account|profile (?:created|was created))\b"
        ),
    ),
    (
        "job_alert",
        re.compile(
            r"\b\d+\+? (?:new |more |other |great |similar |recommended |open )*(?:\w+ ){0,4}?(?:jobs?"
            r"|roles|positions|vacancies|openings|opportunities)\b"
            r"|\bnew (?:\w+ ){0,4}?(?:jobs|roles|positions|vacancies|openings)\b(?! (?:at your))"
            r"|\b(?:jobs?|roles|openings|opportunities) (?:for you|you (?:may|might|will|would)|matching"
            r"|match|that match|similar to|based on|near you|like|in your area|picked|alert|to apply)\b"
            r"|\bjob (?:alert|matches|recommendations?|match|digest|news)\b|\b(?:recommended|suggested|top"
            r"|hot|latest|trending|similar|featured|matching|more) (?:\w+ )?(?:jobs|roles|openings)\b"
            r"|\b(?:is|are) (?:now )?hiring\b|\bhiring now\b|\bapply (?:now|today|early)\b|\bjobs? (?:at|in"
            r"|from) [\w.& -]{2,40} and \d+ more\b|\bactively (?:recruiting|hiring)\b"
        ),
    ),
    (
        "survey",
        re.compile(
            r"\b(?:survey|your feedback|tell us (?:about|how)|how did we do|how was your|rate your"
            r"|share your (?:feedback|experience|thoughts)|candidate experience"
            r"|quick question about your experience)\b"
        ),
    ),
    (
        "marketing",
        re.compile(
            r"\b(?:newsletter|webinar|workshop|masterclass|\d+ ?% off|discount|free trial|premium|upgrade"
            r"|black friday|sale ends|last chance|ebook|e-book|podcast|tips (?:for|to)|\d+ tips|how to"
            r"|(?:career|job) fair|virtual event|you're invited to (?:our|a|an|the) (?:event|webinar|open)"
            r"|register now|join us (?:for|at)|resume (?:review|tips|builder)|ace your|salary (?:guide"
            r"|report|insights)|who(?:'s| is| has) (?:viewed|viewing|looking at)|appeared in \d+ search"
            r"|people (?:viewed|are looking)|profile views?|connection request|invitation to connect"
            r"|weekly digest|daily digest|this week in)\b"
        ),
    ),
)

TEXTS: tuple[tuple[NoiseReason, re.Pattern[str]], ...] = (
    (
        "one_time_code",
        re.compile(
            r"\b(?:your|the|use|enter)(?: \w+){0,4}? (?:security|verification|one[- ]time|login|access"
            r"|confirmation) (?:code|passcode|pin|password)\b"
            r"|\bcopy and paste this code\b|\benter this code\b"
        ),
    ),
    (
        "job_alert",
        re.compile(
            r"\b(?:job alerts?|jobs? (?:that )?match(?:ing|es)? your|jobs you may be interested"
            r"|recommended (?:jobs|for you)|new jobs (?:posted|for|matching)|based on your (?:profile"
            r"|search|preferences|saved)|jobs similar to|manage (?:your )?(?:job )?alerts?|see all jobs"
            r"|view all jobs|edit this (?:job )?alert|stop receiving (?:these )?(?:job )?alerts?"
            r"|jobs we think)\b"
        ),
    ),
    (
        "account",
        re.compile(
            r"\b(?:click|follow|use)(?: \w+){0,6}? (?:to|and) (?:verify|confirm|activate"
            r"|reset)(?: \w+){0,2}? (?:e-?mail|account|password|address)\b"
            r"|\byour (?:candidate )?account (?:has been|was) (?:\w+ )?created\b"
            r"|\breset your password\b|\bverify your e-?mail\b|\bactivate your account\b"
        ),
    ),
    (
        "survey",
        re.compile(
            r"\b(?:take|complete|fill)(?: \w+){0,4}? (?:survey|questionnaire about your experience)\b"
            r"|\bhow (?:likely are you to recommend|would you rate)\b"
            r"|\byour (?:candidate )?experience with us\b(?: \w+){0,6}? (?:survey|feedback)\b"
        ),
    ),
)
