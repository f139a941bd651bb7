/**
 * Dates as plans write them ("2021", "2021-03", "2021-03-09") and as pages ask for them: in parts, or in one box
 * by a pattern. A month is known by its name or by numbers from one; a list that counts from nought is told by
 * its nought. A date is written whole or not at all.
 */

import { plain } from "../words.js";

/** @typedef {"year" | "month" | "day"} Part */
/** @typedef {{ year: number, month: number | null, day: number | null }} PlainDate */

const WRITTEN = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/;
const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pt"];
const PATTERN = /^(?:(?:mm|dd|m|d|tt|jj|gg)[ ./-]{1,3}){0,2}(?:yyyy|jjjj|aaaa|rrrr)$|^(?:yyyy|aaaa)(?:[./-]mm)?(?:[./-](?:dd|jj))?$/;

/**
 * @param {string} want
 * @returns {PlainDate | null}
 */
export function dateOf(want) {
  const found = WRITTEN.exec(want.trim());
  if (!found) return null;
  const [year, month, day] = found.slice(1).map((one) => (one ? Number(one) : null));
  return { year: Number(year), month: month ?? null, day: day ?? null };
}

/**
 * @param {string} want
 * @param {Part[]} parts
 * @returns {Map<Part, number> | null} null when the date is less exact than what is asked
 */
export function partsOf(want, parts) {
  const date = dateOf(want);
  /** @type {Map<Part, number>} */
  const found = new Map();
  for (const part of date ? parts : []) {
    const value = date?.[part];
    if (value) found.set(part, value);
  }
  return date && found.size === parts.length ? found : null;
}

/**
 * @param {Map<Part, number>} parts
 * @returns {string} as plans write it, as exact as the parts are
 */
export function written(parts) {
  const two = (/** @type {Part} */ part) => (parts.has(part) ? `-${String(parts.get(part)).padStart(2, "0")}` : "");
  return `${parts.get("year") ?? ""}${two("month")}${parts.has("month") ? two("day") : ""}`.replace(/^-/, "");
}

/**
 * @param {string} placeholder
 * @returns {string | null} the pattern a box names, with m, d and y only
 */
export function patternOf(placeholder) {
  const pattern = placeholder.trim().toLowerCase();
  if (!PATTERN.test(pattern)) return null;
  return pattern.replace(/jjjj|aaaa|rrrr/, "yyyy").replace(/[tjg]/g, "d");
}

/**
 * @param {string} want
 * @param {string} pattern
 * @returns {string | null} the date in that pattern; null when it is less exact
 */
export function inPattern(want, pattern) {
  const names = /** @type {const} */ ({ y: "year", m: "month", d: "day" });
  const asked = /** @type {("y" | "m" | "d")[]} */ ([...new Set(pattern.replace(/[^ymd]/g, ""))]);
  const parts = partsOf(want, asked.map((letter) => names[letter]));
  if (!parts) return null;
  return pattern.replace(/y+|m+|d+/g, (letters) => {
    const value = parts.get(names[/** @type {"y" | "m" | "d"} */ (letters[0])]);
    return String(value).padStart(letters.length, "0");
  });
}

/**
 * Which part of a date a list offers, and what each of its options stands for.
 * @param {string[]} labels without the placeholder
 * @returns {{ part: Part, values: number[] } | null}
 */
export function partOffered(labels) {
  const numbers = labels.map((label) => (/^\d{1,4}$/.test(label) ? Number(label) : NaN));
  if (numbers.every(Number.isInteger)) return partOfNumbers(numbers);
  const months = labels.map(monthNamed);
  return labels.length === 12 && new Set(months).size === 12 && !months.includes(0) ? { part: "month", values: months } : null;
}

/**
 * @param {number[]} numbers
 * @returns {{ part: Part, values: number[] } | null}
 */
function partOfNumbers(numbers) {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  if (numbers.length >= 5 && least >= 1900 && most <= 2100) return { part: "year", values: numbers };
  if (numbers.length === 12 && most - least === 11 && least <= 1) return { part: "month", values: numbers.map((one) => one + 1 - least) };
  return numbers.length >= 28 && least === 1 && most === numbers.length && most <= 31 ? { part: "day", values: numbers } : null;
}

/** @type {Map<string, number>} */
const MONTHS = new Map();

/**
 * @param {string} label
 * @returns {number} 1 to 12; 0 for what names no month
 */
export function monthNamed(label) {
  if (MONTHS.size === 0) learnMonths();
  return MONTHS.get(plain(label).replace(/^\d{1,2}[ .:-]+/, "")) ?? 0;
}

function learnMonths() {
  for (const language of LANGUAGES) {
    for (const month of /** @type {const} */ (["long", "short"])) {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: "UTC" });
      for (let at = 0; at < 12; at += 1) MONTHS.set(plain(format.format(Date.UTC(2024, at, 15))), at + 1);
    }
  }
}

/**
 * @param {string} words of a label, name or id
 * @returns {Part | null}
 */
export function partNamed(words) {
  if (/month|monat|\bmois\b|\bmes\b|(?:^|[^a-z])mm(?:$|[^a-z])/i.test(words)) return "month";
  if (/year|jahr|ann[ée]e|\ba[ñn]o\b|yyyy/i.test(words)) return "year";
  return /\bday|tag\b|\bjour\b|d[íi]a\b|sectionday|(?:^|[^a-z])dd(?:$|[^a-z])/i.test(words) ? "day" : null;
}
