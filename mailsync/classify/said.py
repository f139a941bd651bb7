"""A message as the rules read it: its sentences, each with what it asserts in each language. Pure."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from mailsync.classify.clauses import Clause, bare, clauses, written_out
from mailsync.classify.languages.choose import languages_of
from mailsync.classify.languages.language import Language, Pattern, Phrase, Signs
from mailsync.classify.senders import Sender, known_sender
from mailsync.classify.sentences import Sentence, sentences
from mailsync.parse.types import ParsedMessage


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One sentence, read in one language."""

    language: Language
    sentence: Sentence
    clauses: tuple[Clause, ...]

    def whole(self) -> str:
        """The sentence in its plain spelling, what it only supposes included."""
        spelling = self.language.spelling
        return " ".join(bare(written_out(self.sentence.lower, spelling), spelling).split())


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """Sentences of subject and body in order, once for each language of the message."""

    message: ParsedMessage
    sender: Sender | None
    languages: tuple[Language, ...]
    sentences: tuple[Sentence, ...]
    said: tuple[Said, ...]
    lower: str

    def shows(self, sign: Callable[[Signs], Pattern]) -> bool:
        """Whether the message shows the sign anywhere, in any of its languages."""
        return any(sign(language.signs).search(self.lower) for language in self.languages)


def read_text(message: ParsedMessage) -> Text:
    found = (*sentences(message.subject, "subject"), *sentences(message.body, "text"))
    chosen = languages_of(f"{message.subject}\n{message.body}")
    return Text(
        message=message,
        sender=known_sender(message.sender),
        languages=chosen,
        sentences=found,
        said=tuple(
            Said(language=language, sentence=sentence, clauses=tuple(clauses(sentence.lower, language)))
            for sentence in found
            for language in chosen
        ),
        lower=" \n".join(sentence.lower for sentence in found),
    )


def matches(
    text: Text, phrases: Callable[[Language], Iterable[Phrase]]
) -> Iterator[tuple[Phrase, Clause, Sentence]]:
    """Every clause with a phrase it says, in the order of the message."""
    silent: set[tuple[str, str]] = set()
    for each in text.said:
        for clause in each.clauses:
            key = (each.language.code, clause.text)
            if key in silent:
                continue
            said = [phrase for phrase in phrases(each.language) if phrase.says(clause.text)]
            if not said:
                silent.add(key)
            for phrase in said:
                yield phrase, clause, each.sentence
