"""Ids of items and of lines of the history: read back as written, and nothing else is one."""

import pytest

from matcher.resolutions.names import (
    act_entry,
    act_of,
    ask_item,
    decision_entry,
    decision_of,
    message_item,
    pair_item,
    subject_of,
)
from schema.errors import Missing
from schema.ids import ActId, ApplicationId, AskId, DecisionId, MessageId


def test_an_id_is_read_back_as_written():
    assert subject_of(message_item(MessageId(12))).first == 12
    assert subject_of(ask_item(AskId(4))).kind == "ask"
    pair = subject_of(pair_item(ApplicationId(9), ApplicationId(3)))
    assert (pair.kind, pair.first, pair.second) == ("pair", 3, 9)
    assert subject_of("application:7").kind == "application"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "message",
        "message:0",
        "message:-1",
        "message:1 ",
        "message:1\n",
        "message:٣",
        "message:99999999999999999999",
        "message:9999999999999999999",
        "pair:5-3",
        "pair:3-3",
        "pair:3",
        "note:3",
        "MESSAGE:3",
    ],
)
def test_nothing_else_is_an_item(text: str):
    with pytest.raises(Missing):
        subject_of(text)


def test_a_line_of_the_history_is_a_decision_or_an_act():
    assert act_of(act_entry(ActId(7))) == 7
    assert act_of(decision_entry(DecisionId(7))) is None
    assert decision_of(decision_entry(DecisionId(7))) == 7
    for text in ("", "act:0", "message:3", "act:99999999999999999999"):
        with pytest.raises(Missing):
            act_of(text)
