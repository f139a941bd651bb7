"""What a planned field says to the person, in one English sentence each. Only words, no decisions."""

from extension_api.answers.meanings import SAID, Meaning
from extension_api.protocol import Reason

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
    "several_options_match": "More than one option fits; choose the one that is right.",
}


def filled(meaning: Meaning) -> str:
    return f"Your {SAID[meaning]}, from your profile."


def attached(file_name: str) -> str:
    return f"Your document {file_name}."


def answered(yes: bool, country: str) -> str:  # noqa: FBT001 -- the answer itself
    return f"{'Yes' if yes else 'No'}, as your profile says for {country}."


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
