"""Templates that nothing renders are deleted, not kept up."""

from house.source_files import ROOT

BACKEND = ROOT / "backend"


def test_every_template_is_named_by_a_page_or_by_another_template():
    sources = [*BACKEND.rglob("*.py"), *BACKEND.glob("templates/*.html")]
    named = "\n".join(source.read_text(encoding="utf-8") for source in sources)
    templates = {template.name for template in BACKEND.glob("templates/*.html")}
    assert {name for name in templates if f'"{name}"' not in named} == set()
