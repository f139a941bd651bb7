import time

import pytest

from mailsync.parse.html_text import render, strip_tags


def test_blocks_stand_on_lines_and_inline_elements_do_not_break_words():
    assert render("<div>Dear <b>A</b>da,</div><div>hello<br>you</div>").text == "Dear Ada,\nhello\nyou\n"


def test_table_cells_are_kept_apart():
    assert render("<table><tr><td>Role</td><td>Baker</td></tr></table>").text.strip() == "Role Baker"


def test_what_is_not_seen_is_not_read():
    text = render(
        "<title>t</title><script>s</script><span style='DISPLAY : NONE'>d</span><p hidden>h</p>"
        "<p style='font-size:0'>z</p><p style='font-size:0.9em'>seen</p>"
    ).text
    assert text.strip() == "seen"


def test_history_is_marked_for_the_one_rule_that_cuts_it():
    text = render("<p>new</p><blockquote type=cite><p>old</p><p>older</p></blockquote>").text
    assert [line for line in text.splitlines() if line.strip("> ")] == ["new", "> old", "> older"]


def test_a_forwarded_original_is_not_history():
    text = render(
        "<div class=gmail_quote>---------- Forwarded message ---------<br>From: x<p>offer</p></div>"
    ).text
    assert "> " not in text


def test_a_link_without_text_gets_one_and_script_links_are_none():
    rendered = render("<a href='https://x.example/'><img src=y></a><a href='javascript:alert(1)'>no</a>")
    assert [(anchor.url, anchor.shown) for anchor in rendered.anchors] == [("https://x.example/", "[link]")]


HOSTILE = {
    "nested blocks": "<div>" * 50_000,
    "formats re-opened in every paragraph": "".join(f"<font color={n}>" for n in range(290))
    + "<p>x" * 60_000,
    "formats without end": "".join(f"<p><font color={n}>" for n in range(20_000)),
    "open tags": "<a " * 100_000,
    "scripts without end": "<script>" * 60_000,
    "comments without end": "<!--" * 100_000,
    "a reference of many digits": "&#" + "9" * 300_000 + ";",
    "attributes": "<a " + " ".join(f"a{n}=1" for n in range(50_000)) + ">x",
    "list items": "<li>" * 100_000,
    "five megabytes": "<p>words</p>" * 420_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_html_is_read_in_bounded_time(name: str):
    started = time.process_time()
    render(HOSTILE[name])
    strip_tags(HOSTILE[name][: 512 * 1024])
    assert time.process_time() - started < 3
