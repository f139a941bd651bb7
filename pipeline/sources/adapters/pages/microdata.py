"""Microdata as career sites write it: items without their mark, properties that hold properties. Pure."""

from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pipeline.sources.adapters.pages.things import MAX_DEPTH, Thing, Value, bare
from pipeline.sources.adapters.pages.tree import told

#: More of anything is no posting; a page made to be walked over and over stops here.
_MAX_PROPERTIES = 200
_MAX_ITEMS = 10
_MAX_NODES = 30_000
#: What only the page of a posting marks; enough of them, and the page itself is the item.
_OF_A_POSTING = frozenset({"title", "description"})
_AND_ONE_OF = frozenset({"datePosted", "hiringOrganization", "jobLocation", "validThrough"})
_ADDRESSED = {"a": "href", "link": "href", "area": "href", "img": "src"}
_STATED = {"time": "datetime", "data": "value", "meter": "value", "meta": "content"}
_MARKUP = frozenset({"description", "responsibilities", "qualifications", "skills"})
_WITH_PARTS = frozenset({
    "jobLocation", "address", "baseSalary", "estimatedSalary", "value", "hiringOrganization", "identifier",
    "applicantLocationRequirements",
})  # fmt: skip
_WHOLE = _MARKUP | _WITH_PARTS


def postings_of(tree: LexborHTMLParser) -> list[Thing]:
    marked = [node for node in tree.css("[itemtype]") if _is_posting(node)]
    found = [_thing(node, MAX_DEPTH) for node in marked[:_MAX_ITEMS]]
    if not found and tree.root is not None:
        found = _unmarked(tree.root)
    return [thing for thing in found if thing.values]


def _is_posting(node: LexborNode) -> bool:
    types = (node.attributes.get("itemtype") or "").split()
    return any(bare(each) == "JobPosting" for each in types)


def _unmarked(root: LexborNode) -> list[Thing]:
    names = {node.attributes.get("itemprop") for node in root.css("[itemprop]")[:_MAX_PROPERTIES]}
    if names >= _OF_A_POSTING and names & _AND_ONE_OF:
        return [_thing(root, MAX_DEPTH)]
    return []


def _thing(item: LexborNode, depth: int) -> Thing:
    values: dict[str, tuple[Value, ...]] = {}
    for node, names in _properties(item):
        value = _value(node, names, depth - 1)
        if value is not None:
            for name in names:
                values[name] = (*values.get(name, ()), value)
    types = (item.attributes.get("itemtype") or "").split()
    return Thing(types=frozenset(bare(each) for each in types), values=values)


def _properties(item: LexborNode) -> Iterator[tuple[LexborNode, list[str]]]:
    """Marked elements of the item itself, in the order of the page; not those of an item inside it."""
    waiting = list(reversed(list(islice(item.iter(), _MAX_NODES))))
    given = walked = 0
    while waiting and given < _MAX_PROPERTIES and walked < _MAX_NODES:
        node = waiting.pop()
        walked += 1
        names = [bare(name) for name in (node.attributes.get("itemprop") or "").split()]
        if names:
            given += 1
            yield node, names
        if "itemscope" not in node.attributes and not _WHOLE.intersection(names):
            waiting.extend(reversed(list(islice(node.iter(), _MAX_NODES))))


def _value(node: LexborNode, names: list[str], depth: int) -> Value | None:
    if _MARKUP.intersection(names):
        return (node.attributes.get("content") or node.inner_html or "").strip() or None
    # Some name the parts of a place inside an element that is itself no item.
    if depth > 0 and ("itemscope" in node.attributes or _WITH_PARTS.intersection(names)):
        inner = _thing(node, depth)
        if inner.values:
            return inner
    return _stated(node) or told(node) or None


def _stated(node: LexborNode) -> str:
    tag = node.tag or ""
    named = _STATED.get(tag) or _ADDRESSED.get(tag) or "content"
    return (node.attributes.get(named) or node.attributes.get("content") or "").strip()
