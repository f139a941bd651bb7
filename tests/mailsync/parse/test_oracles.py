"""Hard messages read as two other parsers read them; where not, the reason is named here, and only there."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fixtures.mime_oracles import Told, differences, mime4j, ours, stalwart

Oracle = Callable[[Path], Iterator[tuple[str, bytes, Told]]]

STALWART_NAMED = {
    # Both are ours to know better.
    "8-bit fields and parts without a charset are read, the other leaves U+FFFD": (
        "subject: legacy/010 legacy/020 legacy/022 legacy/027 legacy/052",
        "recipients: legacy/010 legacy/017 legacy/020 legacy/022 legacy/027 legacy/052",
        "attachments: legacy/016 legacy/023 legacy/026",
        "text: legacy/033 legacy/052",
    ),
    "text that is still base64 or quoted-printable under no such label is decoded": (
        "text: thirdparty/001 thirdparty/004",
    ),
    "a head that names multipart and text is read as a multipart": ("text: malformed/020 malformed/021",),
    "of two Date fields the one that can be read whole": ("sent at: malformed/019",),
    # Other decisions of ours.
    "pictures are read as their alternative text": ("text: legacy/024 legacy/025 legacy/039 legacy/050",),
    "a file is called without the folders of the sender's machine, and by a disposition without a kind": (
        "attachments: legacy/035 legacy/039 malformed/017 rfc/001",
    ),
    "who it was delivered to is a recipient": ("recipients: thirdparty/011",),
    "text of every kind that stands in line is read, the other lists a last one as a file": (
        (
            "text: malformed/001 malformed/003 malformed/006 malformed/007 malformed/008 rfc/000"
            " rfc/003 thirdparty/008 thirdparty/012"
        ),
        (
            "attachments: malformed/001 malformed/003 malformed/006 malformed/007 malformed/008 rfc/000"
            " rfc/003 thirdparty/008 thirdparty/012"
        ),
    ),
    "an attached message is read where the sender wrote nothing else": (
        "text: malformed/010 malformed/012 thirdparty/007",
    ),
    # Broken in a way that has no right reading.
    "a boundary that never occurs leaves plain text": (
        "text: malformed/002 malformed/004",
        "attachments: malformed/002 malformed/004",
    ),
    "an outer delimiter ends the inner parts, and a longer boundary is no delimiter of a shorter": (
        "text: malformed/005 malformed/009 malformed/011 malformed/016",
        "attachments: malformed/009 malformed/011 malformed/012 malformed/016",
    ),
    "a delimiter begins a line": ("text: thirdparty/005",),
    "what is no base64 under such a label gives what letters it has": (
        "text: thirdparty/002",
        "attachments: thirdparty/002",
    ),
    "attached messages behind the first are listed as well": ("attachments: thirdparty/015",),
}

MIME4J_NAMED = {
    "a line of blanks, a broken line or none at all ends a head, the other goes on to an empty line": (
        (
            "text: hdr-fakeout basic-plain-with-bad-header-separator malformedHeader-noheader"
            " malformedHeaderStartsBody-noheader"
        ),
    ),
    "one broken line between two fields is left out": ("text: malformedHeaderStartsBody-nocrlfcrlf",),
    "blanks between encoded words are no text": ("subject: intl",),
    "pictures are read as their alternative text": ("text: bluedot-postcard",),
    "a file is called without the folders of the sender's machine, and without blanks of a fold": (
        "attachments: multi-2evil multi-nested multi-nested2 twopart",
    ),
    "text with a file name that comes before all other text is the letter": (
        "text: badfile infinite x-gzip64",
        "attachments: badfile infinite multi-badnames x-gzip64",
    ),
    "an attached message is read where the sender wrote nothing else": (
        (
            "text: frag multi-2gifs-base64 multi-digest re-fwd bad-newlines-multiple-parts-base64"
            " base64encoded-rfc822message base64encoded-rfc822message-nested"
        ),
    ),
    "a multipart none of whose parts begins is plain text": (
        "text: badbound missing-boundary missing-inner-boundary missing-inner-start-boundary multipartnopart",
    ),
    "boundaries end in no blanks and have at most 2,000 characters": (
        "text: weird-boundary very-long-boundary very-very-long-boundary",
    ),
    "uuencoded lines that look like quoted-printable": ("text: uu-junk uu-zeegee",),
    "an id without brackets and without an at sign is none": ("message id: twopart",),
}


@pytest.mark.parametrize(
    ("oracle", "named", "least"), [(stalwart, STALWART_NAMED, 214), (mime4j, MIME4J_NAMED, 80)]
)
def test_each_difference_to_another_parser_has_a_named_reason(
    shared_data: Path, oracle: Oracle, named: dict[str, tuple[str, ...]], least: int
):
    told = list(oracle(shared_data / "mime"))
    assert len(told) >= least
    found = {
        f"{field}: {name.removesuffix('.crlf')}"
        for name, raw, expected in told
        for field in differences(expected, ours(raw))
    }
    assert sorted(found) == sorted(_spelt_out(named))


def _spelt_out(named: dict[str, tuple[str, ...]]) -> Iterator[str]:
    for groups in named.values():
        for group in groups:
            field, _, names = group.partition(": ")
            yield from (f"{field}: {name}" for name in names.split())
