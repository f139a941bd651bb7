"""Requisition numbers in prose, subjects and titles, with where they stand.

A requisition groups postings and links mail; it never makes two postings one. Pure.
"""

import re

import msgspec

_MAX_CHARS = 200_000
# "R-4711", "2025/79-K", "VN 60/2189": letters in front may stand apart.
_VALUE = r"(?:[A-Z]{1,4}[ ](?=[0-9]))?[A-Za-z0-9](?:[A-Za-z0-9]|[-_./](?=[A-Za-z0-9])){2,29}(?![A-Za-z0-9])"
_SUBJECT = r"(?:job|position|vacancy|posting|opening|role|application)"
_NUMBER = r"(?:id|number|num|no|nr|code|ref|reference|requisition|req)"
_LABELLED = re.compile(
    rf"(?<![A-Za-z])(?:{_SUBJECT}[ -]?{_NUMBER}|(?:requisition|req|reference|ref)(?:[ -]?{_NUMBER})?"
    rf"|kennziffer|kennnummer|stellen-?id|referenz(?:nummer)?|r[eé]f[eé]rence|referencia)"
    rf"(?=[ \t.:#=(])\.?[ \t]*(?:is\b|[:=])?[ \t]*[#(]?:?[ \t]*({_VALUE})",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?<![A-Za-z0-9/_-])((?:JREQ|JR|RQ|REQ|Req|req|R|JOB|PR)[-_]?[0-9]{3,10}(?:-[0-9]{1,6})?"
    r"|[A-Z]{2,6}-(?:19|20)[0-9]{2}-[0-9]{2,6}|(?:19|20)[0-9]{2}/[0-9]{2,6}-[A-Z]{1,3}"
    r"|[A-Z]{2,4}[ ](?!(?:0[1-9]|1[0-2])/20[0-9]{2}\b)[0-9]{2,4}/[0-9]{3,6})(?![A-Za-z0-9/])"
)
_ALONE = re.compile(
    r"^[ \t]*(?:no|nr|n[°ºo]|n[uú]m)(?:[.:]|[ ]?:)*[ \t]*#?([0-9]{5,8}[A-Z]{0,2})[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_DIGIT = re.compile(r"[0-9]")
_DATE = re.compile(r"[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
# "JR2019510-1" is the requisition JR2019510 put out once more; "REQ-2024-12" is a number in its own right.
_COPY = re.compile(r"(.*(?:[0-9]{5}|(?<![0-9])(?!19|20)[0-9]{4}))-[0-9]{1,2}")


class Requisition(msgspec.Struct, frozen=True, kw_only=True):
    """`key` is for comparing: letters and digits only, in capitals, without the mark of a second copy.

    `labelled` says that words such as "Job ID:" stand in front; `start` and `end` span the number alone.
    """

    text: str
    key: str
    start: int
    end: int
    labelled: bool


def requisitions_in(text: str) -> list[Requisition]:
    """Every requisition number in the order of the text; a number found both ways counts as labelled."""
    found: dict[int, Requisition] = {}
    if _DIGIT.search(text) is None:
        return []
    for pattern, labelled in ((_LABELLED, True), (_ALONE, True), (_BARE, False)):
        for match in pattern.finditer(text, 0, _MAX_CHARS):
            if match.start(1) not in found and _is_number(match[1], labelled=labelled):
                found[match.start(1)] = Requisition(
                    text=match[1],
                    key=requisition_key(match[1]),
                    start=match.start(1),
                    end=match.end(1),
                    labelled=labelled,
                )
    return [found[start] for start in sorted(found)]


def requisition_key(text: str) -> str:
    return "".join(letter for letter in without_copy(text).upper() if letter.isalnum())


def without_copy(number: str) -> str:
    """The requisition behind a posting that Workday numbers "-1", "-2" when it is put out again."""
    copy = _COPY.fullmatch(number)
    return number if copy is None else copy[1]


def _is_number(text: str, *, labelled: bool) -> bool:
    digits = sum(letter.isdigit() for letter in text)
    if digits == 0 or _DATE.fullmatch(text) or text == "24/7":
        return False
    # "R2024" and "req 2025" speak of a year; a label makes any number one.
    return labelled or _YEAR.fullmatch(text.lstrip("JREQOBPjreq-_")) is None
