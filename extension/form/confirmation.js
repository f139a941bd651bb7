/**
 * Recognises that a page confirms an application: by the platform's own mark, by its address, or by the plain
 * sentence. A sentence that stood on the page before the submit confirms nothing.
 */

import { KNOWN } from "./knowledge/index.js";
import { find } from "./native.js";
import { oneLine } from "./words.js";

const MARKS = KNOWN.flatMap((one) => one.confirmations ?? []).join(", ");
const KNOWN_ADDRESSES = KNOWN.flatMap((one) => one.addresses ?? []).map((one) => new RegExp(one, "i"));
const ADDRESS = /\/(?:thanks|thank[-_]you|confirmation|application[-_]submitted|submitted|danke|bestaetigung)(?:[/?#]|$)/i;
const SENTENCES = [
  /thank(?:s| you) for (?:applying|your application|submitting your application|your interest in)/i,
  /(?:your|the) application (?:has been|was|is) (?:successfully )?(?:submitted|received|sent|complete)/i,
  /application (?:successfully )?(?:submitted|received|sent)/i,
  /(?:we(?:'ve| have)|successfully) (?:received|submitted) your application/i,
  /(?:vielen )?dank für (?:deine|ihre) bewerbung/i,
  ...KNOWN.flatMap((one) => one.sentences ?? []).map((one) => new RegExp(one, "i")),
  /bewerbung (?:ist |wurde )?(?:erfolgreich )?(?:bei uns )?(?:eingegangen|gesendet|abgeschickt|übermittelt|versandt)/i,
];
const LONGEST_TEXT = 60_000;

/** What stood on a page before a submit. */
export class Before {
  /** @param {Document} page */
  constructor(page) {
    this.address = page.location.href;
    this.said = saidBy(page);
    this.marked = MARKS !== "" && find(page, MARKS) !== null;
  }
}

/**
 * @param {Document} page
 * @param {Before | null} before null on a page the submit led to
 * @returns {string | null} the mark, sentence or address that confirms
 */
export function confirmationOn(page, before) {
  const mark = MARKS !== "" && !before?.marked ? find(page, MARKS) : null;
  if (mark?.checkVisibility()) return oneLine(mark.textContent ?? "").slice(0, 300) || "the platform's confirmation";
  const said = saidBy(page).find((sentence) => !before?.said.includes(sentence));
  if (said) return said;
  const { href, pathname, search } = page.location;
  const isOne = [ADDRESS, ...KNOWN_ADDRESSES].some((one) => one.test(pathname + search));
  return before?.address !== href && isOne ? href.slice(0, 900) : null;
}

/** @param {Document} page */
function saidBy(page) {
  const text = (page.body?.innerText ?? "").slice(0, LONGEST_TEXT).replace(/[’‘]/g, "'");
  return SENTENCES.flatMap((sentence) => sentence.exec(text)?.[0] ?? []);
}
