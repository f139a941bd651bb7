"""Names of other alphabets in Latin letters, close enough to be compared by sound. Pure.

Tables of our own for Cyrillic, Greek and kana: a library for every script there is would weigh more than the
three that occur, and what is compared here only ever asks. Says nothing about Chinese characters or Hangul.
"""

import unicodedata


def _sounds(told: str) -> list[str]:
    return told.split()


_CYRILLIC = dict(zip(
    "абвгдежзийклмнопрстуфхцчшщъыьэюяєіїґ",
    _sounds("a b v g d e zh z i i k l m n o p r s t u f kh ts ch sh shch * y * e yu ya e i i g"),
    strict=True,
))  # fmt: skip
_GREEK = dict(zip(
    "αβγδεζηθικλμνξοπρσςτυφχψω",
    _sounds("a v g d e z i th i k l m n x o p r s s t i f ch ps o"),
    strict=True,
))  # fmt: skip
_KANA_ROWS = {
    "アイウエオ": "a i u e o", "カキクケコ": "ka ki ku ke ko", "ガギグゲゴ": "ga gi gu ge go",
    "サシスセソ": "sa shi su se so", "ザジズゼゾ": "za ji zu ze zo", "タチツテト": "ta chi tsu te to",
    "ダヂヅデド": "da ji zu de do", "ナニヌネノ": "na ni nu ne no", "ハヒフヘホ": "ha hi fu he ho",
    "バビブベボ": "ba bi bu be bo", "パピプペポ": "pa pi pu pe po", "マミムメモ": "ma mi mu me mo",
    "ヤユヨ": "ya yu yo", "ラリルレロ": "ra ri ru re ro", "ワヲンヴ": "wa o n vu",
}  # fmt: skip
_KANA = {
    letter: sound
    for letters, sounds in _KANA_ROWS.items()
    for letter, sound in zip(letters, sounds.split(), strict=True)
}
_SMALL_KANA = {"ァ": "a", "ィ": "i", "ゥ": "u", "ェ": "e", "ォ": "o", "ャ": "ya", "ュ": "yu", "ョ": "yo"}
_LETTERS = _CYRILLIC | _GREEK | _KANA
_HIRAGANA_TO_KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}

#: Spellings of one sound, longest first, so that "Yandex" and "iandeks" meet.
_SOUNDS = (
    ("shch", "sh"), ("sch", "sh"), ("tch", "ch"), ("kh", "h"), ("ph", "f"), ("zh", "j"), ("dj", "j"),
    ("ck", "k"), ("qu", "kv"), ("x", "ks"), ("w", "v"), ("q", "k"), ("y", "i"), ("j", "i"),
)  # fmt: skip


def is_latin(key: str) -> bool:
    """Whether every letter of comparable text is a Latin one."""
    return key.isascii()


def romanised(key: str) -> str | None:
    """Comparable text in Latin letters; None for a script that is not read here, or for nothing left."""
    whole = unicodedata.normalize("NFC", key).translate(_HIRAGANA_TO_KATAKANA)
    spelt = ""
    for letter in whole:
        if letter in _SMALL_KANA:
            # "フォ" is "fo", "シャ" is "sha": the small letter takes the place of the vowel before it.
            spelt = spelt[:-1] + _SMALL_KANA[letter].removeprefix("y" if spelt[-2:-1] == "h" else "")
        elif letter in "ーッ":
            continue
        elif letter.isascii():
            spelt += letter
        elif (sound := _LETTERS.get(letter)) is not None:
            spelt += sound.strip("*")
        else:
            return None
    return spelt or None


def sound(key: str) -> str | None:
    """What two spellings of one foreign name have in common; None when it cannot be read."""
    spelt = romanised(key)
    if spelt is None:
        return None
    for written, heard in _SOUNDS:
        spelt = spelt.replace(written, heard)
    return "".join(letter for place, letter in enumerate(spelt) if letter != spelt[place - 1 : place])
