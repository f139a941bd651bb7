"""What nobody can tell stands in groups, the largest first, with true shares."""

from mailsync.explaining.rules import groups
from mailsync.explaining.types import Open
from schema.ids import MessageId


def unclear(
    number: int, subject: str, *, sender: str = "a@north.example", text: str = "", name: str = ""
) -> Open:
    names = [name] if name else []
    return Open(message_id=MessageId(number), sender=sender, subject=subject, beginning=text, names=names)


def test_groups_are_ranked_by_messages_and_their_shares_add_up():
    found = groups(
        [
            unclear(1, "News about request 17"),
            unclear(2, "News about request 4711"),
            unclear(3, "News about request 4", sender="b@other.example"),
            unclear(4, "Hello"),
        ]
    )
    assert [(each.messages, each.domain, each.shape) for each in found] == [
        (2, "north.example", "news about request [number]"),
        (1, "north.example", "hello"),
        (1, "other.example", "news about request [number]"),
    ]
    assert [each.cumulative for each in found] == [0.5, 0.75, 1.0]
    assert found[0].share == 0.5
    assert found[0].example == 2


def test_a_letter_without_a_subject_is_grouped_by_its_first_sentence():
    one = unclear(1, "", text="We saw your work, Ada. More soon.", name="Ada")
    other = unclear(2, "", text="We saw your work, Ben. Call us.", name="Ben")
    assert [each.shape for each in groups([one, other])] == ["we saw your work, [name]"]


def test_nothing_unknown_is_no_group():
    assert groups([]) == []
