/**
 * Puts page text into comparable form and picks an option by it. Options are matched whole, never by how they
 * begin: "No" must not become "No longer authorised", nor "United States" its Minor Outlying Islands.
 */

const DIAL_CODE = / ?\(?\+\d[\d -]*\)?$/;

/**
 * @param {string} text
 * @returns {string} lower case, without accents, punctuation at the ends, or more than single spaces
 */
export function plain(text) {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[’‘`]/g, "'")
    .replace(/\s+/g, " ")
    .toLowerCase()
    .replace(/^[\s.,:;*!-]+|[\s.,:;*!-]+$/g, "");
}

/**
 * @param {string} text
 * @returns {string} one line, trimmed
 */
export function oneLine(text) {
  return text.replace(/\s+/g, " ").trim();
}

/**
 * Which option is meant: the same words; the same without a dial code; for a place, the only one that names
 * every part of it and starts alike.
 * @param {string[]} options
 * @param {string} want
 * @returns {number | "option_absent" | "option_ambiguous"}
 */
export function pickOption(options, want) {
  const exact = options.findIndex((option) => oneLine(option) === oneLine(want));
  if (exact >= 0) return exact;
  for (const same of [sameWords, sameWithoutDialCode, samePlace]) {
    const found = options.flatMap((option, at) => (same(option, want) ? [at] : []));
    if (found.length === 1 && found[0] !== undefined) return found[0];
    if (found.length > 1) return "option_ambiguous";
  }
  return "option_absent";
}

/**
 * @param {string} shown
 * @param {string} want
 * @returns {boolean} one option alone reads as what was wanted
 */
export function reads(shown, want) {
  return pickOption([shown], want) === 0;
}

/**
 * @param {string} option
 * @param {string} want
 */
function sameWords(option, want) {
  return plain(option) === plain(want) && plain(want) !== "";
}

/**
 * @param {string} option
 * @param {string} want
 */
function sameWithoutDialCode(option, want) {
  if (!DIAL_CODE.test(option) && !DIAL_CODE.test(want)) return false;
  return sameWords(option.replace(DIAL_CODE, ""), want.replace(DIAL_CODE, ""));
}

/**
 * @param {string} option
 * @param {string} want
 */
function samePlace(option, want) {
  const [offered, wanted] = [parts(option), parts(want)];
  if (wanted.length < 2 || offered[0] !== wanted[0]) return false;
  return wanted.every((part) => offered.includes(part));
}

/** @param {string} place */
function parts(place) {
  return place.split(",").map(plain).filter(Boolean);
}
