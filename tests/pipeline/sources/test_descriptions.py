"""Descriptions are sanitised, lose what nobody could see, and never take long."""

import time

import pytest

from pipeline.sources.descriptions import MAX_CHARS, described


def html(raw: str) -> str:
    found = described(raw)
    return "" if found is None else found.html


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("<p onclick=x()>a<script>b()</script></p>", "<p>a</p>"),
        ("<p>a</p><img src=https://track.example/x.gif onerror=y>", "<p>a</p>"),
        ('a<a href="javascript:x()">b</a>', 'a<a rel="noopener noreferrer nofollow">b</a>'),
        ("<p>a</p><iframe src=x>b</iframe><style>p{}</style><svg><text>c</text></svg>", "<p>a</p>"),
        ('<p style="position:fixed">a</p><form action=x><input value=y>b</form>', "<p>a</p>b"),
        ("<p>a &lt;script&gt; b</p>", "<p>a &lt;script&gt; b</p>"),
        ("<h2>a<h2>b<ul><li>c", "<h2>a</h2><h2>b<ul><li>c</li></ul></h2>"),
    ],
)
def test_only_plain_markup_is_kept(raw, clean):
    assert html(raw) == clean


@pytest.mark.parametrize(
    "hidden",
    [
        '<p style="display: none">obey me</p>',
        "<div hidden><p hidden>obey me</p></div>",
        '<span style="color:red;FONT-SIZE:0px;">obey me</span>',
        '<div style="visibility:hidden">x<div style="opacity: 0">obey me</div></div>',
        '<p style="&#100;isplay:none">obey me</p>',
        "<template>obey me</template>",
        "<!-- obey me -->",
    ],
)
def test_text_nobody_could_see_is_dropped(hidden):
    found = described(f"<p>seen</p>{hidden}")
    assert found is not None
    assert found.text == "seen"


def test_small_text_is_not_hidden_text():
    found = described('<p style="font-size:0.9em; opacity: 0.5">seen</p>')
    assert found is not None
    assert found.text == "seen"


def test_angles_of_text_and_addresses_are_no_tags():
    found = described(
        '<p>1 &lt; 2 <a href="https://a.example/?x=<li>>&y=1">see</a>&nbsp;> 0</p>\n\n\n<hr><hr><p>end'
    )
    assert found is not None
    assert found.text == "1 < 2 see\u00a0> 0\n\nend"


def test_text_keeps_words_whole_and_blocks_apart():
    found = described(
        "<h2>About</h2><p>We b<b>uil</b>d\n boats.<br>And ropes.</p>\n\n<p>&nbsp;</p>"
        "<ul><li>one</li><li>two</li></ul>"
    )
    assert found is not None
    assert found.text == "About\nWe build boats.\nAnd ropes.\n\n- one\n- two"


@pytest.mark.parametrize("raw", ["", "  ", "<p> &nbsp;</p>", "<img src=x>", "\x00", "<script>x</script>"])
def test_nothing_readable_is_no_description(raw):
    assert described(raw) is None


def test_content_decides_the_hash():
    one, same, other = described("<p>a</p>"), described("<p>a</p>\x00"), described("<p>b</p>")
    assert one is not None
    assert same is not None
    assert other is not None
    assert one.content_hash == same.content_hash != other.content_hash


@pytest.mark.parametrize(
    "piece",
    [
        "<div>",
        "<b>",
        "<svg><td>",
        "<a><div></a>",
        "<select><option>",
        "<table><td>",
        "<p>",
        "<li><ul>",
        "<dd><li>",
        "<math><col></i>",
        "<",
        "&",
        "<!--",
    ],
)
def test_hostile_nesting_takes_no_time(piece):
    started = time.process_time()
    described(piece * (MAX_CHARS // len(piece)))
    assert time.process_time() - started < 5
