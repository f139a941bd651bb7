"""What nobody can tell, in groups: by sending domain and by what the letters have in common. Pure."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate

from mailsync.classify.sentences import sentences
from mailsync.classify.shapes import shape_of
from mailsync.explaining.types import Group, Open
from schema.ids import MessageId


def groups(messages: Sequence[Open]) -> list[Group]:
    """Largest first; those of one size in the order of their words."""
    found: dict[tuple[str, str], list[MessageId]] = defaultdict(list)
    for each in messages:
        found[domain_of(each.sender), _shape(each)].append(each.message_id)
    ranked = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    upto = accumulate(len(ids) for _, ids in ranked)
    return [
        Group(
            messages=len(ids),
            share=len(ids) / len(messages),
            cumulative=so_far / len(messages),
            domain=domain,
            shape=shape,
            example=max(ids),
        )
        for ((domain, shape), ids), so_far in zip(ranked, upto, strict=True)
    ]


def domain_of(address: str) -> str:
    return address.rpartition("@")[2]


def _shape(message: Open) -> str:
    """Of the subject; of the first sentence where there is none."""
    shape = shape_of(message.subject, message.names)
    if shape:
        return shape
    first = next(iter(sentences(message.beginning, "text")), None)
    return shape_of(first.text, message.names) if first is not None else ""
