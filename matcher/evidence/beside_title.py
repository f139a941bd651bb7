"""What only proposes who writes, and is enough where the message names the very title applied to there. Pure.

That another employer is called alike and looks for the same at the same time would be chance.
"""

import re

import msgspec

from mailsync.classify.own_domains import own_label
from mailsync.parse.types import Address
from matcher.decisions.types import Piece
from matcher.evidence.employer import employer_piece, is_posted_on
from matcher.evidence.keys import company_key
from matcher.evidence.kinship import kinship
from matcher.evidence.role import RoleFit
from matcher.evidence.types import Candidate
from matcher.evidence.weights import Strength
from matcher.evidence.words import ordinary_words
from matcher.evidence.writer import OwnDomain, Writer
from schema.identity.names import company_words

_RARE_CHARS = 6
_RARE_INITIALS = 3
_HOST = re.compile(r"https?://([^/:?#]+)")


def employer_beside_title(
    writer: Writer, candidate: Candidate, fit: RoleFit | None, strength: Strength
) -> Piece | None:
    """A domain that spells the whole name, initials, and a name in other letters count beside the title."""
    piece = employer_piece(writer, candidate, strength)
    if fit is None or fit.fit != "same" or not fit.piece.sure:
        return piece
    if piece is None:
        return _begun(writer, candidate, strength)
    if piece.sure or piece.direction != "for":
        return piece
    is_own = _spells(piece, writer, candidate) or _is_akin(piece, writer)
    return msgspec.structs.replace(piece, sure=True) if is_own else piece


def _spells(piece: Piece, writer: Writer, candidate: Candidate) -> bool:
    """The posting did not stand on another domain of that name."""
    domain, key = writer.domain, candidate.company_key or ""
    if domain is None or piece.value != domain.key:
        return False
    if domain.key != key and kinship(domain.key, candidate.company or "") != "spelling":
        return False
    return len(key) >= _RARE_CHARS and not _is_posted_elsewhere(candidate, domain)


def _begun(writer: Writer, candidate: Candidate, strength: Strength) -> Piece | None:
    """ "thornby.example" of Thornby Health Trust, where nothing else is named."""
    domain = writer.domain
    words = company_words(candidate.company or "")
    beginnings = {"".join(words[:end]) for end in range(1, len(words))}
    if domain is None or writer.named or domain.key not in beginnings:
        return None
    if (
        len(domain.key) < _RARE_CHARS
        or domain.key in ordinary_words()
        or _is_posted_elsewhere(candidate, domain)
    ):
        return None
    says = f"It was sent from {domain.name}, as the name of {candidate.company} begins."
    return Piece(
        name="employer",
        direction="for",
        strength=strength.employer_spelling,
        says=says,
        value=domain.key,
        span=domain.span,
        sure=True,
    )


def _is_akin(piece: Piece, writer: Writer) -> bool:
    """What a model read stays a proposal."""
    told = company_key(piece.value) or ""
    is_read = any(fact.sure and company_key(fact.value) == told for fact in writer.named)
    return is_read and len(told) >= _RARE_INITIALS


def _is_posted_elsewhere(candidate: Candidate, domain: OwnDomain) -> bool:
    host = _HOST.match(candidate.canonical_url or "") if candidate.platform is None else None
    own = own_label(Address(address=f"@{host[1]}"), None) if host is not None else None
    return own is not None and own.replace("-", "") == domain.key and not is_posted_on(candidate, domain)
