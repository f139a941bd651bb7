"""Which document a file field asks for, and which of the person's documents that is. Pure."""

from collections.abc import Iterable

from extension_api.answers.words import name_words, word_set, words
from extension_api.protocol import DocumentKind, FieldDescription, KnownDocument

_RESUME = word_set("resume resumee cv lebenslauf curriculum vitae curriculo")
_COVER = word_set("anschreiben motivationsschreiben coverletter motivation presentacion bewerbungsschreiben")
_OTHER = word_set(
    "portfolio transcript transcripts certificate certificates photo picture image headshot additional other "
    "others sample samples references reference supporting video diploma zeugnis zeugnisse visa passport "
    "license id"
)


def wanted_document(field: FieldDescription) -> DocumentKind | None:
    """By the label; by the control's name, then by the group, where the label says nothing of documents."""
    for said in (words(field.label), name_words(field.name), words(field.group), words(field.section)):
        if not _OTHER.isdisjoint(said):
            return None
        resume = not _RESUME.isdisjoint(said)
        cover = not _COVER.isdisjoint(said) or {"cover", "letter"} <= set(said)
        if resume or cover:
            return None if resume and cover else "resume" if resume else "cover_letter"
    return None


def document_for(kind: DocumentKind, documents: Iterable[KnownDocument]) -> KnownDocument | None:
    """The default of its kind, or the only one; among several without a default none is chosen."""
    of_kind = [document for document in documents if document.kind == kind]
    default = next((document for document in of_kind if document.is_default), None)
    return default or (of_kind[0] if len(of_kind) == 1 else None)
