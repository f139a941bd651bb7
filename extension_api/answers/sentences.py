"""What a planned field says to the person, in one English sentence each. Only words, no decisions."""

from extension_api.answers.meanings import SAID, Meaning
from extension_api.protocol import Action, Reason

_LEFT: dict[Reason, str] = {
    "has_value": "There is something here already; it stays.",
    "not_understood": "It is not certain what this asks, so it is left to you.",
    "consent": "Consents and terms are yours to read and to accept.",
    "signature": "Signing is yours alone.",
    "secret": "Passwords, codes and tests for robots are never filled.",
    "government_id": "Numbers of official documents are never filled.",
    "birth_date": "Age and date of birth are never filled.",
    "payment": "Bank and card details are never filled.",
    "equal_opportunity": "This is filled only from an explicit choice in your profile.",
    "legal_question": "It is not certain what this legal question asks or what you would say to it.",
    "own_words": "This asks for your own words.",
    "about_someone_else": "This is about somebody else.",
    "polarity_unsure": "You answered a question much like this one, but it may ask the opposite.",
    "several_answers_match": "You answered this differently before; choose what is right.",
    "draft_not_ready": "There is no finished draft for this yet.",
    "several_options_match": "More than one option fits; choose the one that is right.",
}


def filled(meaning: Meaning) -> str:
    return f"Your {SAID[meaning]}, from your profile."


def attached(file_name: str) -> str:
    return f"Your document {file_name}."


def answered(yes: bool, country: str) -> str:  # noqa: FBT001 -- the answer itself
    return f"{'Yes' if yes else 'No'}, as your profile says for {country}."


def remembered(action: Action, *, is_employers: bool, is_same: bool) -> str:
    whose = "you remembered for this employer" if is_employers else "you remembered"
    if action == "fill":
        return f"The answer {whose}."
    if is_same:
        return f"The answer {whose}; look whether it holds here."
    return f"An answer {whose} to a question much like this one."


def drafted(*, is_own: bool) -> str:
    return "Your text for this posting." if is_own else "A draft nobody has read yet; read it first."


def left(reason: Reason, meaning: Meaning | None) -> str:
    said = SAID[meaning] if meaning else "answer"
    match reason:
        case "not_in_profile":
            return f"Your profile does not say your {said}."
        case "no_option_matches":
            return f"None of the options offered is your {said}."
        case "too_long":
            return f"Your {said} is longer than this field takes."
        case _:
            return _LEFT[reason]
