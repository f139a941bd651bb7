"""A sentence cut into clauses, those dropped that only suppose something ("if you are selected, ...").

A clause about applicants in general ("those we select will be invited") stays but is marked: it can refuse
nobody in particular and promise nothing to the reader.
"""

import re

import msgspec

from mailsync.classify.sentences import bare, written_out

_SPLIT = re.compile(
    r"\s*;\s*|\s+-\s+|:\s+|,?\s+(?:but|however|although|though|whereas)\s+|,?\s+(?:and|so)\s+(?=(?:if"
    r"|should|once|when|in case)\b)|,?\s+and\s+(?=(?:we|i|our|you|your|they|please|will|would|wish|hope"
    r"|encourage|appreciate|thank|have)\b)"
)


def _courtesy(pattern: str, rest: str = "") -> tuple[re.Pattern[str], str]:
    return re.compile(pattern), rest


# Conditions that are courtesy: the rest of the sentence is meant. Each is replaced by what is left to say.
_COURTESY = (
    _courtesy(
        r"\b(?:let (?:me|us) know|see|wondering|wondered|ask|asking|check|know) (?:if"
        r"|whether(?: or not)?)\b",
        "know",
    ),
    _courtesy(
        r"\b(?:would be |be )?(?:delighted|happy|grateful|pleased|great|wonderful|appreciate it"
        r"|glad) if you (?:could|can|would)\b",
        "please",
    ),
    _courtesy(
        r"\bif (?:you are |you have )?(?:still |currently )?(?:interested|available|happy|keen|ready|open"
        r"|able|comfortable)\b[^,]{0,80},"
    ),
    _courtesy(r"\bif you are (?:still |currently )?(?:interested|available|keen|open|happy)\b[^,.]{0,60}"),
    _courtesy(
        r"\bif (?:this|that|it|any|one|either|none|these|those|the)\b[^,]{0,40}"
        r"\b(?:works?|suits?|sounds?|convenient|fits?)\b[^,.]{0,40}"
    ),
    _courtesy(
        r"\bif you (?:have|need|require|encounter|experience|run into|face) (?:any|a|further|additional"
        r"|more|some|questions|concerns|issues|help|assistance|trouble|accommodations?"
        r"|to reschedule)\b[^.;]{0,120}"
    ),
    _courtesy(
        r"\bif you (?:would|wish|want|would like|'d like|choose|decide) (?:like )?to (?:continue|proceed"
        r"|move forward|be considered|take part|participate|accept|schedule|book|start)\b[^,]{0,80},"
    ),
    _courtesy(r"\bif (?:you have|you've) (?:not|n't) (?:already|yet)?\b[^,]{0,60},"),
    _courtesy(
        r"\b(?:if (?:not|so|any|applicable|possible|needed|necessary|required|relevant)|even if|as if)\b"
    ),
    _courtesy(r"\bin case (?:you have|of) (?:any )?(?:questions|concerns)\b[^.;]{0,80}"),
)

_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|in case|in the event|assuming|provided that|as long as|so long as|were (?:you"
    r"|we) to)\b"
    r"|\bshould (?:your\b|there be|you (?:be|have|meet|wish|need|not)\b)"
    r"|(?:^|,\s*)should (?:you|your|we|there|the|a|an|any|another|this|that|it|our)\b"
    r"|\b(?:once|when|as soon as) (?:we|you|your|the|our|a|an|it)\b[^,]{0,120}"
    r"\b(?:select|review|complet|decid|shortlist|match|consider|process|made|open|arise|become|evaluat)\w*"
)
_GROUP = re.compile(
    r"\b(?:only )?(?:those|candidates?|applicants?|individuals|anyone|people|persons)(?: (?:who|whose|that"
    r"|which|selected|being|we|with|chosen|shortlisted|invited|deemed|under|meeting|moving|will|may|are"
    r"|must|should))"
    r"|\b(?:successful|unsuccessful|shortlisted|selected|qualified|suitable|chosen|eligible|all|most|many"
    r"|every|each) (?:candidate|applicant|individual|application)s?\b"
    r"|\bas a (?:successful )?candidate\b"
)

# The rest of what is harmless, up to where the sentence may turn to something else.
_REST = r"(?:(?! (?:and|but|so|regret\w*|decided|therefore)\b)[^.;,])"
# Said in receipts as well as in refusals, about anything but the decision.
_HARMLESS = re.compile(
    r"(?:(?:unfortunately|regrettably|regretfully|sadly|however|while|although),? )?(?:we regret that )?"
    r"(?:(?:due to|because of|given|owing to|based on) [^.;]{0,90}?,? )?(?:(?:we|i|they) )?"
    r"(?:can|will|may|do|might) not (?:always |be able to )?(?:personally |individually )?"
    r"(?:(?:respond|reply|contact|inform you (?:about|of) the status|write back|get back|answer|speak|call"
    rf"|accept phone|acknowledge|return|update|notify)(?:ing)?\b{_REST}{{0,120}}"
    rf"|(?:provide|give|offer|share|discuss|sponsor|support)(?:ing)?\b{_REST}{{0,60}}?"
    r"(?:feedback|sponsor\w*|visas?|relocat\w*|reimburse\w*|details?|information|reasons?|remote|travel"
    rf"|explanations?|comments?|by (?:tele)?phone)\b{_REST}{{0,60}})"
    r"|(?:please )?(?:do not|not to|never) (?:hesitate|reply|respond|forget|worry|be discouraged|delay)\b"
    rf"{_REST}{{0,80}}"
    r"|(?:no later than|not only|not yet|no action (?:is )?(?:needed|required)|can not wait|why not"
    rf"|no obligation)|(?:can|do) not sponsor\b{_REST}{{0,80}}"
    r"|not (?:a reflection|reflect\w*) (?:of|on|upon)?\b"
)


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """`text` bare and ready for patterns; `full` with its fillers, for signs of bad news.

    `about_others` when it speaks of applicants in general.
    """

    text: str
    full: str
    about_others: bool


def clauses(lower: str) -> list[Clause]:
    """What the sentence asserts, clause by clause."""
    text = written_out(lower)
    for pattern, rest in _COURTESY:
        text = pattern.sub(rest, text)
    return [
        Clause(text=said, full=full, about_others=_GROUP.search(said) is not None)
        for clause in _SPLIT.split(text)
        if clause and not _SUPPOSED.search(clause)
        if (said := bare(full := _HARMLESS.sub(" ", clause)))
    ]
